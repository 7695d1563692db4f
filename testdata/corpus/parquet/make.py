#!/usr/bin/env python3
"""Writes the corpora of this folder: Parquet files with recordings inside, by several writers.

    pip install duckdb pyarrow
    python3 make.py

The recordings are the tones of ../formats/make.py. Nobody needs this to build or to test; it says where the
files come from. The bytes change with the version of the packages: duckdb 2.0.0 and pyarrow 26.0.1 wrote the
committed ones.
"""

import importlib.util
import os

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("formats", os.path.join(HERE, "..", "formats", "make.py"))
tones = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tones)


def file(*names):
    path = os.path.join(HERE, *names)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def parts():
    """DuckDB: literals with a point are DECIMAL, and parts of two recordings lie in rows of their own."""
    long, other = tones.wav(200), tones.flac(220)
    duckdb.execute(
        """COPY (SELECT id, {'bytes': bytes, 'path': path} AS audio, text, "offset", duration FROM (VALUES
            ('long-a', $long, 'long.wav', 'The first part.', 0.05, 0.1),
            ('long-b', $long, 'long.wav', 'The second part.', 0.15, 0.1),
            ('other-a', $other, 'other.flac', 'A part of a FLAC file.', 0.1, 0.125),
            ('whole', $other, 'other.flac', 'All of it.', 0, 0.25)
        ) AS rows(id, bytes, path, text, "offset", duration)) TO '%s' (FORMAT parquet)""" % file("parts", "train.parquet"),
        {"long": long, "other": other})


def empty():
    """pyarrow: a split without a row, and one with two."""
    table = pa.table({
        "audio": pa.array([{"bytes": tones.wav(p), "path": "a-%d.wav" % p} for p in (200, 220)], pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        "text": ["One.", "Two."],
    })
    pq.write_table(table, file("empty", "data", "train-00000-of-00001.parquet"))
    pq.write_table(table.slice(0, 0), file("empty", "data", "validation-00000-of-00001.parquet"))


def times():
    """pyarrow: a column of times of day."""
    clock = pa.array([1800 * 10**6], pa.time64("us"))
    pq.write_table(pa.table({"audio": ["a.wav"], "text": ["One."], "clock": clock}), file("times", "x.parquet"))


if __name__ == "__main__":
    parts()
    empty()
    times()
