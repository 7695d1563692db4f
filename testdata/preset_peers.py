#!/usr/bin/env python3
"""Holds each preset of the config against the code that defines it, live.

Usage: preset_peers.py CORPORA

CORPORA is the folder that holds ljspeech-32/, whose 32 clips are compared. Package settings writes, through a test of its own, what
a config with the preset makes of each clip: the samples at the preset's rate and their mels. The defining code gets the same
samples. It is taken out of the packages of preset_requirements.txt as they are published: the named functions and classes alone, so
that nothing else of those packages, and nothing that they need, has to be there. ParallelWaveGAN's package cannot be installed; its
logmelfilterbank is the two calls of librosa below (parallel_wavegan/bin/preprocess.py, 8674037).

Differences are in units of the natural logarithm, whatever the model does to it, of the loudness in decibels. The clips have 22,050 Hz,
so that a preset of a higher rate has bands that hold nothing but each program's own noise: these are where the greatest ones are. It exits with 1 unless

- frames are as many as the model's;
- the mels of either precision differ from the model's by at most 3e-4 wherever the ln mel, as of a band of area 1, is over -8;
- the mean of these differences there is below 5e-6;
- the gain of each clip, what was held back added, is as near to the model's as LEVELS says.
"""
import ast
import importlib.metadata
import importlib.util
import logging
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import types
import typing
import warnings

import librosa
import numpy as np
import torch
import torchaudio

import mel_reference as reference

HERE = pathlib.Path(__file__).resolve().parent
LEVEL, NEAR, MEAN = -8, 3e-4, 5e-6


def defined(file, *names, **more):
    """The top-level definitions of those names in a file of an installed package, run without its imports."""
    package, rest = file.split("/", 1)
    path = pathlib.Path(importlib.util.find_spec(package).submodule_search_locations[0], rest)
    space = dict(vars(typing), torch=torch, torchaudio=torchaudio, librosa=librosa, np=np, nn=torch.nn, math=math, random=random,
                 logging=logging, librosa_mel_fn=librosa.filters.mel, typechecked=lambda f: f)
    space.update(more)
    found = set()
    for node in ast.parse(path.read_text()).body:
        has = {node.name} if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else set()
        if isinstance(node, ast.Assign):
            has = {n.id for target in node.targets for n in ast.walk(target) if isinstance(n, ast.Name)}
        if has & set(names):
            exec(compile(ast.Module([node], []), str(path), "exec"), space)
            found |= has
    missing = set(names) - found
    if missing:
        sys.exit("%s has no %s" % (path, ", ".join(sorted(missing))))
    return types.SimpleNamespace(**{name: space[name] for name in names})


# Each of these gives a function of samples, float32[n], that returns the model's mel as float32[frames, bands].


def bigvgan(*settings):
    """settings: n_fft, num_mels, sampling_rate, hop_size, win_size, fmin, fmax of the json of a checkpoint."""
    d = defined("bigvgan/meldataset.py", "mel_basis_cache", "hann_window_cache", "dynamic_range_compression_torch",
                "spectral_normalize_torch", "mel_spectrogram")
    return lambda pcm: d.mel_spectrogram(torch.from_numpy(pcm)[None], *settings)[0].numpy().T


def vocos():
    log = defined("vocos/modules.py", "safe_log")
    d = defined("vocos/feature_extractors.py", "FeatureExtractor", "MelSpectrogramFeatures", safe_log=log.safe_log)
    features = d.MelSpectrogramFeatures(sample_rate=24000, n_fft=1024, hop_length=256, n_mels=100, padding="center")
    return lambda pcm: features(torch.from_numpy(pcm)[None])[0].numpy().T


def f5(kind):
    cache = kind.replace("get_", "").replace("spectrogram", "stft_cache")
    caches = (cache,) if kind.startswith("get_vocos") else ("mel_basis_cache", "hann_window_cache")
    function = getattr(defined("f5_tts/model/modules.py", kind, *caches), kind)
    return lambda pcm: function(torch.from_numpy(pcm)[None])[0].numpy().T


def nemo(rate, n_fft, hop, highfreq, guard, exact_pad):
    d = defined("nemo/collections/asr/parts/preprocessing/features.py", "CONSTANT", "FilterbankFeatures")
    features = d.FilterbankFeatures(sample_rate=rate, n_window_size=n_fft, n_window_stride=hop, n_fft=n_fft, nfilt=80, lowfreq=0, highfreq=highfreq,
                                    window="hann", normalize=None, preemph=None, dither=0.0, frame_splicing=1, log=True, log_zero_guard_type=guard,
                                    log_zero_guard_value=1e-5, mag_power=1.0, pad_to=0 if exact_pad else 1, pad_value=-11.52 if exact_pad else 0,
                                    exact_pad=exact_pad).eval()

    def mel(pcm):
        out, length = features(torch.from_numpy(pcm)[None], torch.tensor([len(pcm)]))
        return out[0, :, :length[0]].numpy().T
    return mel


def parallel_wavegan(rate, n_fft, hop, win):
    basis = librosa.filters.mel(sr=rate, n_fft=n_fft, n_mels=80, fmin=80, fmax=7600)

    def mel(pcm):
        stft = librosa.stft(pcm, n_fft=n_fft, hop_length=hop, win_length=win, window="hann", pad_mode="reflect")
        return np.log10(np.maximum(1e-10, np.abs(stft).T @ basis.T))
    return mel


def espnet(rate, n_fft, hop, win):
    stft = defined("espnet2/layers/stft.py", "Stft", ComplexTensor=None, InversibleInterface=object, is_torch_1_10_plus=True).Stft
    logmel = defined("espnet2/layers/log_mel.py", "LogMel", make_pad_mask=lambda lengths, xs, dim: torch.zeros_like(xs, dtype=torch.bool)).LogMel
    features = defined("espnet2/tts/feats_extract/log_mel_fbank.py", "LogMelFbank", Stft=stft, LogMel=logmel, AbsFeatsExtract=torch.nn.Module).LogMelFbank(
        fs=rate, n_fft=n_fft, hop_length=hop, win_length=win)
    return lambda pcm: features(torch.from_numpy(pcm)[None])[0][0].numpy()


def styletts2():
    d = defined("styletts2/meldataset.py", "to_mel", "mean", "preprocess")
    return lambda pcm: d.preprocess(pcm)[0].numpy().T


BIG = "BigVGAN mel_spectrogram"
# preset: what it is held against, and the function of that
MELS = {
    "bigvgan-22khz": [(BIG, lambda: bigvgan(1024, 80, 22050, 256, 1024, 0, None))],
    "bigvgan-24khz": [(BIG, lambda: bigvgan(1024, 100, 24000, 256, 1024, 0, None)), ("F5-TTS get_bigvgan_mel…", lambda: f5("get_bigvgan_mel_spectrogram"))],
    "bigvgan-44khz": [(BIG, lambda: bigvgan(2048, 128, 44100, 512, 2048, 0, None))],
    "bigvgan-44khz-256x": [(BIG, lambda: bigvgan(1024, 128, 44100, 256, 1024, 0, None))],
    "vocos-24khz": [("Vocos MelSpectrogramFeatures", vocos)],
    "f5-tts": [("F5-TTS get_vocos_mel…", lambda: f5("get_vocos_mel_spectrogram"))],
    "nemo-22khz": [("NeMo FilterbankFeatures", lambda: nemo(22050, 1024, 256, 8000, "add", False))],
    "nemo-44khz": [("NeMo FilterbankFeatures", lambda: nemo(44100, 2048, 512, None, "add", False))],
    "nemo-hifigan-22khz": [("NeMo FilterbankFeatures", lambda: nemo(22050, 1024, 256, 8000, "clamp", True))],
    "nemo-hifigan-44khz": [("NeMo FilterbankFeatures", lambda: nemo(44100, 2048, 512, None, "clamp", True))],
    "parallel-wavegan-22khz": [("PWG logmelfilterbank", lambda: parallel_wavegan(22050, 1024, 256, None))],
    "parallel-wavegan-24khz": [("PWG logmelfilterbank", lambda: parallel_wavegan(24000, 2048, 300, 1200))],
    "espnet-22khz": [("ESPnet LogMelFbank", lambda: espnet(22050, 1024, 256, None))],
    "espnet-24khz": [("ESPnet LogMelFbank", lambda: espnet(24000, 2048, 300, 1200))],
    "styletts2": [("StyleTTS 2 preprocess", styletts2)],
}
# What NeMo masks at the end since 2.5, though exact_pad is there to keep it: the last of samples div hop frames.
MASKED = {"nemo-hifigan-22khz": 1, "nemo-hifigan-44khz": 1}


def logarithm(preset, values):
    values = np.asarray(values, np.float64)
    if preset.startswith(("parallel", "espnet")):
        return values * np.log(10)
    return 4 * (values - 1) if preset == "styletts2" else values


def level(preset, bands):
    """What brings the ln mel of each band to that of a band of area 1: nothing but for triangles of height 1."""
    if preset not in ("vocos-24khz", "f5-tts", "styletts2"):
        return 0
    edges = reference.htk_hz(np.linspace(0, reference.htk_mel(8000 if preset == "styletts2" else 12000), bands + 2))
    return np.log(2 / ((edges[2:] - edges[:-2]) * (1.5 if preset == "styletts2" else 1)))


# Each of these gives a function of samples that returns the gain of the model in decibels, without what is held back or clipped.


def audiocraft(rate):
    d = defined("audiocraft/data/audio_utils.py", "normalize_loudness")

    def gain(pcm):
        out = d.normalize_loudness(torch.from_numpy(pcm)[None], rate)[0].numpy()
        return 20 * np.log10(np.linalg.norm(out.astype(np.float64)) / np.linalg.norm(pcm.astype(np.float64)))
    return gain


def dac(rate):
    """Its VolumeNorm of -16 LUFS, which is a difference to what its Meter says."""
    import copy

    import julius
    import scipy.signal
    from torch.nn import functional
    meter = defined("audiotools/core/loudness.py", "Meter", copy=copy, julius=julius, scipy=scipy, F=functional).Meter(rate)
    return lambda pcm: -16 - meter.integrated_loudness(torch.from_numpy(pcm)[None, :, None]).item()


# presets, one of a rate among them: what they are held against, how near in decibels, and the function of that. The filters of both
# read some 0.05 dB more at these rates (audio/loudness.go); audiotools also counts the block that the end of a clip cuts short.
LEVELS = {
    "audiocraft-loudness, vocos-24khz": ("audiocraft normalize_loudness", 0.1, lambda: audiocraft(24000)),
    "audiocraft-loudness": ("audiocraft normalize_loudness", 0.1, lambda: audiocraft(22050)),
    "dac-loudness, bigvgan-44khz": ("audiotools Meter", 0.4, lambda: dac(44100)),
}


def ours(folder, clips):
    pathlib.Path(folder, "clips.txt").write_text("".join("%s\n" % c for c in clips))
    pathlib.Path(folder, "presets.txt").write_text("".join("%s\n" % p for p in [*MELS, *LEVELS]))
    test = subprocess.run(["go", "test", "./cmd/voxpack/internal/settings", "-count=1", "-run", "^TestWriteMelsOfPresets$"], cwd=HERE.parent,
                          env=dict(os.environ, VOXPACK_WRITE_PRESETS=folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if test.returncode:
        sys.exit("package settings did not write the mels:\n" + test.stdout)


def compare_mels(folder, preset):
    """Complaints of one preset."""
    def read(what):
        return np.fromfile(os.path.join(folder, preset + "." + what), "<f4")
    counts = np.loadtxt(os.path.join(folder, preset + ".counts"))[:, :2].astype(int)
    samples, complaints = np.split(read("after"), np.cumsum(counts[:, 0])[:-1]), []
    bands = len(read("f32")) // counts[:, 1].sum()
    mels = {p: np.split(read(p).reshape(-1, bands), np.cumsum(counts[:, 1])[:-1]) for p in ("f32", "f64")}
    for name, make in MELS[preset]:
        function = make()
        theirs = [function(pcm) for pcm in samples]
        masked = MASKED.get(preset, 0)
        if [len(mel) for mel in mels["f32"]] != [len(mel) + masked for mel in theirs]:
            complaints.append("%s has other frames" % name)
            continue
        want = logarithm(preset, np.concatenate(theirs))
        loud = want + level(preset, bands) > LEVEL
        for precision in mels:
            d = abs(logarithm(preset, np.concatenate([mel[:len(mel) - masked] for mel in mels[precision]])) - want)
            heard = d[loud]
            most, mean = heard.max(), heard.mean()
            print("%-23s %-29s %-4s %7d %9.2e %9.2e %9.2e %9.2e" % (preset, name, precision, len(want), d.max(), d.mean(), most, mean))
            if most > NEAR or mean > MEAN:
                complaints.append("%s: %s differs by over %g, or %g in the mean, where ln mel > %d" % (name, precision, NEAR, MEAN, LEVEL))
    return complaints


def compare_levels(folder, presets):
    counts = np.loadtxt(os.path.join(folder, presets + ".counts"))
    pcms = np.split(np.fromfile(os.path.join(folder, presets + ".before"), "<f4"), np.cumsum(counts[:, 0].astype(int))[:-1])
    name, near, make = LEVELS[presets]
    function = make()
    d = abs(counts[:, 2] + counts[:, 3] - [function(pcm) for pcm in pcms])
    held = counts[:, 3][counts[:, 3] > 0]
    print("%-34s %-28s %9.2e %9.2e %5d %8.2f" % (presets, name, d.max(), d.mean(), len(held), held.mean() if len(held) else 0))
    return ["%s: a gain differs by over %g dB" % (name, near)] if d.max() > near else []


def main(corpora):
    clips, complaints = [reference.clip_path(os.path.abspath(corpora), name) for name in reference.clips(corpora)], []
    with tempfile.TemporaryDirectory() as folder:
        ours(folder, clips)
        print("%-23s %-29s %-4s %7s %9s %9s %19s" % ("preset", "differs from", "ours", "frames", "max", "mean", "max, mean over %d" % LEVEL))
        for preset in MELS:
            complaints += ["%s: %s" % (preset, c) for c in compare_mels(folder, preset)]
        print("%-34s %-28s %9s %9s %5s %8s" % ("preset", "gain differs from", "max dB", "mean dB", "held", "by dB"))
        for presets in LEVELS:
            complaints += compare_levels(folder, presets)
    packages = [line.split("==")[0] for line in (HERE / "preset_requirements.txt").read_text().splitlines() if "==" in line]
    print(", ".join("%s %s" % (p, importlib.metadata.version(p)) for p in packages))
    if complaints:
        sys.exit("FAILED: " + "\n".join(complaints))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    torch.set_grad_enabled(False)
    warnings.filterwarnings("ignore", message="At least one mel filterbank has all zero values")
    if corpora := (sys.argv[1:] or [os.environ.get("VOXPACK_CORPORA")])[0]:
        main(corpora)
    else:
        print("NOTICE: CORPORA is not given: no presets compared")
