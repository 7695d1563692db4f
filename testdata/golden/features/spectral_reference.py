#!/usr/bin/env python3
"""Makes the float64 references of the features linear and energy (numpy only).

Usage: spectral_reference.py MEL_DIR OUT_DIR

Reads NAME.wav of MEL_DIR for each case of CASES and writes NAME.linear.f64, every STEP-th frame, bins 0 to n_fft/2, and
NAME.energy.f64, all frames: row by row, little-endian float64.

Written from the definitions, in float64 throughout: the linear spectrogram is sqrt(|X|^2 + 1e-6), the energy is the L2 norm of |X|,
taken over the spectrum.
"""
import os
import sys
import wave

import numpy as np

STEP = 16

CASES = {
    "mixed": dict(n_fft=1024, hop=256, win=1024),
    "short-window": dict(n_fft=512, hop=160, win=400),
}


def frames(pcm, c):
    pad = (c["n_fft"] - c["hop"]) // 2
    y = np.concatenate([pcm[pad:0:-1], pcm, pcm[-2:-pad - 2:-1]])
    window = np.zeros(c["n_fft"])
    start = (c["n_fft"] - c["win"]) // 2
    window[start:start + c["win"]] = np.sin(np.pi * np.arange(c["win"]) / c["win"]) ** 2
    return np.array([np.fft.rfft(y[at:at + c["n_fft"]] * window) for at in range(0, len(y) - c["n_fft"] + 1, c["hop"])])


def main(mel_dir, out):
    for name, c in CASES.items():
        with wave.open(os.path.join(mel_dir, name + ".wav")) as w:
            pcm = np.frombuffer(w.readframes(w.getnframes()), "<i2") / 32768.0
        x = frames(pcm, c)
        power = x.real ** 2 + x.imag ** 2
        np.sqrt(power[::STEP] + 1e-6).astype("<f8").tofile(os.path.join(out, name + ".linear.f64"))
        np.linalg.norm(np.abs(x), axis=1).astype("<f8").tofile(os.path.join(out, name + ".energy.f64"))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
