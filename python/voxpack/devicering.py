"""Batches in the memory of a GPU that the feeder fills: the device ring of docs/protocol.md.

The feeder copies, this process opens its memory by CUDA IPC, and tensors lie in it without a copy.
A slot goes back when nothing in Python or in a framework has it any more, and after the work that
this process has queued on the GPU by then: an event says so, which the feeder waits for.

That nothing has a slot is looked at where the next batch is asked for, in the thread that does it.
The slot then waits for the work of its current stream, of the default stream, and of every stream
that was current when a batch of this ring was taken or went back. A stream that is none of these
has to be named by Batch.record_stream. Tensor.record_stream of torch does nothing here: it is for
memory of torch's own allocator, and this memory is the feeder's.

The memory is the feeder's. Views stay good while one is alive, also after close(), since the
connection is kept for them; when the feeder is gone, what they show is undefined.
"""

import base64
import collections
import ctypes
import sys
import threading
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from . import cuda, wire
from .batch import Batch, Field, Layout, Record
from .cuda import number
from .dlpack import CUDA, Exports
from .errors import FeederError
from .forms import CAPTURED
from .shared import Memory
from .stream import Stream, _Returns

_UNKNOWN, _LEGACY, _PER_THREAD = -1, 1, 2  # numbers that are no stream's; the last two are DLPack's for the default ones
_AGAIN = 0.05  # seconds between two looks for views that outlive a close
_CAPTURES = (900, 901, 906)  # what calls answer that a capture forbids; the GPU is sound


class Slot:
    """A slot that this process has; when nobody has this object, its batch goes back."""

    __slots__ = ("ring", "address", "record", "seq", "index", "streams")

    def __init__(self, ring: "_Ring", index: int, record: int, seq: int):
        self.ring, self.index, self.record, self.seq = ring, index, record, seq
        self.address = ring.address + index * ring.slot_bytes
        self.streams: Any = set()  # that consumers said they would read it on

    def __del__(self) -> None:
        self.ring.gone.append((self.index, self.record, self.seq, self.streams))  # one step, for any thread

    def record_stream(self, stream: Any) -> None:
        """Have the slot wait for the work that stream has been given when the batch goes back."""
        self.streams.add(number(stream))

    def array(self, dtype: str, shape: Tuple[int, ...], offset: int = 0) -> "DeviceArray":
        """A part of the slot: offset and shape are for the caller to know."""
        return DeviceArray(self, dtype, shape, offset)


class DeviceArray:
    """An array in the GPU's memory, for frameworks: __dlpack__ and __cuda_array_interface__.

    ``shape``, ``dtype`` (i16, i32, f16, bf16, f32 or u8), ``nbytes``, ``address``. ``numpy()`` is a copy on the host.
    """

    __slots__ = ("slot", "dtype", "shape", "address", "__weakref__")

    def __init__(self, slot: Slot, dtype: str, shape: Tuple[int, ...], offset: int):
        self.slot, self.dtype, self.shape, self.address = slot, dtype, tuple(shape), slot.address + offset

    @property
    def nbytes(self) -> int:
        n = {"u8": 1, "i16": 2, "f16": 2, "bf16": 2}.get(self.dtype, 4)
        for d in self.shape:
            n *= d
        return n

    def __dlpack_device__(self) -> Tuple[int, int]:
        return CUDA, self.slot.ring.device.ordinal

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Optional[bool] = None) -> Any:
        """A capsule. The batch was complete before it was handed out: stream, on which it will be read, has to wait for nothing."""
        where = self.__dlpack_device__()
        if copy or dl_device is not None and tuple(dl_device) != where:
            raise BufferError("a batch of the device ring is lent where it is, on GPU %d; copy it there first" % where[1])
        ring = self.slot.ring
        if stream is not None and int(stream) not in (_UNKNOWN, _PER_THREAD):
            with ring.device.use():
                if cuda.capturing(int(stream)):
                    raise BufferError(CAPTURED)
        self.slot.streams.add(_UNKNOWN if stream is None else int(stream))
        versioned = max_version is not None and max_version[0] >= 1
        return ring.exports.capsule(self, self.address, where, self.dtype, self.shape, versioned)

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        kind = {"u8": "|u1", "i16": "<i2", "i32": "<i4", "f16": "<f2", "f32": "<f4"}.get(self.dtype)
        if kind is None:
            raise AttributeError("the CUDA array interface has no %s; DLPack has" % self.dtype)
        self.slot.streams.add(_UNKNOWN)  # nobody says on which it will be read
        return {"version": 3, "shape": self.shape, "typestr": kind, "data": (self.address, False), "strides": None, "stream": None}

    def numpy(self) -> np.ndarray:
        """A copy on the host; bf16 as uint16."""
        kind = {"u8": "u1", "i16": "<i2", "i32": "<i4", "f16": "<f2", "f32": "<f4", "bf16": "<u2"}[self.dtype]
        a = np.empty(self.shape, kind)
        with self.slot.ring.device.use():
            cuda.call("cuMemcpyDtoH_v2", a.ctypes.data, self.address, a.nbytes)
        return a

    def __repr__(self) -> str:
        return "DeviceArray(%s, %s, GPU %d)" % (self.dtype, self.shape, self.slot.ring.device.ordinal)


class _Ring:
    """The feeder's memory on the GPU, and what this process has of it."""

    def __init__(self, told: dict, device: cuda.Device, current: Optional[Callable[[], int]]):
        self.device, self.current, self.slot_bytes = device, current, told["slot_bytes"]
        self.exports, self.gone = Exports(), collections.deque()  # type: Any, Any
        self.seen = {0}  # streams on which any batch of this ring may be read: the default one, and those that were current
        self.events: List[int] = []  # by slot; none: the GPU shares no events
        self.joints: Dict[Tuple[int, int], int] = {}  # events of this process, by slot and number
        self.side = 0  # a stream that waits for others
        self.address = 0
        with device.use():
            memory = ctypes.c_uint64()
            cuda.call("cuIpcOpenMemHandle_v2", ctypes.byref(memory), _handle(told["memory"]), 1)
            self.address = memory.value
            try:
                for text in told["consumed"] or ():
                    event = ctypes.c_void_p()
                    cuda.call("cuIpcOpenEventHandle", ctypes.byref(event), _handle(text))
                    self.events.append(event.value or 0)
            except BaseException:
                self.end()
                raise

    def capturing(self) -> bool:
        """Whether a CUDA graph is captured on a stream that a slot which nobody has any more waits for: an event that is
        recorded there would be the graph's, and the feeder would take the slot's last record for this one."""
        streams = self.seen.union(*(streams for _, _, _, streams in list(self.gone)))
        return any(cuda.capturing(s) for s in streams if s not in (_UNKNOWN, _PER_THREAD))

    def refuse_capture(self) -> None:
        """Raises FeederError where the current stream is captured: the graph would read a slot at each of its runs."""
        if self.current is not None:
            with self.device.use():
                if cuda.capturing(self.current()):
                    raise FeederError(CAPTURED, "request")

    def note(self) -> None:
        """Remembers the current stream. A prefetcher takes batches under one stream and trains under another,
        which may never be current here again."""
        if self.current is not None:
            self.seen.add(self.current())

    def record(self, slot: int, streams: Any) -> None:
        """Records the slot's event after the work that its streams and those of the ring were given."""
        if self.current is None or _UNKNOWN in streams or _PER_THREAD in streams:
            cuda.call("cuCtxSynchronize")  # nobody knows which streams
            return
        now = self.current()
        self.seen.add(now)
        streams = {0 if s == _LEGACY else s for s in streams} | self.seen
        if self.events and len(streams) == 1:
            cuda.call("cuEventRecord", self.events[slot], now)
            return
        for i, s in enumerate(streams):
            try:
                self.join(slot, i, s)
            except cuda.CudaError as e:
                if s == now or e.code not in cuda.GONE:
                    raise
                cuda.call("cuCtxSynchronize")  # its work may still run, and no event can be recorded after it
                self.seen.discard(s)
        if self.events:
            cuda.call("cuEventRecord", self.events[slot], self.side)

    def join(self, slot: int, i: int, stream: int) -> None:
        """Has what is recorded for a slot wait for a stream, its i-th one."""
        if not self.events:
            cuda.call("cuStreamSynchronize", stream)
            return
        # None of them shall wait for another: a stream of our own does.
        if not self.side:
            self.side = _made("cuStreamCreateWithPriority", 1, 0)  # 1: CU_STREAM_NON_BLOCKING
        if (slot, i) not in self.joints:
            self.joints[slot, i] = _made("cuEventCreate", 2)  # CU_EVENT_DISABLE_TIMING
        cuda.call("cuEventRecord", self.joints[slot, i], stream)
        cuda.call("cuStreamWaitEvent", self.side, self.joints[slot, i], 0)

    def end(self) -> None:
        """Closes what was opened, after the work on slots; of those given back their events say when it is done. An error
        leaves the rest open. Where streams are known it waits for no other work, as a capture may be among that."""
        with self.device.use():
            while self.gone:
                slot, _, _, streams = self.gone.popleft()
                self.record(slot, streams)
            for event in self.events:
                cuda.call("cuEventSynchronize", event)
            for event in [*self.events, *self.joints.values()]:
                cuda.call("cuEventDestroy_v2", event)
            self.events, self.joints = [], {}
            if self.side:
                cuda.call("cuStreamDestroy_v2", self.side)
                self.side = 0
            if self.address:
                cuda.call("cuIpcCloseMemHandle", self.address)
                self.address = 0


def _handle(text: str) -> cuda.Handle:
    return cuda.Handle.from_buffer_copy(base64.b64decode(text))


def _made(name: str, *args: int) -> int:
    made = ctypes.c_void_p()
    cuda.call(name, ctypes.byref(made), *args)
    return made.value or 0


class _DeviceReturns(_Returns):
    """Gives slots back after the work on them."""

    def __init__(self, ring: Memory, there: _Ring):
        super().__init__(ring)
        self.there, self.one = there, threading.Lock()
        self.failed: Optional[cuda.CudaError] = None

    def look(self) -> bool:
        """Gives back the slots that nobody has any more, and returns whether that has to wait for the end of a capture.
        After an error none goes back, since its memory may be in use."""
        if self.failed is not None:
            raise self.failed
        with self.one:
            there = self.there
            there.exports.dead()
            if not there.gone:
                return False
            try:
                with there.device.use():
                    if there.capturing():
                        return True
                    while there.gone:
                        slot, record, seq, streams = there.gone[0]
                        there.record(slot, streams)
                        there.gone.popleft()  # its streams were waited for
                        self.give_back(record, seq)
            except cuda.CudaError as e:
                if e.code not in _CAPTURES:
                    self.failed = e
                raise
        return False


def gpu(wanted: Any) -> Dict[str, Any]:
    """How a request names a GPU: a number of this process, a uuid, a bus, or such a dict already."""
    if isinstance(wanted, int):
        return {"uuid": cuda.device(wanted).uuid}
    if isinstance(wanted, str):
        return {"uuid": wanted} if wanted.startswith(("GPU-", "MIG-")) else {"bus": wanted}
    return dict(wanted)


class DeviceStream(Stream):
    """The batches of one start, in the memory of a GPU.

    device   the GPU's number in this process
    current  gives the stream, as a number, on which this thread's work is queued now: for torch,
             lambda: torch.cuda.current_stream(device).cuda_stream. None: a batch goes back when all
             that the GPU was given by this process is done, which makes the thread wait for it

    The request may have data_gpu, as gpu() takes it, for the way by another GPU, and gpu_batches,
    how many batches lie on the GPU: 3 unless it is said, of which one is filled and one ready.
    take() hands out a Slot in place of host memory.
    """

    def __init__(self, sock: Any, request: dict, died: Callable[[], str], device: int = 0, current: Optional[Callable[[], int]] = None):
        self._there: Optional[_Ring] = None
        self.socket = sock
        try:
            self._device, self._current = cuda.device(device), current
            request = dict(request, transport="device", gpu={"uuid": self._device.uuid})
            if request.get("data_gpu") is not None:
                request["data_gpu"] = gpu(request["data_gpu"])
        except BaseException:
            self.close()
            raise
        super().__init__(sock, request, died)
        assert self._there is not None
        self._returns: _DeviceReturns = _DeviceReturns(self.ring, self._there)

    def _map(self, fds: List[int]) -> None:
        self.ring = Memory(fds, self.started["ring_bytes"])
        self._there = _Ring(self.started["device"], self._device, self._current)

    def _lend(self, slot: int, record: int, seq: int) -> Slot:
        assert self._there is not None
        self._there.note()
        return Slot(self._there, slot, record, seq)

    def _wait(self) -> Optional[int]:
        if wire.forks[0] == self._returns.forks and self.socket is not None and self._there is not None:
            self._there.refuse_capture()
            self._returns.look()
        return super()._wait()

    def _hoarded(self, since: Optional[float]) -> Optional[float]:
        if self._returns.look():
            return None  # what is waited for is a capture, and not somebody's tensors
        try:
            return super()._hoarded(since)
        except FeederError as e:
            if e.kind != "held":
                raise
            raise FeederError("all %d batches on the GPU are held by tensors that are still alive: delete them, copy what is to be kept, or give gpu_batches=%d"
                              % (self.slots, 2 * self.slots), "held") from None

    def leave(self) -> None:
        """Close the connection; the feeder frees its memory when no view is alive, which may be long."""
        self.close()

    def close(self, finalizing: Callable[[], bool] = sys.is_finalizing, wait: bool = True) -> None:
        """Close the connection as soon as no view is alive: their memory is the feeder's. wait: for the work on slots,
        here; else a thread does it."""
        if finalizing():
            return  # the feeder sees the end of the process
        sock, there = self.socket, self._there
        self.socket = self._there = None
        if sock is None:
            return
        returns = getattr(self, "_returns", None)
        if there is None or not isinstance(returns, _DeviceReturns):
            if there is not None:
                there.end()
            sock.close()
            return
        if wire.forks[0] != returns.forks:
            return  # a fork's copy
        if wait and _let_go(sock, there, returns):
            return
        try:
            threading.Thread(target=_let_go_later, args=(sock, there, returns), daemon=True, name="voxpack-views").start()
        except RuntimeError:
            pass  # the process ends, which the feeder sees

    def __del__(self) -> None:
        self.close(wait=False)  # in any thread, in the middle of anything


def _let_go(sock: Any, there: _Ring, returns: _DeviceReturns) -> bool:
    """Says goodbye if no view is alive and no capture in the way, and returns whether it was so."""
    with returns.one:
        there.exports.dead()
    if returns.lent - returns.came > len(there.gone):
        return False
    try:
        with there.device.use():
            if there.capturing():
                return False
        there.end()
        wire.send(sock, {"type": "bye"})
    except FeederError:
        pass  # without a word, the feeder waits for the end of this process
    sock.close()
    return True


def _let_go_later(sock: Any, there: _Ring, returns: _DeviceReturns) -> None:
    while wire.forks[0] == returns.forks and not _let_go(sock, there, returns):
        time.sleep(_AGAIN)


class _RingForm:
    """A form of batches on a GPU of this process, by its number; data_gpu is that on the way, if there is one.
    gpu_memory is how many MB the feeder takes on each at most, cache auto, on or off."""

    def __init__(self, device: int = 0, data_gpu: Optional[int] = None, gpu_memory: Optional[int] = None, cache: str = "auto") -> None:
        self.ordinal, self.data_gpu, self.room = device, data_gpu, {"gpu_memory": gpu_memory, "cache": cache}

    @property
    def transport(self) -> Tuple[Any, ...]:
        """The key of a form: two forms with the same one read the same stream."""
        return "device", self.ordinal, self.data_gpu, *self.room.values()

    current: Any = None

    def stream(self, sock: Any, request: dict, died: Callable[[], str]) -> "DeviceStream":
        """The stream of such batches."""
        request = dict(request, **{key: value for key, value in self.room.items() if value is not None})
        if self.data_gpu is not None:
            request["data_gpu"] = self.data_gpu
        return DeviceStream(sock, request, died, self.ordinal, self.current)


class ArrayForm(_RingForm):
    """Batches of DeviceArray."""

    def tensor(self, field: Field, slot: Slot, _: Any = None) -> DeviceArray:
        return slot.array(field.dtype, field.shape, field.offset)

    def batch(self, record: Record, layout: Layout, slot: Slot) -> Batch:
        return Batch.lent(record, layout, slot, self.tensor, lambda valid: valid)


class TorchRingForm(_RingForm):
    """Batches of torch's tensors in the ring: one DLPack a batch, of which all columns are views."""

    def __init__(self, device: Any, data_gpu: Optional[int] = None, gpu_memory: Optional[int] = None, cache: str = "auto") -> None:
        from .forms import TorchForm, TorchPieces
        self.torch = torch = TorchForm().torch
        self.device = torch.device(device)
        if self.device.type != "cuda":
            raise FeederError("transport=\"device\" is for GPUs, as in device=\"cuda:0\"; %s is none" % self.device, "request")
        super().__init__(torch.cuda.current_device() if self.device.index is None else self.device.index, data_gpu, gpu_memory, cache)
        self.pieces = TorchPieces(torch, self.device)

    def stream(self, sock: Any, request: dict, died: Callable[[], str]) -> "DeviceStream":
        """The stream of such batches."""
        if not self.torch.cuda.is_available():
            sock.close()
            raise FeederError("torch sees no GPU here: transport=\"host\" needs none", "request")
        return super().stream(sock, request, died)

    def current(self) -> int:
        """What DeviceStream asks for."""
        return int(self.torch.cuda.current_stream(self.ordinal).cuda_stream)

    def batch(self, record: Record, layout: Layout, slot: Slot) -> Batch:
        return self.pieces.batch(record, layout, self.whole(slot, layout.bytes), slot)

    def whole(self, slot: Slot, size: int) -> Any:
        """The slot as bytes."""
        return self.torch.from_dlpack(slot.array("u8", (size,)))
