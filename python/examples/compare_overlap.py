"""What overlapping brings: the same training with and without --no-overlap, in pairs that take turns.

    python python/examples/compare_overlap.py torch --store data/ljspeech
    python python/examples/compare_overlap.py tensorflow --store data/ljspeech --repeat 5 -- --batch-size 16 --data-gpu 0 --model-gpu 1

Both of a pair live at the same time, and one stands still while the other trains, half a second each: what else
the machine does meets both alike. Flags after -- go to the trainer. Exit code 1 says that the overlapped one was slower, by more than
such pairs differ among themselves.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time

TURN = 0.5  # seconds; dozens of steps of a small model

HERE = os.path.dirname(os.path.abspath(__file__))


def main(argv=None):
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("framework", choices=("torch", "tensorflow"))
    p.add_argument("--store", required=True, help="the dataset's folder or its store")
    p.add_argument("--steps", type=int, default=400, metavar="N", help="of each run (default %(default)s)")
    p.add_argument("--repeat", type=int, default=5, metavar="N", help="pairs (default %(default)s)")
    argv = sys.argv[1:] if argv is None else argv
    at = argv.index("--") if "--" in argv else len(argv)  # argparse would look for its own flags after it too
    o = p.parse_args(argv[:at])
    o.flags = argv[at + 1 :]
    if o.steps < 10:
        p.error("--steps has to be 10 or more: the first ones do not count")
    ratios = []
    for i in range(o.repeat):
        overlapped, plain = pair(o)
        ratios.append(overlapped / plain)
        print("pair %d: overlapped %.2f ms a step, one after the other %.2f ms: %.3f of it" % (i + 1, overlapped, plain, ratios[-1]), flush=True)
    middle = statistics.median(ratios)
    spread = statistics.median(abs(r - middle) for r in ratios)
    print("in the middle %.3f of it, from %.3f to %.3f; half of the pairs within %.3f" % (middle, min(ratios), max(ratios), spread))
    if middle - 1 > 3 * spread + 0.01:
        print("the overlapped one is slower")
        return 1
    return 0


def pair(o):
    """The milliseconds of a step of both, in the mean over the time of their turns: batches that are late now and then show in no median."""
    with tempfile.TemporaryDirectory() as folder:
        running = [Run(o, flags, os.path.join(folder, str(i))) for i, flags in enumerate(([], ["--no-overlap"]))]
        try:
            for run in running:  # one compiles after the other, and what the first left may serve the second
                run.begin()
            while any(run.steps() < o.steps for run in running):
                for run in running:
                    run.turn()
            return [run.step_ms() for run in running]
        finally:
            for run in running:
                run.process.kill()
                run.process.wait()


class Run:
    """One training, which stands still unless it has its turn. Its losses, a line a step, say how far it is."""

    def __init__(self, o, flags, losses):
        self.losses, self.last, self.seconds = losses, o.steps, 0
        self.command = [sys.executable, os.path.join(HERE, "train_%s.py" % o.framework), "--store", o.store, "--steps", str(o.steps),
                        "--losses", losses, "--record", "none", *flags, *o.flags]
        with open(losses + ".said", "wb") as said:
            self.process = subprocess.Popen(self.command, stdout=said, stderr=said)
        self.process.send_signal(signal.SIGSTOP)

    def begin(self):
        """Makes the first steps, of which one compiles; they do not count."""
        self._go_on(lambda: self.steps() > 0)
        self.first, self.seconds = self.steps(), 0

    def turn(self):
        """Trains for half a second, or to the last step."""
        end = time.monotonic() + TURN
        self._go_on(lambda: self.steps() == self.last or time.monotonic() > end)

    def _go_on(self, over):
        begun = time.monotonic()
        self.process.send_signal(signal.SIGCONT)
        while not over():
            if self.process.poll() is not None and not over():
                self._died()
            time.sleep(0.001)
        self.process.send_signal(signal.SIGSTOP)
        self.seconds += time.monotonic() - begun

    def steps(self):
        """How many steps are over."""
        if not os.path.exists(self.losses):
            return 0
        with open(self.losses, "rb") as f:
            return f.read().count(b"\n")

    def step_ms(self):
        return 1e3 * self.seconds / (self.last - self.first)

    def _died(self):
        with open(self.losses + ".said", encoding="utf-8", errors="replace") as f:
            sys.exit("%s\nended with %d: %s" % (" ".join(self.command), self.process.returncode, f.read()[-2000:]))


if __name__ == "__main__":
    sys.exit(main())
