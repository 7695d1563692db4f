"""What holds for the batches of every framework; test_torch.py and its like run it on the real ones."""

import gc
import json
import os
import subprocess
import threading

import numpy as np

from support import PROGRAM, Place, feeder_of, going_on, until
from voxpack import Dataset, FeederError

place = Place()


def setUpModule():
    place.begin()


def tearDownModule():
    place.end()


def numbers(told):
    """Every number in a JSON value."""
    if isinstance(told, dict):
        told = list(told.values())
    if isinstance(told, list):
        return [n for value in told for n in numbers(value)]
    return [told] if isinstance(told, (int, float)) and not isinstance(told, bool) else []


class Cases:
    """Mixed into a TestCase that says how its framework is asked."""

    child = ""  # code that defines form(ds)

    def form(self, ds):
        raise NotImplementedError

    def plain_wide(self, tensor):
        """A copy in float32."""
        raise NotImplementedError

    def plain(self, tensor):
        """A copy as NumPy has it."""
        return np.array(tensor)

    def address(self, tensor):
        raise NotImplementedError

    def test_values_equal_show(self):
        path, seen = os.path.join(place.folder, "one.npy"), set()
        with Dataset(place.store, batch_size=2, epochs=1) as ds:
            for batch in self.form(ds):
                for i, name in enumerate(batch.ids):
                    seen.add(name)
                    for column in ("tokens", "mel"):
                        subprocess.run([PROGRAM, "show", place.store, name, "--column", column, "--npy", path, "--padded"], check=True, stdout=subprocess.DEVNULL)
                        want, got = np.load(path), self.plain(batch[column])[i]
                        self.assertEqual((got.dtype, got.tobytes()), (want.dtype, want.tobytes()), (name, column))
                    told = json.loads(subprocess.run([PROGRAM, "show", place.store, name, "--json"], check=True, stdout=subprocess.PIPE).stdout)
                    self.assertIn(int(batch.mel_len[i]), numbers(told))
        ids = subprocess.run([PROGRAM, "show", place.store, "--ids"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        self.assertEqual((seen, len(ids)), (set(ids), 10))

    wide = "int64"  # the tokens that the framework can have

    def test_shapes(self):
        """Columns, the order of axes, padding that is cut off and wide tokens, against the whole batches."""
        wanted = dict(batch_size=4, seed=1, tail="pad", epochs=1, buckets=(180, 240))
        with Dataset(place.store, **wanted) as ds:
            whole = [{**{name: np.array(a) for name, a in b.items()}, "ids": b.ids} for b in ds]
        self.assertGreater(len({b["mel"].shape for b in whole}), 1)
        with Dataset(place.store, columns=("mel", "tokens"), layout="bct", trim=True, tokens=self.wide, **wanted) as ds:
            for i, (want, batch) in enumerate(zip(whole, self.form(ds))):
                n, frames, text = len(want["ids"]), want["mel_len"].max(), want["text_len"].max()
                got = {name: self.plain(tensor) for name, tensor in batch.items()}
                self.assertEqual((batch.ids, list(got), got["valid"].tolist()), (want["ids"], ["tokens", "mel", "valid"], [True] * n))
                self.assertEqual(str(got["tokens"].dtype), self.wide or "int32")
                np.testing.assert_array_equal(got["tokens"], want["tokens"][:n, :text])
                np.testing.assert_array_equal(got["mel"], want["mel"][:n, :frames].transpose(0, 2, 1))
            self.assertEqual(i + 1, len(whole))

    def test_steps(self):
        with Dataset(place.store, batch_size=2, epochs=1) as ds:
            batches = self.form(ds)
            for batch in batches:
                with batches.step():
                    self.plain(batch.mel)
            log = ds._stream.log
            self.assertEqual((log.taken, log.marked), (5, 5))

    def test_no_copies(self):
        with Dataset(place.store, batch_size=2, epochs=1) as ds:
            for batch in self.form(ds):
                arena = ds._stream.arena
                for column in batch.columns:
                    tensor = getattr(batch, column)
                    at = self.address(tensor)
                    self.assertTrue(arena.address <= at < arena.address + len(arena.map), column)
                    self.assertEqual(at % 256, 0, column)
                    self.assertIs(batch[column], tensor)
                del tensor

    def test_a_loop_is_an_epoch(self):
        """Also after one that was left by break or by an exception, whose rest resume gives."""
        with Dataset(place.store, batch_size=2, seed=1, epochs=6) as ds:
            want = [[b.ids for b in ds] for _ in range(6)]
        with Dataset(place.store, batch_size=2, seed=1) as ds:
            batches = self.form(ds)
            self.assertEqual(len(batches), 5)
            self.assertEqual([b.ids for b in batches.resume()], [])
            got = []
            for batch in batches:
                got.append(batch.ids)
                if len(got) == 2:
                    break
            with self.assertRaises(ValueError):
                for batch in batches.resume():
                    got.append(batch.ids)
                    raise ValueError
            got += [b.ids for b in batches.resume()]
            self.assertEqual((got, [b.ids for b in batches.resume()]), (want[0], []))
            self.assertEqual(next(iter(batches)).ids, want[1][0])
            self.assertEqual([b.ids for b in batches], want[2])
            with self.assertRaises(ValueError):
                for batch in batches:
                    self.assertEqual(batch.ids, want[3][0])
                    raise ValueError
            self.assertEqual([b.ids for _, b in zip(range(4), batches)], want[4][:4])
            self.assertEqual([b.ids for b in batches], want[5])

    def test_resume(self):
        with Dataset(place.store, batch_size=2, seed=1, epochs=1) as ds:
            want = [b.ids for b in ds]
        with Dataset(place.store, batch_size=2, seed=1) as ds:
            loop = iter(self.form(ds))
            got = [next(loop).ids for _ in range(2)]
            state = json.loads(json.dumps(ds.state_dict()))
        with Dataset(place.store, batch_size=2) as ds:
            ds.load_state_dict(state)
            got += [b.ids for b in self.form(ds)]
        self.assertEqual(got, want)

    def test_four_ranks_on_one_feeder(self):
        with Dataset(place.store, batch_size=8, seed=4, epochs=1) as ds:
            want = [b.ids for b in ds]
        ranks = [Dataset(place.store, batch_size=8, seed=4, epochs=1, rank=r, world=4) for r in range(4)]
        self.assertEqual(len({feeder_of(ds) for ds in ranks}), 1)
        got = [[b.ids for b in self.form(ds)] for ds in ranks]
        self.assertEqual([sum(step, []) for step in zip(*got)], want)
        for ds in ranks:
            ds.close()

    def test_a_tensor_keeps_its_slot(self):
        with Dataset(place.store, batch_size=2, ahead=2) as ds:
            batch = next(iter(self.form(ds)))
            at, kept = self.address(batch.mel), [batch.mel]
            copy = self.plain(kept[0])
            del batch
            for _ in range(4):
                for b in going_on(self.form(ds)):
                    self.assertNotEqual(self.address(b.mel), at)
            del b
            self.assertEqual(self.plain(kept[0]).tobytes(), copy.tobytes())
            r = ds._stream._returns
            same = []
            t = threading.Thread(target=lambda k: same.append(self.plain(k.pop()).tobytes() == copy.tobytes()), args=(kept,))
            t.start()
            t.join()
            gc.collect()
            self.assertEqual(same, [True])
            self.assertTrue(until(5, lambda: r.lent == r.came), (r.lent, r.came))

    def test_a_tensor_outlives_its_dataset(self):
        with Dataset(place.store, batch_size=2) as ds:
            mel = next(iter(self.form(ds))).mel
            copy = self.plain(mel)
        del ds
        gc.collect()
        self.assertEqual(self.plain(mel).tobytes(), copy.tobytes())

    def test_exit_with_live_tensors(self):
        code = "import sys, warnings; warnings.simplefilter('ignore')\nfrom voxpack import Dataset\n" + self.child + (
            "\nds = Dataset(sys.argv[1], batch_size=2); held = [(b, b.mel, b.tokens) for b, _ in zip(form(ds), range(3))]; it = iter(form(ds)); print(len(held))")
        child = place.run(code)
        out, said = child.communicate(timeout=120)
        self.assertEqual((out, child.returncode), ("3\n", 0), said)

    def test_fork(self):
        code = "import os, sys, warnings; warnings.simplefilter('ignore')\nfrom voxpack import Dataset, FeederError\n" + self.child + """
ds = Dataset(sys.argv[1], batch_size=2, seed=7, epochs=1, ahead=1)
loop = iter(form(ds))
batch = next(loop)
got, mel = batch.ids, batch.mel
child = os.fork()
if child == 0:
    try:
        next(loop)
    except FeederError as e:
        print(e, flush=True)
    del batch, mel, loop, ds
    os._exit(0)
os.waitpid(child, 0)
del batch, mel
print(len(sum((b.ids for b in loop), got)))
"""
        child = place.run(code)
        out, said = child.communicate(timeout=120)
        self.assertEqual(out, "this Dataset was made before a fork: make one in the process that uses it\n10\n", said)

    def test_the_tail(self):
        with Dataset(place.store, batch_size=4, epochs=1, tail="pad") as ds:
            last = [(b.ids, self.plain(b.valid).tolist(), self.plain(b.mel)[2:].any()) for b in self.form(ds)][-1]
        self.assertEqual((len(last[0]),) + last[1:], (2, [True, True, False, False], False))

    def test_smaller_types(self):
        for dtype in ("f16", "bf16"):
            store = place.build("en", "data:\n  mel_dtype: %s\n" % dtype, "en-" + dtype)
            with Dataset(place.store, batch_size=2, epochs=1, seed=3) as ds:
                want = {i: b.mel[k].copy() for b in ds for k, i in enumerate(b.ids)}
            with Dataset(store, batch_size=2, epochs=1, seed=3) as ds:
                for b in self.form(ds):
                    self.assertIn({"f16": "float16", "bf16": "bfloat16"}[dtype], str(b.mel.dtype))
                    arena = ds._stream.arena
                    self.assertTrue(arena.address <= self.address(b.mel) < arena.address + len(arena.map))
                    got = self.plain_wide(b.mel)
                    for k, i in enumerate(b.ids):
                        self.assertLess(np.abs(got[k] - want[i]).max(), 0.05)
