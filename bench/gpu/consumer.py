#!/usr/bin/env python3
"""A consumer of voxpack serve on GPU 0: the Python package without a framework.

A piece: each line of JSON on stdin is answered by one on stdout. Wants NumPy; the
package is that of this checkout. Questions are the methods of Consumer.
"""

import ctypes
import json
import mmap
import os
import resource
import statistics
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))

import kernels
import process
from voxpack import Dataset, FeederDied, FeederError, cuda
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

    def __init__(self, mode):
        self.stream, self.mode, self.broken = ctypes.c_void_p(new_stream()), MODES[mode], None

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


class Consumer:
    def __init__(self):
        self.held, self.kernels = [], None

    def answer(self, what, **question):
        return getattr(self, what)(**question)

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

    def hello(self):
        d = cuda.device(0)
        return {"name": d.name, "uuid": d.uuid, "pid": os.getpid()}

    def digest(self, socket, batch, epochs, tail):
        """Two rings of one feeder beside the host's ring: what differs, and where the rings lie."""
        def host():
            return Dataset(socket=socket, batch_size=batch, seed=3, tail=tail)
        wrong, n, places = [], 0, []
        rings = [self.ring(socket, lambda: 0, batch, tail=tail) for _ in range(2)]
        with host() as plain:
            for ds in rings:
                there = ds._stream.started["device"]
                at = ds._stream._there.address
                places.append((at, there["bytes"], *whole(at)))
            for _ in range(epochs):
                loops = [ds._loop(ArrayForm()) for ds in rings]
                for want in plain:
                    for loop in loops:
                        got = next(loop)
                        if got.ids != want.ids:
                            wrong.append("batch %d has other rows" % want.seq)
                        for name in want.columns:
                            if getattr(got, name).numpy().tobytes() != getattr(want, name).tobytes():
                                wrong.append("batch %d: %s has other bytes" % (want.seq, name))
                        n += 1
                        del got
                for loop in loops:
                    if next(loop, None) is not None:
                        wrong.append("a ring has more batches than the host")
        loops = loop = None
        for ds in rings:
            ds.close()
        alone = places[0][2] != places[1][2] and all(base == at and size >= bytes for at, bytes, base, size in places)
        return {"batches": n, "wrong": wrong, "bytes": places[0][1], "alone": alone}

    def reader(self, socket, kind, batch):
        """A kernel that is held back reads a batch which nobody has any more: was the slot filled again before, and what
        did the kernel get?"""
        side, other = new_stream(), new_stream()
        now = [{"default": 0, "was current": other}.get(kind, side)]
        ds = self.ring(socket, lambda: now[0], batch, gpu_batches=1)
        loop = ds._loop(ArrayForm())
        if kind == "was current":
            got = next(loop)
            now[0] = side
            del got
        got = next(loop)
        mel, size = got.mel, got.mel.nbytes
        want, read_on = mel.numpy().tobytes(), {"default": 0, "side": side, "prefetcher": 0}.get(kind, other)
        target = ctypes.c_uint64()
        with cuda.device(0).use():
            if code("cuMemAlloc_v2", ctypes.byref(target), ctypes.c_size_t(size)):
                raise RuntimeError("no memory for the kernel's result")
            self.kernel("late", read_on, 0, mel.address, target.value, 4)  # loaded before the gate
            cuda.call("cuStreamSynchronize", read_on)
        gate, opener = Gate(read_on), None
        try:
            opener = threading.Timer(LONG, gate.opened.set)
            opener.start()
            if kind != "side":
                mel.__dlpack__(stream=1 if kind == "default" else side, max_version=(1, 0))
            with cuda.device(0).use():
                launched = self.kernel("late", read_on, 0, mel.address, target.value, size, blocks=32, threads=256)
            if kind == "named":
                got.record_stream(other)
            del got, mel
            s = ds._stream
            s._returns.look()
            refilled = until(LONG / 2 if kind == "nobody" else SHORT, lambda: s.ring.u64[_PUBLISHED >> 3] > s.taken)
            held = not gate.opened.is_set()
        finally:
            gate.opened.set()
            opener.cancel()
        back = (ctypes.c_ubyte * size)()
        with cuda.device(0).use():
            cuda.call("cuStreamSynchronize", read_on)
            cuda.call("cuMemcpyDtoH_v2", ctypes.addressof(back), target.value, size)
            code("cuMemFree_v2", target)
        after = ds._stream.peek() is not None
        loop = None
        ds.close()
        return {"launched": launched, "held": held, "refilled": refilled, "right": bytes(back) == want, "goes_on": after}

    def busy(self, socket, batch, step_ms, steps):
        """A trainer whose kernels fill the GPU: its steps alone, and with a ring beside them; what it waits for batches, and
        what the calls of a give-back take."""
        stream, times, waits = new_stream(), {}, []

        def train():
            began = time.perf_counter()
            with cuda.device(0).use():
                if self.kernel("spin", stream, int(step_ms * 1e6), blocks=256, threads=256):
                    raise RuntimeError("the kernel was refused")
                cuda.call("cuStreamSynchronize", stream)
            return time.perf_counter() - began
        train()
        times["alone"] = [train() for _ in range(steps)]
        with self.ring(socket, lambda: stream, batch) as ds:
            left, taken = iter(()), []
            for n in range(steps + 8):
                began = time.perf_counter()
                got = next(left, None)
                if got is None:
                    left = ds._loop(ArrayForm())
                    got = next(left)
                waits.append(time.perf_counter() - began)
                taken.append(train())
                del got
            times["fed"] = taken[8:]
            event = ds._stream._there.events[:1]
            price = []
            for _ in range(200 if event else 0):
                with cuda.device(0).use():
                    began = time.perf_counter()
                    cuda.call("cuEventRecord", event[0], stream)
                    price.append(time.perf_counter() - began)
            left = got = None
        waits = sorted(waits[8:])
        return {"alone_ms": 1e3 * statistics.median(times["alone"]), "fed_ms": 1e3 * statistics.median(times["fed"]),
                "wait_p50_us": 1e6 * statistics.median(waits), "wait_p99_us": 1e6 * waits[min(len(waits) - 1, int(0.99 * len(waits)))],
                "record_us": 1e6 * statistics.median(price) if price else None}

    def hold(self, socket, batch, spin_ms=0, gpu=None):
        """Keeps a batch, and has work queued on it."""
        stream = new_stream()
        ds = self.ring(socket, lambda: stream, batch, **({"gpu": gpu} if gpu else {}))
        got = next(ds._loop(ArrayForm()))
        if spin_ms:
            with cuda.device(0).use():
                self.kernel("spin", stream, int(spin_ms * 1e6))
        self.held.append((ds, got, got.mel.numpy().tobytes()))
        return {"uuid": ds._stream.started["device"]["uuid"]}

    def look(self):
        """What a held batch reads as now."""
        _, got, want = self.held[-1]
        try:
            return {"same": got.mel.numpy().tobytes() == want, "code": 0}
        except cuda.CudaError as err:
            return {"same": False, "code": err.code}

    def let_go(self):
        while self.held:
            ds, got, _ = self.held.pop()
            del got
            ds.close()
        return {}

    def after_death(self):
        """What the loop says whose feeder was killed."""
        try:
            until(LONG, lambda: self.held[-1][0]._stream.peek() is None)
            return {"said": "nothing"}
        except FeederDied as err:
            return {"said": "FeederDied: %s" % err}
        except FeederError as err:
            return {"said": "%s: %s" % (err.kind, err)}

    def trap(self):
        """A kernel of this process fails; the context is of no use any more."""
        stream = new_stream()
        with cuda.device(0).use():
            launched = self.kernel("trap", stream)
        found = [code("cuStreamSynchronize", ctypes.c_void_p(stream)) for _ in range(1) if cuda.call("cuCtxSetCurrent", cuda.device(0).context) is None]
        return {"launched": launched, "code": found[0]}

    def fork(self):
        driver, n = cuda.library(), ctypes.c_int()
        child = os.fork()
        if child == 0:
            os._exit(driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(n)))
        return {"code": os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}

    def captures(self, socket, batch):
        """Everything that a loop does, while a CUDA graph is captured: the code at the capture's end, by mode and thread; and
        what a wait for the context would do to it."""
        found, main = {}, new_stream()

        def work():
            with self.ring(socket, lambda: main, batch, gpu_batches=2) as ds:
                loop = ds._loop(ArrayForm())
                for _ in range(3):
                    got = next(loop)
                    got.mel.__dlpack__(stream=main)
                    del got
                del loop
        for mode in MODES:
            for name, where in (("same thread", lambda w: w()), ("another thread", elsewhere)):
                with Capture(mode) as c:
                    where(work)
                found["%s, %s" % (mode, name)] = c.broken
        with Capture("global") as c:
            waited = code("cuCtxSynchronize")
        control = [waited, c.broken]
        now = [main]
        with self.ring(socket, lambda: now[0], batch) as ds:
            with Capture("global") as c:
                now[0] = c.stream.value
                try:
                    ds._stream.peek()
                    said = "nothing"
                except FeederError as err:
                    said = str(err)
                now[0] = main
            found["refused in words"] = c.broken
        return {"codes": found, "control": control, "said": said}

    def pins(self):
        """The codes of host memory that is pinned in ways that may be refused."""
        found, driver = {}, cuda.library()
        cuda.call("cuCtxSetCurrent", cuda.device(0).context)

        def mapped(size, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ | mmap.PROT_WRITE):
            file = os.memfd_create("pins")
            os.ftruncate(file, size)
            m = mmap.mmap(file, size, flags=flags, prot=prot)
            os.close(file)
            libc = ctypes.CDLL(None)
            libc.mmap.restype = ctypes.c_void_p
            return m, (ctypes.addressof(ctypes.c_char.from_buffer(m)) if prot & mmap.PROT_WRITE else None)

        def register(name, address, size):
            found[name] = driver.cuMemHostRegister_v2(ctypes.c_void_p(address), ctypes.c_size_t(size), 1)
        size = 64 << 20
        whole, address = mapped(size)
        register("64 MB", address, size)
        register("again", address, size)
        found["unpinned"] = driver.cuMemHostUnregister(ctypes.c_void_p(address))
        found["unpinned again"] = driver.cuMemHostUnregister(ctypes.c_void_p(address))
        limits = resource.getrlimit(resource.RLIMIT_MEMLOCK)
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, limits[1]))
        register("64 MB under a memlock of 64 kB", address, size)
        driver.cuMemHostUnregister(ctypes.c_void_p(address))
        resource.setrlimit(resource.RLIMIT_MEMLOCK, limits)
        libc = ctypes.CDLL(None)
        libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
        readable = libc.mmap(None, 1 << 20, mmap.PROT_READ, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        register("read-only", readable, 1 << 20)
        del whole
        return {"codes": found, "memlock": limits[0]}

    def apart(self, socket, batch):
        """What opening a ring says: for a process in namespaces of its own."""
        try:
            self.ring(socket, lambda: 0, batch).close()
            return {"said": "", "kind": ""}
        except FeederError as err:
            return {"said": str(err), "kind": err.kind}

    def started(self, store, socket, visible, mig):
        """A feeder that a Dataset starts where CUDA_VISIBLE_DEVICES is as given: which GPU its ring is on."""
        cuda.library()
        if visible is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = visible
        try:
            ds = Dataset(store, socket=socket, batch_size=4)
        finally:
            os.environ.pop("CUDA_VISIBLE_DEVICES", None)
        uuid = cuda.device(0).uuid
        s, ds._socket = ds._socket, None
        request = dict(ds._request, transport="device")
        stream = DeviceStream.__new__(DeviceStream)
        cuda.device(0).uuid = "MIG-" + uuid[4:] if mig else uuid
        try:
            stream.__init__(s, request, ds._feeder.died, 0, lambda: 0)
        finally:
            cuda.device(0).uuid = uuid
        told = stream.started["device"]["uuid"]
        stream.close()
        return {"uuid": told, "own": uuid}

    def lifetimes(self, socket, batch, consumer):
        """Tensors of another library in the ring: values where it can read them, and that a slot goes back when the last is
        gone, wherever that happens."""
        import consumers
        take = consumers.find(consumer)  # Skip-like: None where it is not there
        if isinstance(take, str):
            return {"skip": take}
        ds = self.ring(socket, lambda: 0, batch)
        r, wrong = ds._stream._returns, []
        loop = ds._loop(ArrayForm())
        for way in ("in this thread", "in another thread", "unconsumed"):
            got = next(loop)
            want = got.mel.numpy()
            before = r.came
            capsule = got.mel.__dlpack__(stream=1, max_version=(1, 0)) if way == "unconsumed" else None
            tensor = None if capsule is not None else take(got.mel)
            if tensor is not None:
                shape, values = consumers.look(consumer, tensor)
                if tuple(shape) != want.shape:
                    wrong.append("%s: its shape is %s" % (way, shape))
                if values is not None and values.tobytes() != want.tobytes():
                    wrong.append("%s: its values differ" % way)
                del values
            del got
            r.look()
            if r.came != before:
                wrong.append("%s: the slot went back before its tensor" % way)
            if way == "in another thread":
                box = [tensor]
                tensor = None
                elsewhere(box.clear)
            tensor = capsule = None
            if not until(LONG, lambda: r.look() or r.came > before):
                wrong.append("%s: the slot did not go back after its tensor" % way)
        left = len(ds._stream._there.exports)
        if left:
            wrong.append("%d exports are left" % left)
        loop = None
        ds.close()
        return {"wrong": wrong, "version": take.version}

    def cached(self, socket, batch, epochs):
        """A ring with a cache on the same GPU, which stays."""
        ds = self.ring(socket, lambda: 0, batch, cache="on")
        for _ in range(epochs):
            for b in ds._loop(ArrayForm()):
                pass
        b = None
        self.held.append((ds, b, None))
        return {"notes": ds._stream.started["notes"]}

    def uncached(self):
        """Its cache is told to go, and batches go on."""
        ds = self.held[-1][0]
        freed, n = ds.free_gpu_cache(), 0
        for _ in range(2):
            for b in ds._loop(ArrayForm()):
                n += 1
        return {"freed": freed, "batches": n}


if __name__ == "__main__":
    process.answer_lines(Consumer().answer)
