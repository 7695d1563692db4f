"""HiFi-GAN: train.py of jik876/hifi-gan, as the package hifi-gan has it."""

import json

from harness import Differences

PACKAGES = ["hifi_gan"]
DIFFS = ["hifigan.diff", "hifigan.today.diff"]
CONFIG = """data:
  normalize_audio: true
  peak_db: -0.4455  # 0.95 of full scale
  features: [pcm]
  columns:
    mel_loss: {feature: mel, fmax: 11025}  # fmax_for_loss: null
feed:
  extra: [piece_mel, piece_mel_loss]
"""
# config_v3.json with a narrow generator; the discriminators have no settings
SETTINGS = {"resblock": "2", "num_gpus": 0, "batch_size": 3, "learning_rate": 0.0002, "adam_b1": 0.8, "adam_b2": 0.99, "lr_decay": 0.999, "seed": 1234,
            "upsample_rates": [8, 8, 4], "upsample_kernel_sizes": [16, 16, 8], "upsample_initial_channel": 32, "resblock_kernel_sizes": [3, 5, 7],
            "resblock_dilation_sizes": [[1, 2], [2, 6], [3, 12]], "segment_size": 2048, "num_mels": 80, "num_freq": 1025, "n_fft": 1024, "hop_size": 256,
            "win_size": 1024, "sampling_rate": 22050, "fmin": 0, "fmax": 8000, "fmax_for_loss": None, "num_workers": 0}


def run(place):
    place.build(CONFIG)
    return [*same(place), place.resumes(*commands(place), kept=4)]


def same(place):
    """The mels and samples of whole clips beside MelDataset's, and the mel of crops beside that of the cropped samples."""
    from hifi_gan.meldataset import MelDataset, mel_spectrogram
    def settings(*names):
        return [SETTINGS[name] for name in names]
    ofset = settings("segment_size", "n_fft", "num_mels", "hop_size", "win_size", "sampling_rate", "fmin", "fmax")
    ofmel = settings("n_fft", "num_mels", "sampling_rate", "hop_size", "win_size", "fmin", "fmax")
    wavs = [str(place.data / "wavs" / f"{id}.wav") for id in place.rows]
    mels, samples = Differences("mel", 5e-3, 1e-5), Differences("samples", 2e-5, 1e-5)
    for row, (mel, audio, name, _) in zip(place.rows.values(), MelDataset(wavs, *ofset, split=False, shuffle=False, n_cache_reuse=0)):
        mels.add(row.mel.T, mel)
        samples.add(row.pcm[: len(audio)] / 32768, audio)
    inner = Differences("inner frames of crops", 0.5, 1e-2)
    pieces, losses = Differences("piece_mel", 5e-3, 1e-5), Differences("piece_mel_loss", 5e-3, 1e-5)
    batch = place.batch(batch_size=8, segment=32)
    for mel, piece, loss, pcm in zip(batch.mel, batch.piece_mel, batch.piece_mel_loss, batch.pcm / 32768):
        whole = mel_spectrogram(pcm[None], *ofmel)[0]
        inner.add(mel.T[:, 2:-2], whole[:, 2:-2])
        pieces.add(piece.T, whole)
        losses.add(loss.T, mel_spectrogram(pcm[None], *ofmel[:-1], SETTINGS["fmax_for_loss"])[0])
    return [mels.said(), samples.said(), inner.said(), pieces.said(), losses.said()]


def commands(place):
    names = "".join(f"{id}|\n" for id in place.rows)
    for name, settings in ("files.txt", names), ("config.json", json.dumps(SETTINGS)):
        (place.folder / name).write_text(settings)
    def command(to, every):
        return ["hifi_gan.train", "--input_wavs_dir", place.data / "wavs", "--input_training_file", "files.txt", "--input_validation_file", "files.txt",
                "--config", "config.json", "--training_epochs", 2, "--checkpoint_path", to, "--checkpoint_interval", every, "--stdout_interval", 1]
    return command("uninterrupted", 1000), command("interrupted", 3)
