"""How many cores a process may use: what the machine has says too much in a container."""

import math
import os


def usable(proc="/proc/self/cgroup", mounted="/sys/fs/cgroup"):
    """Cores that this process may use: those it may be scheduled on, less where a control group's
    quota of CPU time allows fewer. A part of a core counts as one, and there is always one.
    """
    try:
        cores = len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        cores = os.cpu_count() or 1
    return max(1, min([cores] + [math.ceil(q) for q in quotas(proc, mounted)]))


def quotas(proc, mounted):
    """The quotas of this process's group and of all above it, each in cores."""
    found = []
    for folder in _groups(proc, mounted):
        words = _read(os.path.join(folder, "cpu.max")).split()  # of version 2: quota and period, or max and period
        if not words:
            words = [_read(os.path.join(folder, "cpu.cfs_%s_us" % name)) for name in ("quota", "period")]
        try:
            quota, period = int(words[0]), int(words[1])
        except (IndexError, ValueError):
            continue
        if quota > 0 and period > 0:  # version 1 says -1 where there is none
            found.append(quota / period)
    return found


def _groups(proc, mounted):
    """The folders that may hold a quota, from this process's group up to the root. A container may
    see its own group as the root, under a path that exists only outside: then the root tells.
    """
    for line in _read(proc).splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            base = mounted
        elif "cpu" in controllers.split(","):
            base = os.path.join(mounted, controllers)
        else:
            continue
        names = [name for name in path.split("/") if name]
        for depth in range(len(names), -1, -1):
            yield os.path.join(base, *names[:depth])


def _read(path):
    try:
        with open(path, encoding="ascii", errors="replace") as f:
            return f.read().strip()
    except OSError:
        return ""
