#!/usr/bin/env python3
"""Measure compressed clips beside Python: the decoders alone, and whole compiles.

    decoders.py DIR [--clips 2016] [--rounds 5] [--seconds 0.5] [--work DIR] [--json]

DIR holds a metadata.csv and 16-bit mono WAV files of speech in wavs/, as
LJSpeech does. A corpus of so many clips is cut from those that fit 800 frames,
each from another sample on, so that no two are equal, and written as WAV and as
FLAC, MP3, Ogg Vorbis, Opus and AAC in MP4 by flac, lame, oggenc, opusenc and
ffmpeg with their defaults; as FLAC of 48,000 Hz too. Everybody has to resample
that and Opus, which has no other rate.

Decoders: bench/decode (from memory) and soundfile and PyAV (from the page cache)
decode DIR's own clips, one process and one core each, for so many seconds a lap,
by turns. Rates are samples over processor time. AAC has no soundfile.

Compiles: voxpack build beside compile.py with soundfile, which decodes faster
than PyAV (AAC: with PyAV, as soundfile has none), SciPy's mel and .npy files, the
fastest pipeline of compilepart.py; soxr HQ resamples. Two cores, by turns, the order turned over in every other round.
All clips are read before each run. Steady is from the first row to the last file
closed, the rest is start-up. The ratio by processor time tells on a machine that
others use too.

Needs Go, flac, lame, oggenc, opusenc, ffmpeg, and soundfile, SciPy, soxr, inflect, Unidecode and
PyAV (requirements-speech.txt, requirements-resample.txt, requirements-decoders.txt).
"""

import argparse
import glob
import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import wave
from concurrent.futures import ThreadPoolExecutor

import page
import peer
import reference as ref

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE = os.path.dirname(os.path.dirname(HERE))
CORES, FRAMES = 2, 800

ENCODERS = {
    "flac": lambda wav, out: ["flac", "--silent", "--force", wav, "-o", out],
    "mp3": lambda wav, out: ["lame", "--quiet", wav, out],
    "ogg": lambda wav, out: ["oggenc", "--quiet", wav, "-o", out],
    "opus": lambda wav, out: ["opusenc", "--quiet", wav, out],
    "m4a": lambda wav, out: ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-i", wav, "-c:a", "aac", out],
}
# Name of the corpus, title, extension, rate, how many times as fast as the pipeline a compile has to be.
FORMATS = (("wav", "WAV", "wav", ref.RATE, 2.5), ("flac", "FLAC", "flac", ref.RATE, 2.5), ("mp3", "MP3", "mp3", ref.RATE, 2.0),
           ("ogg", "Ogg Vorbis", "ogg", ref.RATE, 2.0), ("flac48", "FLAC, 48 kHz", "flac", 48000, 2.5), ("opus", "Opus", "opus", 48000, 1.2),
           ("m4a", "AAC in MP4", "m4a", ref.RATE, 1.0))
READERS = {"wav": "numpy", "m4a": "av"}  # of the pipeline, by extension; soundfile reads the others
DECODED = {"flac": 1, "mp3": 1, "ogg": 1, "opus": None, "m4a": None}  # extensions of what decoders alone decode, and the goal beside soundfile


def say(text):
    print(text, file=sys.stderr, flush=True)


def write_wav(path, samples, rate):
    with wave.open(path, "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(rate)
        w.writeframes(samples)


def encode(source, folder, extension, cores=CORES):
    """Every WAV file of a folder into another."""
    os.makedirs(folder)

    def one(wav):
        out = os.path.join(folder, os.path.basename(wav)[:-3] + extension)
        subprocess.run(ENCODERS[extension](wav, out), check=True, stderr=subprocess.DEVNULL)
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(one, sorted(glob.glob(os.path.join(source, "*.wav")))))


def make_corpora(source, count, work):
    """The clips in every format, one corpus each."""
    import numpy as np
    import soxr
    rows, clips = [], []
    for name, text in ref.rows(source):
        with wave.open(os.path.join(source, "wavs", name + ".wav")) as w:
            if (w.getnchannels(), w.getsampwidth(), w.getframerate()) != (1, 2, ref.RATE):
                sys.exit(f"{name}: want mono, 16 bits, {ref.RATE} Hz")
            pcm = w.readframes(w.getnframes())
        if len(pcm) // 2 <= (FRAMES - 10) * ref.HOP:
            clips.append((pcm, text))
    plain, fine = (os.path.join(work, name, "wavs") for name in ("wav", "wav48"))
    os.makedirs(plain)
    os.makedirs(fine)
    for i in range(count):
        pcm, text = clips[i % len(clips)]
        pcm = pcm[2 * 37 * (i // len(clips)):]
        name = f"clip-{i:06}"
        rows.append(f"{name}|{text}|{text}\n")
        write_wav(os.path.join(plain, name + ".wav"), pcm, ref.RATE)
        high = soxr.resample(np.frombuffer(pcm, "<i2"), ref.RATE, 48000, quality="HQ")
        write_wav(os.path.join(fine, name + ".wav"), high.astype("<i2").tobytes(), 48000)
    for name, _, extension, rate, _ in FORMATS:
        say(f"writing {count} clips of {name}")
        folder = os.path.join(work, name)
        if extension != "wav":
            encode(plain if rate == ref.RATE else fine, os.path.join(folder, "wavs"), extension)
        with open(os.path.join(folder, "metadata.csv"), "w", encoding="utf-8") as f:
            f.writelines(rows)
    shutil.rmtree(os.path.dirname(fine))


def soundfile_decoder(path):
    import soundfile
    return len(soundfile.read(path, dtype="float32")[0])


def av_decoder(path):
    import av
    import numpy as np
    with av.open(path) as container:
        container.streams.audio[0].thread_type = "NONE"
        return np.concatenate([frame.to_ndarray() for frame in container.decode(audio=0)], axis=1).shape[1]


DECODERS = {"soundfile": soundfile_decoder, "av": av_decoder}


def answer(who, folder):
    """Serves laps of a library by lines, as bench/decode does."""
    paths = sorted(glob.glob(os.path.join(folder, "*")))
    for line in sys.stdin:
        samples, took, cpu, start = 0, 0.0, time.process_time(), time.perf_counter()
        while took < float(line):
            samples += sum(map(DECODERS[who], paths))
            took = time.perf_counter() - start
        print(json.dumps({"samples": samples, "seconds": took, "cpu_seconds": time.process_time() - cpu}), flush=True)


def decoders(args, work, others):
    """Samples a second of processor time, lap by lap, by format and decoder."""
    found = {}
    for name in DECODED:
        folder = os.path.join(work, "clips-" + name)
        encode(os.path.join(args.dir, "wavs"), folder, name)
        peers = {"ours": peer.Peer("bench/decode", [os.path.join(work, "decode"), folder], 1, {"GOMAXPROCS": "1"})}
        for who in DECODERS:
            if importlib.util.find_spec(who) and (who, name) != ("soundfile", "m4a"):
                peers[who] = peer.Peer(who, [sys.executable, os.path.abspath(__file__), folder, "--answer", who], 1, peer.KEEP_MEMORY)
        for n in range(-1, args.rounds):
            for who in list(peers)[::-1 if n % 2 else 1]:
                lap = others.measure(lambda: peers[who].lap(str(args.seconds)))
                if n >= 0:  # the first is for imports and caches
                    found.setdefault(name, {}).setdefault(who, []).append(lap["samples"] / lap["cpu_seconds"])
        for process in peers.values():
            process.close()
        say(f"decoders of {name} done")
    return found


def compile_once(args, work, row, ours):
    """Steady seconds, start-up and processor seconds of one compile; what it wrote is removed."""
    name, _, extension, _, _ = row
    corpus, out = os.path.join(work, name), os.path.join(work, "out")
    for clip in glob.glob(os.path.join(corpus, "wavs", "*")):
        with open(clip, "rb") as f:
            f.read()
    if ours:
        command, env = [os.path.join(work, "voxpack"), "build", corpus, "-o", out, "-q", "--json", "-j", str(CORES)], {}
    else:
        command = [sys.executable, os.path.join(HERE, "compile.py"), "scipy", "npy", corpus, str(args.clips), out, "--workers", str(CORES), "--extension", "." + extension]
        command += ["--reader", READERS.get(extension, "soundfile")]
        env = dict(peer.ONE_THREAD, **peer.KEEP_MEMORY)
    try:
        done = peer.Finished(name, command, CORES, env)
    finally:
        shutil.rmtree(out, ignore_errors=True)
        os.sync()
    clips = done.json["rows"]["kept"] if ours else done.json["clips"]
    if clips != args.clips:
        sys.exit(f"{name}: {clips} clips, want {args.clips}")
    run = {"steady": done.json["seconds"], "wall": done.wall, "cpu": done.cpu, "anonymous": done.anonymous}
    return run, done.cpu


def compiles(args, work, others):
    """Runs by corpus and side."""
    runs = {}
    for n in range(args.rounds):
        for row in FORMATS:
            for ours in (True, False)[::-1 if n % 2 else 1]:
                say(f"round {n + 1} of {args.rounds}: {row[0]}, {'voxpack' if ours else 'Python'}")
                run = others.measure(lambda: compile_once(args, work, row, ours))
                runs.setdefault(row[0], {}).setdefault("ours" if ours else "theirs", []).append(run)
    return runs


def measure(args, work):
    for program, package in (("decode", "bench/decode"), ("voxpack", "cmd/voxpack")):
        subprocess.run(["go", "build", "-trimpath", "-o", os.path.join(work, program), f"./{package}"], cwd=MODULE, check=True, env=dict(os.environ, CGO_ENABLED="0"))
    make_corpora(args.dir, args.clips, work)
    others = peer.Others()
    versions = {name: importlib.metadata.version(name) for name in ("soundfile", "scipy", "numpy", "soxr", "av") if importlib.util.find_spec(name)}
    versions["python"] = platform.python_version()
    load = os.getloadavg()[0]
    return {"clips": args.clips, "rounds": args.rounds, "decoders": decoders(args, work, others), "compiles": compiles(args, work, others),
            "versions": versions, "load": [load, os.getloadavg()[0]], "cpu_of_others": page.median(others.shares or [0.0])}


def ratio(ours, theirs, of):
    """The median of what theirs takes over ours, round by round."""
    return page.median(of(b) / of(a) for a, b in zip(ours, theirs))


def show(results):
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    print(f"{page.machine()}; {results['rounds']} rounds by turns, medians; load {results['load'][0]:.1f} at the beginning, {results['load'][1]:.1f} at the end, "
          f"CPU taken by others {100 * results['cpu_of_others']:.0f} % of all cores; {versions}.\n\nDecoders alone, M samples a second of processor time:\n")
    rows = []
    for name, found in results["decoders"].items():
        over = page.median(a / b for a, b in zip(found["ours"], found["soundfile"])) if "soundfile" in found else 0
        rows.append([name, *(f"{page.median(found[who]) / 1e6:.0f}" if who in found else "" for who in ("ours", "soundfile", "av")), f"{over:.2f}" if over else "", page.verdict(over >= DECODED[name]) if DECODED[name] else ""])
    print("\n".join(page.table(("format", "voxpack", "soundfile (libsndfile)", "PyAV", "voxpack over soundfile", "goal 1"), rows)))
    print(f"Whole compiles of {results['clips']} clips, whole processes on two cores, beside soundfile, SciPy's mel and .npy files (WAV: read by hand, AAC: PyAV):\n")
    rows = []
    for name, title, _, _, goal in FORMATS:
        ours, theirs = (results["compiles"][name][side] for side in ("ours", "theirs"))
        steady, wall, cpu = (ratio(ours, theirs, lambda run: run[key]) for key in ("steady", "wall", "cpu"))
        cells = [f"{results['clips'] / page.median(run['steady'] for run in side):.0f}" for side in (ours, theirs)]
        cells += [f"{1e3 * page.median(run['cpu'] for run in side) / results['clips']:.2f}" for side in (ours, theirs)]
        most = max(run["anonymous"] for run in ours) / 1e6
        rows.append([title, *cells, f"{most:.0f}", f"{steady:.2f}", f"{wall:.2f}", f"{cpu:.2f}", f"{goal:g}", page.verdict(min(steady, wall) >= goal)])
    print("\n".join(page.table(("corpus", "voxpack, clips/s", "Python, clips/s", "voxpack, CPU ms a clip", "Python, CPU ms a clip", "voxpack, anonymous MB",
                                "faster by, steady", "with start-up", "by CPU time", "goal", ""), rows)))


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("dir", metavar="DIR")
    flags.add_argument("--clips", type=int, default=2016)
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--seconds", type=float, default=0.5, help="of a lap at least")
    flags.add_argument("--work", help="folder for corpora and stores, on the disk to be measured (default: TMPDIR)")
    flags.add_argument("--json", action="store_true", help="print one JSON object")
    flags.add_argument("--answer", choices=DECODERS, help=argparse.SUPPRESS)
    args = flags.parse_args()
    args.dir = os.path.abspath(args.dir)
    if args.answer:
        answer(args.answer, args.dir)
        return
    with tempfile.TemporaryDirectory(prefix="voxpack-decoders-", dir=args.work) as work:
        results = measure(args, work)
    if args.json:
        json.dump(results, sys.stdout, indent=2)
        print()
    else:
        show(results)


if __name__ == "__main__":
    main()
