#!/usr/bin/env python3
"""Writes the files of this folder with pyarrow (26.0.1 wrote the committed ones).

Row n (from 0) of each has: text "text n", null where n % 5 == 3; number n - 100;
wide n << 33; half n / 2; clip.bytes, n * 7 bytes that count up from n, null where
n % 11 == 4, and all of clip where n % 11 == 5; list [n, n].
"""

import os

import pyarrow as pa
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = 64


def clip(n):
    if n % 11 == 5:
        return None
    return {"bytes": None if n % 11 == 4 else bytes((n + i) % 256 for i in range(n * 7)), "path": "clip-%d.wav" % n}


TABLE = pa.table({
    "text": ["text %d" % n if n % 5 != 3 else None for n in range(ROWS)],
    "number": pa.array([n - 100 for n in range(ROWS)], pa.int32()),
    "wide": pa.array([n << 33 for n in range(ROWS)], pa.int64()),
    "half": [n / 2 for n in range(ROWS)],
    "clip": pa.array([clip(n) for n in range(ROWS)], pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
    "list": [[n, n] for n in range(ROWS)],
    "sure": pa.array(["sure %d" % (n % 3) for n in range(ROWS)], pa.string()),
}, schema=pa.schema([
    ("text", pa.string()), ("number", pa.int32()), ("wide", pa.int64()), ("half", pa.float64()),
    ("clip", pa.struct([("bytes", pa.binary()), ("path", pa.string())])), ("list", pa.list_(pa.int64())),
    pa.field("sure", pa.string(), nullable=False),
]))

SMALL = dict(row_group_size=24, data_page_size=256, write_batch_size=4)
FILES = {
    "snappy": SMALL,
    "plain": dict(SMALL, compression="none", use_dictionary=False),
    "none": dict(SMALL, compression="none", write_page_checksum=True),
    "gzip": dict(compression="gzip", use_dictionary=False),
    "zstd": dict(SMALL, compression="zstd", data_page_version="2.0"),
    "second": dict(SMALL, data_page_version="2.0", use_dictionary=False, write_page_checksum=True),
    "bare": dict(SMALL, write_statistics=False, data_page_version="2.0", compression="gzip"),
    "untold": dict(SMALL, write_statistics=False, compression="zstd"),
    "one": dict(),
    "brotli": dict(compression="brotli"),
    "delta": dict(use_dictionary=False, column_encoding={"text": "DELTA_BYTE_ARRAY"}),
}

for name, how in FILES.items():
    pq.write_table(TABLE, os.path.join(HERE, name + ".parquet"), **how)
