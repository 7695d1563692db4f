#!/usr/bin/env python3
"""aac: AAC-LC of encoders at hand, decoded here, by ffmpeg and by FAAD2. Run by make suites.

No suite of AAC is published that may be fetched: the streams of ISO/IEC 14496-26 are sold. So this writes streams, of the clips in
testdata/corpus and of mixtures of them in two channels, by ffmpeg's encoder in all the ways that its options name, and by the
FDK's (aac-enc) where that is installed, and takes ffmpeg's decoder as the reference. FAAD2, where it is installed, has a
decoder of its own. What it is held to is what ISO/IEC 13818-4 asks of the most exact decoders: as many samples, the rms of the difference below
2^-15 / √12, and no sample off by more than 2^-14.

FAAD2 gives no samples for the first frame of a raw stream, has noise (PNS) of its own, and doubles rates up to 24,000 Hz, as SBR
would; so it is compared where none of this is. It knows no edit list, so of MP4 it is not asked.
"""

import json
import math
import shutil
import subprocess
import sys
import wave

import numpy

import sources

RMS, MOST = 2**-15 / math.sqrt(12), 2**-14
FRAME = 1024

# What an encoder's options say; noise: the stream has PNS.
WAYS = [
    ("without noise", "-ac 1 -ar 44100 -aac_pns 0", False),
    ("noise", "-ac 1 -ar 44100 -b:a 32k", True),
    ("two channels, each by itself", "-ac 2 -ar 44100 -aac_ms 0 -aac_is 0 -aac_pns 0", False),
    ("mid and side", "-ac 2 -ar 44100 -aac_ms 1 -aac_is 0 -aac_pns 0 -b:a 96k", False),
    ("intensity", "-ac 2 -ar 44100 -aac_ms 0 -aac_is 1 -aac_pns 0 -b:a 48k", False),
    ("no temporal noise shaping", "-ac 1 -ar 44100 -aac_tns 0 -aac_pns 0", False),
    ("the fast coder", "-ac 2 -ar 44100 -aac_coder fast -aac_pns 0", False),
    ("by quality", "-ac 1 -ar 44100 -q:a 2 -aac_pns 0", False),
    ("8,000 Hz, 8 kbit/s", "-ac 1 -ar 8000 -b:a 8k -aac_pns 0", False),
] + [(f"{rate:,} Hz", f"-ac 1 -ar {rate} -aac_pns 0", False) for rate in (16000, 22050, 32000, 48000, 96000)]
FDK_WAYS = [("variable, lowest", "-v 1", True), ("variable, highest", "-v 5", True), ("64 kbit/s", "-r 64000", True)]


def sound():
    """The clips to encode, of one channel and of two: one of testdata/corpus, and a mixture of two."""
    folder = sources.OUT / "aac"
    folder.mkdir(parents=True, exist_ok=True)
    one = sorted((sources.ROOT / "testdata" / "corpus" / "en" / "wavs").glob("*.wav"))[:2]
    read = []
    for path in one:
        with wave.open(str(path)) as w:
            rate = w.getframerate()
            read.append(numpy.frombuffer(w.readframes(w.getnframes()), "<i2"))
    n = min(map(len, read))
    left, right = read[0][:n], read[1][:n] // 2 + read[0][:n] // 4
    two = folder / "stereo.wav"
    with wave.open(str(two), "wb") as w:
        w.setnchannels(2)
        w.setsampwidth(2)
        w.setframerate(rate)
        w.writeframes(numpy.stack([left, right], 1).astype("<i2").tobytes())
    return folder, one[:1], [two]


def ours(program, paths):
    said = subprocess.run([program], input="".join(f"{p}\n" for p in paths).encode(), stdout=subprocess.PIPE, check=True).stdout
    for _ in paths:
        head, _, said = said.partition(b"\n")
        head = json.loads(head)
        yield head, numpy.frombuffer(said[: 4 * head["samples"]], "<f4").astype("f8")
        said = said[4 * head["samples"]:]


def by_ffmpeg(path):
    run = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-f", "au", "-c:a", "pcm_f32be", "-"], stdout=subprocess.PIPE, check=True).stdout
    head = numpy.frombuffer(run[:24], ">u4")
    return numpy.frombuffer(run[head[1]:], ">f4").astype("f8").reshape(-1, head[5]).mean(1)


def by_faad(path, channels):
    out = path.with_suffix(".f32")
    subprocess.run(["faad", "-q", "-b", "4", "-f", "2", "-o", out, path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    samples = numpy.fromfile(out, "<f4").astype("f8")
    # It writes two channels for one.
    return samples.reshape(-1, 2 if len(samples) and channels < 2 and numpy.array_equal(samples[::2], samples[1::2]) else channels).mean(1)


def clipped(samples):
    return numpy.clip(samples, -1, 1)


class Row:
    """What came out of the streams of one way."""

    def __init__(self, name):
        self.name, self.files, self.same, self.samples, self.squares, self.most, self.faad = name, 0, 0, 0, 0.0, 0.0, None

    def add(self, got, want):
        off = clipped(got) - clipped(want)
        self.files += 1
        self.samples += len(off)
        self.squares += float((off**2).sum())
        most = float(abs(off).max(initial=0))
        self.most = max(self.most, most)
        ok = math.sqrt((off**2).mean()) < RMS and most <= MOST
        self.same += ok
        return ok

    def cells(self):
        faad = "" if self.faad is None else f"{self.faad:.1g}"
        return [self.name, self.files, self.same, f"{self.samples:,}", f"{math.sqrt(self.squares / max(1, self.samples)):.1g}", f"{self.most:.1g}", faad]


def main():
    program = sources.OUT / "decode"
    subprocess.run(["go", "build", "-o", program, "./testdata/suites/decode"], cwd=sources.ROOT, check=True)
    folder, one, two = sound()
    encoders = [("ffmpeg", way, lambda wav, out, options=options: ["ffmpeg", "-nostdin", "-y", "-v", "error", "-i", wav, "-c:a", "aac", *options.split(), out],
                 two if "-ac 2" in options else one, noise) for way, options, noise in WAYS]
    if shutil.which("aac-enc"):
        encoders += [("FDK", way, lambda wav, out, options=options: ["aac-enc", *options.split(), wav, out], one + two, noise) for way, options, noise in FDK_WAYS]
    else:
        print("NOTICE: no aac-enc: the FDK's encoder is left out", file=sys.stderr)
    faad = shutil.which("faad")
    if not faad:
        print("NOTICE: no faad: only ffmpeg's decoder is compared with", file=sys.stderr)
    failed, rows = [], []
    for number, (encoder, way, command, clips, noise) in enumerate(encoders):
        row = Row(f"{encoder}: {way}")
        paths = []
        for extension in (".aac",) if encoder == "FDK" else (".aac", ".m4a"):
            for wav in clips:
                out = folder / f"{number}-{wav.stem}{extension}"
                subprocess.run(command(wav, out), check=True, stdout=subprocess.DEVNULL)
                paths.append(out)
        for path, (said, got) in zip(paths, ours(program, paths)):
            want = by_ffmpeg(path)
            if said["error"] or len(got) != len(want):
                row.files += 1
                failed.append(f"{row.name}: {path.name}: {said['error']}, {len(got):,} samples for {len(want):,}")
                continue
            if not row.add(got, want):
                failed.append(f"{row.name}: {path.name}: not within the bounds")
            if faad and not noise and path.suffix == ".aac" and said["rate"] > 24000:
                theirs = by_faad(path, said["channels"])
                tail = got[len(got) - len(theirs):]
                if len(got) - len(theirs) not in (0, FRAME):
                    failed.append(f"{row.name}: {path.name}: {len(got):,} samples, FAAD2 has {len(theirs):,}")
                    continue
                off = clipped(tail[FRAME:]) - clipped(theirs[FRAME:])
                row.faad = max(row.faad or 0, float(abs(off).max(initial=0)))
                if row.faad > MOST:
                    failed.append(f"{row.name}: {path.name}: FAAD2 is off by {row.faad:.2g}")
        rows.append(row.cells())
    head = [["streams", "files", "within the bounds", "samples", "rms of the difference", "at most", "at most, FAAD2"], ["---", *["---:"] * 6]]
    text = "\n".join("| " + " | ".join(map(str, r)) + " |" for r in head + rows)
    version = subprocess.run(["ffmpeg", "-version"], stdout=subprocess.PIPE, check=True).stdout.split()[2].decode()
    sources.keep("aac", f"Beside ffmpeg {version}{' and FAAD2' if faad else ''}:\n\n{text}")
    for line in failed:
        print(line, file=sys.stderr)
    sys.exit(bool(failed))


main()
