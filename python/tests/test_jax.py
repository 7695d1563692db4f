"""Batches as arrays of the real JAX."""

import os
import unittest
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import numpy as np

from cases import Cases, place, setUpModule, tearDownModule  # noqa: F401
from voxpack import Dataset, FeederError

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jax
        import jax.numpy as jnp
except ImportError:
    jax = None


@unittest.skipIf(jax is None, "JAX is not installed")
class Jax(Cases, unittest.TestCase):
    child = "import os; os.environ['JAX_PLATFORMS'] = 'cpu'\nimport jax\nform = lambda ds: ds.jax()"

    wide = None

    def test_wide_tokens_need_x64(self):
        with Dataset(place.store, batch_size=2, tokens="int64") as ds:
            with self.assertRaisesRegex(FeederError, "JAX has no int64 unless jax.config.update"):
                next(iter(ds.jax())).tokens

    def form(self, ds):
        return ds.jax()

    def plain_wide(self, tensor):
        return np.array(tensor.astype(jnp.float32))

    def address(self, tensor):
        return tensor.unsafe_buffer_pointer()

    def test_one_compilation(self):
        traced = []

        @jax.jit
        def step(tokens, mel, valid):
            traced.append(1)
            return (mel * valid[:, None, None]).sum() + tokens.sum()

        with Dataset(place.store, batch_size=4, seed=1, epochs=2, tail="pad") as ds:
            for _ in range(2):
                for b in ds.jax():
                    step(b.tokens, b.mel, b.valid).block_until_ready()
        self.assertEqual(len(traced), 1)

    def test_exit_while_it_computes(self):
        """What JAX lets go of in its own threads must not end a process that is ending."""
        code = """
import os; os.environ['JAX_PLATFORMS'] = 'cpu'
import sys, jax
from voxpack import Dataset
ds = Dataset(sys.argv[1], batch_size=2, seed=1)

@jax.jit
def step(mel, mel_len):
    frames = jax.numpy.arange(mel.shape[1]) < mel_len[:, None]
    return (mel * frames[:, :, None]).sum() / frames.sum()

for _, batch in zip(range(4), ds.jax()):
    loss = step(batch.mel, batch.mel_len)
"""
        for _ in range(6):
            child = place.run(code)
            self.assertEqual((child.communicate(timeout=120), child.returncode), (("", ""), 0))

    def test_devices_by_name(self):
        with Dataset(place.store, batch_size=2) as ds:
            self.assertEqual(next(iter(ds.jax(device="cpu:0"))).mel.devices(), {jax.devices("cpu")[0]})
            self.assertEqual(next(iter(ds.jax(device=jax.devices("cpu")[0]))).mel.shape, (2, 800, 80))


if __name__ == "__main__":
    unittest.main()
