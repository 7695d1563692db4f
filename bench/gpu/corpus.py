"""The corpus that the checks feed: noise, the same bytes on every machine.

A clip is one second: bursts of noise and pauses under a seed. How long it is
does not matter, since a sample has the padded shape of the default config
whatever the clip: 257 kB.
"""

import os
import random
import wave

RATE = 22050
WORDS = "the old bridge over river carries a narrow road to some stone houses where nobody has lived since last winter".split()

# High bytes of signed 16-bit samples, a quarter as loud: full-scale noise is no
# sound that anybody records. The pause is 1/256 as loud, as a room is.
QUIETER = bytes(((b - 256 if b > 127 else b) >> 2) & 255 for b in range(256))
SILENT = bytes(255 if b > 127 else 0 for b in range(256))


def clip(draw):
    """PCM of one second: a burst of 90 to 330 ms, a pause, and so on."""
    pcm = bytearray(draw.randbytes(2 * RATE))
    at, loud = 0, True
    while at < len(pcm):
        end = min(len(pcm), at + 2 * draw.randrange(RATE * 90 // 1000, RATE * 330 // 1000))
        pcm[at + 1:end:2] = pcm[at + 1:end:2].translate(QUIETER if loud else SILENT)
        at, loud = end, not loud
    return bytes(pcm)


def write(folder, clips):
    """metadata.csv and wavs/ in a new folder."""
    os.makedirs(os.path.join(folder, "wavs"))
    with open(os.path.join(folder, "metadata.csv"), "w", encoding="utf-8", newline="\n") as metadata:
        for n in range(clips):
            draw = random.Random(f"voxpack {n}")
            name, text = f"GPU-{n:05d}", " ".join(draw.choice(WORDS) for _ in range(8))
            with wave.open(os.path.join(folder, "wavs", name + ".wav"), "wb") as w:
                w.setnchannels(1)
                w.setsampwidth(2)
                w.setframerate(RATE)
                w.writeframes(clip(draw))
            metadata.write(f"{name}|{text.capitalize()}.|{text}.\n")
