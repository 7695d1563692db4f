"""What the C fake of the driver refuses as the driver does: code that a real GPU would stop must not pass here."""

import ctypes
import os
import unittest

import fakegpu
from fakegpu import tearDownModule  # noqa: F401
from voxpack import cuda


def setUpModule():
    fakegpu.setUpModule()


class Strict(unittest.TestCase):
    def test_a_fork_has_no_driver(self):
        lib = cuda.library()
        child = os.fork()
        if child == 0:
            context = ctypes.c_void_p()
            codes = lib.cuInit(0), lib.cuCtxGetCurrent(ctypes.byref(context)), lib.cuCtxSynchronize(), lib.cuDeviceGetCount(ctypes.byref(ctypes.c_int()))
            os._exit(0 if codes == (3, 3, 3, 3) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(lib.cuDeviceGetCount(ctypes.byref(ctypes.c_int())), 0)

    def test_a_context_that_is_none(self):
        with self.assertRaisesRegex(cuda.CudaError, r"INVALID_CONTEXT \(201\)"):
            cuda.call("cuCtxSetCurrent", 0x1234)

    def test_a_handle_is_of_a_whole_allocation(self):
        lib, memory, handle = cuda.library(), ctypes.c_uint64(), cuda.Handle()
        with cuda.device(0).use():
            self.assertEqual(lib.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(4096)), 0)
            codes = [lib.cuIpcGetMemHandle(ctypes.byref(handle), ctypes.c_uint64(memory.value + inner)) for inner in (0, 256)]
            self.assertEqual(lib.cuMemFree_v2(memory), 0)
        self.assertEqual(codes, [0, 1])


if __name__ == "__main__":
    unittest.main()
