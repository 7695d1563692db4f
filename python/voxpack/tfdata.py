"""A Dataset as a tf.data.Dataset."""

import atexit
import os
import threading
import time
import weakref
from typing import Any, Dict, Optional

from . import wire
from .epochs import TWO
from .errors import FeederError
from .shapes import PRIOR


_QUIET = 0.03  # seconds without a call and with every thread asleep, after which TensorFlow's wait for the loop
_PATIENCE = 5.0  # seconds, for a process in which some other thread never sleeps
_alive: Any = weakref.WeakSet()


class _Loops:
    """The loops that TensorFlow's threads ask for batches: one at a time.

    Those threads prefetch until the iterator is destroyed, which at the end of a process is after Python's:
    one that asked then would not come back, and the process would wait for it for ever. So they are told of the end before.
    """

    def __init__(self, ds: Any, form: Any):
        self.ds, self.form = ds, form
        self.loops: Dict[int, Any] = {}
        self.one = ds._course.one  # an iterator that was left, of this tf.data.Dataset or another, may still be prefetching
        self.begun = self.calls = 0
        self.over = False
        _alive.add(self)

    def begin(self) -> int:
        with self.one:
            self.calls += 1
            self.begun += 1
            self.loops.clear()
            self.loops[self.begun] = self.ds._loop(self.form)
            return self.begun

    def following(self, key: int) -> Any:
        with self.one:
            self.calls += 1
            if self.over:
                return None
            if key not in self.loops:
                raise FeederError(TWO, "request")
            return next(self.loops[key], None)

    def end(self) -> None:
        """Every loop is over, and nobody asks any more."""
        if wire.forks[0] != self.ds._forks:
            return  # a fork has no such threads
        self.over = True
        stream = self.ds._stream
        if self.begun and stream is not None:
            stream.close()  # who waits for a batch hears of it
        if not self.begun:
            return
        calls, until = -1, time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            asleep = _others_sleep()
            if asleep and calls == self.calls and not self.one.locked():
                return
            calls = self.calls if asleep else -1
            time.sleep(_QUIET)


def _others_sleep() -> bool:
    """Whether every other thread of the process waits for something.

    Time without a call says little on a busy machine: of 20 processes that ended beside twice as many busy
    ones as there are cores, 6 hung, since TensorFlow's thread was between two calls and did not get to run.
    """
    for task in os.listdir("/proc/self/task"):
        if int(task) != threading.get_native_id():
            try:
                with open("/proc/self/task/%s/stat" % task, "rb") as f:
                    stat = f.read()
            except OSError:
                continue  # it ended
            if stat[stat.rindex(b")") + 2 :][:1] != b"S":
                return False
    return True


@atexit.register
def _end() -> None:
    for loops in list(_alive):
        loops.end()


def dataset(ds: Any, device: Optional[str], prefetch: int) -> Any:
    """One epoch each time it is gone over: see Dataset.tf_dataset.

    TensorFlow's own from_generator copies every tensor; a py_function hands it on as it is.
    """
    from .forms import TensorflowForm
    form = TensorflowForm()
    form.taken_ahead = True  # by TensorFlow's threads
    tf = form.tf
    layouts = ds._start().layouts
    names = [name for name in layouts[0].names if layouts[0].fields[name] is not None]
    kinds = {"i64": tf.int64, "i16": tf.int16, "i32": tf.int32, "f16": tf.float16, "bf16": tf.bfloat16, "f32": tf.float32}
    types = [kinds[layouts[0].fields[n].wanted[0]] for n in names]
    shapes = [_common([layout.fields[n].wanted[1] for layout in layouts]) for n in names]
    samples = ds._start().samples
    if ds._shapes.trim:  # each batch has its own
        samples = None
        for shape, n in zip(shapes, names):
            f = layouts[0].fields[n]
            shape[0] = None
            if f.along is not None:
                shape[2 if f.turned else 1] = None
            if f.name == PRIOR:
                shape[2] = None
    if prefetch < 0:
        raise FeederError("prefetch %d: want 0 or more" % prefetch, "request")
    loops = _Loops(ds, form)

    def begin() -> Any:
        return tf.constant(loops.begin(), tf.int64)

    def following(key: Any) -> Any:
        batch = loops.following(int(key))
        if batch is None:
            empty = [tf.zeros([0 if n is None else n for n in s], t) for s, t in zip(shapes, types)]
            return [tf.constant(False), tf.constant(-1, tf.int64), tf.zeros([samples or 0], tf.bool)] + empty
        return [tf.constant(True), tf.constant(batch.seq, tf.int64), batch.valid] + [batch[n] for n in names]

    def element(key: Any) -> Any:
        more, seq, valid, *columns = tf.py_function(following, [key], [tf.bool, tf.int64, tf.bool] + types)
        more.set_shape([])
        seq.set_shape([])
        valid.set_shape([samples])
        for tensor, shape in zip(columns, shapes):
            tensor.set_shape(shape)
        return more, dict(zip(names, columns), valid=valid, seq=seq)

    def epoch(_: Any) -> Any:
        key = tf.py_function(begin, [], tf.int64)
        key.set_shape([])
        ones = tf.data.Dataset.from_tensors(key).repeat()
        return ones.map(element).take_while(lambda more, _: more).map(lambda _, tensors: tensors)

    made = tf.data.Dataset.range(1).flat_map(epoch)
    if device is not None:
        return made.apply(tf.data.experimental.prefetch_to_device(device, max(1, prefetch)))
    return made.prefetch(prefetch) if prefetch else made


def _common(shapes: Any) -> Any:
    """The shape of all of them, None where they differ."""
    return [n[0] if len(set(n)) == 1 else None for n in zip(*shapes)]
