"""Statistics of a dataset, against NumPy's over what its batches have and the real feeder."""

import unittest

import numpy as np

from support import Place

from voxpack import Dataset, FeederError  # after support, which puts the package into the path

PLACE = Place()


def setUpModule():
    PLACE.begin()


def tearDownModule():
    PLACE.end()


def built():
    """The Persian corpus, which has speakers, with pitch and energy."""
    return PLACE.build("fa", "data:\n  features: [f0, energy]\n", "spoken")


class Statistics(unittest.TestCase):
    def test_they_are_numpys_of_what_is_no_padding(self):
        with Dataset(built(), batch_size=10, shuffle="none") as ds:
            before = ds.info.stats  # before the first loop, by a socket of its own
            batch = next(iter(ds))
            rows = [(ds.info.speakers[batch.speaker[i]], batch.mel[i, :n], batch.energy[i, :n], batch.f0[i, :n]) for i, n in enumerate(batch.mel_len)]
            stats = ds.info.stats  # and in the middle of one
            self.assertEqual(list(stats), ["mel", "energy", "f0"])
            self.assertEqual(before["mel"][:5], stats["mel"][:5])
            for k, name in enumerate(("mel", "energy", "f0"), 1):
                values = np.concatenate([row[k] for row in rows]).astype(np.float64)
                if name == "f0":
                    values = values[values != 0]
                self.same(stats[name], values)
                for speaker in ("omid", "sara"):
                    mine = np.concatenate([row[k] for row in rows if row[0] == speaker]).astype(np.float64)
                    self.same(stats[name].speakers[speaker], mine[mine != 0] if name == "f0" else mine)
            mels = np.concatenate([row[1] for row in rows]).astype(np.float64)
            self.assertEqual(stats["mel"].bands.mean.shape, (80,))
            np.testing.assert_allclose(stats["mel"].bands.mean, mels.mean(0), rtol=1e-12)
            np.testing.assert_allclose(stats["mel"].bands.std, mels.std(0), rtol=1e-12)
            np.testing.assert_array_equal(stats["mel"].bands.min, mels.min(0))
            self.assertEqual(stats["f0"].bands.mean.shape, (0,))

    def test_a_mel_norm_is_what_torch_makes_of_the_mels(self):
        wanted = dict(batch_size=5, segment=40, reference="same-speaker", tail="pad", seed=3, epochs=1)
        with Dataset(PLACE.store, **wanted) as plain:
            mel = plain.info.stats["mel"]
            before = [dict(batch) for batch in plain]
            for how, mean, std in (("stats", mel.mean, mel.std), ("bands", mel.bands.mean, mel.bands.std)):
                with Dataset(PLACE.store, mel_norm=how, **wanted) as ds:
                    for was, batch in zip(before, ds):
                        for name in ("mel", "reference_mel"):
                            used = np.arange(was[name].shape[1]) < was[name + "_len"][:, None]
                            want = np.where(used[:, :, None], (was[name] - np.float32(mean)) / np.float32(std), 0).astype(np.float32)
                            np.testing.assert_array_equal(batch[name], want)
                    state = ds.state_dict()
                with Dataset(PLACE.store, mel_norm="", batch_size=5) as other:
                    with self.assertRaisesRegex(FeederError, "its mel_norm is %r" % how):
                        other.load_state_dict(state)
        with Dataset(PLACE.store, mel_norm="minmax", batch_size=5) as ds:
            with self.assertRaisesRegex(FeederError, "want stats or bands"):
                next(iter(ds))

    def test_an_older_feeder_is_not_asked_for_a_norm(self):
        class Old(Dataset):
            _knows = ("stats",)
        with self.assertRaisesRegex(FeederError, "cannot normalise mels"):
            Old(PLACE.store, mel_norm="stats", batch_size=5)

    def same(self, got, values):
        self.assertEqual((got.count, got.min, got.max), (values.size, values.min(), values.max()))
        np.testing.assert_allclose([got.mean, got.std], [values.mean(), values.std()], rtol=1e-12)

    def test_an_older_feeder_is_named(self):
        with Dataset(PLACE.store, batch_size=2) as ds:
            ds._welcome["knows"] = ["rows"]
            with self.assertRaisesRegex(FeederError, "does not know statistics"):
                ds.info.stats


if __name__ == "__main__":
    unittest.main()
