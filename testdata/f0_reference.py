#!/usr/bin/env python3
"""Makes what the f0 of real clips is compared with (numpy, librosa 0.11, pyworld 0.3.5, and setuptools below 81 for pyworld).

Usage: f0_reference.py OUT_DIR CORPORA

OUT_DIR gets f0-ljspeech-32.u16: for each clip of CORPORA/ljspeech-32 in the order of their names the frames 0, STEP, 2 STEP, ... by
WORLD's harvest (Morise 2017), then the same frames by librosa's pyin (Mauch and Dixon 2014), in tenths of Hz, 0 where unvoiced, as
little-endian uint16. A frame's middle is sample 128 + 256 f, as that of the default mel's frame f; there are samples div 256.

Neither is the truth. It prints how far the two agree with each other, which is what a third can be asked for.
"""
import glob
import os
import sys
import wave

import librosa
import numpy as np
import pyworld

RATE, HOP, STEP = 22050, 256, 2
LOW, HIGH = 60.0, 600.0


def harvest(pcm, frames):
    f0, _ = pyworld.harvest(pcm, RATE, f0_floor=LOW, f0_ceil=HIGH, frame_period=1.0)  # a value each ms, of which the nearest is taken
    middles = (np.arange(frames) * HOP + HOP / 2) / RATE
    return f0[np.clip(np.round(middles * 1000).astype(int), 0, len(f0) - 1)]


def pyin(pcm, frames):
    f0, voiced, _ = librosa.pyin(pcm[HOP // 2:], fmin=LOW, fmax=HIGH, sr=RATE, frame_length=2048, hop_length=HOP)
    f0 = np.where(voiced, np.nan_to_num(f0), 0)[:frames]
    return np.pad(f0, (0, frames - len(f0)))


def compare(a, b):
    both = (a > 0) & (b > 0)
    ratio = a[both] / b[both]
    return "gross errors %.2f %%, voicing alike %.1f %%, median %.1f cents" % (
        100 * np.mean(np.abs(ratio - 1) > 0.2), 100 * np.mean((a > 0) == (b > 0)), np.median(np.abs(1200 * np.log2(ratio))))


def main(out, corpora):
    blocks, first, second = [], [], []
    for path in sorted(glob.glob(os.path.join(corpora, "ljspeech-32", "wavs", "*.wav"))):
        with wave.open(path) as w:
            assert (w.getnchannels(), w.getsampwidth(), w.getframerate()) == (1, 2, RATE), path
            pcm = np.frombuffer(w.readframes(w.getnframes()), "<i2") / 32768.0
        frames = len(pcm) // HOP
        h, p = harvest(pcm, frames), pyin(pcm, frames)
        first.append(h)
        second.append(p)
        blocks += [np.round(10 * h[::STEP]), np.round(10 * p[::STEP])]
    np.concatenate(blocks).astype("<u2").tofile(os.path.join(out, "f0-ljspeech-32.u16"))
    print("pyin against harvest:", compare(np.concatenate(second), np.concatenate(first)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
