"""What a consumer asks of NVIDIA's driver: the few calls of libcuda.so.1, by ctypes.

Nothing is loaded before the first call. The context is the process's primary one, which torch,
JAX and TensorFlow use too; it is kept until the process ends.
"""

import ctypes
import os
import threading
import time
import weakref
from typing import Any, Dict, List, Optional, Set, Tuple

from .errors import FeederError

_AGAIN = 0.05  # seconds between two looks whether a capture has ended
_PLACES = ("libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1")

_int, _uint, _size, _pointer, _device_pointer, _text = (
    ctypes.c_int, ctypes.c_uint, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_char_p)


class Handle(ctypes.Structure):
    """The name of memory or of an event for another process, which goes by value."""

    _fields_ = [("bytes", ctypes.c_ubyte * 64)]


# The calls as the library exports them; the documentation leaves the suffix out.
_CALLS: Dict[str, Any] = {
    "cuInit": (_uint,),
    "cuGetErrorName": (_int, _pointer),
    "cuDeviceGetCount": (_pointer,),
    "cuDeviceGet": (_pointer, _int),
    "cuDeviceGetName": (_text, _int, _int),
    "cuDeviceGetPCIBusId": (_text, _int, _int),
    "cuDeviceGetUuid_v2": (_text, _int),
    "cuDevicePrimaryCtxRetain": (_pointer, _int),
    "cuCtxGetCurrent": (_pointer,),
    "cuCtxSetCurrent": (_pointer,),
    "cuCtxSynchronize": (),
    "cuStreamCreateWithPriority": (_pointer, _uint, _int),
    "cuStreamDestroy_v2": (_pointer,),
    "cuStreamSynchronize": (_pointer,),
    "cuStreamWaitEvent": (_pointer, _pointer, _uint),
    "cuStreamIsCapturing": (_pointer, _pointer),
    "cuThreadExchangeStreamCaptureMode": (_pointer,),
    "cuEventCreate": (_pointer, _uint),
    "cuEventDestroy_v2": (_pointer,),
    "cuEventRecord": (_pointer, _pointer),
    "cuEventSynchronize": (_pointer,),
    "cuIpcOpenMemHandle_v2": (_pointer, Handle, _uint),
    "cuIpcCloseMemHandle": (_device_pointer,),
    "cuIpcOpenEventHandle": (_pointer, Handle),
    "cuMemHostRegister_v2": (_pointer, _size, _uint),
    "cuMemHostUnregister": (_pointer,),
    "cuMemcpyDtoH_v2": (_pointer, _device_pointer, _size),
    "cuMemcpyDtoHAsync_v2": (_pointer, _device_pointer, _size, _pointer),
}

# What the codes that a user can do something about are called, and what that is.
_CODES = {
    1: ("CUDA_ERROR_INVALID_VALUE", ""),
    2: ("CUDA_ERROR_OUT_OF_MEMORY", "take a smaller batch, fewer batches ahead, or end what else uses the memory"),
    3: ("CUDA_ERROR_NOT_INITIALIZED", "CUDA cannot be used in a child of a process that used it: start it by spawn"),
    34: ("CUDA_ERROR_STUB_LIBRARY", "this libcuda.so.1 is a toolkit's stub; take its folder out of LD_LIBRARY_PATH"),
    46: ("CUDA_ERROR_DEVICE_UNAVAILABLE", "another process has the GPU for itself; nvidia-smi -c 0 sets the compute mode in which processes share it"),
    100: ("CUDA_ERROR_NO_DEVICE", "no GPU is visible: see nvidia-smi, and CUDA_VISIBLE_DEVICES"),
    101: ("CUDA_ERROR_INVALID_DEVICE", "there is no such GPU: see CUDA_VISIBLE_DEVICES"),
    201: ("CUDA_ERROR_INVALID_CONTEXT", ""),
    205: ("CUDA_ERROR_MAP_FAILED", ""),
    304: ("CUDA_ERROR_OPERATING_SYSTEM", ""),
    400: ("CUDA_ERROR_INVALID_HANDLE", ""),
    700: ("CUDA_ERROR_ILLEGAL_ADDRESS", "a kernel of this process failed; only a new process can use the GPU again"),
    709: ("CUDA_ERROR_CONTEXT_IS_DESTROYED", ""),
    712: ("CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "it is pinned already"),
    713: ("CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", ""),
    719: ("CUDA_ERROR_LAUNCH_FAILED", "a kernel of this process failed; only a new process can use the GPU again"),
    801: ("CUDA_ERROR_NOT_SUPPORTED", "this GPU, its driver or its virtual machine cannot do it"),
    802: ("CUDA_ERROR_SYSTEM_NOT_READY", "the GPUs' fabric manager does not run"),
    803: ("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "the driver was updated: restart the machine"),
    900: ("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "a CUDA graph is being captured, and this call would wait for it: make it outside of the capture"),
    901: ("CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "an earlier call broke the capture of a CUDA graph"),
    906: ("CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "a CUDA graph is being captured on a stream that the default stream waits for: make this call outside of the capture"),
}


GONE = (400, 709)  # what calls answer about a stream that was destroyed


# What the calls that open another process's memory answer where the two do not see each other. Which one it is
# depends on the driver.
_APART = (1, 201, 205, 304, 400)
_TOGETHER = ("the memory of the feeder, which is another process, cannot be opened here: in containers both need the same PID and IPC namespace "
             "(--pid=host --ipc=host, or one container); transport=\"host\" needs neither")


class CudaError(FeederError):
    """The driver refused a call. ``call``, ``code`` (0: the call was not made)."""

    def __init__(self, call: str, code: int, why: str = ""):
        name, hint = _CODES.get(code, ("", ""))
        name = name or _name(code)
        text = "%s: %s (%d)" % (call, name, code) if code else call
        if call.startswith("cuIpcOpen") and code in _APART:
            hint = _TOGETHER
        why = why or hint
        super().__init__(text + ("; " + why if why else ""), "gpu")
        self.call, self.code = call, code


def _name(code: int) -> str:
    """The driver's name for an error code."""
    name = ctypes.c_char_p()
    if code and _library is not None and _library.cuGetErrorName(code, ctypes.byref(name)) == 0 and name.value:
        return name.value.decode()
    return "CUDA error"


_library: Any = None
_bound: Dict[str, Any] = {}  # its functions, by name; none in a child of a process that started it
_loading = threading.Lock()


def library() -> Any:
    """The initialised driver; CudaError if there is none."""
    global _library
    if _bound:
        return _library
    with _loading:
        if _library is not None and not _bound:
            raise CudaError("cuInit", 3)
        if _library is None:
            _library = _load()
            _bound.update((name, getattr(_library, name)) for name in _CALLS)
        return _library


os.register_at_fork(after_in_child=_bound.clear)


def _load() -> Any:
    lib, why = None, ""
    for place in _PLACES:
        try:
            lib = ctypes.CDLL(place)  # the GIL is given up while a call lasts
            break
        except OSError as e:
            why = why or str(e)
    if lib is None:
        raise CudaError("libcuda.so.1", 0, "there is no NVIDIA driver here (%s)" % why)
    for name, args in _CALLS.items():
        try:
            call = getattr(lib, name)
        except AttributeError:
            raise CudaError("libcuda.so.1", 0, "it has no %s: the NVIDIA driver is too old, 470 is the first that serves" % name) from None
        call.argtypes, call.restype = args, ctypes.c_int
    code = lib.cuInit(0)
    if code:
        raise CudaError("cuInit", code)
    return lib


def call(name: str, *args: Any) -> None:
    """One call of the driver; CudaError where it is refused."""
    function = _bound.get(name) or getattr(library(), name)
    code = function(*args)
    if code:
        raise CudaError(name[:-3] if name.endswith("_v2") else name, code)


class Current:
    """Makes a context current for a block: with Current(context): …

    Calls inside are no part of a CUDA graph that somebody captures, and by the relaxed mode of this thread they break
    none; what waits for a captured stream breaks its capture in any mode.
    """

    __slots__ = ("context", "before", "mode")

    def __init__(self, context: int):
        self.context, self.mode = context, ctypes.c_int(2)  # CU_STREAM_CAPTURE_MODE_RELAXED

    def __enter__(self) -> None:
        self.before = current()
        if self.before != self.context:
            call("cuCtxSetCurrent", self.context)
        call("cuThreadExchangeStreamCaptureMode", ctypes.byref(self.mode))  # which then is the thread's

    def __exit__(self, *_: Any) -> None:
        call("cuThreadExchangeStreamCaptureMode", ctypes.byref(self.mode))
        if self.before != self.context:
            call("cuCtxSetCurrent", self.before)


def current() -> int:
    """The context of this thread, 0 where it has none."""
    context = ctypes.c_void_p()
    call("cuCtxGetCurrent", ctypes.byref(context))
    return context.value or 0


def capturing(stream: int) -> bool:
    """Whether a CUDA graph is being captured on a stream of the current context: work on it now would become the
    graph's. It is so for the default stream too while one that it waits for is captured."""
    status = ctypes.c_int()
    try:
        call("cuStreamIsCapturing", stream, ctypes.byref(status))
    except CudaError as e:
        if e.code in GONE:
            return False
        if e.code == 906:
            return True
        raise
    return status.value != 0


def number(stream: Any) -> int:
    """A stream as the driver's number of it. stream: torch's, one with __cuda_stream__ (CuPy and others), or the number."""
    if hasattr(stream, "cuda_stream"):
        return int(stream.cuda_stream)
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    if isinstance(stream, int) and not isinstance(stream, bool):
        return stream
    raise FeederError("%r is not a CUDA stream: want a torch.cuda.Stream, an object with __cuda_stream__, or the stream's number" % (stream,), "request")


class Device:
    """A GPU by its number in this process: ``name``, ``uuid`` as nvidia-smi spells it, ``bus`` as sysfs
    does. ``use()`` is for with: calls inside are the GPU's.
    """

    def __init__(self, ordinal: int):
        number, text = ctypes.c_int(), ctypes.create_string_buffer(256)
        self.ordinal = ordinal
        call("cuDeviceGet", ctypes.byref(number), ordinal)
        call("cuDeviceGetName", text, 256, number)
        self.name = text.value.decode()
        call("cuDeviceGetPCIBusId", text, 256, number)
        self.bus = text.value.decode().lower()
        call("cuDeviceGetUuid_v2", text, number)
        u = text.raw[:16].hex()
        self.uuid = "GPU-%s-%s-%s-%s-%s" % (u[:8], u[8:12], u[12:16], u[16:20], u[20:])
        self._number, self._context = number, 0

    @property
    def context(self) -> int:
        """The primary context, which is created if nobody has created it."""
        if not self._context:
            context = ctypes.c_void_p()
            call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self._number)
            self._context = context.value or 0
        return self._context

    def use(self) -> Current:
        return Current(self.context)

    def __repr__(self) -> str:
        return "Device(%d, %s, %s)" % (self.ordinal, self.name, self.uuid)


_devices: Dict[int, Device] = {}


def device(ordinal: int) -> Device:
    """The GPU with this number in this process; CudaError if there is none."""
    library()
    if ordinal not in _devices:
        _devices[ordinal] = Device(ordinal)
    return _devices[ordinal]


def devices() -> List[Device]:
    """All GPUs that this process can see."""
    n = ctypes.c_int()
    call("cuDeviceGetCount", ctypes.byref(n))
    return [device(i) for i in range(n.value)]


class Pinned:
    """Host memory that is page-locked until close, or until this object is collected."""

    def __init__(self, address: int, size: int, context: int, keep: Any):
        self.address, self.size = address, size
        self._streams: Set[Tuple[int, int]] = set()  # each with its context
        self._what = address, context, keep, self._streams
        # Garbage is collected in any thread, in the middle of anything: nothing may wait there.
        self._end = weakref.finalize(self, _unpin_later, *self._what)
        self._end.atexit = False  # a process that ends has nothing pinned

    def copied_on(self, stream: int, ordinal: int) -> None:
        """Says that a stream of a GPU copies from this memory: the lock ends after its work. While nobody says it, the
        end waits for all that the GPU does, which breaks captures of CUDA graphs."""
        self._streams.add((device(ordinal).context, stream))

    def close(self) -> None:
        """Unlock the memory after the copies that are under way. If a CUDA graph is being captured on their streams, a
        thread does it after the capture, which may be the caller's own."""
        if self._end.detach() is not None:
            what, self._what = self._what, None
            (_unpin_later if _captured(self._streams) else _unpin)(*what)


def pin(address: int, size: int, device: Optional[int] = None, keep: Any = None) -> Pinned:
    """Page-locks host memory that is mapped already, for copies from all GPUs of this process.

    device is needed only where the thread has used no GPU yet: 0 unless it is said. keep is held
    until the lock has ended: what the memory is mapped by, which must not be unmapped before.
    """
    library()
    context = current() if device is None else 0
    context = context or globals()["device"](device or 0).context
    portable = 1  # CU_MEMHOSTREGISTER_PORTABLE
    with Current(context):
        try:
            call("cuMemHostRegister_v2", address, size, portable)
        except CudaError as e:
            if e.code in (1, 2, 304):  # drivers say any of them where there is no memory
                raise CudaError(e.call, e.code, "%.1f MB of host memory cannot be pinned; end what else has memory pinned, or take fewer batches ahead" % (size / 1e6)) from None
            raise
    return Pinned(address, size, context, keep)


def _captured(streams: Set[Tuple[int, int]]) -> bool:
    """Whether a CUDA graph is being captured on one of these."""
    if not _bound:
        return False
    for its, stream in streams:
        with Current(its):
            if capturing(stream):
                return True
    return False


def _unpin(address: int, context: int, keep: Any, streams: Set[Tuple[int, int]]) -> None:
    if not _bound:
        return  # a fork's copy: the lock is the parent's
    for its, stream in streams:
        with Current(its):
            while capturing(stream):
                time.sleep(_AGAIN)
            try:
                call("cuStreamSynchronize", stream)
            except CudaError as e:
                if e.code not in GONE:
                    raise
                call("cuCtxSynchronize")  # its copies may still run
    with Current(context):
        if not streams:
            call("cuCtxSynchronize")  # nobody knows which
        call("cuMemHostUnregister", address)


def _unpin_later(*what: Any) -> None:
    if not _bound:
        return
    try:
        threading.Thread(target=_unpin, args=what, daemon=True, name="voxpack-unpin").start()
    except RuntimeError:
        pass  # the process ends, and has nothing pinned then
