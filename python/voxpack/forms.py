"""Batches as tensors of torch, TensorFlow and JAX, without a copy where they stay on the host.

A form turns what the stream hands out into a batch. One that brings batches to a device also
says how many it takes ahead, so that a copy runs while the step before it does.
"""

import collections
import warnings
from typing import Any, Optional

import numpy as np

from .batch import Batch, Field, Layout, Record, flat, unflat
from .errors import FeederError
from .shapes import Cut, turn

CAPTURED = ("a CUDA graph is being captured on the current stream, and each of its runs would read this batch's memory, where other data may be by then: "
            "take batches outside of the capture, and copy them into tensors that the graph reads")
_AHEAD = 2  # batches on their way to a device while one is in use


def _missing(module: str, why: ImportError) -> FeederError:
    return FeederError("%s is not installed here (%s); pip install %s" % (module, why, module), "request")


_trees: Any = set()  # modules that know what a Batch is


def _tree(module: Any, register: str, *ways: Any) -> None:
    """Tells a framework that a Batch has tensors in it."""
    if module.__name__ not in _trees:
        _trees.add(module.__name__)
        getattr(module, register)(Batch, *ways)


class TorchForm:
    """Tensors of torch on the host, which share the slot's memory."""

    def __init__(self) -> None:
        try:
            import torch
        except ImportError as e:
            raise _missing("torch", e) from None
        self.torch = torch
        _tree(torch.utils._pytree, "register_pytree_node", flat, lambda tensors, names: unflat(names, tensors))

    def tensor(self, field: Field, memory: Any, cut: Optional[Cut] = None) -> Any:
        if field.dtype == "bf16":
            return self.torch.from_numpy(field.bits(memory, cut).view(np.int16)).view(self.torch.bfloat16)
        return self.torch.from_numpy(field.bits(memory, cut))

    def batch(self, record: Record, layout: Layout, memory: Any) -> Batch:
        made = Batch.lent(record, layout, memory, self.tensor, self.torch.from_numpy, cut=layout.cut(record, memory))
        for name in made:  # all of them, 20 us, since torch.compile cannot follow how they are made
            made[name]
        return made


class TorchPieces:
    """The columns of a batch as views of one tensor of bytes, which holds a whole slot's on a device."""

    def __init__(self, torch: Any, device: Any) -> None:
        self.torch, self.device = torch, device
        self._kinds = {"i16": torch.int16, "i32": torch.int32, "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}

    def tensor(self, field: Field, whole: Any, cut: Optional[Cut] = None) -> Any:
        t = turn(whole[field.offset : field.offset + field.bytes].view(self._kinds[field.dtype]).view(field.shape), field, cut)
        return t.long() if field.wide else t

    def mask(self, valid: np.ndarray) -> Any:
        return self.torch.from_numpy(valid).to(self.device, non_blocking=True)

    def batch(self, record: Record, layout: Layout, whole: Any, slot: Any = None, cut: Optional[Cut] = None) -> Batch:
        return Batch.lent(record, layout, whole, self.tensor, self.mask, slot, cut)


class TorchDeviceForm(TorchForm):
    """Tensors of torch in memory of their own, on any device: one copy a batch.

    On CUDA the copies run on a stream of their own, from memory that is pinned once. The slot
    goes back when the copy is done, not when the tensors die.

    torch asks for events and memory in the thread's own capture mode: while another thread captures
    a CUDA graph in the mode global, that is refused and breaks the capture. Other modes allow it.
    """

    def __init__(self, device: Any) -> None:
        super().__init__()
        self.device = self.torch.device(device)
        self.pieces = TorchPieces(self.torch, self.device)
        self.cuda = self.device.type == "cuda"
        self.stream = self.torch.cuda.Stream(self.device) if self.cuda else None
        self.copying: Any = collections.deque()  # (event, memory) of copies that may not be done
        self.ahead = _AHEAD if self.cuda else 0

    def ready(self, arena: Any) -> None:
        """Pins the arena, so that copies from it need no CPU thread."""
        if not self.cuda or getattr(arena, "pinned", None) is False:
            return
        try:
            from .cuda import pin
            ordinal = self.torch.cuda.current_device() if self.device.index is None else self.device.index
            if getattr(arena, "pinned", None) is None:
                arena.pinned = pin(arena.address, len(arena.map), ordinal, keep=arena.map)
            arena.pinned.copied_on(self.stream.cuda_stream, ordinal)
        except Exception as e:  # whatever the driver says: it works without, more slowly
            arena.pinned = False
            warnings.warn("the feeder's memory cannot be pinned, copies to %s will be slower: %s" % (self.device, e), stacklevel=2)

    def refuse_capture(self) -> None:
        """Raises FeederError where the current stream is captured: a copy's event cannot be asked or waited for there."""
        if not self.cuda:
            return
        with self.torch.cuda.device(self.device):  # whose current stream is asked about
            if self.torch.cuda.is_current_stream_capturing():
                raise FeederError(CAPTURED, "request")

    def send(self, record: Record, layout: Layout, memory: Any) -> Any:
        """Starts copying a slot."""
        torch, cut = self.torch, layout.cut(record, memory)
        host = torch.frombuffer(memory, dtype=torch.uint8, count=layout.bytes)
        if not self.cuda:
            there = torch.empty(layout.bytes, dtype=torch.uint8, device=self.device)
            there.copy_(host)
            return there, None, cut
        with torch.cuda.stream(self.stream):
            there = torch.empty(layout.bytes, dtype=torch.uint8, device=self.device)
            there.copy_(host, non_blocking=True)
            event = torch.cuda.Event()
            event.record(self.stream)
        self.copying.append((event, host))
        self.reap()
        return there, event, cut

    def reap(self) -> None:
        """Lets go of the slots whose copies are done."""
        while self.copying and (self.copying[0][0].query() or len(self.copying) > 2 * _AHEAD):
            event, _ = self.copying.popleft()
            event.synchronize()

    def take(self, sent: Any, record: Record, layout: Layout) -> Batch:
        """The batch of a copy, in order on the stream that trains."""
        there, event, cut = sent
        if event is not None:
            now = self.torch.cuda.current_stream(self.device)
            now.wait_event(event)
            there.record_stream(now)
        return self.pieces.batch(record, layout, there, cut=cut)


class TensorflowForm:
    """Tensors of TensorFlow, which share the slot's memory unless a device of its own is named.

    TensorFlow keeps the host's tensor, and with it the slot, until a copy to a device is done.
    """

    taken_ahead = False  # by threads, before the loop asks
    def __init__(self, device: Optional[str] = None) -> None:
        try:
            import tensorflow
        except ImportError as e:
            raise _missing("tensorflow", e) from None
        self.tf, self.device = tensorflow, device

    def tensor(self, field: Field, memory: Any, cut: Optional[Cut] = None) -> Any:
        a = np.ascontiguousarray(field.bits(memory, cut))  # it has no views of other strides
        t = self.tf.experimental.dlpack.from_dlpack(a.__dlpack__())
        if field.dtype == "bf16":
            t = self.tf.bitcast(t, self.tf.bfloat16)
        return self.there(t)

    def there(self, t: Any) -> Any:
        if self.device is None:
            return t
        with self.tf.device(self.device):
            return self.tf.identity(t)

    def mask(self, valid: np.ndarray) -> Any:
        return self.there(self.tf.constant(valid))

    def batch(self, record: Record, layout: Layout, memory: Any) -> Batch:
        return Batch.lent(record, layout, memory, self.tensor, self.mask, cut=layout.cut(record, memory))


class JaxForm:
    """Arrays of JAX, which share the slot's memory unless another device is named.

    JAX keeps the host's memory, and with it the slot, until a copy to a device is done.
    """

    def __init__(self, device: Any = None) -> None:
        try:
            import jax
        except ImportError as e:
            raise _missing("jax", e) from None
        _tree(jax.tree_util, "register_pytree_node", flat, unflat)
        self.jax, self.host = jax, jax.devices("cpu")[0]
        if isinstance(device, str):
            kind, _, at = device.partition(":")
            device = jax.devices(kind)[int(at or 0)]
        self.device = device

    def tensor(self, field: Field, memory: Any, cut: Optional[Cut] = None) -> Any:
        # Not by DLPack: its deleter takes Python's lock in a thread of JAX's own, which at the end of the
        # process ends the process by an error. JAX hands references that it held back to Python's threads.
        if field.wide and not self.jax.config.jax_enable_x64:
            raise FeederError('tokens="int64": JAX has no int64 unless jax.config.update("jax_enable_x64", True) was called at the start; its embeddings take int32', "request")
        return self.there(self.jax.device_put(field.numpy(memory, cut), self.host))

    def there(self, x: Any) -> Any:
        return x if self.device is None or self.device == self.host else self.jax.device_put(x, self.device)

    def mask(self, valid: np.ndarray) -> Any:
        return self.there(self.jax.device_put(valid, self.host))

    def batch(self, record: Record, layout: Layout, memory: Any) -> Batch:
        return Batch.lent(record, layout, memory, self.tensor, self.mask, cut=layout.cut(record, memory))
