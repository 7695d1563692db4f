#!/usr/bin/env python3
"""Break one thing at a time, and see which tests notice.

mutants.tsv lists the mutants: in which package, in which function, the text that
is replaced, what replaces it, and what that breaks. Each is applied alone in a
copy of a commit. The tests of its package run, then those of ./compiler and
./cmd/voxpack, until one fails. A mutant that no test notices is a hole.

A mutant is found by its text below the top folder of its package, so that a file
may move. One whose text is gone is reported, not passed over.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FURTHER = ["./compiler", "./cmd/voxpack"]
LEAST_SECONDS = 120  # a mutant that hangs is caught by this limit, or by SLOWER
SLOWER = 6           # times what the tests take without a mutant


class Mutant:
    def __init__(self, line):
        self.package, self.function, self.old, self.new, self.breaks = line.rstrip("\n").split("\t")

    def sites(self, root):
        """The (path, start, end) of the old text, those in the named function if any are."""
        inside, anywhere = [], []
        for folder, _, files in sorted(os.walk(os.path.join(root, self.package.split("/")[0]))):
            for name in sorted(files):
                if not name.endswith(".go") or name.endswith("_test.go"):
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as f:
                    text = f.read()
                spans = function_spans(text, self.function)
                at = text.find(self.old)
                while at >= 0:
                    site = (path, at, at + len(self.old))
                    anywhere.append(site)
                    if any(a <= at < b for a, b in spans):
                        inside.append(site)
                    at = text.find(self.old, at + 1)
        return inside or anywhere


def function_spans(text, name):
    start = re.compile(r"^func (?:\([^)]*\) )?" + re.escape(name) + r"(?:\[[^\]]*\])?\(", re.M)
    for m in start.finditer(text):
        line_end = text.index("\n", m.start())
        if text[m.start():line_end].endswith("}"):
            yield m.start(), line_end
        else:
            yield m.start(), text.index("\n}", m.start())


class Runner:
    def __init__(self, root, scratch, short, further):
        self.root, self.scratch, self.short, self.further = root, scratch, short, further
        self.usual = {}  # (package, short) to the seconds without a mutant; None: its tests fail

    def go_test(self, package, short, limit):
        """The exit code (None: over the limit), the output and the seconds of a run of tests."""
        args = ["go", "test", "-vet=off", "-failfast", "-timeout", f"{limit}s"] + (["-short"] if short else []) + [package]
        temp = os.path.join(self.scratch, "t")  # short, since the tests put sockets below it
        os.mkdir(temp)
        began = time.monotonic()
        p = subprocess.Popen(args, cwd=self.root, env=dict(os.environ, TMPDIR=temp, GOTMPDIR=self.scratch), text=True, errors="replace",
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        code = None
        try:
            out, _ = p.communicate(timeout=limit + 60)
            code = p.returncode
        except subprocess.TimeoutExpired:
            pass
        finally:  # also when this program is told to end
            try:
                os.killpg(p.pid, signal.SIGKILL)  # what a test started and left
            except ProcessLookupError:
                pass
        if code is None:
            out, _ = p.communicate()
        subprocess.run(["chmod", "-R", "u+rwX", temp], stderr=subprocess.DEVNULL)
        shutil.rmtree(temp, ignore_errors=True)
        return code, out, time.monotonic() - began

    def expect(self, package, short):
        """How long the tests take without a mutant; None where they fail."""
        if (package, short) not in self.usual:
            code, out, seconds = self.go_test(package, short, 1800)
            if code != 0:
                print(f"the tests of {package} fail without a mutant:\n{out[-2000:]}", file=sys.stderr)
            self.usual[package, short] = seconds if code == 0 else None
        return self.usual[package, short]

    def judge(self, m):
        """The verdict on one mutant: what happened, and the test or package that noticed."""
        sites = m.sites(self.root)
        if len(sites) != 1:
            return ("no longer applies" if not sites else f"its text stands in {len(sites)} places"), "", 0
        path, start, end = sites[0]
        own = "./" + os.path.relpath(os.path.dirname(path), self.root)
        steps = [(own, True)] + [(own, False)] * (not self.short) + [(p, self.short) for p in self.further if p != own]
        with open(path, encoding="utf-8") as f:
            text = f.read()
        spent = 0
        for package, short in steps:
            usual = self.expect(package, short)
            if usual is None:
                continue
            limit = int(max(LEAST_SECONDS, SLOWER * usual))
            with open(path, "w", encoding="utf-8") as f:
                f.write(text[:start] + m.new + text[end:])
            code, out, seconds = self.go_test(package, short, limit)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            spent += seconds
            if code == 0:
                continue
            if "[build failed]" in out or "[setup failed]" in out:
                return "does not compile", "", spent
            failed = re.search(r"^\s*--- FAIL: (\S+)", out, re.M)
            name = failed.group(1) if failed else "panic" if "panic: " in out else "its time ran out" if code is None else "no test by name"
            if "panic: test timed out" in out:
                name = "its time ran out"
            return "caught", f"{package} {name}", spent
        return "survived", "", spent


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--ref", default="HEAD", help="the commit that is broken; what is not committed is not in it")
    p.add_argument("--short", action="store_true", help="run the tests with -short only")
    p.add_argument("--only", default="", help="mutants of packages with this beginning, such as store or audio/codec")
    p.add_argument("--pick", default="", help="mutants whose function or text has this in it")
    p.add_argument("--again", help="a table of an earlier run: only what was not caught in it")
    p.add_argument("--own", action="store_true", help="only the tests of each mutant's package")
    p.add_argument("--out", help="file for the table")
    p.add_argument("--list", action="store_true", help="only say where each mutant applies")
    o = p.parse_args()
    with open(os.path.join(HERE, "mutants.tsv"), encoding="utf-8") as f:
        mutants = [Mutant(line) for line in f.readlines()[1:]]
    mutants = [m for m in mutants if m.package.startswith(o.only) and (o.pick in m.function or o.pick in m.old)]
    if o.again:
        with open(o.again, encoding="utf-8") as f:
            caught = {tuple(row[:3]) for row in (line.split("\t") for line in f) if row[3] == "caught"}
        mutants = [m for m in mutants if (m.package, m.function, m.breaks) not in caught]
    os.nice(19)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # by way of what cleans up
    scratch = tempfile.mkdtemp(prefix="vpm-")
    root = os.path.join(scratch, "tree")
    git = ["git", "-C", HERE]
    subprocess.run(git + ["worktree", "add", "--detach", "--quiet", root, o.ref], check=True)
    missed = 0
    try:
        runner = Runner(root, scratch, o.short, [] if o.own else FURTHER)
        table = ["package\tfunction\twhat it breaks\tresult\tby\tseconds"]
        for m in mutants:
            if o.list:
                print(m.package, m.function, [os.path.relpath(s[0], root) for s in m.sites(root)], sep="\t")
                continue
            result, by, seconds = runner.judge(m)
            missed += result != "caught"
            print(f"{result:10}  {m.package} {m.function}: {m.breaks}" + (f"  ({by}, {seconds:.0f} s)" if by else ""), flush=True)
            table.append("\t".join([m.package, m.function, m.breaks, result, by, f"{seconds:.0f}"]))
            if o.out:
                with open(o.out, "w", encoding="utf-8") as f:
                    f.write("\n".join(table) + "\n")
        if not o.list:
            print(f"{len(mutants) - missed} of {len(mutants)} caught")
    finally:
        subprocess.run(git + ["worktree", "remove", "--force", root])
        shutil.rmtree(scratch, ignore_errors=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
