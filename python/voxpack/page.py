"""The dataset on a page, for people."""

from typing import Any, Iterable, List, Tuple

from .errors import FeederError

_MOST = 8  # lines of a list, and names on a line


def describe(ds: Any) -> str:
    """What the dataset is, what its columns and batches look like, and how sound and text were read: a page of
    text without a newline at the end. It starts the feed, to tell the batches.
    """
    question = {"type": "describe"}
    if "val" in ds._request:
        question["val"] = ds._request["val"]
    told, _ = ds._ask(question)
    p = told["page"]
    head = [
        _title(p),
        _line("root", ds.info.root),
        _line("snapshot", ds.info.snapshot + _names(p)),
        _line("built", "%s by %s" % (p["time"].replace("T", " ")[:19] + " UTC", p["tool"])),
        _line("store", p["store"]),
    ]
    parts = [head, _rows(p, told["splits"]), _columns(ds), _batches(ds), _sound(ds.info), _text(ds.info), _findings(p)]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _title(p: dict) -> str:
    speakers = [s for s in p["speakers"] if s["name"]]
    return "%s, %s of speech, %s%s" % (
        _count(p["rows"]["kept"], "row"), _clock(p["seconds"]), _count(len(p["languages"]), "language"),
        ", " + _count(len(speakers), "speaker") if speakers else "")


def _names(p: dict) -> str:
    names = [name.split("/", 1)[-1] for name, digest in sorted(p["refs"].items()) if digest == p["snapshot"]]
    return " (%s)" % ", ".join(names) if names else ""


def _rows(p: dict, splits: dict) -> List[str]:
    rows = p["rows"]
    return [
        _line("rows", "%s kept (%s with notes), %s rejected" % (_number(rows["kept"]), _number(rows["noted"]), _number(rows["rejected"]))),
        _line("splits", ", ".join("%s %s" % (name, _number(splits[name])) for name in ("all", "train", "val", "test"))),
        *_groups("languages", p["languages"]),
        *_groups("speakers", p["speakers"]),
    ]


def _groups(name: str, groups: List[dict]) -> Iterable[str]:
    """Speakers or languages with their numbers and rows, those of most rows first."""
    if not groups:
        return []
    most = sorted(groups, key=lambda g: -g["rows"])
    said = ["%s (%d) %s" % (g["name"], g["number"], _number(g["rows"])) for g in most[:_MOST]]
    if len(most) > _MOST:
        said.append("… and %s more" % _number(len(most) - _MOST))
    return [_line(name, ", ".join(said))]


def _columns(ds: Any) -> List[str]:
    return _table("columns", [(name, dtype, _shape(shape)) for name, (dtype, shape) in ds.info.columns.items()])


def _batches(ds: Any) -> List[str]:
    try:
        stream = ds._start()
    except FeederError as e:
        if e.kind != "request":
            raise
        return [_line("batches", "none: %s" % e)]
    s = stream.started
    size = "%d rows of %s" % (s["batch"], _number(s["selected"]))
    if s["world"] > 1:
        size += ", %d of them for rank %d of %d" % (s["samples"], s["rank"], s["world"])
    lines = [_line("batches", "%s an epoch: %s" % (_number(len(ds)), size))]
    for i, layout in enumerate(stream.layouts):
        if len(stream.layouts) > 1:
            lines.append(_line("", "bucket %d, up to %d frames" % (i, s["layouts"][i]["frames"])))
        lines += _table("", [(n, layout.fields[n].wanted[0], _shape(layout.fields[n].wanted[1])) for n in layout.names if layout.fields[n] is not None])
    return lines + [_line("", note) for note in s["notes"]]


_SOUND = (("sample_rate", "%s Hz"), ("n_fft", "n_fft %s"), ("hop_length", "hop %s"), ("win_length", "window %s"), ("n_mels", "%s mels"))
_MEL = (("band", "%s Hz"), ("mel_variant", "%s"), ("mel_dtype", "%s"), ("precision", "computed in %s"))


def _sound(info: Any) -> List[str]:
    s = info.settings
    band = "%s to %s" % (s["fmin"], s["fmax"]) if "fmin" in s and "fmax" in s else ""
    first, second = _said(s, _SOUND), _said(dict(s, band=band), _MEL)
    return ([_line("mel", first)] if first else []) + ([_line("", second)] if second else [])


def _said(settings: dict, how: Tuple) -> str:
    return ", ".join(text % settings[key] for key, text in how if settings.get(key))


_SHOWN = ("language", "unknown", "add_blank", "add_bos", "add_eos", "language_tag", "space_symbol", "overlong")


def _text(info: Any) -> List[str]:
    s = info.settings
    lines = [_line("text", "tokenizer %s, %s" % (s.get("tokenizer", "?"), _count(len(info.symbols), "symbol")))]
    said = ["%s %s" % (key, s[key]) for key in _SHOWN if s.get(key) not in (None, "", "false")]
    lines.append(_line("", ", ".join(said)))
    rules = s.get("text", "").split("\n")
    if not any(rule.startswith("verbalise") for rule in rules):
        rules.append("verbalise=false")
    lines.append(_line("", ", ".join(rule.replace("=", " ", 1).replace('"', "") for rule in rules if rule)))
    if s.get("lexicon"):
        lines.append(_line("", "lexicon %s" % s["lexicon"][:12]))
    if s.get("phonemes"):
        lines.append(_line("", "phonemes by %s" % s["phonemes"]))
    return lines


def _findings(p: dict) -> List[str]:
    notes = sorted(p["notes"], key=lambda n: -n["rows"])
    said = ["%s: %s%s in %s" % (n["stage"], n["kind"], " " + n["detail"] if n["detail"] else "", _count(n["rows"], "row")) for n in notes[:_MOST]]
    lines = _list("notes", said, len(notes))
    said = [": ".join(x for x in ("%s:%d" % (r["file"], r["line"]), r["id"], r["stage"], r["reason"]) if x) for r in p["rejections"][:_MOST]]
    return lines + _list("rejected", said, p["rejections_total"])


def _list(name: str, said: List[str], total: int) -> List[str]:
    if total > len(said):
        said = said + ["… and %s more: voxpack show" % _number(total - len(said))]
    return [_line("" if i else name, text) for i, text in enumerate(said)]


def _table(name: str, cells: List[Tuple[str, str, str]]) -> List[str]:
    wide = max([len(c[0]) for c in cells], default=0)
    return [_line("" if i else name, "%-*s  %-4s  %s" % (wide, c[0], c[1], c[2])) for i, c in enumerate(cells)]


def _line(name: str, text: str) -> str:
    return ("%-10s %s" % (name, text)).rstrip()


def _shape(shape: Tuple[int, ...]) -> str:
    return "[%s]" % ", ".join(map(str, shape)) if shape else ""


def _number(n: int) -> str:
    return format(n, ",")


def _count(n: int, what: str) -> str:
    return "%s %s%s" % (_number(n), what, "" if n == 1 else "s")


def _clock(seconds: float) -> str:
    s = int(seconds + 0.5)
    return "%d:%02d:%02d" % (s // 3600, s // 60 % 60, s % 60)
