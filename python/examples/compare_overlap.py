"""What overlapping brings: the same training with and without --no-overlap, in pairs, one after the other.

    python python/examples/compare_overlap.py torch --store data/ljspeech
    python python/examples/compare_overlap.py tensorflow --store data/ljspeech --repeat 5 -- --batch-size 16 --data-gpu 0 --model-gpu 1

Flags behind -- go to the trainer. Exit code 1 says that the overlapped one was slower, by more than
such pairs differ among themselves.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main(argv=None):
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("framework", choices=("torch", "tensorflow"))
    p.add_argument("--store", required=True, help="the dataset's folder or its store")
    p.add_argument("--steps", type=int, default=200, metavar="N", help="of each run (default %(default)s)")
    p.add_argument("--repeat", type=int, default=5, metavar="N", help="pairs (default %(default)s)")
    argv = sys.argv[1:] if argv is None else argv
    at = argv.index("--") if "--" in argv else len(argv)  # argparse would look for its own flags behind it too
    o = p.parse_args(argv[:at])
    o.flags = argv[at + 1 :]
    ratios = []
    for i in range(o.repeat):
        took = {}
        for overlap in ((True, False) if i % 2 == 0 else (False, True)):  # who is first changes: a machine warms up
            took[overlap] = step_ms(o, overlap)
        ratios.append(took[True] / took[False])
        print("pair %d: overlapped %.2f ms a step, one after the other %.2f ms: %.3f of it" % (i + 1, took[True], took[False], ratios[-1]), flush=True)
    middle = statistics.median(ratios)
    spread = statistics.median(abs(r - middle) for r in ratios)
    print("in the middle %.3f of it, from %.3f to %.3f; half of the pairs within %.3f" % (middle, min(ratios), max(ratios), spread))
    if middle - 1 > 3 * spread + 0.01:
        print("the overlapped one is slower")
        return 1
    return 0


def step_ms(o, overlap):
    """The middle step of one training, the one that compiles apart. A mean is that of the machine's disturbances too."""
    command = [sys.executable, os.path.join(HERE, "train_%s.py" % o.framework), "--store", o.store, "--steps", str(o.steps), "--json", "--record", "none"]
    command += ([] if overlap else ["--no-overlap"]) + o.flags
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("%s\nended with %d: %s" % (" ".join(command), done.returncode, done.stderr[-2000:]))
    return json.loads(done.stdout)["step"]["p50_ms"]


if __name__ == "__main__":
    sys.exit(main())
