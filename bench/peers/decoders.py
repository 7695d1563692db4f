#!/usr/bin/env python3
"""Measure compressed clips beside Python: the decoders alone, and whole compiles.

    decoders.py DIR [--clips 2016] [--rounds 5] [--seconds 0.5] [--only decoders,flac,...] [--work DIR] [--out PAGE] [--json]

DIR holds a metadata.csv and 16-bit mono WAV files of speech in wavs/, as
LJSpeech does. A corpus of so many clips is cut from those that fit 800 frames,
each from another sample on, so that no two are equal, and written as WAV and as
FLAC, MP3, Ogg Vorbis, Opus and AAC in MP4 by flac, lame, oggenc, opusenc and
ffmpeg with their defaults; as FLAC of 48,000 Hz too. Everybody has to resample
that and Opus, which has no other rate.

Decoders: bench/decode (from memory) and soundfile and PyAV (from the page cache)
decode DIR's own clips, one process and one core each, for so many seconds a lap,
by turns. Rates are samples over processor time. AAC has no soundfile.

Compiles: voxpack build beside compile.py with the faster of soundfile and PyAV
(Opus and AAC: PyAV; soundfile has no AAC), SciPy's mel and .npy files, the
fastest pipeline of compilepart.py; soxr HQ resamples. Two cores, by turns, the order turned over in every other round.
All clips are read before each run. Steady is from the first row to the last file
closed, the rest is start-up. The ratio by processor time tells on a machine that
others use too.

--only measures parts: decoders, or corpora by name (wav, flac, mp3, ogg, flac48, opus, m4a);
`none` makes what is missing of the corpora and measures nothing. With --work, a folder, corpora and results of a
run stay there, so that a later run finds the corpora made and shows the parts that it did not measure as
they were; each says when it was measured and what the machine was doing. --out puts
the section into a page in the place of the old one.

Needs Go, flac, lame, oggenc, opusenc, ffmpeg, and soundfile, SciPy, soxr, inflect, Unidecode and
PyAV (requirements-speech.txt, requirements-resample.txt, requirements-decoders.txt).
"""

import argparse
import datetime
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
READERS = {"wav": "numpy", "opus": "av", "m4a": "av"}  # of the pipeline, by extension; soundfile reads the others
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


def make_corpora(source, count, work, names):
    """The clips in the named formats, one corpus each; a corpus that is there is taken as it is."""
    wanted = [row for row in FORMATS if row[0] in names and not os.path.exists(os.path.join(work, row[0], "metadata.csv"))]
    if not wanted:
        return
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
    with tempfile.TemporaryDirectory(prefix="sources-", dir=work) as sources:
        plain, fine = (os.path.join(sources, rate) for rate in ("plain", "fine"))
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
        for name, _, extension, rate, _ in wanted:
            say(f"writing {count} clips of {name}")
            folder = os.path.join(work, name)
            shutil.rmtree(folder, ignore_errors=True)  # one that was not finished
            if extension == "wav":
                shutil.copytree(plain, os.path.join(folder, "wavs"))
            else:
                encode(plain if rate == ref.RATE else fine, os.path.join(folder, "wavs"), extension)
            with open(os.path.join(folder, "metadata.csv"), "w", encoding="utf-8") as f:
                f.writelines(rows)
    os.sync()


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
        shutil.rmtree(folder, ignore_errors=True)
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


def compiles(args, work, others, rows):
    """Runs by corpus and side."""
    runs = {}
    for n in range(args.rounds):
        for row in rows:
            for ours in (True, False)[::-1 if n % 2 else 1]:
                say(f"round {n + 1} of {args.rounds}: {row[0]}, {'voxpack' if ours else 'Python'}")
                run = others.measure(lambda: compile_once(args, work, row, ours))
                runs.setdefault(row[0], {}).setdefault("ours" if ours else "theirs", []).append(run)
    return runs


def measure(args, work):
    """What was measured, by part, after the results that the folder had."""
    kept = os.path.join(work, "results.json")
    results = {}
    if os.path.exists(kept):
        with open(kept, encoding="utf-8") as f:
            results = json.load(f)
    rows = [row for row in FORMATS if args.only == ["none"] or row[0] in args.only]
    make_corpora(args.dir, args.clips, work, [row[0] for row in rows])
    for name in (row[0] for row in rows):
        if (n := len(ref.rows(os.path.join(work, name)))) != args.clips:
            sys.exit(f"{os.path.join(work, name)}: {n} clips; want {args.clips}: remove the folder, or ask for --clips {n}")
    if args.only == ["none"]:
        return results
    for program, package in (("decode", "bench/decode"), ("voxpack", "cmd/voxpack")):
        subprocess.run(["go", "build", "-trimpath", "-o", os.path.join(work, program), f"./{package}"], cwd=MODULE, check=True, env=dict(os.environ, CGO_ENABLED="0"))
    others, load = peer.Others(), os.getloadavg()[0]
    parts = {}
    if "decoders" in args.only:
        parts["decoders"] = decoders(args, work, others)
    parts.update(compiles(args, work, others, rows))
    run = {"clips": args.clips, "rounds": args.rounds, "date": datetime.date.today().isoformat(), "commit": commit(), "load": [load, os.getloadavg()[0]],
           "cpu_of_others": page.median(others.shares or [0.0])}
    for name, found in parts.items():
        results[name] = {"found": found, "run": run}
    with open(kept, "w", encoding="utf-8") as f:
        json.dump(results, f, indent=1)
    return results


def commit():
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=MODULE, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def ratio(ours, theirs, of):
    """The median of what theirs takes over ours, round by round."""
    return page.median(of(b) / of(a) for a, b in zip(ours, theirs))


def decoder_row(name, found):
    over = page.median(a / b for a, b in zip(found["ours"], found["soundfile"])) if "soundfile" in found else 0
    cells = [f"{page.median(found[who]) / 1e6:.0f}" if who in found else "" for who in ("ours", "soundfile", "av")]
    return [name, *cells, f"{over:.2f}" if over else "", page.verdict(over >= DECODED[name]) if DECODED[name] else ""]


def compile_row(title, found, clips, goal):
    ours, theirs = found["ours"], found["theirs"]
    steady, wall, cpu = (ratio(ours, theirs, lambda run: run[key]) for key in ("steady", "wall", "cpu"))
    cells = [f"{clips / page.median(run['steady'] for run in side):.0f}" for side in (ours, theirs)]
    cells += [f"{1e3 * page.median(run['cpu'] for run in side) / clips:.2f}" for side in (ours, theirs)]
    most = max(run["anonymous"] for run in ours) / 1e6
    return [title, *cells, f"{most:.0f}", f"{steady:.2f}", f"{wall:.2f}", f"{cpu:.2f}", f"{goal:g}", page.verdict(min(steady, wall) >= goal)]


def section(results):
    """The section of a page: tables of what was measured, and of when."""
    versions = {name: importlib.metadata.version(name) for name in ("soundfile", "scipy", "numpy", "soxr", "av") if importlib.util.find_spec(name)}
    versions["python"] = platform.python_version()
    lines = ["## Compressed clips", "", f"{page.machine()}; rounds by turns, medians; {', '.join(f'{name} {version}' for name, version in versions.items())}.", ""]
    if "decoders" in results:
        lines += ["Decoders alone, M samples a second of processor time:", "",
                  *page.table(("format", "voxpack", "soundfile (libsndfile)", "PyAV", "voxpack over soundfile", "goal 1"),
                              [decoder_row(name, found) for name, found in results["decoders"]["found"].items()])]
    rows = [compile_row(title, results[name]["found"], results[name]["run"]["clips"], goal) for name, title, _, _, goal in FORMATS if name in results]
    if rows:
        lines += ["Whole compiles, whole processes on two cores, beside soundfile, SciPy's mel and .npy files (WAV: read by hand; Opus and AAC: PyAV):", "",
                  *page.table(("corpus", "voxpack, clips/s", "Python, clips/s", "voxpack, CPU ms a clip", "Python, CPU ms a clip", "voxpack, anonymous MB",
                               "faster by, steady", "with start-up", "by CPU time", "goal", ""), rows)]
    conditions = [[title, *(run[key] for key in ("date", "commit", "clips", "rounds")), f"{run['load'][0]:.1f} to {run['load'][1]:.1f}", f"{100 * run['cpu_of_others']:.0f}"]
                  for name, title in (("decoders", "decoders"), *(row[:2] for row in FORMATS)) if name in results for run in [results[name]["run"]]]
    return "\n".join([*lines, *page.table(("part", "date", "commit", "clips", "rounds", "load", "CPU taken by others, % of all cores"), conditions)])


def main():
    names = ["decoders", *(row[0] for row in FORMATS)]
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("dir", metavar="DIR")
    flags.add_argument("--clips", type=int, default=2016)
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--seconds", type=float, default=0.5, help="of a lap at least")
    flags.add_argument("--only", type=lambda text: text.split(","), default=names, help="parts, separated by commas: " + ", ".join(names) + "; or none")
    flags.add_argument("--work", help="folder that keeps corpora and results, on the disk to be measured (default: one in TMPDIR that goes)")
    flags.add_argument("--out", help="page whose section is written (default: stdout)")
    flags.add_argument("--json", action="store_true", help="print one JSON object")
    flags.add_argument("--answer", choices=DECODERS, help=argparse.SUPPRESS)
    args = flags.parse_args()
    args.dir = os.path.abspath(args.dir)
    if args.answer:
        answer(args.answer, args.dir)
        return
    if args.only != ["none"] and not set(args.only) <= set(names):
        flags.error(f"want --only of {', '.join(names)}, or none")
    if args.work:
        os.makedirs(args.work, exist_ok=True)
        results = measure(args, os.path.abspath(args.work))
    else:
        with tempfile.TemporaryDirectory(prefix="voxpack-decoders-") as work:
            results = measure(args, work)
    if args.only == ["none"]:
        return
    if args.json:
        json.dump(results, sys.stdout, indent=2)
        print()
    elif not args.out:
        print(section(results))
    else:
        with open(args.out, encoding="utf-8") as f:
            text = page.merge(f.read(), section(results))
        with open(args.out, "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main()
