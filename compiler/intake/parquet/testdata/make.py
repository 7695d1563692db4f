#!/usr/bin/env python3
"""Writes the files of this folder; the packages are pyarrow (26.0.1 wrote the committed ones), duckdb 2.0.0 and polars 2.1.0.

    pip install pyarrow duckdb polars && python3 make.py

Row n (from 0) of each has: text "text n", null where n % 5 == 3; number n - 100;
wide n << 33; half n / 2; clip.bytes, n * 7 bytes that count up from n, null where
n % 11 == 4, and all of clip where n % 11 == 5; list [n, n].
"""

import datetime
import decimal as decimals
import os

import duckdb
import polars
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
DIFFERENCES = {
    "text": "DELTA_BYTE_ARRAY", "number": "BYTE_STREAM_SPLIT", "wide": "DELTA_BINARY_PACKED", "half": "BYTE_STREAM_SPLIT",
    "clip.bytes": "DELTA_LENGTH_BYTE_ARRAY", "clip.path": "DELTA_BYTE_ARRAY", "sure": "DELTA_LENGTH_BYTE_ARRAY",
}
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
    "brotli": dict(SMALL, compression="brotli"),
    "lz4": dict(SMALL, compression="lz4", data_page_version="2.0"),
    "delta": dict(SMALL, use_dictionary=False, column_encoding=DIFFERENCES),
    "delta-second": dict(use_dictionary=False, column_encoding=DIFFERENCES, data_page_version="2.0", compression="zstd"),
}

# What values mean: the same rows by several writers, and in meanings.tsv as people write them. Every seventh row is null.
MEANT = 25
decimals.getcontext().prec = 76


def meant(value):
    return [value(n) if n % 7 != 3 else None for n in range(MEANT)]


def decimal(n, scale):
    return decimals.Decimal(n).scaleb(-scale)


MEANINGS = {
    "truth": (pa.bool_(), meant(lambda n: n % 3 == 0)),
    "int8": (pa.int8(), meant(lambda n: n - 12)),
    "uint8": (pa.uint8(), meant(lambda n: 255 - n)),
    "uint16": (pa.uint16(), meant(lambda n: 65535 - n)),
    "uint32": (pa.uint32(), meant(lambda n: 4000000000 + n)),
    "uint64": (pa.uint64(), meant(lambda n: 2**64 - 1 - n)),
    "decimal7": (pa.decimal128(7, 2), meant(lambda n: decimal(5 * (n - 12), 2))),
    "decimal18": (pa.decimal128(18, 4), meant(lambda n: decimal((n - 12) * 10**14 + n, 4))),
    "decimal38": (pa.decimal128(38, 10), meant(lambda n: decimal((n - 12) * 10**34 + n, 10))),
    "single": (pa.float32(), meant(lambda n: n / 4)),
    "day": (pa.date32(), meant(lambda n: datetime.date(2026, 1, 1 + n))),
    "clock": (pa.time64("us"), meant(lambda n: datetime.time(n % 24, 30))),
    "moment": (pa.timestamp("us"), meant(lambda n: datetime.datetime(2026, 1, 1 + n))),
    "text": (pa.string(), meant(lambda n: "a text, %d" % n)),
    "same": (pa.string(), ["the same"] * MEANT),
    "uuid": (pa.string(), meant(lambda n: "00112233-4455-6677-8899-%012x" % n)),
}
MEANT_TABLE = pa.table({name: pa.array(values, kind) for name, (kind, values) in MEANINGS.items()})


def shown(v):
    return "-" if v is None else str(v).lower() if isinstance(v, bool) else format(v, "f") if isinstance(v, decimals.Decimal) else "%g" % v if isinstance(v, float) else str(v)


def here(name):
    return os.path.join(HERE, name)


def meanings():
    with open(here("meanings.tsv"), "w") as f:
        for row in [MEANINGS.keys()] + list(zip(*(map(shown, values) for _, values in MEANINGS.values()))):
            f.write("\t".join(row) + "\n")
    uuid = pa.array([None if v is None else bytes.fromhex(v.replace("-", "")) for v in MEANINGS["uuid"][1]], pa.binary(16))
    table = MEANT_TABLE.drop(["uuid"]).append_column("uuid", pa.ExtensionArray.from_storage(pa.uuid(), uuid))
    pq.write_table(table, here("meanings-pyarrow.parquet"))
    pq.write_table(table, here("meanings-pyarrow-second.parquet"), use_dictionary=False, data_page_version="2.0", store_decimal_as_integer=True,
                   column_encoding={"truth": "RLE", "uint32": "DELTA_BINARY_PACKED", "decimal38": "BYTE_STREAM_SPLIT", "uuid": "DELTA_BYTE_ARRAY"})
    for version, codec in ("V1", "lz4_raw"), ("V2", "snappy"), ("V2", "brotli"):
        duckdb.sql("COPY (SELECT * REPLACE (uuid::UUID AS uuid) FROM MEANT_TABLE) TO '%s' (FORMAT parquet, PARQUET_VERSION %s, CODEC %s)"
                   % (here("meanings-duckdb-%s-%s.parquet" % (version.lower(), codec)), version, codec))
    for codec in "zstd", "lz4":
        polars.from_arrow(MEANT_TABLE).write_parquet(here("meanings-polars-%s.parquet" % codec), compression=codec)


def odd():
    """A file without rows, one with more rows than bytes, and one of 2 kB whose rows have 95 GiB of text."""
    pq.write_table(TABLE.slice(0, 0), here("empty.parquet"))
    pq.write_table(pa.table({"audio": ["clip.wav"] * 100000, "text": ["The same."] * 100000}), here("constant.parquet"))
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 100000, pa.int32()), ["x" * 1000000])
    pq.write_table(pa.table({"audio": ["clip.wav"] * 100000, "text": long}), here("inflated.parquet"), compression="zstd", write_statistics=False,
                   dictionary_pagesize_limit=1 << 24, store_schema=False)


if __name__ == "__main__":
    for name, how in FILES.items():
        pq.write_table(TABLE, here(name + ".parquet"), **how)
    meanings()
    odd()
