#!/usr/bin/env python3
"""Writes the files lists-*.parquet of this folder and lists.jsonl, what is in them: a line of JSON a row, with its columns.

    pip install pyarrow==26.0.1 duckdb==2.0.0 polars==2.1.0 && python3 make_lists.py

numbers: null where n % 7 == 3, empty where n % 7 == 5, of 40 entries where n % 7 == 6; fixed: lists of a fixed size; codes: lists of
them; ragged: lists of several lengths in a list; holes: an entry that is null in every fifth; the others are single numbers.
"""

import json
import os

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = 60


def numbers(n):
    return None if n % 7 == 3 else [n * 100 + i for i in range({5: 0, 6: 40}.get(n % 7, n % 4 + 1))]


def but(value, every, at):
    return [None if n % every == at else value(n) for n in range(ROWS)]


COLUMNS = {
    "id": (pa.string(), ["row-%02d" % n for n in range(ROWS)]),
    "numbers": (pa.list_(pa.int32()), [numbers(n) for n in range(ROWS)]),
    "halves": (pa.list_(pa.float64()), but(lambda n: [i / 2 for i in range(n % 5)], 9, 1)),
    "fixed": (pa.list_(pa.float32(), 3), but(lambda n: [n / 4, -n / 4, 0.5], 10, 4)),
    "small": (pa.list_(pa.uint8()), but(lambda n: [255 - n, n], 8, 2)),
    "wide": (pa.list_(pa.uint64()), but(lambda n: [2**64 - 1 - n] * (n % 3), 8, 5)),
    "codes": (pa.list_(pa.list_(pa.int16(), 2)), but(lambda n: [[n, -i] for i in range(n % 6)], 11, 6)),
    "ragged": (pa.list_(pa.list_(pa.int64())), but(lambda n: [[1] * (i % 3) for i in range(n % 4)], 11, 2)),
    "holes": (pa.list_(pa.int32()), but(lambda n: [1, None, 3] if n % 5 == 0 else [n], 11, 8)),
    "truths": (pa.list_(pa.bool_()), but(lambda n: [n % 2 == 0] * (n % 3), 11, 9)),
    "number": (pa.int64(), but(lambda n: n - 30, 6, 4)),
    "score": (pa.float32(), but(lambda n: n / 8, 6, 1)),
}
TABLE = pa.table({name: pa.array(values, kind) for name, (kind, values) in COLUMNS.items()})

SMALL = dict(row_group_size=25, data_page_size=64, write_batch_size=3, dictionary_pagesize_limit=128)


def here(name):
    return os.path.join(HERE, "lists-%s.parquet" % name)


def main():
    with open(os.path.join(HERE, "lists.jsonl"), "w") as f:
        for row in TABLE.to_pylist():
            f.write(json.dumps(row) + "\n")
    half = TABLE.append_column("sixteen", pa.array([[n / 2, -n] for n in range(ROWS)], pa.list_(pa.float16())))
    pq.write_table(half, here("pyarrow"), compression="zstd")
    pq.write_table(TABLE, here("pyarrow-small"), **SMALL)
    pq.write_table(TABLE, here("pyarrow-second"), data_page_version="2.0", use_dictionary=False, **SMALL)
    pq.write_table(TABLE, here("pyarrow-legacy"), use_compliant_nested_type=False, compression="none", write_page_checksum=True)
    table = TABLE  # duckdb finds it by this name
    for version in "V1", "V2":
        duckdb.sql("COPY \"table\" TO '%s' (FORMAT parquet, PARQUET_VERSION %s)" % (here("duckdb-" + version.lower()), version))
    polars.from_arrow(TABLE).write_parquet(here("polars"), row_group_size=25, data_page_size=128)


if __name__ == "__main__":
    main()
