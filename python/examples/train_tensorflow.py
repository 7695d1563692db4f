"""Trains a small encoder and decoder on a voxpack dataset with TensorFlow: mel frames from tokens.

    python python/examples/train_tensorflow.py --store data/ljspeech

--help lists the flags; course.py has what is around a step.
"""

import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # errors alone; TensorFlow reads it when it is imported

import numpy as np
import tensorflow as tf

import course
import options as told
import pipeline
import voxpack
from target import DROPOUT, MEAN, MIXERS, SPREAD, TAPS, WIDTH


class Voice(tf.Module):
    """Tokens to mel frames: an encoder, a stretch of what it finds to the frames, and a decoder.

    All shapes are static, so one compilation serves every batch.
    """

    def __init__(self, symbols, n_mels):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(symbols, WIDTH, embeddings_initializer="random_normal")
        self.encoder = [mixer(d) for d in MIXERS["encoder"]]
        self.place = tf.keras.layers.Dense(WIDTH)
        self.decoder = [mixer(d) for d in MIXERS["decoder"]]
        self.out = tf.keras.layers.Dense(n_mels)
        self.embed.build([None, None])
        self.place.build([None, None, 2])
        for layer in self.encoder + self.decoder + [self.out]:
            layer.build([None, None, WIDTH])
        self.layers = [self.embed, *self.encoder, self.place, *self.decoder, self.out]

    def __call__(self, tokens, text_len, mel_len, frames, seed):
        """The mel [samples, frames, n_mels], and which of its frames there are."""
        x = self.embed(tokens)
        there = tf.cast(tf.range(tokens.shape[1]) < text_len[:, None], x.dtype)[..., None]
        x *= there
        for mix in self.encoder:
            x += mix(x) * there
        stretch, place, there = stretched(text_len, mel_len, tokens.shape[1], frames)
        there = tf.cast(there, x.dtype)
        x = tf.matmul(tf.cast(stretch, x.dtype), x) + self.place(place)
        kept = tf.random.stateless_uniform(x.shape, seed) >= DROPOUT  # the step's number is all the random state there is
        x *= tf.cast(kept, x.dtype) / (1 - DROPOUT) * there
        for mix in self.decoder:
            x += mix(x) * there
        return self.out(x), there

    @property
    def weights(self):
        return [v for layer in self.layers for v in layer.trainable_variables]


def mixer(dilation):
    """A convolution over time."""
    return tf.keras.layers.Conv1D(WIDTH, TAPS, padding="same", dilation_rate=dilation, activation="relu")


def stretched(text_len, mel_len, tokens, frames):
    """The linear interpolation from tokens to frames as matrices [samples, frames, tokens]; where each
    frame is within its token and in the utterance; and which frames there are.

    The gradient of a product with a matrix has no indices: it is the same in every run.
    """
    frame = tf.range(frames, dtype=tf.float32)
    text_len, mel_len = tf.cast(text_len, tf.float32)[:, None], tf.cast(mel_len, tf.float32)[:, None]
    part = (frame + 0.5) / tf.maximum(mel_len, 1)
    at = tf.minimum(tf.maximum(part * text_len - 0.5, 0), tf.maximum(text_len - 1, 0))
    token = tf.range(tokens, dtype=tf.float32)
    stretch = tf.maximum(1 - tf.abs(at[..., None] - token), 0)
    return stretch, tf.stack([at - tf.floor(at), tf.minimum(part, 1)], -1), (frame < mel_len)[..., None]


class Trainer:
    """See course.py."""

    framework, version = "tensorflow", tf.__version__

    def __init__(self, options, where, info):
        self.options, self.where, self.notes = options, where, []
        if options.deterministic:
            tf.config.experimental.enable_op_determinism()
        compiled = options.compile != "off"
        self.settings = voxpack.settings("tensorflow", cores=told.cores(options, where), precision=options.precision,
                                         memory_mb=told.caps(options, where), xla=compiled).apply()
        self.notes += ["TensorFlow has %s %r instead of %r: %s" % (d.name, d.found, d.wanted, d.todo) for d in self.settings.verify()]
        self.cores = self.settings.values["inter_op_threads"]
        self.data, self.device = ("/CPU:0" if n is None else "/GPU:%d" % n for n in where)
        tf.keras.utils.set_random_seed(options.seed)
        with tf.device(self.device):
            self.model = Voice(len(info.symbols), info.columns["mel"][1][1])
            self.optimizer = tf.keras.optimizers.Adam(options.lr)
            if self.settings.values.get("policy") == "mixed_float16":
                self.optimizer = tf.keras.optimizers.LossScaleOptimizer(self.optimizer)
            self.optimizer.build(self.model.weights)
        self.source = None
        self._train = tf.function(self.train, jit_compile=compiled)

    @staticmethod
    def gpus():
        return len(tf.config.list_physical_devices("GPU"))

    def batches(self, dataset):
        if self.data == "/CPU:0":
            self.source = pipeline.Source(dataset.tensorflow())
            return iter(self.source)
        if not self.options.overlap:
            self.source = pipeline.Source(dataset.tensorflow())
            return pipeline.hopped(self.source, self._carry, lambda tensors: tensors, 0)
        self.source = pipeline.Source(dataset.tf_dataset(device=self.data, prefetch=min(2, self.options.ahead)))
        if self.data == self.device:
            return iter(self.source)
        return pipeline.hopped(self.source, self._send, lambda tensors: tensors, 1)  # TensorFlow orders copies and steps by itself

    def _send(self, tensors, device=None):
        with tf.device(device or self.device):
            return {name: tf.identity(t) for name, t in tensors.items()}

    def _carry(self, tensors):
        """One copy after the other, each waited for."""
        for device in (self.data, self.device):
            tensors = self._send(tensors, device)
            self.wait()
        return tensors

    def train(self, tokens, mel, text_len, mel_len, valid):
        """The mean distance from the mel, over the frames that there are; and a step that makes it less."""
        with tf.GradientTape() as tape:
            seed = tf.stack([self.options.seed % 2**31, tf.cast(self.optimizer.iterations, tf.int32)])
            made, there = self.model(tokens, text_len, mel_len, mel.shape[1], seed)
            there = tf.cast(there, tf.float32) * tf.cast(valid, tf.float32)[:, None, None]
            distance = tf.abs(tf.cast(made, tf.float32) - (tf.cast(mel, tf.float32) - MEAN) / SPREAD)
            loss = tf.reduce_sum(distance * there) / tf.maximum(tf.reduce_sum(there) * mel.shape[2], 1)
            scaled = self.optimizer.scale_loss(loss)
        self.optimizer.apply(tape.gradient(scaled, self.model.weights), self.model.weights)
        return loss

    def step(self, tensors):
        with tf.device(self.device):
            return self._train(**tensors)

    def loss(self, given):
        return float(given)

    def wait(self):
        tf.test.experimental.sync_devices()

    def compilations(self):
        return self._train.experimental_get_tracing_count() if self.options.compile != "off" else None

    def memory(self):
        roles = {}
        for gpu, role in ((self.where.data, "data"), (self.where.model, "model")):
            if gpu is not None:
                roles[gpu] = role if gpu not in roles else "data and model"
        gpus = tf.config.list_physical_devices("GPU") if roles else []
        return [{"name": tf.config.experimental.get_device_details(gpus[gpu]).get("device_name", ""), "gpu": gpu, "role": role, "utilisation": None,
                 "memory_mb": None, "taken_mb": tf.config.experimental.get_memory_info("GPU:%d" % gpu)["peak"] / 1e6} for gpu, role in roles.items()]

    def _variables(self):
        return {"model": self.model.weights, "optimizer": self.optimizer.variables}

    def save(self, file, about):
        arrays = {"%s.%d" % (part, i): np.asarray(v) for part, variables in self._variables().items() for i, v in enumerate(variables)}
        np.savez(file, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays)

    def load(self, file):
        with np.load(file, allow_pickle=False) as state:
            for part, variables in self._variables().items():
                for i, v in enumerate(variables):
                    v.assign(state["%s.%d" % (part, i)])
            return json.loads(state["about"].tobytes())


if __name__ == "__main__":
    sys.exit(course.main(Trainer, "TensorFlow"))
