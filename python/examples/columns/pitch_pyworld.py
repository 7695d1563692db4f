"""The pitch of each frame of the mel in Hz, 0 where nothing is voiced, by WORLD's DIO and StoneMask as FastSpeech 2 prepares it
(pip install pyworld). HOP is hop_length of the dataset.

pitch: {run: python3 pitch_pyworld.py, input: pcm, length: mel_len, version: pyworld-0.3.5, files: pitch_pyworld.py}
"""

import numpy as np
import pyworld
import voxpack

HOP = 256


def track(pcm, rate):
    pitch, times = pyworld.dio(pcm, rate, frame_period=1000 * HOP / rate)
    return pyworld.stonemask(pcm, pitch, times, rate)[: len(pcm) // HOP]


@voxpack.column
def pitch(rows):
    return [track(row.pcm.astype(np.float64), row.rate) for row in rows]


if __name__ == "__main__":
    pitch.run()
