"""Batches of a voxpack store as tensors of NumPy, torch, TensorFlow and JAX, without a copy.

    from voxpack import Dataset

    ds = Dataset("data/ljspeech", batch_size=32, seed=0, split="train")
    for batch in ds.torch(device="cuda:1"):     # .numpy() .tensorflow() .jax(); one pass is one epoch
        batch.tokens, batch.mel, batch.text_len, batch.mel_len, batch.ids

A program of its own, ``voxpack serve``, reads the store and fills the memory that the
tensors lie in. docs/protocol.md tells how the two speak. Linux only.
"""

from typing import TYPE_CHECKING, Any

from .batch import Batch
from .dataset import Dataset, Epochs, Info
from .errors import FeederDied, FeederError

if TYPE_CHECKING:
    from .sample import UnknownRow
    from .settings import settings, tf_options
    from .settings.readback import verify
    from .worker import column

__all__ = ["Batch", "Dataset", "Epochs", "FeederDied", "FeederError", "Info", "UnknownRow", "column", "settings", "tf_options", "verify"]


def __getattr__(name: str) -> Any:
    if name in ("settings", "tf_options"):  # for those who set them: reading them takes time that a first batch waits for
        from importlib import import_module
        module = import_module(".settings", __name__)
        globals().update(settings=module.settings, tf_options=module.tf_options)
        return globals()[name]
    if name == "verify":
        from .settings.readback import verify
        return verify
    if name == "column":
        from .worker import column
        return column
    if name == "UnknownRow":
        from .sample import UnknownRow
        return UnknownRow
    raise AttributeError("module %r has no attribute %r" % (__name__, name))
