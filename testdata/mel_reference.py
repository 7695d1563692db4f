#!/usr/bin/env python3
"""Makes the float64 reference vectors of the mel tests (numpy only).

Usage: mel_reference.py OUT_DIR [CORPORA]

OUT_DIR gets, for each case of CASES, the clip NAME.wav (16 bits, mono) and NAME.f64: all frames, row by row, little-endian float64.
With CORPORA (the folder that holds ljspeech-32/) it also gets ljspeech-32.f64, every 16th frame of each clip, and
ljspeech-32.tsv: id, samples, frames of the clip, first row of it in the .f64 file, rows.

It also gets edges.wav, the signals of edges() one after the other, and variants.f64: some frames of each variant. variants.tsv
tells which, a line each: variant, clip (edges:NAME:FIRST is a part of edges.wav), samples, padding, frames, every how many of
them a row is kept, first row, rows. Those of real clips are there only with CORPORA.

Written from the definition, dense and in float64 throughout: no table, no shortcut is shared with the Go code. The WAVs come out
the same only where numpy's sin and random generator do; the committed ones count.
"""
import os
import sys
import wave

import numpy as np

STEP = 16  # of the frames kept of the real clips
SPEECH = dict(rate=22050, n_fft=1024, hop=256, win=1024, n_mels=80, fmin=0.0, fmax=8000.0)
# Numbers that float32 holds exactly, in place of those that a model brings.
NORMS = 1 + np.arange(80) / 32

HIFIGAN = dict(SPEECH, epsilon=1e-9)

# Sources: meldataset.py of HiFi-GAN; mel_processing.py of VITS; layers.py and stft.py of Tacotron 2; the AudioProcessor of Coqui
# TTS; dvae_wav_to_mel and wav_to_mel_cloning of XTTS; MelSpectrogramFeatures of Vocos; get_vocos_mel_spectrogram of F5-TTS;
# FilterbankFeatures of NeMo with the settings of FastPitch and of HiFi-GAN; logmelfilterbank of ParallelWaveGAN; LogMelFbank of
# ESPnet; meldataset.preprocess of StyleTTS 2. "centre" pads by n_fft / 2, else by (n_fft - hop) / 2. "scale" and "shift" are of the
# natural logarithm.
LOG10 = 1 / np.log(10)
VARIANTS = {
    "hifigan": HIFIGAN,
    "vits": dict(SPEECH, epsilon=1e-6),
    "tacotron2": dict(SPEECH, centre=True),
    "coqui-ap": dict(SPEECH, centre=True, coqui=True),
    "xtts-dvae": dict(SPEECH, centre=True, power=True, htk=True, norms=NORMS),
    "xtts-clone": dict(SPEECH, centre=True, power=True, htk=True, norms=NORMS, n_fft=4096, hop=1024, win=4096),
    "vocos": dict(SPEECH, fmax=11025.0, centre=True, htk=True, raw=True, floor=1e-7),
    "f5-tts": dict(SPEECH, fmax=11025.0, centre=True, htk=True, raw=True),
    "nemo": dict(SPEECH, mode="constant", centre=True, short=True, symmetric=True, add=True),
    "nemo-hifigan": dict(SPEECH, mode="constant", symmetric=True),
    "parallel-wavegan": dict(SPEECH, fmin=80.0, fmax=7600.0, centre=True, floor=1e-10, scale=LOG10),
    "espnet": dict(SPEECH, fmin=80.0, fmax=7600.0, centre=True, least=1e-10, floor=1e-10, scale=LOG10),
    "styletts2": dict(SPEECH, fmax=11025.0, n_fft=2048, hop=300, win=1200, centre=True, power=True, htk=True, raw=True, bank_rate=16000, add=True,
                      scale=1 / 4, shift=1),
}


def htk_mel(hz):
    return 2595 * np.log10(1 + hz / 700)


def htk_hz(mel):
    return 700 * (10 ** (mel / 2595) - 1)


def slaney_hz(mel):
    return np.where(mel < 15, mel * 200 / 3, 1000 * 6.4 ** ((mel - 15) / 27))


def slaney_mel(hz):
    return np.where(hz < 1000, hz * 3 / 200, 15 + 27 * np.log(np.maximum(hz, 1e-300) / 1000) / np.log(6.4))


def bank(c):
    to_mel, to_hz = (htk_mel, htk_hz) if c.get("htk") else (slaney_mel, slaney_hz)
    rate = c.get("bank_rate", c["rate"])
    fmin, fmax = (np.float64(c[f] * rate / c["rate"]) for f in ("fmin", "fmax"))
    edges = to_hz(np.linspace(to_mel(fmin), to_mel(fmax), c["n_mels"] + 2))
    hz = np.arange(c["n_fft"] // 2 + 1) * (rate / c["n_fft"])
    rows = []
    for lo, mid, hi in zip(edges, edges[1:], edges[2:]):
        rows.append(np.interp(hz, [lo, mid, hi], [0, 1, 0], left=0, right=0) * (1 if c.get("raw") else 2 / (hi - lo)))
    return np.array(rows)


def padding(c):
    return c["n_fft"] // 2 if c.get("centre") else (c["n_fft"] - c["hop"]) // 2


def frame_count(samples, c, mode=None):
    """0 where the padding, which takes that many samples beside the edge one, or a whole transform cannot be had."""
    pad, mode = padding(c), mode or c.get("mode", "reflect")
    if mode == "reflect" and samples <= pad or samples + 2 * pad < c["n_fft"]:
        return 0
    return 1 + (samples + 2 * pad - c["n_fft"]) // c["hop"] - c.get("short", False)


def finish(bands, c):
    """Of linear mels, row by row."""
    if c.get("coqui"):
        decibels = 20 * np.log10(np.maximum(bands, 1e-8)) - 20
        return np.clip(2 * 4 * ((decibels + 100) / 100) - 4, -4, 4)
    floor = c.get("floor", 1e-5)
    logs = np.log(bands + floor if c.get("add") else np.maximum(bands, floor))
    return (logs * c.get("scale", 1) + c.get("shift", 0)) / c.get("norms", 1)


def mel(pcm, c, mode=None, frames=None):
    """The frames asked for, or all."""
    mode = mode or c.get("mode", "reflect")
    y = np.pad(pcm, padding(c), mode=mode)
    window = np.zeros(c["n_fft"])
    start = (c["n_fft"] - c["win"]) // 2
    window[start:start + c["win"]] = np.sin(np.pi * np.arange(c["win"]) / (c["win"] - c.get("symmetric", False))) ** 2
    weights = bank(c)
    out = []
    for f in range(frame_count(len(pcm), c, mode)) if frames is None else frames:
        spectrum = np.fft.rfft(y[f * c["hop"]:][:c["n_fft"]] * window)
        power = np.maximum(spectrum.real ** 2 + spectrum.imag ** 2 + c.get("epsilon", 0), c.get("least", 0))
        out.append(finish(weights @ (power if c.get("power") else np.sqrt(power)), c))
    return np.array(out).reshape(-1, c["n_mels"])


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
    "short-window": (dict(rate=16000, n_fft=512, hop=160, win=400, n_mels=40, fmin=50.0, fmax=7600.0, epsilon=1e-9),
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


EDGE = 2100  # samples of a signal: enough to be reflected around a transform of 4096
LENGTHS = 1, 383, 384, 385, 512, 513, 1023, 1024, 2048, 2049


def edges(rate):
    """Signals that speech has not, each EDGE samples long. Parts of the last one are the short clips."""
    t = np.arange(EDGE) / rate
    impulse = np.zeros(EDGE)
    impulse[700] = -1
    return {
        "silence": np.zeros(EDGE),
        "dc": np.full(EDGE, 0.5),
        "square": np.where(np.arange(EDGE) // 50 % 2 == 0, 1.0, -1.0),
        "alternating": np.where(np.arange(EDGE) % 2 == 0, 1.0, -1.0),
        "tone": 0.5 * np.sin(2 * np.pi * 440 * t),
        "tone-on-bin": np.sin(2 * np.pi * 100 / 1024 * np.arange(EDGE)),
        "quiet-tone": 1e-4 * np.sin(2 * np.pi * 3000 * t),
        "impulse": impulse,
        "chirp": 0.7 * np.sin(2 * np.pi * (60 * t + 0.5 * 10_000 / t[-1] * t ** 2)),
    }


class Rows:
    """Frames for variants.f64 and the lines that tell where they are."""

    def __init__(self):
        self.rows, self.lines, self.count = [], [], 0

    def add(self, variant, clip, pcm, step, mode=None):
        c = VARIANTS[variant]
        mode = mode or c.get("mode", "reflect")
        frames = frame_count(len(pcm), c, mode)
        kept = range(0, frames, step)
        self.lines.append("\t".join(map(str, (variant, clip, len(pcm), mode, frames, step, self.count, len(kept)))) + "\n")
        if kept:
            self.rows.append(mel(pcm, c, mode, kept))
            self.count += len(kept)

    def write(self, out):
        np.concatenate(self.rows).astype("<f8").tofile(os.path.join(out, "variants.f64"))
        with open(os.path.join(out, "variants.tsv"), "w") as f:
            f.writelines(self.lines)


def variants(out, corpora):
    path = os.path.join(out, "edges.wav")
    made = edges(SPEECH["rate"])
    if not os.path.exists(path):
        write_wav(path, np.concatenate(list(made.values())), SPEECH["rate"])
    signals = read_wav(path)
    whole, rows = read_wav(os.path.join(out, "mixed.wav")), Rows()
    for variant, c in VARIANTS.items():
        other = variant != "hifigan"  # whose mixed and real clips have files of their own
        if other:
            rows.add(variant, "mixed", whole, 8 * 256 // c["hop"])
        at = 0
        for name, values in made.items():
            part = signals[at:at + len(values)]
            clip, at = "edges:%s:%d" % (name, at), at + len(values)
            rows.add(variant, clip, part, 3)
        for length in LENGTHS:
            for mode in ("reflect", "constant", "edge") if variant in ("hifigan", "tacotron2", "nemo") else (c.get("mode", "reflect"),):
                frames = frame_count(length, c, mode)
                rows.add(variant, clip, part[:length], max(frames - 1, 1), mode)
        if corpora and other:
            for name in clips(corpora):
                rows.add(variant, "ljspeech-32/" + name, read_wav(clip_path(corpora, name)), 256 * 256 // c["hop"])
    rows.write(out)


def clips(corpora):
    return sorted(name[:-4] for name in os.listdir(os.path.join(corpora, "ljspeech-32", "wavs")) if name.endswith(".wav"))


def clip_path(corpora, name):
    return os.path.join(corpora, "ljspeech-32", "wavs", name + ".wav")


def main(out, corpora=None):
    for name, (config, make) in CASES.items():
        path = os.path.join(out, name + ".wav")
        if not os.path.exists(path):
            write_wav(path, make(config["rate"], np.random.default_rng(1)), config["rate"])
        mel(read_wav(path), config).astype("<f8").tofile(os.path.join(out, name + ".f64"))
    variants(out, corpora)
    if corpora is None:
        return
    rows, lines = [], []
    for name in clips(corpora):
        pcm = read_wav(clip_path(corpora, name))
        frames = frame_count(len(pcm), HIFIGAN)
        kept = mel(pcm, HIFIGAN, frames=range(0, frames, STEP))
        lines.append("%s\t%d\t%d\t%d\t%d\n" % (name, len(pcm), frames, sum(map(len, rows)), len(kept)))
        rows.append(kept)
    np.concatenate(rows).astype("<f8").tofile(os.path.join(out, "ljspeech-32.f64"))
    with open(os.path.join(out, "ljspeech-32.tsv"), "w") as f:
        f.writelines(lines)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
