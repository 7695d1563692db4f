"""Processes that are measured: peers that answer lines, and programs that run to their end."""

import json
import os
import subprocess
import threading
import time

# One thread a process. glibc is told to keep memory that is freed: HiFi-GAN's function gains up to
# 1.4 times by that on machines where fresh memory is dear, nothing loses.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}
KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_TOP_PAD_": str(64 << 20)}


class PeerError(Exception):
    """A process ended that should not have; the text says whose and how."""


def pin(cores):
    """Gives what keeps a process to the first cores, where the system can do that."""
    def apply():
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    return apply


class Peer:
    """A process that answers lines with JSON."""

    def __init__(self, name, command, cores=None, env=None):
        self.name, self.laps = name, []
        env = {**os.environ, "OMP_NUM_THREADS": "1", **(env or {})}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env,
                                        preexec_fn=pin(cores))

    def ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise PeerError(f"{self.name}: ended with {self.process.wait()}")
        return json.loads(answer)

    def lap(self, line="lap"):
        """Keeps a lap; gives it with the CPU seconds that it took."""
        self.laps.append(self.ask(line))
        return self.laps[-1], self.laps[-1]["cpu_seconds"]

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.returncode != 0:
            raise PeerError(f"{self.name}: ended with {self.process.returncode}")


class Finished:
    """A program that ran: wall time from outside, CPU time with its children, the most anonymous memory, what it printed."""

    def __init__(self, name, command, cores=None, env=None):
        start = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ, **(env or {})),
                              preexec_fn=pin(cores)) as process:
            self.process, self.anonymous, self.ended = process, 0, threading.Event()
            watcher = threading.Thread(target=self.watch)
            watcher.start()
            told = []
            errors = threading.Thread(target=lambda: told.append(process.stderr.read()))
            errors.start()
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            self.ended.set()
            watcher.join()
            errors.join()
        self.cpu = usage.ru_utime + usage.ru_stime
        if process.returncode != 0:
            raise PeerError(f"{name}: ended with {process.returncode}: {''.join(told).strip()[-300:]}")
        self.json = json.loads(output[output.index("{"):])  # some libraries greet on stdout

    def watch(self):
        """Adds up RssAnon of the process and its children, again and again. Every 50 ms costs well under 1 % of a core."""
        while not self.ended.wait(0.05):
            self.anonymous = max(self.anonymous, sum(map(anonymous, family(self.process.pid))))


def family(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            return [pid] + [child for word in f.read().split() for child in family(int(word))]
    except OSError:
        return [pid]


def anonymous(pid):
    """RssAnon in bytes; 0 where there is none to read."""
    try:
        with open(f"/proc/{pid}/status") as f:
            return next((int(line.split()[1]) << 10 for line in f if line.startswith("RssAnon:")), 0)
    except OSError:
        return 0


def busy_seconds():
    """Time that all cores together were not idle: cpu user nice system idle iowait irq softirq steal."""
    try:
        with open("/proc/stat") as f:
            ticks = [int(w) for w in f.readline().split()[1:]]
    except OSError:
        return None
    return sum(ticks[i] for i in (0, 1, 2, 5, 6, 7)) / os.sysconf("SC_CLK_TCK")


class Others:
    """The share of all cores that other processes and other guests took, sample by sample."""

    def __init__(self):
        self.shares = []

    def measure(self, work):
        """Calls work, which gives its result and the CPU seconds that were its own; gives the result."""
        busy, start = busy_seconds(), time.perf_counter()
        result, own = work()
        if busy is not None:
            cores = (time.perf_counter() - start) * os.cpu_count()
            self.shares.append(max(0.0, busy_seconds() - busy - own) / cores)
        return result
