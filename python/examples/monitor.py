"""What a training looks like from outside: a line every so often, and the figures of the whole."""

import math
import os
import time

LIMIT = 30  # percent that steps may vary by before the monitor warns, as in voxpack feed
FEW = 3  # steps that say nothing about a variation


def summary(times):
    """What a run record says about times in seconds: the keys of voxpack feed, in milliseconds."""
    ms = sorted(1e3 * t for t in times)
    n, total = len(ms), math.fsum(ms)
    mean = total / n if n else 0.0
    std = math.sqrt(math.fsum((x - mean) ** 2 for x in ms) / n) if n else 0.0

    def quantile(q):
        return ms[max(0, math.ceil(q * n) - 1)] if n else 0.0

    return {"count": n, "total_ms": total, "mean_ms": mean, "std_ms": std, "min_ms": quantile(0), "p50_ms": quantile(0.5),
            "p95_ms": quantile(0.95), "p99_ms": quantile(0.99), "max_ms": quantile(1)}


def variation(s):
    """The standard deviation in percent of the mean."""
    return 100 * s["std_ms"] / s["mean_ms"] if s["mean_ms"] else 0.0


class Monitor:
    """Takes the times of each step. The first one, which compiles, is kept apart."""

    def __init__(self, options, memory, out):
        self.options, self._memory, self._out = options, memory, out
        self.first = self.first_wait = None  # seconds of the step that compiles, and of its wait
        self.steps, self.waits, self.warnings, self._shown = [], [], [], 0

    def say(self, text):
        print(text, file=self._out, flush=True)

    def step(self, wait, took):
        """A step that took some seconds, and how many of them it waited for its batch."""
        if self.first is None:
            self.first, self.first_wait = took, wait
            return
        self.waits.append(wait)
        self.steps.append(took)

    def line(self, number, loss):
        """Says how the steps since the last line went."""
        since, self._shown = self._shown, len(self.steps)
        if since == self._shown:
            return
        s = summary(self.steps[since:])
        text = "step %d of %d: loss %.4f, mean %.1f ms, std %.1f, min %.1f, max %.1f, %.1f steps/s, variation %.0f %%" % (
            number, self.options.steps, loss, s["mean_ms"], s["std_ms"], s["min_ms"], s["max_ms"], 1e3 / s["mean_ms"], variation(s))
        for gpu in self._memory():
            text += ", GPU %d %.0f MB" % (gpu["gpu"], gpu["taken_mb"])
        self.say(text)
        warning = self.unsteady(since)
        if warning:
            self.say("warning: " + warning)

    def unsteady(self, since=0):
        """What to change where steps vary too much, else ""."""
        steps, waits, o = self.steps[since:], self.waits[since:], self.options
        s = summary(steps)
        if len(steps) <= FEW or variation(s) <= LIMIT:
            return ""
        stall = sum(waits) / sum(steps)
        text = "steps vary by %.0f %% (limit %d %%): " % (variation(s), LIMIT)
        if stall < 0.05:
            text += "the trainer's own, the wait for data is %.1f %% of the time; " % (100 * stall)
            if self._memory():
                return text + "another program may be using --model-gpu: take another"
            return text + ("other programs need the processor too" if abs(o.cores) == 1 else "where other programs need the processor too, give --cores 1")
        if not o.overlap:
            return text + "%.0f %% of the time is the wait for data; leave out --no-overlap" % (100 * stall)
        return text + "%.0f %% of the time is the wait for data; give --ahead %d" % (100 * stall, 2 * o.ahead)


def clock():
    """Seconds of a clock that only goes forward."""
    return time.perf_counter()


def since_start():
    """Seconds since this process began, as its first batch counts them."""
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as f:
            ticks = int(f.read().rpartition(")")[2].split()[19])
        with open("/proc/uptime", encoding="ascii") as f:
            up = float(f.read().split()[0])
        return up - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0
