"""Processes of the checks: the feed, once or in the background, and the pieces of Python that hold a context of their own."""

import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time


class ProcessError(Exception):
    """A process did not do what the check needs; the text has what it said last."""


class Report:
    """What a feed left: exit code, JSON (None if it printed none), stderr, wall and CPU seconds."""

    def __init__(self, code, stdout, stderr, seconds, cpu):
        self.code, self.stderr, self.seconds, self.cpu = code, stderr.strip(), seconds, cpu
        try:
            self.json = json.loads(stdout) if stdout.strip() else None
        except ValueError:
            raise ProcessError(f"its JSON is broken: {stdout[-200:]!r}") from None

    def last(self):
        """The line that says why it ended."""
        lines = [line for line in self.stderr.splitlines() if line.startswith("voxpack:")] or self.stderr.splitlines()
        return lines[-1].removeprefix("voxpack: ") if lines else "nothing on stderr"

    def link(self):
        """The stage of the copies from the host."""
        return next(stage for stage in self.json["stages"] if stage["name"].startswith("host to GPU"))

    def copy_bytes(self):
        return self.link()["bytes"] / self.link()["work"]["count"]

    def copy_rate(self):
        """Bytes a second of the median copy, by its own events. Not of their sum: a copy whose end the feed learns of late makes the next one look short."""
        return self.copy_bytes() / self.link()["work"]["p50_ms"] * 1000

    def clock_rate(self):
        """Bytes a second from the first batch to the last, by the clock."""
        return self.copy_bytes() / self.json["step"]["mean_ms"] * 1000


class Process:
    """A child whose output goes to files, so that nobody has to read it in time."""

    living = []  # and pieces: ended by end_all, whatever happens

    def __init__(self, command, env=None, stays=False):
        """stays: a part of a check that ends does not end it."""
        self.stays = stays
        self.out, self.err = tempfile.TemporaryFile("w+b"), tempfile.TemporaryFile("w+b")
        self.cpu = children_cpu()
        self.began = time.monotonic()
        self.popen = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err, env=env)
        self.pid, self.ended = self.popen.pid, None
        Process.living.append(self)

    def running(self):
        if self.ended is None and self.popen.poll() is not None:
            self.ended = time.monotonic()
        return self.ended is None

    def wait(self, seconds):
        """Waits in steps of 1 ms, so that ends can be timed; a process that does not end is killed."""
        until = time.monotonic() + seconds
        while self.running():
            if time.monotonic() > until:
                self.kill()
                raise ProcessError(f"did not end within {seconds:.0f} s")
            time.sleep(0.001)
        Process.living.remove(self)
        return Report(self.popen.returncode, text(self.out), text(self.err), self.ended - self.began, children_cpu() - self.cpu)

    def signal(self, number):
        self.popen.send_signal(number)

    @staticmethod
    def end_strays():
        """Ends what a check that broke off has left running."""
        for process in list(Process.living):
            if isinstance(process, Process) and not process.stays:
                process.kill()

    def kill(self):
        self.popen.kill()
        self.popen.wait()
        if self in Process.living:
            Process.living.remove(self)


class Piece:
    """A Python program that answers each line of JSON with one."""

    def __init__(self, file, *args, before=(), env=None):
        self.err = tempfile.TemporaryFile("w+b")
        command = [*before, sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), file), *args]
        self.popen = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.err)
        self.buffer = b""
        Process.living.append(self)

    def ask(self, limit, /, **question):
        """One question and its answer, which has so many seconds to come."""
        try:
            self.popen.stdin.write(json.dumps(question).encode() + b"\n")
            self.popen.stdin.flush()
        except BrokenPipeError:
            raise ProcessError(self.why()) from None
        until = time.monotonic() + limit
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.popen.stdout], [], [], max(0, until - time.monotonic()))
            if not ready:
                self.kill()
                raise ProcessError(f"no answer to {question} within {limit:.0f} s")
            got = os.read(self.popen.stdout.fileno(), 1 << 16)
            if not got:
                raise ProcessError(self.why())
            self.buffer += got
        line, _, self.buffer = self.buffer.partition(b"\n")
        answer = json.loads(line)
        if "error" in answer:
            raise ProcessError(answer["error"])
        return answer

    def why(self):
        self.popen.wait()
        return f"ended with {self.popen.returncode}: {(text(self.err).splitlines() or ['nothing on stderr'])[-1]}"

    def close(self):
        """Ends it, its context with it."""
        try:
            self.popen.stdin.close()
            self.popen.wait(20)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            pass
        self.kill()

    def kill(self):
        if self.popen.poll() is None:
            self.popen.send_signal(signal.SIGKILL)
        self.popen.wait()
        if self in Process.living:
            Process.living.remove(self)


def end_all():
    for process in list(Process.living):
        process.kill()


def text(file):
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def children_cpu():
    """CPU seconds of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def answer_lines(answer):
    """The main loop of a piece. What goes wrong is an answer too."""
    for line in sys.stdin:
        try:
            found = answer(**json.loads(line))
        except Exception as err:  # the asker decides what it means
            found = {"error": f"{type(err).__name__}: {err}"}
        print(json.dumps(found), flush=True)
