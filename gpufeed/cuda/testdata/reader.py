"""Opens the device memory of another process and prints its first 32 bytes.

    reader.py LIBRARY HANDLE BYTES    the handle in hex

It keeps the memory until its standard input ends.
"""

import ctypes
import sys


class Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 64)]


def check(call, code):
    if code != 0:
        sys.exit(f"{call}: {code}")


cuda = ctypes.CDLL(sys.argv[1])
cuda.cuIpcOpenMemHandle_v2.argtypes = [ctypes.POINTER(ctypes.c_uint64), Handle, ctypes.c_uint]
cuda.cuMemcpyDtoH_v2.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t]

check("cuInit", cuda.cuInit(0))
context = ctypes.c_void_p()
check("cuDevicePrimaryCtxRetain", cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
check("cuCtxSetCurrent", cuda.cuCtxSetCurrent(context))
memory = ctypes.c_uint64()
handle = Handle.from_buffer_copy(bytes.fromhex(sys.argv[2]))
check("cuIpcOpenMemHandle", cuda.cuIpcOpenMemHandle_v2(ctypes.byref(memory), handle, 1))
content = ctypes.create_string_buffer(int(sys.argv[3]))
check("cuMemcpyDtoH", cuda.cuMemcpyDtoH_v2(content, memory, len(content)))
print(content.raw[:32].hex(), flush=True)
sys.stdin.read()
