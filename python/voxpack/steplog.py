"""What a trainer notes of its steps, where `voxpack profile --attach` and other watchers read it: the step log of docs/protocol.md."""

import itertools
import struct
import time
import warnings
from typing import Any, List, Optional

from . import wire
from .errors import FeederError
from .shared import Memory

_now = time.monotonic_ns
_TAKEN, _MARKED, _AHEAD = 64, 72, 80


class Step:
    """One step of the trainer, from its begin to its end. Exceptions pass through."""

    __slots__ = ("_log", "_at", "_word")

    def __init__(self, log: "StepLog"):
        self._log = log

    def __enter__(self) -> None:
        self._log.begin(self)

    def __exit__(self, *_: Any) -> None:
        self._log.end(self)


class NoLog:
    """Notes nothing: of a feeder that gives no log, or before a loop has begun."""

    waited = 0  # ns since ask in which the ring was empty

    def loop(self, number: int, ahead: bool) -> None:
        """A loop begins; with ahead, threads take its batches before the trainer asks for them."""

    def ask(self) -> None:
        """The loop wants a batch."""

    def got(self) -> None:
        """The loop has it."""

    def begin(self, step: Step) -> None:
        """A step begins."""

    def end(self, step: Step) -> None:
        """It ends."""


class StepLog(NoLog):
    """The words that the feeder made for it. This process alone writes them.

    A mark costs about 1 µs, a batch 0.4 µs (examples/step_cost.py). They come from one thread each: the one that asks for
    batches, and those that train.
    """

    def __init__(self, memory: Memory):
        self._kept, takes, take, marks, mark = struct.unpack_from("<5I", memory.map, 12)
        self._words, self._memory, self._forks = memory.u64, memory, wire.forks[0]
        self._takes, self._take, self._marks, self._mark = takes >> 3, take >> 3, marks >> 3, mark >> 3
        self._taken, self._numbers, self._number = 0, itertools.count(), 0  # the iterator's next() is one step for all threads
        self._asked = 0

    @property
    def taken(self) -> int:
        """Batches that loops got so far."""
        return self._words[_TAKEN >> 3]

    @property
    def marked(self) -> int:
        """Steps that were marked so far."""
        return self._words[_MARKED >> 3]

    @property
    def ahead(self) -> bool:
        """Whether threads take batches before the loop asks for them."""
        return self._memory.u32[_AHEAD >> 2] != 0

    def loop(self, number: int, ahead: bool) -> None:
        self._number = number
        self._memory.u32[_AHEAD >> 2] = ahead

    def ask(self) -> None:
        self.waited = 0
        self._asked = _now()

    def got(self) -> None:
        words, n = self._words, self._taken
        if wire.forks[0] != self._forks:
            return  # a fork's copy: the log is the parent's
        at = self._takes + n % self._kept * self._take
        words[at] = 0
        words[at + 1], words[at + 2], words[at + 3], words[at + 4] = self._number, self._asked, self.waited, _now()
        self._taken = words[at] = words[_TAKEN >> 3] = n + 1

    def begin(self, step: Step) -> None:
        words = self._words
        if wire.forks[0] != self._forks:
            return
        n = next(self._numbers)
        at = step._at = self._marks + n % self._kept * self._mark
        step._word = n + 1
        words[at] = 0
        words[at + 1], words[at + 2], words[at + 3] = self._taken, _now(), 0
        words[at] = words[_MARKED >> 3] = n + 1

    def end(self, step: Step) -> None:
        words = self._words
        if wire.forks[0] == self._forks and words[step._at] == step._word:
            words[step._at + 3] = _now()


def given(fds: List[int], size: Optional[int]) -> NoLog:
    """The log whose descriptor is the last one. A feeder that knows no log, or has no memory for one, gives none; one of
    another version is left alone, and one that cannot be mapped is left out with a warning: a training does not depend on it.
    """
    if not size:
        return NoLog()
    try:
        memory = Memory(fds[-1:], size)
    except (FeederError, ValueError) as e:
        warnings.warn("steps are not noted, so that voxpack top and profile --attach know less of them: %s" % e, stacklevel=5)
        return NoLog()
    finally:
        fds.pop()  # closed, mapped or not
    return StepLog(memory) if struct.unpack_from("<8sI", memory.map) == (b"VXSTEPS1", 1) else NoLog()
