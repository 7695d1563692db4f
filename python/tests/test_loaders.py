"""Loaders that resume by themselves, at every batch of an epoch: torchdata's StatefulDataLoader and Lightning, given ds.torch() and nothing else."""

import importlib.util
import json
import unittest

from support import Place

place = Place()


def setUpModule():
    place.begin()


def tearDownModule():
    place.end()


COMMON = """
import json, os, sys, warnings
warnings.simplefilter("ignore")
import torch
from voxpack import Dataset, FeederError

def data(**wanted):
    return Dataset(sys.argv[1], **{**dict(batch_size=2, seed=1), **wanted})

def ids(batches):
    return batches._dataset._course.last[-1].ids()

with data() as ds:
    want = [[b.ids for b in ds] for _ in range(3)]
"""

STATEFUL = COMMON + """
from torchdata.stateful_dataloader import StatefulDataLoader
right = []
for taken in range(7):
    with data() as ds:
        loader = StatefulDataLoader(ds.torch(), batch_size=None)
        loop = iter(loader)
        for _ in range(taken):
            next(loop, None)
        state = json.loads(json.dumps(loader.state_dict()))
    with data() as ds:
        loader = StatefulDataLoader(ds.torch(), batch_size=None)
        loader.load_state_dict(state)
        got = [[ids(loader.dataset) for _ in loader] for _ in range(2)]
    if taken == 5:  # all batches, of which it does not know that they are all
        got = got[1:] if got[0] == [] else got[:1]
        right.append(got == want[1:2])
    else:
        right.append(got == ([want[0][taken:], want[1]] if taken < 5 else want[1:]))
with data() as ds:
    try:
        next(iter(StatefulDataLoader(ds.torch())))
    except FeederError as e:
        right.append("batch_size=None" in str(e))
print(json.dumps(right))
"""

LIGHTNING = COMMON + """
import lightning, logging
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
flat, right, kept = sum(want, []), [], os.path.join(os.path.dirname(sys.argv[1]), "lightning.ckpt")

class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.linear, self.seen, self.judged = torch.nn.Linear(80, 80), [], []

    def training_step(self, batch, _):
        self.seen.append(ids(self.trainer.train_dataloader))
        return (self.linear(batch["mel"]) - batch["mel"]).abs().mean()

    def on_validation_start(self):
        self.judged.append([])

    def validation_step(self, batch, _):
        self.judged[-1] += ids(self.trainer.val_dataloaders)

    def on_validation_end(self):
        next(iter(self.trainer.val_dataloaders))  # as Matcha-TTS does, to draw one

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters())

def trained(steps, **resumed):
    with data() as ds, data(batch_size=1, split="val", val=0.6, tail="pad") as val:
        trainer = lightning.Trainer(accelerator="cpu", max_steps=steps, logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False)
        model = Model()
        trainer.fit(model, ds.torch(), val.torch(), **resumed)
        trainer.save_checkpoint(kept)
        return model

with data(batch_size=1, split="val", val=0.6, tail="pad") as val:
    rows = [i for b in val for i in b.ids]
for steps in (3, 5, 7):
    first = trained(steps)
    second = trained(11, ckpt_path=kept, weights_only=False)
    right.append(first.seen + second.seen == flat[:11])
    right.append(first.judged == [rows[:2]] + [rows] * (steps // 5))  # the sanity check has two batches
    right.append(second.judged == [rows] * (2 - steps // 5))
print(json.dumps(right))
"""


class Loaders(unittest.TestCase):
    def right(self, framework, code):
        if importlib.util.find_spec(framework) is None:
            self.skipTest("%s is not installed" % framework)
        child = place.run(code)
        out, said = child.communicate(timeout=240)
        self.assertEqual(child.returncode, 0, said)
        told = json.loads(out.strip().splitlines()[-1])
        self.assertEqual(told, [True] * len(told))

    def test_a_stateful_loader(self):
        """It resumed in epoch 0 in place of 1."""
        self.right("torchdata", STATEFUL)

    def test_lightning(self):
        """Without hooks; and each validation has all rows, whatever the sanity check and a look at the first batch took."""
        self.right("lightning", LIGHTNING)


if __name__ == "__main__":
    unittest.main()
