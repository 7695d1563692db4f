#!/usr/bin/env python3
"""Copies from the host to GPU 0 by the driver alone: the ceiling for everybody.

A piece: each line of JSON on stdin is answered by one on stdout.

    {"what": "copy", "kind": "pinned", "bytes": N, "times": T}   the time of each copy, one at a time
    {"what": "ring", "bytes": N, "times": T}                     T copies one behind the other out of RING buffers
    {"what": "fill", "leave": N}                                 take the GPU's memory until N bytes are free
    {"what": "give"}                                             give it back
    {"what": "look"}                                             how much is free

Kinds: pinned (cuMemHostAlloc), registered (a memfd under cuMemHostRegister, as
the feed's ring is), combined (write-combined), pageable.
"""

import ctypes
import mmap
import os
import statistics
import time
from ctypes import byref, c_float, c_size_t, c_uint64

import nvidia
import process

RING = 4  # buffers: more than are under way, as in a feed

PORTABLE, WRITE_COMBINED = 1, 4  # CU_MEMHOSTALLOC_*, CU_MEMHOSTREGISTER_PORTABLE
NON_BLOCKING = 1  # CU_STREAM_NON_BLOCKING
BLOCKING_SYNC = 1  # CU_EVENT_BLOCKING_SYNC
PIECE = 1 << 30  # of the memory that "fill" takes
SMALLEST = 1 << 21


class Source:
    """Host memory of a kind. Its pages are touched."""

    def __init__(self, driver, kind, size):
        self.driver, self.kind = driver, kind
        if kind in ("pinned", "combined"):
            self.address = driver.pointer("cuMemHostAlloc", size, PORTABLE if kind == "pinned" else WRITE_COMBINED)
        elif kind in ("registered", "pageable"):
            self.file = os.memfd_create("raw") if kind == "registered" else -1
            if kind == "registered":
                os.ftruncate(self.file, size)
            self.map = mmap.mmap(self.file, size, flags=mmap.MAP_SHARED if kind == "registered" else mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            self.anchor = ctypes.c_char.from_buffer(self.map)
            self.address = ctypes.addressof(self.anchor)
        else:
            raise ValueError(f"unknown kind {kind}")
        ctypes.memset(self.address, 0x5A, size)
        if kind == "registered":
            driver.call("cuMemHostRegister_v2", self.address, size, PORTABLE)

    def close(self):
        if self.kind in ("pinned", "combined"):
            self.driver.call("cuMemFreeHost", self.address)
            return
        if self.kind == "registered":
            self.driver.call("cuMemHostUnregister", self.address)
        del self.anchor
        self.map.close()
        if self.file >= 0:
            os.close(self.file)


class Raw:
    """A context on GPU 0 with a stream and what it copies to."""

    def __init__(self):
        self.driver = d = nvidia.Driver()
        d.call("cuCtxSetCurrent", d.pointer("cuDevicePrimaryCtxRetain", d.integer("cuDeviceGet", 0)))
        self.stream = d.pointer("cuStreamCreateWithPriority", NON_BLOCKING, 0)
        self.taken = []

    def answer(self, what, **question):
        return {"copy": self.copy, "ring": self.ring, "fill": self.fill, "give": self.give, "look": self.look}[what](**question)

    def alloc(self, size):
        pointer = c_uint64()
        self.driver.call("cuMemAlloc_v2", byref(pointer), size)
        return pointer.value

    def events(self, n):
        return [self.driver.pointer("cuEventCreate", BLOCKING_SYNC) for _ in range(n)]

    def elapsed(self, start, end):
        ms = c_float()
        self.driver.call("cuEventElapsedTime", byref(ms), start, end)
        return ms.value

    def copy(self, kind, bytes, times):
        d, start, end = self.driver, *self.events(2)
        source, target = Source(d, kind, bytes), self.alloc(bytes)
        found = []
        for n in range(times + 3):  # three to warm up
            d.call("cuEventRecord", start, self.stream)
            d.call("cuMemcpyHtoDAsync_v2", target, source.address, bytes, self.stream)
            d.call("cuEventRecord", end, self.stream)
            d.call("cuEventSynchronize", end)
            found.append(self.elapsed(start, end))
        d.call("cuMemFree_v2", target)
        source.close()
        for event in (start, end):
            d.call("cuEventDestroy_v2", event)
        return {"ms": found[3:]}

    def ring(self, bytes, times):
        d = self.driver
        sources, targets = [Source(d, "pinned", bytes) for _ in range(RING)], [self.alloc(bytes) for _ in range(RING)]
        marks = [self.events(2) for _ in range(RING)]
        found, began = [], 0.0
        for n in range(times + 2 * RING):
            if n == 2 * RING:  # the ring is full and warm
                found, began = [], time.perf_counter()
            i = n % RING
            start, end = marks[i]
            if n >= RING:  # so many are under way
                d.call("cuEventSynchronize", end)
                found.append(self.elapsed(start, end))
            d.call("cuEventRecord", start, self.stream)
            d.call("cuMemcpyHtoDAsync_v2", targets[i], sources[i].address, bytes, self.stream)
            d.call("cuEventRecord", end, self.stream)
        took = time.perf_counter() - began
        for i in range(RING):
            d.call("cuEventSynchronize", marks[i][1])
            d.call("cuMemFree_v2", targets[i])
            sources[i].close()
            for event in marks[i]:
                d.call("cuEventDestroy_v2", event)
        return {"copy_rate": bytes / statistics.median(found) * 1000, "clock_rate": bytes * times / took}

    def free(self):
        free, total = c_size_t(), c_size_t()
        self.driver.call("cuMemGetInfo_v2", byref(free), byref(total))
        return free.value

    def fill(self, leave):
        size = PIECE
        while size >= SMALLEST:
            if self.free() < leave + size:
                size //= 2
                continue
            try:
                self.taken.append(self.alloc(size))
            except nvidia.CallError:
                size //= 2
        return self.look()

    def give(self):
        for pointer in self.taken:
            self.driver.call("cuMemFree_v2", pointer)
        self.taken = []
        return self.look()

    def look(self):
        return {"free": self.free()}


if __name__ == "__main__":
    process.answer_lines(Raw().answer)
