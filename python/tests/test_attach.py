"""``voxpack profile --attach`` beside the example trainers, held against what examples/compare_overlap.py finds of them.

A feeder that rests again and again is fast enough in the mean, so that reading ahead hides it: compare_overlap says what that
brings, and the profile of the trainer without it has to name it. Nothing asserts a time: shares are compared whose
causes are far apart.
"""

import glob
import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
import time
import types
import unittest

from support import PACKAGE, PROGRAM, Place, until

sys.path.insert(0, os.path.join(PACKAGE, "examples"))
import compare_overlap  # noqa: E402

AHEAD = 16  # batches, of the overlapped training; the other has one
STEPS = 30
FLAGS = ["--device", "cpu", "--compile", "off", "--ahead", str(AHEAD)]

place = Place()


def setUpModule():
    place.begin()
    os.environ["PYTHONPATH"] = PACKAGE


def tearDownModule():
    del os.environ["PYTHONPATH"]
    place.end()


class Feeder:
    """voxpack serve. With a rest, it stands still for so many seconds whenever it has nothing to do."""

    def __init__(self, rest=0.0):
        self.process = subprocess.Popen([PROGRAM, "serve", place.store], stdout=subprocess.PIPE)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._rest, args=(rest,)) if rest else None

    def __enter__(self):
        self.process.stdout.readline()  # it listens
        if self._thread:
            self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        if self._thread:
            self._thread.join()
        self.process.kill()
        self.process.communicate()

    def _rest(self, rest):
        while not self._over.is_set():
            self.process.send_signal(signal.SIGSTOP)
            time.sleep(rest)
            self.process.send_signal(signal.SIGCONT)
            time.sleep(0.002)
            while self._works():  # a rest in the middle of a batch would be a slow worker
                time.sleep(0.001)

    def _works(self):
        for stat in glob.glob("/proc/%d/task/*/stat" % self.process.pid):
            try:
                with open(stat, encoding="ascii", errors="replace") as f:
                    if f.read().rpartition(")")[2].split()[0] == "R":
                        return True
            except OSError:
                pass  # a thread that ended
        return False


class Trainer:
    """What holds for each of them; the subclasses name the framework."""

    framework = ""

    @classmethod
    def setUpClass(cls):
        if importlib.util.find_spec(cls.framework) is None:
            raise unittest.SkipTest("%s is not installed here" % cls.framework)

    def compared(self):
        """What compare_overlap finds: the part of a step that overlapping takes away."""
        overlapped, plain = compare_overlap.pair(types.SimpleNamespace(framework=self.framework, store=place.store, steps=STEPS, flags=FLAGS))
        return 1 - overlapped / plain

    def profiled(self, *flags):
        """The profile of a training while it goes on."""
        losses = os.path.join(place.folder, "losses")
        command = [sys.executable, os.path.join(PACKAGE, "examples", "train_%s.py" % self.framework), "--store", place.store, "--steps", "1000000",
                   "--record", "none", "--losses", losses, *FLAGS, *flags]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as trainer:
            try:
                self.assertTrue(until(400, lambda: os.path.exists(losses) and os.path.getsize(losses) > 0 or trainer.poll() is not None))
                done = subprocess.run([PROGRAM, "profile", "--attach", place.store, "--num-steps", str(STEPS), "--json", "-q"], stdout=subprocess.PIPE, check=True)
            finally:
                trainer.kill()
        os.remove(losses)
        found = json.loads(done.stdout)
        self.assertEqual((found["attached"]["trainer"], found["attached"]["marked"]), (trainer.pid, True))
        self.assertAlmostEqual(sum(p["share"] for p in found["phases"]), 1, delta=0.02)
        return found

    @staticmethod
    def waits(found):
        """How long the trainer waited in a step, in ms: a share of it would depend on how fast the model is."""
        return sum(p["mean_ms"] for p in found["phases"] if p["phase"] in ("load", "transfer"))

    @staticmethod
    def late(found):
        """What findings say that batches which come in time would bring, in ms of a step."""
        gains = [f["gain"] for f in found["findings"] if f["rule"] in ("ring-small", "no-overlap", "load-share", "transfer-share", "bound") and f["gain"]]
        return max(gains, default=0) * sum(p["mean_ms"] for p in found["phases"])

    def test_it_names_what_overlapping_brings(self):
        with Feeder():
            sound = self.profiled("--no-overlap")
        # A busy machine makes steps long: the rest is some of them, and fewer than the AHEAD that hide it.
        with Feeder(rest=max(0.15, 4e-3 * sound["step"]["mean_ms"])):
            brings, plain, overlapped = self.compared(), self.profiled("--no-overlap"), self.profiled()
        told = "compare_overlap: %.2f of a step\n%s" % (brings, "\n".join(json.dumps({k: p[k] for k in ("phases", "step", "stages", "findings")}) for p in (plain, overlapped, sound)))
        self.assertGreater(brings, 0.4, told)
        first = plain["findings"][0]
        self.assertEqual((first["rule"], first["setting"], first["kind"], first["basis"]), ("ring-small", "--prefetch-buffer-size", "limit", "measured"), told)
        self.assertGreater(first["gain"], 0.4, told)
        for other in (overlapped, sound):  # there it has little or nothing to say
            self.assertLess(self.waits(other), self.waits(plain) / 2, told)
            self.assertLess(self.late(other), self.late(plain) / 2, told)


class Torch(Trainer, unittest.TestCase):
    framework = "torch"


class TensorFlow(Trainer, unittest.TestCase):
    framework = "tensorflow"


if __name__ == "__main__":
    unittest.main()
