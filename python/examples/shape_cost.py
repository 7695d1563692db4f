"""What shapes cost: python shape_cost.py STORE [BATCH [EPOCHS]] prints samples/s of `voxpack feed --device host` and of
ds.torch() with layout, trim and wide tokens, by turns; medians of five turns after one that is not counted.
"""

import json
import statistics
import subprocess
import sys
import time

from voxpack import Dataset
from voxpack.feeder import binary

TURNS = 5
WAYS = {
    "ds.torch()": {},
    'layout="bct"': {"layout": "bct"},
    "trim=True": {"trim": True},
    'tokens="int64"': {"tokens": "int64"},
    "all three": {"layout": "bct", "trim": True, "tokens": "int64"},
}


def feed(store, batch, epochs):
    """Without checksums, which the loops have behind them by then."""
    command = [binary(None), "feed", store, "--device", "host", "--batch-size", str(batch), "--epochs", str(epochs), "--checksums", "off", "--record", "none", "--json"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)["samples_per_second"]


def loop(ds, epochs):
    samples = took = 0
    for _ in ds.torch():  # an epoch that compares checksums and brings pages
        pass
    for _ in range(epochs):
        batches = iter(ds.torch())
        next(batches)  # the head start of what was prepared meanwhile, and the begin of an epoch
        begun = time.perf_counter()
        for batch in batches:
            samples += len(batch.rows)
        took += time.perf_counter() - begun
    return samples / took


def main(store, batch=32, epochs=10):
    batch, epochs = int(batch), int(epochs)
    speeds = {"voxpack feed --device host": []}
    for turn in range(1 + TURNS):
        got = {"voxpack feed --device host": feed(store, batch, epochs)}
        for name, wanted in WAYS.items():
            with Dataset(store, batch_size=batch, seed=0, **wanted) as ds:  # one at a time: the others would prepare batches meanwhile
                got[name] = loop(ds, epochs)
        for name, speed in got.items():
            speeds.setdefault(name, []).extend([speed] if turn else [])
    plain, fed = statistics.median(speeds["ds.torch()"]), statistics.median(speeds["voxpack feed --device host"])
    print("%-28s %9s %9s %9s %8s %8s" % ("samples/s", "median", "least", "most", "of feed", "of torch"))
    for name, turns in speeds.items():
        middle = statistics.median(turns)
        print("%-28s %9.0f %9.0f %9.0f %8.3f %8.3f" % (name, middle, min(turns), max(turns), middle / fed, middle / plain))


if __name__ == "__main__":
    main(*sys.argv[1:])
