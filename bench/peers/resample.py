#!/usr/bin/env python3
"""Measure the resampler beside soxr: accuracy against VHQ, speed against HQ.

    resample.py DIR [--clips 32] [--rounds 5] [--seconds 0.2] [--json]

DIR holds 16-bit mono WAV files of speech. Whatever rate a file has, its samples
are taken as if they had the source rate, so that speech fills the band up to the
Nyquist frequency, where resamplers differ.

Speed: bench/resample and soxr HQ are processes of their own, pinned to the same
core. In a round each converts all clips, from float32 in memory to float32 in
memory, for so many seconds, one after the other; the medians of the rounds
count, and ratios are taken within a round. soxr is called in two ways, once a
clip as its users do, and through a stream that is kept and cleared for the next
clip, which saves the design of the filter; the goal is held against the faster.
Both return a new array; the memory of the last one is used again for it.

Accuracy: the difference from soxr VHQ (float64) over all clips, after both were
low-passed at 0.9 of the lower Nyquist frequency; its greatest and its root mean
square. The same for soxr HQ stands beside it. For that each clip gets silence
around it, which all of them convert: soxr drops what its filters ring before the
first sample (5e-4 in two samples), and a difference that is cut off where a clip
ends cannot be low-passed.

Needs Go, and NumPy and soxr (requirements-resample.txt) in the Python that runs
this.
"""

import argparse
import glob
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import wave

import numpy as np
import soxr

import peer

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE = os.path.dirname(os.path.dirname(HERE))

RATES = ((44100, 22050), (48000, 22050), (24000, 22050), (16000, 22050), (32000, 22050), (22050, 16000), (22050, 24000), (22050, 44100),
         (22050, 48000), (48000, 24000), (48000, 16000), (96000, 22050), (44100, 16000), (44100, 24000), (44056, 22050), (22051, 22050))
GREATEST, MEAN = 1e-4, 1e-5  # of the difference from VHQ
SILENCE = 1 << 13  # samples before and after a clip


def clips(folder, count):
    """The clips as bench/resample reads them."""
    found = []
    for name in sorted(glob.glob(os.path.join(folder, "*.wav")))[:count]:
        with wave.open(name) as w:
            if (w.getnchannels(), w.getsampwidth()) != (1, 2):
                sys.exit(f"{name}: want mono, 16 bits")
            found.append(np.frombuffer(w.readframes(w.getnframes()), "<i2") * np.float32(1 / 32768))
    if not found:
        sys.exit(f"{folder} has no WAV files")
    return found


def surrounded(loaded, folder):
    """Writes the clips to a folder with silence around them; gives them too."""
    padded = [np.pad(pcm, SILENCE) for pcm in loaded]
    os.mkdir(folder)
    for i, pcm in enumerate(padded):
        with wave.open(os.path.join(folder, f"{i:06}.wav"), "wb") as w:
            w.setnchannels(1)
            w.setsampwidth(2)
            w.setframerate(22050)
            w.writeframes((pcm * 32768).astype("<i2").tobytes())
    return padded


def calls(source, target):
    """The two ways to call soxr HQ."""
    stream = soxr.ResampleStream(source, target, 1, dtype="float32", quality="HQ")

    def kept(pcm):
        out = stream.resample_chunk(pcm, last=True)
        stream.clear()
        return out
    return {"call": lambda pcm: soxr.resample(pcm, source, target, quality="HQ"), "stream": kept}


def answer(folder, count):
    """Serves laps of soxr by lines, as bench/resample does, with the way of the call as the first word."""
    loaded = clips(folder, count)
    for line in sys.stdin:
        way, source, target, seconds = line.split()
        convert = calls(int(source), int(target))[way]
        for pcm in loaded:
            convert(pcm)
        samples, took, cpu, start = 0, 0.0, time.process_time(), time.perf_counter()
        while took < float(seconds):
            for pcm in loaded:
                samples += len(convert(pcm))
            took = time.perf_counter() - start
        print(json.dumps({"samples": samples, "seconds": took, "cpu_seconds": time.process_time() - cpu}), flush=True)


def low_passed(x, rate, lower):
    """x without what is above 0.9 of the Nyquist frequency of another rate, with a slope of a hundredth of it below."""
    spectrum = np.fft.rfft(x, 1 << (len(x) + 4096).bit_length())
    part = np.linspace(0, 1, len(spectrum)) * rate / lower  # of that Nyquist frequency
    spectrum *= 0.5 + 0.5 * np.cos(np.pi * np.clip((part - 0.89) / 0.01, 0, 1))
    return np.fft.irfft(spectrum)[:len(x)]


def differences(ours, loaded, source, target):
    """Of bench/resample's output and of soxr HQ's from soxr VHQ's."""
    greatest, squares, samples, at = [0.0, 0.0], [0.0, 0.0], 0, 0
    for pcm in loaded:
        want = soxr.resample(pcm.astype(np.float64), source, target, quality="VHQ")
        made = -(-len(pcm) * target // source)  # rounded up; soxr rounds to the nearest
        got, hq = ours[at:at + made], soxr.resample(pcm, source, target, quality="HQ")
        at += made
        n = min(made, len(want), len(hq))
        samples += n
        for i, x in enumerate((got, hq)):
            d = low_passed(x[:n] - want[:n], target, min(source, target))
            greatest[i], squares[i] = max(greatest[i], np.abs(d).max()), squares[i] + np.square(d).sum()
    if at != len(ours):
        sys.exit(f"{source} to {target} Hz: {len(ours)} samples, want {at}")
    return [{"max": g, "rms": float(np.sqrt(s / samples))} for g, s in zip(greatest, squares)]


def measure(args, work):
    program = os.path.join(work, "resample")
    subprocess.run(["go", "build", "-o", program, "./bench/resample"], cwd=MODULE, check=True, env=dict(os.environ, CGO_ENABLED="0"))
    folder, count = os.path.abspath(args.dir), str(args.clips)
    loaded = clips(folder, args.clips)
    silent = os.path.join(work, "surrounded")
    padded = surrounded(loaded, silent)
    exact = peer.Peer("bench/resample", [program, "-dir", silent, "-clips", count])
    ours = peer.Peer("bench/resample", [program, "-dir", folder, "-clips", count], 1)
    theirs = peer.Peer("soxr", [sys.executable, os.path.abspath(__file__), folder, "--clips", count, "--answer"], 1, peer.KEEP_MEMORY)
    others, rows = peer.Others(), []
    for source, target in RATES:
        path = os.path.join(work, "out.f32")
        exact.ask(f"write {source} {target} {path}")
        accuracy = differences(np.fromfile(path, "<f4"), padded, source, target)
        laps = {"ours": [], "call": [], "stream": []}
        for n in range(args.rounds):
            for way in laps if n % 2 == 0 else reversed(laps):
                who, verb = (ours, "lap") if way == "ours" else (theirs, way)
                found = others.measure(lambda: who.lap(f"{verb} {source} {target} {args.seconds}"))
                laps[way].append(found["samples"] / found["seconds"])
        rows.append({
            "from": source, "to": target, "ours": accuracy[0], "soxr_hq": accuracy[1],
            "samples_per_second": {way: statistics.median(found) for way, found in laps.items()},
            "ours_over_soxr_hq": statistics.median(a / max(b, c) for a, b, c in zip(*laps.values())),
        })
        print(f"{source} to {target} Hz done", file=sys.stderr, flush=True)
    versions = dict(ours.ask("versions"), soxr=importlib.metadata.version("soxr"), numpy=np.__version__, python=platform.python_version())
    for process in (exact, ours, theirs):
        process.close()
    return {"clips": len(loaded), "rounds": args.rounds, "versions": versions, "cpu_of_others": statistics.median(others.shares or [0.0]), "rows": rows}


def show(results):
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    print(f"{results['clips']} clips of speech, one core, {results['rounds']} rounds, medians; M samples/s are of the output. {platform.machine()}, "
          f"{os.cpu_count()} cores, CPU taken by others {100 * results['cpu_of_others']:.0f} % of all cores; {versions}.\n")
    print("| from Hz | to Hz | M samples/s | soxr HQ | soxr HQ, stream kept | ratio to the faster | goal 1 | from VHQ, max | rms | soxr HQ, max | rms "
          "| goal 1e-4, 1e-5 |\n|---|---|---|---|---|---|---|---|---|---|---|---|")
    for r in results["rows"]:
        speeds = " | ".join(f"{r['samples_per_second'][way] / 1e6:.0f}" for way in ("ours", "call", "stream"))
        fast = "met" if r["ours_over_soxr_hq"] >= 1 else "missed"
        exact = "met" if r["ours"]["max"] <= GREATEST and r["ours"]["rms"] <= MEAN else "missed"
        print(f"| {r['from']} | {r['to']} | {speeds} | {r['ours_over_soxr_hq']:.2f} | {fast} | {r['ours']['max']:.1e} | {r['ours']['rms']:.1e} "
              f"| {r['soxr_hq']['max']:.1e} | {r['soxr_hq']['rms']:.1e} | {exact} |")


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("dir", metavar="DIR")
    flags.add_argument("--clips", type=int, default=32)
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--seconds", type=float, default=0.2, help="of a lap at least")
    flags.add_argument("--json", action="store_true", help="print one JSON object")
    flags.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    args = flags.parse_args()
    if args.answer:
        answer(args.dir, args.clips)
        return
    with tempfile.TemporaryDirectory(prefix="voxpack-resample-") as work:
        results = measure(args, work)
    if args.json:
        json.dump(results, sys.stdout, indent=2)
        print()
    else:
        show(results)


if __name__ == "__main__":
    main()
