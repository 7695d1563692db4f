#!/usr/bin/env python3
"""peer.py CODE...: lingua on the lines of stdin: the code of each, then one JSON object with
the processor time a line took and the memory that the process grew by. Restricted to the
languages given, those of ours, all models loaded before the clock runs."""

import json
import resource
import sys
import time

from lingua import IsoCode639_1, Language, LanguageDetectorBuilder


def resident():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main(codes):
    lines = sys.stdin.read().removesuffix("\n").split("\n")
    before, begin = resident(), time.perf_counter()
    languages = [Language.from_iso_code_639_1(getattr(IsoCode639_1, c.upper())) for c in codes]
    detector = LanguageDetectorBuilder.from_languages(*languages).with_preloaded_language_models().build()
    load = time.perf_counter() - begin
    begin = time.process_time()  # as ours: a busy machine stretches the clock
    found = [detector.detect_language_of(line) for line in lines]
    seconds = time.process_time() - begin
    for language in found:
        print(language.iso_code_639_1.name.lower() if language else "und")
    print(json.dumps({"microseconds": seconds / len(lines) * 1e6, "load_seconds": load, "megabytes": resident() - before}))


if __name__ == "__main__":
    main(sys.argv[1:])
