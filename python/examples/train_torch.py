"""Trains a small encoder and decoder on a voxpack dataset with PyTorch: mel frames from tokens.

    python python/examples/train_torch.py --store data/ljspeech

--help lists the flags; course.py has what is around a step.
"""

import os
import shutil
import sys
import sysconfig

import torch
from torch import nn
from torch.nn import functional

import course
import options as told
import pipeline
import voxpack
from target import DROPOUT, MEAN, MIXERS, SPREAD, TAPS, WIDTH


class Voice(nn.Module):
    """Tokens to mel frames: an encoder, a stretch of what it finds to the frames, and a decoder.

    All shapes are static, so one compilation serves every batch.
    """

    def __init__(self, symbols, n_mels):
        super().__init__()
        self.embed = nn.Embedding(symbols, WIDTH)
        self.encoder = nn.ModuleList(mixer(d) for d in MIXERS["encoder"])
        self.place = nn.Conv1d(2, WIDTH, 1)
        self.dropout = nn.Dropout(DROPOUT)
        self.decoder = nn.ModuleList(mixer(d) for d in MIXERS["decoder"])
        self.out = nn.Conv1d(WIDTH, n_mels, 1)

    def forward(self, tokens, text_len, mel_len, frames):
        """The mel [samples, n_mels, frames], and which of its frames there are."""
        there = (torch.arange(tokens.shape[1], device=tokens.device) < text_len[:, None])[:, None]
        x = self.embed(tokens).transpose(1, 2) * there
        for mix in self.encoder:
            x = x + functional.relu(mix(x)) * there
        stretch, place, there = stretched(text_len, mel_len, tokens.shape[1], frames)
        x = self.dropout(torch.bmm(x, stretch.to(x.dtype)) + self.place(place)) * there
        for mix in self.decoder:
            x = x + functional.relu(mix(x)) * there
        return self.out(x), there


def mixer(dilation):
    """A convolution over time."""
    return nn.Conv1d(WIDTH, WIDTH, TAPS, padding=dilation * (TAPS // 2), dilation=dilation)


def stretched(text_len, mel_len, tokens, frames):
    """The linear interpolation from tokens to frames as matrices [samples, tokens, frames]; where each
    frame is within its token and in the utterance; and which frames there are.

    The gradient of a product with a matrix has no indices: it is the same in every run.
    """
    frame = torch.arange(frames, device=text_len.device)
    text_len, mel_len = text_len[:, None], mel_len[:, None]
    part = (frame + 0.5) / mel_len.clamp(min=1)
    at = torch.minimum((part * text_len - 0.5).clamp(min=0), (text_len - 1).clamp(min=0))
    token = torch.arange(tokens, device=text_len.device)
    stretch = (1 - (at[:, None] - token[:, None]).abs()).clamp(min=0)
    return stretch, torch.stack([at - at.floor(), part.clamp(max=1)], 1), (frame < mel_len)[:, None]


class Hop:
    """Copies from the data GPU to the model GPU, on a stream beside the one that trains."""

    def __init__(self, data, model):
        self.data, self.model, self.stream = data, model, torch.cuda.Stream(model)

    def send(self, tensors):
        filled = torch.cuda.Event()
        filled.record(torch.cuda.current_stream(self.data))
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(filled)
            there = {name: t.to(self.model, non_blocking=True) for name, t in tensors.items()}
            done = torch.cuda.Event()
            done.record(self.stream)
        return there, done

    def take(self, sent):
        there, done = sent
        now = torch.cuda.current_stream(self.model)
        now.wait_event(done)
        for t in there.values():
            t.record_stream(now)  # its memory came from the other stream
        return there


class Trainer:
    """See course.py."""

    framework, version = "torch", torch.__version__

    def __init__(self, options, where, info):
        self.options, self.where, self.notes = options, where, []
        if options.deterministic:
            os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # cuBLAS is deterministic with fixed workspaces alone
            torch.use_deterministic_algorithms(True)
        self.settings = voxpack.settings("torch", cores=told.cores(options, where), precision=options.precision,
                                         memory_mb=told.caps(options, where), benchmark=not options.deterministic).apply()
        self.notes += ["torch has %s %r instead of %r: %s" % (d.name, d.found, d.wanted, d.todo) for d in self.settings.verify()]
        self.cores = torch.get_num_threads()
        self.data, self.device = (torch.device("cpu" if n is None else "cuda:%d" % n) for n in where)
        torch.manual_seed(options.seed)
        self.model = Voice(len(info.symbols), info.columns["mel"][1][1]).to(self.device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=options.lr)
        half = self.settings.values.get("autocast", "").startswith("float16")
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=half)
        self.source = None
        self._loss, self._compiled = self.loss_of, self._compiles()
        if self._compiled:
            torch._dynamo.config.error_on_recompile = True
            self._loss = torch.compile(self.loss_of, fullgraph=True, dynamic=False)

    @staticmethod
    def gpus():
        return torch.cuda.device_count() if torch.cuda.is_available() else 0

    def _compiles(self):
        """Whether the step can be compiled, where that is left open."""
        missing = self.options.compile == "auto" and missing_compiler(self.device.type)
        if missing:
            self.notes.append("the step is not compiled: %s" % missing)
        return self.options.compile != "off" and not missing

    def batches(self, dataset):
        host = not self.options.overlap or self.data.type == "cpu"
        self.source = pipeline.Source(dataset.torch(device="cpu" if host else self.data))
        if not self.options.overlap and self.device.type != "cpu":
            return pipeline.hopped(self.source, self._carry, lambda tensors: tensors, 0)
        if self.data == self.device:
            return iter(self.source)
        hop = Hop(self.data, self.device)
        return pipeline.hopped(self.source, hop.send, hop.take, 1)

    def _carry(self, tensors):
        """One copy after the other, each waited for."""
        for device in (self.data, self.device):
            tensors = {name: t.to(device) for name, t in tensors.items()}
            torch.cuda.synchronize(device)
        return tensors

    def loss_of(self, tokens, mel, text_len, mel_len, valid):
        """The mean distance from the mel, over the frames that there are."""
        made, there = self.model(tokens, text_len, mel_len, mel.shape[1])
        there = (there & valid[:, None, None]).float()
        distance = (made.float() - (mel.float().transpose(1, 2) - MEAN) / SPREAD).abs()
        return (distance * there).sum() / (there.sum() * mel.shape[2]).clamp(min=1)

    def step(self, tensors):
        with self.settings.autocast(self.device.type):
            loss = self._loss(**tensors)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    def loss(self, given):
        return float(given)

    def wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def compilations(self):
        return torch._dynamo.utils.counters["stats"]["unique_graphs"] if self._compiled else None

    def memory(self):
        roles = {}
        for gpu, role in ((self.where.data, "data"), (self.where.model, "model")):
            if gpu is not None:
                roles[gpu] = role if gpu not in roles else "data and model"
        found = []
        for gpu, role in roles.items():
            free, total = torch.cuda.mem_get_info(gpu)
            found.append({"name": torch.cuda.get_device_name(gpu), "gpu": gpu, "role": role, "utilisation": None,
                          "memory_mb": (total - free) / 1e6, "taken_mb": torch.cuda.max_memory_reserved(gpu) / 1e6})
        return found

    def save(self, file, about):
        state = {"about": about, "model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "scaler": self.scaler.state_dict(),
                 "random": torch.get_rng_state()}
        if self.device.type == "cuda":
            state["cuda_random"] = torch.cuda.get_rng_state(self.device)
        torch.save(state, file)

    def load(self, file):
        state = torch.load(file, map_location="cpu", weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.scaler.load_state_dict(state["scaler"])
        torch.set_rng_state(state["random"])
        if self.device.type == "cuda" and "cuda_random" in state:
            torch.cuda.set_rng_state(state["cuda_random"], self.device)
        return state["about"]


def missing_compiler(device):
    """What torch.compile needs and does not find here, "" where it has all."""
    if device == "cuda":
        try:
            import triton  # noqa: F401
        except ImportError:
            return "triton is not installed"
    named = os.environ.get("CXX")
    if not any(shutil.which(c) for c in ([named] if named else ["g++", "clang++"])):
        return "there is no C++ compiler; install g++, or name one in CXX"
    if not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")):
        return "Python.h is missing; install Python's development files"
    return ""


if __name__ == "__main__":
    sys.exit(course.main(Trainer, "PyTorch"))
