"""A Dataset as a tf.data.Dataset."""

import threading
from typing import Any, Dict, Optional

from .errors import FeederError


def dataset(ds: Any, device: Optional[str], prefetch: int) -> Any:
    """One epoch each time it is gone over: see Dataset.tf_dataset.

    TensorFlow's own from_generator copies every tensor; a py_function hands it on as it is.
    """
    from .forms import TensorflowForm
    form = TensorflowForm()
    tf = form.tf
    layouts = ds._start().layouts
    names = layouts[0].names
    kinds = {"i16": tf.int16, "i32": tf.int32, "f16": tf.float16, "bf16": tf.bfloat16, "f32": tf.float32}
    types = [kinds[layouts[0].fields[n].dtype] for n in names]
    shapes = [_common([layout.fields[n].shape for layout in layouts]) for n in names]
    samples = ds._start().samples
    if prefetch < 0:
        raise FeederError("prefetch %d: want 0 or more" % prefetch, "request")
    loops: Dict[int, Any] = {}
    one = threading.Lock()  # an iterator that was left may still be prefetching

    def begin() -> Any:
        with one:
            key = max(loops, default=-1) + 1
            loops.clear()  # one that was left: its epoch goes on here
            loops[key] = ds._epoch(form)
        return tf.constant(key, tf.int64)

    def following(key: Any) -> Any:
        with one:
            loop = loops.get(int(key))
            batch = next(loop, None) if loop is not None else None
        if batch is None:
            empty = [tf.zeros([0 if n is None else n for n in s], t) for s, t in zip(shapes, types)]
            return [tf.constant(False), tf.constant(-1, tf.int64), tf.zeros([samples], tf.bool)] + empty
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
