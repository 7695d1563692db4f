"""Datasets that a cluster builds in parts: by ``voxpack launch slurm`` on two nodes of Slurm, tasks of which are cancelled."""

import os
import pathlib
import re
import unittest

from slurm import Nodes
from support import PROGRAM, Place, dataset, said, unchanged, until, wide

place = Place()


def setUpModule():
    place.begin()


def tearDownModule():
    place.end()


class Slurm(Nodes, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.begin(place.folder, 2)

    def setUp(self):
        self.at = lambda name: os.path.join(place.folder, self._testMethodName, name)
        os.mkdir(self.at(""))
        wide(self.at("data set"))
        said(PROGRAM, "build", self.at("data set"), "-o", self.at("one"), "-q")
        self.root = dataset(self.at("one"))
        self.slow = self.at("slow")  # a program whose parts take long enough to be cancelled
        pathlib.Path(self.slow).write_text('#!/bin/sh\n[ "$1" != build ] || echo $SLURMD_NODENAME >> nodes\n[ "$1" != build ] || sleep 2\nexec %s "$@"\n' % PROGRAM)
        os.chmod(self.slow, 0o755)

    def launch(self, *flags):
        """Submits, and gives the jobs of the parts and of the join; of parts None where none was missing."""
        out = said(PROGRAM, "launch", "slurm", self.at("data set"), "--submit", *flags)
        parts, join = re.search(r"parts: job (\d+)", out), re.search(r"join: job (\d+)", out)
        return parts and parts.group(1), join.group(1)

    def logs(self):
        folder = pathlib.Path(self.at("data set.parts"), "logs")
        return "".join("%s: %s" % (f.name, f.read_text()) for f in folder.iterdir()) if folder.exists() else ""

    def ended(self, *jobs):
        gone = lambda: not said("squeue", "-h", "-j", ",".join(jobs)) if said("squeue", "-h", "-t", "all", "-j", ",".join(jobs)) else True
        self.assertTrue(until(60, gone), self.logs() + said("squeue"))

    def joined(self):
        """The store is that of one build, and the next build has nothing to do and hashes nothing."""
        self.assertEqual(dataset(self.at("data set")), self.root, self.logs())
        unchanged(self, self.at("data set"), self.at("data set/.voxpack"))

    def test_an_array_and_its_join(self):
        parts, join = self.launch("--parts", "5")
        self.ended(parts, join)
        self.joined()
        again, join = self.launch("--parts", "5")
        self.assertIsNone(again, "all parts are there")
        self.ended(join)
        self.joined()

    def test_a_cancelled_task_is_what_the_next_launch_does(self):
        flags = ("--parts", "4", "--program", self.slow, "--", "--exclusive")  # two parts at a time, one a node
        parts, join = self.launch(*flags)
        running = lambda: "%s_1 RUNNING" % parts in said("squeue", "-h", "-r", "-j", parts, "-o", "%i %T")
        self.assertTrue(until(60, running), said("squeue"))
        said("scancel", parts + "_1")
        self.ended(parts, join)
        self.assertFalse(os.path.exists(self.at("data set/.voxpack")), "the join was cancelled with it")
        script = said(PROGRAM, "launch", "slurm", self.at("data set"), *flags)
        self.assertIn("--array 1 ", script)
        parts, join = self.launch(*flags)
        self.ended(parts, join)
        self.joined()
        self.assertEqual(set(pathlib.Path(self.at("data set.parts"), "nodes").read_text().split()), {"n1", "n2"})


if __name__ == "__main__":
    unittest.main()
