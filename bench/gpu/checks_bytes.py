"""Checks of what arrives: the right GPU, the right bytes, a timeline that holds together."""

import json
import os

import nvidia
from process import ProcessError
from session import BATCH, MB, Findings, Skip


def check_open(s):
    """the driver's names resolve, and voxpack means the GPU that the driver, NVML, nvidia-smi and torch mean"""
    report = s.feed("--steps", s.quick(100, 10), "--step-ms", 5)
    told = report.json["devices"][0]
    says, wrong = {}, Findings()
    if s.gpu is not None:
        says["the driver"] = s.gpu["name"]
        bus = told.get("bus", s.gpu["bus"])
        wrong.want(bus == s.gpu["bus"], f"voxpack's bus is {bus}, the driver's {s.gpu['bus']}")
    if s.nvml is not None:
        says["NVML"] = s.nvml.name()
        compare_nvml(s, told, report.json["notes"], wrong)
        smi = nvidia.nvidia_smi(s.gpu["bus"])
        if smi:
            says["nvidia-smi"] = smi["name"]
            wrong.want(smi["mib"] == s.nvml.memory().total >> 20, f"nvidia-smi has {smi['mib']} MiB, NVML {s.nvml.memory().total >> 20}")
    for who, name in says.items():
        wrong.want(name == told["name"], f"{who} says {name}")
    s.judge("", f"{told['name']}; the same from {', '.join(says) or 'nobody else'}", wrong)
    with s.part("torch"):
        info = s.torch().ask(s.seconds(90), what="info")
        wrong = Findings()
        for what in ("name", "memory", "bus"):
            wrong.want(info[what] in (None, s.gpu[what]), f"the driver's {what} is {s.gpu[what]}")
        s.judge("torch", f"torch {info['version']}: {info['name']}, {info['memory']} B, bus {info['bus'] or 'not told'}", wrong)


def compare_nvml(s, told, notes, wrong):
    total = s.nvml.memory().total
    # NVML counts what the driver keeps for itself too: a part of a percent.
    wrong.want(0.95 * total <= s.gpu["memory"] <= total, f"NVML has {total} B, the driver {s.gpu['memory']} B")
    if told["memory_mb"] is None:
        wrong.append("voxpack did not find its GPU in NVML: " + ("; ".join(notes) or "no note says why"))
    else:
        wrong.want(told["taken_mb"] <= told["memory_mb"] <= total / MB,
                   f"{told['memory_mb']:.0f} MB in use with {told['taken_mb']:.0f} MB taken of {total / MB:.0f} MB")


def check_digest(s):
    """every byte on the device is the right one: BLAKE3 over what was copied back equals that of the same epochs on the host"""
    course = ("--digest", "--tail", "pad", "--seed", 7, "--epochs", 3)
    want = s.feed(*course, "--batch-size", BATCH, device="host").json["epoch_digests"]
    if len(set(want)) != 3:
        raise ProcessError(f"three epochs of the host have the digests {want}")

    def compare(part, *flags, **where):
        with s.part(part):
            got = s.feed(*course, *flags, **where).json
            wrong = Findings()
            for n, digest in enumerate(want):
                wrong.want(got["epoch_digests"][n:n + 1] == [digest], f"epoch {n} differs")
            s.judge(part, f"{len(want)} epochs of {s.rows} samples, {want[0][:12]}… {want[1][:12]}… {want[2][:12]}…", wrong)

    compare("direct", "--batch-size", BATCH, "--cache", "off")
    compare("direct, batches of 7", "--batch-size", 7, "--cache", "off")
    compare("gathered from the cache", "--batch-size", BATCH, "--cache", "on")
    # Both roles on one GPU are the same copies and states, without a second GPU.
    for model in range(min(2, s.gpus)):
        where = {"mode": "dual", "data_gpu": 0, "model_gpu": model}
        compare(f"dual, GPU 0 to {model}", "--batch-size", BATCH, "--cache", "off", **where)
        compare(f"dual, GPU 0 to {model}, cache", "--batch-size", BATCH, "--cache", "on", **where)


# The format's phases that voxpack writes, and the keys that each must have.
PHASES = {"M": {"pid", "tid", "args"}, "X": {"pid", "tid", "ts", "dur"}, "C": {"pid", "tid", "ts", "args"}, "i": {"pid", "tid", "ts", "s"}}


def check_trace(s):
    """the timeline holds to the trace-event format, and copies lie inside the trainer's steps"""
    path = os.path.join(s.work, "trace.json")
    steps = s.quick(300, 60)
    s.feed("--batch-size", BATCH, "--steps", steps, "--step-ms", 5, "--cache", "off", "--trace", path)
    with open(path, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    wrong, rows, named = Findings(), {}, {}
    for n, event in enumerate(events):
        missing = PHASES.get(event.get("ph"), {"a known ph"}) - event.keys()
        wrong.want(not missing, f"event {n} has no {', '.join(sorted(missing))}")
        if event.get("ph") == "M" and event["name"] == "thread_name":
            named[event["pid"], event["tid"]] = event["args"]["name"]
        if event.get("ph") == "X" and not missing:
            rows.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"], event["name"]))
    spans = {named.get(key): sorted(found) for key, found in rows.items()}
    for row, found in spans.items():
        for a, b in zip(found, found[1:]):
            wrong.want(b[0] >= a[1] - 0.0015, f"{row} has two events at {b[0]} µs")  # times are written to the ns
    copies = [(a, b) for row, found in spans.items() if row and row.startswith("host to GPU") for a, b, name in found if name == "copy"]
    trains = [(a, b) for a, b, name in spans.get("steps", []) if name == "train"]
    wrong.want(len(copies) >= steps and len(trains) >= steps - 1, f"{len(copies)} copies and {len(trains)} steps of {steps}")
    s.judge("format", f"{len(events)} events on {len(spans)} rows", wrong)
    if not copies or not trains:
        return
    # Copies before the first step have no step to hide in.
    later = [(a, b) for a, b in copies if a >= trains[0][0]]
    hidden = sum(overlap(copy, trains) for copy in later) / max(1e-9, sum(b - a for a, b in later))
    s.goal("overlap", f"{100 * hidden:.1f} % of the time of {len(later)} copies is inside steps", hidden >= 0.95, "95 %")


def overlap(span, others):
    return sum(max(0, min(span[1], b) - max(span[0], a)) for a, b in others)


def check_cache(s):
    """with the cache on the GPU, nothing crosses from the host behind the first epoch"""
    epochs = s.quick(40, 4)
    course = ("--batch-size", BATCH, "--tail", "pad")
    off = s.feed(*course, "--cache", "off", "--epochs", epochs)
    on = s.feed(*course, "--cache", "on", "--epochs", epochs)
    held, size = on.json["cache"]["bytes"], on.json["cache"]["size"]
    per_row = sum(width(column) for column in s.schema)
    wrong = Findings()
    wrong.want(s.rows * per_row <= held <= size, f"{s.rows * per_row / MB:.0f} MB would be all")
    s.judge("filled", f"{held / MB:.0f} of {size / MB:.0f} MB for {s.rows} rows of {per_row} B", wrong)
    batch = off.copy_bytes()  # with the cache the stage counts only what crosses
    gather, copy = (batch / r.link()["work"]["p50_ms"] / 1e6 for r in (on, off))
    s.measured("rate", f"a batch is gathered at {gather:.1f} GB/s, copied from the host at {copy:.1f} GB/s; "
          f"{on.json['samples_per_second']:.0f} and {off.json['samples_per_second']:.0f} samples/s")
    with s.part("host bytes"):
        host_bytes(s, on, off, course)


def host_bytes(s, on, off, course):
    """By the feed's own count, if it has one, else by the GPU's counter of its link."""
    crossed = on.json["cache"].get("host_bytes")
    if crossed is not None:
        epoch = off.link()["bytes"] / off.json["epochs"]
        wrong = Findings()
        wrong.want(crossed <= epoch, "more than the first epoch crossed")
        s.judge("host bytes", f"{crossed / MB:.1f} MB crossed in {on.json['epochs']} epochs of {epoch / MB:.1f} MB", wrong)
        return
    if s.nvml is None or s.nvml.received() is None:
        raise Skip("the feed counts no bytes from the host, and nothing counts what the link carries")
    off, on = (link_load(s, course, cache) for cache in ("off", "on"))
    if off < 0.1 * s.copy_bytes / 1e-3:  # a batch a millisecond crosses there
        raise Skip(f"the counter of the link does not show what is copied: {off / MB:.1f} MB/s")
    s.goal("host bytes", f"the link carries {on / MB:.1f} MB/s with the cache, {off / MB:.0f} MB/s without", on <= 0.01 * off, "1 % of it")


def link_load(s, course, cache):
    """What the GPU's link receives in the middle of a feed, the median of some samples, in bytes a second."""
    ids = os.path.join(s.work, f"ids-{cache}")
    process = s.start(*course, "--cache", cache, "--epochs", 0, "--step-ms", 1, "--ids", ids)
    try:
        s.delivered(process, ids, 3 * s.rows)
        samples = sorted(s.nvml.received() for _ in range(21))
    finally:
        s.interrupt(process)
    return samples[10]


def width(column):
    size = {"i32": 4, "f32": 4, "f16": 2, "bf16": 2}[column["dtype"]]
    for n in column["shape"]:
        size *= n
    return size
