"""Loaders that accelerate prepares, with two real ranks: every row of an epoch once, or a refusal before the first step."""

import importlib.util
import json
import socket
import unittest

from support import Place
from voxpack import Dataset, FeederError

place = Place()


def setUpModule():
    place.begin()


def tearDownModule():
    place.end()


RANK = """
import json, os, sys, warnings
warnings.simplefilter("ignore")
store, rank, port = sys.argv[1:]
os.environ.update(RANK=rank, LOCAL_RANK=rank, WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT=port, ACCELERATE_USE_CPU="true")
from accelerate import Accelerator
from torch.utils.data import DataLoader
from voxpack import Dataset, FeederError
accelerator = Accelerator(cpu=True)
assert accelerator.num_processes == 2, accelerator.num_processes
told, wanted = {}, dict(batch_size=4, seed=1, epochs=1, tail="pad")
with Dataset(store, **wanted) as ds:
    told["itself"] = [i for b in ds.torch(device=accelerator.device) for i in b.ids]
with Dataset(store, rank=0, world=1, **wanted) as ds:
    told["everything"] = [int(n) for batch in accelerator.prepare(DataLoader(ds.torch(), batch_size=None)) for n, row in zip(batch["text_len"], batch["valid"]) if row]
with Dataset(store, **wanted) as ds:
    try:
        for batch in accelerator.prepare(DataLoader(ds.torch(), batch_size=None)):
            told["prepared"] = "a step"
    except FeederError as e:
        told["prepared"] = str(e)
print(json.dumps(told))
"""


@unittest.skipIf(importlib.util.find_spec("accelerate") is None, "accelerate is not installed")
class Ranks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = str(s.getsockname()[1])
        cls.told = []
        for child in [place.run(RANK, str(r), port) for r in range(2)]:
            out, said = child.communicate(timeout=120)
            if child.returncode != 0:
                raise AssertionError(said)
            cls.told.append(json.loads(out.strip().splitlines()[-1]))

    def both(self, way):
        return self.told[0][way], self.told[1][way]

    def test_a_rank_has_its_part_by_itself(self):
        first, second = self.both("itself")
        self.assertEqual(sorted(first + second), ["en-%04d" % i for i in range(1, 11)])

    def test_a_loader_that_would_be_dispatched_is_refused(self):
        """It read rank 0's half alone: 16 of 32 rows were seen by some rank, and no word was said."""
        for said in self.both("prepared"):
            self.assertRegex(said, "accelerate's prepare.* dispatches this loader.*1 of 2 ranks.*loop over ds.torch")

    def test_a_rank_that_would_be_sharded_again_is_refused(self):
        """With dispatch_batches=False every rank left out the half of its own part, and no word was said."""
        from accelerate.data_loader import IterableDatasetShard
        for world, want in ((2, None), (1, [0, 2, 4])):
            with Dataset(place.store, batch_size=2 * world, seed=1, epochs=1, tail="pad", rank=0, world=world) as ds:
                loop = iter(IterableDatasetShard(ds.torch(), batch_size=1, num_processes=2, process_index=0))
                if want is None:
                    with self.assertRaisesRegex(FeederError, "accelerate's prepare.* shards this loader.*1 of 2 of its own.*loop over ds.torch"):
                        next(loop)
                else:
                    self.assertEqual([b.seq for b in loop], want)

    def test_one_that_has_everything_may_be_dispatched(self):
        with Dataset(place.store, batch_size=4, seed=1, epochs=1, tail="pad") as ds:
            want = sorted(int(n) for b in ds for n in b.text_len[: len(b.ids)])
        first, second = self.both("everything")
        self.assertEqual(sorted(first + second), want)


if __name__ == "__main__":
    unittest.main()
