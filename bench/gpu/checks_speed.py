"""Checks of how fast: the link alone, the feed beside it, torch's loader, and a trainer's steps."""

import os
import statistics

from session import BATCH, MB, Skip

KB = 1 << 10
SIZES = (64 * KB, 256 * KB, 1024 * KB, 4096 * KB, None, 64 << 20, 256 << 20)  # None: a batch
KINDS = (("pinned", "pinned"), ("registered", "registered memfd, as the feed's ring"), ("combined", "write-combined"), ("pageable", "pageable"))


def check_raw(s):
    """what the link carries by itself: copies from the host, one at a time"""
    def sizes(part, piece, kind):
        with s.part(part):
            cells, times = [], s.quick(30, 4)
            for size in (size or s.copy_bytes for size in s.quick(SIZES, SIZES[2:5])):
                ms = sorted(piece().ask(s.seconds(60), what="copy", kind=kind, bytes=size, times=times)["ms"])
                cells.append(f"{label(size)} {size / statistics.median(ms) / 1e6:.1f} ({size / ms[-1] / 1e6:.1f})")
            s.measured(part, f"GB/s, median (slowest of {times}): " + ", ".join(cells))

    for kind, name in KINDS:
        sizes(name, s.raw, kind)
    for kind in ("pinned", "pageable"):
        sizes(f"torch, {kind}", s.torch, kind)


def label(size):
    return f"{size // KB} kB" if size < 1 << 20 else f"{size / MB:.1f} MB" if size % (1 << 20) else f"{size >> 20} MB"


def check_sustained(s):
    """the feed without a trainer keeps the link as busy as copies alone do"""
    wanted = s.quick(2.5, 0.2)  # seconds of each turn
    rate = s.feed("--batch-size", BATCH, "--steps", 200, "--cache", "off").clock_rate()
    steps = max(50, int(wanted * rate / s.copy_bytes))
    laps = []
    for n in range(s.quick(5, 2)):
        turns = [lambda lap: lap.update(feed=s.feed("--batch-size", BATCH, "--steps", steps, "--cache", "off", "--workers", s.workers)),
                 lambda lap: lap.update(raw=ring(s, "raw", s.raw, steps)), lambda lap: lap.update(torch=ring(s, "torch", s.torch, steps))]
        lap = {}
        for turn in turns if n % 2 == 0 else reversed(turns):
            turn(lap)
        laps.append(lap)
    feeds = [lap["feed"] for lap in laps]
    cpu = statistics.median(f.cpu / (f.link()["bytes"] / 1e9) for f in feeds)
    s.measured("cost", f"{cpu:.3f} CPU seconds per GB with {s.workers} workers, start and checksums of the first epoch included; "
               f"copies of {s.copy_bytes / MB:.2f} MB, {steps} in a turn, {len(laps)} turns")
    for part, key in (("by the copies' own times", "copy_rate"), ("by the clock", "clock_rate")):
        rates = [getattr(f, key)() for f in feeds]
        figure = f"{statistics.median(rates) / 1e9:.2f} GB/s ({min(rates) / 1e9:.2f} to {max(rates) / 1e9:.2f})"
        peers = [max((lap[who][key] for who in ("raw", "torch") if lap[who]), default=None) for lap in laps]
        if None in peers:
            s.measured(part, figure + "; no copies without the feed to compare with")
            continue
        share = statistics.median(rate / peer for rate, peer in zip(rates, peers))
        s.goal(part, f"{figure}, copies alone {statistics.median(peers) / 1e9:.2f} GB/s: {100 * share:.1f} %", share >= 0.95, "95 %")


def ring(s, name, piece, steps):
    """Copies alone; None where the piece cannot be had, which check_raw has told."""
    try:
        return piece().ask(s.seconds(60), what="ring", bytes=s.copy_bytes, times=steps)
    except Skip:
        return None


def check_loader(s):
    """the feed brings samples faster than torch's DataLoader over a memory map, for less CPU time"""
    piece = s.torch()
    folder = os.path.join(s.work, "arrays")
    columns = [(c["name"], c["shape"], {"i32": "int32", "f32": "float32", "f16": "float16"}[c["dtype"]]) for c in s.schema]
    piece.ask(s.seconds(120), what="arrays", folder=folder, rows=s.rows, columns=columns)
    wanted = s.quick(2.5, 0.2)
    steps = max(50, int(wanted * s.feed("--batch-size", BATCH, "--steps", 200, "--cache", "off").clock_rate() / s.copy_bytes))
    ours, theirs = [], {}
    for _ in range(s.quick(3, 1)):
        ours.append(s.feed("--batch-size", BATCH, "--steps", steps, "--cache", "off"))
        for workers in (0, 2, 4, 8):
            if workers <= s.cores:
                found = piece.ask(s.seconds(120), what="loader", folder=folder, batch=BATCH, workers=workers, seconds=wanted)
                theirs.setdefault(workers, []).append(found)
    rate = statistics.median(BATCH / r.json["step"]["mean_ms"] * 1000 for r in ours)
    cpu = statistics.median(r.cpu / (r.link()["bytes"] / 1e9) for r in ours)
    best = 0
    for workers, laps in theirs.items():
        samples = statistics.median(BATCH * lap["batches"] / lap["seconds"] for lap in laps)
        best = max(best, samples)
        per_gb = statistics.median(lap["cpu_seconds"] / (lap["bytes"] / 1e9) for lap in laps)
        s.measured(f"DataLoader, {workers} workers", f"{samples:.0f} samples/s, {per_gb:.3f} CPU seconds per GB")
    s.goal("the feed", f"{rate:.0f} samples/s, {cpu:.3f} CPU seconds per GB: {rate / best:.2f} × the best of them", rate >= best, "1 ×")


def check_steps(s):
    """a trainer never waits: the 99th percentile of its waits is at most 1 % of a step"""
    for step, steps in ((5, s.quick(600, 60)), (20, s.quick(200, 20))):
        with s.part(f"{step} ms"):
            report = s.feed("--batch-size", BATCH, "--steps", steps, "--step-ms", step, "--cache", "off").json
            stall = report["stall"]["p99_ms"]
            s.goal(f"{step} ms", f"wait p50 {1000 * report['stall']['p50_ms']:.0f} µs, p99 {1000 * stall:.0f} µs, {100 * stall / step:.2f} % of a step; "
                   f"steps vary by {report['step']['variation']:.2f} %; depth {report['ring']['depth']}, first batch {1000 * report['first_batch_seconds']:.0f} ms",
                   stall <= 0.01 * step, "1 %")
