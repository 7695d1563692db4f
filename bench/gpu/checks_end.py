"""Checks of memory and of ends: limits, kills, what a context costs, a long run."""

import os
import shutil
import signal
import statistics
import subprocess
import time

from process import ProcessError
from session import BATCH, GIVEN_BACK, MB, Findings, Skip

BATCHES = (8, 16, 24, 32, 48)
LIMITS = (24000, 16000, 12000, 64, 20, 8, 4)  # MB


def check_limits(s):
    """memory limits hold: what fits runs, with fewer slots if need be, and what does not is refused with a hint; all is given back"""
    s.end_pieces()
    start = s.used() if s.nvml else None
    slot = {}
    batches, limits = s.quick(BATCHES, (8, 32, 48)), s.quick(LIMITS, (24000, 20, 8))
    for batch in batches:
        report = s.feed("--batch-size", batch, "--steps", 8, "--cache", "off")
        slot[batch] = report.json["devices"][0]["taken_mb"] / 3  # one is copied to, one is ready, one is in use
    for limit in limits:
        with s.part(f"{limit} MB"):
            sweep(s, limit, slot)
    with s.part("dual, 20 MB each"):
        wrong = Findings()
        figure = cached(s, 20, wrong, "--data-gpu-memory", 20, "--model-gpu-memory", 20, mode="dual", model_gpu=min(1, s.gpus - 1))
        s.judge("dual, 20 MB each", figure, wrong)
    with s.part("given back"):
        if start is None:
            raise Skip(s.no_nvml)
        s.context()  # else nothing can be seen
        end, wrong = s.used(), Findings()
        wrong.want(end <= start + GIVEN_BACK, "not all was given back")
        s.judge("given back", f"{start / MB:.0f} MB in use before, {end / MB:.0f} MB after all these feeds", wrong)
    with s.part("a full GPU"):
        try:
            full_gpu(s)
        finally:
            s.end_pieces()


def sweep(s, limit, slot):
    """One limit over all batches."""
    wrong, held, first = Findings(), [], None
    for batch in slot:
        report = s.start("--batch-size", batch, "--steps", 8, "--cache", "off", "--model-gpu-memory", limit).wait(s.seconds(60))
        fits = report.code == 0
        wrong.want(fits == (slot[batch] <= limit), f"batch {batch} of {slot[batch]:.1f} MB ended with {report.code}")
        if fits:
            taken = report.json["devices"][0]["taken_mb"]
            wrong.want(taken <= limit, f"batch {batch} takes {taken:.1f} MB")
            held.append(f"{batch} in {taken / slot[batch]:.0f} slots")
        elif first is None:
            first = f"batch {batch} no longer fits: {report.last()}"
            wrong.want(report.code == 3 and "--model-gpu-memory" in report.last(), f"batch {batch} ended with {report.code} and {report.last()!r}")
    if held:
        held.append(cached(s, limit, wrong, "--model-gpu-memory", limit))
    s.judge(f"{limit} MB", f"{', '.join(held) or 'none'}; {first or 'all fit'}", wrong)


def cached(s, limit, wrong, *flags, **where):
    """The smallest batch with a cache, which takes what the limit leaves."""
    report = s.feed("--batch-size", min(BATCHES), "--steps", 8, "--cache", "on", *flags, **where).json
    taken = [device["taken_mb"] for device in report["devices"]]
    wrong.want(max(taken) <= limit, f"with the cache it takes {max(taken):.1f} MB")
    return f"with a cache of {report['cache']['size'] / MB:.0f} MB {' and '.join(f'{mb:.0f}' for mb in taken)} MB in all"


# Of what is free, a feed leaves so much to others: reserve in gpufeed/device.go.
RESERVE = 512 << 20


def full_gpu(s):
    """Another process has nearly all memory: a feed that finds none says so, one that finds little makes do."""
    context = int(s.context())
    wrong, figures = Findings(), []
    # Room for two slots, for none, and not even for a context.
    for leave, code in ((context + RESERVE + 20_000_000, 0), (context + RESERVE // 2, 3), (context // 2, 3)):
        free = s.raw().ask(s.seconds(60), what="fill", leave=leave)["free"]
        if not figures:
            other = s.piece("raw.py", "another")
            seen = other.ask(s.seconds(60), what="look")["free"]
            s.end_piece("another")
            if seen > free:
                raise Skip(f"what one process takes, another still has: {free / MB:.0f} and {seen / MB:.0f} MB free")
        report = s.start("--batch-size", BATCH, "--steps", 8, "--cache", "off").wait(s.seconds(60))
        said = report.last() if report.code else "; ".join(report.json["notes"]) or "runs in 3 slots"
        wrong.want(report.code == code, f"with {free / MB:.0f} MB free it ended with {report.code}")
        wrong.want(report.code == 0 or "out of memory" in said.lower().replace("_", " "), f"with {free / MB:.0f} MB free it says {said!r}")
        figures.append(f"{free / MB:.0f} MB free: {said}")
    s.judge("a full GPU", "; ".join(figures), wrong)


def check_kill(s):
    """a feed that is killed, or interrupted, leaves nothing on the GPU"""
    s.end_pieces()
    # One that hashes is slower than its link: it never waits for a batch.
    for part, number, how in (("kill -9", signal.SIGKILL, ("--step-ms", 2)), ("Ctrl-C", signal.SIGINT, ("--step-ms", 2)),
                              ("Ctrl-C while hashing", signal.SIGINT, ("--digest",))):
        with s.part(part):
            ended(s, part, number, how)


def ended(s, part, number, how):
    """Ends a feed in the middle of its work, and watches the GPU's memory."""
    start = s.used() if s.nvml else None
    ids = os.path.join(s.work, "ids-" + part.replace(" ", "-"))
    process = s.start("--batch-size", BATCH, "--epochs", 0, "--ids", ids, *how)
    s.delivered(process, ids, 50 * BATCH)
    during = s.nvml.used() if s.nvml else None
    sent, back = time.monotonic(), None
    process.signal(number)
    while (process.running() or s.nvml and back is None) and time.monotonic() < sent + 5:
        if s.nvml and back is None and s.nvml.used() <= start + GIVEN_BACK:
            back = time.monotonic() - sent
        time.sleep(0.001)
    report = process.wait(s.seconds(60))
    took = process.ended - sent
    figure, wrong = "exit code " + str(report.code), Findings()
    if number == signal.SIGINT:
        wrong.want(report.code == 130, f"exit code {report.code}")
        wrong.want((report.json or {}).get("ended") == "interrupted", "no report was printed")
    if s.nvml is None:
        figure += f"; whether memory came back is not seen: {s.no_nvml}"
    elif during <= start + GIVEN_BACK:
        figure += "; whether memory came back is not seen: NVML shows no use of it while the feed runs"
    else:
        wrong.want(back is not None, "its memory was not given back within 5 s")
        took = max(took, back or 0)
        figure += f"; {during / MB:.0f} MB in use, {start / MB:.0f} MB before and {1000 * (back or 5):.0f} ms after the signal"
    s.judge(part, figure, wrong)
    s.goal(f"{part}, in time", f"{1000 * took:.0f} ms", took < 1, "1 s")


def check_context(s):
    """what a process that feeds costs on the GPU besides its slots"""
    s.measured("", f"{s.context() / MB:.0f} MB beside {s.footprint[2] / MB:.0f} MB of slots")


def check_sanitizer(s):
    """no call is refused, no access is wrong and no device memory is left, by NVIDIA's own checker"""
    program = shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path="/usr/local/cuda/bin")
    if program is None:
        raise Skip("compute-sanitizer is not installed")
    s.end_pieces()
    command = [program, "--tool", "memcheck", "--leak-check", "full", *s.flags("--batch-size", BATCH, "--steps", 200, "--cache", "on")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=s.seconds(120))
    said = done.stdout + done.stderr
    summary = [line.strip("= ") for line in said.splitlines() if "ERROR SUMMARY" in line]
    refused = [line.strip("= ") for line in said.splitlines() if "not supported" in line.lower()]
    if refused or not summary:
        raise Skip("compute-sanitizer does not run here: " + (refused or said.strip().splitlines()[-1:] or ["it says nothing"])[0])
    wrong = Findings()
    wrong.want(done.returncode == 0, f"it ended with {done.returncode}")
    wrong.want(" 0 errors" in summary[0], next((line.strip("= ") for line in said.splitlines() if line.startswith("=========")), ""))
    s.judge("", f"200 batches, cache included: {summary[0]}", wrong)


def check_long(s):
    """memory stays flat and every epoch the same over many, where the order is asked to be"""
    s.end_pieces()
    course = ("--batch-size", BATCH, "--shuffle", "none", "--digest")
    want = s.feed(*course, device="host").json["epoch_digests"][0]
    ids, samples = os.path.join(s.work, "ids-long"), []
    process = s.start(*course, "--cache", "off", "--epochs", 0, "--ids", ids)
    s.delivered(process, ids, 3 * s.rows)  # from then on every slot has been used
    until = time.monotonic() + s.seconds(s.args.long)
    while time.monotonic() < until and process.running():
        time.sleep(min(0.5, s.args.long / 20))
        samples.append((memory_of(process.pid), s.nvml.used() if s.nvml else 0))
    report = s.interrupt(process)
    if report.code != 130:
        raise ProcessError(f"the feed ended with {report.code}: {report.last()}")
    digests = report.json["epoch_digests"][:-1]  # the last epoch was cut short
    wrong = Findings()
    wrong.want(digests, "not one epoch came to its end")
    wrong.want(set(digests) <= {want}, f"{sum(d != want for d in digests)} epochs differ from the host's")
    wrong.want(report.json["corrupt"]["deliveries"] == 0, "corrupt samples")
    s.judge("content", f"{len(digests)} epochs, {report.link()['bytes'] / 1e9:.1f} GB in {report.json['seconds']:.0f} s, each copied back and hashed", wrong)
    quarter = len(samples) // 4
    if quarter < 2:
        raise Skip("too short to see whether memory grows")
    grows = s.quick(8, 64) * MB  # the collector's: its heap moves by some MB, and settles in some seconds
    figures, wrong = [], Findings()
    for key in samples[-1][0]:
        compare_ends(key, [mem.get(key, 0) for mem, _ in samples if mem], grows, figures, wrong)
    if s.nvml:
        compare_ends("GPU", [used for _, used in samples], grows, figures, wrong)
    s.judge("memory", "; ".join(figures), wrong)


def compare_ends(name, values, grows, figures, wrong):
    """The second quarter of a run against its last."""
    quarter = len(values) // 4
    early, late = statistics.median(values[quarter:2 * quarter]), statistics.median(values[-quarter:])
    figures.append(f"{name} {early / MB:.1f} then {late / MB:.1f} MB")
    wrong.want(late <= early + grows, f"{name} grew")


def memory_of(pid):
    """Bytes of a process by kind: anonymous and shared (the ring) memory; mapped files are the page cache's. {} once it has ended."""
    kinds = {"RssAnon": "anonymous", "RssShmem": "shared", "VmPin": "pinned", "VmLck": "locked"}
    try:
        with open(f"/proc/{pid}/status") as f:
            fields = dict(line.split(":", 1) for line in f)
    except (OSError, ProcessLookupError):
        return {}
    found = {name: int(fields[key].split()[0]) << 10 for key, name in kinds.items() if key in fields}
    if "anonymous" not in found and "VmRSS" in fields:  # a kernel that tells no kinds
        found["resident"] = int(fields["VmRSS"].split()[0]) << 10
    return found
