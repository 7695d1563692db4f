"""What is known of the rows of a dataset: lists, tables, and choices of rows."""

import base64
from typing import Any, Dict, Iterable, Iterator, List, Optional, Set

from .errors import FeederError
from .sample import Row, UnknownRow

_PORTION = 1024  # rows of one question


def listed(ds: Any) -> Iterator[Row]:
    """The rows of a Dataset in the order of their numbers. Their arrays are asked for when somebody reads one."""
    chosen = ds._chosen
    if "rows" not in ds._knows:
        yield from (ds.row(id) for id in ds.ids)
        return
    at = 0
    while at < ds.info.rows:
        answer, _ = ds._ask({"type": "rows", "from": at, "count": _PORTION})
        for told in answer["rows"]:
            if chosen is None or told["row"] in chosen:
                yield Row(ds, told)
        at += len(answer["rows"])


def select(ds: Any, ids: Iterable[str]) -> Set[int]:
    """The numbers of rows by their ids."""
    if isinstance(ids, str):
        raise FeederError("select(%r): want a list of ids" % ids, "request")
    numbers = {id: n for n, id in enumerate(ds._all_ids())}
    found = set()
    for id in ids:
        n = numbers.get(id)
        if n is None:
            if isinstance(id, str):
                ds.row(id)  # which says what is near it, or why it was rejected
            raise UnknownRow("the dataset has no row %r" % (id,))
        if ds._chosen is not None and n not in ds._chosen:
            raise UnknownRow("row %r is not among the %d that were chosen before" % (id, len(ds._chosen)))
        found.add(n)
    return found


def bits(chosen: Set[int], rows: int) -> str:
    """The key chosen of a start."""
    list_ = bytearray((rows + 7) // 8)
    for n in chosen:
        list_[n >> 3] |= 1 << (n & 7)
    return base64.b64encode(bytes(list_)).decode()


def table(ds: Any) -> Dict[str, List[Any]]:
    """Columns of what is known of the rows: see Dataset.to_pandas."""
    texts = ("id", "row", "text", "given", "spoken", "language", "speaker", "split", "seconds")
    made: Dict[str, List[Any]] = {name: [] for name in texts}
    numbers = [name for name, (_, shape) in ds.info.columns.items() if not shape and name not in texts]
    made.update((name, []) for name in [*numbers, "notes"])
    for row in ds.rows():
        for name in (*texts, *numbers):
            made[name].append(getattr(row, name))
        made["notes"].append(["%s: %s %s" % (n.stage, n.kind, n.detail) if n.detail else "%s: %s" % (n.stage, n.kind) for n in row.notes])
    return made


def page(ds: Any) -> str:
    """The Dataset as HTML, for notebooks."""
    info = ds.info
    cells = "".join("<tr><td>%s</td><td>%s</td><td>%s</td></tr>" % (_plain(name), dtype, list(shape) if shape else "") for name, (dtype, shape) in info.columns.items())
    return "<p><code>%s</code></p><table><tr><th>column</th><th>dtype</th><th>shape of a sample</th></tr>%s</table>" % (_plain(repr(ds)), cells)


def _plain(text: str) -> str:
    """Text for HTML, where none of it is a tag."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def missing(module: str, why: Optional[ImportError]) -> FeederError:
    return FeederError("%s is not installed here (%s); pip install %s" % (module, why, module), "request")
