"""Statistics of the columns of a dataset."""

from typing import Any, Dict, NamedTuple

import numpy as np


class Values(NamedTuple):
    """Of some values: how many they are, and their mean, standard deviation (over count, not count - 1), least and
    greatest one; of no values 0. Of bands each is an array.
    """

    count: Any
    mean: Any
    std: Any
    min: Any
    max: Any


class Column(NamedTuple):
    """What a column holds where it is no padding: f0 in frames with a voice, all others in every step in use.

    count, mean, std, min, max   of all rows
    bands      Values of arrays [bands]: of each place on the last axis; empty arrays where it has one place
    speakers   Values by speaker
    """

    count: int
    mean: float
    std: float
    min: float
    max: float
    bands: Values
    speakers: Dict[str, Values]


def told(stats: dict) -> Dict[str, Column]:
    """The statistics by column, as a feeder tells them."""
    return {c["name"]: Column(*_values(c), _arrays(c["bands"]), {s["speaker"]: _values(s) for s in c["speakers"]}) for c in stats["columns"]}


def _values(v: dict) -> Values:
    return Values(*(v[name] for name in Values._fields))


def _arrays(bands: list) -> Values:
    return Values(*(np.array([b[name] for b in bands], np.int64 if name == "count" else np.float64) for name in Values._fields))
