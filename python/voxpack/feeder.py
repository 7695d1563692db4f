"""Starting the feeder, and finding one that runs."""

import os
import shutil
import subprocess
import tempfile
import threading
import time
import weakref

from . import wire
from .errors import FeederDied, FeederError

_LINGER = "5s"  # how long a feeder waits for the next consumer


def binary(given=None):
    """The program: as given, $VOXPACK, the one in this package, or the one in PATH."""
    return _binary(given)[0]


def _binary(given):
    """The program, and who names it."""
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "voxpack")
    for path, by in ((given, "program="), (os.environ.get("VOXPACK"), "VOXPACK in the environment"), (inside if os.path.exists(inside) else None, "this package"),
                     (shutil.which("voxpack"), "PATH")):
        if path:
            return path, by
    raise FeederError("the program voxpack was not found: the wheel contains it, a checkout of the sources does not; put it into PATH, or set VOXPACK to its path", "address")


def _nameless() -> int:
    """An unnamed file for what the program prints to stderr."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("voxpack-serve-stderr")
    with tempfile.TemporaryFile() as f:  # macOS, or a Python that was built for an older library
        return os.dup(f.fileno())


def inherited(environ):
    """The environment of a feeder that this process starts.

    All ranks use that feeder, and launchers leave each rank a GPU of its own. Rings name GPUs by uuid, so the
    feeder can see all of them. A MIG device is an exception: a process sees it only if this variable names it.
    """
    if environ.get("CUDA_VISIBLE_DEVICES", "").startswith("MIG-"):
        return dict(environ)
    return {name: value for name, value in environ.items() if name != "CUDA_VISIBLE_DEVICES"}


class Feeder:
    """A feeder that this process started or found; several may try at once, one gets the socket."""

    def __init__(self, store, socket, given, program=None):
        self.store, self.socket, self.program = store, socket, program
        self.place = [] if given is None else ["--socket", given]  # else it finds the same by itself
        self.process = self._said = None

    def connect(self, timeout, start=True):
        """A greeted socket and the welcome. Where nobody answers, a feeder is started."""
        deadline = time.monotonic() + timeout
        while True:
            try:
                return wire.connect(self.socket, timeout)
            except (FileNotFoundError, ConnectionRefusedError, FeederDied) as e:  # none, a killed one, or one that was leaving
                if not start:
                    raise FeederError("no feeder answers at %s: %s" % (self.socket, e), "address") from None
            if self.process is None or self.process.poll() is not None:
                if self.process is not None and self.process.returncode not in (0, 3):
                    raise FeederError("voxpack serve: " + self.last_words(), "address")
                if self.process is not None and self.process.returncode == 3 and "another feeder" not in self.last_words():
                    raise FeederError("voxpack serve: " + self.last_words(), "address")
                self._launch()
            if time.monotonic() > deadline:
                raise FeederError("no feeder answers at %s within %g s: %s" % (self.socket, timeout, self.last_words()), "address")
            time.sleep(0.005)

    def _launch(self):
        if self._said is None:
            self._said = _nameless()
            weakref.finalize(self, os.close, self._said).atexit = False
        program, by = _binary(self.program)
        try:
            self.process = subprocess.Popen(
                [program, "serve", self.store, *self.place, "--linger", _LINGER, "-q"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._said,
                env=inherited(os.environ), start_new_session=True)  # Ctrl-C is for the trainer
        except OSError as e:
            raise FeederError("the program %s, which %s names, does not run: %s; name another one by program= or VOXPACK, or unset it to use the one in the wheel"
                              % (program, by, e.strerror or e), "address") from None
        # Somebody has to take note of its end, else it stays as a zombie.
        threading.Thread(target=self.process.wait, daemon=True).start()

    def last_words(self):
        """The last lines that it wrote to stderr."""
        if self._said is None:
            return ""
        size = os.fstat(self._said).st_size
        text = os.pread(self._said, 4096, max(0, size - 4096)).decode("utf-8", "replace")
        return text.strip()

    def died(self):
        """The text of FeederDied."""
        text = "the feeder at %s is gone" % self.socket
        if self.process is not None:
            time.sleep(0.02)  # its end is noted by another thread
            code, words = self.process.poll(), self.last_words()
            text += "" if code is None else "; it ended with %d" % code
            text += ": " + words if words else ""
        return text
