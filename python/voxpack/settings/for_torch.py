"""The settings of PyTorch."""

import contextlib
import ctypes
import os
import re

from . import Setting, Settings, SettingsError

_THREADS = "apply() has to come before torch computes anything with several threads: call it behind import torch, and start the process anew"
_CUDA = "apply() has to come before the first tensor on a GPU: call it behind import torch, and start the process anew"
_AGAIN = "set it again: something else changed it"
_MATMUL = "set it again, and nowhere set fp32_precision of torch.backends besides"
_SEGMENTS = re.compile(r"\bexpandable_segments\s*:\s*(\w+)\s*,?")


def settings(cores, caps, precision, matmul="high", benchmark=True, expandable_segments=None):
    import torch

    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    for number in caps:
        if not 0 <= number < gpus:
            raise SettingsError("memory_mb names GPU %r, and torch sees %s" % (number, "GPUs 0 to %d" % (gpus - 1) if gpus else "no GPU"))
    if matmul not in ("highest", "high", "medium"):
        raise SettingsError("matmul %r: it has to be highest, high or medium" % matmul)
    cudnn = torch.backends.cudnn
    wanted = [_allocator(torch, expandable_segments)]  # first: the others may start CUDA, which reads it
    wanted += [
        Setting("threads", cores, "threads within one operation; operations run one after another, each over all cores",
                torch.get_num_threads, torch.set_num_threads, _AGAIN),
        Setting("inter_op_threads", max(1, cores // 2), "operations side by side are rare in torch",
                torch.get_num_interop_threads, torch.set_num_interop_threads, _THREADS),
        Setting("float32_matmul_precision", matmul, "TF32 for products of float32 on GPUs that have it" if matmul == "high" else "as asked",
                lambda: _matmul(torch), torch.set_float32_matmul_precision, _MATMUL),
        Setting("cudnn_benchmark", benchmark, "shapes never change, so trying the algorithms once pays" if benchmark else "as asked",
                lambda: cudnn.benchmark, lambda value: setattr(cudnn, "benchmark", value), _AGAIN),
    ]
    dtype, device = None, "cuda" if gpus else "cpu"
    if precision != "keep":
        precision, why = _choose(gpus) if precision == "auto" else (precision, "as asked")
        dtype = {"mixed_float16": torch.float16, "mixed_bfloat16": torch.bfloat16}.get(precision)
        wanted.append(_autocast_dtype(torch, device, dtype, why))
    wanted += [_cap(torch, number, mb) for number, mb in sorted(caps.items())]

    def autocast(device_type=None):
        kind = str(device_type or device).partition(":")[0]
        if precision == "keep":
            return contextlib.nullcontext()
        return torch.autocast(kind, dtype=dtype, enabled=dtype is not None)

    return Settings("torch", torch.__version__, wanted, autocast)


def _matmul(torch):
    """torch answers for its older interface alone, so the newer one, which counts, is asked as well."""
    precision = torch.get_float32_matmul_precision()
    newer = getattr(torch.backends.cuda.matmul, "fp32_precision", None)
    if newer is not None and (newer == "tf32") != (precision != "highest"):
        return "%s, but on CUDA %s" % (precision, newer)
    return precision


def _autocast_dtype(torch, device, dtype, why):
    if dtype is None:  # then autocast() does nothing, and there is nothing to set
        return Setting("autocast", "off", why, lambda: "on" if torch.is_autocast_enabled(device) else "off",
                       lambda _: torch.set_autocast_enabled(device, False), _AGAIN)
    name = str(dtype).partition(".")[2]
    return Setting("autocast", "%s on %s" % (name, device), why,
                   lambda: "%s on %s" % (str(torch.get_autocast_dtype(device)).partition(".")[2], device),
                   lambda _: torch.set_autocast_dtype(device, dtype), _AGAIN)


def _allocator(torch, expandable):
    """The allocator reads the environment when CUDA starts; afterwards it is asked itself."""
    variable = _variable(torch)
    if expandable is None:
        told = _SEGMENTS.search(os.environ.get(variable, ""))
        expandable, why = told is None or told[1] == "True", "the environment says so" if told else "segments that grow fall apart less than fixed ones"
    else:
        why = "as asked"

    def read():
        if torch.cuda.is_initialized():
            return torch.cuda.memory._snapshot()["allocator_settings"]["expandable_segments"]
        told = _SEGMENTS.search(os.environ.get(variable, ""))
        return told is not None and told[1] == "True"

    def write(value):
        if torch.cuda.is_initialized():
            raise RuntimeError("CUDA is in use")
        others = _SEGMENTS.sub("", os.environ.get(variable, "")).strip(",")
        os.environ[variable] = "expandable_segments:%s" % value + ("," + others if others else "")

    return Setting("expandable_segments", expandable, why, read, write, _CUDA)


def _variable(torch):
    """The variable that this torch reads: the old name is read first where both are set."""
    if "PYTORCH_CUDA_ALLOC_CONF" not in os.environ and "PYTORCH_ALLOC_CONF" in os.environ and hasattr(torch._C, "_accelerator_setAllocatorSettings"):
        return "PYTORCH_ALLOC_CONF"
    return "PYTORCH_CUDA_ALLOC_CONF"


def _cap(torch, number, mb):
    """torch keeps a cap as a part of the GPU's memory."""
    def total():
        return torch.cuda.get_device_properties(number).total_memory / 2**20

    def read():
        if not torch.cuda.is_initialized():
            return None
        return round(torch.cuda.get_per_process_memory_fraction(number) * total())

    def write(value):
        if value > total():
            raise ValueError("GPU %d has %d MiB" % (number, total()))
        torch.cuda.set_per_process_memory_fraction(value / total(), number)

    return Setting("memory_mb[%d]" % number, mb, "the cap that was asked for, in MiB", read, write, "name a cap that this GPU has")


def _choose(gpus):
    """The precision and the reason."""
    if not gpus:
        return "float32", "no GPU, and most CPUs are slow with halves"
    found = _capabilities()
    if not found:
        return "float32", "it is not known what the GPU can do"
    if min(found) < (7, 0):
        return "float32", "tensor cores came with compute capability 7.0, here it is %d.%d" % min(found)
    if min(found) < (8, 0):
        return "mixed_float16", "tensor cores (compute capability %d.%d) take float16 only" % min(found)
    return "mixed_bfloat16", "tensor cores (compute capability %d.%d) take it, and the loss needs no scaling" % min(found)


def _capabilities():
    """The compute capability of each visible GPU, from the driver: torch would start CUDA to tell,
    and the allocator's settings have to come before that.
    """
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return []
    count, found = ctypes.c_int(), []
    if cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(count)):
        return []
    for number in range(count.value):
        device, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        if cuda.cuDeviceGet(ctypes.byref(device), number):
            return []
        # 75 and 76 are CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR of cuda.h
        if cuda.cuDeviceGetAttribute(ctypes.byref(major), 75, device) or cuda.cuDeviceGetAttribute(ctypes.byref(minor), 76, device):
            return []
        found.append((major.value, minor.value))
    return found
