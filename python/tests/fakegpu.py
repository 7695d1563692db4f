"""A GPU for tests: the C fake of libcuda.so.1 (gpufeed/fakecuda), in this process and in feeders."""

import atexit
import ctypes
import glob
import mmap
import os
import shutil
import subprocess
import tempfile
import threading
import unittest

from support import PACKAGE, PROGRAM, Place, going_on
from voxpack import Epochs, cuda
from voxpack.devicering import ArrayForm, DeviceStream

LATE = 0.03  # seconds that a copy queued by this process takes
place = Place()
fake = None  # folder of the library


def setUpModule():
    if fake is None:
        _load()
    place.begin()
    os.environ["LD_LIBRARY_PATH"] = fake  # of processes that start from here on


def _load():
    """A process loads the library once, and it keeps its numbers beside it: the folder lives as long as the process."""
    global fake
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise unittest.SkipTest("no C compiler: the device ring is not tested")
    folder = tempfile.mkdtemp(prefix="vx")
    atexit.register(shutil.rmtree, folder, True)
    sources = glob.glob(os.path.join(PACKAGE, "..", "gpufeed", "fakecuda", "c", "*.c"))
    subprocess.run([compiler, "-std=gnu11", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-pthread",
                    "-o", os.path.join(folder, "libcuda.so.1"), *sources, "-ldl"], check=True)
    fake = folder
    cuda._PLACES = (os.path.join(fake, "libcuda.so.1"),)
    os.environ["FAKECUDA_LATENCY_US"] = str(int(LATE * 1e6))
    cuda.library()
    cuda.device(0)
    del os.environ["FAKECUDA_LATENCY_US"]


def tearDownModule():
    os.environ.pop("LD_LIBRARY_PATH", None)
    place.end()


def count(pid, name):
    """A number that the library keeps for a process."""
    with open(os.path.join(fake, "counters.%d" % pid), encoding="ascii") as f:
        return dict(line.split() for line in f.read().splitlines())[name]


def taken(pid):
    """How many pieces of GPU memory a feeder has."""
    return int(count(pid, "live_allocs"))


def new_stream(flags=1):
    """A stream that is not blocked by the default one; with flags 0, one that is."""
    s = ctypes.c_void_p()
    with cuda.device(0).use():
        cuda.call("cuStreamCreateWithPriority", ctypes.byref(s), flags, 0)
    return s.value


def destroy(stream):
    with cuda.device(0).use():
        cuda.call("cuStreamDestroy_v2", stream)


class Capture:
    """The capture of a CUDA graph on a stream, as torch.cuda.graph begins one: with Capture(stream, mode). broken says at
    its end whether a call has broken it."""

    MODES = {"global": 0, "thread-local": 1, "relaxed": 2}

    def __init__(self, stream, mode="global"):
        self.stream, self.mode, self.broken = ctypes.c_void_p(stream), self.MODES[mode], None

    def __enter__(self):
        self._do("cuStreamBeginCapture_v2", self.mode)
        return self

    def __exit__(self, *_):
        if self.broken is None:
            self.end()

    def end(self):
        code = self._do("cuStreamEndCapture", ctypes.byref(ctypes.c_void_p()), (0, 901))
        self.broken = code == 901

    def _do(self, name, last, want=(0,)):
        before = cuda.current()
        cuda.call("cuCtxSetCurrent", cuda.device(0).context)
        code = getattr(cuda.library(), name)(self.stream, last)
        cuda.call("cuCtxSetCurrent", before)
        assert code in want, (name, code)
        return code


class Gate:
    """Holds the work of a stream from here on until it is opened, as a long kernel before it would."""

    def __init__(self, stream):
        self.opened = threading.Event()
        self.function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: self.opened.wait() and None)
        with cuda.device(0).use():
            code = cuda.library().cuLaunchHostFunc(ctypes.c_void_p(stream), self.function, None)
        assert code == 0, code

    def open(self):
        self.opened.set()


class Copies:
    """Copies out of the GPU that are queued and not waited for."""

    def __init__(self, size, stream):
        self.memory, self.stream = mmap.mmap(-1, size), stream
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.pinned = cuda.pin(self.address, size, device=0, keep=self.memory)
        self.pinned.copied_on(stream, 0)

    def queue(self, array):
        with cuda.device(0).use():
            cuda.call("cuMemcpyDtoHAsync_v2", self.address, array.address, array.nbytes, self.stream)

    def done(self, size):
        with cuda.device(0).use():
            cuda.call("cuStreamSynchronize", self.stream)
        return self.memory[:size]


def lend(ds, device=0, current=None, **request):
    """Lets a Dataset have its batches on a GPU."""
    s, ds._socket = ds._socket, None
    ds._stream = DeviceStream(s, dict(ds._request, **request), ds._feeder.died, device, current)
    ds._stream.shaped(ds._shapes)
    ds._transport = ArrayForm().transport
    return ds


def batches(ds):
    """What the last loop left of its epoch, else those of the next one, as arrays on the GPU."""
    return going_on(Epochs(ds, ArrayForm()))


class Feeder(subprocess.Popen):
    """Where a test fails it does not wait for what the failure keeps alive."""

    def __exit__(self, kind, *rest):
        if kind is not None:
            self.kill()
        super().__exit__(kind, *rest)


def feeder(env, *flags, stderr=subprocess.DEVNULL):
    """A feeder of its own, and its socket."""
    path = os.path.join(place.folder, "own.sock")
    p = Feeder([PROGRAM, "serve", place.store, "--socket", path, *flags], env=dict(os.environ, **env), stdout=subprocess.PIPE, stderr=stderr, text=True)
    p.stdout.readline()
    return p, path
