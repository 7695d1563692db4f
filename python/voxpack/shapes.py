"""The shapes in which batches come: which columns, in which order of axes, with how much padding."""

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .errors import FeederError

_FRAMED = ("mel", "linear", "energy", "f0")  # what a feeder that does not say so has along mel_len


PRIOR = "attn_prior"  # [samples, frames, tokens]: its last axis has lengths too


class Cut(NamedTuple):
    """What of a batch is no padding: its samples, and the most steps along each column of lengths."""

    samples: int
    longest: Dict[str, int]


class Shapes:
    """What a Dataset says of the shapes of its batches.

    columns  names of the dataset's, None for all
    called   what a batch has of these: the column, or None, by the name in the batch; None where the names are the same
    turned   [samples, time, channel] comes as [samples, channel, time]
    trim     padding that no sample of a batch needs is cut off
    wide     tokens come as int64
    """

    def __init__(self, columns: Any = None, layout: Optional[str] = None, trim: bool = False, tokens: Any = None):
        if layout not in (None, "btc", "bct"):
            raise FeederError('layout=%r: want "btc" ([batch, time, channel]) or "bct" ([batch, channel, time])' % (layout,), "request")
        kind = getattr(tokens, "__name__", str(tokens).split(".")[-1])  # "int64", numpy.int64 or torch.int64
        if tokens is not None and kind not in ("int32", "int64"):
            raise FeederError("tokens=%r: want int32 or int64" % (tokens,), "request")
        if not isinstance(trim, bool):
            raise FeederError("trim=%r: want True or False" % (trim,), "request")
        self.called: Optional[Dict[str, Optional[str]]] = dict(columns) if columns and isinstance(columns, Mapping) else None
        names = [columns] if isinstance(columns, str) else columns
        if self.called is not None:
            names = dict.fromkeys(of for of in self.called.values() if of is not None)  # each once
        self.columns: Optional[Tuple[str, ...]] = None if names is None else tuple(names)
        if self.columns is not None and not all(isinstance(name, str) for name in (*self.columns, *(self.called or ()))):
            raise FeederError("columns=%r: want names" % (columns,), "request")
        self.turned, self.trim, self.wide = layout == "bct", trim, kind == "int64"

    def asked(self, told: Sequence[dict]) -> Optional[List[str]]:
        """The columns that a feeder has to copy: with trim their lengths too. told are those of the dataset."""
        if not self.columns:
            return None if self.columns is None else []
        names = list(self.columns)
        if self.trim:
            have = {c["name"]: along(c, {d["name"] for d in told}) for c in told}
            for name in self.columns:
                lengths = {"reference_mel": ["reference_mel_len"], PRIOR: ["mel_len", "text_len"]}.get(name, [have.get(name.replace("piece_", "", 1), None)])
                names += [length for length in lengths if length is not None and length not in names]
        return names

    def shown(self, have: Sequence[str]) -> Tuple[str, ...]:
        """The columns that a batch has, of those that its memory has."""
        if not self.columns:
            return tuple(have)
        missing = [name for name in self.columns if name not in have]
        if missing:
            raise FeederError("columns: batches have no %s; they have %s" % (missing[0], ", ".join(have)), "request")
        return tuple(name for name in have if name in self.columns)


PLAIN = Shapes()


def along(told: dict, names: Any) -> Optional[str]:
    """The column of lengths along a column's first axis, None where there is none. A feeder of a version that says it says it."""
    if "along" in told:
        return told["along"]
    name = told["name"]
    for length in (name + "_len", "text_len" if name == "tokens" else "mel_len" if name in _FRAMED else ""):
        if length in names and length != name:
            return length
    return None


def turn(tensor: Any, field: Any, cut: Optional[Cut]) -> Any:
    """A column as it is wanted, as a view: of NumPy's arrays and of torch's tensors."""
    if cut is not None:
        tensor = tensor[: cut.samples]
        if field.along in cut.longest:
            tensor = tensor[:, : cut.longest[field.along]]
        if field.name == PRIOR and "text_len" in cut.longest:
            tensor = tensor[:, :, : cut.longest["text_len"]]
    return tensor.swapaxes(1, 2) if field.turned else tensor
