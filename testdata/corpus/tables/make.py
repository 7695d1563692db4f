#!/usr/bin/env python3
"""Writes the values of columns of a user's own for the corpus ../en, as tables: first.parquet, in which rows are missing or cannot be
used, and mended.parquet, in which they can, written another way, and with another value for en-0003.

    pip install pyarrow
    python3 make.py

Nobody needs this to build or to test; it says where the files come from. pyarrow 26.0.1 wrote the committed ones.
"""

import os

import pyarrow as pa
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = range(1, 11)


def table(changes):
    """The rows with other values for some: {column: {n: value}}."""
    def column(name, value):
        return [changes.get(name, {}).get(n, value(n)) for n in ROWS]

    return pa.table({
        "id": ["en-%04d" % n for n in ROWS],
        "text": ["not read %d" % n for n in ROWS],
        "mos": pa.array(column("mos", lambda n: 3 + n / 10), pa.float64()),
        "rank": pa.array(column("rank", lambda n: 1000 - n), pa.int64()),
        "embedding": pa.array(column("embedding", lambda n: [n / 4, -n / 4, 0.5, 1]), pa.list_(pa.float32(), 4)),
        "codes": pa.array(column("codes", lambda n: [[n, 100 + i] for i in range(n)]), pa.list_(pa.list_(pa.int16()))),
    })


FIRST = {"mos": {7: None}, "embedding": {8: [1, None, 3, 4]}, "codes": {9: [[1, 2], [3]], 6: [[0, 0]] * 11}, "rank": {5: 2**40}}
pq.write_table(table(FIRST).slice(0, 9), os.path.join(HERE, "first.parquet"))
pq.write_table(table({"mos": {3: 4.75}}), os.path.join(HERE, "mended.parquet"), row_group_size=4, data_page_version="2.0", compression="zstd", use_dictionary=False)
