"""The run record of a training: the JSON that voxpack feed leaves too, so that one diagnosis reads both."""

import datetime
import json
import os
import platform
import re
import secrets
import time

import numpy as np

import checkpoint
from monitor import summary, variation

FORMAT = 1  # of the JSON; internal/perf/record.go says when it changes
KIND = "train"
KEEP = 100  # records of this kind in a folder

_NAME = re.compile(r"\d{8}T\d{6}\.\d{3}Z-%s-[0-9a-f]{8}\.json" % KIND)
_COPY = 0.1  # seconds of copying, to have something to compare rates with


def results(course, monitor, ended):
    """What voxpack feed says of a run, of this one; and the loss, the compilations and the framework besides."""
    o, info = course.options, course.dataset.info
    s, stall = summary(monitor.steps), summary(monitor.waits)
    seconds, batches = course.seconds(), course.done
    size = sample_bytes(info.columns)
    stages = [stage(course, monitor, size)]
    busy = stages[0]["work"]["total_ms"] / max(s["total_ms"], 1e-9)
    found = {
        "dataset": info.root, "ended": ended, "samples": batches * o.batch_size, "batches": batches, "epochs": course.epochs(),
        "seconds": seconds, "samples_per_second": batches * o.batch_size / seconds, "bytes_per_second": batches * o.batch_size * size / seconds,
        "first_batch_seconds": course.first_batch,
        "step": dict({k: s[k] for k in ("mean_ms", "std_ms", "min_ms", "max_ms", "p50_ms", "p99_ms")}, variation=variation(s)),
        "stall": {"p50_ms": stall["p50_ms"], "p99_ms": stall["p99_ms"], "fraction": stall["total_ms"] / s["total_ms"] if s["total_ms"] else 0.0},
        "ring": {"depth": course.depth, "grown": 0, "shrunk": 0},
        "memcpy_bytes_per_second": copy_speed(o.batch_size * size), "devices": course.trainer.memory(),
        "cursor": course.position["cursor"] if course.position else None, "epoch_digests": [], "stages": stages,
        "narrowest": {"stage": "consumer", "busy": busy, "wait_in": 1 - busy, "others": 0.0},
        "cache": {"bytes": 0, "size": 0, "host_bytes": 0}, "corrupt": {"deliveries": course.trainer.source.lost, "rows": 0, "ids": [], "mended": 0},
        "findings": [], "advice": [], "notes": course.notes, "warnings": monitor.warnings,
    }
    found["loss"] = course.loss_figures()
    found["compilations"], found["first_step_seconds"] = course.trainer.compilations(), monitor.first
    found["framework"] = "%s %s" % (course.trainer.framework, course.trainer.version)
    found["steps"], found["resumed_at"] = course.step, course.resumed_at
    return found


def stage(course, monitor, size):
    """The account of the trainer, which a feed calls the consumer."""
    o = course.options
    work = [took - wait for took, wait in zip(monitor.steps, monitor.waits)]
    return {"name": "consumer", "items": course.done * o.batch_size, "bytes": course.done * o.batch_size * size,
            "wait_in": summary(monitor.waits), "work": summary(work), "wait_out": summary([])}


def sample_bytes(columns):
    """The bytes of one sample of all columns."""
    width = {"i16": 2, "i32": 4, "f16": 2, "bf16": 2, "f32": 4}
    return sum(width[kind] * int(np.prod(shape, dtype=np.int64)) for kind, shape in columns.values())


def copy_speed(size):
    """Bytes a second that one core copies, in pieces of a given size."""
    source, target = np.ones(size, np.uint8), np.empty(size, np.uint8)
    begun, copied = time.perf_counter(), 0
    while time.perf_counter() - begun < _COPY:
        np.copyto(target, source)
        copied += size
    return copied / (time.perf_counter() - begun)


def host(cores):
    """What about this machine decides how fast it is."""
    found = {"os": platform.system().lower(), "arch": {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine()),
             "cores": cores, "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), "go": "",
             "kernel": platform.release(), "cpu": "", "python": platform.python_version()}
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as f:
            found["cpu"] = next((line.partition(":")[2].strip() for line in f if line.startswith("model name")), "")
    except OSError:
        pass
    return found


def write(folder, version, started, seconds, cores, settings, found):
    """Puts the record into a folder, where the newest of its kind are kept, and gives its path.

    started is a time.time().
    """
    began = datetime.datetime.fromtimestamp(started, datetime.timezone.utc)
    ended = began + datetime.timedelta(seconds=seconds)
    record = {"format": FORMAT, "kind": KIND, "version": version, "started": began.isoformat().replace("+00:00", "Z"), "seconds": seconds,
              "host": host(cores), "settings": settings, "results": found, "stages": found["stages"],
              "calibration": {"memcpy_bytes_per_second": found["memcpy_bytes_per_second"]}, "notes": found["notes"] + found["warnings"]}
    os.makedirs(folder, exist_ok=True)
    name = "%s.%03dZ-%s-%s.json" % (ended.strftime("%Y%m%dT%H%M%S"), ended.microsecond // 1000, KIND, secrets.token_hex(4))
    path = os.path.join(folder, name)
    checkpoint.replace(path, lambda f: f.write(json.dumps(record, indent=2, allow_nan=False).encode() + b"\n"))
    for old in sorted(n for n in os.listdir(folder) if _NAME.fullmatch(n))[:-KEEP]:
        if old != name:
            try:
                os.remove(os.path.join(folder, old))
            except FileNotFoundError:
                pass  # another run removed it
    return path
