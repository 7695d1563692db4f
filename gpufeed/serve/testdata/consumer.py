"""A consumer of a device ring that knows docs/protocol.md and the driver alone.

    consumer.py LIBRARY SOCKET MODE REQUEST    the request is the start message in JSON

read   prints what every batch holds, read by copies that are queued and not waited for:
       the event behind each is what keeps the slot
hold   takes what there is, returns one batch behind work that is under way, and waits
leave  hangs up without a word, and goes on until its standard input ends
"""

import ctypes
import json
import mmap
import os
import platform
import socket
import struct
import sys
import time

LIBRARY, SOCKET, MODE, REQUEST = sys.argv[1:]
FUTEX = {"x86_64": 202, "aarch64": 98}[platform.machine()]


class Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 64)]


cuda = ctypes.CDLL(LIBRARY)
cuda.cuIpcOpenMemHandle_v2.argtypes = [ctypes.POINTER(ctypes.c_uint64), Handle, ctypes.c_uint]
cuda.cuIpcOpenEventHandle.argtypes = [ctypes.POINTER(ctypes.c_void_p), Handle]
for name in ("cuCtxSetCurrent", "cuEventSynchronize", "cuStreamSynchronize", "cuEventDestroy_v2"):
    getattr(cuda, name).argtypes = [ctypes.c_void_p]
cuda.cuEventRecord.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
cuda.cuIpcCloseMemHandle.argtypes = [ctypes.c_uint64]
cuda.cuMemHostRegister_v2.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint]
cuda.cuMemcpyDtoHAsync_v2.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p]


def do(name, *args):
    code = getattr(cuda, name)(*args)
    if code != 0:
        sys.exit("%s: %d" % (name, code))


def handle(text):
    import base64

    return Handle.from_buffer_copy(base64.b64decode(text))


def say(message):
    body = json.dumps(message).encode()
    conn.sendall(struct.pack("<I", len(body)) + body)


def hear():
    head, files, _, _ = socket.recv_fds(conn, 4, 4)
    body = b""
    length = struct.unpack("<I", head)[0]
    while len(body) < length:
        body += conn.recv(length - len(body))
    message = json.loads(body)
    if message["type"] == "error":
        sys.exit("error %(kind)s: %(text)s" % message)
    return message, files


conn = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
conn.connect(SOCKET)
say({"type": "hello", "protocol": 3})
hear()
say(dict(json.loads(REQUEST), type="start"))
started, files = hear()
device, slots = started["device"], started["slots"]
assert len(files) == 1 and device["slots"] == slots and device["slot_bytes"] == started["slot_bytes"], (files, device)
ring = mmap.mmap(files[0], started["ring_bytes"])
u32, u64 = memoryview(ring).cast("I"), memoryview(ring).cast("Q")
base = ctypes.addressof(ctypes.c_char.from_buffer(ring))

do("cuInit", 0)
context, memory, stream = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_void_p()
for ordinal in range(8):  # whose number here need not be the feeder's
    bus = ctypes.create_string_buffer(32)
    do("cuDeviceGetPCIBusId", bus, 32, ordinal)
    if bus.value.decode().lower() == device["bus"]:
        break
do("cuDevicePrimaryCtxRetain", ctypes.byref(context), ordinal)
do("cuCtxSetCurrent", context)
do("cuIpcOpenMemHandle_v2", ctypes.byref(memory), handle(device["memory"]), 1)
do("cuStreamCreateWithPriority", ctypes.byref(stream), 1, 0)
events, buffers = [], []
for slot in range(slots):
    event = ctypes.c_void_p()
    do("cuIpcOpenEventHandle", ctypes.byref(event), handle(device["consumed"][slot]))
    events.append(event)
    buffers.append(mmap.mmap(-1, device["slot_bytes"]))
addresses = [ctypes.addressof(ctypes.c_char.from_buffer(b)) for b in buffers]
for address in addresses:
    do("cuMemHostRegister_v2", address, device["slot_bytes"], 1)
under_way = []  # slots that are copied out of, in the order of their batches
held = [None] * slots  # by slot: which batch, its rows, its length


def over():
    try:
        return conn.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False


def take(n):
    """Where the record of batch n is, None behind the last."""
    while u64[72 // 8] <= n:
        if u32[68 // 4] != 0 or over():
            return None
        time.sleep(0.0005)
    return u32[16 // 4] + u32[20 // 4] * u32[256 // 4 + n % slots]


def show(last):
    """Prints what was copied out of slots, up to a slot: the next batch may be in any of them."""
    while last in under_way:
        slot = under_way.pop(0)
        seq, rows, length = held[slot]
        do("cuEventSynchronize", events[slot])
        print(seq, ",".join(map(str, rows)), buffers[slot][:length].hex(), flush=True)


def give_back(at, n):
    u64[(at + 72) // 8] = n + 1
    u32[128 // 4] += 1
    ctypes.CDLL(None).syscall(ctypes.c_long(FUTEX), ctypes.c_void_p(base + 128), 1, 1 << 30, None, None, 0)


def read(at, n):
    slot = (at - u32[16 // 4]) // u32[20 // 4]
    _, _, bucket, _, rows, _ = struct.unpack_from("<QQ4I", ring, at)
    show(slot)
    length = started["layouts"][bucket]["bytes"]
    held[slot] = n, struct.unpack_from("<%dI" % rows, ring, at + 128), length
    under_way.append(slot)
    u64[(at + 64) // 8] = n + 1
    do("cuMemcpyDtoHAsync_v2", addresses[slot], memory.value + slot * device["slot_bytes"], length, stream)
    do("cuEventRecord", events[slot], stream)


if MODE == "leave":
    conn.close()
    print("gone", flush=True)
    sys.stdin.read()
    sys.exit()
n = 0
while MODE == "read" or n < slots:
    at = take(n)
    if at is None:
        break
    read(at, n)
    if MODE == "read" or n == 0:
        give_back(at, n)
    n += 1
if MODE == "hold":
    print("holding", flush=True)
    time.sleep(60)
if under_way:
    show(under_way[-1])
do("cuStreamSynchronize", stream)
for event in events:
    do("cuEventDestroy_v2", event)
do("cuIpcCloseMemHandle", memory)
if u32[68 // 4] == 2:
    hear()  # why the feeder failed
say({"type": "bye"})
print("bye", flush=True)
