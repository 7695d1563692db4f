"""The example trainers as people start them, on the processor: VOXPACK names the program."""

import glob
import importlib.util
import json
import os
import signal
import subprocess
import sys
import unittest

from support import PACKAGE, PROGRAM, Place, feeder_of, until
from voxpack import Dataset

STEPS, EVERY = 100, 10
ALL = os.environ.get("VOXPACK_TRAINERS") == "compiled"  # every run of torch is compiled too: 15 s of a core more for each

place = Place()
store = None


def setUpModule():
    global store
    store = place.begin()
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(place.folder, "inductor")  # one test compiles, the others take what it made


def tearDownModule():
    del os.environ["TORCHINDUCTOR_CACHE_DIR"]
    place.end()


def start(framework, *flags, json_to=subprocess.DEVNULL):
    env = dict(os.environ, PYTHONPATH=PACKAGE)
    script = os.path.join(PACKAGE, "examples", "train_%s.py" % framework)
    return subprocess.Popen([sys.executable, script, "--store", store, "--device", "cpu", "--json", *flags], env=env,
                            stdout=json_to, stderr=subprocess.PIPE, text=True)


def lines(path):
    """How many losses a file has."""
    try:
        with open(path, "rb") as f:
            return f.read().count(b"\n")
    except FileNotFoundError:
        return 0


def content(path):
    with open(path, encoding="ascii") as f:
        return f.read().splitlines()


def records(kind):
    return sorted(glob.glob(os.path.join(store, ".voxpack", "runs", "*Z-%s-*.json" % kind)))


class Trainer:
    """What holds for each of them; the subclasses name the framework."""

    framework = ""
    plain = []  # flags of the runs that are compared with each other

    @classmethod
    def setUpClass(cls):
        if importlib.util.find_spec(cls.framework) is None:
            raise unittest.SkipTest("%s is not installed here" % cls.framework)
        cls.curve = os.path.join(place.folder, cls.framework + ".whole")
        before = set(records("train"))
        cls.report, cls.said = cls.done("--steps", str(STEPS), "--deterministic", "--losses", cls.curve)
        cls.record = [r for r in records("train") if r not in before]
        cls.whole = cls.curve
        if cls.plain:
            cls.whole = cls.curve + ".plain"
            cls.done("--steps", str(STEPS), "--deterministic", "--losses", cls.whole, *cls.plain)

    @classmethod
    def done(cls, *flags):
        """The report of a run, and what it said besides."""
        p = start(cls.framework, *flags, json_to=subprocess.PIPE)
        out, said = p.communicate(timeout=400)
        if p.returncode != 0:
            raise AssertionError("%s ended with %d: %s" % (flags, p.returncode, said[-2000:]))
        return json.loads(out), said

    def test_loss_halves(self):
        losses = [float(x) for x in content(self.curve)]
        self.assertEqual(len(losses), STEPS)
        tenth = STEPS // 10
        self.assertLess(sum(losses[-tenth:]), 0.5 * sum(losses[:tenth]))
        self.assertAlmostEqual(self.report["loss"]["last"], sum(losses[-tenth:]) / tenth)

    def test_one_compilation(self):
        if self.report["compilations"] is None:
            self.assertIn("the step is not compiled: ", self.said)
            self.skipTest(self.said)
        self.assertEqual(self.report["compilations"], 1)

    def test_monitor(self):
        for number in (50, 100):
            self.assertRegex(self.said, r"step %d of 100: loss [\d.]+, mean [\d.]+ ms, std [\d.]+, min [\d.]+, max [\d.]+, [\d.]+ steps/s, variation \d+ %%" % number)
        self.assertEqual(self.report["step"]["variation"] > 30, any("steps vary by" in w for w in self.report["warnings"]))

    def test_interrupted_curve_is_the_whole_one(self):
        curve, kept = (os.path.join(place.folder, self.framework + "." + name) for name in ("cut", "checkpoint"))
        flags = ["--steps", str(STEPS), "--deterministic", "--losses", curve, "--checkpoint", kept, "--checkpoint-every", str(EVERY), *self.plain]
        p = start(self.framework, *flags)
        try:
            self.assertTrue(until(400, lambda: lines(curve) > 2 * EVERY + 3 or p.poll() is not None))
        finally:
            p.send_signal(signal.SIGKILL)
            p.communicate()
        self.assertEqual(p.returncode, -signal.SIGKILL)
        cut = content(curve)
        self.assertLess(len(cut), STEPS)
        self.assertEqual(cut, content(self.whole)[: len(cut)])
        report, _ = self.done("--resume", *flags)
        self.assertGreaterEqual(report["resumed_at"], 2 * EVERY)
        self.assertEqual(report["resumed_at"] % EVERY, 0)
        self.assertEqual(report["batches"], STEPS - report["resumed_at"])
        self.assertEqual(content(curve), content(self.whole))
        self.assertEqual(report["cursor"], self.report["cursor"])
        self.assertEqual(glob.glob(kept + ".*"), [])

    def test_without_overlap_the_losses_are_the_same(self):
        curve = os.path.join(place.folder, self.framework + ".sync")
        report, _ = self.done("--steps", "40", "--deterministic", "--no-overlap", "--losses", curve, *self.plain)
        self.assertEqual(content(curve), content(self.whole)[:40])
        self.assertEqual((self.report["ring"]["depth"], report["ring"]["depth"]), (2, 1))

    def test_run_record_is_that_of_feed(self):
        subprocess.run([PROGRAM, "feed", store, "--batch-size", "2", "--epochs", "2", "--device", "host"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(records("feed")[-1], encoding="utf-8") as f:
            feed = json.load(f)
        self.assertEqual(len(self.record), 1)
        with open(self.record[0], encoding="utf-8") as f:
            mine = json.load(f)
        self.compare(feed, mine, "", {"settings", "advice", "cursor"})
        self.assertEqual((mine["format"], mine["kind"]), (feed["format"], "train"))
        self.assertEqual((mine["version"], mine["results"]["dataset"]), (feed["version"], feed["results"]["dataset"]))
        self.assertEqual((mine["results"]["batches"], mine["results"]["samples"], mine["results"]["epochs"]), (STEPS, 2 * STEPS, STEPS // 5))
        self.assertEqual(mine["settings"]["batch_size"], 2)
        self.assertNotIn(place.folder, json.dumps(mine))
        size = feed["stages"][-1]["bytes"] // feed["stages"][-1]["items"]
        self.assertEqual(mine["stages"][-1]["bytes"] // mine["stages"][-1]["items"], size)

    def compare(self, feed, mine, at, free):
        """Every key that feed's record has is here too, with a value of the same type."""
        self.assertEqual(type(mine) in (int, float), type(feed) in (int, float), at)
        if isinstance(feed, dict):
            self.assertEqual(set(feed) - set(mine), set(), at)
            for key in set(feed) - free:
                self.compare(feed[key], mine[key], at + "." + key, free)
        elif isinstance(feed, list) and feed and mine:
            self.compare(feed[-1], mine[-1], at + "[]", free)


class Torch(Trainer, unittest.TestCase):
    framework = "torch"
    plain = [] if ALL else ["--compile", "off"]

    def ended(self, do, *flags):
        """The exit code of an endless run, what it said, and its report, when something was done to it behind some steps."""
        curve = os.path.join(place.folder, "endless")
        p = start("torch", "--steps", "1000000", "--compile", "off", "--losses", curve, "--checkpoint-every", "1000000", *flags, json_to=subprocess.PIPE)
        try:
            before = lines(curve)
            self.assertTrue(until(200, lambda: lines(curve) > before + 5 or p.poll() is not None))
            do(p)
            out, said = p.communicate(timeout=100)
        finally:
            p.kill()
        return p.returncode, said, json.loads(out or "{}"), lines(curve)

    def test_stops_behind_a_step_and_outlives_its_feeder(self):
        kept = os.path.join(place.folder, "endless.checkpoint")
        code, said, report, _ = self.ended(lambda p: p.send_signal(signal.SIGTERM), "--checkpoint", kept)
        self.assertEqual((code, report["ended"]), (130, "interrupted"), said)
        at = report["steps"]

        def kill_feeder(_):
            with Dataset(store) as ds:
                os.kill(feeder_of(ds), signal.SIGKILL)

        code, said, report, losses = self.ended(kill_feeder, "--checkpoint", kept, "--resume")
        self.assertEqual((code, report["ended"], report["resumed_at"]), (1, "failed", at), said)
        self.assertRegex(said, "error: the feeder at .* is gone.*; go on with --resume")
        self.assertEqual(report["steps"], losses)
        report, _ = self.done("--compile", "off", "--checkpoint", kept, "--resume", "--steps", str(losses + 2))
        self.assertEqual((report["resumed_at"], report["batches"]), (losses, 2))
        with open(kept, "wb") as f:
            f.write(b"no checkpoint")
        p = start("torch", "--compile", "off", "--checkpoint", kept, "--resume")
        said = p.communicate(timeout=100)[1]
        self.assertEqual(p.returncode, 2, said)
        self.assertIn("is no checkpoint of this trainer and dataset", said)


class Tensorflow(Trainer, unittest.TestCase):
    framework = "tensorflow"


class Refusals(unittest.TestCase):
    def test_flags(self):
        framework = next((f for f in ("torch", "tensorflow") if importlib.util.find_spec(f)), None)
        if framework is None:
            self.skipTest("neither torch nor TensorFlow is installed here")
        sys.path.insert(0, os.path.join(PACKAGE, "examples"))
        try:
            import options
        finally:
            sys.path.pop(0)
        for flags, gpus, text in (
            (["--model-gpu", "1"], 1, "--model-gpu 1: there is no such GPU; there is GPU 0 alone"),
            (["--data-gpu", "0"], 0, "--data-gpu 0: there is no such GPU; none is visible"),
            (["--device", "gpu"], 0, "--device gpu: none is visible"),
        ):
            with self.assertRaisesRegex(ValueError, text):
                options.places(options.read(framework, ["--store", "x", *flags]), gpus)
        for flags, gpus, want in (([], 0, (None, None)), ([], 1, (0, 0)), ([], 2, (0, 1)), (["--data-gpu", "1", "--model-gpu", "0"], 4, (1, 0)), (["--device", "cpu"], 2, (None, None))):
            self.assertEqual(options.places(options.read(framework, ["--store", "x", *flags]), gpus), want)
        both = options.read(framework, ["--store", "x", "--data-gpu-memory", "100", "--model-gpu-memory", "900"])
        self.assertEqual(options.caps(both, options.places(both, 2)), {0: 100, 1: 900})
        self.assertEqual(options.caps(both, options.places(both, 1)), {0: 1000})
        p = start(framework, "--batch-size", "11", "--steps", "1", "--compile", "off")
        said = p.communicate(timeout=200)[1]
        self.assertEqual(p.returncode, 2, said)
        self.assertIn("a batch has 11 samples, the selection leaves 10 rows", said)


if __name__ == "__main__":
    unittest.main()
