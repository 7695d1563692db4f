#!/usr/bin/env python3
"""A second feed of voxpack's datasets, written from docs/format.md.

    feed_reader.py DUMP REF RUNS

DUMP and REF are those of format_reader.py, which reads the records. RUNS is a
file with a JSON list of what is to be delivered, each an object with the members

    selection   as a cursor has it
    seed, shuffle, tail, batch, epochs
    rank, world, segment, reference, steps    0 or false where nothing is said
    resume      a cursor; null: from the beginning of epoch 0

For each it prints, as one JSON list on stdout, the digest of every epoch, the
ids in the order of their delivery, and the cursor behind the last batch.

It needs Python 3.9 and nothing else, and hashes some 100 kB a second: enough
for a few rows of a narrow mel.
"""

import json
import struct
import sys
from itertools import islice

from format_reader import Broken, Dump, blake3, must, read_root, read_shard, read_snapshot, xxhash64


class Row:
    def __init__(self, name, place, scalars, blocks):
        self.name, self.place, self.scalars, self.blocks = name, place, scalars, blocks


class Dataset:
    """The rows of a snapshot in the order of the trie."""

    def __init__(self, dump, ref):
        self.snapshot = ref.strip()
        snapshot = read_snapshot(dump.get(b"n", bytes.fromhex(self.snapshot)))
        self.root = snapshot["root"]
        root = read_root(dump.get(b"r", self.root))
        self.schema = root["schema"]
        mels = [c for c in self.schema if c.name == "mel" and c.shape]
        self.frames = mels[0].shape[0] if mels else 0
        self.step = mels[0].step if mels else 0
        self.rows = []
        for leaf in dump.leaves(root["trie"]):
            shard = read_shard(dump.get(b"s", leaf[3]), self.schema)
            for i, name in enumerate(shard["ids"]):
                scalars = {c: values[i] for c, values in shard["scalars"].items()}
                blocks = {}
                for column in self.schema:
                    if column.shape:
                        digest, sums = shard["blocks"][column.name]
                        value = dump.get(b"b", digest)[i * column.size:(i + 1) * column.size]
                        must(xxhash64(value) == sums[i], f"{column.name} of {name!r}: does not fit its checksum")
                        blocks[column.name] = value
                self.rows.append(Row(name, xxhash64(name), scalars, blocks))


def draw(letter, seed, epoch, place, copy=0):
    return xxhash64(letter + struct.pack("<QQQI", seed, epoch, place, copy))


def unit(x):
    return (x >> 11) * 2.0 ** -53


def pick(x, n):
    return x * n >> 64


def binary32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


class Chosen:
    """The set that a selection leaves, bucket by bucket."""

    def __init__(self, data, selection):
        self.data = data
        wanted = sorted({b for b in selection.get("buckets", []) if b < data.frames})
        self.shapes = wanted + [data.frames]
        self.buckets = [[] for _ in self.shapes]
        self.rows = []  # of all buckets, in the order of (place, id)
        self.weights = {}
        for row in data.rows:
            weight = 1.0
            for w in sorted(selection.get("weights", []), key=lambda w: (w["column"], w["value"], w["times"])):
                if row.scalars[w["column"]] == w["value"]:
                    weight *= w["times"]
            for c in sorted(selection.get("corpora", []), key=lambda c: c["name"]):
                if row.name.startswith(c["name"] + "/"):
                    weight *= c["times"]
            if weight == 0 or not self.asked(row, selection):
                continue
            self.weights[row.name] = binary32(weight)
            self.rows.append(row)
            self.buckets[self.bucket(row)].append(row)

    @staticmethod
    def asked(row, selection):
        for member, column in (("languages", "language"), ("speakers", "speaker")):
            if selection.get(member) and row.scalars[column] not in selection[member]:
                return False
        u = unit(draw(b"s", 0, 0, row.place))
        val, train = selection.get("val", 0.0), selection.get("train", 0.0)
        side = selection.get("split", "all")
        if row.scalars.get("split") and side != "all":
            return row.scalars["split"] == {"train": 1, "val": 2, "test": 3}[side]
        if side == "test":
            return False
        if side == "val":
            return u < val
        if side == "train":
            return u >= (max(val, 1 - train) if train else val)
        return True

    def bucket(self, row):
        if len(self.shapes) == 1:
            return 0
        return next(i for i, frames in enumerate(self.shapes) if row.scalars["mel_len"] <= frames)

    def reference(self, row, seed, epoch):
        family = [r for r in self.rows if r.scalars.get("speaker") == row.scalars.get("speaker")]
        if len(family) == 1:
            return row
        k = pick(draw(b"r", seed, epoch, row.place), len(family) - 1)
        return family[k + 1 if k >= family.index(row) else k]


class Epoch:
    """One epoch of a run, from its beginning or from behind a cursor."""

    def __init__(self, chosen, run, number, cursor=None):
        self.chosen, self.run, self.number = chosen, run, number
        self.order = [self.deliveries(b) for b in chosen.buckets]  # of each bucket (key, place, id, copy, row)
        self.at = [0] * len(self.order)
        self.samples = 0
        if cursor is not None:
            self.samples = cursor["samples"]
            for i, mark in enumerate(cursor["buckets"]):
                if "last" in mark:
                    name = mark["last"]["id"].encode()
                    last = (int(mark["last"]["key"], 16), xxhash64(name), name, mark["last"].get("copy", 0))
                    self.at[i] = sum(1 for d in self.order[i] if d[:4] <= last)

    def deliveries(self, rows):
        seed, out = self.run["seed"], []
        for row in rows:
            w = self.chosen.weights[row.name]
            copies = int(w)
            if unit(draw(b"w", seed, self.number, row.place)) < w - copies:
                copies += 1
            for copy in range(copies):
                key = row.place if self.run["shuffle"] == "none" else draw(b"o", seed, self.number, row.place, copy)
                out.append((key, row.place, row.name, copy, row))
        return sorted(out, key=lambda d: d[:4])

    def batches(self):
        """This rank's batches as (frames, rows)."""
        size, tail = self.run["batch"], self.run["tail"]
        share = size // max(1, self.run["world"])
        while True:
            able = [i for i, o in enumerate(self.order)
                    if self.at[i] < len(o) and (tail != "drop" or len(o) - self.at[i] >= size)]
            if not able:
                return
            bucket = min(able, key=lambda i: self.order[i][self.at[i]][0])
            whole, at = self.order[bucket], self.at[bucket]
            fresh = min(size, len(whole) - at)
            rows = [d[4] for d in whole[at:at + fresh]]
            while tail == "wrap" and len(rows) < size:
                rows += [d[4] for d in whole[:size - len(rows)]]
            self.at[bucket] += fresh
            self.samples += fresh
            yield self.chosen.shapes[bucket], rows[self.run["rank"] * share:(self.run["rank"] + 1) * share]

    def cursor(self):
        marks = []
        for frames, order, at in zip(self.chosen.shapes, self.order, self.at):
            mark = {"frames": frames}
            if at > 0:
                key, _, name, copy, _ = order[at - 1]
                mark["last"] = {"key": f"{key:016x}", "id": name.decode()}
                if copy:
                    mark["last"]["copy"] = copy
            marks.append(mark)
        data = self.chosen.data
        return {"format": 1, "root": data.root.hex(), "snapshot": data.snapshot, "seed": self.run["seed"], "epoch": self.number,
                "shuffle": self.run["shuffle"], "tail": self.run["tail"], "samples": self.samples, "buckets": marks}

    def sample(self, row, frames):
        """The fields of a delivery, as the digest takes them."""
        data, segment = self.chosen.data, self.run["segment"]
        fields = {c.name: row.blocks[c.name] if c.shape else struct.pack("<i", row.scalars[c.name]) for c in data.schema}
        if frames:
            fields["mel"] = fields["mel"][:frames * data.step]
        if segment:
            length, start = row.scalars["mel_len"], 0
            if length > segment:
                start = pick(draw(b"c", self.run["seed"], self.number, row.place), length - segment + 1)
            fields["mel"] = row.blocks["mel"][start * data.step:(start + segment) * data.step]
            fields["mel_len"] = struct.pack("<i", min(length, segment))
            fields["mel_start"] = struct.pack("<i", start)
        if self.run["reference"]:
            other = self.chosen.reference(row, self.run["seed"], self.number)
            fields["reference_mel"] = other.blocks["mel"][:frames * data.step]
            fields["reference_mel_len"] = struct.pack("<i", min(other.scalars["mel_len"], frames))
        first = [n for n in ("tokens", "mel", "text_len", "mel_len") if n in fields]
        return b"".join(fields[n] for n in first + [n for n in fields if n not in first])


def deliver(data, run):
    """What a run has: digests, ids and the last cursor."""
    chosen = Chosen(data, run["selection"])
    resume = run["resume"]
    first = resume["epoch"] if resume else 0
    left = run["steps"] or None  # None: no bound
    digests, ids, epoch = [], [], None
    for number in range(first, first + run["epochs"]):
        epoch = Epoch(chosen, run, number, resume if number == first else None)
        content = b""
        for frames, rows in islice(epoch.batches(), left):
            if left is not None:
                left -= 1
            content += b"".join(epoch.sample(row, frames) for row in rows)
            ids += [row.name.decode() for row in rows]
        digests.append(blake3(content).hex())
        if left == 0:
            break
    return {"digests": digests, "ids": ids, "cursor": epoch.cursor()}


def main(args):
    if len(args) != 4:
        print("usage: feed_reader.py DUMP REF RUNS", file=sys.stderr)
        return 2
    try:
        with open(args[1], "rb") as f:
            data = Dataset(Dump(f.read()), args[2])
        with open(args[3], "rb") as f:
            runs = json.load(f)
        print(json.dumps([deliver(data, run) for run in runs]))
    except Broken as e:
        print(f"feed_reader: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
