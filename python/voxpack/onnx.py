"""``python3 -m voxpack onnx MODEL``: a model that ONNX Runtime runs, as the program of a column."""

import argparse
import sys
from typing import Any, List

import numpy as np

from .worker import Column, Row, _pipes

_INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_FLOATS = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64}


def main(args: List[str]) -> int:
    p = argparse.ArgumentParser(prog="python3 -m voxpack onnx", description="Computes a column by a model in ONNX, row by row. voxpack build runs it, by the key run of a column.",
                                epilog='example, in voxpack.yaml: columns: {speaker: {run: "python3 -m voxpack onnx wespeaker.onnx", input: pcm@16000, shape: [256], version: "1", files: [wespeaker.onnx]}}')
    p.add_argument("model", help="the file")
    p.add_argument("--pcm", metavar="NAME", help="the input that takes samples (default: the only one of floats)")
    p.add_argument("--tokens", metavar="NAME", help="the input that takes tokens (default: the first of integers, where there is no input of floats)")
    p.add_argument("--length", metavar="NAME", help="the input that takes the number of samples or tokens")
    p.add_argument("--rate", metavar="NAME", help="the input that takes the sample rate")
    p.add_argument("--output", metavar="NAME", help="the output that is the value (default: the first)")
    p.add_argument("--provider", action="append", metavar="NAME", help="of ONNX Runtime, such as CUDAExecutionProvider (default: CPUExecutionProvider)")
    p.add_argument("--threads", type=int, default=1, help="of one worker; sums may differ in their last bits between numbers of threads (default: 1)")
    told = p.parse_args(args)
    _pipes()
    try:
        import onnxruntime
    except ImportError as e:
        print("voxpack onnx needs the package onnxruntime (%s): pip install onnxruntime" % e, file=sys.stderr)
        return 2
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = told.threads
    try:
        model = onnxruntime.InferenceSession(told.model, options, providers=told.provider or ["CPUExecutionProvider"])
        run = runner(model, told)
    except Exception as e:  # it has classes of its own for each thing that can be wrong with a file
        print("voxpack onnx: %s: %s" % (told.model, e), file=sys.stderr)
        return 2
    Column(run).run()
    return 0


def runner(model: Any, told: Any) -> Any:
    """The function over rows. Every input of the model is given something, or that it is not is said here."""
    inputs = {i.name: i for i in model.get_inputs()}
    floats = [n for n, i in inputs.items() if i.type in _FLOATS and n != told.rate]
    integers = [n for n, i in inputs.items() if i.type in _INTEGERS and n not in (told.length, told.rate)]
    feeds = {"pcm": told.pcm, "tokens": told.tokens, "length": told.length, "rate": told.rate}
    if not told.pcm and len(floats) == 1:
        feeds["pcm"] = floats[0]
    if not told.tokens and not floats and integers:
        feeds["tokens"] = integers[0]
    for name in feeds.values():
        if name and name not in inputs:
            raise ValueError("no input %s; there are %s" % (name, ", ".join(inputs)))
    missing = [n for n in inputs if n not in feeds.values()]
    if missing:
        raise ValueError("nothing is told for the input %s: name it by --pcm, --tokens, --length or --rate" % ", ".join(missing))
    outputs = [o.name for o in model.get_outputs()]
    if told.output and told.output not in outputs:
        raise ValueError("no output %s; there are %s" % (told.output, ", ".join(outputs)))
    output = [told.output or outputs[0]]

    def one(row: Row) -> Any:
        length = len(row.pcm) if feeds["pcm"] else len(row.tokens)
        given = {"pcm": row.pcm, "tokens": row.tokens, "length": length, "rate": row.rate}
        return model.run(output, {name: _as(inputs[name], given[what]) for what, name in feeds.items() if name})[0]

    return lambda rows: [one(row) for row in rows]


def _as(wanted: Any, value: Any) -> Any:
    """A value in the type and with the number of axes that an input has."""
    a = np.asarray(value, dtype=dict(_INTEGERS, **_FLOATS)[wanted.type])
    axes = len(wanted.shape) if wanted.shape is not None else a.ndim
    if a.ndim and axes < a.ndim:
        raise ValueError("input %s takes a number, not an array" % wanted.name)
    return a.reshape((1,) * (axes - a.ndim) + a.shape)
