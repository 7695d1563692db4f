"""Single rows and single batches, in memory of their own."""

import operator
import os
import weakref
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from .batch import Batch, Field, NumpyForm
from .errors import FeederError
from .shared import mapped


class UnknownRow(FeederError, KeyError):
    """The dataset has no row of that id; the text names those near it, or why it was rejected."""

    def __init__(self, text: str):
        super().__init__(text, "request")

    def __str__(self) -> str:
        return self.args[0]


class RowNote(NamedTuple):
    """Something that a stage of the build did to a row, and how often."""

    stage: str
    kind: str
    detail: str
    count: int


class Row:
    """One utterance as the dataset has it. Its arrays are its own: they live as long as somebody reads them. Those of a
    row out of a list are asked for when the first one is read, of the Dataset, which may not be closed by then.

    id, row    the utterance id and its number in this root
    text       as the metadata has it; given is its own normalised text, None where it has no such column
    source     what the text stage read: given where it says something, else text
    spoken     what it made of that; language is the code that it was read by
    speaker    name, None where the dataset has no speakers; split is train, val, test or ""
    seconds    of the clip
    notes      list of RowNote
    tokens     int32 [text_len]; mel [mel_len, n_mels]; further columns by their names, each cut to its length
    text_len, mel_len, …   int
    """

    def __init__(self, ds: Any, told: dict, memory: Any = None, padded: bool = False):
        given: Optional[str] = told["given"]
        self.id: str = told["id"]
        self.row: int = told["row"]
        self.text: str = told["text"]
        self.given, self.source = given, given or told["text"]
        self.spoken: str = told["spoken"]
        self.language: str = told["language"]
        self.speaker: Optional[str] = told["speaker"]
        self.split: str = told["split"]
        self.seconds: float = told["seconds"]
        self.notes: List[RowNote] = [RowNote(n["stage"], n["kind"], n["detail"], n["count"]) for n in told["notes"]]
        self._values: Dict[str, int] = told.get("values", {})  # of the columns without a shape, where the arrays are not here yet
        self._padded, self._dataset, self._source = padded, weakref.ref(ds), ds if memory is None else None
        self._names = tuple(ds.info.columns)
        if memory is not None:
            self._load(told, memory)

    def _load(self, told: dict, memory: Any) -> None:
        self._fields: Dict[str, Field] = {f["name"]: Field(f, self._names) for f in told["fields"]}
        self._memory, self._source = memory, None

    @property
    def place(self) -> str:
        """file:line in the metadata, "" where that is not at hand. Asking takes as long as reading the metadata, and
        the Dataset that the row is of.
        """
        ds = self._dataset()
        if ds is None:
            raise FeederError("the Dataset of row %r is gone, which would have asked where it stands" % self.id, "request")
        told, fds = ds._ask({"type": "row", "id": self.id, "place": True})
        for fd in fds:
            os.close(fd)
        return told["place"]

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the columns."""
        return self._names

    def column(self, name: str, padded: bool = False) -> Any:
        """A column cut to its length, or in its whole fixed shape; a number where it has no shape.

        The columns speaker and language are numbers here, and their name and code attributes.
        """
        if name not in self._names:
            raise KeyError(name)
        if self._source is not None:
            if name in self._values:
                return self._values[name]
            told, fds = self._source._ask({"type": "row", "id": self.id})
            self._load(told, mapped(fds, told["bytes"]))
        field = self._fields[name]
        array = field.numpy(self._memory)
        if not field.shape:
            return int(array)
        return array if padded else array[: self._length(field)]

    def _length(self, field: Field) -> int:
        return field.shape[0] if field.along is None else int(self._fields[field.along].numpy(self._memory))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._names:
            raise AttributeError("a row has no %s; the columns are %s" % (name, ", ".join(self.__dict__.get("_names", ()))))
        return self.column(name, self._padded)

    def __repr__(self) -> str:
        return "Row(%r, %r, language=%r, speaker=%r, %.2f s: %s)" % (self.id, self.spoken, self.language, self.speaker, self.seconds, ", ".join(self._names))


def row(ds: Any, id: str, padded: bool = False) -> Row:
    """One utterance by its id: a Row, whose arrays have the true lengths, or with padded the fixed shapes.

    Raises UnknownRow, a FeederError of kind request and a KeyError, for an id that the dataset does not have, and
    FeederError of kind corrupt where its bytes are not those that were built.
    """
    if not isinstance(id, str):
        raise TypeError("an id is a str, not %s" % type(id).__name__)
    try:
        told, fds = ds._ask({"type": "row", "id": id})
    except FeederError as e:
        if e.kind == "request":
            raise UnknownRow(str(e)) from None
        raise
    return Row(ds, told, mapped(fds, told["bytes"]), padded)


def batch(ds: Any, i: int) -> Batch:
    """Batch i of the epoch that is under way, of this rank: rows and bytes as the loop gives them, in memory of
    its own, as NumPy's arrays. It moves no loop. Its ``seq`` is i.

    i may count from the end. Raises IndexError beyond ``len(ds)``. An epoch counts from its beginning: where it was
    resumed in its middle with another batch size, the loop cuts what is left of it otherwise.
    """
    i = operator.index(i)
    stream = ds._start()
    n = len(ds)
    if not -n <= i < n:
        raise IndexError("batch %d: an epoch has %d" % (i, n))
    epoch = ds.state_dict()["cursor"]["epoch"]
    try:
        told, fds = stream.ask({"type": "batch", "epoch": epoch, "index": i % n})
    except FeederError as e:
        if e.kind == "request":  # with weights an epoch may be shorter than the first
            raise IndexError(str(e)) from None
        raise
    return NumpyForm().batch(_Apart(told, stream.samples), stream.layouts[told["bucket"]], mapped(fds, told["bytes"]))


class _Apart:
    """What a batch is asked of itself, as a Record of the ring, but without one."""

    def __init__(self, told: dict, samples: int):
        self.seq, self.epoch, self.bucket, self.lost = told["index"], told["epoch"], told["bucket"], told["lost"]
        self.rows, self.samples, self._ids = np.array(told["rows"], np.uint32), samples, told["ids"]

    def ids(self) -> List[str]:
        return list(self._ids)
