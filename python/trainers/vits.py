"""VITS: the model, the training step and the Trainer of coqui-tts. Run as a program, `vits.py DATASET FOLDER`, this is the
recipe for it, which goes on where the folder has a checkpoint."""

import json
import pathlib
import sys

PACKAGES = ["TTS"]
DIFFS = ["vits.diff"]
CONFIG = """data:
  mel_variant: vits
  fmax: 11025
  features: [linear, pcm]
  verbalise: false
  case: lower
  add_blank: true
  blank_symbol: <BLNK>
  pad_symbol: <PAD>
  symbols: %s
"""


def settings(data):
    """A small model."""
    from TTS.tts.configs.shared_configs import BaseDatasetConfig
    from TTS.tts.configs.vits_config import VitsConfig
    from TTS.tts.models.vits import VitsArgs
    args = VitsArgs(hidden_channels=32, hidden_channels_ffn_text_encoder=64, num_layers_text_encoder=1, num_layers_flow=1, num_layers_posterior_encoder=2,
                    upsample_initial_channel_decoder=32, spec_segment_size=8)
    return VitsConfig(model_args=args, batch_size=3, epochs=2, run_eval=False, test_delay_epochs=100, save_step=3, save_best_after=1000, print_step=1,
                      text_cleaner="basic_cleaners", datasets=[BaseDatasetConfig(path=data, formatter="ljspeech")])


def train(data, output):
    from TTS.tts.models.vits import Vits
    import coqui
    coqui.train(Vits, settings(data), output)


def run(place):
    from TTS.tts.utils.text.tokenizer import TTSTokenizer
    place.build(CONFIG % json.dumps(TTSTokenizer.init_from_config(settings(""))[0].characters.vocab))
    return [*same(place), place.resumes([__file__, place.data, "uninterrupted"], [__file__, place.data, "interrupted"], kept=4)]


def same(place):
    """Spectrograms, mels, samples and ids beside what VitsDataset reads and the model computes of it."""
    from harness import Differences, Failed, recording
    from TTS.tts.datasets.formatters import ljspeech
    from TTS.tts.models import vits
    from TTS.tts.utils.text.tokenizer import TTSTokenizer
    from TTS.utils.audio.torch_transforms import spec_to_mel, wav_to_spec

    vits.torchaudio.load = recording
    config = settings(str(place.data))
    items = [dict(item, language="", audio_unique_name=item["audio_file"]) for item in ljspeech(str(place.data), "metadata.csv")]
    items.sort(key=lambda item: list(place.rows).index(pathlib.Path(item["audio_file"]).stem))
    tokenizer, config = TTSTokenizer.init_from_config(config)
    theirs = vits.VitsDataset(config.model_args, samples=items, tokenizer=tokenizer, batch_group_size=0, min_text_len=0, max_text_len=1000,
                              min_audio_len=0, max_audio_len=10**9, phoneme_cache_path=None, precompute_num_workers=0)
    audio = config.audio
    specs, mels, samples = Differences("spectrogram", 5e-4, 5e-6), Differences("mel", 5e-3, 1e-5), Differences("samples", 0, 0)
    for (id, row), item in zip(place.rows.items(), theirs):
        if row.tokens.tolist() != list(item["token_ids"]):
            raise Failed(f"{id}: ids {row.tokens.tolist()}, theirs are {item['token_ids']}")
        spec = wav_to_spec(item["wav"], audio.fft_size, audio.hop_length, audio.win_length)
        specs.add(row.linear.T, spec[0])
        mels.add(row.mel.T, spec_to_mel(spec, audio.fft_size, audio.num_mels, audio.sample_rate, audio.mel_fmin, audio.mel_fmax)[0])
        samples.add(row.pcm[: row.pcm_len] / 32768, item["wav"][0])
    return [f"ids equal in {len(theirs)} of {len(theirs)}", specs.said(), mels.said(), samples.said()]


if __name__ == "__main__":
    train(*sys.argv[1:])
