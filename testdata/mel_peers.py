#!/usr/bin/env python3
"""Compares the mels of package audio with those of torch, torchaudio and librosa, live.

Usage: mel_peers.py [CORPORA]

Run it in the repository with the packages of mel_requirements.txt and with go in PATH. The clips are mixed.wav and edges.wav of
golden/mel and, with CORPORA (the folder that holds ljspeech-32/), 32 real ones; VOXPACK_CORPORA may name that folder too. Package
audio writes its mels through a test of its own; each peer computes each variant as its users do; mel_reference.py gives the truth in
float64. All differences are in units of the natural logarithm, whatever the variant does to it afterwards.

It exits with 1 unless

- ours and each peer's differ by at most 2e-4 wherever the ln mel of a real clip is over -8, by 4e-4 where that of a made one is;
- ours in float64 is within 2e-6 of the truth everywhere;
- on the real clips ours in float32 is as near the truth as torch's: max <= 1.1 x its, mean and 99.99 % no worse.

Made clips have tones and squares of full scale beside bands that hold nothing: what stands there is each program's own noise.

torch's Fourier transform is MKL's, whose rounding depends on the processor. So that the last rule does not, MKL takes its COMPATIBLE
path, the only one that it has on every x86. Set MKL_CBWR=AVX512 to see another: the greatest difference, which is one value of
1,500,000, was then 9.1e-4 for hifigan instead of 1.16e-3 (ours 1.15e-3), the mean 9.9e-7 instead of 1.09e-6 (ours 8.9e-7).
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("MKL_CBWR", "COMPATIBLE")  # before torch is loaded

import librosa
import numpy as np
import torch
import torchaudio

import mel_reference as reference

HERE = pathlib.Path(__file__).resolve().parent
# The variants that are made of calls of torch, torchaudio and librosa; preset_peers.py holds the others against their models' code.
VARIANTS = {name: reference.VARIANTS[name] for name in ("hifigan", "vits", "tacotron2", "coqui-ap", "xtts-dvae", "xtts-clone")}
LEVEL = -8
NEAR_REAL, NEAR_MADE, NEAR_EXACT = 2e-4, 4e-4, 2e-6


def slaney_basis(c):
    """Of librosa, as all projects but XTTS take it; on HTK's scale where the variant has that one."""
    return librosa.filters.mel(sr=c["rate"], n_fft=c["n_fft"], n_mels=c["n_mels"], fmin=c["fmin"], fmax=c["fmax"], htk=c.get("htk", False))


def torch_finish(bands, c):
    if c.get("coqui"):
        return torch.clamp(8 * ((20 * torch.log10(torch.clamp(bands, min=1e-8)) - 20 + 100) / 100) - 4, -4, 4)
    norms = torch.from_numpy(np.broadcast_to(np.asarray(c.get("norms", 1), np.float32), c["n_mels"]).copy())
    return torch.log(torch.clamp(bands, min=1e-5)) / norms[:, None]


def by_torch(c):
    """torch.stft of a padded clip, the epsilon in the power as HiFi-GAN and VITS write it, the bank of librosa."""
    window, basis, pad = torch.hann_window(c["win"]), torch.from_numpy(slaney_basis(c)), reference.padding(c)

    def mel(pcm):
        y = torch.nn.functional.pad(torch.from_numpy(pcm)[None, None], (pad, pad), mode="reflect")[0, 0]
        s = torch.view_as_real(torch.stft(y, c["n_fft"], c["hop"], c["win"], window, center=False, return_complex=True))
        power = s.pow(2).sum(-1) + c.get("epsilon", 0)
        return torch_finish(basis @ (power if c.get("power") else power.sqrt()), c).numpy().T
    return mel


def by_convolution(c):
    """What Tacotron 2 does: a convolution with the rows of a Fourier matrix, each under the window."""
    basis, n, pad = torch.from_numpy(slaney_basis(c)), c["n_fft"], reference.padding(c)
    turns = np.outer(np.arange(n // 2 + 1), np.arange(n)) % n / n
    rows = np.concatenate([np.cos(2 * np.pi * turns), -np.sin(2 * np.pi * turns)]) * np.sin(np.pi * np.arange(n) / n) ** 2
    kernel = torch.from_numpy(rows.astype(np.float32))[:, None]

    def mel(pcm):
        y = torch.nn.functional.pad(torch.from_numpy(pcm)[None, None], (pad, pad), mode="reflect")
        real, imag = torch.nn.functional.conv1d(y, kernel, stride=c["hop"])[0].split(n // 2 + 1)
        return torch_finish(basis @ (real ** 2 + imag ** 2).sqrt(), c).numpy().T
    return mel


def by_torchaudio(c):
    """Its spectrogram and its bank, which it computes in float32; MelSpectrogram is these two."""
    window = dict(n_fft=c["n_fft"], hop_length=c["hop"], win_length=c["win"], power=2, center=False)
    spectrogram, pad = torchaudio.transforms.Spectrogram(**window), reference.padding(c)
    bank = torchaudio.transforms.MelScale(n_mels=c["n_mels"], sample_rate=c["rate"], f_min=c["fmin"], f_max=c["fmax"], n_stft=c["n_fft"] // 2 + 1,
                                          norm="slaney", mel_scale="htk" if c.get("htk") else "slaney")

    def mel(pcm):
        power = spectrogram(torch.nn.functional.pad(torch.from_numpy(pcm)[None], (pad, pad), mode="reflect"))[0] + c.get("epsilon", 0)
        return torch_finish(bank(power if c.get("power") else power.sqrt()), c).numpy().T
    return mel


def by_librosa(c):
    """librosa.stft and NumPy, as Coqui's AudioProcessor has it."""
    basis, pad = slaney_basis(c), reference.padding(c)

    def mel(pcm):
        s = librosa.stft(np.pad(pcm, pad, mode="reflect"), n_fft=c["n_fft"], hop_length=c["hop"], win_length=c["win"], center=False)
        power = s.real ** 2 + s.imag ** 2 + np.float32(c.get("epsilon", 0))
        bands = basis @ (power if c.get("power") else np.sqrt(power))
        if c.get("coqui"):
            return np.clip(8 * ((20 * np.log10(np.maximum(1e-8, bands)) - 20 + 100) / 100) - 4, -4, 4).T
        return np.log(np.maximum(1e-5, bands)).T / np.asarray(c.get("norms", 1), np.float32)
    return mel


PEERS = {"torch": by_torch, "torchaudio": by_torchaudio, "librosa": by_librosa}


def logarithm(values, c):
    """Takes back what a variant does to the logarithm; what it has clipped stays at the clip."""
    values = np.asarray(values, np.float64)
    if c.get("coqui"):
        return (values - 2.4) * np.log(10) / 1.6
    return values * c.get("norms", 1)


def ours(clips):
    """{variant, precision: float32[frames, bands] of all clips, one after the other}, by a test of package audio."""
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "clips.txt").write_text("".join("%s\n" % c for c in clips))
        env = dict(os.environ, VOXPACK_WRITE_MELS=folder)
        test = subprocess.run(["go", "test", "./audio", "-count=1", "-run", "^TestWriteMelsForPeers$"], cwd=HERE.parent, env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if test.returncode:
            sys.exit("package audio did not write its mels:\n" + test.stdout)
        for variant in VARIANTS:
            for precision in ("f32", "f64"):
                out[variant, precision] = np.fromfile(os.path.join(folder, variant + "." + precision), "<f4").reshape(-1, 80)
    return out


class Report:
    """Prints one line a comparison and counts those that are over their limit."""

    def __init__(self):
        self.failures = 0
        print("%-11s %-5s %-27s %9s %9s %9s %9s  %s" % ("variant", "clips", "difference of", "max", "mean", "99.99 %", "over %d" % LEVEL, ""))

    def line(self, variant, clips, what, d, truth):
        """d: absolute differences. Returns max, mean, 99.99 % and the greatest over LEVEL."""
        loud = d[truth > LEVEL]
        s = d.max(), d.mean(), np.quantile(d, 0.9999), loud.max() if loud.size else 0.0
        print("%-11s %-5s %-27s %9.2e %9.2e %9.2e %9.2e  " % (variant, clips, what, *s), end="")
        return s

    def judge(self, *complaints):
        complaints = [text for wrong, text in complaints if wrong]
        self.failures += len(complaints)
        print("; ".join("FAILED: " + text for text in complaints))


def compare(report, variant, kind, mels, pcms):
    """One variant on one kind of clips: every peer and ourselves against the truth, every peer against ourselves."""
    c = VARIANTS[variant]
    truth = logarithm(np.concatenate([reference.mel(p, c) for p in pcms]), c)
    fast, exact = logarithm(mels["f32"], c), logarithm(mels["f64"], c)
    s = report.line(variant, kind, "ours f64 from the truth", abs(exact - truth), truth)
    report.judge((s[0] > NEAR_EXACT, "over %g" % NEAR_EXACT))
    own = report.line(variant, kind, "ours f32 from the truth", abs(fast - truth), truth)
    report.judge()
    peers = dict(PEERS, **({"Tacotron 2": by_convolution} if variant == "tacotron2" else {}))
    for name, make in peers.items():
        function = make(c)
        theirs = logarithm(np.concatenate([function(p.astype(np.float32)) for p in pcms]), c)
        s = report.line(variant, kind, name + " from the truth", abs(theirs - truth), truth)
        held = name == "torch" and kind == "real"
        report.judge((held and own[0] > 1.1 * s[0], "our max is over 1.1 x this"), (held and own[1] > s[1], "our mean is greater"),
                     (held and own[2] > s[2], "our 99.99 % is greater"))
        near = NEAR_REAL if kind == "real" else NEAR_MADE
        s = report.line(variant, kind, "ours f32 from " + name, abs(theirs - fast), truth)
        report.judge((s[3] > near, "over %g where ln mel > %d" % (near, LEVEL)))


def main(corpora=None):
    golden = HERE / "golden" / "mel"
    clips = {"made": [golden / "mixed.wav", golden / "edges.wav"]}
    if corpora:
        clips["real"] = [reference.clip_path(os.path.abspath(corpora), name) for name in reference.clips(corpora)]
    else:
        print("NOTICE: no real clips: CORPORA is not given")
    everything = [path for paths in clips.values() for path in paths]
    mels, report, pcms = ours(everything), Report(), {path: reference.read_wav(str(path)) for path in everything}
    for variant, c in VARIANTS.items():
        at = 0
        for kind, paths in clips.items():
            frames = sum(reference.frame_count(len(pcms[path]), c) for path in paths)
            compare(report, variant, kind, {p: mels[variant, p][at:at + frames] for p in ("f32", "f64")}, [pcms[path] for path in paths])
            at += frames
        if at != len(mels[variant, "f32"]):
            sys.exit("%s: package audio gave %d frames, want %d" % (variant, len(mels[variant, "f32"]), at))
    print("torch %s, torchaudio %s, librosa %s, NumPy %s" % (torch.__version__, torchaudio.__version__, librosa.__version__, np.__version__))
    if report.failures:
        sys.exit("%d comparisons FAILED" % report.failures)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    # Empty triangles, which librosa warns of, are an error of MelConfig.Check; none of these variants has one.
    warnings.filterwarnings("error", message="Empty filters")
    torch.set_grad_enabled(False)
    main(*(sys.argv[1:] or filter(None, [os.environ.get("VOXPACK_CORPORA")])))
