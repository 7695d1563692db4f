"""Two real ranks on gloo, in each framework: every row of an epoch once, also where three ranks go on, or a refusal before the first step."""

import importlib.util
import json
import socket
import unittest

from support import Place
from voxpack import Dataset, FeederError

place = Place()
WANTED = dict(batch_size=6, seed=1, tail="pad")


def setUpModule():
    place.begin()


def tearDownModule():
    place.end()


TRAINING = """
import json, os, sys, warnings
warnings.simplefilter("ignore")
import torch
from torch.utils.data import DataLoader
from voxpack import Dataset, FeederError
torch.set_num_threads(1)

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(80, 80)

    def forward(self, mel, **_):
        return {"loss": (self.linear(mel) - mel).abs().mean()}

class Rows:
    'A Dataset, and the ids of each batch whose step began.'

    def __init__(self, store, state):
        self.ds, self.seen, self.state = Dataset(store, batch_size=6, seed=1, tail="pad"), [], None
        if state:
            self.ds.load_state_dict(state)

    def step(self):
        self.seen.append(self.ds._course.last[-1].ids())
        if len(self.seen) == 1:
            self.state = self.ds.state_dict()

    def told(self):
        self.ds.close()
        return {"seen": self.seen, "state": self.state}
"""

RANK = TRAINING + """
store, frameworks, world, rank, port, state = sys.argv[1:]
os.environ.update(RANK=rank, LOCAL_RANK=rank, WORLD_SIZE=world, LOCAL_WORLD_SIZE=world, MASTER_ADDR="127.0.0.1", MASTER_PORT=port,
                  TORCHELASTIC_RUN_ID="1", ACCELERATE_USE_CPU="true", TQDM_DISABLE="1")
torch.distributed.init_process_group("gloo")
rank, world, state, told = int(rank), int(world), json.loads(state), {}

def ddp(rows):
    model = torch.nn.parallel.DistributedDataParallel(Model())
    for _ in range(2):
        for batch in rows.ds.torch():
            rows.step()
            model(batch.mel)["loss"].backward()

def deepspeed(rows):
    import deepspeed, logging
    logging.getLogger("DeepSpeed").setLevel(logging.ERROR)
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False  # compiling it takes a minute, and gloo does without
    deepspeed.init_distributed("gloo")
    model = Model()
    engine, *_ = deepspeed.initialize(model=model, optimizer=torch.optim.SGD(model.parameters()), config={"train_micro_batch_size_per_gpu": 6 // world})
    for _ in range(2):
        for batch in rows.ds.torch(device=engine.device):
            rows.step()
            engine.backward(engine(batch.mel)["loss"])
            engine.step()

def accelerate(rows):
    from accelerate import Accelerator
    accelerator = Accelerator(cpu=True)
    assert accelerator.num_processes == world, accelerator.num_processes
    model = accelerator.prepare(Model())
    for _ in range(2):
        for batch in rows.ds.torch(device=accelerator.device):
            rows.step()
            accelerator.backward(model(**batch)["loss"])
    if world == 2:
        prepared(accelerator)

def prepared(accelerator):
    wanted = dict(batch_size=6, seed=1, tail="pad")
    with Dataset(store, rank=0, world=1, **wanted) as ds:
        told["everything"] = [int(n) for batch in accelerator.prepare(DataLoader(ds.torch(), batch_size=None)) for n, row in zip(batch["text_len"], batch["valid"]) if row]
    with Dataset(store, **wanted) as ds:
        try:
            for batch in accelerator.prepare(DataLoader(ds.torch(), batch_size=None)):
                told["prepared"] = "a step"
        except FeederError as e:
            told["prepared"] = str(e)

def transformers(rows):
    from transformers import Trainer, TrainingArguments

    class Seeing(Model):
        def forward(self, mel, **_):
            rows.step()
            return super().forward(mel)

    class Ours(Trainer):
        def get_train_dataloader(self):
            return DataLoader(self.train_dataset, batch_size=None)

    arguments = TrainingArguments(os.path.join(os.path.dirname(store), "out"), max_steps=3 if state else 4, use_cpu=True, report_to=[], save_strategy="no", disable_tqdm=True)
    Ours(Seeing(), arguments, train_dataset=rows.ds.torch()).train()

def lightning(rows):
    import lightning, logging
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)

    class Ours(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.model = Model()

        def training_step(self, batch, _):
            rows.step()
            return self.model(**batch)["loss"]

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters())

    trainer = lightning.Trainer(accelerator="cpu", devices=world, strategy="ddp", max_epochs=2, logger=False, enable_checkpointing=False,
                                enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(Ours(), rows.ds.torch())
    assert trainer.world_size == world

def pace(rows):
    'One rank looks at a batch with the Dataset that all train with, and is an epoch ahead from then on.'
    said = []
    warnings.simplefilter("always")
    warnings.showwarning = lambda message, *_: said.append(str(message))
    with Dataset(store, batch_size=6, seed=2, tail="pad") as ds:
        for n in range(3):
            if n == 1 and rank == 0:
                next(iter(ds))
            for batch in ds.torch():
                pass
            torch.distributed.barrier()
        told["said"] = said
        warnings.simplefilter("ignore")

for name in frameworks.split():
    rows = Rows(store, state)
    globals()[name](rows)
    told[name] = rows.told()
print(json.dumps(told))
"""

RAY = TRAINING + """
store, _, world, _, _, state = sys.argv[1:]
import ray
from ray.train import RunConfig, ScalingConfig
from ray.train.torch import TorchConfig, TorchTrainer
out = os.path.join(os.path.dirname(store), "ray")

def train(_):
    import ray.train.torch
    model, rows = ray.train.torch.prepare_model(Model()), Rows(store, json.loads(state))
    for _ in range(2):
        for batch in rows.ds.torch():
            rows.step()
            model(batch.mel)["loss"].backward()
    with open("%s.%d" % (out, ray.train.get_context().get_world_rank()), "w") as f:
        json.dump({"ray": rows.told()}, f)

ray.init(num_cpus=int(world), include_dashboard=False, logging_level="ERROR", log_to_driver=False, object_store_memory=80 << 20, _temp_dir=out + ".tmp")
TorchTrainer(train, torch_config=TorchConfig("gloo"), scaling_config=ScalingConfig(num_workers=int(world)), run_config=RunConfig(storage_path=out)).fit()
print(json.dumps([json.load(open("%s.%d" % (out, r))) for r in range(int(world))]))
"""


def there(name):
    return importlib.util.find_spec(name) is not None


def ran(frameworks, world=2, state=None):
    """What each rank told."""
    if frameworks == ["ray"]:
        return told_by([place.run(RAY, "", str(world), "", "", json.dumps(state))])[0]
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = str(s.getsockname()[1])
    return told_by([place.run(RANK, " ".join(frameworks), str(world), str(r), port, json.dumps(state)) for r in range(world)])


def told_by(children):
    told = []
    try:
        for child in children:
            out, said = child.communicate(timeout=600)
            if child.returncode != 0:
                raise AssertionError(said)
            told.append(json.loads(out.strip().splitlines()[-1]))
    finally:
        for child in children[len(told):]:  # of ranks that wait for the one that failed
            child.kill()
            child.communicate()
    return told


def whole(epochs):
    """The batches of one process."""
    with Dataset(place.store, epochs=epochs, **WANTED) as ds:
        return [b.ids for _ in range(epochs) for b in ds]


class Ranks:
    """What holds in each framework. Mixed into a TestCase that names them."""

    names = ()

    @classmethod
    def setUpClass(cls):
        cls.frameworks = [name for name in cls.names if name in ("ddp", "pace") or there(name)]
        if not there("torch") or not cls.frameworks:
            raise unittest.SkipTest("%s: not installed" % ", ".join(cls.names))
        cls.two = ran(cls.frameworks)
        cls.three = ran([name for name in cls.frameworks if name != "pace"], 3, cls.two[0][cls.frameworks[0]]["state"])

    def each(self, told):
        """The batches over all ranks, by framework."""
        for name in self.frameworks:
            if name != "pace":
                yield name, [sum(parts, []) for parts in zip(*(rank[name]["seen"] for rank in told))]

    def test_two_ranks(self):
        want = whole(2)
        self.assertEqual(sorted(sum(want, [])), sorted(2 * ["en-%04d" % i for i in range(1, 11)]))
        for name, got in self.each(self.two):
            self.assertEqual(got, want, name)

    def test_three_ranks_go_on(self):
        states = [rank[name]["state"] for rank in self.two for name in self.frameworks if name != "pace"]
        self.assertEqual(states, states[:1] * len(states))
        for name, got in self.each(self.three):
            self.assertEqual(got, whole(2)[1:], name)


class Ray(Ranks, unittest.TestCase):
    names = ("ray",)


class Frameworks(Ranks, unittest.TestCase):
    names = ("ddp", "deepspeed", "accelerate", "transformers", "lightning", "pace")

    def told(self, name):
        if "accelerate" not in self.frameworks:
            self.skipTest("accelerate is not installed")
        return [told[name] for told in self.two]

    def test_a_rank_that_is_an_epoch_ahead_is_told(self):
        """Once, by the rank that comes second."""
        said = sum((told["said"] for told in self.two), [])
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], r"ranks left a loop at different batches: rank \d took [12] of epoch 1, rank \d took [12] of epoch 1\. Every rank")

    def test_a_loader_that_would_be_dispatched_is_refused(self):
        """It read rank 0's half alone: 16 of 32 rows were seen by some rank, and no word was said."""
        for told in self.told("prepared"):
            self.assertRegex(told, "accelerate's prepare.* dispatches this loader.*1 of 2 ranks.*loop over ds.torch")

    def test_one_that_has_everything_may_be_dispatched(self):
        with Dataset(place.store, epochs=1, **WANTED) as ds:
            want = sorted(int(n) for b in ds for n in b.text_len[: len(b.ids)])
        self.assertEqual(sorted(sum(self.told("everything"), [])), want)

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
