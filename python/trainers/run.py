#!/usr/bin/env python3
"""run: trainers that others wrote, fed by voxpack on the processor. Run by make trainers.

Each is a file here with its diff: what a user of that trainer changes. What a batch has is compared with what the trainer's own
loader has of the same clips; then the trainer's own loop runs, whole, and killed with SIGKILL and resumed. A trainer whose package
is not installed is left out with a notice.
"""

import concurrent.futures
import importlib
import subprocess
import sys
import time

import harness

NAMES = ["hifigan", "vits", "matchatts", "fastspeech2", "fastspeech_tf"]
MOST = 8  # lines that may change


def one(name):
    """Prints what one trainer showed; 0, 1 where it failed, 2 where it was left out."""
    start, place = time.monotonic(), None
    try:
        case = importlib.import_module(name)
        lines = harness.changed(case.DIFFS[0])
        if lines > MOST:
            raise harness.Failed(f"{lines} changed lines")
        place = harness.Place(case.PACKAGES)
        place.change(case.DIFFS)
        said = case.run(place)
    except (harness.Left, ModuleNotFoundError) as e:
        print(f"NOTICE: {name}: left out: {e}")
        return 2
    except harness.Failed as e:
        print(f"{name}: FAILED: {e}")
        return 1
    finally:
        if place:
            place.end()
    print(f"{name}: {lines} changed lines; {'; '.join(said)}; {time.monotonic() - start:.0f} s")
    return 0


def main(names):
    if len(names) == 1:
        return one(names[0])

    def apart(name):
        p = subprocess.run([sys.executable, "-W", "ignore", __file__, name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        print(p.stdout if p.returncode in (0, 2) else p.stdout + p.stderr, end="", flush=True)
        return p.returncode

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(apart, names))
    left = ended.count(2)
    print(f"trainers: {ended.count(0)} passed, {len(ended) - ended.count(0) - left} failed, {left} skipped")
    return len(ended) > ended.count(0) + left


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or NAMES))
