#!/usr/bin/env python3
"""One peer's mel, in a process of its own.

    mel.py PEER CORPUS CLIPS

The first CLIPS clips of CORPUS are decoded into memory first. Each line on
stdin is answered by one line of JSON on stdout, as bench/mel does:

    lap SECONDS      whole passes over the clips, from PCM in memory to log-mel
                     in a NumPy array, until so many seconds are over
    write DIR FILE   the frames of all clips of another corpus, float32
    versions         of the packages in use

A pass goes untimed before the first answer. A peer is called once a clip, as
its users do. The array it returns counts as the end: copying it into a block of
fixed shape, which voxpack's own figure contains, is left out here.
"""

import importlib.metadata
import json
import platform
import sys
import time

import numpy as np

import reference as ref


def hifigan():
    """What HiFi-GAN, VITS and Piper do, step by step as they do it."""
    import torch
    bank, window = torch.from_numpy(ref.bank().astype(np.float32)), torch.hann_window(ref.N_FFT)

    def mel(pcm):
        y = torch.from_numpy(pcm).unsqueeze(0)
        y = torch.nn.functional.pad(y.unsqueeze(1), (ref.PAD, ref.PAD), mode="reflect").squeeze(1)
        parts = torch.view_as_real(torch.stft(y, ref.N_FFT, hop_length=ref.HOP, win_length=ref.N_FFT, window=window, center=False,
                                              normalized=False, onesided=True, return_complex=True))
        magnitude = torch.sqrt(parts.pow(2).sum(-1) + 1e-9)
        return torch.log(torch.clamp(torch.matmul(bank, magnitude), min=ref.FLOOR)).squeeze(0).numpy()
    return mel


def torch_careful():
    """The same in fewer passes over memory: complex magnitude, steps in place, no gradients."""
    import torch
    bank, window = torch.from_numpy(ref.bank().astype(np.float32)), torch.hann_window(ref.N_FFT)

    @torch.inference_mode()
    def mel(pcm):
        y = torch.nn.functional.pad(torch.from_numpy(pcm).view(1, 1, -1), (ref.PAD, ref.PAD), mode="reflect").view(-1)
        magnitude = torch.stft(y, ref.N_FFT, ref.HOP, window=window, center=False, return_complex=True).abs()
        return torch.mm(bank, magnitude).clamp_(min=ref.FLOOR).log_().numpy()
    return mel


def torchaudio():
    import torch
    from torchaudio.transforms import MelSpectrogram
    transform = MelSpectrogram(ref.RATE, n_fft=ref.N_FFT, hop_length=ref.HOP, f_min=0.0, f_max=ref.FMAX, n_mels=ref.BANDS, power=1.0,
                               center=False, norm="slaney", mel_scale="slaney")

    @torch.inference_mode()
    def mel(pcm):
        y = torch.nn.functional.pad(torch.from_numpy(pcm).view(1, 1, -1), (ref.PAD, ref.PAD), mode="reflect").view(-1)
        return transform(y).clamp_(min=ref.FLOOR).log_().numpy()
    return mel


def librosa_mel():
    import librosa

    def mel(pcm):
        m = librosa.feature.melspectrogram(y=np.pad(pcm, ref.PAD, mode="reflect"), sr=ref.RATE, n_fft=ref.N_FFT, hop_length=ref.HOP,
                                           center=False, power=1.0, n_mels=ref.BANDS, fmin=0.0, fmax=ref.FMAX)
        return np.log(np.maximum(m, ref.FLOOR))
    return mel


def librosa_stft():
    """librosa.stft and a filter bank that is made once, as Coqui's AudioProcessor has it."""
    import librosa
    bank = librosa.filters.mel(sr=ref.RATE, n_fft=ref.N_FFT, n_mels=ref.BANDS, fmin=0.0, fmax=ref.FMAX)

    def mel(pcm):
        spectrum = librosa.stft(np.pad(pcm, ref.PAD, mode="reflect"), n_fft=ref.N_FFT, hop_length=ref.HOP, center=False)
        return np.log(np.maximum(bank @ np.abs(spectrum), ref.FLOOR))
    return mel


def scipy_hand():
    """Hand-written: frames as a view, SciPy's float32 FFT over runs of frames that stay in the cache, steps in place."""
    import scipy.fft
    bank = np.ascontiguousarray(ref.bank().T, np.float32)
    top = np.flatnonzero(bank.any(axis=1))[-1] + 1  # no band reads what lies above
    bank, window = bank[:top], ref.window().astype(np.float32)
    run = 128

    def mel(pcm):
        views = np.lib.stride_tricks.sliding_window_view(np.pad(pcm, ref.PAD, mode="reflect"), ref.N_FFT)[::ref.HOP]
        out = np.empty((len(views), ref.BANDS), np.float32)
        for at in range(0, len(views), run):
            part = out[at:at + run]
            spectrum = scipy.fft.rfft(views[at:at + run] * window, overwrite_x=True)
            np.matmul(np.abs(spectrum[:, :top]), bank, out=part)
            np.log(np.maximum(part, ref.FLOOR, out=part), out=part)
        return out.T
    return mel


# Name: what makes the function PCM float32[samples] -> float32[BANDS, frames], and its epsilon.
MELS = {
    "hifigan": (hifigan, 1e-9),
    "torch-careful": (torch_careful, 0.0),
    "torchaudio": (torchaudio, 0.0),
    "librosa": (librosa_mel, 0.0),
    "librosa-stft": (librosa_stft, 0.0),
    "scipy": (scipy_hand, 0.0),
}


def make(name):
    """The function of a peer, with as many threads as OMP_NUM_THREADS says."""
    mel = MELS[name][0]()
    if "torch" in sys.modules:
        import os
        import torch
        torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    return mel


PACKAGES = ("numpy", "scipy", "torch", "torchaudio", "librosa", "soundfile", "inflect", "unidecode", "mosaicml-streaming", "webdataset",
            "array_record")
MODULES = {"mosaicml-streaming": "streaming"}


def versions():
    """Of Python and of the packages that this process has imported."""
    found = {p: importlib.metadata.version(p) for p in PACKAGES if MODULES.get(p, p) in sys.modules}
    return dict(found, python=platform.python_version())


def lap(mel, clips, seconds):
    frames, took = 0, 0.0
    cpu, start = time.process_time(), time.perf_counter()
    while took < seconds:
        for pcm in clips:
            frames += mel(pcm).shape[1]
        took = time.perf_counter() - start
    return {"frames": frames, "seconds": took, "cpu_seconds": time.process_time() - cpu}


def write(mel, corpus, path):
    frames = 0
    with open(path, "wb") as f:
        for name, _ in ref.rows(corpus):
            out = mel(ref.clip(corpus, name))
            f.write(np.ascontiguousarray(out.T, "<f4").tobytes())
            frames += out.shape[1]
    return {"frames": frames}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in MELS:
        sys.exit(f"{__doc__}\nPEER: {', '.join(MELS)}")
    mel, corpus = make(sys.argv[1]), sys.argv[2]
    clips = [ref.clip(corpus, name) for name, _ in ref.rows(corpus, int(sys.argv[3]))]
    lap(mel, clips, 1e-9)
    for line in sys.stdin:
        verb, *words = line.split()
        if verb == "lap":
            answer = lap(mel, clips, float(words[0]))
        elif verb == "write":
            answer = write(mel, *words)
        else:
            answer = versions()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
