"""One connection to a feeder: takes batches and gives them back."""

import ctypes
import gc
import itertools
import os
import socket
import struct
import sys
import time
import warnings
from typing import Any, Callable, Iterable, List, Optional, Tuple

import numpy as np

from . import steplog, wire
from .batch import DATA, Layout, Record
from .errors import FeederDied, FeederError
from .shapes import PLAIN, Shapes
from .shared import Memory, futex_wait, futex_wake, timeout

_RING = 2  # version of the words of a ring
_READY, _STATE, _PUBLISHED, _WAKE, _BELL, _QUEUE = 64, 68, 72, 80, 128, 256
_TAKEN, _RETURNED = 64, 72
_RUNNING, _ENDED, _FAILED = 0, 1, 2

_LOOK = 0.1  # seconds between two looks at the socket
_WAIT = timeout(_LOOK)
_LEAVE = 2.0  # seconds that a feeder may take to free a ring
_HELD = 5.0  # seconds that somebody may wait for batches that are all his own


class _Returns:
    """Gives slots back. It outlives the stream, for arrays that do."""

    def __init__(self, ring: Memory):
        self.ring, self.forks, self.wake = ring, wire.forks[0], futex_wake  # names of modules may be gone at exit
        self.now = wire.forks
        self.bell = itertools.count(1)  # its next() is one step for all threads
        self.lent, self._out, self._back, self.came = 0, itertools.count(1), itertools.count(1), 0
        self.waited = False  # somebody waits for what comes back, and for nothing else

    def lend(self) -> None:
        self.lent = next(self._out)

    def give_back(self, record: int, seq: int) -> None:
        if self.now[0] != self.forks:
            return  # a fork's copy: the slot is the parent's
        self.came = next(self._back)
        ring = self.ring
        ring.u64[(record + _RETURNED) >> 3] = seq + 1
        bell = next(self.bell) & 0xFFFFFFFF
        ring.u32[_BELL >> 2] = bell
        # The feeder says from which bell on it wants to be woken; a store that it
        # has not seen when it says so costs 100 ms at most.
        if self.waited or (bell - ring.u32[_WAKE >> 2]) & 0x80000000 == 0:
            self.wake(ring.address + _BELL)

    def await_all(self, slots: int) -> None:
        """Before a wait: the feeder asks to be woken when half of the slots are back, and fewer can come from who holds the others."""
        self.waited = 2 * (self.lent - self.came) >= slots
        if self.waited:
            self.wake(self.ring.address + _BELL)


def _leases(size: int) -> type:
    """The type of the memory of a slot: when the last tensor in it is gone, so is the lease."""

    class Lease(ctypes.c_char * size):  # type: ignore[misc]
        def __del__(self) -> None:
            returns = self.__dict__.get("returns")
            if returns is not None:
                returns.give_back(self.record, self.seq)

    return Lease


class Ids:
    """The table of all ids, out of the answer to the question for it."""

    def __init__(self, answer: dict, fds: List[int]):
        with os.fdopen(fds[0], "rb") as f:
            table = os.pread(f.fileno(), answer["bytes"], 0)
        n = answer["rows"] + 1
        self._offsets, self._text = np.frombuffer(table, "<u8", n).tolist(), table[8 * n :]

    def of(self, rows: Iterable[int]) -> List[str]:
        """The ids of rows by their numbers."""
        at, text = self._offsets, self._text
        return [text[at[r] : at[r + 1]].decode() for r in rows]


class Stream:
    """The batches of one start."""

    def __init__(self, sock: Any, request: dict, died: Callable[[], str]):
        self.socket, self._died = sock, died
        try:
            wire.send(sock, dict(request, type="start", steps=True))
            self.started, fds = wire.receive(sock)
            self.log = steplog.given(fds, self.started.get("steps_bytes"))
            self._map(fds)
        except BaseException:
            self.close()
            raise
        sock.settimeout(None)
        magic, version, self.slots, self._records, self._stride, room, _ = struct.unpack_from("<8s6I", self.ring.map)
        if magic != b"VXPRING1" or version != _RING:
            raise FeederError("the feeder's ring has version %d, this package reads %d" % (version, _RING), "protocol")
        self.cursor_at = (DATA + 4 * room + 7) & ~7
        self.samples, self.taken = self.started["samples"], 0
        self._ids: Optional[Ids] = None
        self.shaped(PLAIN)
        self._returns = _Returns(self.ring)
        self._looked, self._told = time.monotonic(), False
        self._failure: Optional[FeederError] = None  # why there are no more batches
        self._over = "this Dataset was closed"  # why there is no socket

    def shaped(self, shapes: Shapes) -> None:
        """Have the batches in these shapes."""
        self.layouts = [Layout(told, shapes) for told in self.started["layouts"]]

    def _map(self, fds: List[int]) -> None:
        s = self.started
        self.ring = Memory(fds, s["ring_bytes"])
        self.arena = Memory(fds, s["arena_bytes"])
        self._lease, self._slot_bytes = _leases(s["slot_bytes"]), s["slot_bytes"]

    def _lend(self, slot: int, record: int, seq: int) -> Any:
        """The memory of a slot, which goes back to the feeder when nobody has it any more."""
        lease = self._lease.from_address(self.arena.address + slot * self._slot_bytes)
        lease.memory = self.arena  # stays mapped as long as somebody reads
        lease.record, lease.seq, lease.returns = record, seq, self._returns
        return lease

    def leave(self) -> None:
        """Close the connection, and wait until the feeder has freed what it had for it."""
        sock = self.socket
        if sock is not None and wire.forks[0] == self._returns.forks:
            try:
                sock.settimeout(_LEAVE)
                sock.shutdown(socket.SHUT_WR)
                while sock.recv(1 << 16):
                    pass  # said before it heard of the end
            except OSError:
                pass  # it is gone, or busy for long
        self.close()

    def close(self) -> None:
        """Close the connection. Arrays that are alive stay valid."""
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def __del__(self) -> None:
        self.close()

    def peek(self) -> Optional[int]:
        """The epoch of the next batch, None after the last one. Waits for the batch."""
        at = self._wait()
        return None if at is None else self.ring.u64[(at + 8) >> 3]

    def ready(self) -> bool:
        """Whether the next batch is there already."""
        return self.ring.u64[_PUBLISHED >> 3] > self.taken

    def take(self, wanted: int) -> Optional[Tuple[Record, Layout, Any]]:
        """The next batch, None where it is of another epoch or does not exist."""
        at = self._wait()
        if at is None:
            return None
        u64 = self.ring.u64
        if u64[(at + 8) >> 3] != wanted:
            return None
        seq = self.taken  # batches come in the order of their numbers
        record = Record(seq, wanted, self.ring.u32[(at + 16) >> 2], self.samples, self.ring.map[at : at + self._stride], self)
        u64[(at + _TAKEN) >> 3] = self.taken = seq + 1
        self._returns.lend()
        return record, self.layouts[record.bucket], self._lend((at - self._records) // self._stride, at, seq)

    def _wait(self) -> Optional[int]:
        """The offset of the next batch's record, None after the last one."""
        ring, since, empty = self.ring, None, 0
        if wire.forks[0] != self._returns.forks:
            raise forked()
        while True:
            ready, state = ring.u32[_READY >> 2], ring.u32[_STATE >> 2]
            if ring.u64[_PUBLISHED >> 3] > self.taken:
                self._alive(state)
                if empty:
                    self.log.waited += time.monotonic_ns() - empty
                return self._records + self._stride * ring.u32[(_QUEUE >> 2) + self.taken % self.slots]
            if self.socket is None:
                raise FeederError(self._over, "request")
            if state == _ENDED:
                return None
            if state == _FAILED:
                self._hear()
                raise self._failure or FeederError("the feeder failed and did not say why")
            empty = empty or time.monotonic_ns()
            self._returns.await_all(self.slots)
            in_time = futex_wait(ring.address + _READY, ready, _WAIT)
            self._returns.waited = False
            if not in_time:
                socket = self.socket  # at the end of a process another thread closes it
                if socket is not None and wire.ended(socket):
                    raise FeederDied(self._died())
                since = self._hoarded(since)

    def _alive(self, state: int) -> None:
        """Raises FeederDied although batches are there: who steps slowly would hear of it too late."""
        now = time.monotonic()
        if now - self._looked > _LOOK and state == _RUNNING:
            self._looked = now
            if self.socket is not None and wire.ended(self.socket):
                raise FeederDied(self._died())

    def _hoarded(self, since: Optional[float]) -> Optional[float]:
        """Since when all batches are the consumer's own; long, and it would wait for ever."""
        held = self._returns.lent - self._returns.came
        if held < self.slots:
            if 2 * held >= self.slots and held > 1 and not self._told:
                self._told = True
                warnings.warn("arrays that are still alive hold %d of the ring's %d batches, and it is as much smaller: the feeder prepares into the others alone; "
                              "delete them, copy what is to be kept, or give ahead=%d" % (held, self.slots, 2 * self.slots), stacklevel=5)
            return None
        if since is None:
            gc.collect()  # arrays in cycles are nobody's
            return time.monotonic()
        if time.monotonic() - since > _HELD:
            raise FeederError(
                "all %d batches of the ring are held by arrays that are still alive: delete them, copy what is to be kept, or give ahead=%d"
                % (self.slots, 2 * self.slots), "held")
        return since

    def ids(self, rows: np.ndarray) -> List[str]:
        """The ids of rows by their numbers."""
        if self._ids is None:
            self._ids = Ids(*self.ask({"type": "ids"}))
        return self._ids.of(rows.tolist())

    def ask(self, message: dict) -> Tuple[dict, List[int]]:
        """The answer to a request, and the descriptors that came with it."""
        if self.socket is None:
            raise FeederError(self._over, "request")
        if wire.forks[0] != self._returns.forks:
            raise forked()
        try:
            wire.send(self.socket, message)
            answer = self._hear()
            while answer is None:  # that was about the batches; the answer comes after it
                try:
                    answer = wire.receive(self.socket)
                except FeederDied:
                    raise self._failure from None
        except FeederError:
            raise
        except BaseException:  # its answer may still come, and be taken for that of the next question
            self._over = "a question was interrupted, and this connection with it: resume() goes on in another one, and so does the next loop"
            self.close()
            raise
        return answer

    def _hear(self) -> Optional[Tuple[dict, List[int]]]:
        """A message; None where it says why there are no more batches, or has said so before."""
        try:
            return None if self._failure is not None else wire.receive(self.socket)
        except FeederError as e:
            if e.of is not None or isinstance(e, FeederDied):
                raise
            self._failure = e
            return None


def forked() -> FeederError:
    """Why a Dataset does not go on in a child of the process that made it."""
    torch = sys.modules.get("torch.utils.data")
    if torch is not None and torch.get_worker_info() is not None:
        return FeederError("a DataLoader of voxpack's batches has num_workers=0: the feeder is a process beside the trainer already, and workers would each copy what it shares", "request")
    return FeederError("this Dataset was made before a fork: make one in the process that uses it", "request")
