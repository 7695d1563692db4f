#!/usr/bin/env python3
"""What torch does on GPU 0, beside the feed: its copies, and its DataLoader.

A piece: each line of JSON on stdin is answered by one on stdout.

    {"what": "info"}                                             version, and what torch says of the GPU
    {"what": "copy", "kind": "pinned", "bytes": N, "times": T}   the time of each copy, one at a time; or pageable
    {"what": "ring", "bytes": N, "times": T}                     T copies one behind the other out of RING buffers
    {"what": "arrays", "folder": F, "rows": R, "columns": C}     .npy files of random samples; C: [name, shape, dtype]
    {"what": "loader", "folder": F, "batch": B, "workers": W, "seconds": S}

The loader is a DataLoader over memory-mapped .npy files that gives whole
batches, its fastest way: shuffled, with pin_memory, each batch moved by
.to(non_blocking=True) on a stream of its own, for which the main stream waits.
"""

import os
import statistics
import time

import process

RING = 4


class Mapped:
    """A data set that gives whole batches."""

    def __init__(self, folder):
        import numpy
        self.columns = [numpy.load(os.path.join(folder, name), mmap_mode="r").view(numpy.ndarray) for name in sorted(os.listdir(folder))]

    def __len__(self):
        return len(self.columns[0])

    def __getitems__(self, rows):
        import torch
        return [torch.from_numpy(c[rows]) for c in self.columns]


def same(batch):
    return batch


class Torch:
    """torch with GPU 0."""

    def __init__(self):
        import torch
        if not torch.cuda.is_available():
            raise RuntimeError("torch sees no GPU")
        self.torch, self.device, self.loaders = torch, torch.device("cuda", 0), {}

    def answer(self, what, **question):
        return {"info": self.info, "copy": self.copy, "ring": self.ring, "arrays": self.arrays, "loader": self.loader}[what](**question)

    def info(self):
        p = self.torch.cuda.get_device_properties(0)
        bus = None
        if hasattr(p, "pci_bus_id"):
            bus = f"{p.pci_domain_id:04x}:{p.pci_bus_id:02x}:{p.pci_device_id:02x}.0"
        return {"version": self.torch.__version__, "name": p.name, "memory": p.total_memory, "bus": bus}

    def source(self, kind, size):
        return self.torch.full((size,), 0x5A, dtype=self.torch.uint8, pin_memory=kind == "pinned")

    def copy(self, kind, bytes, times):
        cuda = self.torch.cuda
        source, target = self.source(kind, bytes), self.torch.empty(bytes, dtype=self.torch.uint8, device=self.device)
        stream, start, end = cuda.Stream(), cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
        found = []
        with cuda.stream(stream):
            for _ in range(times + 3):  # three to warm up
                start.record()
                target.copy_(source, non_blocking=True)
                end.record()
                end.synchronize()
                found.append(start.elapsed_time(end))
        return {"ms": found[3:]}

    def ring(self, bytes, times):
        cuda = self.torch.cuda
        sources = [self.source("pinned", bytes) for _ in range(RING)]
        targets = [self.torch.empty(bytes, dtype=self.torch.uint8, device=self.device) for _ in range(RING)]
        marks = [[cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)] for _ in range(RING)]
        found, began = [], 0.0
        with cuda.stream(cuda.Stream()):
            for n in range(times + 2 * RING):
                if n == 2 * RING:  # the ring is full and warm
                    found, began = [], time.perf_counter()
                i = n % RING
                start, end = marks[i]
                if n >= RING:  # so many are under way
                    end.synchronize()
                    found.append(start.elapsed_time(end))
                start.record()
                targets[i].copy_(sources[i], non_blocking=True)
                end.record()
            took = time.perf_counter() - began
            cuda.synchronize()
        return {"copy_rate": bytes / statistics.median(found) * 1000, "clock_rate": bytes * times / took}

    def arrays(self, folder, rows, columns):
        import numpy
        draw = numpy.random.default_rng(1)
        os.makedirs(folder, exist_ok=True)
        for name, shape, dtype in columns:
            kind, full = numpy.dtype(dtype), (rows, *shape)
            values = draw.standard_normal(full, dtype=numpy.float32) if kind.kind == "f" else draw.integers(0, 100, full)
            numpy.save(os.path.join(folder, name + ".npy"), values.astype(kind))
        return {}

    def loader(self, folder, batch, workers, seconds):
        """Batches for some seconds behind one untimed epoch; processes of the loader stay for the next time."""
        torch, key = self.torch, (batch, workers)
        if key not in self.loaders:
            self.loaders[key] = torch.utils.data.DataLoader(
                Mapped(folder), batch_size=batch, shuffle=True, drop_last=True, collate_fn=same, pin_memory=True,
                num_workers=workers, persistent_workers=workers > 0)
            self.epoch(self.loaders[key])
        cpu, began, batches = cpu_seconds(), time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            count, size = self.epoch(self.loaders[key])
            batches += count
        return {"batches": batches, "bytes": batches * size, "seconds": time.perf_counter() - began, "cpu_seconds": cpu_seconds() - cpu}

    def epoch(self, loader):
        """One pass to the GPU; the number of batches and the bytes of one."""
        cuda, batches, size = self.torch.cuda, 0, 0
        side, main = cuda.Stream(), cuda.current_stream()
        for batch in loader:
            with cuda.stream(side):
                moved = [t.to(self.device, non_blocking=True) for t in batch]
            main.wait_stream(side)
            for t in moved:
                t.record_stream(main)  # else its memory could be given away while the trainer has it
            batches += 1
            size = sum(t.numel() * t.element_size() for t in moved)
        cuda.synchronize()
        return batches, size


def cpu_seconds():
    """CPU time of this process and of its living children."""
    ticks, me = 0, os.getpid()
    try:
        with open(f"/proc/{me}/task/{me}/children") as f:
            children = f.read().split()
        for pid in children:
            with open(f"/proc/{pid}/stat") as f:
                fields = f.read().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    except OSError:
        pass  # no such file in /proc: the loader's processes are not counted
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    process.answer_lines(Torch().answer)
