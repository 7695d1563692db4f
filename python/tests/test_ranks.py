"""Where a process gets its rank from, and that all ranks together see each row once."""

import os
import sys
import types
import unittest
from unittest import mock

from support import Place
from voxpack import Dataset, FeederError, ranks

place = Place()
SOURCES = ("RANK", "WORLD_SIZE", "TF_CONFIG", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS")


def setUpModule():
    place.begin()


def tearDownModule():
    place.end()


def told(**environ):
    """The environment with these sources alone, and without frameworks that have begun."""
    clean = {key: value for key, value in os.environ.items() if key not in SOURCES}
    return mock.patch.dict(os.environ, {**clean, **environ}, clear=True)


def begun(torch=None, jax=None):
    """Frameworks as they are after their initialisation, by rank and world."""
    spread = types.SimpleNamespace(is_available=lambda: True, is_initialized=lambda: torch is not None,
                                   get_rank=lambda: torch[0], get_world_size=lambda: torch[1])
    modules = {"torch": types.SimpleNamespace(distributed=spread),
               "jax": types.SimpleNamespace(distributed=types.SimpleNamespace(is_initialized=lambda: jax is not None),
                                            process_index=lambda: jax[0], process_count=lambda: jax[1])}
    return mock.patch.dict(sys.modules, modules)


TORCHRUN = dict(RANK="5", WORLD_SIZE="8")
SLURM = dict(SLURM_PROCID="1", SLURM_STEP_NUM_TASKS="2")
CLUSTER = '{"cluster": {"chief": ["a:1"], "worker": ["b:1", "c:1"], "ps": ["d:1"]}, "task": {"type": "%s", "index": %s}}'


class Sources(unittest.TestCase):
    def test_who_has_the_last_word(self):
        for name, environ, frameworks, given, want in (
            ("nobody", {}, {}, (None, None), {}),
            ("a rank alone", dict(RANK="1"), {}, (None, None), {}),
            ("torchrun", TORCHRUN, {}, (None, None), dict(rank=5, world=8)),
            ("Open MPI", dict(OMPI_COMM_WORLD_RANK="1", OMPI_COMM_WORLD_SIZE="3"), {}, (None, None), dict(rank=1, world=3)),
            ("MPICH", dict(PMI_RANK="2", PMI_SIZE="3"), {}, (None, None), dict(rank=2, world=3)),
            ("srun", SLURM, {}, (None, None), dict(rank=1, world=2)),
            ("the script of a batch job, which is one process", dict(SLURM_PROCID="0", SLURM_NTASKS="4"), {}, (None, None), {}),
            ("TensorFlow's chief", dict(TF_CONFIG=CLUSTER % ("chief", 0)), {}, (None, None), dict(rank=0, world=3)),
            ("TensorFlow's second worker", dict(TF_CONFIG=CLUSTER % ("worker", '"1"')), {}, (None, None), dict(rank=2, world=3)),
            ("TensorFlow's evaluator, which has all rows", dict(TF_CONFIG=CLUSTER % ("evaluator", 0)), {}, (None, None), dict(rank=0, world=1)),
            ("TensorFlow alone", dict(TF_CONFIG="{}"), {}, (None, None), dict(rank=0, world=1)),
            ("torch.distributed before torchrun", TORCHRUN, dict(torch=(1, 2)), (None, None), dict(rank=1, world=2)),
            ("JAX before Slurm", SLURM, dict(jax=(3, 4)), (None, None), dict(rank=3, world=4)),
            ("both, of one mind", {}, dict(torch=(1, 2), jax=(1, 2)), (None, None), dict(rank=1, world=2)),
            ("arguments before all", TORCHRUN, dict(torch=(1, 2)), (0, 1), dict(rank=0, world=1)),
            ("mpirun in a job, whose daemons srun started", {"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4", **SLURM, "SLURM_STEP_NUM_TASKS": "3"}, {}, (None, None), dict(rank=3, world=4)),
            ("torchrun on each node that srun started", {**TORCHRUN, **SLURM}, {}, (None, None), dict(rank=5, world=8)),
        ):
            with self.subTest(name), told(**environ), begun(**frameworks):
                self.assertEqual(ranks.part(*given), want)

    def test_what_is_not_clear_is_refused(self):
        for environ, frameworks, given, word in (
            ({}, dict(torch=(1, 2), jax=(0, 2)), (None, None), "not clear: torch.distributed: rank 1 of 2; jax.distributed: rank 0 of 2. Give"),
            ({**TORCHRUN, **dict(SLURM, SLURM_STEP_NUM_TASKS="3")}, {}, (None, None), r"not clear: torchrun \(RANK, WORLD_SIZE\): rank 5 of 8; Slurm .*: rank 1 of 3"),
            (dict(RANK="2", WORLD_SIZE="2"), {}, (None, None), "torchrun .*: rank 2 of 2 does not exist"),
            (dict(RANK="two", WORLD_SIZE="2"), {}, (None, None), "RANK=two in the environment: want a whole number, 0 or more"),
            (dict(RANK="0", WORLD_SIZE="0"), {}, (None, None), "WORLD_SIZE=0 in the environment: want a whole number, 1 or more"),
            (dict(TF_CONFIG="[]"), {}, (None, None), "TF_CONFIG=.*: want a JSON object"),
            (dict(TF_CONFIG='{"task": {"index": "x"}}'), {}, (None, None), "TF_CONFIG=.*: want a JSON object"),
            ({}, {}, (1, None), "rank=1, world=None: give both or neither"),
            ({}, {}, (None, 2), "rank=None, world=2: give both or neither"),
        ):
            with self.subTest(word), told(**environ), begun(**frameworks), self.assertRaisesRegex(FeederError, word):
                ranks.part(*given)


class Rows(unittest.TestCase):
    def test_a_rank_that_becomes_known_later(self):
        """Who asked for the length before init_process_group trained on all rows on each rank."""
        with told(), begun(), Dataset(place.store, batch_size=2, seed=1, epochs=1) as ds:
            want = [b.ids for b in ds]
        for rank in range(2):
            with told(), Dataset(place.store, batch_size=2, seed=1, epochs=1) as ds:
                with begun():
                    self.assertEqual(len(ds), 5)
                with begun(torch=(rank, 2)):
                    self.assertEqual([b.ids for b in ds], [ids[rank : rank + 1] for ids in want])

    def test_a_resume_with_three(self):
        """Two ranks see the selection, each row once, also where three see what they left."""
        wanted = dict(batch_size=6, seed=1, epochs=1, tail="pad")
        for done in range(3):
            seen, states = [], []
            for rank in range(2):
                with Dataset(place.store, rank=rank, world=2, **wanted) as ds:
                    seen += [i for _, b in zip(range(done), ds) for i in b.ids]
                    states.append(ds.state_dict())
            self.assertEqual(states[0], states[1])
            for rank in range(3):
                with Dataset(place.store, rank=rank, world=3, **wanted) as ds:
                    ds.load_state_dict(states[0])
                    if done == 2:
                        continue  # what follows is another epoch
                    seen += [i for b in ds for i in b.ids]
            self.assertEqual(sorted(seen), ["en-%04d" % i for i in range(1, 11)], done)


if __name__ == "__main__":
    unittest.main()
