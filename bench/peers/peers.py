#!/usr/bin/env python3
"""Measure the feed beside NumPy's memory map and torch's DataLoader.

    peers.py [--feed PROGRAM] [--store STORE] [--work DIR] [--clips 13100] [--batch 32] [--rounds 7] [--json]

All of them bring the same rows of the same store, batch by batch in a random
order of the whole epoch, out of the page cache into host memory: the feed from
the store, the peers from .npy files of the same samples, which a mapped array
is made for. Each is a process of its own (gather.py, or bench/feed) that has
brought one epoch already. In a round each brings one epoch, one after the
other; the medians of the rounds count, and ratios are taken within a round.
Those of "one core" are all pinned to the same core, those of "all cores" to
none. torch's batches stay where it puts them: no copy into a slot is counted.
CPU time is what tells on a machine that others use too.

Before anything is timed, each must have the same bytes for the same rows.

Without --store a store is made, of LJSpeech's size. Store and .npy files take
7 GB, twice that for a while; they are removed at the end, or kept in DIR for
the next time. Needs Go, and NumPy in the Python that runs this; torch is left
out with a notice where there is none.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile

from peer import Others, Peer, PeerError

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE = os.path.dirname(os.path.dirname(HERE))

GOAL = 1.4  # times NumPy's gather, one core each

# Name, command, slots, whether it has one core, whether the goal is held against
# it. Three slots are the least for a trainer, and what the feed begins with: one
# is filled, one is ready, one is in use. One slot stays in the cache, which is
# faster, but nobody can train with it: the next batch overwrites the one in use.
PEERS = (
    ("the feed, one filler", "feed-1", None, True, False),
    ("NumPy take(out=)", "numpy-take", 3, True, True),
    ("NumPy take(out=)", "numpy-take", 1, True, True),
    ("NumPy slot[i] = mel[row]", "numpy-rows", 3, True, True),
    ("NumPy slot[i] = mel[row]", "numpy-rows", 1, True, True),
    ("NumPy slot[:] = mel[rows]", "numpy-fancy", 3, True, True),
    ("torch DataLoader, 0 workers", "torch-0", None, True, False),
    ("the feed, two fillers", "feed-2", None, False, False),
    ("torch DataLoader, 2 workers", "torch-2", None, False, False),
)


def say(text):
    print(text, file=sys.stderr, flush=True)


class Runner(Peer):
    """One row of the tables."""

    def __init__(self, name, command, one_core, goal, slots):
        super().__init__(name, command, 1 if one_core else None)
        self.one_core, self.goal, self.slots = one_core, goal, slots


def start(args, program, store, arrays):
    """All peers, each after its untimed epoch and with the bytes of a batch compared."""
    peers = []
    for name, kind, slots, one_core, goal in PEERS:
        if kind.startswith("torch") and importlib.util.find_spec("torch") is None:
            say(f"NOTICE: no torch in {sys.executable}: {name} is left out")
            continue
        say(f"starting {name}")
        if kind.startswith("feed"):
            command = [program, "-piece", "laps", "-store", store, "-batch", str(args.batch), "-fillers", kind.partition("-")[2]]
            peer = feed = Runner(name, command, one_core, goal, slots)
        else:
            command = [sys.executable, os.path.join(HERE, "gather.py"), kind, arrays, str(args.batch), str(slots or 0)]
            peer = gatherer = Runner(name, command, one_core, goal, slots)
        peers.append(peer)
        if len(peers) > 1:
            compare(feed, gatherer)
    return peers


def compare(feed, gatherer):
    """Asks for a batch of a feed and for the same rows elsewhere. Answers come after the untimed epoch."""
    want = feed.ask("check")
    feed.slots = want["slots"]
    got = gatherer.ask("check " + " ".join(map(str, want["rows"])))
    if got["sha256"] != want["sha256"]:
        sys.exit(f"{gatherer.name} and {feed.name}: not the same bytes for rows {want['rows']}")


def rounds(args, peers, program):
    """Lets every peer bring an epoch a round; the machine's figures of the same rounds."""
    machine, others = {}, Others()
    for n in range(args.rounds):
        say(f"round {n + 1} of {args.rounds}")
        found = json.loads(subprocess.check_output([program, "-piece", "machine"]))
        for key, value in found.items():
            if isinstance(value, list):
                machine.setdefault(key, []).extend(value)
        for peer in peers if n % 2 == 0 else reversed(peers):
            others.measure(peer.lap)
    machine["cpu_of_others"] = others.shares
    return machine


def table(args, peers, machine, sample_bytes):
    """The results, with every figure of a lap reduced to its median."""
    rows = []
    for peer in peers:
        ours = next(p for p in peers if p.one_core == peer.one_core)  # the feed comes first
        speeds = [lap["samples"] / lap["seconds"] for lap in peer.laps]
        gigabytes = peer.laps[0]["samples"] * sample_bytes / 1e9
        rows.append({
            "name": peer.name, "slots": peer.slots, "one_core": peer.one_core, "samples": peer.laps[0]["samples"],
            "samples_per_second": statistics.median(speeds), "min": min(speeds), "max": max(speeds),
            "gb_per_second": gigabytes / statistics.median(lap["seconds"] for lap in peer.laps),
            "cpu_seconds_per_gb": statistics.median(lap["cpu_seconds"] for lap in peer.laps) / gigabytes,
            "feed_over_it": statistics.median(b["seconds"] / a["seconds"] for a, b in zip(ours.laps, peer.laps)),
            "feed_over_it_by_cpu": statistics.median(b["cpu_seconds"] / a["cpu_seconds"] for a, b in zip(ours.laps, peer.laps)),
            "goal": GOAL if peer.goal else None,
        })
    return {"batch": args.batch, "rounds": args.rounds, "sample_bytes": sample_bytes, "peers": rows, "machine": machine}


def show(results):
    print(f"Epochs of {results['peers'][0]['samples']} samples in batches of {results['batch']} from the page cache into host memory; "
          f"{results['rounds']} rounds, medians. {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
          f"{versions()}.\n")
    for one_core, title in ((True, "one core"), (False, "all cores")):
        print(f"| {title} | slots | samples/s | min | max | GB/s | CPU s/GB | the feed is faster by | by CPU time | goal | |")
        print("|---|---|---|---|---|---|---|---|---|---|---|")
        for r in results["peers"]:
            if r["one_core"] == one_core:
                ours = r["name"].startswith("the feed")
                met = "" if r["goal"] is None else "met" if r["feed_over_it"] >= r["goal"] else "missed"
                ratios = " | " if ours else f"{r['feed_over_it']:.2f} | {r['feed_over_it_by_cpu']:.2f}"
                print(f"| {r['name']} | {r['slots'] or ''} | {r['samples_per_second']:.0f} | {r['min']:.0f} | {r['max']:.0f} | {r['gb_per_second']:.2f} "
                      f"| {r['cpu_seconds_per_gb']:.3f} | {ratios} | {r['goal'] or ''} | {met} |")
        print()
    print("One slot stays in the cache, and leaves nothing to train with while it is filled; three are the least that do.\n")
    print("The machine in the same rounds:\n\n| | median | min | max |\n|---|---|---|---|")
    for key, title, scale in (("first_touch_gb_per_second", "first touch of memory, GB/s", 1), ("copy_gb_per_second", "copy of memory, GB/s", 1),
                              ("plain_write_gb_per_second", "plain write of 8 MiB, GB/s", 1), ("load", "load, one minute", 1),
                              ("cpu_of_others", "CPU taken by others during laps, % of all cores", 100)):
        if values := [v * scale for v in results["machine"].get(key) or ()]:
            print(f"| {title} | {statistics.median(values):.2f} | {min(values):.2f} | {max(values):.2f} |")


def versions():
    text = ""
    for module in ("numpy", "torch"):
        if importlib.util.find_spec(module):
            text += f", {module} {importlib.metadata.version(module)}"
    return text


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--feed", help="the program bench/feed, which is built where this is not given")
    flags.add_argument("--store", help="measure over this store instead of a new one")
    flags.add_argument("--work", help="keep what is made in this folder, and use what it holds")
    flags.add_argument("--clips", type=int, default=13100, help="of a new store")
    flags.add_argument("--batch", type=int, default=32)
    flags.add_argument("--rounds", type=int, default=7)
    flags.add_argument("--json", action="store_true", help="print one JSON object")
    args = flags.parse_args()
    if importlib.util.find_spec("numpy") is None:
        sys.exit(f"no numpy in {sys.executable}; `make bench-peers` makes an environment that has it")
    work = os.path.abspath(args.work or tempfile.mkdtemp(prefix="voxpack-peers-"))
    try:
        measure(args, work)
    finally:
        if not args.work:
            shutil.rmtree(work)


def measure(args, work):
    program, store, arrays = (os.path.join(work, name) for name in ("feed", "store", "npy"))
    os.makedirs(work, exist_ok=True)
    if args.feed:
        program = os.path.abspath(args.feed)
    else:
        subprocess.run(["go", "build", "-o", program, "./bench/feed"], cwd=MODULE, check=True, env=dict(os.environ, CGO_ENABLED="0"))
    if args.store:
        store = os.path.abspath(args.store)
    elif not os.path.exists(store):
        subprocess.run([program, "-make", store, "-n", str(args.clips)], cwd=MODULE, check=True)
    subprocess.run([program, "-store", store, "-export", arrays], check=True)
    peers = start(args, program, store, arrays)
    machine = rounds(args, peers, program)
    for peer in peers:
        peer.close()
    results = table(args, peers, machine, sample_bytes(arrays))
    if args.json:
        json.dump(results, sys.stdout, indent=2)
        print()
    else:
        show(results)


def sample_bytes(arrays):
    import numpy
    columns = [numpy.load(os.path.join(arrays, name), mmap_mode="r") for name in os.listdir(arrays) if name.endswith(".npy")]
    return sum(c.nbytes // len(c) for c in columns)


if __name__ == "__main__":
    try:
        main()
    except PeerError as why:
        sys.exit(str(why))
