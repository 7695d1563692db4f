#!/usr/bin/env python3
"""One peer: batches out of memory-mapped .npy files, in a process of its own.

    gather.py PEER DIR BATCH SLOTS

DIR holds what `bench/feed -export` wrote. Each line on stdin is answered by one
line of JSON on stdout: "lap" by the time of an epoch in a new random order,
"check ROW…" by digests of a batch of these rows. An epoch goes untimed before
the first answer, so that pages are mapped and slots are touched. Epochs leave
out the rows that fill no batch.
"""

import hashlib
import json
import os
import sys
import time

import numpy as np

COLUMNS = ("tokens", "mel", "text_len", "mel_len")


def cpu_seconds():
    """CPU time of this process and of its living children."""
    ticks = 0
    me = os.getpid()
    try:
        with open(f"/proc/{me}/task/{me}/children") as f:
            children = f.read().split()
        for pid in children:
            with open(f"/proc/{pid}/stat") as f:
                fields = f.read().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    except OSError:
        pass  # no /proc: the children of torch are not counted
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


class Numpy:
    """A gather into preallocated slots, which are gone round."""

    def __init__(self, form, folder, batch, slots):
        # Views of the plain array class: a memmap costs more at each index.
        self.columns = [np.asarray(np.load(os.path.join(folder, c + ".npy"), mmap_mode="r")) for c in COLUMNS]
        self.rows, self.batch, self.form = len(self.columns[0]), batch, form
        self.slots = [[np.ones((batch,) + c.shape[1:], c.dtype) for c in self.columns] for _ in range(slots)]
        self.random = np.random.default_rng(1)

    def fill(self, rows, slot):
        if self.form == "take":
            for column, out in zip(self.columns, slot):
                np.take(column, rows, axis=0, out=out, mode="clip")  # any other mode copies through a buffer
        elif self.form == "fancy":
            for column, out in zip(self.columns, slot):
                out[:] = column[rows]
        else:
            listed = rows.tolist()
            for column, out in zip(self.columns, slot):
                for i, row in enumerate(listed):
                    out[i] = column[row]

    def epoch(self):
        order = self.random.permutation(self.rows)
        batches = self.rows // self.batch
        for i in range(batches):
            self.fill(order[i * self.batch:(i + 1) * self.batch], self.slots[i % len(self.slots)])
        return batches

    def gather(self, rows):
        self.fill(np.array(rows), self.slots[0])
        return self.slots[0]


class Mapped:
    """A data set for torch that gives whole batches, its fastest way."""

    def __init__(self, folder):
        self.columns = [np.asarray(np.load(os.path.join(folder, c + ".npy"), mmap_mode="r")) for c in COLUMNS]

    def __len__(self):
        return len(self.columns[0])

    def __getitems__(self, rows):
        import torch
        return [torch.from_numpy(c[rows]) for c in self.columns]


def same(batch):
    return batch


class Torch:
    """DataLoader over the memory map; its batches lie in pageable memory and are copied nowhere else."""

    def __init__(self, workers, folder, batch, _slots):
        import torch
        torch.set_num_threads(1)
        torch.manual_seed(1)
        self.data, self.batch = Mapped(folder), batch
        self.loader = torch.utils.data.DataLoader(self.data, batch_size=batch, shuffle=True, drop_last=True, collate_fn=same,
                                                  num_workers=workers, persistent_workers=workers > 0)

    def epoch(self):
        batches = 0
        for _ in self.loader:
            batches += 1
        return batches

    def gather(self, rows):
        return [c.numpy() for c in self.data.__getitems__(rows)]


def make(peer, *args):
    kind, _, form = peer.partition("-")
    if kind == "numpy" and form in ("take", "fancy", "rows"):
        return Numpy(form, *args)
    if kind == "torch" and form.isdigit():
        return Torch(int(form), *args)
    sys.exit(f"unknown peer {peer}: want numpy-take, numpy-fancy, numpy-rows or torch-WORKERS")


def lap(peer):
    cpu, start = cpu_seconds(), time.perf_counter()
    batches = peer.epoch()
    return {"samples": batches * peer.batch, "seconds": time.perf_counter() - start, "cpu_seconds": cpu_seconds() - cpu}


def check(peer, rows):
    columns = peer.gather(rows)
    return {"sha256": {name: hashlib.sha256(c.tobytes()).hexdigest() for name, c in zip(COLUMNS, columns)}}


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    peer = make(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    peer.epoch()
    for line in sys.stdin:
        verb, *rows = line.split()
        answer = lap(peer) if verb == "lap" else check(peer, [int(r) for r in rows])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
