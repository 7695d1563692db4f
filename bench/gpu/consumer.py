#!/usr/bin/env python3
"""A consumer of voxpack serve on GPU 0: the Python package without a framework.

A piece: each line of JSON on stdin is answered by one on stdout. Wants NumPy; the
package is that of this checkout. Questions are the methods of Consumer.
"""

import ctypes
import mmap
import os
import resource
import statistics
import threading
import time
import warnings

import numpy

import process
from streams import LONG, Streams, code, elsewhere, new_stream, until, whole
from voxpack import Dataset, FeederDied, FeederError, cuda
from voxpack.batch import NumpyForm
from voxpack.dataset import Either
from voxpack.devicering import ArrayForm, DeviceStream


def priced(name, *arguments):
    """Seconds that a call takes, the median of many."""
    times = []
    with cuda.device(0).use():
        for _ in range(200):
            began = time.perf_counter()
            code(name, *arguments)
            times.append(time.perf_counter() - began)
    return statistics.median(times)


class Consumer(Streams):
    def __init__(self):
        super().__init__()
        self.held = []

    def answer(self, what, **question):
        return getattr(self, what)(**question)

    def hello(self):
        d = cuda.device(0)
        with d.use():  # so that its context is in every figure of memory
            pass
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
            prices = {}
            if event:
                its, work = ctypes.c_void_p(event[0]), ctypes.c_void_p(stream)
                prices = {"cuEventRecord": 1e6 * priced("cuEventRecord", its, work), "cuEventQuery": 1e6 * priced("cuEventQuery", its)}
            left = got = None
        waits = sorted(waits[8:])
        return {"alone_ms": 1e3 * statistics.median(times["alone"]), "fed_ms": 1e3 * statistics.median(times["fed"]),
                "wait_p50_us": 1e6 * statistics.median(waits), "wait_p99_us": 1e6 * waits[min(len(waits) - 1, int(0.99 * len(waits)))],
                "record_us": prices.get("cuEventRecord"), "query_us": prices.get("cuEventQuery")}

    def burn(self):
        """Kernels that fill the GPU, one behind the other, until cool."""
        self.cooling, stream = threading.Event(), new_stream()

        def work():
            while not self.cooling.is_set():
                with cuda.device(0).use():
                    self.kernel("spin", stream, 2_000_000, blocks=256, threads=256)
                    cuda.call("cuStreamSynchronize", stream)
        self.burning = threading.Thread(target=work, daemon=True)
        self.burning.start()
        return {}

    def cool(self):
        self.cooling.set()
        self.burning.join()
        return {}

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

    def pin_file(self, pid=0, fd=0):
        """Pins a file without a name, as slots on the host are: one of its own, or that of another process."""
        size, file = 8 << 20, os.open("/proc/%d/fd/%d" % (pid, fd), os.O_RDWR) if pid else os.memfd_create("slots")
        os.ftruncate(file, size)
        m = mmap.mmap(file, size)
        self.held.append((file, m))
        with cuda.device(0).use():
            found = code("cuMemHostRegister_v2", ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(m))), ctypes.c_size_t(size), 1)
        return {"pid": os.getpid(), "fd": file, "code": found}

    def either(self, socket, batch):
        """What transport="auto" says, and where its batches are."""
        with Dataset(socket=socket, batch_size=batch) as ds, warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            got = next(iter(Either(ds, ArrayForm(), NumpyForm)))
            host = isinstance(got.mel, numpy.ndarray)
            del got
        return {"said": " ".join(str(w.message) for w in told), "host": host}

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
        request = dict(ds._request, transport="device", **({"data_gpu": "MIG-" + uuid[4:]} if mig else {}))
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
                break  # nor would the others
        left = len(ds._stream._there.exports)
        if left:
            wrong.append("%d exports are left" % left)
        loop = None
        ds.close()
        return {"wrong": wrong, "version": take.version, "host": take.host}

    def keep(self, socket, batch, consumer):
        """A tensor of another library, which is alive when this process ends."""
        import consumers
        take = consumers.find(consumer)
        if isinstance(take, str):
            return {"skip": take}
        ds = self.ring(socket, lambda: 0, batch)
        self.held.append((ds, take(next(ds._loop(ArrayForm())).mel)))
        return {}

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
