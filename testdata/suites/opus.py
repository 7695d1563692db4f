#!/usr/bin/env python3
"""opus: the test vectors of RFC 6716 and 8251, decoded here and by libsndfile's libopus. Run by make suites.

A vector is packets without a container; they are put into Ogg, as one stream of two channels, and both decode that. The measure
is the one that RFC 6716, 6.1 sets for a decoder: how far the spectra of both are from each other, in bands, behind what masks
them; 0 passes, 100 is the same. voxpack averages channels, so the averages are compared.
"""

import json
import math
import re
import struct
import subprocess
import sys

import numpy
import soundfile

import sources

RATE, WINDOW, STEP = 48000, 480, 120
BANDS = [0, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 68, 80, 96, 120, 156, 200]
FRAMES = [480, 960, 1920, 2880] * 3 + [480, 960] * 2 + [120, 240, 480, 960] * 4
CRC = [0] * 256
for i in range(256):
    crc = i << 24
    for _ in range(8):
        crc = crc << 1 ^ (0x104C11DB7 if crc >> 31 else 0)
    CRC[i] = crc


def page(number, flags, granule, packet):
    lacing = bytes([255] * (len(packet) // 255) + [len(packet) % 255])
    b = bytearray(struct.pack("<4sBBqIII", b"OggS", 0, flags, granule, 1, number, 0) + bytes([len(lacing)]) + lacing + packet)
    crc = 0
    for v in b:
        crc = (crc << 8 & 0xFFFFFFFF) ^ CRC[crc >> 24 ^ v]
    b[22:26] = struct.pack("<I", crc)
    return bytes(b)


def ogg(vector):
    """The packets of a vector, each after its length and a check of the range coder, on pages of their own."""
    packets, at = [], 0
    while at + 8 <= len(vector):
        size = struct.unpack(">I", vector[at : at + 4])[0]
        packets.append(vector[at + 8 : at + 8 + size])
        at += 8 + size
    pages = [page(0, 2, 0, struct.pack("<8sBBHIhB", b"OpusHead", 1, 2, 0, RATE, 0, 0)), page(1, 0, 0, b"OpusTags" + bytes(8))]
    position = 0
    for i, p in enumerate(packets):
        position += FRAMES[p[0] >> 3] * [1, 2, 2, p[1] & 63 if len(p) > 1 else 0][p[0] & 3]
        pages.append(page(i + 2, 4 if i == len(packets) - 1 else 0, position, p))
    return b"".join(pages)


def spectra(samples):
    """The power of each frame in 200 bins, and its mean in each band."""
    window = 0.5 - 0.5 * numpy.cos(2 * numpy.pi / (WINDOW - 1) * numpy.arange(WINDOW))
    frames = numpy.lib.stride_tricks.sliding_window_view(samples * 32768, WINDOW)[::STEP]
    power = numpy.empty((len(frames), BANDS[-1]))
    for at in range(0, len(frames), 4096):
        power[at : at + 4096] = numpy.abs(numpy.fft.rfft(frames[at : at + 4096] * window))[:, : BANDS[-1]] ** 2 + 100000
    return power, numpy.stack([power[:, a:b].mean(1) for a, b in zip(BANDS, BANDS[1:])], 1)


def quality(reference, ours):
    want, masks = spectra(reference)
    got, _ = spectra(ours)
    for b in range(1, len(BANDS) - 1):  # what is masked by a lower band, a higher one, and what came before
        masks[:, b] += 0.1 * masks[:, b - 1]
    for b in range(len(BANDS) - 3, -1, -1):
        masks[:, b] += 0.03 * masks[:, b + 1]
    for t in range(1, len(masks)):
        masks[t] += 0.5 * masks[t - 1]
    for b, (low, high) in enumerate(zip(BANDS, BANDS[1:])):
        want[:, low:high] += 0.1 * masks[:, b : b + 1]
        got[:, low:high] += 0.1 * masks[:, b : b + 1]
    want[1:] += want[:-1].copy()
    got[1:] += got[:-1].copy()
    ratio = got / want
    error = ratio - numpy.log(ratio) - 1
    error[:, 79:82] *= [0.1, 0.01, 0.1]
    of_frames = sum(error[:, a:b].mean(1) ** 2 for a, b in zip(BANDS, BANDS[1:])) / (len(BANDS) - 1)
    return 100 * (1 - 0.5 * math.log(1 + (of_frames**4).mean() ** (1 / 16)) / math.log(1.13))


def main():
    program = sources.OUT / "decode"
    subprocess.run(["go", "build", "-o", program, "./testdata/suites/decode"], cwd=sources.ROOT, check=True)
    failed, table = [], [["vector", "samples", "quality", "rms of the difference", "at most"], ["---", "---:", "---:", "---:", "---:"]]
    for source in sources.sources("opus"):
        paths, _ = sources.files(source, lambda path: re.search(r"testvector\d\d\.bit$", path))
        for path in paths:
            file = path.with_suffix(".opus")
            file.write_bytes(ogg(path.read_bytes()))
            answer = subprocess.run([program], input=f"{file}\n".encode(), stdout=subprocess.PIPE, check=True).stdout
            head, _, body = answer.partition(b"\n")
            said, ours = json.loads(head), numpy.frombuffer(body, "<f4").astype("f8")
            theirs = soundfile.read(file, dtype="float64", always_2d=True)[0].mean(1)
            name = f"[{path.stem}]({source['address']})"
            if said["error"] or len(ours) != len(theirs):
                failed.append(f"{name}: {said['error']}, {len(ours)} samples for {len(theirs)}")
                continue
            q, difference = quality(theirs, ours), ours - numpy.clip(theirs, -1, 1)
            table.append([name, len(ours), f"{q:.1f}", f"{math.sqrt((difference**2).mean()):.1g}", f"{abs(difference).max():.1g}"])
            if q < 0:
                failed.append(f"{name}: quality {q:.1f}")
    rows = "\n".join("| " + " | ".join(map(str, row)) + " |" for row in table)
    sources.keep("opus", f"Beside libsndfile {soundfile.__libsndfile_version__}:\n\n{rows}")
    for line in failed:
        print(line, file=sys.stderr)
    sys.exit(bool(failed))


main()
