#!/usr/bin/env python3
"""One of Python's text front-ends, which answers lines on stdin with JSON.

    cleaners.py KIND FILE

KIND is one of CLEANERS; FILE has the lines that are read, again and again. "lap SECONDS"
reads for that long and says how many lines it took, "left N" how many of the
first N have digits when they are read, "versions" what was imported.
"""

import contextlib
import importlib.metadata
import json
import sys
import time


def tacotron():
    """english_cleaners of Tacotron's repositories, as the package of ESPnet has them."""
    from tacotron_cleaner.cleaners import english_cleaners
    return english_cleaners


def nemo():
    """NeMo's written-to-spoken grammar with the options that its own program sets."""
    from nemo_text_processing.text_normalization.normalize import Normalizer
    normalizer = Normalizer(input_case="cased", lang="en")
    return lambda line: normalizer.normalize(line, verbose=False)


def hazm():
    """hazm puts letters and spaces right; it says no number."""
    from hazm import Normalizer
    return Normalizer().normalize


CLEANERS = {"tacotron": (tacotron, "espnet-tts-frontend"), "nemo": (nemo, "nemo-text-processing"), "hazm": (hazm, "hazm")}


class Bench:
    def __init__(self, kind, path):
        make, self.package = CLEANERS[kind]
        with contextlib.redirect_stdout(sys.stderr):  # what packages say of themselves
            self.clean = make()
        with open(path, encoding="utf-8") as f:
            self.lines = f.read().splitlines()
        self.at = 0
        self.clean(self.lines[0])

    def lap(self, seconds):
        lines, start, cpu = 0, time.perf_counter(), time.process_time()
        while time.perf_counter() - start < seconds:
            self.clean(self.lines[self.at])
            self.at = (self.at + 1) % len(self.lines)
            lines += 1
        return {"lines": lines, "seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - cpu}

    def left(self, n):
        return {"left": sum(any(c.isdigit() for c in self.clean(line)) for line in self.lines[:n]), "of": min(n, len(self.lines))}

    def answer(self, line):
        word, *more = line.split()
        if word == "versions":
            return {"python": sys.version.split()[0], self.package: importlib.metadata.version(self.package)}
        if word == "left":
            return self.left(int(more[0]))
        return self.lap(float(more[0]))


def main():
    bench = Bench(*sys.argv[1:])
    for line in sys.stdin:
        print(json.dumps(bench.answer(line)), flush=True)


if __name__ == "__main__":
    main()
