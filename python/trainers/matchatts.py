"""Matcha-TTS: the model, the LightningDataModule and the training step of matcha-tts, under Lightning. Run as a program, `matchatts.py
DATASET FOLDER`, this is train.py of that package without Hydra, which goes on where the folder has a checkpoint."""

import json
import os
import shutil
import sys
import types

import harness

PACKAGES = ["matcha"]
DIFFS = ["matchatts.diff"]
CONFIG = """data:
  verbalise: false
  case: lower
  add_blank: true
  pad_symbol: _
  blank_symbol: _
  symbols: %s
"""
AUDIO = {"n_fft": 1024, "n_feats": 80, "sample_rate": 22050, "hop_length": 256, "win_length": 1024, "f_min": 0.0, "f_max": 8000}


def settings(**values):
    return types.SimpleNamespace(**{k: settings(**v) if isinstance(v, dict) else v for k, v in values.items()})


def data(files):
    from matcha.data.text_mel_datamodule import TextMelDataModule
    return TextMelDataModule("bundled", files, files, 3, 0, False, ["basic_cleaners"], True, 1, **AUDIO, data_statistics=None, seed=1, load_durations=False)


def train(store, output):
    import functools
    import lightning
    import torch
    from matcha.models.matcha_tts import MatchaTTS
    torch.manual_seed(1)
    shape = {"n_feats": 80, "n_channels": 32, "filter_channels": 64, "filter_channels_dp": 32, "n_heads": 2, "n_layers": 1, "kernel_size": 3, "p_dropout": 0.1,
             "spk_emb_dim": 64, "n_spks": 1, "prenet": True}
    encoder = settings(encoder_type="RoPE Encoder", encoder_params=shape, duration_predictor_params={"filter_channels_dp": 32, "kernel_size": 3, "p_dropout": 0.1})
    decoder = {"channels": [32, 32], "dropout": 0.05, "attention_head_dim": 16, "n_blocks": 1, "num_mid_blocks": 1, "num_heads": 1, "act_fn": "snakebeta"}
    model = MatchaTTS(178, 1, 64, 80, encoder, decoder, settings(name="CFM", solver="euler", sigma_min=1e-4), None, None, functools.partial(torch.optim.Adam, lr=1e-4))
    saved = lightning.pytorch.callbacks.ModelCheckpoint(output, every_n_train_steps=4, save_top_k=1, save_last=True)
    trainer = lightning.Trainer(accelerator="cpu", max_epochs=2, logger=False, callbacks=[saved], enable_progress_bar=False, limit_val_batches=0)
    kept = os.path.join(output, "last.ckpt")
    trainer.fit(model, datamodule=data(os.path.join(store, "files.txt")), ckpt_path=kept if os.path.exists(kept) else None, weights_only=False)


def run(place):
    if shutil.which("espeak-ng") is None:
        raise harness.Left("no espeak-ng, which its module of cleaners loads")
    from matcha.text.symbols import symbols
    place.build(CONFIG % json.dumps(symbols))
    return [*same(place), place.resumes([__file__, place.data, "uninterrupted"], [__file__, place.data, "interrupted"], kept=4)]


def same(place):
    """Mels and ids beside those of its TextMelDataset."""
    from matcha.data import text_mel_datamodule

    text_mel_datamodule.ta.load = harness.recording
    lines = [line.split("|") for line in (place.data / "metadata.csv").read_text().splitlines()]
    known = set(text_mel_datamodule.text_to_sequence.__globals__["_symbol_to_id"])  # theirs stops at any other
    plain = ["".join(c for c in text.lower() if c in known) for _, _, text in lines]
    (place.data / "files.txt").write_text("".join(f"{place.data}/wavs/{id}.wav|{text}\n" for (id, _, _), text in zip(lines, plain)))
    module, mels = data(str(place.data / "files.txt")), harness.Differences("mel", 5e-3, 1e-5)
    module.setup()
    for item in module.trainset:
        id = os.path.basename(item["filepath"])[:-4]
        if place.rows[id].tokens.tolist() != item["x"].tolist():
            raise harness.Failed(f"{id}: ids {place.rows[id].tokens.tolist()}, theirs are {item['x'].tolist()}")
        mels.add(place.rows[id].mel.T, item["y"])
    return [f"ids equal in {len(lines)} of {len(lines)}", mels.said()]


if __name__ == "__main__":
    train(*sys.argv[1:])
