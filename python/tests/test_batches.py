"""What trainers do with a batch besides reading its tensors: move it, change it, hand it to tree functions and compilers."""

import importlib.util
import unittest

from support import Place
from voxpack import Batch, Dataset

place = Place()


def setUpModule():
    place.begin()


def tearDownModule():
    place.end()


def needs(*names):
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, "%s is not installed" % ", ".join(missing))


class Mappings(unittest.TestCase):
    def test_columns_come_and_go(self):
        with Dataset(place.store, batch_size=2) as ds:
            batch = next(iter(ds))
            ids, names = batch.ids, list(batch)
            batch["mel"] = batch["mel"] * 2
            batch["prior"] = batch.mel[:, :, 0]
            self.assertEqual((list(batch), batch.prior.shape), (names[:-1] + ["prior", "valid"], (2, 800)))
            del batch["prior"]
            self.assertEqual((batch.pop("mel").shape, list(batch), batch.ids), ((2, 800, 80), [n for n in names if n != "mel"], ids))
            with self.assertRaisesRegex(AttributeError, "a batch has no mel; the columns are tokens, text_len"):
                batch.mel
            for name in ("rows", "ids", "_names"):
                with self.assertRaisesRegex(KeyError, "is not a name for a column"):
                    batch[name] = 1
            with self.assertRaises(KeyError):
                del batch["mel"]

    def test_one_of_tensors(self):
        with Dataset(place.store, batch_size=2) as ds:
            made = Batch(dict(next(iter(ds))))
            self.assertEqual((made.mel.shape, made["valid"].tolist(), repr(made)), ((2, 800, 80), [True, True], "Batch(tokens, mel, text_len, mel_len)"))
            for name in ("ids", "rows", "epoch"):
                with self.assertRaisesRegex(AttributeError, "made of tensors, which know no %s" % name):
                    getattr(made, name)


class Ids(unittest.TestCase):
    def test_all_rows(self):
        with Dataset(place.store, batch_size=2) as ds:
            self.assertEqual(sorted(ds.ids), ["en-%04d" % i for i in range(1, 11)])
            self.assertEqual([(row.row, row.id) for row in ds.rows()], list(enumerate(ds.ids)))
            batch = next(iter(ds))
            self.assertEqual(batch.ids, [ds.ids[r] for r in batch.rows])


@needs("torch")
class Torch(unittest.TestCase):
    def test_a_move_keeps_ids(self):
        with Dataset(place.store, batch_size=4, tail="pad", epochs=1) as ds:
            for batch in ds.torch():
                moved = batch.to("cpu", non_blocking=True)
                self.assertEqual((moved.ids, moved.seq, moved.epoch, moved.valid.tolist()), (batch.ids, batch.seq, batch.epoch, batch.valid.tolist()))
                self.assertEqual(moved.mel.data_ptr(), batch.mel.data_ptr())
                moved.record_stream(None)  # on the host nothing has to wait

    def test_a_loader_keeps_ids(self):
        import torch
        with Dataset(place.store, batch_size=2, seed=1) as ds:
            want = [b.ids for b in ds]
        with Dataset(place.store, batch_size=2, seed=1) as ds:
            self.assertEqual([b.ids for b in torch.utils.data.DataLoader(ds.torch(), batch_size=None)], want)

    def test_tree_functions(self):
        from torch.utils import _pytree
        with Dataset(place.store, batch_size=2) as ds:
            batch = next(iter(ds.torch()))
            made = _pytree.tree_map(lambda t: t.double(), batch)
            self.assertEqual((list(made), str(made.mel.dtype)), (list(batch), "torch.float64"))

    def test_a_compiled_step_takes_the_batch(self):
        import torch
        compiled = []

        @torch.compile(backend=lambda graph, _: compiled.append(1) or graph, fullgraph=True)
        def step(batch):
            return batch.mel.mean() + batch["mel_len"].sum() + batch.valid.sum()

        for copy in (False, True):
            compiled.clear()
            torch._dynamo.reset()
            with Dataset(place.store, batch_size=2, epochs=1) as ds:
                for batch in ds.torch(copy=copy):
                    batch.valid  # elsewhere than on the host it is a copy of its own, made when it is asked for
                    step(batch)
            self.assertEqual(len(compiled), 1, copy)


@needs("jax")
class Jax(unittest.TestCase):
    def test_a_compiled_step_takes_the_batch(self):
        import jax
        traced = []

        @jax.jit
        def step(batch):
            traced.append(1)
            return {**batch, "mel": batch.mel * 2}["mel"].sum() + batch["valid"].sum()

        with Dataset(place.store, batch_size=2, epochs=1) as ds:
            for batch in ds.jax():
                self.assertAlmostEqual(float(step(batch)), float(2 * batch.mel.sum() + 2), delta=10)
                self.assertEqual(list(jax.tree.map(lambda x: x, batch)), list(batch))
        self.assertEqual(len(traced), 1)


if __name__ == "__main__":
    unittest.main()
