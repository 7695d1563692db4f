"""What the C fake of the driver refuses as the driver does: code that a real GPU would stop must not pass here."""

import ctypes
import os
import subprocess
import threading
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


class Real(unittest.TestCase):
    """What the driver allows, and this one did not do."""

    def alloc(self, size):
        memory = ctypes.c_uint64()
        with cuda.device(0).use():
            self.assertEqual(cuda.library().cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(size)), 0)
        self.addCleanup(self.free, memory)
        return memory.value

    def free(self, memory):
        with cuda.device(0).use():
            cuda.library().cuMemFree_v2(memory)

    def handle(self, address):
        handle = cuda.Handle()
        with cuda.device(0).use():
            self.assertEqual(cuda.library().cuIpcGetMemHandle(ctypes.byref(handle), ctypes.c_uint64(address)), 0)
        return bytes(handle.bytes).hex()

    def opened(self, say, *handles):
        """What another process prints that opens handles."""
        code = ("import ctypes, sys\nfrom voxpack import cuda\nlib, at = cuda.library(), []\n"
                "for text in sys.argv[2:]:\n    p = ctypes.c_uint64()\n    with cuda.device(0).use():\n"
                "        cuda.call('cuIpcOpenMemHandle_v2', ctypes.byref(p), cuda.Handle.from_buffer_copy(bytes.fromhex(text)), 1)\n    at.append(p.value)\n"
                "def read(address, n):\n    b = (ctypes.c_ubyte * n)()\n    with cuda.device(0).use():\n        cuda.call('cuMemcpyDtoH_v2', ctypes.addressof(b), address, n)\n"
                "    return bytes(b)\n" + say)
        p = fakegpu.place.run(code, *handles, stdin=subprocess.PIPE)
        self.addCleanup(p.wait)
        return p

    def test_small_memory_shares_its_block(self):
        """Whoever opens the second piece can read the first, and gets whole blocks alone."""
        small, neighbour, whole = self.alloc(4096), self.alloc(4096), self.alloc(2 << 20)
        with cuda.device(0).use():
            cuda.library().cuMemcpyHtoD_v2(ctypes.c_uint64(small), b"secret", ctypes.c_size_t(6))
        p = self.opened("print(read(at[0] - %d, 6), at[1] %% 4096)" % (neighbour - small), self.handle(neighbour), self.handle(whole))
        self.assertEqual(p.communicate(timeout=60)[0], "b'secret' 0\n")

    def test_what_is_freed_under_somebody_is_rubbish(self):
        memory = self.alloc(2 << 20)
        p = self.opened("print(set(read(at[0], 4096)), flush=True)\nsys.stdin.readline()\nprint(set(read(at[0], 4096)))", self.handle(memory))
        self.assertEqual(p.stdout.readline(), "{0}\n")
        self.free(ctypes.c_uint64(memory))
        self.assertEqual(p.communicate("\n", timeout=60)[0], "{%d}\n" % 0xDB)

    def test_another_namespace_opens_nothing(self):
        """As a container does that was started without --ipc=host."""
        code = ("import ctypes, sys\nfrom voxpack import cuda\nif ctypes.CDLL(None).unshare(0x08000000):\n    sys.exit('not allowed')\np = ctypes.c_uint64()\n"  # CLONE_NEWIPC
                "with cuda.device(0).use():\n    print(cuda.library().cuIpcOpenMemHandle_v2(ctypes.byref(p), cuda.Handle.from_buffer_copy(bytes.fromhex(sys.argv[2])), 1))")
        out, said = fakegpu.place.run(code, self.handle(self.alloc(2 << 20))).communicate(timeout=60)
        if "not allowed" in said:
            self.skipTest("this user may have no namespace of its own")
        self.assertEqual(out, "201\n", said)

    def test_instances_and_uuids(self):
        uuid = cuda.device(1).uuid
        code = "from voxpack import cuda\nprint([(d.name, d.uuid[-2:]) for d in cuda.devices()])"
        for env, want in (({"CUDA_VISIBLE_DEVICES": uuid}, [("Fake GPU 1", "01")]), ({"CUDA_VISIBLE_DEVICES": uuid[:-4] + "99"}, None),
                          ({"FAKECUDA_MIG": "1"}, [("Fake GPU 0 MIG 1g.0", "00")]), ({"FAKECUDA_MIG": "1", "CUDA_VISIBLE_DEVICES": "MIG" + uuid[3:]}, [("Fake GPU 0 MIG 1g.1", "01")])):
            with self.subTest(**env):
                os.environ.update(env)
                try:
                    out, said = fakegpu.place.run(code).communicate(timeout=60)
                finally:
                    for name in env:
                        del os.environ[name]
                if want is None:
                    self.assertIn("CUDA_ERROR_NO_DEVICE", said)
                else:
                    self.assertEqual(out, "%r\n" % want, said)

    def test_one_process_at_a_time(self):
        os.environ["FAKECUDA_COMPUTE_MODE"] = "3"
        try:
            p = fakegpu.place.run("import sys\nfrom voxpack import cuda\nwith cuda.device(0).use(): print('has it', flush=True)\nsys.stdin.readline()", stdin=subprocess.PIPE)
            self.assertEqual(p.stdout.readline(), "has it\n")
            out, said = fakegpu.place.run("from voxpack import cuda\ncuda.device(0).context").communicate(timeout=60)
        finally:
            del os.environ["FAKECUDA_COMPUTE_MODE"]
            p.communicate("\n", timeout=60)
        self.assertIn("CUDA_ERROR_DEVICE_UNAVAILABLE (46); another process has the GPU for itself", said)

    def test_taking_memory_waits_for_work(self):
        stream, before = fakegpu.new_stream(), int(fakegpu.count(os.getpid(), "implicit_waits"))
        memory = self.alloc(4096)
        gate = fakegpu.Gate(stream)
        opener = threading.Timer(0.1, gate.open)
        opener.start()
        self.free(ctypes.c_uint64(memory))
        self.assertTrue(gate.opened.is_set())
        self.assertEqual(int(fakegpu.count(os.getpid(), "implicit_waits")), before + 1)


if __name__ == "__main__":
    unittest.main()
