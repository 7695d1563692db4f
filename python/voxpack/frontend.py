"""A dataset's text front-end: what its rules and vocabulary make of text, and the text of tokens."""

import warnings
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from .errors import FeederError
from .page import describe

__all__ = ["Encoded", "Note", "decode", "describe", "encode"]

# A question takes 4,096 texts, 1 MiB of text and 262,144 ids; portions of a part of that let the feeder's
# other work in between.
_TEXTS, _BYTES, _IDS = 1000, 256 << 10, 128 << 10


class Note(NamedTuple):
    """Something that a stage (lexicon, text or tokens) did to a text: its kind, the byte of the text that the
    stage read, in UTF-8, and what it was about.
    """

    stage: str
    kind: str
    at: int
    detail: str


class Encoded:
    """A text as a trained model wants it.

    ids       int32 [n], not padded: what the dataset stores of a row with that text, up to its text_len
    spoken    the text as it is read aloud
    language  the code that it was read by
    notes     list of Note: what was left out, replaced or not read
    phonemes  what the ids are made of where the tokenizer is phoneme, else ""
    """

    __slots__ = ("ids", "spoken", "language", "notes", "phonemes")

    def __init__(self, ids: np.ndarray, spoken: str, language: str, notes: List[Note], phonemes: str = ""):
        self.ids, self.spoken, self.language, self.notes, self.phonemes = ids, spoken, language, notes, phonemes

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return "Encoded(%d ids, %r, language=%r, %d notes)" % (len(self.ids), self.spoken, self.language, len(self.notes))


def encode(ds: Any, texts: Union[str, Iterable[str]], language: Optional[str] = None) -> Union[Encoded, List[Encoded]]:
    """Text by the rules, lexicon, vocabulary and settings of this very dataset: one Encoded for a str, a list of
    them for several.

    language is a code such as "en" or "fa", or "auto" for what each text tells; without it the config that the
    dataset was built with decides. Raises FeederError of kind request for an unknown language, for a text that a
    build would reject (an empty one, or one without a known character), and where espeak-ng is wanted and missing.
    Warns where this program's rules are of another version than those of the build.
    """
    if isinstance(texts, str):
        return _encode(ds, [texts], language, False)[0]
    return _encode(ds, list(texts), language, True)


def _encode(ds: Any, texts: Sequence[str], language: Optional[str], many: bool) -> List[Encoded]:
    sizes = []
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError("text %d is %s, want str" % (i, type(text).__name__))
        try:
            sizes.append(len(text.encode()))
        except UnicodeEncodeError as e:
            raise FeederError("text %d is no Unicode text: %s" % (i, e), "request") from None
    done: List[Encoded] = []
    for part in _portions(sizes, _BYTES):
        question = {"type": "encode", "texts": texts[part]}
        if language is not None:
            question["language"] = language
        answer, _ = ds._ask(question)
        if not done:
            for words in answer["warnings"]:
                warnings.warn(words, stacklevel=4)
        for line in answer["lines"]:
            if line.get("error"):
                where = "text %d, %.40r" % (len(done), texts[len(done)]) if many else "%.40r" % texts[0]
                raise FeederError("%s: %s" % (where, line["error"]), "request")
            notes = [Note(n["stage"], n["kind"], n["at"], n["detail"]) for n in line["notes"]]
            done.append(Encoded(np.array(line["ids"], np.int32), line["spoken"], line["language"], notes, line.get("phonemes", "")))
    return done


def decode(ds: Any, ids: Any, lengths: Any = None) -> Union[str, List[str]]:
    """The text that ids stand for: a str for one list or array [n], a list of str for several or for [samples, n].

    lengths int [samples], such as text_len, says how many ids of each are meant. Without it all are, but for zeros at
    the end of an array as long as the dataset's tokens: that is padding.

    Pad, bos, eos and blank are left out, and unknown ids and the unk become U+FFFD. So decode(encode(t).ids) is
    encode(t).spoken where the tokenizer is char and no character of the text was unknown (Encoded.notes tells), and
    encode(t).phonemes where it is phoneme. A character that was dropped does not come back. Tokens of tacotron give
    its letters, and phonemes in braces. Those of a tokenizer.json are joined as its usual decoder does (ByteLevel,
    Metaspace, WordPiece, BPEDecoder, ByteFallback), without special tokens; what its normalizer changed, as capitals
    in BERT, and the gaps between words of a WordPiece or a WordLevel vocabulary, come back as it has them.
    """
    full = (ds.info.columns.get("tokens") or ("", (0,)))[1][0]
    if hasattr(ids, "detach"):
        ids = ids.detach().cpu()  # torch
    one = _flat(ids)
    lists = [ids] if one else list(ids)
    ends = [None] * len(lists) if lengths is None else [int(n) for n in np.ravel(np.asarray(lengths))]
    if len(ends) != len(lists):
        raise FeederError("%d lengths for %d lists of ids" % (len(ends), len(lists)), "request")
    plain = [_ids(i, part, end, full) for i, (part, end) in enumerate(zip(lists, ends))]
    texts: List[str] = []
    for portion in _portions([len(p) for p in plain], _IDS):
        answer, _ = ds._ask({"type": "decode", "ids": plain[portion]})
        texts += answer["texts"]
    return texts[0] if one else texts


def _portions(sizes: Sequence[int], most: int) -> Iterator[slice]:
    """What goes into one question after the other: at least one, at most _TEXTS, and no more than most by their sizes."""
    begin = 0
    while begin < len(sizes):
        end, size = begin, 0
        while end < len(sizes) and (end == begin or end - begin < _TEXTS and size + sizes[end] <= most):
            size, end = size + sizes[end], end + 1
        yield slice(begin, end)
        begin = end


def _flat(ids: Any) -> bool:
    """Whether these are ids, and not lists of them."""
    if hasattr(ids, "ndim"):
        if ids.ndim not in (1, 2):
            raise FeederError("ids of %d dimensions: want [n] or [samples, n]" % ids.ndim, "request")
        return ids.ndim == 1
    return all(not hasattr(i, "__len__") and getattr(i, "ndim", 0) == 0 for i in ids) and len(ids) > 0


def _ids(i: int, part: Any, end: Optional[int], full: int) -> List[int]:
    a = np.asarray(part)
    if a.size == 0:
        return []
    if a.ndim != 1 or a.dtype.kind not in "iu":
        raise FeederError("list %d: want whole numbers [n], not %s %s" % (i, a.dtype, list(a.shape)), "request")
    if int(a.min()) < -1 << 31 or int(a.max()) >= 1 << 31:
        raise FeederError("list %d: ids are numbers of 32 bits" % i, "request")
    if end is None and len(a) == full:
        used = np.flatnonzero(a)
        end = int(used[-1]) + 1 if len(used) else 0
    if end is not None and not 0 <= end <= len(a):
        raise FeederError("list %d has %d ids, its length is %d" % (i, len(a), end), "request")
    return a[:end].tolist()
