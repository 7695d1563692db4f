"""Datasets that Ray builds in parts, on two raylets, of which a worker and a node are killed in the middle."""

import os
import pathlib
import signal
import subprocess
import sys
import unittest
import warnings
from threading import Thread

from support import PACKAGE, PROGRAM, Place, dataset, said, until, unchanged, wide

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ray
        from ray.cluster_utils import Cluster
except ImportError:
    raise unittest.SkipTest("ray is not installed")

import voxpack.ray

place = Place()
SLOW = """#!/bin/sh
[ "$1" != build ] || echo "$PPID $*" >> %(folder)s/began
[ "$1" != build ] || [ -e %(folder)s/fast ] || sleep 3
exec %(program)s "$@"
"""


def setUpModule():
    place.begin()
    warnings.simplefilter("ignore")  # Ray's own
    slow = os.path.join(place.folder, "slow")
    pathlib.Path(slow).write_text(SLOW % {"folder": place.folder, "program": PROGRAM})
    os.chmod(slow, 0o755)
    os.environ.update(PYTHONPATH=PACKAGE, VOXPACK=slow, RAY_ENABLE_UV_RUN_RUNTIME_ENV="0")


def tearDownModule():
    os.environ["VOXPACK"] = PROGRAM
    place.end()


def began():
    """What the program was asked to build, with the process of the worker, as it began."""
    at = pathlib.Path(place.folder, "began")
    return [line.split() for line in at.read_text().splitlines()] if at.exists() else []


class TwoRaylets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        wide(os.path.join(place.folder, "data"))
        said(PROGRAM, "build", os.path.join(place.folder, "data"), "-o", os.path.join(place.folder, "one"), "-q")
        cls.root = dataset(os.path.join(place.folder, "one"))
        cls.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        cls.addClassCleanup(cls.cluster.shutdown)
        cls.nodes = [cls.cluster.add_node(num_cpus=2) for _ in range(2)]
        ray.init(address=cls.cluster.address, log_to_driver=False)
        cls.addClassCleanup(ray.shutdown)

    def build(self, **kw):
        return voxpack.ray.build(os.path.join(place.folder, "data"), os.path.join(place.folder, self._testMethodName), work=os.path.join(place.folder, self._testMethodName + ".parts"), **kw)

    def test_a_worker_and_a_raylet_are_killed(self):
        pathlib.Path(place.folder, "began").unlink(missing_ok=True)
        told, ended = [], []
        t = Thread(target=lambda: ended.append(self.build(parts=6, cpus=1, progress=lambda *how: told.append(how))))
        t.start()
        self.assertTrue(until(400, lambda: len(began()) >= 4))
        os.kill(int(began()[0][0]), signal.SIGKILL)
        killed = began()[0][began()[0].index("--part") + 1]
        self.assertTrue(until(400, lambda: sum(killed in words for words in began()) == 2), "the part of the killed worker is built again")
        self.cluster.remove_node(self.nodes[1], allow_graceful=False)
        t.join(120)
        self.assertEqual([r["dataset"] for r in ended], [self.root])
        self.assertEqual(told[-1], (6, 6))
        self.assertGreater(len(began()), 6)
        unchanged(self, os.path.join(place.folder, "data"), os.path.join(place.folder, self._testMethodName))

    def test_the_command(self):
        """On the node that is left; what is there already is not built again."""
        pathlib.Path(place.folder, "fast").touch()
        self.build(parts=3, cpus=1)
        command = [sys.executable, "-W", "ignore", "-m", "voxpack", "ray", os.path.join(place.folder, "data"), "-o", os.path.join(place.folder, "by command"), "--parts", "3",
                   "--work", os.path.join(place.folder, self._testMethodName + ".parts"), "--cpus", "1", "--address", self.cluster.address]
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=place.folder)
        self.assertEqual(p.returncode, 0, p.stderr)
        self.assertEqual(p.stdout, "rows     160 kept, 0 rejected\ndataset  %s\nstore    %s\n" % (self.root[:12], os.path.join(place.folder, "by command")))
        self.assertIn("3 of 3 parts\n", p.stderr)
        self.assertEqual(dataset(os.path.join(place.folder, "by command")), self.root)

    def test_more_cores_than_a_node_has(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaisesRegex(UserWarning, "cpus=3, but no node of the cluster has more than 2 cores"):
                self.build(cpus=3)

    def test_what_cannot_be_built_is_said_once(self):
        """A mistake is not tried again, and the error has the words of the program."""
        with self.assertRaisesRegex(voxpack.ray.BuildError, "no dataset here") as e:
            voxpack.ray.build(os.path.join(place.folder, "nothing"), work=os.path.join(place.folder, "none.parts"), cpus=1)
        self.assertEqual(e.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
