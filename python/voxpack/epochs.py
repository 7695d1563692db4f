"""Where a Dataset is in its epochs: each loop begins one, or goes on with the one that was left."""

import collections
import threading
from typing import Any, Iterator, Optional

from . import wire
from .batch import Batch
from .errors import FeederDied, FeederError
from .pace import Pace
from .stream import Stream

REMEMBERED = 64  # batches whose cursors are remembered: more than a pipeline holds
TWO = "another loop over this Dataset has begun meanwhile, and each would get only a part of the batches: use a separate Dataset for each loop"
JUDGED = ("val", "test")  # splits of which every loop is the same epoch


class Course:
    """The loops of a Dataset, one at a time. One begins when its first batch is asked for."""

    def __init__(self) -> None:
        self.last: Any = collections.deque(maxlen=REMEMBERED)  # records of the last batches that loops got
        self.sent: Any = collections.deque()  # (form, record, layout, copy): taken, and on their way to a device
        self.one = threading.Lock()  # for threads that ask for batches, as TensorFlow's
        self._loops = 0  # begun so far
        self._pace, self._taken = Pace(), 0  # batches of the last loop
        self._lost = False  # a batch was taken and given to nobody, since making it failed; or the stream has ended
        self.restart()

    def restart(self) -> None:
        """The next loop begins where the stream does, and epochs are counted from there."""
        self.passes = 0  # loops that came to their end
        self._epoch: Optional[int] = None  # of the last loop
        self._whole = False  # it came to its end

    def loop(self, dataset: Any, form: Any, rest: bool = False) -> Iterator[Batch]:
        """One epoch in a form, or what the last loop left of its own."""
        self._loops += 1
        mine, sent, there = self._loops, self.sent, hasattr(form, "send")
        self._compare(dataset)
        stream = self._going_on(dataset, form) if rest else self._begin(dataset, form)
        if stream is None:
            return
        if there:
            form.ready(stream.arena)
        log = stream.log
        log.loop(mine, getattr(form, "taken_ahead", False))
        log.ask()
        epoch = sent[0][1].epoch if sent else stream.peek()
        if epoch is None or rest and self._epoch not in (None, epoch):
            return
        self._whole = False
        while True:
            if mine != self._loops:
                raise FeederError(TWO, "request")
            if stream is not dataset._stream:
                return  # load_state_dict inside the loop ends it
            got = self._ahead(stream, form, epoch) if there else stream.take(epoch)
            if got is None:
                self._end()
                return
            record = got[1] if there else got[0]
            self._lost = True
            made = [got[0].take(got[3], record, got[2]) if there else form.batch(*got)]
            self._lost = False
            self.last.append(record)
            self._epoch, self._taken = epoch, self._taken + 1
            del got, record
            log.got()
            yield made.pop()  # no name of this frame's keeps the slot
            log.ask()

    def _compare(self, dataset: Any) -> None:
        """What the last loop took, beside that of other ranks. One rank alone may validate."""
        taken, self._taken = self._taken, 0
        if taken and self._epoch is not None and dataset._position()["selection"]["split"] not in JUDGED:
            self._pace.compare(dataset, self._epoch, taken)

    def _ahead(self, stream: Stream, form: Any, epoch: int) -> Any:
        """The next batch that was sent to a device; copies of those after it are under way meanwhile."""
        form.refuse_capture()
        while len(self.sent) <= form.ahead:
            got = stream.take(epoch)
            if got is None:
                break
            record, layout, memory = got
            self._lost = True
            self.sent.append((form, record, layout, form.send(record, layout, memory)))
            self._lost = False
            del got, memory
        return self.sent.popleft() if self.sent else None

    def _begin(self, dataset: Any, form: Any) -> Optional[Stream]:
        """The stream at the beginning of the epoch that comes now, None where the last one was."""
        following = None
        self._again(dataset)
        if self._epoch is None:
            stream, cursor = dataset._start(form), dataset._cursor
            if cursor is None or stream.peek() is not None:
                return stream
            last = cursor["epoch"]  # the state was taken after its last batch
        else:
            last, epochs = self._epoch, dataset._request.get("epochs")
            if epochs and self.passes >= epochs:
                return None
            following = self._following(dataset._stream, last)
            if epochs and self.passes >= epochs:
                return None
            if dataset._elsewhere(form):
                following = None  # another connection, which begins where it is told
        cursor = dataset._position()
        judged = cursor["selection"]["split"] in JUDGED
        self.sent.clear()
        if judged or following is None:
            begins = {k: v for k, v in cursor.items() if k not in ("owed", "seen", "drift")}
            begins.update(epoch=last if judged else last + 1, samples=0, buckets=[{"frames": b["frames"]} for b in cursor["buckets"]])
            dataset._go_on(begins)
        return dataset._start(form)

    def _following(self, stream: Any, epoch: int) -> Optional[int]:
        """The epoch after this one if the stream comes there with what is ready, which goes back unread. Another
        connection, which takes some milliseconds, begins anywhere.
        """
        if stream is None or stream.socket is None:
            return None
        try:
            following = stream.peek()
            if following != epoch and not self.sent and not self._whole:
                self._end()  # who knows the length does not ask for the end
            while following == epoch:
                stream.take(epoch)
                if not stream.ready():
                    return None
                following = stream.peek()
            return following
        except FeederDied:
            if self._whole:  # said once, as in the middle of an epoch; the loop after it goes on elsewhere
                self._lost = True
                raise
            return None

    def _again(self, dataset: Any) -> None:
        """Take a batch that was lost once more, with all after it."""
        if self._lost:
            self._lost = False
            dataset._go_on(dataset._position())

    def _end(self) -> None:
        """The last loop had a whole epoch."""
        self._whole = True
        self.passes += 1

    def _going_on(self, dataset: Any, form: Any) -> Optional[Stream]:
        """The stream where the last loop was left, None where none was."""
        if self._whole or self._epoch is None and dataset._cursor is None:
            return None
        self._again(dataset)
        stream = dataset._stream
        if stream is not None and stream.socket is not None and wire.ended(stream.socket):
            dataset._go_on(dataset._position())
        return dataset._start(form)
