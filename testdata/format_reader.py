#!/usr/bin/env python3
"""A second reader of voxpack's format, written from docs/format.md.

    format_reader.py DUMP REF

DUMP is a dump of a store's entries (the page's appendix), REF the content of a
ref: 64 hex characters. Everything reachable is read and checked against the
rules of the page, and described in one JSON object on stdout. The first thing
that breaks a rule is told on stderr, with exit code 1.

It needs Python 3.9 and nothing else, so BLAKE3 and xxhash64 are here too, in
their plainest form: some 100 kB a second, enough for a small store.
"""

import json
import struct
import sys

MASK32 = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF
NONE = bytes(32)


class Broken(Exception):
    """A rule of the format that does not hold."""


def must(holds, message):
    if not holds:
        raise Broken(message)


# --- BLAKE3, default hash mode, 32 bytes of output ---------------------------

B3_START = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
            0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
B3_PERMUTE = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
# columns, then diagonals, of the 4 × 4 state
B3_QUARTERS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
               (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8


def b3_compress(chaining, words, counter, length, flags):
    """One block of 16 words; the new chaining value of 8 words."""
    v = list(chaining) + list(B3_START[:4])
    v += [counter & MASK32, counter >> 32, length, flags]
    m = words
    for turn in range(7):
        for i, (a, b, c, d) in enumerate(B3_QUARTERS):
            va, vb, vc, vd = v[a], v[b], v[c], v[d]
            va = (va + vb + m[2 * i]) & MASK32
            vd ^= va
            vd = (vd >> 16 | vd << 16) & MASK32
            vc = (vc + vd) & MASK32
            vb ^= vc
            vb = (vb >> 12 | vb << 20) & MASK32
            va = (va + vb + m[2 * i + 1]) & MASK32
            vd ^= va
            vd = (vd >> 8 | vd << 24) & MASK32
            vc = (vc + vd) & MASK32
            vb ^= vc
            vb = (vb >> 7 | vb << 25) & MASK32
            v[a], v[b], v[c], v[d] = va, vb, vc, vd
        if turn < 6:
            m = [m[p] for p in B3_PERMUTE]
    return [v[i] ^ v[i + 8] for i in range(8)]


def b3_chunk(data, index, root):
    """Chaining value of one chunk of at most 1,024 bytes."""
    value = B3_START
    last = max(0, (len(data) - 1) // 64)
    for i in range(last + 1):
        block = data[64 * i:64 * i + 64]
        flags = (CHUNK_START if i == 0 else 0)
        if i == last:
            flags |= CHUNK_END | (ROOT if root else 0)
        words = struct.unpack("<16I", block.ljust(64, b"\0"))
        value = b3_compress(value, words, index, len(block), flags)
    return value


def b3_tree(data, index, root):
    """Chaining value of a subtree whose first chunk has the number index."""
    if len(data) <= 1024:
        return b3_chunk(data, index, root)
    left = 1024  # the largest power of two of whole chunks that leaves something to the right
    while 2 * left < len(data):
        left *= 2
    words = b3_tree(data[:left], index, False) + b3_tree(data[left:], index + left // 1024, False)
    return b3_compress(B3_START, words, 0, 64, PARENT | (ROOT if root else 0))


def blake3(data):
    return struct.pack("<8I", *b3_tree(bytes(data), 0, True))


# --- xxhash64, seed 0 --------------------------------------------------------

X1, X2, X3, X4, X5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                      0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def left64(x, n):
    return (x << n | x >> (64 - n)) & MASK64


def x_round(acc, lane):
    return left64((acc + lane * X2) & MASK64, 31) * X1 & MASK64


def xxhash64(data):
    at, size = 0, len(data)
    if size >= 32:
        acc = [(X1 + X2) & MASK64, X2, 0, -X1 & MASK64]
        while size - at >= 32:
            for i, lane in enumerate(struct.unpack_from("<4Q", data, at)):
                acc[i] = x_round(acc[i], lane)
            at += 32
        h = sum(left64(a, n) for a, n in zip(acc, (1, 7, 12, 18))) & MASK64
        for a in acc:
            h = ((h ^ x_round(0, a)) * X1 + X4) & MASK64
    else:
        h = X5
    h = (h + size) & MASK64
    while size - at >= 8:
        h ^= x_round(0, struct.unpack_from("<Q", data, at)[0])
        h = (left64(h, 27) * X1 + X4) & MASK64
        at += 8
    if size - at >= 4:
        h ^= struct.unpack_from("<I", data, at)[0] * X1 & MASK64
        h = (left64(h, 23) * X2 + X3) & MASK64
        at += 4
    for byte in data[at:]:
        h = left64(h ^ byte * X5 & MASK64, 11) * X1 & MASK64
    h = (h ^ h >> 33) * X2 & MASK64
    h = (h ^ h >> 29) * X3 & MASK64
    return h ^ h >> 32


# --- records -----------------------------------------------------------------

class Record:
    """Fields of a record in their order; done() ends it."""

    def __init__(self, what, magic, data):
        self.what, self.data, self.at = what, data, 0
        got = self.take(4)
        must(got == magic, f"{what}: begins with {got!r}, want {magic!r}")

    def take(self, n):
        must(n <= len(self.data) - self.at, f"{self.what}: ends early, at byte {self.at}")
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, form, n):
        return struct.unpack("<" + form, self.take(n))[0]

    def u8(self):
        return self.number("B", 1)

    def u32(self):
        return self.number("I", 4)

    def i32(self):
        return self.number("i", 4)

    def u64(self):
        return self.number("Q", 8)

    def name(self):
        return self.take(32)

    def text(self):
        return self.take(self.u32())

    def str(self):
        return self.text().decode("utf-8", "surrogateescape")

    def flag(self):
        v = self.u8()
        must(v <= 1, f"{self.what}: a flag of {v}")
        return v == 1

    def list(self, element):
        n = self.u32()
        must(n <= len(self.data) - self.at, f"{self.what}: counts {n} elements")
        return [element() for _ in range(n)]

    def strs(self):
        return self.list(self.str)

    def pairs(self):
        return self.list(lambda: (self.str(), self.str()))

    def done(self):
        must(self.at == len(self.data), f"{self.what}: {len(self.data) - self.at} bytes too many")


# block column: its length in the origin, and in the shard
LENGTHS = {"tokens": ("tokens", "text_len"), "mel": ("frames", "mel_len")}
SIZES = {1: ("i32", 4), 2: ("f32", 4), 3: ("f16", 2), 4: ("bf16", 2), 5: ("i16", 2)}


class Column:
    def __init__(self, r):
        self.name = r.str()
        kind = r.u8()
        must(kind in SIZES, f"column {self.name}: element type {kind}")
        self.type, self.size = SIZES[kind]
        self.shape = [r.u32() for _ in range(r.u8())]
        self.step = self.size  # bytes of one token or frame
        for n in self.shape[1:]:
            self.step *= n
        for n in self.shape:
            must(n > 0, f"column {self.name}: an axis of 0")
            self.size *= n
        must(self.size <= 64 << 20, f"column {self.name}: a sample of {self.size} bytes")

    def __str__(self):
        axes = ",".join(map(str, self.shape))
        return f"{self.name} {self.type}" + (f"[{axes}]" if axes else "")


def read_root(data):
    r = Record("root", b"VXR1", data)
    root = {"schema": [Column(r) for _ in range(r.u8())], "stages": r.pairs(), "config": r.pairs(),
            "symbols": r.strs(), "speakers": r.strs(), "languages": r.str(),
            "k": r.u32(), "rows": r.u64(), "shards": r.u64(), "trie": r.name()}
    r.done()
    must(sorted(root["config"]) == root["config"], "root: config is not sorted")
    return root


def read_shard(data, schema):
    r = Record("shard record", b"VXS1", data)
    inline = [c for c in schema if not c.shape]
    blocks = [c for c in schema if c.shape]
    n = r.u32()
    counts = (r.u8(), r.u8())
    must(counts == (len(inline), len(blocks)), f"shard record: {counts} columns")
    shard = {"ids": [r.text() for _ in range(n)]}
    shard["scalars"] = {c.name: [r.i32() for _ in range(n)] for c in inline}
    shard["blocks"] = {c.name: (r.name(), [r.u64() for _ in range(n)]) for c in blocks}
    r.done()
    return shard


def origin_row(r):
    row = {k: r.text() for k in ("id", "text", "given", "language", "speaker", "spoken")}
    row["has_given"], row["audio"] = r.flag(), r.name()
    for k in ("rate", "channels", "bits"):
        row[k] = r.u32()
    row["file_samples"], row["samples"] = r.u64(), r.u64()
    row["frames"], row["tokens"] = r.u32(), r.u32()
    row["keys"] = [r.name() for _ in range(r.u8())]
    row["notes"] = r.list(lambda: (r.str(), r.str(), r.str(), r.u32()))
    return row


def read_origin(data):
    parts = data[:4] == b"VXO2"
    r = Record("origin record", b"VXO2" if parts else b"VXO1", data)
    n = r.u32()
    origin = {"keys": [r.name() for _ in range(r.u8())], "rows": []}
    for _ in range(n):
        row = origin_row(r)
        if parts:
            row.update(split=r.str(), start=r.u64(), length=r.u64())
        origin["rows"].append(row)
    r.done()
    return origin


def read_page(data, depth, prefix):
    """The entries of a page as (child, depth, prefix, rows, digest)."""
    r = Record("page", b"VXP1", data)
    got = r.u8()
    must(got == depth, f"page: depth {got}, want {depth}")
    entries = r.list(lambda: (r.flag(), r.u8(), r.u64(), r.u32(), r.name()))
    r.done()
    following = prefix
    for child, deep, start, rows, _ in entries:
        span = 1 << (64 - deep)
        must(depth <= deep <= min(depth + 6, 64) and (deep == depth + 6 or not child), f"page: an entry of depth {deep}")
        must(start % span == 0 and start >= following and start + span <= prefix + (1 << (64 - depth)),
             f"page: entry {start:016x} out of place")
        must(rows > 0, "page: an entry without rows")
        following = start + span
    return entries


def read_snapshot(data):
    old = data[:4] == b"VXN1"
    r = Record("snapshot", b"VXN1" if old else b"VXN2", data)
    s = {"root": r.name(), "origins": r.name(), "rejections": r.name(),
         "kept": r.u64(), "rejected": r.u64(), "noted": r.u64()}
    s["notes"] = r.list(lambda: (r.str(), r.str(), r.str(), r.u64(), r.u64(), r.strs()))
    s["parent"], s["time"], s["tool"] = r.name(), r.u64(), r.str()
    s["ran"] = r.list(lambda: (r.str(), r.u64(), r.u64()))
    s["read"] = [] if old else r.list(lambda: (r.str(), r.str(), r.strs(), r.u64(), r.list(lambda: (r.str(), r.str())), r.u64()))
    r.done()
    must([n[:3] for n in s["notes"]] == sorted(n[:3] for n in s["notes"]), "snapshot: notes are not sorted")
    return s


def read_rejections(data, page):
    """The rejections of a list record; page fetches a page by its digest."""
    r = Record("list of rejections", b"VXL1", data)
    total, entries = r.u64(), []
    while r.at < len(r.data):
        rows, name = r.u32(), r.name()
        entries += read_rejection_page(page(name), rows)
    must(len(entries) == total, "list of rejections: its pages hold another number")
    return entries


def read_rejection_page(data, rows):
    old = data[:4] == b"VXJ1"
    r = Record("page of rejections", b"VXJ1" if old else b"VXJ2", data)

    def one():
        e = {"file": r.str(), "line": r.u32(), "id": r.str(), "stage": r.str(), "kind": "" if old else r.str(), "reason": r.str()}
        e["row"] = origin_row(r)
        e["refusals"] = r.list(lambda: (r.str(), r.name(), r.str()))
        return e

    entries = [one() for _ in range(rows)]
    r.done()
    return entries


def recipe(action, version, fields):
    """The key of an action."""
    buf = b"voxpack action 1\n"
    for label, value in [(b"action", action), (b"version", version)] + fields:
        n, length = len(value), b""
        while n >= 0x80:
            length += bytes([n & 0x7F | 0x80])
            n >>= 7
        buf += label + b" " + length + bytes([n]) + b" " + value + b"\n"
    return blake3(buf)


# --- a dump ------------------------------------------------------------------

class Dump:
    """Entries by kind and name, each checked against its name."""

    def __init__(self, data):
        self.entries, self.counts, at = {}, {}, 0
        while at < len(data):
            pair = []
            for _ in range(2):
                must(len(data) - at >= 4, "dump: ends early")
                n = struct.unpack_from("<I", data, at)[0]
                must(len(data) - at - 4 >= n, "dump: ends early")
                pair.append(data[at + 4:at + 4 + n])
                at += 4 + n
            key, value = pair
            must(len(key) == 33 and key not in self.entries, f"dump: key {key.hex()}")
            must(value, f"{key.hex()}: an empty value")
            self.entries[key] = value
            kind = key[:1].decode("ascii")
            self.counts[kind] = self.counts.get(kind, 0) + 1
            if kind in "te":
                whole = xxhash64(value[:-8]) == struct.unpack("<Q", value[-8:])[0]
                must(whole and len(value) >= 40, f"{kind}:{key[1:].hex()}: does not fit its sum")
            else:
                must(blake3(value) == key[1:], f"{kind}:{key[1:].hex()}: does not fit its digest")

    def get(self, kind, name):
        value = self.entries.get(kind + name)
        must(value is not None, f"{kind.decode()}:{name.hex()}: not there")
        return value

    def block(self, digest, size):
        """The bytes of a block of samples, also of one that is stored as extents."""
        if b"b" + digest in self.entries:
            return self.get(b"b", digest)
        value = self.get(b"e", digest)[:-8]
        must(value and len(value) % 48 == 0, f"extents {digest.hex()}: {len(value)} bytes")
        data = b""
        for at in range(0, len(value), 48):
            start, length = struct.unpack_from("<QQ", value, at + 32)
            source = self.get(b"b", value[at:at + 32])
            must(length > 0 and length % size == 0 and start + length <= len(source), f"extents {digest.hex()}: {start}, {length} of {len(source)}")
            data += source[start:start + length]
        must(blake3(data) == digest, f"extents {digest.hex()}: do not fit the digest")
        return data

    def leaves(self, digest, depth=0, prefix=0):
        """All leaves below a page, in order, as (prefix, depth, rows, digest)."""
        out = []
        for child, deep, start, rows, name in read_page(self.get(b"p", digest), depth, prefix):
            if not child:
                out.append((start, deep, rows, name))
                continue
            below = self.leaves(name, deep, start)
            must(sum(x[2] for x in below) == rows, f"page: a child counts {rows} rows")
            must(all(x[1] > deep for x in below), "page: a leaf stands a level too low")
            out += below
        return out


def split(places, k, depth=0, prefix=0):
    """The leaves that the set of places must have, as (prefix, depth, rows)."""
    if not places:
        return []
    if len(places) <= k or depth == 64:
        return [(prefix, depth, len(places))]
    bit = 1 << (63 - depth)
    return (split([p for p in places if not p & bit], k, depth + 1, prefix)
            + split([p for p in places if p & bit], k, depth + 1, prefix | bit))


class Reader:
    def __init__(self, dump, ref):
        self.dump = dump
        self.digest = bytes.fromhex(ref.strip())
        self.snapshot = read_snapshot(dump.get(b"n", self.digest))
        self.root = read_root(dump.get(b"r", self.snapshot["root"]))
        self.blocks = [c for c in self.root["schema"] if c.shape]
        self.leaves = dump.leaves(self.root["trie"])
        self.origins = dump.leaves(self.snapshot["origins"])
        self.rejections = []
        if self.snapshot["rejections"] != NONE:
            self.rejections = read_rejections(dump.get(b"l", self.snapshot["rejections"]), lambda name: dump.get(b"l", name))
        self.rows = []
        self.totals()
        for leaf, origin in zip(self.leaves, self.origins):
            self.leaf(leaf, origin)
        places = [row["place"] for row in self.rows]
        want = split(places, self.root["k"])
        must([x[:3] for x in self.leaves] == want, "the leaves are not those that the ids and K give")
        noted = sum(1 for row in self.rows if row["origin"]["notes"])
        must(noted == self.snapshot["noted"], f"snapshot: {noted} rows have notes")

    def totals(self):
        s, root = self.snapshot, self.root
        rows = sum(x[2] for x in self.leaves)
        must((rows, len(self.leaves)) == (root["rows"], root["shards"]), "root: other rows or shards than its pages")
        must(rows == s["kept"], "snapshot: keeps another number of rows")
        must(len(self.rejections) == s["rejected"], "snapshot: another number of rejections")
        must([x[:3] for x in self.leaves] == [x[:3] for x in self.origins], "the two tries differ in their leaves")
        places = [(r["file"], r["line"]) for r in self.rejections]
        must(places == sorted(places), "rejections are not in file order")

    def leaf(self, leaf, origin_leaf):
        shard = read_shard(self.dump.get(b"s", leaf[3]), self.root["schema"])
        origin = read_origin(self.dump.get(b"o", origin_leaf[3]))
        ids = shard["ids"]
        must(len(ids) == leaf[2] and [r["id"] for r in origin["rows"]] == ids, "shard, page and origin differ in their rows")
        order = [(xxhash64(i), i) for i in ids]
        must(all(a < b for a, b in zip(order, order[1:])), "rows of a shard are not in order")
        must(all(p >> (64 - leaf[1]) == leaf[0] >> (64 - leaf[1]) for p, _ in order), "a row stands in the wrong shard")
        must(len(origin["keys"]) == len(self.blocks), "origin: another number of blocks")
        samples = {}
        for column, key in zip(self.blocks, origin["keys"]):
            samples[column.name] = self.block(column, shard, origin, key)
        for i, row in enumerate(origin["rows"]):
            must(len(row["keys"]) == len(self.root["stages"]), "origin: another number of stages")
            for column in self.blocks:
                count, length = LENGTHS.get(column.name, (None, None))
                must(count is None or shard["scalars"][length][i] == min(row[count], column.shape[0]), f"{length} of {ids[i]!r}: not that of its origin")
            self.rows.append({"id": ids[i], "place": order[i][0], "origin": row, "samples": {c: v[i] for c, v in samples.items()},
                              "scalars": {c: v[i] for c, v in shard["scalars"].items()}})

    def own(self, column):
        """The column that counts a column of the user's own, and an element of its padding."""
        setting = dict(self.root["config"]).get(f"column_{column.name}", "")
        parts = dict(p.split(" ", 1) for p in setting.split(", ") if p)
        length, pad = parts.get("length"), float(parts.get("pad", "0"))
        along = {"own": f"{column.name}_len", "text_len": "text_len", "mel_len": "mel_len"}.get(length)
        form = {"i32": "<i", "i16": "<h", "f32": "<f", "f16": "<e"}.get(column.type)
        if form is None:  # bf16: the upper half
            return along, struct.pack("<f", pad)[2:]
        return along, struct.pack(form, int(pad) if form in ("<i", "<h") else pad)

    def block(self, column, shard, origin, key):
        """Checks a block; the checksums of its samples."""
        digest, sums = shard["blocks"][column.name]
        data = self.dump.block(digest, column.size)
        must(len(data) == column.size * len(sums), f"block {digest.hex()}: {len(data)} bytes")
        along, pad = self.own(column)
        lengths = shard["scalars"].get(along or LENGTHS.get(column.name, ("", ""))[1])
        for i, want in enumerate(sums):
            sample = data[i * column.size:(i + 1) * column.size]
            must(xxhash64(sample) == want, f"{column.name} of {shard['ids'][i]!r}: does not fit its checksum")
            if lengths is not None:
                must(0 <= lengths[i] <= column.shape[0], f"{column.name}: a length of {lengths[i]}")
                rest = sample[lengths[i] * column.step:]
                must(rest == pad * (len(rest) // len(pad)), f"{column.name} of {shard['ids'][i]!r}: its padding is not {pad}")
        stage = {"tokens": "tokens", "mel": "mel"}.get(column.name, column.name if f"column_{column.name}" in dict(self.root["config"]) else None)
        if stage is not None:
            at = [name for name, _ in self.root["stages"]].index(stage)
            fields = [(b"column", str(column).encode())] + [(b"row", r["keys"][at]) for r in origin["rows"]]
            must(recipe(b"block", b"1", fields) == key, f"block {digest.hex()}: its key is not that of its recipe")
        trace = self.dump.entries.get(b"t" + key)
        if trace is not None:
            must(trace[:-8] == digest + struct.pack(f"<{len(sums)}Q", *sums), f"trace {key.hex()}: leads to another block")
        return sums

    def describe(self):
        def shown(b):
            return b.decode("utf-8", "replace")
        root, s = self.root, self.snapshot
        return {
            "snapshot": self.digest.hex(), "root": s["root"].hex(), "parent": "" if s["parent"] == NONE else s["parent"].hex(),
            "time": s["time"], "tool": s["tool"], "ran": {n: [run, hit] for n, run, hit in s["ran"]},
            "kept": s["kept"], "rejected": s["rejected"], "noted": s["noted"],
            "notes": [{"stage": n[0], "kind": n[1], "detail": n[2], "count": n[3], "rows": n[4], "examples": n[5]} for n in s["notes"]],
            "rejections": [{k: r[k] for k in ("file", "line", "id", "stage", "kind", "reason")} for r in self.rejections],
            "schema": [str(c) for c in root["schema"]], "stages": dict(root["stages"]), "config": dict(root["config"]),
            "symbols": len(root["symbols"]), "speakers": root["speakers"], "languages": root["languages"], "per_shard": root["k"],
            "leaves": [{"prefix": f"{p:016x}", "depth": d, "rows": n, "digest": x.hex()} for p, d, n, x in self.leaves],
            "rows": [{**{k: shown(r["origin"][k]) for k in ("id", "text", "given", "language", "speaker", "spoken")},
                      **{k: r["origin"][k] for k in ("rate", "channels", "bits", "file_samples", "samples", "frames", "tokens")},
                      "audio": r["origin"]["audio"].hex(), "keys": [k.hex() for k in r["origin"]["keys"]],
                      "scalars": r["scalars"], "checksums": {c: f"{v:016x}" for c, v in r["samples"].items()}} for r in self.rows],
            "entries": self.dump.counts,
        }


def main(args):
    if len(args) != 3:
        print("usage: format_reader.py DUMP REF", file=sys.stderr)
        return 2
    try:
        with open(args[1], "rb") as f:
            reader = Reader(Dump(f.read()), args[2])
    except Broken as e:
        print(f"format_reader: {e}", file=sys.stderr)
        return 1
    print(json.dumps(reader.describe()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
