#!/usr/bin/env python3
"""One peer's whole compile: a process with worker processes.

    compile.py MEL FORMAT CORPUS CLIPS OUT [--workers 2] [--reader soundfile|numpy|av] [--extension .wav]

For each of the first CLIPS rows of CORPUS: clean the text, tokenise, decode the
clip and resample it if it has another rate, compute the mel (a name of mel.py),
write (a name of formats.py) to the new folder OUT. Prints one line of JSON at the end: "seconds" are those from the
first row to the last file closed; what the process took beyond them is imports,
the start of the workers, and their end. Everything is imported, and each worker
has computed a clip, before the seconds begin. Workers are forked behind the
imports, so that they are paid once, and take rows a few at a time.
"""

import argparse
import importlib
import json
import multiprocessing
import os
import sys
import threading
import time

import numpy as np

import formats
import mel as mels
import reference as ref
import spoken

AT_ONCE = 8  # rows that a worker takes


def resampled(pcm, rate):
    if rate == ref.RATE:
        return pcm
    import soxr  # found again at once
    return soxr.resample(pcm, rate, ref.RATE, quality="HQ")


def soundfile_reader(extension):
    import soundfile

    def read(corpus, name):
        return resampled(*soundfile.read(os.path.join(corpus, "wavs", name + extension), dtype="float32"))
    return read


def numpy_reader(extension):
    return ref.clip


def av_reader(extension):
    import av

    def read(corpus, name):
        with av.open(os.path.join(corpus, "wavs", name + extension)) as container:
            stream = container.streams.audio[0]
            stream.thread_type = "NONE"
            return resampled(np.concatenate([frame.to_ndarray() for frame in container.decode(stream)], axis=1)[0], stream.rate)
    return read


READERS = {"soundfile": soundfile_reader, "numpy": numpy_reader, "av": av_reader}


class Pipeline:
    """What every worker has: made once, before the workers."""

    def __init__(self, args):
        self.args, self.rows = args, ref.rows(args.corpus, args.clips)
        self.clean, self.mel, self.read = spoken.Cleaner(), mels.make(args.mel), READERS[args.reader](args.extension)
        self.format = formats.FORMATS[args.format]
        if self.format.package:
            importlib.import_module(self.format.package)

    def sample(self, name, text):
        tokens = np.array(spoken.tokens(self.clean(text)), np.int32)
        mel = self.mel(self.read(self.args.corpus, name))
        return tokens, np.ascontiguousarray(mel.T)

    def work(self, worker, taken, begin, failed):
        """One worker, until no row is left."""
        try:
            writer = self.format(self.args.out, worker)
            self.sample(*self.rows[worker])
            begin.wait()
            while True:
                with taken.get_lock():
                    at = taken.value
                    taken.value = at + AT_ONCE
                if at >= len(self.rows):
                    break
                for index in range(at, min(at + AT_ONCE, len(self.rows))):
                    name, text = self.rows[index]
                    writer.write(index, name, *self.sample(name, text))
            writer.close()
        except BaseException:
            failed.value = 1
            begin.abort()
            raise


def run(pipeline, workers):
    """Gives the seconds from the first row to the last byte."""
    fork = multiprocessing.get_context("fork")
    taken, begin, failed = fork.Value("q", 0), fork.Barrier(workers + 1), fork.Value("b", 0)
    processes = [fork.Process(target=pipeline.work, args=(n, taken, begin, failed)) for n in range(workers)]
    for process in processes:
        process.start()
    try:
        begin.wait()
    except threading.BrokenBarrierError:
        pass  # a worker says why
    start = time.perf_counter()
    for process in processes:
        process.join()
    if failed.value or any(p.exitcode for p in processes):
        sys.exit("a worker failed")
    if hasattr(pipeline.format, "finish"):
        pipeline.format.finish(pipeline.args.out)
    return time.perf_counter() - start


def weigh(folder):
    """Bytes and files below a folder."""
    files = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]
    return sum(map(os.path.getsize, files)), len(files)


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("mel", choices=mels.MELS)
    flags.add_argument("format", choices=formats.FORMATS)
    flags.add_argument("corpus")
    flags.add_argument("clips", type=int)
    flags.add_argument("out")
    flags.add_argument("--workers", type=int, default=2)
    flags.add_argument("--reader", choices=READERS, default="soundfile")
    flags.add_argument("--extension", default=".wav", help="of the clips")
    args = flags.parse_args()
    os.makedirs(args.out)
    pipeline = Pipeline(args)
    seconds = run(pipeline, args.workers)
    size, files = weigh(args.out)
    print(json.dumps({"clips": len(pipeline.rows), "seconds": seconds, "bytes": size, "files": files, "versions": mels.versions()}))


if __name__ == "__main__":
    main()
