"""Columns of one's own in batches and rows: durations by token, pitch by frame, embeddings, numbers."""

import json
import math
import os
import subprocess
import unittest

import numpy as np

from support import PROGRAM, Place
from voxpack import Dataset, FeederError

place = Place()

CONFIG = """
data:
  features: [energy, pcm]
  columns:
    low: {feature: mel, n_mels: 40, fmax: 4000, dtype: f16}
    loud: {feature: energy, by: spread}
    spread: {from: spread.npz, length: own, max: 4, dtype: i32}
    durations: {from: "durations/{id}.npy", length: text_len, dtype: i32}
    pitch: {from: pitch.npz, length: mel_len, pad: -1}
    units: {from: "units/{id}.npy", length: own, max: 9, shape: [2], dtype: i16}
    embedding: {from: embeddings.npz, shape: [8], dtype: f16}
    take: {from: takes.jsonl, field: take, dtype: i32}
"""


def values():
    """Values for all rows of the store, as tools write them: int64, float64, an axis of 1 in front."""
    random = np.random.default_rng(4)
    out = {}
    with open(os.path.join(place.store, "metadata.csv"), encoding="utf-8") as f:
        ids = [line.split("|")[0] for line in f]
    for row in ids:
        shown = json.loads(subprocess.run([PROGRAM, "show", place.store, row, "--json"], check=True, capture_output=True).stdout)
        out[row] = {"durations": random.integers(0, 9, len(shown["tokens"])), "pitch": random.normal(200, 30, shown["frames"]),
                    "units": random.integers(-99, 99, (1, 1 + len(out) % 9, 2)), "embedding": random.normal(size=(1, 1, 8)), "take": len(out) - 3, "spread": np.diff([0, 5, 5, shown["frames"]])}
    for name in ("durations", "units"):
        os.mkdir(os.path.join(place.store, name))
        for row, v in out.items():
            np.save(os.path.join(place.store, name, row + ".npy"), v[name])
    np.savez(os.path.join(place.store, "pitch.npz"), **{row: v["pitch"] for row, v in out.items()})
    np.savez(os.path.join(place.store, "spread.npz"), **{row: v["spread"] for row, v in out.items()})
    np.savez_compressed(os.path.join(place.store, "embeddings.npz"), **{row: v["embedding"] for row, v in out.items()})
    with open(os.path.join(place.store, "takes.jsonl"), "w", encoding="utf-8") as f:
        f.writelines(json.dumps({"id": row, "take": v["take"]}) + "\n" for row, v in out.items())
    return out


def setUpModule():
    global wanted
    place.begin()
    wanted = values()
    with open(os.path.join(place.store, "voxpack.yaml"), "w", encoding="utf-8") as f:
        f.write(CONFIG)
    subprocess.run([PROGRAM, "build", place.store, "-q"], check=True)


def tearDownModule():
    place.end()


def betabinom(k, n, a, b):
    def beta(x, y):
        return math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)
    return math.exp(math.log(math.comb(n, k)) + beta(k + a, n - k + b) - beta(a, b))


class Columns(unittest.TestCase):
    def test_a_batch_has_them_by_name(self):
        seen = 0
        with Dataset(place.store, batch_size=4, epochs=1, tail="pad") as ds:
            for b in ds:
                for i, row in enumerate(b.ids):
                    seen += 1
                    want, tokens, frames = wanted[row], int(b.text_len[i]), int(b.mel_len[i])
                    self.assertEqual(b["durations"][i].tolist(), want["durations"].tolist() + [0] * (200 - tokens))
                    np.testing.assert_array_equal(b.pitch[i][:frames], want["pitch"].astype(np.float32))
                    self.assertTrue((b.pitch[i][frames:] == -1).all())
                    np.testing.assert_array_equal(b.embedding[i], want["embedding"][0, 0].astype(np.float16))
                    self.assertEqual((b.take[i], b.units_len[i]), (want["take"], want["units"].shape[1]))
                    np.testing.assert_array_equal(b.units[i][: b.units_len[i]], want["units"][0])
        self.assertEqual(seen, 10)

    def test_frames_are_cropped_with_the_mel(self):
        with Dataset(place.store, batch_size=5, epochs=1, segment=32) as ds:
            for b in ds:
                for i, row in enumerate(b.ids):
                    start = int(b.mel_start[i])
                    np.testing.assert_array_equal(b.pitch[i], wanted[row]["pitch"][start : start + 32].astype(np.float32))
                    self.assertEqual(b.durations.shape[1], 200)

    def test_samples_are_cropped_with_the_mel(self):
        with Dataset(place.store, batch_size=5, epochs=1, segment=32) as ds:
            for b in ds:
                self.assertEqual((b.pcm.shape, b.low.shape), ((5, 32 * 256), (5, 32, 40)))
                for i, row in enumerate(b.ids):
                    np.testing.assert_array_equal(b.pcm[i], ds.row(row).pcm[int(b.mel_start[i]) * 256 :][: 32 * 256])

    def test_what_is_made_of_the_sound(self):
        with Dataset(place.store, batch_size=5, epochs=1, trim=True) as ds:
            for b in ds:
                self.assertEqual((b.loud.shape, b.low.shape), ((5, 3), (5, b.mel_len.max(), 40)))
                for i, row in enumerate(b.ids):
                    energy = b.energy[i][: b.mel_len[i]].astype(float)
                    np.testing.assert_allclose(b.loud[i], [energy[:5].mean(), 0, energy[5:].mean()], rtol=1e-6)
            self.assertEqual(ds.info.stats["loud"].count, 30)
            self.assertEqual(ds.row(b.ids[0]).loud.shape, (3,))

    def test_what_is_made_with_the_batch(self):
        wants = dict(batch_size=5, epochs=1, segment=32, extra=["piece_mel", "piece_low"])
        with Dataset(place.store, layout="bct", **wants) as ds:
            self.assertEqual((ds.state_dict()["form"]["extra"], repr(ds).count("extra")), (wants["extra"], 1))
            for b in ds:
                self.assertEqual((b.piece_mel.shape, b.piece_low.shape, b.piece_low.dtype), ((5, 80, 32), (5, 40, 32), np.float16))
                inner, edge = np.abs(b.mel - b.piece_mel)[:, :, 2:-2], np.abs(b.mel - b.piece_mel)[:, :, [0, -1]]
                self.assertLess(inner.max(), 1)  # the same samples, but for the padding at the edges of the crop
                self.assertGreater(edge.mean(), 10 * inner.mean())
        with Dataset(place.store, batch_size=5, epochs=1, extra="attn_prior@0.5", trim=True, layout="bct", columns=["attn_prior", "tokens"]) as ds:
            for b in ds:
                frames, tokens = max(ds.row(i).mel.shape[0] for i in b.ids), max(ds.row(i).tokens.shape[0] for i in b.ids)
                self.assertEqual((b.attn_prior.shape, b.tokens.shape), ((5, frames, tokens), (5, tokens)))
                for i, row in enumerate(b.ids):
                    m, n = ds.row(row).mel.shape[0], ds.row(row).tokens.shape[0]
                    at = m // 3
                    want = [betabinom(k, n, 0.5 * (at + 1), 0.5 * (m - at)) for k in range(n)]
                    np.testing.assert_allclose(b.attn_prior[i, at, :n], want, rtol=1e-6, atol=1e-30)
                    self.assertEqual(np.count_nonzero(b.attn_prior[i, m:]) + np.count_nonzero(b.attn_prior[i, :, n:]), 0)
        for extra, why in ("mel", "want piece_NAME"), ("piece_take", "the dataset has no mel take"), ("attn_prior@-1", "want a scale over 0"):
            with self.assertRaisesRegex(FeederError, why):
                next(iter(Dataset(place.store, batch_size=5, segment=32, extra=extra)))

    def test_each_is_trimmed_to_its_own_steps(self):
        with Dataset(place.store, batch_size=5, epochs=1, trim=True) as ds:
            for b in ds:
                self.assertEqual((b.durations.shape[1], b.pitch.shape[1], b.units.shape[1], b.embedding.shape),
                                 (b.text_len.max(), b.mel_len.max(), b.units_len.max(), (5, 8)))
            row = ds.row("en-0003")
            self.assertEqual((row.durations.tolist(), row.units.shape[0], row.embedding.shape, row.take),
                             (wanted["en-0003"]["durations"].tolist(), wanted["en-0003"]["units"].shape[1], (8,), wanted["en-0003"]["take"]))


if __name__ == "__main__":
    unittest.main()
