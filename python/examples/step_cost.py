"""What marking a step costs: python step_cost.py STORE prints ns, the median of laps and the fastest one."""

import statistics
import sys
import time

from voxpack import Dataset
from voxpack.steplog import NoLog, Step

LAPS, MARKS = 50, 2000


def laps(work):
    """ns of one, by lap."""
    took = []
    for _ in range(LAPS):
        begun = time.perf_counter_ns()
        work()
        took.append((time.perf_counter_ns() - begun) / MARKS)
    return "%6.0f %8.0f" % (statistics.median(took), min(took))


def main(store):
    with Dataset(store, batch_size=2) as ds:
        for batch in ds:
            break

        def marks():
            for _ in range(MARKS):
                with ds.step():
                    pass

        def without():
            nothing = NoLog()
            for _ in range(MARKS):
                with Step(nothing):
                    pass

        def batches():
            log = ds._stream.log
            for _ in range(MARKS):
                log.ask()
                log.got()

        print("%-34s %6s %8s" % ("ns", "median", "fastest"))
        print("%-34s %s" % ("with ds.step()", laps(marks)))
        print("%-34s %s" % ("the same, where nothing is noted", laps(without)))
        print("%-34s %s" % ("noting a batch in a loop", laps(batches)))


if __name__ == "__main__":
    main(sys.argv[1])
