"""Batches as tensors of the real TensorFlow."""

import os
import unittest
import warnings

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np

from cases import Cases, place, setUpModule, tearDownModule  # noqa: F401
from voxpack import Dataset, FeederError

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import tensorflow as tf
except ImportError:
    tf = None


@unittest.skipIf(tf is None, "TensorFlow is not installed")
class Tensorflow(Cases, unittest.TestCase):
    child = "import os; os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'\nimport tensorflow as tf\nform = lambda ds: ds.tensorflow()"

    def form(self, ds):
        return ds.tensorflow()

    def plain(self, tensor):
        return np.array(tensor.numpy())

    def plain_wide(self, tensor):
        return tf.cast(tensor, tf.float32).numpy()

    def address(self, tensor):
        return tensor.__array__().__array_interface__["data"][0] if tensor.dtype != tf.bfloat16 else tf.bitcast(tensor, tf.uint16).__array__().__array_interface__["data"][0]

    def test_tf_dataset(self):
        with Dataset(place.store, batch_size=2, seed=1, epochs=2) as ds:
            want = [(b.mel.copy(), b.tokens.copy()) for _ in range(2) for b in ds]
        with Dataset(place.store, batch_size=2, seed=1, epochs=2) as ds:
            data = ds.tf_dataset()
            spec = data.element_spec
            self.assertEqual(spec["mel"].shape.as_list(), [2, 800, 80])
            self.assertEqual(spec["valid"].shape.as_list(), [2])
            got, epochs = [], []
            for _ in range(3):
                n = 0
                for e in data:
                    got.append((e["mel"].numpy().copy(), e["tokens"].numpy().copy()))
                    n += 1
                epochs.append(n)
        self.assertEqual(epochs, [5, 5, 0])
        self.assertEqual([(m.tobytes(), t.tobytes()) for m, t in got], [(m.tobytes(), t.tobytes()) for m, t in want])

    def test_shapes_of_a_tf_dataset(self):
        wanted = dict(batch_size=4, seed=1, tail="pad", epochs=1, columns=["tokens", "mel"], layout="bct", tokens="int64")
        for trim, tokens, mel, valid in ((False, [4, 200], [4, 80, 800], [4]), (True, [None, None], [None, 80, None], [None])):
            with Dataset(place.store, trim=trim, **wanted) as ds:
                want = [{name: np.array(a) for name, a in b.items()} for b in ds]
            with Dataset(place.store, trim=trim, **wanted) as ds:
                data = ds.tf_dataset()
                spec = {name: s.shape.as_list() for name, s in data.element_spec.items()}
                self.assertEqual((spec, data.element_spec["tokens"].dtype), ({"tokens": tokens, "mel": mel, "valid": valid, "seq": []}, tf.int64))
                got = list(data)
            self.assertEqual(len(got), 3)
            for a, b in zip(want, got):
                for name in a:
                    np.testing.assert_array_equal(a[name], b[name].numpy())

    def test_a_name_that_the_dataset_has_nothing_for(self):
        """An element of tf.data has no None: the name is left out of it, and trims nothing."""
        for columns, trim in ({"y": "mel", "spks": None}, True), ({"y": "mel", "spks": None}, False), ({"spks": None}, True):
            wanted = dict(batch_size=4, seed=1, tail="pad", epochs=1, columns=columns, trim=trim)
            with Dataset(place.store, **wanted) as ds:
                want = [{name: np.array(a) for name, a in b.items() if name != "spks"} for b in ds]
            with Dataset(place.store, **wanted) as ds:
                data = ds.tf_dataset()
                self.assertEqual(sorted(data.element_spec), sorted([*want[0], "seq"]))
                got = list(data)
            self.assertEqual(len(got), 3)
            for a, b in zip(want, got):
                for name in a:
                    np.testing.assert_array_equal(a[name], b[name].numpy())

    def test_steps_of_a_tf_dataset(self):
        """TensorFlow's threads take batches before the loop asks: the log says so, and marks are the loop's."""
        with Dataset(place.store, batch_size=2, epochs=1) as ds:
            for e in ds.tf_dataset():
                with ds.step():
                    tf.reduce_sum(e["mel"])
            log = ds._stream.log
            self.assertEqual((log.taken, log.marked, log.ahead), (5, 5, True))

    def test_tf_dataset_copies_nothing(self):
        with Dataset(place.store, batch_size=2, ahead=6) as ds:
            arena = None
            for e in ds.tf_dataset(prefetch=1):
                arena = ds._stream.arena
                at = self.address(e["mel"])
                self.assertTrue(arena.address <= at < arena.address + len(arena.map))
            del e

    def test_tf_dataset_traces_once(self):
        traced = []

        @tf.function
        def step(e):
            traced.append(1)
            return tf.reduce_sum(e["mel"])

        with Dataset(place.store, batch_size=2, seed=1, epochs=2) as ds:
            data = ds.tf_dataset()
            for _ in range(2):
                for e in data:
                    step(e)
        self.assertEqual(len(traced), 1)

    def test_tf_dataset_begins_an_epoch_each_time(self):
        with Dataset(place.store, batch_size=2, seed=1) as ds:
            want = [[b.mel.tobytes() for b in ds] for _ in range(3)]
        with Dataset(place.store, batch_size=2, seed=1) as ds:
            data = ds.tf_dataset()
            self.assertEqual(next(iter(data))["mel"].numpy().tobytes(), want[0][0])
            for n in (1, 2):
                self.assertEqual([e["mel"].numpy().tobytes() for e in data], want[n])

    def test_tf_dataset_twice_at_once_is_refused(self):
        """tf.data.Dataset.zip gave 3 of 8 elements, and no word."""
        with Dataset(place.store, batch_size=1, seed=1) as ds:
            one = ds.tf_dataset()
            for both in ((one, one), (ds.tf_dataset(), ds.tf_dataset())):
                with self.assertRaisesRegex(Exception, "another loop over this Dataset has begun meanwhile"):
                    for _ in tf.data.Dataset.zip(both):
                        pass
            self.assertEqual(sum(1 for _ in one), 10)

    def test_tf_dataset_resumes_by_seq(self):
        with Dataset(place.store, batch_size=2, seed=1, epochs=1) as ds:
            want = [b.mel.tobytes() for b in ds]
        with Dataset(place.store, batch_size=2, seed=1) as ds:
            got = []
            for e in ds.tf_dataset(prefetch=2):
                got.append(e["mel"].numpy().tobytes())
                if len(got) == 2:
                    state = ds.state_dict(seq=e["seq"])
                    break
            with self.assertRaisesRegex(FeederError, "not among the last"):
                ds.state_dict(seq=99)
        with Dataset(place.store, batch_size=2) as ds:
            ds.load_state_dict(state)
            got += [e["mel"].numpy().tobytes() for e in ds.tf_dataset()]
        self.assertEqual(got, want)

    def test_a_process_that_ends_while_batches_are_prefetched(self):
        """TensorFlow's threads are not in Python when it ends: the process would wait for them for ever."""
        code = """if True:
            import sys, voxpack
            ds = voxpack.Dataset(sys.argv[1], batch_size=2, ahead=int(sys.argv[2]))
            it = iter(ds.tf_dataset(prefetch=4).repeat())
            kept = [next(it)["mel"] for _ in range(3)]
            print(len(kept))
        """
        for ahead in ("6", "8"):  # all of the ring is held, and not all
            child = place.run(code, ahead)
            try:
                self.assertEqual(child.communicate(timeout=120)[0], "3\n")
            finally:
                child.kill()
                child.communicate()
            self.assertEqual(child.returncode, 0)

    def test_a_device_of_its_own(self):
        with Dataset(place.store, batch_size=2, seed=1, epochs=2) as ds:
            want = [b.mel.tobytes() for b in ds]
            got = [b.mel.numpy().tobytes() for b in ds.tensorflow(device="/CPU:0")]
            self.assertEqual((len(got), len(want)), (5, 5))

    def test_errors_come_through(self):
        with Dataset(place.store, batch_size=500) as ds:
            with self.assertRaisesRegex(FeederError, "no batch in an epoch"):
                ds.tf_dataset()


if __name__ == "__main__":
    unittest.main()
