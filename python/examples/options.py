"""What a trainer is told: its flags, and which GPU does what."""

import argparse
import collections
import os

Places = collections.namedtuple("Places", "data model")
Places.__doc__ = """Numbers of the GPU that batches come to and of the one that trains; None is the processor."""


def read(framework, argv=None):
    """The flags, checked."""
    p = argparse.ArgumentParser(description="Trains a small encoder and decoder on a voxpack dataset with %s: mel frames from tokens." % framework)
    p.add_argument("--store", required=True, help="the dataset's folder or its store, with @REF for another ref than main")
    _of_training(p)
    _of_devices(p)
    _of_files(p)
    o = p.parse_args(argv)
    for name, least in (("steps", 1), ("batch_size", 1), ("ahead", 1), ("report_every", 1), ("checkpoint_every", 1), ("data_gpu", -1),
                        ("model_gpu", -1), ("data_gpu_memory", 0), ("model_gpu_memory", 0), ("cores", -1), ("seed", 0)):
        if getattr(o, name) < least:
            p.error("--%s %d: want %d or more" % (name.replace("_", "-"), getattr(o, name), least))
    if not o.lr > 0:
        p.error("--lr %g: want more than 0" % o.lr)
    if o.resume and o.checkpoint is None:
        p.error("--resume goes on from a file: name it with --checkpoint")
    if o.resume and not os.path.exists(o.checkpoint):
        p.error("--resume: there is no file %s yet; leave --resume out" % o.checkpoint)
    if o.device == "cpu" and (o.data_gpu >= 0 or o.model_gpu >= 0 or o.data_gpu_memory or o.model_gpu_memory):
        p.error("--device cpu uses no GPU: leave out --data-gpu, --model-gpu and their memory")
    return o


def _of_training(p):
    p.add_argument("--steps", type=int, default=200, metavar="N", help="steps in all, those before an interruption counted in (default %(default)s)")
    p.add_argument("--batch-size", type=int, default=2, metavar="N", help="samples of a batch (default %(default)s)")
    p.add_argument("--lr", type=float, default=3e-3, metavar="X", help="Adam's learning rate (default %(default)s)")
    p.add_argument("--seed", type=int, default=0, metavar="N", help="of the order of batches, the weights and the dropout (default %(default)s)")
    p.add_argument("--deterministic", action="store_true", help="the same bits in every run on the same machine, at some cost")
    p.add_argument("--precision", default="auto", choices=("auto", "float32", "mixed_float16", "mixed_bfloat16"), help="as in voxpack.settings (default %(default)s)")
    p.add_argument("--compile", default="auto", choices=("auto", "on", "off"), help="compile the step, once; auto goes without where something is missing (default %(default)s)")
    p.add_argument("--cores", type=int, default=-1, metavar="N", help="cores of the processor to compute on, 0 for all that this process may use; on a busy machine "
                   "the threads of so small a model wait for each other longer than they compute (default 1, beside a GPU 0)")


def _of_devices(p):
    p.add_argument("--device", default="auto", choices=("auto", "cpu", "gpu"), help="auto is the GPU where there is one (default %(default)s)")
    p.add_argument("--data-gpu", type=int, default=-1, metavar="N", help="GPU that batches come to from the host (default 0)")
    p.add_argument("--model-gpu", type=int, default=-1, metavar="N", help="GPU that trains (default 1 where there are two, else 0)")
    p.add_argument("--data-gpu-memory", type=int, default=0, metavar="MB", help="the most that this process may take of the data GPU, in MiB")
    p.add_argument("--model-gpu-memory", type=int, default=0, metavar="MB", help="likewise of the model GPU")
    p.add_argument("--no-overlap", dest="overlap", action="store_false", help="one thing after the other: to measure what overlapping brings")
    p.add_argument("--ahead", type=int, default=2, metavar="N", help="batches prepared besides the one in use (default %(default)s)")


def _of_files(p):
    p.add_argument("--checkpoint", metavar="FILE", help="keep model, optimiser, step, random state and place in the data here")
    p.add_argument("--checkpoint-every", type=int, default=50, metavar="N", help="steps from one checkpoint to the next (default %(default)s)")
    p.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    p.add_argument("--losses", metavar="FILE", help="write the loss of each step here, a line each")
    p.add_argument("--report-every", type=int, default=50, metavar="N", help="steps from one line of the monitor to the next (default %(default)s)")
    p.add_argument("--record", metavar="DIR", help="where the run record goes, none for nowhere (default: runs in the store)")
    p.add_argument("--json", action="store_true", help="print the final report as JSON, and all else to stderr")


def places(options, gpus):
    """Which GPU does what on a machine with n of them; raises ValueError if that is impossible."""
    if options.device == "cpu" or gpus == 0 and options.device == "auto" and max(options.data_gpu, options.model_gpu) < 0:
        return Places(None, None)
    there = {0: "none is visible", 1: "there is GPU 0 alone"}.get(gpus, "there are 0 to %d" % (gpus - 1))
    if gpus == 0 and options.device == "gpu":
        raise ValueError("--device gpu: " + there)
    chosen = []
    for flag, wanted, otherwise in (("data-gpu", options.data_gpu, 0), ("model-gpu", options.model_gpu, 1)):
        if wanted >= gpus:
            raise ValueError("--%s %d: there is no such GPU; %s" % (flag, wanted, there))
        chosen.append(wanted if wanted >= 0 else min(otherwise, gpus - 1))
    return Places(*chosen)


def caps(options, where):
    """Memory in MiB by the number of the GPU, as voxpack.settings takes it."""
    found = {}
    for gpu, mb in ((where.data, options.data_gpu_memory), (where.model, options.model_gpu_memory)):
        if mb and gpu is None:
            raise ValueError("--data-gpu-memory and --model-gpu-memory are for GPUs, and none is used")
        if mb:
            found[gpu] = found.get(gpu, 0) + mb
    return found


def cores(options, where):
    """Cores to compute on, None for all."""
    if options.cores < 0:
        return 1 if where.model is None else None
    return options.cores or None


def as_settings(options):
    """The flags for the run record, which names no path."""
    return {k: v for k, v in vars(options).items() if k not in ("store", "checkpoint", "losses", "record", "json")}
