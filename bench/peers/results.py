#!/usr/bin/env python3
"""Measure voxpack's mel, text, whole compile and training loops beside Python's, and write bench/RESULTS.md.

    results.py [--out bench/RESULTS.md] [--only mel,compile,text,trainers] [--clips 13100] [--peer-clips N] [--rounds 5]

Runs in the environment that venv.py makes, and starts peers in it and in the
one beside it. All work on one corpus, which bench/gencorpus makes of LJSpeech's
size, of its texts where VOXPACK_CORPORA leads to them; it and a store take 8 GB
for a while. Accuracy is taken of the real clips there, else of the generated
ones. Every peer that is left out stands on the page with the reason.
"""

import argparse
import datetime
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import page
import reference as ref
from compilepart import CORES, CompilePart
from melpart import MelPart
from peer import Peer, PeerError
from textpart import TextPart
from trainerpart import TrainerPart

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE = os.path.dirname(os.path.dirname(HERE))

PARTS = {"mel": MelPart, "compile": CompilePart, "text": TextPart, "trainers": TrainerPart}


class Session:
    """What all parts share: arguments, programs, corpus, calibration, and what is to be told at the end."""

    def __init__(self, args, work):
        self.args, self.work, self.module, self.used, self.absent = args, work, MODULE, {}, {}
        self.environment = os.path.dirname(os.path.dirname(os.path.abspath(sys.executable)))
        self.left_out = self.reasons()
        corpora = os.environ.get("VOXPACK_CORPORA")
        speech = corpora and os.path.join(corpora, "ljspeech-32")
        self.speech = speech if speech and os.path.isdir(speech) else None
        for name, package in (("mel", "bench/mel"), ("stages", "bench/compile"), ("gencorpus", "bench/gencorpus"), ("text", "bench/text"), ("feed", "bench/feed"), ("voxpack", "cmd/voxpack")):
            self.say(f"building {package}")
            subprocess.run(["go", "build", "-trimpath", "-o", self.program(name), f"./{package}"], cwd=MODULE, check=True,
                           env=dict(os.environ, CGO_ENABLED="0"))
        self.corpus = self.make_corpus()
        self.stages = Peer("bench/compile", [self.program("stages"), "-corpus", self.corpus, "-clips", str(min(3000, args.clips)), "-j", str(CORES)], CORES)
        self.calibration = page.Calibration(self.stages)

    @staticmethod
    def say(text):
        print(text, file=sys.stderr, flush=True)

    def program(self, name):
        return os.path.join(self.work, name)

    def python(self, suffix):
        return os.path.join(self.environment + suffix, "bin", "python")

    def reasons(self):
        """Why parts of the environments are not there, as venv.py left it."""
        try:
            with open(os.path.join(self.environment, "left-out.json"), encoding="utf-8") as f:
                return json.load(f)
        except OSError:
            sys.exit(f"{sys.executable} is not of an environment that venv.py made; `make bench-peers` makes one")

    def leave_out(self, name, why):
        self.say(f"NOTICE: {name} is left out: {why}")
        self.absent[name] = why

    def versions(self, name, found):
        """Keeps a package's version, or both where two environments differ."""
        for package, version in found.items():
            versions = self.used.setdefault(package, [])
            if version not in versions:
                versions.append(version)

    def make_corpus(self):
        if self.args.corpus:
            corpus = os.path.abspath(self.args.corpus)
            self.args.clips = min(self.args.clips, len(ref.rows(corpus)))
        else:
            corpus = os.path.join(self.work, "corpus")
            texts = os.path.join(self.speech, "transcripts-13100.csv") if self.speech else ""
            self.texts = bool(texts) and len(open(texts, encoding="utf-8").readlines()) >= self.args.clips
            made = ["-texts", texts] if self.texts else ["-max-seconds", "9.28"]  # 800 frames: every clip fits the usual shape
            subprocess.run([self.program("gencorpus"), "-n", str(self.args.clips), *made, corpus], check=True, stdout=sys.stderr)
            os.sync()
        self.read_clips(corpus)
        return corpus

    @staticmethod
    def read_clips(corpus):
        """Into the page cache, from which some systems take what was not read for half a minute."""
        for name, _ in ref.rows(corpus):
            with open(os.path.join(corpus, "wavs", name + ".wav"), "rb") as f:
                f.read()

    @staticmethod
    def first_rows(corpus, n, folder):
        """A corpus of the first rows of another. Its clips are links of the hard kind where they can be: voxpack follows no other out of a dataset."""
        os.makedirs(os.path.join(folder, "wavs"))
        for name, _ in ref.rows(corpus)[:n]:
            wav = os.path.join("wavs", name + ".wav")
            try:
                os.link(os.path.join(corpus, wav), os.path.join(folder, wav))
            except OSError:
                shutil.copyfile(os.path.join(corpus, wav), os.path.join(folder, wav))
        with open(os.path.join(corpus, "metadata.csv"), encoding="utf-8") as f, open(os.path.join(folder, "metadata.csv"), "w", encoding="utf-8") as out:
            out.writelines(f.readlines()[:n])
        return folder

    def run(self):
        """Of which day, machine and commit the figures are."""
        version = subprocess.run([self.program("voxpack"), "version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
        commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=MODULE, capture_output=True, text=True).stdout.strip()
        used = ", ".join(f"{package} {' and '.join(versions)}" for package, versions in sorted(self.used.items()) if package != "mel")
        return [["date", datetime.date.today().isoformat()], ["machine", page.machine()], ["voxpack", f"{version}, commit {commit or 'unknown'}"],
                ["versions", used]]

    def machine(self):
        lines = page.Calibration.table(self.calibration)
        if self.absent:
            lines += page.table(("peer that is left out", "why"), [[name, why.replace("|", "/").replace("\n", " ")] for name, why in self.absent.items()])
        return lines

    def page(self, parts):
        texts = "a given corpus" if self.args.corpus else "LJSpeech's texts" if self.texts else "made-up words"
        lines = ["# voxpack beside its peers", "",
                 "The last run of `make bench-peers`, which writes this page; [README.md](README.md) says how to repeat it and what is counted. "
                 "The machine moves absolute figures; ratios are taken within a round.", "",
                 *page.table(("", ""), [*self.run(), ["corpus", f"{self.args.clips} generated clips, {texts}"]])]
        for part in parts:
            lines += part.markdown()
        return "\n".join(lines + ["## Calibration", "", *self.machine()])

    def some(self, parts):
        """The sections of some parts, each with its own run below it, for a page that has those of others."""
        lines = []
        for part in parts:
            lines += [*part.markdown(), "Of a run by itself:", "", *page.table(("", ""), self.run()), *self.machine()]
        return "\n".join(lines)


def arguments():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--out", default=os.path.join(MODULE, "bench", "RESULTS.md"), help="'-' prints the page")
    flags.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    flags.add_argument("--corpus", help="measure over this corpus of 22,050 Hz, mono, 16 bits instead of a generated one")
    flags.add_argument("--work", help="folder for corpus and stores, on the disk to be measured (default: TMPDIR)")
    flags.add_argument("--clips", type=int, default=13100, help="of the corpus, and of voxpack's build")
    flags.add_argument("--peer-clips", type=int, help="of every other compile (default: as many, which takes some seven minutes a round)")
    flags.add_argument("--trainer-clips", type=int, default=3200, help="of the training loops: 1.3 MB each")
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--mel-clips", type=int, default=100)
    flags.add_argument("--lap-seconds", type=float, default=0.5)
    flags.add_argument("--accuracy-clips", type=int, default=32)
    args = flags.parse_args()
    args.peer_clips = args.clips if args.peer_clips is None else args.peer_clips
    if not set(args.only.split(",")) <= set(PARTS) or min(args.rounds, args.clips, args.peer_clips, args.mel_clips, args.accuracy_clips, args.trainer_clips) < 1:
        flags.error("want --only of mel, compile, text and trainers, and counts of at least 1")
    if set(args.only.split(",")) <= {"text", "trainers"}:
        args.clips = min(args.clips, args.trainer_clips if "trainers" in args.only else 50)  # the machine is measured with them
    return args


def main():
    args = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # what was made is removed then too
    work = tempfile.mkdtemp(prefix="voxpack-results-", dir=args.work)
    try:
        session = Session(args, work)
        chosen = [part(session) for name, part in PARTS.items() if name in args.only.split(",")]
        for part in chosen:
            part.measure()
        whole = len(chosen) == len(PARTS) or args.out != "-" and not os.path.exists(args.out)
        text = session.page(chosen) if whole else session.some(chosen)
        session.stages.close()
    finally:
        shutil.rmtree(work)
    if args.out == "-":
        print(text)
        return
    if not whole:
        with open(args.out, encoding="utf-8") as f:
            text = page.merge(f.read(), text)
    with open(args.out, "w", encoding="utf-8") as f:
        f.write(text)
    session.say(f"wrote {args.out}")


if __name__ == "__main__":
    try:
        main()
    except PeerError as why:
        sys.exit(str(why))
