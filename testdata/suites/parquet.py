#!/usr/bin/env python3
"""parquet: every Parquet file of apache/parquet-testing, and files that pyarrow, DuckDB and Polars write here in every way that they
have, read column by column here and by pyarrow (or DuckDB); JSONTestSuite's texts as values in lines of JSON; csv-spectrum's tables beside
Python's csv. Run by make suites.

A column is the same if each value is that of pyarrow; lists of numbers if their shape and each number are, and numbers by themselves
are read that way too. Everything that differs, or that only pyarrow reads, needs a row in
parquet_reasons.tsv with its reason, or the run fails.
"""

import csv
import datetime
import decimal
import fnmatch
import io
import itertools
import json
import math
import shutil
import struct
import subprocess
import sys

import duckdb
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import sources

COLUMNS = ["same", "of dates, times and other types", "lists the same", "lists of texts and other types", "differ", "refused by rule", "refused wrongly"]
OUT = sources.OUT / "parquet"


class Program:
    """metadata/main.go, which answers one question after the other."""

    def __init__(self):
        program = sources.OUT / "metadata"
        subprocess.run(["go", "build", "-o", program, "./testdata/suites/metadata"], cwd=sources.ROOT, check=True)
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, **question):
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{question}: metadata ended")
        return json.loads(line)


def leaf(table, path):
    """The column of a path of structures."""
    values = table.column(path[0])
    for name in path[1:]:
        if isinstance(values.type, pa.ExtensionType):
            values = pa.chunked_array([c.storage for c in values.chunks], values.type.storage_type)
        values = pc.struct_field(values, name)
    return values


def other(path, names):
    """The column as pyarrow has it, else DuckDB: some of DuckDB's own columns end too early for pyarrow."""
    try:
        return leaf(pq.ParquetFile(path).read(columns=[".".join(names)]), names)
    except (pa.ArrowException, OSError):
        return leaf(duckdb.sql(f"SELECT {json.dumps(names[0])} FROM '{path}'").to_arrow_table(), names)


def equal(text, value):
    if isinstance(value, bool):
        return text == str(value).lower().encode()
    if isinstance(value, int):
        return int(text) == value
    if isinstance(value, float):
        return float(text) == value or math.isnan(value) and text == b"NaN" or pa.scalar(float(text), pa.float32()).as_py() == value
    if isinstance(value, decimal.Decimal):
        return decimal.Decimal(text.decode()) == value
    if isinstance(value, bytes):
        return text == value
    return text == str(value).encode()


def compare(ours, theirs):
    """"" if all values are the same."""
    if len(ours) != len(theirs):
        return f"{len(ours):,} values for {len(theirs):,}"
    for n, (a, b) in enumerate(zip(ours, theirs.to_pylist())):
        if (a is None) != (b is None) or a is not None and not equal(bytes.fromhex(a), b):
            return f"row {n + 1}: {a and bytes.fromhex(a)!r} for {b!r}"
    return ""


CODES = {"bool": "?", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f16": "e", "f32": "f", "f64": "d"}


def project(value, kind, names):
    """What a leaf of the schema has of a value of pyarrow's: lists of it, None where something around it is null."""
    if isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    if value is None:
        return None
    if pa.types.is_map(kind):  # pairs
        return [project({"key": k, "value": v}, pa.struct([("key", kind.key_type), ("value", kind.item_type)]), names) for k, v in value]
    if pa.types.is_nested(kind) and not pa.types.is_struct(kind):
        return [project(v, kind.value_type, names) for v in value]
    if not pa.types.is_struct(kind):
        return value
    fields = [kind.field(i).name for i in range(kind.num_fields)]
    at = next(i for i, n in enumerate(names) if n in fields)
    return project(value[names[at]], kind.field(names[at]).type, names[at + 1:])


def array(row, kind):
    """Ours as lists."""
    numbers = list(struct.unpack(f"<{len(row['bytes']) // 2 // struct.calcsize('<' + CODES[kind])}{CODES[kind]}", bytes.fromhex(row["bytes"])))

    def build(shape):
        return [build(shape[1:]) for _ in range(shape[0])] if shape else numbers.pop(0)
    value = build(row["shape"] or [])
    return value if not numbers else f"{len(numbers)} numbers more"


def holed(v):
    return v is None or isinstance(v, list) and any(map(holed, v))


def lengths(v):
    """Of the lists at each depth."""
    found, level = [], [v]
    while any(isinstance(x, list) for x in level):
        found.append({len(x) for x in level})
        level = [y for x in level for y in x]
    return found


def alike(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(alike, a, b))
    return a == b or isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b)


def root(said, path):
    """The column of the table that a leaf is of, with nothing but the leaf where that can be."""
    for names in ".".join(said["path"]), said["path"][0]:
        try:
            return pq.ParquetFile(path).read(columns=[names]).column(0)
        except (pa.ArrowException, OSError, IndexError):
            pass
    return duckdb.sql(f"SELECT {json.dumps(said['path'][0])} FROM '{path}'").to_arrow_table().column(0)


def compare_arrays(said, path):
    """"" if all rows of a column of numbers are the same."""
    theirs = root(said, path)
    kind = theirs.type
    ours = said["arrays"] or []
    if len(ours) != len(theirs):
        return f"{len(ours):,} rows for {len(theirs):,}"
    for n, (a, b) in enumerate(zip(ours, theirs.to_pylist())):
        b = project(b, kind, said["path"][1:])
        hole = b is not None and holed(b)
        ragged = b is not None and not hole and any(len(x) > 1 for x in lengths(b))
        if (a is None) != (b is None) or a and ((a["hole"], a["ragged"]) != (hole, ragged) or not hole and not ragged and not alike(array(a, said["number"]), b)):
            return f"row {n + 1}: {a} for {b}"[:400]
    return ""


def columns(path, said):
    """The fate of each column of a file that was opened: its name, its place in COLUMNS, what is to be said."""
    for c in said["columns"]:
        name = ".".join(c["path"])
        if c["number"] and not c["error"]:
            try:
                different = compare_arrays(c, path)
            except Exception as e:
                different = f"pyarrow and DuckDB: {e}"
            if different or c["listed"]:
                yield name, "differ" if different else "lists the same", different
                continue
        if c["listed"] and c["number"]:
            try:
                root(c, path)
                yield name, "refused wrongly", c["error"]
            except Exception:
                yield name, "rejected rightly", c["error"]
        elif c["listed"]:
            yield name, "lists of texts and other types", ""
        elif c["foreign"]:
            yield name, "of dates, times and other types", c["foreign"]
        else:
            try:
                theirs = other(path, c["path"])
            except Exception as e:  # whatever they find: the column is for nobody
                yield name, "rejected rightly" if c["error"] else "differ", c["error"] or f"pyarrow and DuckDB: {e}"
                continue
            if c["error"]:
                yield name, "refused wrongly", c["error"]
                continue
            different = compare(c["values"] or [], theirs)
            yield name, "differ" if different else "same", different


def suite(program, name, base, paths, known, used, failed):
    """A row of the table."""
    counts = dict.fromkeys(["files", "rejected rightly", *COLUMNS], 0)

    def count(place, what, text):
        if place in ("differ", "refused wrongly"):
            row = next((r for r in known if fnmatch.fnmatchcase(what, r["file"])), None)
            if row:
                used.add(row["file"])
                place = "refused by rule"
            else:
                failed.append(f"{what}: {place}: {text}")
        counts[place] += 1
        if "-v" in sys.argv:
            print(f"{place}\t{what}\t{text}", flush=True)

    for path in paths:
        what = f"{name}/{path.relative_to(base)}"
        counts["files"] += 1
        said = program.ask(Parquet=str(path))
        if not said["error"]:
            for column, place, text in columns(path, said):
                count(place, f"{what}:{column}", text)
            continue
        try:
            pq.ParquetFile(path).read()
            count("refused wrongly", what, said["error"])
        except Exception:
            count("rejected rightly", what, said["error"])
    return counts


def rows(n):
    """A table of n rows of what metadata has, with nulls."""
    def of(value):
        return [value(i) if i % 7 != 3 else None for i in range(n)]

    return pa.table({
        "text": pa.array(of(lambda i: f"a text, {i * 7919 % 1000}"), pa.string()),
        "same": ["the same"] * n,
        "int": pa.array(of(lambda i: i * 2654435761 % 2**31 - 2**30), pa.int32()),
        "steps": pa.array(of(lambda i: i // 3), pa.int64()),
        "unsigned": pa.array(of(lambda i: 2**32 - 1 - i), pa.uint32()),
        "double": pa.array(of(lambda i: i / 7), pa.float64()),
        "single": pa.array(of(lambda i: i / 4), pa.float32()),
        "money": pa.array(of(lambda i: decimal.Decimal(i - 5).scaleb(-2)), pa.decimal128(9, 2)),
        "wide": pa.array(of(lambda i: decimal.Decimal(i - 5).scaleb(-9)), pa.decimal128(30, 9)),
        "truth": pa.array(of(lambda i: i % 5 < 2), pa.bool_()),
        "audio": pa.array([None if i % 11 == 5 else {"bytes": bytes(i % 251 for _ in range(i % 400)), "path": f"{i:06d}.wav"} for i in range(n)],
                          pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        "day": pa.array([datetime.date(2026, 1, 1)] * n, pa.date32()),
        "list": pa.array([[i] for i in range(n)], pa.list_(pa.int32())),
        "lengths": pa.array(of(lambda i: [i * 31 % 97 + k for k in range(i % 9)]), pa.list_(pa.int64())),
        "vector": pa.array(of(lambda i: [i / 4, -i / 2, 1 / (i + 1)]), pa.list_(pa.float32(), 3)),
        "matrix": pa.array(of(lambda i: [[i % 128, -k % 100] for k in range(i % 5)]), pa.list_(pa.list_(pa.int16()))),
        "odd": pa.array(of(lambda i: [[1.5] * (k % 3) for k in range(i % 4)] if i % 6 else [[2.5, None]]), pa.list_(pa.list_(pa.float64()))),
        "halves": pa.array(of(lambda i: [k / 2 for k in range(i % 3)]), pa.list_(pa.float64())),
    })


def written():
    """Files by every writer in every way that it has: name, then what writes it."""
    codecs = ["none", "snappy", "gzip", "zstd", "brotli", "lz4"]
    deltas = {"text": "DELTA_BYTE_ARRAY", "same": "DELTA_LENGTH_BYTE_ARRAY", "int": "DELTA_BINARY_PACKED", "steps": "DELTA_BINARY_PACKED",
              "unsigned": "BYTE_STREAM_SPLIT", "double": "BYTE_STREAM_SPLIT", "single": "BYTE_STREAM_SPLIT", "wide": "DELTA_BYTE_ARRAY", "truth": "RLE",
              "audio.bytes": "DELTA_LENGTH_BYTE_ARRAY", "audio.path": "DELTA_BYTE_ARRAY"}
    table = rows(3000)
    for codec, version, words in itertools.product(codecs, ["1.0", "2.0"], ["words", "plain", "deltas"]):
        how = dict(compression=codec, data_page_version=version, use_dictionary=words == "words", column_encoding=deltas if words == "deltas" else None)
        yield f"pyarrow-{codec}-{version}-{words}", lambda path, how=how: pq.write_table(table, path, **how)
    small = dict(row_group_size=100, data_page_size=64, write_batch_size=3, dictionary_pagesize_limit=256)
    more = {"small": small, "crc": dict(write_page_checksum=True), "index": dict(write_page_index=True), "no-statistics": dict(write_statistics=False),
            "integer-decimals": dict(store_decimal_as_integer=True), "small-second": dict(small, data_page_version="2.0"), "rows-of-one": dict(row_group_size=1)}
    for name, how in more.items():
        yield f"pyarrow-{name}", lambda path, how=how, n=name: pq.write_table(table.slice(0, 300) if n == "rows-of-one" else table, path, **how)
    yield "pyarrow-none", lambda path: pq.write_table(table.slice(0, 0), path)
    yield "pyarrow-constant", lambda path: pq.write_table(pa.table({"a": ["x"] * 100000}), path)
    for codec, version in itertools.product(["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw"], ["V1", "V2"]):
        yield f"duckdb-{codec}-{version}", lambda path, c=codec, v=version: duckdb.sql(f"COPY (FROM table_) TO '{path}' (FORMAT parquet, CODEC {c}, PARQUET_VERSION {v})")
    for codec in ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4"]:
        yield f"polars-{codec}", lambda path, c=codec: polars.from_arrow(table).write_parquet(path, compression=c, data_page_size=4096)


def write_all():
    global table_
    table_ = rows(3000)  # duckdb finds it by this name
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    for name, write in written():
        path = OUT / f"{name}.parquet"
        write(str(path))
        yield path


def jsons(program, source, failed):
    """JSONTestSuite: each text on one line as a value in a line of JSON, with a good line before and after it."""
    paths, _ = sources.files(source, lambda p: p.startswith("test_parsing/"))
    folder = OUT / "jsons"
    folder.mkdir()
    cases = [(p.name, b) for p in paths for b in [p.read_bytes()] if b"\n" not in b and b"\r" not in b]
    with open(folder / "train.jsonl", "wb") as f:
        for n, (_, value) in enumerate(cases):
            f.write(b'{"audio_filepath": "good-%d.wav", "text": "good"}\n{"audio_filepath": "v-%d.wav", "text": "x", "more": %s}\n' % (n, n, value))
    said = program.ask(Folder=str(folder), Format="jsonl")
    read = {r["id"] for r in said["read"] or []}
    counts = {"y": [0, 0], "n": [0, 0], "i": [0, 0]}
    for n, (name, _) in enumerate(cases):
        ok = f"v-{n}" in read
        counts[name[0]][not ok] += 1
        if ok and name[0] == "n" or not ok and name[0] == "y" or f"good-{n}" not in read:
            failed.append(f"JSONTestSuite/{name}: {'read' if ok else 'refused'}, the line before it {'' if f'good-{n}' in read else 'lost'}")
    return counts


def csvs(program, source, failed):
    """csv-spectrum: each column in turn as the text, beside Python's csv."""
    paths, _ = sources.files(source, lambda p: p.endswith(".csv"))
    same = 0
    for path in paths:
        folder = OUT / path.stem
        folder.mkdir()
        raw = path.read_bytes().decode()
        table = list(csv.DictReader(io.StringIO(raw, newline="")))
        ends = "\r\n" if "\r\n" in raw else "\n"
        head, _, body = raw.partition(ends)
        good = True
        for name in table[0]:
            # A column of paths in front of each record: the records are cut where Python's csv says that they end.
            text, at = f"clip,{head}{ends}", 0
            for n, record in enumerate(records(body, ends)):
                text += f"{n}.wav,{record}{ends}"
            (folder / "metadata.csv").write_bytes(text.encode())
            said = program.ask(Folder=str(folder), Format="csv", Columns={"audio": "clip", "text": name})
            want = [" ".join(r[name].split()) for r in table]
            got = {r["id"]: " ".join(r["text"].split()) for r in said["read"] or []}
            if said["error"] or [got.get(str(n), "") for n in range(len(want))] != want:
                good = False
                failed.append(f"csv-spectrum/{path.name}: column {name}: {said['error'] or got}, {said['refused']}; Python has {want}")
        same += good
    return len(paths), same


def records(body, ends):
    """The records of a table: lines, joined while a quote is open."""
    open_, record = False, ""
    for line in body.split(ends):
        record = record + ends + line if open_ else line
        open_ = record.count('"') % 2 == 1
        if not open_ and record:
            yield record


def main():
    with open(sources.HERE / "parquet_reasons.tsv", encoding="utf-8", newline="") as f:
        known = list(csv.DictReader(f, delimiter="\t"))
    used, failed, program = set(), [], Program()
    listed = {s["name"]: s for s in sources.sources("parquet")}
    table, missing, testing = [], 0, listed.get("parquet-testing")
    if testing:
        paths, missing = sources.files(testing, lambda p: p.endswith((".parquet", ".parquet.encrypted")))
        table.append(["parquet-testing", suite(program, "parquet-testing", sources.OUT / "parquet-testing", paths, known, used, failed)])
    made = list(write_all())
    for writer, version in ("pyarrow", pa.__version__), ("duckdb", duckdb.__version__), ("polars", polars.__version__):
        own = [p for p in made if p.name.startswith(writer)]
        table.append([f"by {writer} {version}", suite(program, writer, OUT, own, known, used, failed)])

    head = ["suite", "files", "rejected rightly", *COLUMNS]
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    for name, row in table:
        name = f"[{name}]({testing['address']})" if name == "parquet-testing" else name
        lines.append([name, *(row[c] for c in head[1:])])
    text = f"Beside pyarrow {pa.__version__} (DuckDB where that cannot read a column of DuckDB); after the files all are columns, a file that is not opened is one:\n\n"
    text += "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
    text += f"\n\n{missing} files are not stored." if missing else ""
    if sources.PACKAGED:  # the other suites are in no package
        sources.keep("parquet", text)
        for line in failed:
            print(line, file=sys.stderr)
        sys.exit(bool(failed))
    counts = jsons(program, listed["JSONTestSuite"], failed)
    tables, same = csvs(program, listed["csv-spectrum"], failed)
    text += "\n\n| suite | texts | read | refused |\n|---|---:|---:|---:|\n"
    for kind, what in ("y", "must be read"), ("n", "must be refused"), ("i", "either"):
        text += f"| [JSONTestSuite]({listed['JSONTestSuite']['address']}), {what} | {sum(counts[kind])} | {counts[kind][0]} | {counts[kind][1]} |\n"
    text += f"| [csv-spectrum]({listed['csv-spectrum']['address']}), as Python's csv reads it | {tables} | {same} | {tables - same} |\n"
    for row in known:
        if row["file"] in used:
            text += f"\n- `{row['file']}`: {row['reason']}"
        else:
            failed.append(f"parquet_reasons.tsv: no file needs the row {row['file']}")
    sources.keep("parquet", text)
    for line in failed:
        print(line, file=sys.stderr)
    sys.exit(bool(failed))


main()
