#!/usr/bin/env python3
"""opusmix OUT IN...: packets of several Ogg Opus files of one channel in one stream, some of each in turn.

No encoder writes SILK, hybrid and CELT into one short file; the program decodes one to tell its own bits.
"""

import struct
import sys

EACH = 3


def packets(b):
    found, at, packet = [], 0, b""
    while at < len(b):
        lacing = b[at + 27 : at + 27 + b[at + 26]]
        at += 27 + len(lacing)
        for n in lacing:
            packet += b[at : at + n]
            at += n
            if n < 255:
                found.append(packet)
                packet = b""
    return found


def page(number, flags, granule, body):
    lacing = bytes(v for p in body for v in [255] * (len(p) // 255) + [len(p) % 255])
    head = struct.pack("<4sBBqIII", b"OggS", 0, flags, granule, 7, number, 0) + bytes([len(lacing)]) + lacing
    b, crc = bytearray(head + b"".join(body)), 0
    for v in b:
        crc ^= v << 24
        for _ in range(8):
            crc = crc << 1 ^ (0x104C11DB7 if crc >> 31 else 0)
    b[22:26] = struct.pack("<I", crc)
    return bytes(b)


def main():
    files = [packets(open(name, "rb").read()) for name in sys.argv[2:]]
    audio = [p for at in (8, 8 + EACH) for f in files for p in f[at : at + EACH]]
    with open(sys.argv[1], "wb") as out:
        out.write(page(0, 2, 0, [struct.pack("<8sBBHIhB", b"OpusHead", 1, 1, 0, 48000, 0, 0)]))
        out.write(page(1, 0, 0, [b"OpusTags" + bytes(8)]))
        out.write(page(2, 4, 960 * len(audio), audio))


main()
