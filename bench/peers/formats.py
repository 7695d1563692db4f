"""Writers of the formats that peers keep samples in: one a worker, each with files of its own.

A sample is tokens and mel as the pipeline made them. Formats of fixed shape get them padded to
int32[200] and float32[800, 80] with their lengths, which is what a sample of voxpack holds.
"""

import io
import os

import numpy as np

TOKENS, FRAMES, BANDS = 200, 800, 80
SHARD_BYTES = 64 << 20


class Padded:
    """One sample in the fixed shape, in the same memory again and again: every writer copies at once."""

    def __init__(self):
        self.tokens, self.mel = np.zeros(TOKENS, np.int32), np.zeros((FRAMES, BANDS), np.float32)

    def fill(self, tokens, mel):
        """Gives the two lengths."""
        t, f = min(len(tokens), TOKENS), min(len(mel), FRAMES)
        self.tokens[:t], self.tokens[t:] = tokens[:t], 0
        self.mel[:f], self.mel[f:] = mel[:f], 0
        return np.array((t, f), np.int32)


class Npy:
    """Two files a clip, unpadded: what most trainers' preprocessing leaves."""

    package = None

    def __init__(self, out, worker):
        self.out = out

    def write(self, index, name, tokens, mel):
        np.save(os.path.join(self.out, name + ".tokens.npy"), tokens)
        np.save(os.path.join(self.out, name + ".mel.npy"), mel)

    def close(self):
        pass


class MDS:
    """MosaicML Streaming."""

    package = "streaming"

    def __init__(self, out, worker):
        from streaming import MDSWriter
        columns = {"tokens": f"ndarray:int32:{TOKENS}", "mel": f"ndarray:float32:{FRAMES},{BANDS}", "lengths": "ndarray:int32:2"}
        self.writer = MDSWriter(out=os.path.join(out, str(worker)), columns=columns, size_limit=SHARD_BYTES)
        self.padded = Padded()

    def write(self, index, name, tokens, mel):
        lengths = self.padded.fill(tokens, mel)
        self.writer.write({"tokens": self.padded.tokens, "mel": self.padded.mel, "lengths": lengths})

    def close(self):
        self.writer.finish()

    @staticmethod
    def finish(out):
        from streaming.base.util import merge_index
        merge_index(out, keep_local=True)


class WebDataset:
    """Tar files."""

    package = "webdataset"

    def __init__(self, out, worker):
        import webdataset
        self.writer = webdataset.ShardWriter(os.path.join(out, f"{worker}-%05d.tar"), maxsize=SHARD_BYTES, verbose=0)
        self.padded = Padded()

    def write(self, index, name, tokens, mel):
        lengths = self.padded.fill(tokens, mel)
        self.writer.write({"__key__": f"{index:06d}", "tokens.npy": self.padded.tokens, "mel.npy": self.padded.mel, "lengths.npy": lengths})

    def close(self):
        self.writer.close()


class ArrayRecord:
    """A record a group, which random access wants, and no compression, which is the faster way here."""

    package = "array_record.python.array_record_module"

    def __init__(self, out, worker):
        from array_record.python import array_record_module
        self.writer = array_record_module.ArrayRecordWriter(os.path.join(out, f"{worker}.arrayrecord"), "group_size:1,uncompressed")
        self.padded, self.record = Padded(), io.BytesIO()

    def write(self, index, name, tokens, mel):
        lengths = self.padded.fill(tokens, mel)
        self.record.seek(0)
        for part in (lengths, self.padded.tokens, self.padded.mel):
            self.record.write(part.data)
        self.writer.write(self.record.getvalue())

    def close(self):
        self.writer.close()


FORMATS = {"npy": Npy, "mds": MDS, "webdataset": WebDataset, "arrayrecord": ArrayRecord}
