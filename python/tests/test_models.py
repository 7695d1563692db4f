"""The programs of python/examples/columns with the models themselves, where their packages are installed: make trainers installs them."""

import importlib.util
import os
import re
import subprocess
import sys
import unittest

import numpy as np

from support import PACKAGE, PROGRAM, Place
from voxpack import Dataset

EXAMPLES = os.path.join(PACKAGE, "examples", "columns")


class Models(unittest.TestCase):
    def columns(self, name, needed, change=lambda script: script, data=""):
        """A batch of all bundled clips with the column that a script's head asks for."""
        if importlib.util.find_spec(needed) is None:
            self.skipTest("%s is not installed" % needed)
        with open(os.path.join(EXAMPLES, name + ".py"), encoding="utf-8") as f:
            script = f.read()
        line = re.search(r"^(\w+): \{.*\}$", script, re.MULTILINE)
        place = Place()
        self.addCleanup(place.end)
        store = place.begin("en", "data:\n  max_mel_frames: 800\n")
        with open(os.path.join(store, name + ".py"), "w", encoding="utf-8") as f:
            f.write(change(script))
        with open(os.path.join(store, "voxpack.yaml"), "w", encoding="utf-8") as f:
            f.write("data:\n%s  columns:\n    %s\n" % (data, line.group().replace("python3", sys.executable)))
        env = dict(os.environ, PYTHONPATH=os.pathsep.join([PACKAGE, os.environ.get("PYTHONPATH", "")]), PYTHONWARNINGS="ignore")
        said = subprocess.run([PROGRAM, "build", store], check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, text=True).stdout
        self.assertRegex(said, r"(?m)^ran .*\b%s 10$" % line.group(1))
        ds = Dataset(store, batch_size=10, epochs=1)
        self.addCleanup(ds.close)
        return next(iter(ds))

    def test_speakers(self):
        """Of unit length, and not far from each other: one voice reads all clips."""
        got = self.columns("speaker_resemblyzer", "resemblyzer")["voice"]
        np.testing.assert_allclose(np.linalg.norm(got, axis=1), 1, atol=1e-3)
        self.assertGreater((got @ got.T).min(), 0.4)

    def test_opinions(self):
        got = self.columns("mos_dnsmos", "speechmos")["mos"]
        self.assertTrue(((got >= 1) & (got <= 5)).all(), got)
        self.assertGreater(got.std(), 0)

    def test_pitch(self):
        """It is the pitch that voxpack's own feature has, where both hear a voice."""
        b = self.columns("pitch_pyworld", "pyworld", data="  features: [f0]\n")
        both = (b.pitch > 0) & (b.f0 > 0)
        self.assertGreater(both.sum(), 500)
        self.assertLess(np.median(np.abs(b.pitch[both] / b.f0[both] - 1)), 0.05)

    def test_codes(self):
        """With weights by chance, which need no download: shapes and numbers are the codec's."""
        b = self.columns("codes_encodec", "encodec", lambda script: script.replace("pretrained=True", "pretrained=False"))
        steps = b["codes_len"]
        self.assertTrue((np.abs(steps - b.mel_len * 256 / 22050 * 75) < 2).all(), steps)
        self.assertEqual((b["codes"].shape, b["codes"].min()), ((10, 750, 8), 0))
        self.assertLess(b["codes"].max(), 1024)


if __name__ == "__main__":
    unittest.main()
