"""What a Dataset was asked for, as the keys of a start: see docs/protocol.md."""

import operator
from typing import Any, Dict, List

from .errors import FeederError

FORM = ("segment", "reference", "mel_norm", "extra")  # settings that decide what a row looks like, besides the cursor's


def whole(name: str, value: Any, least: int, most: int = 2**31 - 1) -> int:
    """A whole number of any integer type."""
    try:
        n = operator.index(value)
    except TypeError:
        raise FeederError("%s=%r: want a whole number" % (name, value), "request") from None
    if not least <= n <= most:
        raise FeederError("%s=%d: want %s" % (name, n, "%d or more" % least if n < least else "at most %d" % most), "request")
    return n


def numbers(name: str, names: Any, known: Any) -> List[int]:
    """The dataset's numbers of some names."""
    found = []
    for one in [names] if isinstance(names, str) else list(names):
        if one not in known:
            raise FeederError("%s: the dataset has no %r; it has %s" % (name, one, ", ".join(known[:20]) or "none"), "request")
        found.append(known.index(one))
    return found


def weights(told: Any, dataset: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Weights by GROUP:NAME, as the flag --weight has them, by the dataset's numbers."""
    found: List[Dict[str, Any]] = []
    for key, times in dict(told).items():
        group, _, name = key.partition(":")
        if group == "corpus" and name:
            found.append({"corpus": name, "times": float(times)})
        elif group in ("speaker", "language"):
            (value,) = numbers("weights", [name], dataset[group + "s"] or [])
            found.append({"column": group, "value": value, "times": float(times)})
        else:
            raise FeederError("weights: %r: want language:NAME, speaker:NAME or corpus:NAME" % key, "request")
    return found


def resumed(cursor: Dict[str, Any]) -> Dict[str, Any]:
    """The keys of a start that goes on at a cursor, for a consumer that does not say otherwise."""
    selection = cursor["selection"]
    keys = {key: cursor[key] for key in ("seed", "shuffle", "tail")}
    keys.update(cursor=cursor, split=selection["split"], val=selection.get("val", 0), train=selection.get("train", 0))
    keys.update({key: selection.get(key) or [] for key in ("languages", "speakers", "buckets")})
    keys["weights"] = (selection.get("weights") or []) + [{"corpus": c["name"], "times": c["times"]} for c in selection.get("corpora") or []]
    return keys
