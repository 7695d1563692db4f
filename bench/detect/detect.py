#!/usr/bin/env python3
"""Language detection beside lingua, on the same lines in the same run.

    detect.py [--python PYTHON] NAME=FOLDER...

A folder holds CODE.txt, one sentence a line. Each sentence is tried whole and as
a fragment of three consecutive words, of six letters where no spaces stand
between words, cut by a seeded choice. PYTHON is one that can import lingua
(lingua-language-detector); without it the table has our rows only.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys

from fetch import LANGUAGES

HERE = pathlib.Path(__file__).resolve().parent
CODES = list(LANGUAGES)


def fragment(sentence, code, choice):
    """Some consecutive words that have letters; empty where the sentence is shorter."""
    if code in ("zh", "ja"):
        letters = "".join(c for c in sentence if c.isalpha() and ord(c) >= 0x3000)
        at = choice.randrange(max(1, len(letters) - 5))
        return letters[at : at + 6] if len(letters) >= 6 else ""
    words = [w for w in sentence.split() if any(c.isalpha() for c in w)]
    at = choice.randrange(max(1, len(words) - 2))
    return " ".join(words[at : at + 3]) if len(words) >= 3 else ""


def cases(folder):
    """(kind, code, line) of every sentence and fragment."""
    out = []
    for code in CODES:
        choice = random.Random("fragments " + code)
        for line in (folder / (code + ".txt")).read_text(encoding="utf-8").split("\n"):
            line = line.strip().replace("\r", " ").replace("\u2028", " ")
            if not any(c.isalpha() for c in line):
                continue
            out.append(("sentences", code, line))
            if cut := fragment(line, code, choice):
                out.append(("fragments", code, cut))
    return out


def ask(command, lines):
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, encoding="utf-8", check=True)
    *codes, last = done.stdout.rstrip("\n").split("\n")
    if len(codes) != len(lines):
        sys.exit(f"{command[0]}: {len(codes)} answers to {len(lines)} lines")
    return codes, json.loads(last)


def shares(these, codes):
    """Percentage right by language."""
    right, count = dict.fromkeys(CODES, 0), dict.fromkeys(CODES, 0)
    for (_, code, _), found in zip(these, codes):
        count[code] += 1
        right[code] += found == code
    return {c: 100 * right[c] / count[c] for c in CODES if count[c]}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--python", help="a Python with lingua")
    p.add_argument("--wrong", metavar="FILE", help="list our wrong answers in FILE")
    p.add_argument("sets", nargs="+")
    o = p.parse_args()
    binary = HERE.parent.parent / "bin" / "bench-detect"
    subprocess.run(["go", "build", "-o", binary, "./bench/detect"], cwd=HERE.parent.parent, check=True)
    programs = {"voxpack": [binary]}
    if o.python:
        programs["lingua"] = [o.python, HERE / "peer.py", *CODES]
    print("| set | lines | program | mean % | worst | µs of processor a line | MB | " + " | ".join(CODES) + " |")
    print("|---" * (len(CODES) + 7) + "|")
    wrong = []
    for name, folder in (s.split("=", 1) for s in o.sets):
        every = cases(pathlib.Path(folder))
        for kind in ("sentences", "fragments"):
            these = [c for c in every if c[0] == kind]
            if not these:  # pairs of words have no fragments of three
                continue
            for program, command in programs.items():
                codes, figures = ask(command, [line for _, _, line in these])
                by = shares(these, codes)
                worst = min(by, key=by.get)
                print(f"| {name} {kind} | {len(these):,} | {program} | {sum(by.values()) / len(by):.2f} | {worst} | {figures['microseconds']:.1f} | {figures['megabytes']:.1f} | "
                      + " | ".join(f"{by[c]:.1f}" if c in by else "–" for c in CODES) + " |", flush=True)
                if program == "voxpack":
                    wrong += [f"{name} {kind}\t{c}\t{f}\t{line}" for (_, c, line), f in zip(these, codes) if c != f]
    if o.wrong:
        pathlib.Path(o.wrong).write_text("\n".join(wrong) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
