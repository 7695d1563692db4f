"""Batches as tensors of the real torch."""

import json
import unittest
import warnings

import numpy as np

from cases import Cases, place, setUpModule, tearDownModule  # noqa: F401
from support import going_on
from voxpack import Dataset, FeederError

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        import torch.utils.data
except ImportError:
    torch = None


@unittest.skipIf(torch is None, "torch is not installed")
class Torch(Cases, unittest.TestCase):
    child = "import torch\nform = lambda ds: ds.torch()"

    def form(self, ds):
        return ds.torch()

    def plain(self, tensor):
        return tensor.clone().numpy()

    def plain_wide(self, tensor):
        return tensor.float().numpy()

    def address(self, tensor):
        return tensor.data_ptr()

    def test_shapes_on_a_device(self):
        """The copy for a device is whole, and cut there."""
        wanted = dict(batch_size=4, seed=1, tail="pad", epochs=1, layout="bct", trim=True, tokens=torch.int64)
        with Dataset(place.store, **wanted) as ds, Dataset(place.store, **wanted) as other:
            for a, b in zip(ds.torch(), other.torch(copy=True)):
                self.assertEqual(list(a), list(b))
                for name in a:
                    self.assertTrue(a[name].dtype == b[name].dtype and torch.equal(a[name], b[name]), name)
                self.assertEqual((a.mel.stride()[1:], b.mel.stride()[1:]), ((1, 80), (1, 80)))  # views
            with self.assertRaisesRegex(FeederError, "trim=True with transport=.device.: the lengths lie on the GPU"):
                ds.torch("cuda:0", transport="device")

    def test_views(self):
        with Dataset(place.store, batch_size=2, ahead=2) as ds:
            batch = next(iter(ds.torch()))
            view = batch.mel[1, ::2].T[3:].detach()
            copy, r = view.clone(), ds._stream._returns
            del batch
            for b in going_on(ds.torch()):
                pass
            del b
            self.assertTrue(torch.equal(view, copy))
            self.assertEqual(r.lent - r.came, 1)
            del view
            self.assertEqual(r.lent, r.came)

    def test_gradients_hold_what_they_need(self):
        with Dataset(place.store, batch_size=2, ahead=1) as ds:
            w = torch.ones(80, requires_grad=True)
            for batch in ds.torch():
                want = batch.mel.sum((0, 1))
                loss = (batch.mel * w).sum()
                del batch
                loss.backward()  # reads the mel
                self.assertTrue(torch.allclose(w.grad, want, rtol=1e-3))
                w.grad = None

    def test_own_memory(self):
        with Dataset(place.store, batch_size=2, seed=1, epochs=1, tail="pad") as ds:
            want = [(b.ids, b.mel.copy(), b.tokens.copy(), b.valid) for b in ds]
        with Dataset(place.store, batch_size=2, seed=1, epochs=1, ahead=1, tail="pad") as ds:
            got = list(ds.torch(copy=True))  # all of them at once: no slot is held
            r = ds._stream._returns
            self.assertEqual(r.lent, r.came)
            self.assertEqual([b.ids for b in got], [w[0] for w in want])
        for (_, mel, tokens, valid), b in zip(want, got):
            self.assertEqual((b.mel.numpy().tobytes(), b.tokens.numpy().tobytes(), b.valid.tolist()), (mel.tobytes(), tokens.tobytes(), valid.tolist()))

    def test_another_form_while_batches_are_on_their_way(self):
        """A loop that copies ahead was left: its rest, in another form or on another device, begins after what that one gave."""
        with Dataset(place.store, batch_size=2, seed=1, tail="pad") as ds:
            want = [b.ids for b in ds]
        for change in (lambda ds: ds, lambda ds: ds.torch(device="meta"), lambda ds: ds.torch(copy=True)):
            with Dataset(place.store, batch_size=2, seed=1, tail="pad") as ds:
                ahead = ds.torch(copy=True)
                ahead._form.ahead = 2  # as on a GPU
                got = [b.ids for _, b in zip(range(1), ahead)]
                self.assertEqual(len(ds._course.sent), 2)
                rest = change(ds)
                kinds = set()
                for b in going_on(rest):
                    got.append(b.ids)
                    kinds.add(str(getattr(b.mel, "device", "")))
                self.assertEqual((got, len(kinds)), (want, 1))

    def test_dataloader(self):
        with Dataset(place.store, batch_size=2, seed=1, epochs=2) as ds:
            want = [b.mel.copy() for _ in range(2) for b in ds]
        for form in (lambda ds: ds, lambda ds: ds.torch(), lambda ds: ds.numpy()):
            with Dataset(place.store, batch_size=2, seed=1, epochs=2) as ds:
                loader = torch.utils.data.DataLoader(form(ds), batch_size=None, num_workers=0)
                got = list(loader.__iter__().__next__().items())
                self.assertEqual(sorted(k for k, _ in got), ["mel", "mel_len", "text_len", "tokens", "valid"])
                mel = dict(got)["mel"]
                self.assertIs(type(mel), torch.Tensor)
                arena = ds._stream.arena
                self.assertTrue(arena.address <= mel.data_ptr() < arena.address + len(arena.map))
                self.assertEqual(mel.numpy().tobytes(), want[0].tobytes())
                del got, mel
                self.assertEqual([b["mel"].numpy().tobytes() for b in loader], [m.tobytes() for m in want[5:]])
                self.assertEqual(len(loader), 5)

    def test_batches_of_batches_are_refused(self):
        for form in (lambda ds: ds, lambda ds: ds.torch()):
            with Dataset(place.store, batch_size=2) as ds:
                with self.assertRaisesRegex(FeederError, "batch_size=None"):
                    next(iter(torch.utils.data.DataLoader(form(ds))))

    def test_workers_are_refused(self):
        for method in ("fork", "spawn"):
            with Dataset(place.store, batch_size=2) as ds:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    loader = torch.utils.data.DataLoader(ds.torch(), batch_size=None, num_workers=1, multiprocessing_context=method)
                    with self.assertRaisesRegex(Exception, "num_workers=0"):
                        for _ in loader:
                            pass

    def test_ranks_of_torch_distributed(self):
        code = """
import json, os, sys, warnings
warnings.simplefilter("ignore")
import torch.distributed as dist
from voxpack import Dataset
for name in ("RANK", "WORLD_SIZE"):
    os.environ.pop(name, None)
early = Dataset(sys.argv[1], batch_size=4, seed=2, epochs=1)  # as Lightning has it made, before it knows of ranks
dist.init_process_group("gloo", rank=int(sys.argv[2]), world_size=2, init_method="file://" + sys.argv[3])
with early as ds:
    print(json.dumps([b.ids for b in ds.torch()]))
dist.destroy_process_group()
"""
        import os
        meet = os.path.join(place.folder, "meet")
        ranks = [place.run(code, str(r), meet) for r in range(2)]
        got = []
        for child in ranks:
            out, said = child.communicate(timeout=120)
            self.assertEqual(child.returncode, 0, said)
            got.append(json.loads(out.strip().splitlines()[-1]))
        with Dataset(place.store, batch_size=4, seed=2, epochs=1) as ds:
            want = [b.ids for b in ds]
        self.assertEqual([a + b for a, b in zip(*got)], want)

    def test_no_such_device(self):
        if torch.cuda.is_available():
            self.skipTest("there is a GPU")
        with Dataset(place.store, batch_size=2) as ds:
            with self.assertRaises((RuntimeError, AssertionError)):
                next(iter(ds.torch(device="cuda:0")))
            self.assertEqual(len(next(iter(ds)).ids), 2)


if __name__ == "__main__":
    unittest.main()
