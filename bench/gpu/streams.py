"""Streams of a consumer: what is held back on them, what is captured, and what a ring does meanwhile."""

import ctypes
import gc
import mmap
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))

import kernels
from voxpack import Dataset, FeederError, cuda
from voxpack.devicering import ArrayForm, DeviceStream
from voxpack.stream import _PUBLISHED

LONG, SHORT = 20.0, 0.3  # seconds: for what has to happen, and for what must not
MODES = {"global": 0, "thread-local": 1, "relaxed": 2}


def made(name, *args):
    value = ctypes.c_void_p()
    with cuda.device(0).use():
        cuda.call(name, ctypes.byref(value), *args)
    return value.value


def new_stream():
    return made("cuStreamCreateWithPriority", 1, 0)


def code(name, *args):
    """What a call answers that may be refused, outside of what the package knows."""
    return getattr(cuda.library(), name)(*args)


def whole(address):
    """Beginning and size of the allocation that an address lies in, as this process has it."""
    base, size = ctypes.c_uint64(), ctypes.c_size_t()
    with cuda.device(0).use():
        if code("cuMemGetAddressRange_v2", ctypes.byref(base), ctypes.byref(size), ctypes.c_uint64(address)):
            raise RuntimeError("cuMemGetAddressRange is refused")
    return base.value, size.value


def until(limit, good):
    end = time.monotonic() + limit
    while not good():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


class Gate:
    """Holds the work of a stream from here on until it is opened, as a long kernel before it would."""

    def __init__(self, stream):
        self.opened = threading.Event()
        self.function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: self.opened.wait(2 * LONG) and None)
        with cuda.device(0).use():
            found = code("cuLaunchHostFunc", ctypes.c_void_p(stream), self.function, None)
        if found:
            raise RuntimeError("cuLaunchHostFunc: code %d" % found)


class Capture:
    """The capture of a CUDA graph. broken says at its end whether a call has broken it."""

    def __init__(self, mode, stream=None):
        self.stream, self.mode, self.broken = ctypes.c_void_p(stream or new_stream()), MODES[mode], None

    def __enter__(self):
        cuda.call("cuCtxSetCurrent", cuda.device(0).context)
        found = code("cuStreamBeginCapture_v2", self.stream, self.mode)
        if found:
            raise RuntimeError("cuStreamBeginCapture: code %d" % found)
        return self

    def __exit__(self, *_):
        cuda.call("cuCtxSetCurrent", cuda.device(0).context)
        self.broken = code("cuStreamEndCapture", self.stream, ctypes.byref(ctypes.c_void_p()))


def elsewhere(work):
    """Runs work in another thread."""
    failed = []

    def run():
        try:
            work()
        except BaseException as err:
            failed.append(err)
    t = threading.Thread(target=run)
    t.start()
    t.join()
    if failed:
        raise failed[0]


def pin(size):
    """Pinned memory of this process."""
    memory = mmap.mmap(-1, size)
    return cuda.pin(ctypes.addressof(ctypes.c_char.from_buffer(memory)), size, device=0, keep=memory)


def collected():
    """Waits for the threads that end what was garbage."""
    gc.collect()
    if not until(LONG, lambda: not any(t.name in ("voxpack-views", "voxpack-unpin") for t in threading.enumerate())):
        raise RuntimeError("what was deleted does not end")


class Streams:
    """A consumer's questions about streams."""

    def __init__(self):
        self.kernels = None

    def ring(self, socket, current, batch=4, **request):
        """A Dataset whose batches lie on GPU 0. current gives the stream that work is queued on."""
        ds = Dataset(socket=socket, batch_size=batch, seed=3)
        s, ds._socket = ds._socket, None
        ds._stream = DeviceStream(s, dict(ds._request, **request), ds._feeder.died, 0, current)
        ds._transport = ArrayForm().transport
        return ds

    def kernel(self, name, stream, *arguments, **size):
        if self.kernels is None:
            self.kernels = kernels.Kernels(cuda.library())
        return self.kernels.launch(name, stream, *arguments, **size)

    def reader(self, socket, kind, batch):
        """A kernel that is held back reads a batch which nobody has any more: was the slot filled again before, and what
        did the kernel get?"""
        side, other = new_stream(), new_stream()
        now = [{"default": 0, "no events": 0, "was current": other, "is gone": other}.get(kind, side)]
        read_on = {"default": 0, "no events": 0, "side": side, "prefetcher": 0}.get(kind, other)
        ds = self.ring(socket, lambda: now[0], batch, gpu_batches=1)
        loop, s = ds._loop(ArrayForm()), ds._stream
        if kind in ("was current", "went back", "is gone"):
            got = next(loop)
            now[0] = other if kind == "went back" else side
            del got
            s._returns.look()
            now[0] = side
        got = next(loop)
        mel, size = got.mel, got.mel.nbytes
        want, target = mel.numpy().tobytes(), ctypes.c_uint64()
        with cuda.device(0).use():
            if code("cuMemAlloc_v2", ctypes.byref(target), ctypes.c_size_t(size)):
                raise RuntimeError("no memory for the kernel's result")
            self.kernel("late", read_on, 0, mel.address, target.value, 4)  # loaded before the gate
            cuda.call("cuStreamSynchronize", read_on)
        waits = kind in ("no events", "is gone")  # no event can be recorded: the thread that gives back waits by itself
        gate = Gate(read_on)
        opener = threading.Timer(4 * SHORT if waits else LONG, gate.opened.set)
        try:
            opener.start()
            if kind != "side":
                mel.__dlpack__(stream=1 if read_on == 0 == now[0] else side, max_version=(1, 0))
            with cuda.device(0).use():
                launched = self.kernel("late", read_on, 0, mel.address, target.value, size, blocks=32, threads=256)
                if kind == "is gone":
                    cuda.call("cuStreamDestroy_v2", other)
            if kind == "named":
                got.record_stream(other)
            del got, mel
            s._returns.look()
            held = not gate.opened.is_set()
            refilled = until(LONG / 2 if kind == "nobody" else SHORT, lambda: s.ring.u64[_PUBLISHED >> 3] > s.taken) and (held or not waits)
        finally:
            gate.opened.set()
            opener.cancel()
        back = (ctypes.c_ubyte * size)()
        with cuda.device(0).use():
            cuda.call("cuCtxSynchronize")
            cuda.call("cuMemcpyDtoH_v2", ctypes.addressof(back), target.value, size)
            code("cuMemFree_v2", target)
        after = s.peek() is not None
        loop = None
        ds.close()
        return {"launched": launched, "held": held, "waits": waits, "refilled": refilled, "right": bytes(back) == want, "goes_on": after}

    def captures(self, socket, batch):
        """Everything that a loop does, while a CUDA graph is captured: the code at the capture's end, by work, mode and
        thread; and what a wait for the context would do to it."""
        found, main = {}, new_stream()

        def ring():
            with self.ring(socket, lambda: main, batch, gpu_batches=2) as ds:
                loop = ds._loop(ArrayForm())
                for _ in range(3):
                    got = next(loop)
                    got.mel.__dlpack__(stream=main)
                    del got
                del loop

        def garbage():
            ds = self.ring(socket, lambda: main, batch, gpu_batches=2)
            got = next(ds._loop(ArrayForm()))
            del ds, got
            collected()

        def pinned():
            lock = pin(1 << 16)
            lock.copied_on(main, 0)
            del lock
            collected()
        for work in (ring, garbage, pinned):
            for mode in MODES:
                for name, where in (("same thread", lambda w: w()), ("another thread", elsewhere)):
                    with Capture(mode) as c:
                        where(work)
                    found["%s, %s, %s" % (work.__name__, mode, name)] = c.broken
        with Capture("global") as c:
            waited = code("cuCtxSynchronize")
        control = [waited, c.broken]
        found["refused in words"], said = self.refused(socket, batch, main)
        found["a slot of a captured stream"], early, late = self.captured_slot(socket, batch)
        return {"codes": found, "control": control, "said": said, "early": early, "late": late}

    def refused(self, socket, batch, main):
        """What a loop says whose current stream is captured, and the code at the capture's end."""
        now, said = [main], "nothing"
        with self.ring(socket, lambda: now[0], batch) as ds:
            with Capture("global") as c:
                now[0] = c.stream.value
                try:
                    ds._stream.peek()
                except FeederError as err:
                    said = str(err)
                now[0] = main
        return c.broken, said

    def captured_slot(self, socket, batch):
        """A slot waits for a stream that is captured by then: the capture's code, whether the slot went back before its end,
        and whether after it. An event that is recorded on that stream would be the graph's, and never done."""
        main, side = new_stream(), new_stream()
        now = [main]
        with self.ring(socket, lambda: now[0], batch, gpu_batches=1) as ds:
            returns, got = ds._stream._returns, next(ds._loop(ArrayForm()))
            now[0] = side
            with Capture("global", main) as c:
                del got
                early = not returns.look() or returns.came > 0
            late = not returns.look() and returns.came == 1
        return c.broken, early, late

    def collect(self, socket, batch):
        """Whether the collector waits for work that is under way, when a ring, or pinned memory, is garbage."""
        main = new_stream()
        lock, ds = pin(1 << 16), self.ring(socket, lambda: main, batch)
        lock.copied_on(main, 0)
        got = next(ds._loop(ArrayForm()))
        gate = Gate(main)
        opener = threading.Timer(LONG / 4, gate.opened.set)
        opener.start()
        try:
            del got
            del ds, lock
            gc.collect()
            waited = gate.opened.is_set()
        finally:
            opener.cancel()
            gate.opened.set()
        collected()
        return {"waited": waited}
