"""Two real ranks on gloo, in each framework: every row of an epoch once, also where three ranks go on, or a refusal before the first step."""

import importlib.util
import json
import socket
import unittest

from support import Place
from voxpack import Dataset, FeederError

place = Place()
ALL = ["en-%04d" % i for i in range(1, 11)]
WANTED = dict(batch_size=6, seed=1, tail="pad")


def setUpModule():
    place.begin()


def tearDownModule():
    place.end()


RANK = """
import json, os, sys, warnings
warnings.simplefilter("ignore")
store, frameworks, world, rank, port, state = sys.argv[1:]
os.environ.update(RANK=rank, LOCAL_RANK=rank, WORLD_SIZE=world, LOCAL_WORLD_SIZE=world, MASTER_ADDR="127.0.0.1", MASTER_PORT=port,
                  TORCHELASTIC_RUN_ID="1", ACCELERATE_USE_CPU="true", TQDM_DISABLE="1")
import torch
from torch.utils.data import DataLoader
from voxpack import Dataset, FeederError
torch.set_num_threads(1)
torch.distributed.init_process_group("gloo")
wanted, told = dict(batch_size=6, seed=1, tail="pad"), {}

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(80, 80)

    def forward(self, mel, **_):
        return {"loss": (self.linear(mel) - mel).abs().mean()}

def ids(ds):
    return ds._course.last[-1].ids()

def ddp():
    model = torch.nn.parallel.DistributedDataParallel(Model())
    with Dataset(store, **wanted) as ds:
        if state:
            ds.load_state_dict(json.loads(state))
        seen = []
        for batch in ds.torch():
            model(batch.mel)["loss"].backward()
            seen.append(batch.ids)
            if not state and len(seen) == 1:
                told["state"] = ds.state_dict()
        return seen

def accelerate():
    from accelerate import Accelerator
    accelerator = Accelerator(cpu=True)
    assert accelerator.num_processes == 2, accelerator.num_processes
    model, seen = accelerator.prepare(Model()), []
    with Dataset(store, **wanted) as ds:
        for batch in ds.torch(device=accelerator.device):
            accelerator.backward(model(**batch)["loss"])
            seen.append(batch.ids)
    with Dataset(store, rank=0, world=1, **wanted) as ds:
        told["everything"] = [int(n) for batch in accelerator.prepare(DataLoader(ds.torch(), batch_size=None)) for n, row in zip(batch["text_len"], batch["valid"]) if row]
    with Dataset(store, **wanted) as ds:
        try:
            for batch in accelerator.prepare(DataLoader(ds.torch(), batch_size=None)):
                told["prepared"] = "a step"
        except FeederError as e:
            told["prepared"] = str(e)
    return seen

def transformers():
    from transformers import Trainer, TrainingArguments
    with Dataset(store, **wanted) as ds:
        seen = []

        class Seeing(Model):
            def forward(self, mel, **_):
                seen.append(ids(ds))
                return super().forward(mel)

        class Ours(Trainer):
            def get_train_dataloader(self):
                return DataLoader(self.train_dataset, batch_size=None)

        arguments = TrainingArguments(os.path.join(os.path.dirname(store), "out"), num_train_epochs=2, use_cpu=True, report_to=[], save_strategy="no", disable_tqdm=True)
        Ours(Seeing(), arguments, train_dataset=ds.torch()).train()
        assert len(seen) == 4, seen
        told["second"] = seen[2:]
        return seen[:2]

def lightning():
    import lightning, logging
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    with Dataset(store, **wanted) as ds:
        seen = []

        class Ours(lightning.LightningModule):
            def __init__(self):
                super().__init__()
                self.model = Model()

            def training_step(self, batch, _):
                seen.append(ids(ds))
                return self.model(**batch)["loss"]

            def configure_optimizers(self):
                return torch.optim.SGD(self.parameters())

        trainer = lightning.Trainer(accelerator="cpu", devices=2, strategy="ddp", max_epochs=1, logger=False, enable_checkpointing=False,
                                    enable_progress_bar=False, enable_model_summary=False)
        trainer.fit(Ours(), ds.torch())
        assert trainer.world_size == 2
        return seen

for name in frameworks.split():
    told[name] = globals()[name]()
print(json.dumps(told))
"""


def ran(frameworks, world=2, state=None):
    """What each rank told."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = str(s.getsockname()[1])
    children = [place.run(RANK, " ".join(frameworks), str(world), str(r), port, json.dumps(state) if state else "") for r in range(world)]
    told = []
    try:
        for child in children:
            out, said = child.communicate(timeout=240)
            if child.returncode != 0:
                raise AssertionError(said)
            told.append(json.loads(out.strip().splitlines()[-1]))
    finally:
        for child in children[len(told):]:  # of ranks that wait for the one that failed
            child.kill()
            child.communicate()
    return told


def there(name):
    return importlib.util.find_spec(name) is not None


@unittest.skipUnless(there("torch"), "torch is not installed")
class Ranks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.frameworks = ["ddp"] + [name for name in ("accelerate", "transformers", "lightning") if there(name)]
        cls.told = ran(cls.frameworks)

    def told_by(self, name):
        if name not in self.frameworks:
            self.skipTest("%s is not installed" % name)
        return [told[name] for told in self.told]

    def whole(self, name):
        """The batches of an epoch of two ranks, whose rows are those of the selection, and those that one process gets."""
        first, second = self.told_by(name)
        with Dataset(place.store, epochs=1, **WANTED) as ds:
            self.assertEqual([a + b for a, b in zip(first, second)], [b.ids for b in ds], name)
        self.assertEqual(sorted(sum(first + second, [])), ALL, name)

    def test_ddp(self):
        self.whole("ddp")

    def test_ddp_goes_on_with_three_ranks(self):
        states = self.told_by("ddp") and [told["state"] for told in self.told]
        self.assertEqual(states[0], states[1])
        seen = [told["ddp"][0] for told in self.told] + [ids for told in ran(["ddp"], 3, states[0]) for ids in told["ddp"]]
        self.assertEqual(sorted(sum(seen, [])), ALL)

    def test_accelerate(self):
        self.whole("accelerate")

    def test_trainer_of_hugging_face(self):
        self.whole("transformers")
        second = sum(self.told_by("transformers") and [sum(told["second"], []) for told in self.told], [])
        self.assertEqual(sorted(second), ALL)

    def test_lightning(self):
        self.whole("lightning")

    def test_a_loader_that_would_be_dispatched_is_refused(self):
        """It read rank 0's half alone: 16 of 32 rows were seen by some rank, and no word was said."""
        self.told_by("accelerate")
        for told in self.told:
            self.assertRegex(told["prepared"], "accelerate's prepare.* dispatches this loader.*1 of 2 ranks.*loop over ds.torch")

    def test_one_that_has_everything_may_be_dispatched(self):
        self.told_by("accelerate")
        with Dataset(place.store, epochs=1, **WANTED) as ds:
            want = sorted(int(n) for b in ds for n in b.text_len[: len(b.ids)])
        self.assertEqual(sorted(sum((told["everything"] for told in self.told), [])), want)

    @unittest.skipUnless(there("accelerate"), "accelerate is not installed")
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


if __name__ == "__main__":
    unittest.main()
