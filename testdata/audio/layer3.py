#!/usr/bin/env python3
"""layer3.py mixed OUT.mp3 writes MP3 frames of a kind that no encoder at hand writes.

What they hold is noise, so that every line counts. Only what the standard calls count1 is used: lines of -1, 0 and 1
in quadruples, whose second code is four bits of what is zero, then the signs (ISO/IEC 11172-3, 2.4.2.7). No frame
needs bytes of another one. The same call gives the same bytes.
"""
import random
import sys


class Bits:
    def __init__(self):
        self.text = ""

    def put(self, value, n):
        self.text += format(value, f"0{n}b")

    def bytes(self, size):
        assert len(self.text) <= 8 * size, f"{len(self.text)} bits do not fit into {size} bytes"
        return int(self.text.ljust(8 * size, "0"), 2).to_bytes(size, "big")


def lines(bits, rng, n):
    """n lines, fewer of them set the higher they are."""
    for at in range(0, n, 4):
        quad = [rng.choice((-1, 1)) if rng.random() < 0.9 - at / 800 else 0 for _ in range(4)]
        for v in quad:
            bits.put(v == 0, 1)
        for v in quad:
            if v:
                bits.put(v < 0, 1)


def mixed():
    """MPEG-1, one channel, 44,100 Hz: every order of blocks in which the windows fit, mixed ones and others."""
    rng = random.Random(1)
    kinds = [(0, 0), (1, 1), (2, 1), (3, 1), (0, 0), (1, 0), (2, 0), (3, 0), (1, 1), (2, 1), (2, 1), (3, 1), (1, 1), (3, 1), (0, 0), (0, 0)]
    for frame in range(0, len(kinds), 2):
        side, main = Bits(), Bits()
        side.put(0, 9 + 5 + 4)  # main_data_begin, private_bits, scfsi
        for kind, mix in kinds[frame : frame + 2]:
            begin = len(main.text)
            lines(main, rng, 400)
            side.put(len(main.text) - begin, 12)
            side.put(0, 9)  # big_values
            side.put(170 + rng.randrange(12), 8)  # global_gain
            side.put(0, 4)  # scalefac_compress: all scale factors are 0
            side.put(kind != 0, 1)  # window_switching_flag
            if kind:
                side.put(kind << 1 | mix, 3)
                side.put(0, 10)  # table_select
                side.put(rng.randrange(512) if kind == 2 else 0, 9)  # subblock_gain
            else:
                side.put(0, 22)
            side.put(0b001, 3)  # preflag, scalefac_scale, count1table_select
        yield b"\xff\xfb\x90\xc0" + side.bytes(17) + main.bytes(417 - 4 - 17)


def main(kind, target):
    with open(target, "wb") as out:
        for frame in {"mixed": mixed}[kind]():
            out.write(frame)


main(*sys.argv[1:])
