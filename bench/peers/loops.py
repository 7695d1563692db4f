#!/usr/bin/env python3
"""One training loop: batches of one loader as tensors of one framework, in a process of its own.

    loops.py KIND DATA BATCH          answers a line on stdin by one of JSON
    loops.py KIND DATA BATCH first    takes one batch, and says how long it took

Lines: "versions"; "check": what an epoch holds, whatever its order; "lap S": at
least S seconds of batches whose four tensors are taken and let go; "sum S": the
same with each mel summed up. The batches that begin an epoch are not timed, so
that no loader gains by what it prepared while others had their turn, or loses
by what it does between epochs.
"""

# What a loader imports counts for its first batch: nothing but NumPy is here before.
import os
import sys
import time

import numpy as np

HEAD_START = 16  # batches; more than any of them prepares


def torch_total(mel):
    return float(mel.sum())


def tensorflow_total(mel):
    import tensorflow as tf
    return float(tf.reduce_sum(mel))


class Voxpack:
    """The package in this repository; it starts its feeder."""

    def __init__(self, form, store, batch):
        from voxpack import Dataset
        self.dataset = Dataset(store, batch_size=batch, seed=1)
        self.loop = getattr(self.dataset, form)()

    def epoch(self):
        return self.loop


class Utterances:
    """Two files an utterance, unpadded: what preprocessing scripts leave, and what most trainers' datasets do with it."""

    def __init__(self, folder):
        self.names = sorted(os.path.join(folder, name[:-len(".mel.npy")]) for name in os.listdir(folder) if name.endswith(".mel.npy"))

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        return np.load(self.names[i] + ".tokens.npy"), np.load(self.names[i] + ".mel.npy")


def padded(samples, tokens=200, frames=800, bands=80):
    """Samples of any lengths in the fixed shape."""
    import torch
    batch = {"tokens": torch.zeros(len(samples), tokens, dtype=torch.int32), "mel": torch.zeros(len(samples), frames, bands),
             "text_len": torch.tensor([len(t) for t, _ in samples], dtype=torch.int32),
             "mel_len": torch.tensor([len(m) for _, m in samples], dtype=torch.int32)}
    for i, (t, m) in enumerate(samples):
        batch["tokens"][i, :len(t)] = torch.from_numpy(t)
        batch["mel"][i, :len(m)] = torch.from_numpy(m)
    return batch


class Mapped:
    """A column a file, memory-mapped."""

    def __init__(self, folder):
        from samples import arrays
        self.columns = arrays(folder)

    def __len__(self):
        return len(self.columns["mel"])

    def __getitem__(self, i):
        return {name: c[i] for name, c in self.columns.items()}


class MappedBatches(Mapped):
    """The same by whole batches, which is its fastest way."""

    def __getitems__(self, rows):
        import torch
        return {name: torch.from_numpy(c[rows]) for name, c in self.columns.items()}


def same(batch):
    return batch


class Torch:
    """DataLoader with two workers that stay."""

    forms = {"files": (Utterances, padded), "mapped": (Mapped, None), "batches": (MappedBatches, same)}

    def __init__(self, form, folder, batch):
        import torch
        torch.manual_seed(1)
        data, collate = self.forms[form]
        self.loader = torch.utils.data.DataLoader(data(folder), batch_size=batch, shuffle=True, drop_last=True, collate_fn=collate,
                                                  num_workers=2, persistent_workers=True)

    def epoch(self):
        return self.loader


class Streaming:
    """MosaicML Streaming over a local folder, two workers that stay."""

    def __init__(self, _, folder, batch):
        from streaming import StreamingDataLoader, StreamingDataset
        from streaming.base.util import clean_stale_shared_memory
        clean_stale_shared_memory()  # of a run that was killed
        data = StreamingDataset(local=folder, shuffle=True, shuffle_seed=1, batch_size=batch)
        self.loader = StreamingDataLoader(data, batch_size=batch, num_workers=2, drop_last=True, persistent_workers=True)

    def epoch(self):
        return self.loader


class Records:
    """tf.data over TFRecord, everything tuned by itself. It does not shuffle, which is the faster way."""

    def __init__(self, _, folder, batch, tokens=200, frames=800, bands=80):
        import tensorflow as tf
        files = sorted(os.path.join(folder, name) for name in os.listdir(folder))
        features = {name: tf.io.FixedLenFeature([], tf.string) for name in ("tokens", "mel", "text_len", "mel_len")}

        def parse(record):
            sample = tf.io.parse_single_example(record, features)
            return {"tokens": tf.reshape(tf.io.decode_raw(sample["tokens"], tf.int32), [tokens]),
                    "mel": tf.reshape(tf.io.decode_raw(sample["mel"], tf.float32), [frames, bands]),
                    "text_len": tf.reshape(tf.io.decode_raw(sample["text_len"], tf.int32), []),
                    "mel_len": tf.reshape(tf.io.decode_raw(sample["mel_len"], tf.int32), [])}

        auto = tf.data.AUTOTUNE
        data = tf.data.TFRecordDataset(files, num_parallel_reads=auto).map(parse, num_parallel_calls=auto).batch(batch, drop_remainder=True)
        self.batches = int(files[-1][-len("000000.tfrecord"):][:6]) // batch  # the name of a file says where its rows end
        # One iterator for good: what tf.data found out about itself is kept.
        self.iterator = iter(data.repeat().prefetch(auto))

    def epoch(self):
        for _ in range(self.batches):
            yield next(self.iterator)


# Loader, its form, the framework that it is for, how that adds up a mel.
KINDS = {
    "voxpack-numpy": (Voxpack, "numpy", "numpy", torch_total),
    "voxpack-torch": (Voxpack, "torch", "torch", torch_total),
    "voxpack-tensorflow": (Voxpack, "tensorflow", "tensorflow", tensorflow_total),
    "voxpack-tfdata": (Voxpack, "tf_dataset", "tensorflow", tensorflow_total),
    "voxpack-jax": (Voxpack, "jax", "jax", torch_total),
    "torch-files": (Torch, "files", "torch", torch_total),
    "torch-mapped": (Torch, "mapped", "torch", torch_total),
    "torch-batches": (Torch, "batches", "torch", torch_total),
    "streaming": (Streaming, None, "torch", torch_total),
    "tfrecord": (Records, None, "tensorflow", tensorflow_total),
}


def tensors(batch):
    """Every column, which makes it where it is made when it is asked for."""
    return batch["tokens"], batch["mel"], batch["text_len"], batch["mel_len"]


class Clock:
    """Time, CPU time of this process, and that of its children, while it runs."""

    def __init__(self):
        self.seconds = self.own = self.all = 0.0

    def family(self):
        from peer import family
        found = 0.0
        for pid in family(os.getpid())[1:]:
            try:
                found += time.clock_gettime((~pid << 3) | 2)  # as clock_getcpuclockid makes it
            except OSError:
                pass  # it ended meanwhile
        return found

    def start(self):
        self.children, self.cpu, self.began = self.family(), time.process_time(), time.perf_counter()

    def stop(self):
        seconds, own = time.perf_counter() - self.began, time.process_time() - self.cpu
        self.seconds += seconds
        self.own += own
        self.all += own + self.family() - self.children


class Loop:
    """What answers the lines."""

    def __init__(self, kind, data, batch):
        loader, form, self.framework, self.total = KINDS[kind]
        self.kind, self.batch, self.loader = kind, batch, loader(form, data, batch)

    def lap(self, seconds, total=None):
        timed, whole, batches = Clock(), Clock(), 0
        whole.start()
        while timed.seconds < seconds:
            epoch = iter(self.loader.epoch())
            for _ in range(HEAD_START):
                tensors(next(epoch))
            timed.start()
            for batch in epoch:
                taken = tensors(batch)
                if total is not None:
                    total(taken[1])
                batches += 1
            del batch, taken
            timed.stop()
        whole.stop()
        return {"batches": batches, "samples": batches * self.batch, "seconds": timed.seconds, "own_cpu": timed.own, "all_cpu": timed.all,
                "cpu_seconds": whole.all}

    def check(self):
        """Samples of an epoch, and a sum of their checksums, for which the order does not matter."""
        samples = total = 0
        for batch in self.loader.epoch():
            columns = [np.asarray(c) for c in tensors(batch)]
            samples, total = samples + len(columns[0]), total + checksum(columns)
        return {"samples": samples, "sum": total}

    def versions(self):
        import importlib.metadata
        import platform
        names = {"numpy", "tensorflow-cpu" if self.framework == "tensorflow" else self.framework}
        if self.kind == "streaming":
            names.add("mosaicml-streaming")
        return dict({name: importlib.metadata.version(name) for name in names}, python=platform.python_version())

    def answer(self, line):
        verb, _, seconds = line.partition(" ")
        if verb == "lap":
            return self.lap(float(seconds))
        if verb == "sum":
            return self.lap(float(seconds), self.total)
        return {"check": self.check, "versions": self.versions}[verb]()


def checksum(columns):
    """The sum of the checksums of samples, by all their columns."""
    import zlib
    total = 0
    for sample in zip(*columns):
        crc = 0
        for value in sample:
            crc = zlib.crc32(np.ascontiguousarray(value), crc)
        total += crc
    return total


def first(kind, data, batch):
    """Seconds to the first batch, and those of them behind the import of the framework."""
    start = time.perf_counter()
    __import__(KINDS[kind][2])
    imported = time.perf_counter()
    loader, form, _, _ = KINDS[kind]
    held = loader(form, data, batch)
    for one in held.epoch():
        tensors(one)
        end = time.perf_counter()
        break
    return {"seconds": end - start, "imported": end - imported}


def main():
    if len(sys.argv) not in (4, 5) or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    kind, data, batch = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if len(sys.argv) == 5:
        found = first(kind, data, batch)
        import json
        print(json.dumps(found), flush=True)
        return
    import json
    loop = Loop(kind, data, batch)
    for line in sys.stdin:
        print(json.dumps(loop.answer(line.strip())), flush=True)
    if loop.framework == "tensorflow":
        os._exit(0)  # an iterator without end that still prefetches may hold up the end of the interpreter for good


if __name__ == "__main__":
    main()
