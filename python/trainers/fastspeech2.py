"""FastSpeech 2 with TextGrids: the model, the training step and the Trainer of coqui-tts. Run as a program, `fastspeech2.py DATASET
FOLDER`, this is the recipe for it, which goes on where the folder has a checkpoint."""

import itertools
import json
import sys
import wave

PACKAGES = ["TTS"]
DIFFS = ["fastspeech2.diff"]
# no TextGrids of the bundled clips exist: each letter gets the same time
CONFIG = """data:
  mel_variant: coqui-ap
  features: [f0, energy]
  columns:
    durations: {from: "aligned/{id}.TextGrid", tier: phones, unit: frames, length: own, max: 200}
    phones: {from: "aligned/{id}.TextGrid", tier: phones, unit: symbols, symbols: %s, silence: "<BLNK>", length: own, max: 200}
"""


def settings(data):
    """A small model."""
    from TTS.tts.configs.fastspeech2_config import Fastspeech2Config
    from TTS.tts.configs.shared_configs import BaseAudioConfig, BaseDatasetConfig
    from TTS.tts.models.forward_tts import ForwardTTSArgs
    coder = {"hidden_channels_ffn": 64, "num_heads": 1, "num_layers": 1, "dropout_p": 0.1}
    args = ForwardTTSArgs(use_pitch=True, use_energy=True, use_aligner=False, hidden_channels=64, encoder_params=coder, decoder_params=coder)
    return Fastspeech2Config(model_args=args, audio=BaseAudioConfig(do_trim_silence=False, mel_fmax=8000.0), batch_size=3, epochs=2, run_eval=False,
                             test_delay_epochs=100, save_step=3, save_best_after=1000, print_step=1,
                             datasets=[BaseDatasetConfig(path=data, formatter="ljspeech")])


def train(data, output):
    from TTS.tts.models.forward_tts import ForwardTTS
    import coqui
    coqui.train(ForwardTTS, settings(data), output)


def run(place):
    from TTS.tts.utils.text.tokenizer import TTSTokenizer
    characters = TTSTokenizer.init_from_config(settings(""))[0].characters
    spoken = align(place.data, lambda c: c if c.isalpha() and c in characters.vocab else "")
    place.build(CONFIG % json.dumps(characters.vocab))
    return [*same(place, characters, spoken), place.resumes([__file__, place.data, "uninterrupted"], [__file__, place.data, "interrupted"], kept=4)]


def align(data, phone):
    """Writes a TextGrid for each clip, in which phone says what a letter counts for; gives the phones of each."""
    spoken = {}
    (data / "aligned").mkdir()
    for line in (data / "metadata.csv").read_text().splitlines():
        id, _, text = line.split("|")
        phones = spoken[id] = list(filter(None, map(phone, text)))
        with wave.open(str(data / "wavs" / f"{id}.wav")) as f:
            seconds = f.getnframes() / f.getframerate()
        times = [seconds * n / len(phones) for n in range(len(phones) + 1)]
        intervals = "\n".join(f'{a}\n{b}\n"{c}"' for (a, b), c in zip(itertools.pairwise(times), phones))
        (data / "aligned" / f"{id}.TextGrid").write_text(
            f'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n{seconds}\n<exists>\n1\n"IntervalTier"\n"phones"\n0\n{seconds}\n{len(phones)}\n{intervals}\n')
    return spoken


def same(place, characters, spoken):
    """The mels beside those of its AudioProcessor, and the ids of the phones."""
    from harness import Differences, Failed, recording
    from TTS.utils.audio.processor import AudioProcessor
    mels = Differences("mel", 5e-3, 1e-5)
    ap = AudioProcessor(settings("").audio)
    for id, row in place.rows.items():
        samples, _ = recording(place.data / "wavs" / f"{id}.wav")
        mels.add(row.mel.T, ap.melspectrogram(samples[0].numpy()))
        if row.phones.tolist() != [characters.char_to_id(c) for c in spoken[id]] or row.durations.sum() != len(row.mel):
            raise Failed(f"{id}: phones {row.phones.tolist()} of {row.durations.sum()} frames, theirs are {''.join(spoken[id])} of {len(row.mel)}")
    return [f"ids equal in {len(spoken)} of {len(spoken)}", mels.said()]


if __name__ == "__main__":
    train(*sys.argv[1:])
