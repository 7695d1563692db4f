"""One connection to a feeder: taking batches and giving them back."""

import gc
import itertools
import os
import struct
import time
import weakref

import numpy as np

from . import wire
from .batch import Batch, Field, Lease
from .errors import FeederDied, FeederError
from .shared import Memory, futex_wait, futex_wake

_READY, _STATE, _PUBLISHED, _BELL, _QUEUE = 64, 68, 72, 128, 256
_TAKEN, _RETURNED, _DATA = 64, 72, 128
_RECORD = struct.Struct("<QQ4I")
_RUNNING, _ENDED, _FAILED = 0, 1, 2

_LOOK = 0.1  # seconds between two looks at the socket
_HELD = 5.0  # seconds that somebody may wait for batches that are all his own


class _Returns:
    """Gives slots back. It outlives the stream, for arrays that do."""

    def __init__(self, ring):
        self.ring, self.held, self.pid = ring, 0, os.getpid()
        self.count = itertools.count(1)  # its next() is one step for all threads
        self.out = itertools.count(1)
        self.back = itertools.count(1)
        self.lent = self.came = 0

    def lend(self):
        self.lent = next(self.out)

    def give_back(self, record, seq):
        if os.getpid() != self.pid:
            return  # a fork's copy: the slot is the parent's
        self.came = next(self.back)
        ring = self.ring
        ring.u64[(record + _RETURNED) >> 3] = seq + 1
        ring.u32[_BELL >> 2] = next(self.count) & 0xFFFFFFFF
        futex_wake(ring.address + _BELL)


class Stream:
    """The batches of one start."""

    def __init__(self, sock, request, died):
        self.socket, self._died = sock, died
        try:
            wire.send(sock, dict(request, type="start"))
            self.started, fds = wire.receive(sock)
            s = self.started
            self.arena, self.ring = Memory(fds[0], s["arena_bytes"]), Memory(fds[1], s["ring_bytes"])
        except BaseException:
            self.close()
            raise
        sock.settimeout(None)
        magic, version, self.slots, self._records, self._stride, room, _ = struct.unpack_from("<8s6I", self.ring.map)
        if magic != b"VXPRING1" or version != wire.PROTOCOL:
            raise FeederError("the feeder's ring has version %d, this package reads %d" % (version, wire.PROTOCOL), "protocol")
        self._cursor_at = (_DATA + 4 * room + 7) & ~7
        self.samples, self.taken, self._ids = s["samples"], 0, None
        self._layouts = [{f["name"]: Field(f) for f in layout["fields"]} for layout in s["layouts"]]
        self._returns = _Returns(self.ring)
        self.cursor = None  # JSON, behind the last batch taken

    def close(self):
        """Hang up. Arrays that are alive stay as they are."""
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def peek(self):
        """The epoch of the next batch, None behind the last. It waits for it."""
        at = self._wait()
        return None if at is None else self.ring.u64[(at + 8) >> 3]

    def take(self, wanted):
        """The next batch, None where it is of another epoch or does not exist."""
        at = self._wait()
        if at is None:
            return None
        ring = self.ring
        seq, epoch, bucket, lost, rows, cursor = _RECORD.unpack_from(ring.map, at)
        if epoch != wanted:
            return None
        slot = (at - self._records) // self._stride
        numbers = np.frombuffer(ring.map[at + _DATA : at + _DATA + 4 * rows], "<u4")
        from_ = at + self._cursor_at
        self.cursor = ring.map[from_ : from_ + cursor]
        ring.u64[(at + _TAKEN) >> 3] = seq + 1
        self.taken = seq + 1
        lease = Lease(self.arena)
        self._returns.lend()
        weakref.finalize(lease, self._returns.give_back, at, seq).atexit = False
        return Batch(self, lease, self.arena.address + slot * self.started["slot_bytes"], self._layouts[bucket], (seq, epoch, bucket, lost, numbers))

    def _wait(self):
        """Where the record of the next batch is, None behind the last."""
        ring, since = self.ring, None
        if os.getpid() != self._returns.pid:
            raise FeederError("this Dataset was made before a fork: make one in the process that uses it", "request")
        while True:
            ready, state = ring.u32[_READY >> 2], ring.u32[_STATE >> 2]
            if ring.u64[_PUBLISHED >> 3] > self.taken:
                return self._records + self._stride * ring.u32[(_QUEUE >> 2) + self.taken % self.slots]
            if self.socket is None:
                raise FeederError("this Dataset was closed", "request")
            if state == _ENDED:
                return None
            if state == _FAILED:
                wire.receive(self.socket)
                raise FeederError("the feeder failed and did not say why")
            if not futex_wait(ring.address + _READY, ready, _LOOK):
                if wire.ended(self.socket):
                    raise FeederDied(self._died())
                since = self._hoarded(since)

    def _hoarded(self, since):
        """Since when all batches are the consumer's own; long, and it would wait for ever."""
        if self._returns.lent - self._returns.came < self.slots:
            return None
        if since is None:
            gc.collect()  # arrays in cycles are nobody's
            return time.monotonic()
        if time.monotonic() - since > _HELD:
            raise FeederError(
                "all %d batches of the ring are held by arrays that are still alive: delete them, copy what is to be kept, or give ahead=%d"
                % (self.slots, 2 * self.slots), "held")
        return since

    def ids(self, rows):
        """The ids of rows by their numbers."""
        if self._ids is None:
            if self.socket is None:
                raise FeederError("this Dataset was closed before its ids were asked for", "request")
            wire.send(self.socket, {"type": "ids"})
            answer, fds = wire.receive(self.socket)
            with os.fdopen(fds[0], "rb") as f:
                table = os.pread(f.fileno(), answer["bytes"], 0)
            n = answer["rows"] + 1
            self._ids = np.frombuffer(table, "<u8", n), table[8 * n :]
        offsets, text = self._ids
        return [text[int(offsets[r]) : int(offsets[r + 1])].decode() for r in rows]
