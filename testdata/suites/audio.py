#!/usr/bin/env python3
"""audio: every recording of other people's suites, decoded here and by libsndfile (with mpg123, libFLAC and libvorbis) and
ffmpeg. Run by make suites.

A file is the same if one of them, or the PCM that lies beside it, gives as many samples with the same values. A rejection
is right if libsndfile does not read the file either: ffmpeg goes on where a recording is damaged. Everything else needs a row in audio_reasons.tsv with its reason, or the
run fails.
"""

import csv
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys

import numpy
import soundfile

import sources

WANTED = re.compile(r"\.(wav|flac|ogg|oga|mp3|mp2|mp1|bit|mpg|mpga|opus|aiff?|aifc|sph)$", re.I)
COLUMNS = ["same", "differ", "rejected rightly", "rejected by rule", "rejected wrongly", "for ffmpeg"]
# What the PCM beside a file may lose at 16 bits, and float32 in another order of sums.
LOSSY, LOSSLESS = 4e-5, 1e-7
OPUS = 2e-2  # libopus computes SILK in integers; see opus.py for a measure of its own


def decoded(paths):
    """What voxpack makes of each file: the line that decode/main.go prints, and the samples."""
    program = sources.OUT / "decode"
    subprocess.run(["go", "build", "-o", program, "./testdata/suites/decode"], cwd=sources.ROOT, check=True)
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for path in paths:
            process.stdin.write(f"{path}\n".encode())
            process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                sys.exit(f"{path}: decode ended")
            said = json.loads(line)
            yield said, numpy.frombuffer(process.stdout.read(4 * said["samples"]), "<f4").astype("f8")
        process.stdin.close()


def blocks(f):
    while len(block := f.read(1 << 16, dtype="float64", always_2d=True)):
        yield block.mean(1)


def others(path, channels):
    """The mean of the channels as each other decoder has it, by its name."""
    try:
        with soundfile.SoundFile(path) as f:  # in pieces: of a damaged header it believes any length
            channels = f.channels
            pieces = list(blocks(f))
    except (soundfile.LibsndfileError, RuntimeError):
        pieces = []
    if pieces:
        yield "libsndfile", numpy.concatenate(pieces)
    pcm = path.with_suffix(".pcm")
    if pcm.is_file() and channels and pcm.stat().st_size:
        yield "its PCM", numpy.fromfile(pcm, "<i2").reshape(-1, channels).mean(1) / 32768
    if shutil.which("ffmpeg"):
        run = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:a:0", "-f", "au", "-c:a", "pcm_f32be", "-"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if len(run.stdout) > 24 and not run.stderr:
            head = numpy.frombuffer(run.stdout[:24], ">u4")
            body = run.stdout[head[1]:]
            width = 4 * int(head[5])
            samples = numpy.frombuffer(body[: len(body) // width * width], ">f4").astype("f8").reshape(-1, head[5])
            yield "ffmpeg", samples.mean(1)


def distance(ours, theirs, near):
    """Nothing if they are the same, else what differs."""
    if len(ours) != len(theirs):
        return f"{len(ours):,} samples for {len(theirs):,}"
    # Others clip to 16 bits, or not at all.
    most = numpy.abs(numpy.clip(ours, -1, 1) - numpy.clip(theirs, -1, 1)).max() if len(ours) else 0
    return "" if most <= near else f"by {most:.2g}"


def reasons():
    with open(sources.HERE / "audio_reasons.tsv", encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t"))


def verdict(said, ours, path):
    """The column of a file, and what is to be said of it."""
    if said["kind"] == "foreign":
        return "for ffmpeg", ""
    near = LOSSLESS if said["format"] in ("wav", "flac", "aiff", "sphere", "oggflac") else OPUS if said["format"] == "opus" else LOSSY
    found = []
    for name, theirs in others(path, said["channels"]):
        if said["error"] and name == "libsndfile":
            return "rejected wrongly", f"{said['error']} ({name} reads {len(theirs):,} samples)"
        different = distance(ours, theirs, near)
        if not different:
            return "same", ""
        found.append(f"{name}: {different}")
    if said["error"]:
        return "rejected rightly", said["error"]
    return "differ", "; ".join(found) or "no other decoder reads it"


def main():
    silence = os.open(os.devnull, os.O_WRONLY)  # libmpg123 writes what it meets there
    stderr = os.fdopen(os.dup(2), "w")
    os.dup2(silence, 2)
    known, used = reasons(), {}
    failed, table = [], []
    for source in sources.sources("audio"):
        paths, missing = sources.files(source, lambda path: WANTED.search(path) or path.endswith(".pcm"))
        paths = [path for path in paths if path.suffix != ".pcm"]
        counts = dict.fromkeys(COLUMNS, 0)
        for path, (said, ours) in zip(paths, decoded(paths)):
            name = f"{source['name']}/{path.relative_to(sources.OUT / source['name'])}"
            column, text = verdict(said, ours, path)
            if column in ("differ", "rejected wrongly"):
                kind = said["kind"] or "differs"
                row = next((r for r in known if r["kind"] == kind and fnmatch.fnmatchcase(name, r["files"])), None)
                if row is None:
                    failed.append(f"{name}: {column} ({kind}): {text}")
                else:
                    used[row["reason"]] = used.get(row["reason"], 0) + 1
                    column = "differ" if column == "differ" else "rejected by rule"
            counts[column] += 1
            if "-v" in sys.argv:
                print(f"{column}\t{name}\t{text}", flush=True)
        table.append([f"[{source['name']}]({source['address']})", len(paths), *counts.values(), missing or ""])
    sums = [sum(row[i] or 0 for row in table) for i in range(1, len(COLUMNS) + 3)]
    rows = [["suite", "files", *COLUMNS, "not stored"], ["---", *["---:"] * (len(COLUMNS) + 2)], *table, ["all", *sums]]
    text = "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)
    version = f"libsndfile {soundfile.__libsndfile_version__}"
    notes = [["why", "files", "reason"], ["---", "---:", "---"]]
    for row in known:
        if row["reason"] in used:
            notes.append([row["kind"], used.pop(row["reason"]), row["reason"]])
    notes = "\n".join("| " + " | ".join(map(str, row)) + " |" for row in notes)
    sources.keep("audio", f"Beside {version} and ffmpeg:\n\n{text}\n\nWhat differs, and what is rejected by rule:\n\n{notes}")
    for line in failed:
        print(line, file=stderr)
    sys.exit(bool(failed))


main()
