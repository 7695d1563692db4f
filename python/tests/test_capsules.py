"""Memory of a GPU as DLPack capsules, and pinned memory of the host, against the C fake of libcuda.so.1."""

import ctypes
import importlib
import mmap
import os
import struct
import threading
import unittest
import warnings
import weakref

import numpy as np

from fakegpu import batches, count, lend, place, setUpModule, tearDownModule  # noqa: F401
from support import until
from voxpack import Dataset, cuda
from voxpack.devicering import ArrayForm, DeviceArray, TorchRingForm


class Capsules(unittest.TestCase):
    """DLPack, with real consumers: the fake's memory is the host's, and is said to be that here."""

    class Here(DeviceArray):
        __slots__ = ()

        def __dlpack_device__(self):
            return 1, 0

    def here(self, b, name):
        a = getattr(b, name)
        return self.Here(a.slot, a.dtype, a.shape, a.address - a.slot.address)

    def module(self, name):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return importlib.import_module(name)
        except ImportError:
            self.skipTest("%s is not installed" % name)

    def reads(self, take, plain):
        """take makes a tensor of an array, plain one of NumPy of that: values, and when the slot goes back."""
        with lend(Dataset(place.store, batch_size=2)) as ds:
            r = ds._stream._returns
            b = next(batches(ds))
            for column in ("mel", "tokens", "mel_len"):
                array = self.here(b, column)
                want = array.numpy()
                tensor = take(array)
                del array
                self.assertEqual(plain(tensor).tobytes(), want.tobytes())
                self.assertEqual(tuple(tensor.shape), want.shape)
            del b
            r.look()
            self.assertEqual((r.lent, r.came, len(r.there.exports)), (1, 0, 1), "a tensor is alive")
            done = threading.Thread(target=lambda t: None, args=(tensor,))  # it dies in another thread
            del tensor
            done.start()
            done.join()
            del done
            self.assertTrue(until(2, lambda: r.look() or r.came == 1), "the tensor is gone")
            self.assertEqual(len(r.there.exports), 0)

    def test_numpy(self):
        self.reads(np.from_dlpack, lambda t: t)

    def test_torch(self):
        self.reads(self.module("torch").from_dlpack, np.asarray)

    def test_jax(self):
        self.module("jax")
        self.reads(self.module("jax.dlpack").from_dlpack, np.asarray)

    def test_tensorflow(self):
        dlpack = self.module("tensorflow").experimental.dlpack
        self.reads(lambda a: dlpack.from_dlpack(a.__dlpack__()), lambda t: t.numpy())

    def test_tvm_ffi(self):
        self.reads(self.module("tvm_ffi").from_dlpack, np.from_dlpack)

    def test_a_reader_of_neither_framework(self):
        """apache-tvm-ffi shares no code with this package or with torch. It takes memory of a GPU as it is, whatever the
        device's number, and the host's ring by NumPy's arrays."""
        tvm_ffi = self.module("tvm_ffi")
        for device in 0, 1:
            with lend(Dataset(place.store, batch_size=2), device) as ds:
                r, b = ds._stream._returns, next(batches(ds))
                for column in ("mel", "tokens", "mel_len"):
                    array = getattr(b, column)
                    tensor = tvm_ffi.from_dlpack(array)
                    self.assertEqual((tensor.device, tuple(tensor.shape), str(tensor.dtype)),
                                     (tvm_ffi.device("cuda", device), array.shape, {"f32": "float32", "i32": "int32"}[array.dtype]))
                    # It gives capsules of its own on: the slot is lent until the last is gone.
                    self.assertEqual(tensor.__dlpack_device__(), (2, device))
                capsule = tensor.__dlpack__()
                del b, array, tensor
                r.look()
                self.assertEqual((r.came, len(r.there.exports)), (0, 1))
                del capsule
                self.assertTrue(until(2, lambda: r.look() or r.came == 1))
        with Dataset(place.store, batch_size=2, epochs=1) as ds, Dataset(place.store, batch_size=2, epochs=1) as again:
            for want, b in zip(again, ds):
                tensor = tvm_ffi.from_dlpack(b.mel)
                self.assertEqual(np.from_dlpack(tensor).__array_interface__["data"][0], b.mel.__array_interface__["data"][0])
                self.assertEqual(np.from_dlpack(tensor).tobytes(), want.mel.tobytes())
            r = ds._stream._returns
            del b
            self.assertEqual(r.lent - r.came, 1, "the last batch is the tensor's")
            del tensor
            self.assertEqual(r.lent, r.came)

    def test_torch_columns(self):
        """All columns of a batch are views of one tensor, which holds the slot until the last is gone."""
        torch = self.module("torch")
        form = TorchRingForm("cuda:0")
        self.assertEqual(form.transport, ArrayForm().transport)
        form.whole = lambda slot, size: torch.from_dlpack(self.Here(slot, "u8", (size,), 0))
        with lend(Dataset(place.store, batch_size=2, seed=3)) as ds, Dataset(place.store, batch_size=2, seed=3) as host:
            r, kept = ds._stream._returns, []
            for _ in range(3):
                for want, got in zip(host, ds._loop(form)):
                    for name in want.columns:
                        a, b = getattr(want, name), getattr(got, name)
                        self.assertEqual((tuple(b.shape), b.numpy().dtype, b.numpy().tobytes()), (a.shape, a.dtype, a.tobytes()))
                    if not kept:
                        kept = [got.mel[1, ::2].T, want.mel[1, ::2].T.copy()]
            del want, got, a, b
            r.look()
            self.assertEqual(r.lent - r.came, 1)
            self.assertEqual(kept[0].numpy().tobytes(), kept[1].tobytes())
            kept.clear()
            r.look()
            self.assertEqual(r.lent, r.came)

    def test_torch_shapes(self):
        """Names, the order of axes and wide tokens, on the device ring: views of the slot's memory, but for the tokens."""
        torch = self.module("torch")
        form = TorchRingForm("cuda:0")
        form.whole = lambda slot, size: torch.from_dlpack(self.Here(slot, "u8", (size,), 0))
        wanted = dict(batch_size=2, seed=3, epochs=1, columns={"x": "tokens", "y": "mel", "y_len": "mel_len", "spks": None}, layout="bct", tokens="int64")
        with lend(Dataset(place.store, **wanted)) as ds, Dataset(place.store, batch_size=2, seed=3, epochs=1) as host:
            n = 0
            for want, got in zip(host, ds._loop(form)):
                self.assertEqual((list(got), got.spks, got.ids), (["x", "y", "y_len", "spks", "valid"], None, want.ids))
                self.assertEqual((got.x.dtype, got.x.tolist(), got.y_len.tolist()), (torch.int64, want.tokens.tolist(), want.mel_len.tolist()))
                self.assertEqual(((2, 80, 800), got.y.numpy().tobytes()), (tuple(got.y.shape), want.mel.transpose(0, 2, 1).tobytes()))
                self.assertEqual((got.y.stride(), got.y.data_ptr()), ((64000, 1, 80), got._slot.address + ds._stream.layouts[0].fields["y"].offset))
                n += 1
            self.assertEqual(n, 5)

    def test_structures(self):
        """Every field, as dlpack.h has it."""
        pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
        with lend(Dataset(place.store, batch_size=2), 1) as ds:
            b = next(batches(ds))
            for column, kind in (("mel", (2, 32, 1)), ("tokens", (0, 32, 1))):
                a = getattr(b, column)
                for version, name, tensor_at in ((None, b"dltensor", 0), ((1, 1), b"dltensor_versioned", 32)):
                    capsule = a.__dlpack__(stream=1, max_version=version)
                    at = pointer(capsule, name)
                    data, device, ordinal, ndim, code, bits, lanes, shape, strides, offset = struct.unpack("<QiiiBBHQQQ", ctypes.string_at(at + tensor_at, 48))
                    self.assertEqual((data + offset, device, ordinal, ndim, (code, bits, lanes)), (a.address, 2, 1, len(a.shape), kind))
                    dims = struct.unpack("<%dq" % (2 * ndim), ctypes.string_at(shape, 8 * ndim) + ctypes.string_at(strides, 8 * ndim))
                    self.assertEqual(dims, a.shape + tuple(s // a.numpy().itemsize for s in a.numpy().strides))
                    if version:
                        self.assertEqual(struct.unpack("<IIQ", ctypes.string_at(at, 16))[:1], (1,))
                        self.assertEqual(struct.unpack("<Q", ctypes.string_at(at + 24, 8)), (0,))  # flags

    def test_dropped_capsules(self):
        with lend(Dataset(place.store, batch_size=2)) as ds:
            r, b = ds._stream._returns, next(batches(ds))
            capsules = [b.mel.__dlpack__(stream=2), b.mel.__dlpack__(stream=2, max_version=(1, 0))]
            del b
            r.look()
            self.assertEqual(r.came, 0)
            capsules.clear()
            r.look()
            self.assertEqual((r.came, len(r.there.exports)), (1, 0))

    def test_a_deleter_runs_after_python(self):
        """As that of a tensor which lives as long as the process does: a static one of C++."""
        code = """
import ctypes, sys
from voxpack import Dataset
from voxpack.devicering import ArrayForm, DeviceStream
ds = Dataset(sys.argv[1], batch_size=2)
s, ds._socket = ds._socket, None
ds._stream = DeviceStream(s, ds._request, ds._feeder.died)
ds._transport = ArrayForm().transport
capsule = ctypes.py_object(next(ds._loop(ArrayForm())).mel.__dlpack__(stream=1, max_version=(1, 0)))
python, used = ctypes.pythonapi, ctypes.c_char_p(b"used_dltensor_versioned")
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
at = python.PyCapsule_GetPointer(capsule, b"dltensor_versioned")
python.PyCapsule_SetName(capsule, used)
print(ctypes.CDLL(None).__cxa_atexit(ctypes.c_void_p.from_address(at + 16), ctypes.c_void_p(at), None))
"""
        child = place.run(code)
        self.assertEqual((child.communicate(timeout=120), child.returncode), (("0\n", ""), 0))

    def test_refusals(self):
        with lend(Dataset(place.store, batch_size=2)) as ds:
            b = next(batches(ds))
            for bad in ({"copy": True}, {"dl_device": (1, 0)}):
                with self.assertRaises(BufferError):
                    b.mel.__dlpack__(**bad)
            self.assertEqual(b.mel.__cuda_array_interface__, {
                "version": 3, "shape": b.mel.shape, "typestr": "<f4", "data": (b.mel.address, False), "strides": None, "stream": None})
            self.assertEqual(b._layout.names, ds._stream.layouts[0].names)
            with self.assertRaises(AttributeError):
                DeviceArray(b.mel.slot, "bf16", (1,), 0).__cuda_array_interface__


class Pinning(unittest.TestCase):
    def test_pin(self):
        me = os.getpid()
        before = count(me, "pinned_ranges")
        with Dataset(place.store, batch_size=2) as ds:
            stream = ds._start()
            arena = stream.arena
            size = len(arena.map)
            pinned = cuda.pin(arena.address, size, device=0, keep=arena.map)
            self.assertEqual(int(count(me, "pinned_ranges")), int(before) + 1)
            with self.assertRaisesRegex(cuda.CudaError, "cuMemHostRegister: .*pinned already"):
                cuda.pin(arena.address, size, device=1)
            pinned.close()
            pinned.close()
            self.assertEqual(count(me, "pinned_ranges"), before)
            pinned = cuda.pin(arena.address, size)
            del pinned  # a thread waits for the copies
            self.assertTrue(until(20, lambda: count(me, "pinned_ranges") == before))

    def test_the_map_stays_until_the_lock_has_ended(self):
        memory = mmap.mmap(-1, 1 << 16)
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        is_there = weakref.ref(memory)
        pinned = cuda.pin(address, 1 << 16, device=0, keep=memory)
        del memory
        self.assertIsNotNone(is_there())
        pinned.close()
        self.assertIsNone(is_there())

    def test_no_memory_to_pin(self):
        code = "import mmap, ctypes\nfrom voxpack import cuda\nm = mmap.mmap(-1, 1 << 21)\n" \
               "try:\n    cuda.pin(ctypes.addressof(ctypes.c_char.from_buffer(m)), 1 << 21)\nexcept cuda.CudaError as e:\n    print(e)"
        for answer, name in (("2", r"CUDA_ERROR_OUT_OF_MEMORY \(2\)"), ("1", r"CUDA_ERROR_INVALID_VALUE \(1\)")):
            os.environ.update(FAKECUDA_PIN_OOM_MB="1", FAKECUDA_PIN_CODE=answer)
            try:
                out, said = place.run(code).communicate(timeout=120)
            finally:
                del os.environ["FAKECUDA_PIN_OOM_MB"], os.environ["FAKECUDA_PIN_CODE"]
            self.assertRegex(out, r"cuMemHostRegister: %s; 2.1 MB .*pinned" % name, said)


if __name__ == "__main__":
    unittest.main()
