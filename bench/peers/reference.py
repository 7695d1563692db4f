"""The mel of variant "hifigan" by its definition, in float64 (NumPy only), and the clips it is taken of.

The window is the periodic Hann window; the spectrum is the root of power + epsilon; bands are
triangles on Slaney's scale with unit area. Peers differ in epsilon, so it is an argument: each is
held against what it means to compute.
"""

import os
import wave

import numpy as np

RATE, N_FFT, HOP, BANDS, FMAX, FLOOR = 22050, 1024, 256, 80, 8000.0, 1e-5
PAD = (N_FFT - HOP) // 2

# Slaney's scale (Auditory Toolbox, 1998): 200 / 3 Hz a mel up to 1000 Hz, above it 27 mels for a factor of 6.4.
LINEAR_HZ, LINEAR_MELS, STEP = 1000.0, 15.0, np.log(6.4) / 27


def to_mel(hz):
    return hz * LINEAR_MELS / LINEAR_HZ if hz < LINEAR_HZ else LINEAR_MELS + np.log(hz / LINEAR_HZ) / STEP


def to_hz(mel):
    return np.where(mel < LINEAR_MELS, mel * LINEAR_HZ / LINEAR_MELS, LINEAR_HZ * np.exp((mel - LINEAR_MELS) * STEP))


def bank():
    """float64[BANDS, bins]."""
    edges = to_hz(np.linspace(0, to_mel(FMAX), BANDS + 2))
    hz = np.fft.rfftfreq(N_FFT, 1 / RATE)
    low, peak, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    rise, fall = (hz - low) / (peak - low), (high - hz) / (high - peak)
    return np.clip(np.minimum(rise, fall), 0, None) * 2 / (high - low)


def window():
    return 0.5 * (1 - np.cos(np.arange(N_FFT) * (2 * np.pi / N_FFT)))


def log_mel(pcm, epsilon):
    """float64[frames, BANDS]."""
    padded = np.pad(np.asarray(pcm, np.float64), PAD, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, N_FFT)[::HOP]
    spectrum = np.fft.rfft(frames * window())
    return np.log(np.maximum(np.sqrt(spectrum.real ** 2 + spectrum.imag ** 2 + epsilon) @ bank().T, FLOOR))


def rows(corpus, limit=None):
    """(id, text) of the first rows of a corpus."""
    with open(os.path.join(corpus, "metadata.csv"), encoding="utf-8") as f:
        fields = [line.rstrip("\r\n").split("|") for line in f]
    return [(row[0], row[1]) for row in fields[:limit]]


def clip(corpus, name):
    """float32 PCM of a clip, as all peers get it: sample / 32768."""
    with wave.open(os.path.join(corpus, "wavs", name + ".wav")) as w:
        if (w.getnchannels(), w.getsampwidth(), w.getframerate()) != (1, 2, RATE):
            raise ValueError(f"{name}: want mono, 16 bits, {RATE} Hz")
        return np.frombuffer(w.readframes(w.getnframes()), "<i2") * np.float32(1 / 32768)
