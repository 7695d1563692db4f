"""FastSpeech with TextGrids in TensorFlow: the model and the trainer of TensorFlowTTS. Run as a program, `fastspeech_tf.py DATASET
FOLDER`, this is the recipe for it, which goes on where the folder has a checkpoint."""

import glob
import importlib.abc
import importlib.machinery
import json
import os
import sys

os.environ["TF_USE_LEGACY_KERAS"] = "1"  # it is written for Keras 2
ABSENT = {"german_transliterate", "g2p_en", "jamo", "pypinyin", "unidecode", "inflect", "tensorflow_addons"}


class Anything(type):
    """The type of what those packages have: any attribute, and nothing in it."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name, (Nothing,), {})

    def __iter__(cls):
        return iter(())


class Nothing(metaclass=Anything):
    phonemes = []  # of g2p_en, which appends to it

    def __getattr__(self, name):
        return getattr(Nothing, name)


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """In place of packages that only its front ends of texts and the decoder of Tacotron use."""

    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.split(".")[0] in ABSENT else None

    def exec_module(self, module):
        module.__getattr__ = lambda name: getattr(Nothing, name)


sys.meta_path.insert(0, Absent())
PACKAGES = ["tensorflow_tts"]
DIFFS = ["fastspeech_tf.diff", "fastspeech_tf.today.diff"]
CONFIG = """data:
  mel_variant: parallel-wavegan
  fmin: 80
  fmax: 7600
  columns:
    durations: {from: "aligned/{id}.TextGrid", tier: phones, unit: frames, length: own, max: 200}
    phones: {from: "aligned/{id}.TextGrid", tier: phones, unit: symbols, symbols: %s, length: own, max: 200}
"""
# of its preprocess.yaml, with the hop of the bundled dataset's mel
AUDIO = {"sampling_rate": 22050, "fft_size": 1024, "hop_size": 256, "win_length": None, "window": "hann", "num_mels": 80, "fmin": 80, "fmax": 7600,
         "global_gain_scale": 1.0, "trim_silence": False, "trim_mfa": False, "format": "npy"}


def train(store, output):
    import tensorflow as tf
    from tensorflow_tts.configs import FastSpeechConfig
    from tensorflow_tts.models import TFFastSpeech
    from tensorflow_tts.optimizers import AdamWeightDecay
    from tensorflow_tts.trainers import Seq2SeqBasedTrainer
    from tensorflow_tts.utils import calculate_2d_loss, calculate_3d_loss, return_strategy

    class Trainer(Seq2SeqBasedTrainer):
        """What its base class leaves to a recipe."""

        def compute_per_example_losses(self, batch, outputs):
            before, after, durations = outputs
            near = tf.keras.losses.MeanSquaredError(reduction=tf.keras.losses.Reduction.NONE)
            loss = calculate_2d_loss(tf.math.log(tf.cast(batch["duration_gts"], tf.float32) + 1), durations, near)
            loss += calculate_3d_loss(batch["mel_gts"], before, near) + calculate_3d_loss(batch["mel_gts"], after, near)
            return loss, {"loss": loss}

        def generate_and_save_intermediate_result(self, batch):
            pass

    tf.random.set_seed(1)
    strategy = return_strategy()
    trainer = Trainer(0, 0, {"train_max_steps": 10, "outdir": output, "eval_interval_steps": 1000, "save_interval_steps": 4, "log_interval_steps": 1,
                             "batch_size": 2, "var_train_expr": None, "gradient_accumulation_steps": 1}, strategy)
    small = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 1, "attention_head_size": 32, "intermediate_size": 64}
    trainer.list_metrics_name = ["loss"]
    trainer.init_train_eval_metrics(trainer.list_metrics_name)
    with strategy.scope():
        model = TFFastSpeech(FastSpeechConfig(vocab_size=200, **{f"{part}_{name}": n for part in ("encoder", "decoder") for name, n in small.items()}))
        model._build()
        trainer.compile(model, AdamWeightDecay(learning_rate=1e-3))
    kept = glob.glob(output + "/checkpoints/ckpt-*.index")
    trainer.fit(store, None, saved_path=output + "/checkpoints/", resume=kept[0][: -len(".index")] if kept else "")


def run(place):
    from fastspeech2 import align
    from tensorflow_tts.processor.ljspeech import LJSPEECH_SYMBOLS, valid_symbols
    spoken = align(place.data, lambda c: valid_symbols[ord(c) % len(valid_symbols)] if c.isalpha() else "")
    metadata = place.data / "metadata.csv"
    metadata.write_text(metadata.read_text().replace("\n", "|ada|en\n"))  # its model asks for the number of a speaker
    place.build(CONFIG % json.dumps(LJSPEECH_SYMBOLS))
    return [*same(place, spoken),
            place.resumes([__file__, place.data, "uninterrupted"], [__file__, place.data, "interrupted"], kept=4, ahead=3)]


def same(place, spoken):
    """The mels beside those of its preprocessing, and the ids of the phones."""
    from harness import Differences, Failed, recording
    from tensorflow_tts.bin.preprocess import gen_audio_features
    from tensorflow_tts.processor.ljspeech import LJSPEECH_SYMBOLS, LJSpeechProcessor
    processor = LJSpeechProcessor(data_dir=None, symbols=LJSPEECH_SYMBOLS)
    mels = Differences("mel", 5e-3, 1e-5)
    for id, row in place.rows.items():
        samples, rate = recording(place.data / "wavs" / f"{id}.wav")
        item = {"utt_id": id, "rate": rate, "audio": samples[0].numpy(), "raw_text": "", "text_ids": [], "speaker_name": ""}
        theirs = gen_audio_features(item, AUDIO)[1]
        mels.add(row.mel[: len(theirs)], theirs)
        if row.phones.tolist() != processor._arpabet_to_sequence(" ".join(spoken[id])) or row.durations.sum() != len(row.mel):
            raise Failed(f"{id}: phones {row.phones.tolist()} of {row.durations.sum()} frames, theirs are {' '.join(spoken[id])} of {len(theirs)}")
    return [f"ids equal in {len(spoken)} of {len(spoken)}", mels.said()]


if __name__ == "__main__":
    train(*sys.argv[1:])
