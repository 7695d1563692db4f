#!/usr/bin/env python3
"""Write the samples of .npy arrays in the forms that training loops read.

    samples.py FORM ARRAYS OUT

ARRAYS is what `bench/feed -export` wrote. FORM is files (two .npy files an
utterance, unpadded), mds or tfrecord; the last two hold padded samples, as the
arrays and the store do.
"""

import os
import sys

import numpy as np

from formats import SHARD_BYTES

COLUMNS = ("tokens", "mel", "text_len", "mel_len")


def arrays(folder):
    """The columns, mapped; views of the plain array class, since a memmap costs more at each index."""
    return {c: np.asarray(np.load(os.path.join(folder, c + ".npy"), mmap_mode="r")) for c in COLUMNS}


def write_files(columns, out):
    for i, (tokens, mel, t, f) in enumerate(zip(*columns.values())):
        np.save(os.path.join(out, f"{i:06d}.tokens.npy"), tokens[:t])
        np.save(os.path.join(out, f"{i:06d}.mel.npy"), mel[:f])


def write_mds(columns, out):
    from streaming import MDSWriter
    kinds = {name: f"ndarray:{c.dtype}:{','.join(map(str, c.shape[1:]))}" if c.ndim > 1 else str(c.dtype) for name, c in columns.items()}
    with MDSWriter(out=out, columns=kinds, size_limit=SHARD_BYTES) as writer:
        for row in zip(*columns.values()):
            writer.write(dict(zip(columns, row)))


def write_tfrecord(columns, out):
    import tensorflow as tf

    def feature(value):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value.tobytes()]))

    # As many files as MDS has, so that readers may take several at once.
    each = max(1, SHARD_BYTES // sum(c.nbytes // len(c) for c in columns.values()))
    rows = len(columns["mel"])
    for start in range(0, rows, each):
        end = min(start + each, rows)
        with tf.io.TFRecordWriter(os.path.join(out, f"{start:06d}-{end:06d}.tfrecord")) as writer:
            for i in range(start, end):
                sample = {name: feature(c[i]) for name, c in columns.items()}
                writer.write(tf.train.Example(features=tf.train.Features(feature=sample)).SerializeToString())


WRITERS = {"files": write_files, "mds": write_mds, "tfrecord": write_tfrecord}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in WRITERS:
        sys.exit(__doc__)
    os.mkdir(sys.argv[3])
    WRITERS[sys.argv[1]](arrays(sys.argv[2]), sys.argv[3])


if __name__ == "__main__":
    main()
