"""What all checks of a run share: the binary, the store, the GPU, the time that is left."""

import contextlib
import functools
import glob
import gzip
import importlib.util
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

import corpus
import nvidia
from process import Piece, Process, ProcessError
from table import FAILED, MEASURED, PASSED, SKIPPED, Row

MB = 1e6
BATCH = 32

# Device memory that counts as given back: a context takes some hundred MB, a
# slot of 32 samples 8 MB.
GIVEN_BACK = 16 * MB


class Skip(Exception):
    """A check, or a part of one, cannot be made here; the text says why."""


class Session:
    """One run. A check is a function that takes it and adds rows."""

    def __init__(self, args, table, work):
        self.args, self.table, self.work = args, table, work
        if args.kit:
            args.voxpack, args.tests = (self.unzip(name) for name in ("voxpack", "cuda.test"))
        self.program = os.path.abspath(args.voxpack)
        self.until = time.monotonic() + args.budget
        self.cuda, self.gpu, self.gpus, self.nvml, self.no_nvml = None, None, 2, None, f"--device {args.device}"
        if args.device == "cuda":
            self.find_gpu()
        self.fake = self.gpu is not None and self.gpu["name"].startswith("Fake GPU")
        self.real = self.gpu is not None and not self.fake
        self.pieces, self.proves, self.name = {}, "", ""
        self.sockets = tempfile.mkdtemp(prefix="vx", dir="/tmp")  # a socket's path may not be long
        self.unpack()
        self.build()

    def find_gpu(self):
        self.cuda = nvidia.Driver()
        self.gpu, self.gpus = self.cuda.device(0), self.cuda.count
        try:
            self.nvml = nvidia.NVML(self.gpu["bus"])
        except (OSError, AttributeError, nvidia.CallError) as err:
            self.no_nvml = f"no NVML: {err}"

    def unzip(self, name):
        """A program of the kit."""
        path = os.path.join(self.work, name)
        with gzip.open(os.path.join(self.args.kit, name + ".gz")) as packed, open(path, "wb") as f:
            shutil.copyfileobj(packed, f)
        os.chmod(path, 0o755)
        return path

    def unpack(self):
        """Wheels of the kit that fit this Python, for the consumers: NumPy where there is none, and further readers."""
        here, folder = f"cp{sys.version_info[0]}{sys.version_info[1]}", os.path.join(self.work, "packages")
        for wheel in sorted(glob.glob(os.path.join(self.args.kit or "", "*.whl"))) if self.args.kit else ():
            name, _, _, python, _ = os.path.basename(wheel).split("-")[:5]
            if python in (here, "py3") and importlib.util.find_spec(name.replace("apache_", "")) is None:
                with zipfile.ZipFile(wheel) as z:
                    z.extractall(folder)
        path = os.pathsep.join(filter(None, (folder if os.path.isdir(folder) else "", os.environ.get("PYTHONPATH"))))
        self.consumer_env = dict(os.environ, PYTHONPATH=path, VOXPACK=self.program, PYTHONDONTWRITEBYTECODE="1")

    def build(self):
        """The store: one that was given, or noise compiled by the binary itself."""
        self.version = self.output("version").splitlines()[0]
        self.store = self.args.store
        if self.store is None:
            folder = os.path.join(self.work, "corpus")
            corpus.write(folder, self.args.clips)
            self.store = os.path.join(self.work, "store")
            self.output("build", folder, "-o", self.store, "-q")
            shutil.rmtree(folder)
        shown = json.loads(self.output("show", self.store, "--json"))
        self.dataset, self.rows, self.schema = shown["dataset"], shown["rows"]["kept"], shown["schema"]

    def output(self, *args):
        done = subprocess.run([self.program, *args], capture_output=True, text=True, timeout=self.seconds(300))
        if done.returncode != 0:
            raise ProcessError(f"voxpack {args[0]} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def seconds(self, most):
        """So many seconds, or what is left of the run."""
        left = self.until - time.monotonic()
        if left < 1:
            raise Skip(f"the run's {self.args.budget:.0f} s are over (--budget)")
        return min(most, left)

    # Rows.

    def row(self, part, figure, result, why=""):
        self.table.add(Row(self.name + (f": {part}" if part else ""), self.proves, figure, result, why))
        self.proves = ""  # once a check is enough

    def judge(self, part, figure, wrong):
        """A row that is right or wrong on every machine; wrong lists what is."""
        self.row(part, figure, FAILED if wrong else PASSED, "; ".join(wrong[:3]))

    def measured(self, part, figure):
        self.row(part, figure, MEASURED)

    def goal(self, part, figure, met, goal):
        """A row about speed, which is held against its goal unless --no-goals says otherwise. Goals are for GPUs."""
        result = MEASURED if self.args.no_goals or not self.real else PASSED if met else FAILED
        self.row(part, figure, result, f"the goal is {goal}")

    @contextlib.contextmanager
    def part(self, name):
        """A part of a check: what it cannot do leaves a row and lets the next one go on."""
        try:
            yield
        except Skip as skip:
            self.row(name, "", SKIPPED, str(skip))
        except (ProcessError, nvidia.CallError) as err:
            self.row(name, "", FAILED, str(err))
        finally:
            Process.end_strays()

    def quick(self, full, short):
        return short if self.args.quick else full

    # The feed.

    def flags(self, *flags, device=None, mode="direct", data_gpu=0, model_gpu=0):
        """A feed's command line; where nothing is said, straight to GPU 0."""
        device = device or self.args.device
        command = [self.program, "feed", self.store, "--device", device, "--json", "-q", "--record", "none"]
        if device != "host":
            command += ["--mode", mode, "--data-gpu", str(data_gpu), "--model-gpu", str(model_gpu)]
        return command + [str(flag) for flag in flags]

    def start(self, *flags, **where):
        return Process(self.flags(*flags, **where))

    def delivered(self, process, ids, rows):
        """Waits until a feed in the background has written so many ids to its --ids file."""
        until = time.monotonic() + self.seconds(60)
        while not os.path.exists(ids) or lines(ids) < rows:
            if not process.running():
                raise ProcessError(f"the feed ended early: {process.wait(1).last()}")
            if time.monotonic() > until:
                raise ProcessError("the feed delivers nothing")
            time.sleep(0.01)

    def interrupt(self, process):
        """Ctrl-C, and what is left behind it."""
        process.signal(signal.SIGINT)
        return process.wait(self.seconds(30))

    def feed(self, *flags, seconds=120, **where):
        """A feed that has to end well."""
        report = self.start(*flags, **where).wait(self.seconds(seconds))
        if report.code != 0:
            raise ProcessError(f"voxpack feed {' '.join(map(str, flags))} ended with {report.code}: {report.last()}")
        return report

    @functools.cached_property
    def workers(self):
        """Fillers for the highest rate: a link of PCIe 5 may be faster than four cores copy."""
        return min(8, self.cores)

    @functools.cached_property
    def cores(self):
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()

    @functools.cached_property
    def copy_bytes(self):
        """Bytes of the one copy of a batch, on whatever device."""
        return int(self.feed("--batch-size", BATCH, "--steps", 1, "--cache", "off", device="sim").copy_bytes())

    # Pieces, and what they leave.

    def raw(self):
        if self.cuda is None:
            raise Skip(f"no driver to ask: {self.no_nvml}")
        return self.piece("raw.py")

    def torch(self):
        if self.cuda is None:
            raise Skip(f"no GPU for torch: {self.no_nvml}")
        if importlib.util.find_spec("torch") is None:
            raise Skip(f"no torch in {os.path.basename(sys.executable)} {platform.python_version()}")
        fresh, piece = "torch_piece.py" not in self.pieces, self.piece("torch_piece.py")
        try:
            if fresh:
                piece.ask(self.seconds(90), what="info")
        except ProcessError as err:
            self.pieces.pop("torch_piece.py").kill()
            if "torch sees no GPU" in str(err):
                raise Skip("the torch here sees no GPU") from None
            raise
        return piece

    def consumer(self, name="consumer"):
        """A process with the Python package, which opens rings."""
        if self.cuda is None:
            raise Skip(f"no GPU for a ring: {self.no_nvml}")
        if name not in self.pieces:
            piece = Piece("consumer.py", env=self.consumer_env)
            try:
                piece.ask(self.seconds(60), what="hello")
            except ProcessError as err:
                piece.kill()
                if "No module named 'numpy'" in str(err):
                    raise Skip("no NumPy for the consumer of a ring, here or in a kit (--kit)") from None
                raise
            self.pieces[name] = piece
        return self.pieces[name]

    def piece(self, file, name=None):
        """The piece that runs, or a new one; by name there can be several of a file."""
        name = name or file
        if name not in self.pieces:
            self.pieces[name] = Piece(file)
        return self.pieces[name]

    def end_piece(self, name):
        self.pieces.pop(name).close()

    def end_pieces(self):
        """Ends the pieces, whose contexts would stand in every figure of memory."""
        for name in list(self.pieces):
            self.end_piece(name)

    def used(self):
        """Bytes in use on the GPU, once they stand still."""
        if self.nvml is None:
            raise Skip(self.no_nvml)
        until = time.monotonic() + 5
        before = self.nvml.used()
        while True:
            time.sleep(0.1)
            now = self.nvml.used()
            if now == before or time.monotonic() > until:
                return now
            before = now

    @functools.cached_property
    def footprint(self):
        """A feed in the background: bytes in use on the GPU before it and with it, and those of its slots."""
        self.end_pieces()
        before = self.used()
        ids = os.path.join(self.work, "ids-footprint")
        process = self.start("--batch-size", BATCH, "--epochs", 0, "--step-ms", 2, "--cache", "off", "--ids", ids)
        self.delivered(process, ids, 50 * BATCH)
        during = self.used()
        slots = self.interrupt(process).json["devices"][0]["taken_mb"] * MB
        return before, during, slots

    def context(self):
        """Bytes that a feed costs on the GPU beside its slots."""
        before, during, slots = self.footprint
        if during < before + slots:
            raise Skip("NVML shows no use of memory while a feed runs")
        return during - before - slots


def lines(path):
    with open(path, "rb") as f:
        return f.read().count(b"\n")


class Findings(list):
    """What is wrong, one sentence each."""

    def want(self, good, otherwise):
        if not good:
            self.append(otherwise)
