"""Batches of a voxpack store as NumPy arrays, without a copy.

    from voxpack import Dataset

    ds = Dataset("data/ljspeech", batch_size=32, seed=0, split="train")
    for batch in ds:                     # one pass of the loop is one epoch
        batch.tokens, batch.mel, batch.text_len, batch.mel_len, batch.ids

A program of its own, ``voxpack serve``, reads the store and fills the memory that the
arrays lie in. docs/protocol.md tells how the two speak. Linux only.
"""

from .batch import Batch
from .dataset import Dataset, Info
from .errors import FeederDied, FeederError

__all__ = ["Batch", "Dataset", "FeederDied", "FeederError", "Info"]
