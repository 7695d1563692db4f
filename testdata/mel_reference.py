#!/usr/bin/env python3
"""Makes the float64 reference vectors of the mel tests (numpy only).

Usage: mel_reference.py OUT_DIR [CORPORA]

OUT_DIR gets, for each case of CASES, the clip NAME.wav (16 bits, mono) and NAME.f64: all frames, row by row, little-endian float64.
With CORPORA (the folder that holds ljspeech-32/) it also gets ljspeech-32.f64, every 16th frame of each clip, and
ljspeech-32.tsv: id, samples, frames of the clip, first row of it in the .f64 file, rows.

Written from the definition, dense and in float64 throughout: no table, no shortcut is shared with the Go code. The WAVs come out
the same only where numpy's sin and random generator do; the committed ones count.
"""
import os
import sys
import wave

import numpy as np

STEP = 16  # of the frames kept of the real clips

HIFIGAN = dict(rate=22050, n_fft=1024, hop=256, win=1024, n_mels=80, fmin=0.0, fmax=8000.0)


def slaney_hz(mel):
    return np.where(mel < 15, mel * 200 / 3, 1000 * 6.4 ** ((mel - 15) / 27))


def slaney_mel(hz):
    return np.where(hz < 1000, hz * 3 / 200, 15 + 27 * np.log(np.maximum(hz, 1e-300) / 1000) / np.log(6.4))


def bank(c):
    edges = slaney_hz(np.linspace(slaney_mel(np.float64(c["fmin"])), slaney_mel(np.float64(c["fmax"])), c["n_mels"] + 2))
    hz = np.arange(c["n_fft"] // 2 + 1) * (c["rate"] / c["n_fft"])
    rows = []
    for lo, mid, hi in zip(edges, edges[1:], edges[2:]):
        rows.append(np.interp(hz, [lo, mid, hi], [0, 1, 0], left=0, right=0) * 2 / (hi - lo))
    return np.array(rows)


def hifigan(pcm, c):
    pad = (c["n_fft"] - c["hop"]) // 2
    y = np.concatenate([pcm[pad:0:-1], pcm, pcm[-2:-pad - 2:-1]])
    window = np.zeros(c["n_fft"])
    start = (c["n_fft"] - c["win"]) // 2
    window[start:start + c["win"]] = np.sin(np.pi * np.arange(c["win"]) / c["win"]) ** 2
    weights = bank(c)
    out = []
    for at in range(0, len(y) - c["n_fft"] + 1, c["hop"]):
        spectrum = np.fft.rfft(y[at:at + c["n_fft"]] * window)
        magnitude = np.sqrt(spectrum.real ** 2 + spectrum.imag ** 2 + 1e-9)
        out.append(np.log(np.maximum(weights @ magnitude, 1e-5)))
    return np.array(out)


def voice(seconds, rate, rng):
    """A buzz whose pitch and colour glide, with breath and pauses: not speech, but with its range of levels."""
    n = int(seconds * rate)
    t = np.arange(n) / rate
    pitch = 120 + 40 * np.sin(2 * np.pi * 0.7 * t) + 15 * np.sin(2 * np.pi * 3.1 * t)
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    y = np.zeros(n)
    for k in range(1, 41):
        f = k * pitch
        colour = sum(np.exp(-((f - m * (1 + 0.2 * np.sin(2 * np.pi * 1.3 * t))) / w) ** 2)
                     for m, w in ((500, 150), (1500, 250), (2600, 400), (3500, 700)))
        y += np.where(f < rate / 2, colour * np.sin(k * phase) / k ** 0.5, 0)
    y += 0.02 * rng.standard_normal(n) * (1 + np.sin(2 * np.pi * 5 * t))
    return y * np.clip(np.sin(2 * np.pi * 0.9 * t) + 0.6, 0, 1)


def mixed(rate, rng):
    """Voice, white noise, a chirp, silence, a quiet tone, a full-scale square: 0.4 s each but the first."""
    n = int(0.4 * rate)
    t = np.arange(n) / rate
    return np.concatenate([
        0.25 * voice(1.2, rate, rng),
        0.3 * rng.standard_normal(n),
        0.9 * np.sin(2 * np.pi * (50 * t + 0.5 * (rate / 2 - 50) / 0.4 * t ** 2)),
        np.zeros(n),
        3e-4 * np.sin(2 * np.pi * 440 * t),
        np.where((np.arange(n) // 50) % 2 == 0, 1.0, -1.0),
    ])


CASES = {
    "mixed": (HIFIGAN, mixed),
    # A window shorter than the transform, another rate, bands that begin above 0 Hz, a transform that is a power of 4.
    "short-window": (dict(rate=16000, n_fft=512, hop=160, win=400, n_mels=40, fmin=50.0, fmax=7600.0),
                     lambda rate, rng: 0.25 * voice(0.8, rate, rng)),
}


def read_wav(path):
    with wave.open(path) as w:
        assert (w.getnchannels(), w.getsampwidth()) == (1, 2), path
        return np.frombuffer(w.readframes(w.getnframes()), "<i2") / 32768.0


def write_wav(path, pcm, rate):
    with wave.open(path, "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(rate)
        w.writeframes(np.clip(np.round(pcm * 32768), -32768, 32767).astype("<i2").tobytes())


def main(out, corpora=None):
    for name, (config, make) in CASES.items():
        path = os.path.join(out, name + ".wav")
        if not os.path.exists(path):
            write_wav(path, make(config["rate"], np.random.default_rng(1)), config["rate"])
        hifigan(read_wav(path), config).astype("<f8").tofile(os.path.join(out, name + ".f64"))
    if corpora is None:
        return
    folder = os.path.join(corpora, "ljspeech-32", "wavs")
    rows, lines = [], []
    for name in sorted(os.listdir(folder)):
        pcm = read_wav(os.path.join(folder, name))
        mel = hifigan(pcm, HIFIGAN)
        kept = mel[::STEP]
        lines.append("%s\t%d\t%d\t%d\t%d\n" % (name[:-4], len(pcm), len(mel), sum(map(len, rows)), len(kept)))
        rows.append(kept)
    np.concatenate(rows).astype("<f8").tofile(os.path.join(out, "ljspeech-32.f64"))
    with open(os.path.join(out, "ljspeech-32.tsv"), "w") as f:
        f.writelines(lines)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
