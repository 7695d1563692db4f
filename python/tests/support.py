"""What the tests share: a store of a bundled corpus, sockets in a folder of their own, child processes.

VOXPACK names the program (default: bin/voxpack of the checkout).
"""

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(HERE)
sys.path.insert(0, PACKAGE)

PROGRAM = os.path.abspath(os.environ.get("VOXPACK", os.path.join(PACKAGE, "..", "bin", "voxpack")))
os.environ["VOXPACK"] = PROGRAM
# Ray takes up a cluster of another test, and starts workers with a niceness of 15, which get nothing beside another test.
os.environ.update(RAY_ADDRESS="local", RAY_worker_niceness="0", RAY_USAGE_STATS_ENABLED="0")
CORPORA = os.path.join(PACKAGE, "..", "testdata", "corpus")


class Place:
    """A folder with a store in it, for the tests of one file; sockets are there too."""

    def __init__(self):
        self.folder = self.store = None

    def begin(self, corpus="en", config=None):
        """Builds a bundled corpus, under a configuration if one is given."""
        self.folder = tempfile.mkdtemp(prefix="vx")
        os.environ["XDG_RUNTIME_DIR"] = self.folder
        self.store = self.build(corpus, config)
        return self.store

    def build(self, corpus, config=None, name=None):
        to = os.path.join(self.folder, name or corpus)
        shutil.copytree(os.path.join(CORPORA, corpus), to)
        if config is not None:
            with open(os.path.join(to, "voxpack.yaml"), "w", encoding="utf-8") as f:
                f.write(config)
        subprocess.run([PROGRAM, "build", to, "-q"], check=True, stdout=subprocess.DEVNULL)
        return to

    def end(self):
        shutil.rmtree(self.folder)

    def run(self, code, *args, **kw):
        """A Python process of its own that has the package; its first argument is the store."""
        env = dict(os.environ, PYTHONPATH=PACKAGE)
        return subprocess.Popen([sys.executable, "-c", code, self.store, *args], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kw)


def wide(to, times=16):
    """A dataset of 160 rows, of 10 clips under further names, so that each of 8 parts has some; time stamps are old enough to be trusted."""
    shutil.copytree(os.path.join(CORPORA, "en"), to)
    with open(os.path.join(to, "voxpack.yaml"), "a", encoding="utf-8") as f:
        f.write("\ndata:\n  rows_per_shard: 2\n")
    with open(os.path.join(to, "metadata.csv"), encoding="utf-8") as f:
        lines = f.readlines()
    with open(os.path.join(to, "metadata.csv"), "a", encoding="utf-8") as f:
        for line, n in itertools.product(lines, range(1, times)):
            clip, _, rest = line.partition("|")
            os.link(os.path.join(to, "wavs", clip + ".wav"), os.path.join(to, "wavs", "%s-%02d.wav" % (clip, n)))
            f.write("%s-%02d|%s" % (clip, n, rest))
    for folder, _, names in os.walk(to):
        for name in names:
            os.utime(os.path.join(folder, name), (1.7e9, 1.7e9))
    time.sleep(2.5)  # the change times are of now


def said(*command):
    """What a command prints; where it fails, the error is what it said."""
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if p.returncode:
        raise AssertionError("%s: %s%s" % (command, p.stdout, p.stderr))
    return p.stdout


def dataset(store):
    """The digest of its root."""
    return json.loads(said(PROGRAM, "show", store, "--json"))["dataset"]


def unchanged(test, data, store):
    """A store is sound, and the next build of it has nothing to do and hashes nothing."""
    test.assertTrue(said(PROGRAM, "verify", store, "--full").startswith("sound"))
    again = json.loads(said(PROGRAM, "build", data, "-o", store, "--json", "-q"))
    test.assertEqual((again["bytes_written"], {n["run"] for n in again["stages"].values()}), (0, {0}))


def going_on(batches):
    """What the last loop left of its epoch; where nothing, the next one."""
    for loop in (batches.resume(), iter(batches)):
        first = list(itertools.islice(loop, 1))
        if first:
            yield first.pop()
            yield from loop
            return


def feeder_of(ds):
    """The process id of a dataset's feeder."""
    return ds._welcome["pid"]


def until(limit, is_so):
    """Whether it is so within limit seconds; those in which the machine stood still do not count."""
    for _ in range(int(limit / 0.005)):
        if is_so():
            return True
        time.sleep(0.005)
    return is_so()
