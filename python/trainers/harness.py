"""What the trainers share: their code out of an installed package, with a diff; a store; runs that are killed and resumed.

Run as a program, `harness.py MODULE ARGUMENTS` is `python -m MODULE ARGUMENTS` that also writes what each batch of the
training held to the file that TRAINED names.
"""

import functools
import importlib.util
import json
import os
import pathlib
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WIDEST = 100  # characters of a line that counts as one
PROGRAM = os.environ["VOXPACK"] = os.path.abspath(os.environ.get("VOXPACK", ROOT / "bin" / "voxpack"))


class Left(Exception):
    """Why a trainer cannot be run here."""


class Failed(Exception):
    """What a trainer got that it should not have got."""


def changed(diff):
    """The lines that a diff adds or takes away, those that it replaces counted once."""
    total = plus = minus = 0
    for line in (HERE / diff).read_text().splitlines() + ["@@"]:
        if line.startswith("@@"):
            total, plus, minus = total + max(plus, minus), 0, 0
        elif not line.startswith(("+++", "---")):
            if line.startswith("+") and len(line) > 1 + WIDEST:
                raise Failed(f"{diff}: a line of {len(line) - 1} characters")
            plus, minus = plus + line.startswith("+"), minus + line.startswith("-")
    return total


def cloned(name):
    """The folder of a package in a clone under the folder that TRAINERS names, None where it is that of the installed one."""
    return next((path.parent for path in pathlib.Path(os.environ.get("TRAINERS") or os.devnull).glob(f"*/{name}/__init__.py")), None)


class Place:
    """A folder with a dataset and a copy of the trainer's packages, to which diffs are applied."""

    def __init__(self, packages):
        folders = {}
        for name in packages:
            spec = importlib.util.find_spec(name)
            if spec is None:
                raise Left(f"the package {name} is not installed")
            folders[name] = spec.submodule_search_locations[0]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trainer"))
        self.data, self.code = self.folder / "data", self.folder / "code"
        self.env = dict(os.environ, PYTHONPATH=f"{self.code}:{HERE.parent}", XDG_RUNTIME_DIR=str(self.folder), OMP_NUM_THREADS="1",
                        TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", PYTHONDONTWRITEBYTECODE="1", PYTHONWARNINGS="ignore")
        os.environ["XDG_RUNTIME_DIR"] = str(self.folder)
        sys.path.insert(0, str(HERE.parent))
        shutil.copytree(ROOT / "testdata" / "corpus" / "en", self.data)
        self.code.mkdir()
        for name, folder in folders.items():
            shutil.copytree(cloned(name) or folder, self.code / name)
            for built in pathlib.Path(folder).rglob("*.so"):  # which a clone has as source
                shutil.copy(built, self.code / name / built.relative_to(folder))
        sys.path.insert(0, str(self.code))

    def change(self, diffs):
        """Applies diffs to the copies of the packages."""
        for diff in diffs:
            p = subprocess.run(["git", "apply", "--unidiff-zero", "-p1", str(HERE / diff)], cwd=self.code, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ, GIT_CEILING_DIRECTORIES=str(self.folder)))
            if p.returncode:
                raise Failed(f"{diff}: {p.stderr}")

    def build(self, config):
        """Builds the dataset under this configuration."""
        (self.data / "voxpack.yaml").write_text(config)
        p = subprocess.run([PROGRAM, "build", str(self.data), "-q", "--strict"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if p.returncode:
            raise Failed(p.stdout)

    @functools.cached_property
    def rows(self):
        """The rows of the dataset as voxpack stored them, by id."""
        from voxpack import Dataset
        with Dataset(self.data, batch_size=1) as ds:
            return {id: ds.row(id) for id in ds.ids}

    def batch(self, **asked):
        """The first batch of a Dataset, as torch's tensors of their own."""
        from voxpack import Dataset
        with Dataset(self.data, **asked) as ds:
            return next(iter(ds.torch(copy=True)))

    def run(self, log, command, kill_after=None):
        """What each batch held while the trainer ran; with kill_after, until it had so many and was killed."""
        path, said = self.folder / log, self.folder / (log + ".said")
        with open(said, "wb") as out:
            p = subprocess.Popen([sys.executable, str(HERE / "harness.py"), *map(str, command)], cwd=self.folder,
                                 env=dict(self.env, TRAINED=str(path)), stdout=out, stderr=subprocess.STDOUT)
        try:
            while p.poll() is None:
                if kill_after and path.exists() and path.read_bytes().count(b"\n") >= kill_after:
                    p.send_signal(signal.SIGKILL)
                    p.wait()
                time.sleep(0.005)
        finally:
            p.kill()
        if p.returncode != (-signal.SIGKILL if kill_after else 0):
            raise Failed(f"{command[0]} ended with {p.returncode}:\n{said.read_text(errors='replace')[-3000:]}")
        return [json.loads(line) for line in path.read_text().splitlines()]

    def resumes(self, whole, cut, kept, ahead=0):
        """Trains once whole and once killed with SIGKILL, then resumed from a state that was kept after so many batches: it
        goes on with the very next batch. Both are commands; ahead is how many batches a pipeline may hold."""
        whole = self.run("whole", whole)
        killed = self.run("killed", cut, kill_after=kept + 1 + ahead)
        resumed = self.run("resumed", cut)
        if killed != whole[: len(killed)] or len(killed) <= kept:
            raise Failed(f"before the kill {killed}, uninterrupted {whole}")
        if resumed != whole[kept:]:
            raise Failed(f"resumed {resumed}, uninterrupted {whole[kept:]}")
        return f"{len(whole)} batches; killed in the {len(killed)}th, {len(resumed)} the same after the {kept}th"

    def end(self):
        for path in (str(self.code), str(HERE.parent)):
            sys.path.remove(path)
        shutil.rmtree(self.folder)


def recording(path):
    """What torchaudio.load gives, which reads by torchcodec and that by ffmpeg."""
    import soundfile
    import torch
    samples, rate = soundfile.read(path, dtype="float32")
    return torch.from_numpy(samples)[None], rate


class Differences:
    """The differences of many pairs of arrays, and their bounds."""

    def __init__(self, name, greatest, mean):
        self.name, self.greatest, self.mean = name, greatest, mean
        self.max = self.sum = self.count = 0

    def add(self, ours, theirs):
        import numpy as np
        ours, theirs = (np.asarray(x, dtype="f8") for x in (ours, theirs))
        if ours.shape != theirs.shape:
            raise Failed(f"{self.name}: {ours.shape}, theirs is {theirs.shape}")
        d = np.abs(ours - theirs)
        self.max, self.sum, self.count = max(self.max, d.max()), self.sum + d.sum(), self.count + d.size

    def said(self):
        mean = self.sum / self.count
        if self.max > self.greatest or mean > self.mean:
            raise Failed(f"{self.name}: differs by {self.max:.2e}, {mean:.2e} on average")
        return f"{self.name} {self.max:.1e} / {mean:.1e} (bounds {self.greatest:.0e} / {self.mean:.0e})"


def held(batch):
    """What a batch held: ids, and a sum of each column."""
    sums = {}
    for name, column in batch.items():
        if column is None:
            continue
        a = column.numpy() if hasattr(column, "numpy") else column
        sums[name] = zlib.crc32(a.copy(order="C").tobytes())
    return {"epoch": batch.epoch, "ids": batch.ids, **sums}


def trainee():
    """The trainer's module, with batches written down before it gets them."""
    sys.path.append(sys.path.pop(0))  # packages go before what is here
    from voxpack.epochs import Course
    loop = Course.loop

    @functools.wraps(loop)
    def written(self, dataset, form, rest=False):
        for batch in loop(self, dataset, form, rest):
            if dataset._request.get("split") != "val":
                with open(os.environ["TRAINED"], "a", encoding="utf-8") as f:
                    f.write(json.dumps(held(batch)) + "\n")
            yield batch
            del batch

    Course.loop = written
    sys.argv = sys.argv[1:]
    if sys.argv[0].endswith(".py"):
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    trainee()
