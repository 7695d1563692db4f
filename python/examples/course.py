"""A training from its first step to its report, in any framework.

A trainer (Trainer in train_torch.py and train_tensorflow.py) has the model; it is made from the
options, the places and the dataset's Info, and has

    framework, version        what it is
    gpus()                    static: how many GPUs there are
    notes                     what it has to say of itself
    batches(dataset)          (tensors by name, number of the batch) without end, on the model's device
    source                    the pipeline.Source of these
    step(tensors)             trains, and gives a loss that may not be there yet
    loss(given)               waits for it
    wait()                    waits for all that runs on the devices
    compilations()            how often the step was compiled, None where it is not
    memory()                  the GPUs, as a run record has them
    save(file, about)         all that the next step depends on, and about, plain JSON
    load(file)                the same back; gives about
"""

import collections
import json
import math
import os
import pickle
import signal
import sys
import time
import zipfile

import checkpoint
import runrecord
from monitor import Monitor, clock, since_start
from options import as_settings, places, read

import voxpack
from voxpack import address
from voxpack.settings import SettingsError

DONE, FAILED, USAGE, ENVIRONMENT, INTERRUPTED = 0, 1, 2, 3, 130  # exit codes, as voxpack has them


class Course:
    """The steps of a training, from where a checkpoint left it."""

    def __init__(self, options, trainer, dataset, out):
        self.options, self.trainer, self.dataset = options, trainer, dataset
        self.monitor = Monitor(options, trainer.memory, out)
        self.notes = list(trainer.notes)
        self.step = self.resumed_at = self.done = 0  # done: in this process
        self.depth = options.ahead if options.overlap else 1
        self.position = None  # of the dataset, at the last checkpoint
        self.first_batch, self.stop = 0.0, False
        self._losses, self._owed = [], collections.deque()  # owed: losses that may not be there yet
        self._seq, self._begun, self._ended = None, clock(), None

    def resume(self):
        """Takes everything from the checkpoint."""
        try:
            with open(self.options.checkpoint, "rb") as f:
                told = self.trainer.load(f)
        except (EOFError, KeyError, RuntimeError, ValueError, pickle.UnpicklingError, zipfile.BadZipFile) as e:
            raise ValueError("--resume: %s is no checkpoint of this trainer and dataset: %s" % (self.options.checkpoint, e)) from None
        self.step = self.resumed_at = told["step"]
        self.position = told["data"]
        self.dataset.load_state_dict(told["data"])

    def run(self):
        """Trains up to the last step, or until it is told to stop."""
        o = self.options
        curve = checkpoint.Curve(o.losses, self.step)
        try:
            batches = self.trainer.batches(self.dataset)
            while self.step < o.steps and not self.stop:
                self._one(batches, curve)
                if self.step % o.report_every == 0 or self.step == o.steps:
                    self._settle(curve)
                    self.monitor.line(self.step, self._losses[-1])
                if self.step % o.checkpoint_every == 0 or self.step == o.steps or self.stop:
                    self._keep(curve)
        except voxpack.FeederError:
            self._keep(curve)  # between two steps: all is as the last one left it
            raise
        finally:
            self._ended = clock()
            curve.close()

    def _one(self, batches, curve):
        """One step, and the loss of the step before it, or of this one where nothing overlaps."""
        begun = clock()
        tensors, seq = next(batches)
        got = clock()
        if not self.first_batch:
            self.first_batch = since_start()
        with self.dataset.step():  # voxpack profile --attach tells it from the wait for batches
            loss = self.trainer.step(tensors)
            del tensors
            if not self.options.overlap:
                self.trainer.wait()
            self._owed.append(loss)
            self._seq = seq
            self.step += 1
            self.done += 1
            if len(self._owed) > self.options.overlap:
                self._pay(curve)
        self.monitor.step(got - begun, clock() - begun)

    def _pay(self, curve):
        loss = self.trainer.loss(self._owed.popleft())
        self._losses.append(loss)
        curve.add(loss)

    def _settle(self, curve):
        """Waits for all losses."""
        while self._owed:
            self._pay(curve)

    def _keep(self, curve):
        """Writes the checkpoint, if there is to be one."""
        if self._seq is None:
            return
        self._settle(curve)
        self.position = self.dataset.state_dict(seq=int(self._seq))
        if self.options.checkpoint is None:
            return
        curve.sync()
        told = {"framework": self.trainer.framework, "step": self.step, "data": self.position}
        checkpoint.replace(self.options.checkpoint, lambda f: self.trainer.save(f, told))

    def seconds(self):
        return max(self._ended - self._begun, 1e-9)

    def epochs(self):
        """How many epochs were gone through, the last one perhaps in part."""
        return -(-self.done // len(self.dataset))

    def loss_figures(self):
        """The mean loss of the first and of the last tenth of this process's steps."""
        tenth = max(1, len(self._losses) // 10)
        if not self._losses:
            return {"first": None, "last": None, "ratio": None}
        first, last = sum(self._losses[:tenth]) / tenth, sum(self._losses[-tenth:]) / tenth
        found = {"first": first, "last": last, "ratio": last / first if first else None}
        return {k: v if v is not None and math.isfinite(v) else None for k, v in found.items()}  # JSON has no NaN


def main(trainer, framework, argv=None):
    """Trains as the flags say, and gives the exit code."""
    o = read(framework, argv)
    out = sys.stderr if o.json else sys.stdout
    started, began = time.time(), clock()
    try:
        where = places(o, trainer.gpus())
        with voxpack.Dataset(o.store, batch_size=o.batch_size, seed=o.seed, ahead=o.ahead if o.overlap else 1) as dataset:
            made = trainer(o, where, dataset.info)
            course = Course(o, made, dataset, out)
            for note in made.notes:
                course.monitor.say("note: " + note)
            code, ended = _go(course, out)
            return _close(course, code, ended, started, clock() - began, out)
    except (ValueError, voxpack.FeederError, SettingsError) as e:
        print("error: %s" % e, file=sys.stderr)
        return USAGE if isinstance(e, ValueError) else ENVIRONMENT


def _go(course, out):
    """The training; gives the exit code and how it ended."""
    def stop(number, frame):
        if course.stop:
            raise KeyboardInterrupt  # twice: at once
        course.stop = True
        course.monitor.say("stopping after this step")

    before = [(s, signal.signal(s, stop)) for s in (signal.SIGINT, signal.SIGTERM)]
    try:
        if course.options.resume:
            course.resume()
            course.monitor.say("resumed at step %d" % course.step)
        course.run()
    except voxpack.FeederError as e:  # FeederDied is one
        again = "; go on with --resume" if course.options.checkpoint and course.done else ""
        print("error: %s%s" % (e, again), file=sys.stderr)
        return USAGE if e.kind == "request" and not course.done else FAILED, "failed"
    finally:
        for number, handler in before:
            signal.signal(number, handler)
    return (INTERRUPTED, "interrupted") if course.stop else (DONE, "done")


def _close(course, code, ended, started, seconds, out):
    """The final report and the run record; gives the exit code."""
    o, monitor = course.options, course.monitor
    warning = monitor.unsteady()
    if warning:
        monitor.warnings.append(warning)
    if course.done == 0:
        monitor.say("no step was made; the checkpoint is at step %d" % course.step if course.step else "no step was made")
        return code
    compiled = course.trainer.compilations()
    if compiled not in (None, 1) and course.done:
        monitor.warnings.append("the step was compiled %d times: a shape or a type changed" % compiled)
        code = code or FAILED
    found = runrecord.results(course, monitor, ended)
    _print(course, found, out)
    if o.record != "none":
        folder = o.record or os.path.join(address.resolve(o.store)[0], "runs")
        try:
            runrecord.write(folder, course.dataset.info.version, started, seconds, course.trainer.cores, as_settings(o), found)
        except OSError as e:
            monitor.say("note: no run record was kept: %s" % e)
    if o.json:
        print(json.dumps(found, indent=2))
    return code


def _print(course, found, out):
    """The report for people."""
    step, loss = found["step"], found["loss"]
    lines = [
        ("trained", "%d steps, %d epochs, %.1f s, with %s; the first step took %.1f s" % (
            found["batches"], found["epochs"], found["seconds"], found["framework"], found["first_step_seconds"] or 0)),
        ("dataset", found["dataset"]),
        ("step", "mean %.1f ms, std %.1f, min %.1f, max %.1f, p50 %.1f, p99 %.1f, variation %.1f %%" % (
            step["mean_ms"], step["std_ms"], step["min_ms"], step["max_ms"], step["p50_ms"], step["p99_ms"], step["variation"])),
        ("speed", "%.1f samples/s, %.1f steps/s" % (found["samples_per_second"], 1e3 / step["mean_ms"] if step["mean_ms"] else 0)),
        ("stall", "%.1f %% of the time" % (100 * found["stall"]["fraction"])),
        ("compiled", "not at all" if found["compilations"] is None else "%d time%s" % (found["compilations"], "" if found["compilations"] == 1 else "s")),
    ]
    for gpu in found["devices"]:
        lines.append(("GPU %d" % gpu["gpu"], "%s, %s: %.0f MB at most" % (gpu["name"], gpu["role"], gpu["taken_mb"])))
    if loss["first"] is not None:
        lines.append(("loss", "%.4f in the first tenth, %.4f in the last, %.2f of it" % (loss["first"], loss["last"], loss["ratio"] or 0)))
    for name, text in lines:
        course.monitor.say("%-9s %s" % (name, text))
    for warning in found["warnings"]:
        course.monitor.say("warning: " + warning)
