"""Feeder and consumer without what Linux alone has, as they are on macOS: no futexes, no memory files, no seals."""

import json
import os
import shutil
import signal
import subprocess
import unittest
from unittest import mock

from support import PACKAGE, Place, feeder_of, until
from voxpack import Dataset, FeederDied, shared, wire

place = Place()


def setUpModule():
    global program
    if shutil.which("go") is None:
        raise unittest.SkipTest("no Go: the program for other systems is not built")
    place.begin()
    program = os.path.join(place.folder, "portable")
    subprocess.run(["go", "build", "-trimpath", "-tags", "portable", "-o", program, "./cmd/voxpack"], cwd=os.path.join(PACKAGE, ".."),
                   env=dict(os.environ, CGO_ENABLED="0"), check=True)


def tearDownModule():
    place.end()


@mock.patch.multiple(shared, _FUTEX=None, _POPULATE=0)
class Portable(unittest.TestCase):
    def data(self, **wanted):
        return Dataset(place.store, socket=os.path.join(place.folder, "p.sock"), program=program, **{**dict(batch_size=2, seed=1, ahead=1), **wanted})

    def test_batches_are_those_of_linux(self):
        """Two batches ahead of a slow feeder, and waited for by it; a state goes on."""
        with mock.patch.multiple(shared, _FUTEX=202, _POPULATE=0x8000), Dataset(place.store, batch_size=2, seed=1) as ds:
            want = [(b.epoch, b.ids, b.mel.tobytes()) for _ in range(20) for b in ds]
        with self.data() as ds:
            with open("/proc/%d/maps" % feeder_of(ds), encoding="ascii") as f:
                self.assertNotIn("memfd:", f.read())
            self.assertEqual([(b.epoch, b.ids, b.mel.tobytes()) for _ in range(10) for b in ds], want[:50])
            state = json.loads(json.dumps(ds.state_dict()))
        with self.data() as ds:
            ds.load_state_dict(state)
            self.assertEqual([(b.epoch, b.ids, b.mel.tobytes()) for _ in range(10) for b in ds], want[50:])

    def test_whose_feeder_dies(self):
        with self.data() as ds:
            loop = iter(ds)
            next(loop)
            os.kill(feeder_of(ds), signal.SIGKILL)
            self.assertTrue(until(10, lambda: wire.ended(ds._stream.socket)))
            with self.assertRaises(FeederDied):
                for _ in range(9):
                    next(loop)

    def test_nothing_is_left_of_who_was_killed(self):
        """The feeder frees its memory, which has no name in any folder."""
        before = set(os.listdir(os.environ.get("TMPDIR", "/tmp")))
        code = "import sys, time; from voxpack import Dataset, shared; shared._FUTEX = None\n" \
               "ds = Dataset(sys.argv[1], socket=sys.argv[2], batch_size=2); b = next(iter(ds)); print(1, flush=True); time.sleep(600)"
        with self.data() as ds:
            feeder = feeder_of(ds)
            child = place.run(code, os.path.join(place.folder, "p.sock"))
            child.stdout.readline()

            def mapped():
                with open("/proc/%d/maps" % feeder, encoding="ascii") as f:
                    return sum("voxpack-ring" in line for line in f)
            self.assertEqual(mapped(), 1)
            child.kill()
            child.communicate()
            self.assertTrue(until(10, lambda: mapped() == 0))
        self.assertEqual([name for name in set(os.listdir(os.environ.get("TMPDIR", "/tmp"))) - before if name.startswith("voxpack-")], [])


if __name__ == "__main__":
    unittest.main()
