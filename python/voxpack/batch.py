"""A batch: tensors that lie in the feeder's memory."""

import warnings
from collections.abc import MutableMapping
from typing import Any, Callable, Iterator, List, Mapping, Optional, Tuple

import numpy as np

from .cuda import number
from .errors import FeederError
from .shapes import PLAIN, PRIOR, Cut, Shapes, along, turn

_TYPES = {"i16": "<i2", "i32": "<i4", "f16": "<f2", "f32": "<f4", "bf16": "<u2"}
DATA = 128  # where in a record the row numbers begin
_bfloat16 = None  # ml_dtypes.bfloat16, or False where it is not installed


def bfloat16() -> Any:
    """ml_dtypes.bfloat16, which NumPy itself does not have; False, with one warning, where it is not installed."""
    global _bfloat16
    if _bfloat16 is None:
        try:
            from ml_dtypes import bfloat16 as found
            _bfloat16 = np.dtype(found)
        except ImportError:
            _bfloat16 = False
            warnings.warn("the mel is bfloat16, which NumPy does not know: it comes as uint16; pip install ml_dtypes", stacklevel=2)
    return _bfloat16


class Field:
    """Name, type, shape and place of one column of a layout.

    ``shape`` begins with the samples of a batch; ``offset`` and ``bytes`` say where in the slot
    it lies; ``dtype`` is i16, i32, f16, bf16 or f32; ``along`` names the column that has the lengths
    of the next axis. ``turned`` and ``wide`` say how it is wanted: see Shapes.
    """

    __slots__ = ("name", "dtype", "shape", "offset", "bytes", "plain", "along", "turned", "wide")

    def __init__(self, told: dict, names: Any = (), shapes: Shapes = PLAIN):
        self.name, self.dtype, self.shape, self.offset = told["name"], told["dtype"], tuple(told["shape"]), told["offset"]
        self.plain = np.dtype(_TYPES[self.dtype])  # bfloat16 by its bits
        self.bytes = self.plain.itemsize
        for n in self.shape:
            self.bytes *= n
        self.along = along(told, names)
        self.turned = shapes.turned and len(self.shape) == 3 and self.along is not None and self.name != PRIOR
        self.wide = shapes.wide and self.name == "tokens"

    @property
    def wanted(self) -> Tuple[str, Tuple[int, ...]]:
        """Type and shape of the column as it is wanted, before anything is cut off."""
        return "i64" if self.wide else self.dtype, (self.shape[0], self.shape[2], self.shape[1]) if self.turned else self.shape

    def bits(self, memory: Any, cut: Optional[Cut] = None) -> np.ndarray:
        """The column as it is wanted, as a view of the memory where that can be; bfloat16 as uint16."""
        a = np.ndarray(self.shape, self.plain, memory, self.offset)
        if cut is not None or self.turned:
            a = turn(a, self, cut)
        return a.astype(np.int64) if self.wide else a

    def numpy(self, memory: Any, cut: Optional[Cut] = None) -> np.ndarray:
        """The column as NumPy knows it best."""
        a = self.bits(memory, cut)
        return a.view(bfloat16()) if self.dtype == "bf16" and bfloat16() else a


class Layout:
    """The columns of a bucket's batches: names are those that a batch has, and fields has these and what else the memory has.
    A field that is None is a name that a model asks for and the dataset has nothing for.
    """

    __slots__ = ("fields", "names", "bytes", "_lengths")

    def __init__(self, told: dict, shapes: Shapes = PLAIN):
        have = [f["name"] for f in told["fields"]]
        self.fields = {f["name"]: Field(f, have, shapes) for f in told["fields"]}
        names = self.names = shapes.shown(have)
        self.bytes = told["bytes"]
        self._lengths: Optional[List[Field]] = None  # nothing is cut off
        if shapes.trim:
            needed = {f.along for f in map(self.fields.get, names) if f is not None and f.along is not None}
            needed |= {"text_len"} if PRIOR in names else set()
            if needed - set(have):
                raise FeederError("trim=True: batches have no %s, which says what is padding; name it in columns" % ", ".join(sorted(needed - set(have))), "request")
            self._lengths = [self.fields[name] for name in sorted(needed)]
        if shapes.called is not None:
            self.fields = {name: None if of is None else self.fields[of] for name, of in shapes.called.items()}
            self.names = tuple(self.fields)
            refused = [name for name in self.names if name.startswith("_") or hasattr(Batch, name)]
            if refused:
                raise FeederError("columns: %s is not a name for a column" % refused[0], "request")

    def cut(self, record: "Record", memory: Any) -> Optional[Cut]:
        """What of a batch in host memory is no padding, None where nothing is cut off. An empty batch keeps a sample, and columns a step."""
        if self._lengths is None:
            return None
        samples = len(record.rows)
        return Cut(max(1, samples), {f.name: max(1, int(f.bits(memory)[:samples].max(initial=0))) for f in self._lengths})


class Batch(MutableMapping):
    """What one step trains on: a mapping of column names to tensors, which are attributes too.

    The tensors are those of the framework that was asked for (NumPy's arrays in a plain loop), of
    static shapes [samples, ...], and lie in shared memory, where they may be written too:
    ``tokens`` int32 [samples, max_text_length], ``mel`` [samples, max_mel_frames, n_mels] (float32,
    float16 or bfloat16, natural logarithm unless the dataset's settings say otherwise), ``text_len``
    (tokens) and ``mel_len`` (frames) int32 [samples], and ``speaker`` and ``language`` int32
    [samples] where the dataset has them; further columns by their names. ``valid`` bool [samples]
    is False where the tail of an epoch left a sample empty.

    The memory goes back to the feeder when this object and all that was made from its tensors
    without a copy are gone: copy what is to be kept for long.

    ``ids``, ``rows``, ``seq``, ``epoch``, ``bucket`` and ``lost`` are no tensors, and no items of
    the mapping. A batch that is made of a mapping, as tree functions of frameworks do, has none of them.
    """

    def __init__(self, tensors: Mapping[str, Any], record: Optional["Record"] = None):
        self._told, self._names = record, tuple(name for name in tensors if name != "valid")
        self.__dict__.update({"_valid" if name == "valid" else name: tensor for name, tensor in tensors.items()})

    @classmethod
    def lent(cls, record: "Record", layout: Layout, memory: Any, convert: Callable[[Field, Any, Optional[Cut]], Any], mask: Callable[[np.ndarray], Any],
             slot: Any = None, cut: Optional[Cut] = None) -> "Batch":
        """One whose tensors are made of a slot's memory as they are asked for."""
        made = cls({}, record)
        made._names, made._layout, made._memory, made._convert, made._mask, made._cut = layout.names, layout, memory, convert, mask, cut
        made._slot = memory if slot is None else slot  # who hears which streams read the batch
        return made

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if hasattr(type(self), name):
            raise AttributeError("this batch was made of tensors, which know no %s: ask the batch that the loop gave, or move it by batch.to(device)" % name)
        if name not in self._names:
            raise AttributeError("a batch has no %s; the columns are %s" % (name, ", ".join(self._names)))
        field = self._layout.fields[name]
        tensor = self.__dict__[name] = None if field is None else self._convert(field, self._memory, self._cut)
        return tensor

    @property
    def valid(self) -> Any:
        """bool [samples]: False where the tail of an epoch left a sample empty."""
        valid = self.__dict__.get("_valid")
        if valid is None:
            plain = np.zeros(self._record.samples if self._cut is None else self._cut.samples, bool)
            plain[: len(self._record.rows)] = True
            valid = self._valid = self._mask(plain)
        return valid

    @property
    def _record(self) -> "Record":
        if self._told is None:
            raise AttributeError("_record")
        return self._told

    @property
    def ids(self) -> List[str]:
        """The utterance ids, one for each valid sample."""
        return self._record.ids()

    @property
    def rows(self) -> np.ndarray:
        """uint32 [valid samples]: numbers of the rows in this root."""
        return self._record.rows

    @property
    def seq(self) -> int:
        """The number of the batch since the connection began, from 0."""
        return self._record.seq

    @property
    def epoch(self) -> int:
        """The number of the epoch, from 0."""
        return self._record.epoch

    @property
    def bucket(self) -> int:
        """The index of the bucket, 0 where there is one shape only."""
        return self._record.bucket

    @property
    def lost(self) -> int:
        """The number of samples that were left out because their bytes are corrupt."""
        return self._record.lost

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the columns."""
        return self._names

    def __getitem__(self, name: str) -> Any:
        if name == "valid" or name in self._names:
            return getattr(self, name)
        raise KeyError(name)

    def __setitem__(self, name: str, tensor: Any) -> None:
        """Put a tensor in the place of a column, or beside them."""
        if name != "valid" and (name.startswith("_") or hasattr(type(self), name)):
            raise KeyError("%s is not a name for a column" % name)
        self._names += () if name == "valid" or name in self._names else (name,)
        self.__dict__["_valid" if name == "valid" else name] = tensor

    def __delitem__(self, name: str) -> None:
        if name not in self._names:
            raise KeyError(name)
        self._names = tuple(n for n in self._names if n != name)
        self.__dict__.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        yield from self._names
        yield "valid"

    def __len__(self) -> int:
        return len(self._names) + 1

    __eq__ = object.__eq__  # two batches are not compared by their values
    __hash__ = object.__hash__

    def to(self, device: Any, non_blocking: bool = False) -> "Batch":
        """The batch with its tensors of torch on another device."""
        moved = Batch({name: t if t is None else t.to(device, non_blocking=non_blocking) for name, t in self.items()}, self._told)
        if "_slot" in self.__dict__ and any(t is not None and moved[name] is t for name, t in self.items()):
            moved.__dict__["_slot"] = self.__dict__["_slot"]  # they were there already: record_stream is still about the slot
        return moved

    def record_stream(self, stream: Any) -> None:
        """Say that work on another stream reads this batch, so that its memory is not filled again before.

        It is for batches on a GPU, after the work was queued or before; stream is one of the batch's
        GPU: torch's, one with ``__cuda_stream__``, or a number. On the host, where no stream reads, it
        does nothing.
        """
        slot = self.__dict__.get("_slot")
        for memory in (slot, self.__dict__.get("_valid"), *(() if slot is not None else self.values())):
            if not hasattr(memory, "record_stream"):
                continue
            if not hasattr(memory, "is_cuda"):
                memory.record_stream(stream)  # a slot's
            elif memory.is_cuda:
                memory.record_stream(_of_torch(stream, memory.device))

    def __repr__(self) -> str:
        r, names = self._told, ", ".join(self._names)
        return "Batch(%s)" % names if r is None else "Batch(seq=%d, epoch=%d, %d samples: %s)" % (r.seq, r.epoch, len(r.rows), names)


def _of_torch(stream: Any, device: Any) -> Any:
    """A stream of a GPU as torch's, which its tensors want."""
    if hasattr(stream, "cuda_stream"):
        return stream
    import torch
    return torch.cuda.ExternalStream(number(stream), device=device)


class Record:
    """What the ring says of a batch, and the cursor after it."""

    __slots__ = ("seq", "epoch", "bucket", "samples", "_raw", "_stream")

    def __init__(self, seq: int, epoch: int, bucket: int, samples: int, raw: bytes, stream: Any):
        self.seq, self.epoch, self.bucket, self.samples, self._raw, self._stream = seq, epoch, bucket, samples, raw, stream

    @property
    def lost(self) -> int:
        return int.from_bytes(self._raw[20:24], "little")

    @property
    def rows(self) -> np.ndarray:
        return np.frombuffer(self._raw, "<u4", int.from_bytes(self._raw[24:28], "little"), DATA)

    @property
    def cursor(self) -> bytes:
        at = self._stream.cursor_at
        return self._raw[at : at + int.from_bytes(self._raw[28:32], "little")]

    def ids(self) -> List[str]:
        return self._stream.ids(self.rows)


class NumpyForm:
    """How a batch becomes one of NumPy's arrays."""

    def batch(self, record: Record, layout: Layout, memory: Any) -> Batch:
        return Batch.lent(record, layout, memory, Field.numpy, _itself, cut=layout.cut(record, memory))


def flat(batch: Batch) -> Tuple[List[Any], Tuple[str, ...]]:
    """The tensors of a batch, for tree functions of frameworks, and their names, by which compiled functions are kept."""
    names = tuple(batch)
    return [batch[name] for name in names], names


def unflat(names: Tuple[str, ...], tensors: Any) -> Batch:
    """A batch of what a tree function made of each tensor."""
    return Batch(dict(zip(names, tensors)))


def _itself(array: np.ndarray) -> np.ndarray:
    return array
