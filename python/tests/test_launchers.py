"""The ranks that launchers really give, and that they see each row once. Which are not installed is left out."""

import importlib.util
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import unittest

from slurm import Nodes, program
from support import PACKAGE, Place
from voxpack import Dataset

place = Place()
WANTED = dict(batch_size=12, seed=1, tail="pad")
RANK = """
import json, os, sys
if len(sys.argv) > 3:
    import jax
    jax.distributed.initialize(sys.argv[3], 2, int(sys.argv[4]))
from voxpack import Dataset
with Dataset(sys.argv[1], batch_size=12, seed=1, tail="pad") as ds:
    seen = [b.ids for _ in range(2) for b in ds]
    json.dump([ds._part, seen], open(sys.argv[2] + "%d" % os.getpid(), "w"))
"""


def setUpModule():
    place.begin()
    pathlib.Path(place.folder, "rank.py").write_text(RANK)


def tearDownModule():
    place.end()


class Launcher(unittest.TestCase):
    def seen(self, ranks, *command):
        """The batches over all ranks of a launcher's command, to which the script is added; with ranks 0 it is one that knows of none."""
        out = os.path.join(place.folder, "out")
        shutil.rmtree(out, ignore_errors=True)
        os.mkdir(out)
        env = dict(os.environ, PYTHONPATH=PACKAGE, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        p = subprocess.run([*command, os.path.join(place.folder, "rank.py"), place.store, out + "/"], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, timeout=240)
        self.assertEqual(p.returncode, 0, p.stdout)
        told = sorted((json.loads(pathlib.Path(out, name).read_text()) for name in os.listdir(out)), key=lambda one: one[0].get("rank", 0))
        self.assertEqual([part for part, _ in told], [dict(rank=r, world=ranks) for r in range(ranks)] or [{}], p.stdout)
        with Dataset(place.store, epochs=2, **WANTED) as ds:
            want = [b.ids for _ in range(2) for b in ds]
        self.assertEqual([sum(parts, []) for parts in zip(*(seen for _, seen in told))], want)

    def python(self, module):
        """A launcher that is a module."""
        if importlib.util.find_spec(module.partition(".")[0]) is None:
            self.skipTest("%s is not installed" % module)
        return sys.executable, "-W", "ignore", "-m", module

    def program(self, name):
        path = program(name)
        if path is None:
            self.skipTest("there is no %s" % name)
        return path


class Machine(Launcher):
    """On one machine."""

    def test_torchrun(self):
        self.seen(3, *self.python("torch.distributed.run"), "--nproc-per-node", "3")

    def test_torchrun_on_two_nodes(self):
        ports = ["--nnodes", "2", "--nproc-per-node", "2", "--master-port", "29577"]
        run = [*self.python("torch.distributed.run"), *ports]
        self.seen(4, "sh", "-c", 'for n in 0 1; do %s --node-rank $n "$@" & pids="$pids $!"; done; for p in $pids; do wait $p || exit 1; done' % " ".join(run), "sh")

    def test_accelerate_by_mpirun(self):
        """Which is how it starts ranks on processors."""
        self.program("mpirun.openmpi")
        hosts = pathlib.Path(place.folder, "hosts")
        hosts.write_text("localhost slots=2\n")
        self.seen(2, *self.python("accelerate.commands.launch"), "--cpu", "--num_processes", "2", "--mpirun_hostfile", str(hosts))

    def test_jax(self):
        """Which has no launcher of its own: each process says who it is."""
        self.python("jax")
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            at = "127.0.0.1:%d" % s.getsockname()[1]
        both = 'JAX_PLATFORMS=cpu %s "$@" %s %d & pids="$pids $!";'
        self.seen(2, "sh", "-c", "".join(both % (sys.executable, at, n) for n in (0, 1)) + " for p in $pids; do wait $p || exit 1; done", "sh")

    def test_deepspeed(self):
        self.seen(2, *self.python("deepspeed.launcher.runner"), "--num_gpus", "2", "--no_local_rank")

    def test_open_mpi(self):
        self.seen(3, self.program("mpirun.openmpi"), "--oversubscribe", "-n", "3", sys.executable)

    def test_mpich(self):
        self.seen(3, self.program("mpirun.mpich"), "-n", "3", sys.executable)


class Slurm(Nodes, Launcher):
    """Three nodes of Slurm, which are daemons on this machine."""

    @classmethod
    def setUpClass(cls):
        cls.begin(place.folder, 3)

    def batch(self, nodes, tasks, *command):
        """A launcher: the job of this command, whose words come back."""
        script, said = pathlib.Path(place.folder, "job.sh"), os.path.join(place.folder, "job.said")
        script.write_text('#!/bin/sh\nexec %s "$@"\n' % " ".join(command))
        job = 'sbatch -W -N %d -n %d -o %s %s "$@"; ended=$?; cat %s; exit $ended' % (nodes, tasks, said, script, said)
        return ["sh", "-c", job, "sh"]

    def test_srun(self):
        self.seen(3, "srun", "-N", "3", "-n", "3", sys.executable)

    def test_srun_of_uneven_nodes(self):
        self.seen(4, "srun", "-N", "3", "-n", "4", sys.executable)

    def test_torchrun_on_each_node(self):
        run = " ".join(self.python("torch.distributed.run"))
        self.seen(4, "srun", "-N", "2", "-n", "2", "sh", "-c", run + ' --nnodes 2 --nproc-per-node 2 --node-rank $SLURM_PROCID --master-port 29578 "$@"', "sh")

    def test_a_batch_script_is_one_process(self):
        self.seen(0, *self.batch(2, 4, sys.executable))

    def test_srun_with_mpis_own_numbers(self):
        self.seen(3, "srun", "--mpi=pmi2", "-N", "3", "-n", "3", sys.executable)

    def test_open_mpi_in_a_job(self):
        """Whose daemons srun starts, one on each node: 4 ranks were refused on 3 nodes, as no multiple of these."""
        self.seen(4, *self.batch(3, 4, self.program("mpirun.openmpi"), "-n", "4", sys.executable))

    def test_mpich_in_a_job(self):
        self.seen(4, *self.batch(3, 4, self.program("mpirun.mpich"), "-n", "4", sys.executable))


if __name__ == "__main__":
    unittest.main()
