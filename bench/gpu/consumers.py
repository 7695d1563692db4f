"""Libraries that take a DLPack capsule of a GPU's memory, where they are installed.

The fake driver's memory is the host's. There torch and JAX, which see no GPU, read it as that.
"""

import ctypes

import numpy

from voxpack import cuda
from voxpack.devicering import DeviceArray


USED = ctypes.c_char_p(b"used_dltensor_versioned")  # it outlives all capsules


class Here(DeviceArray):
    """An array of the fake driver, as the memory of the host that it is."""

    __slots__ = ()

    def __dlpack_device__(self):
        return 1, 0


def find(name):
    """A function that makes its tensor of an array; a text says why there is none."""
    try:
        found = {"torch": torch, "cupy": cupy, "jax": jax, "tvm_ffi": tvm_ffi, "static": static}[name]()
    except ImportError as err:
        return "no %s: %s" % (name, err)
    if not isinstance(found, tuple):
        return found
    said, take, version = found
    if not cuda.device(0).name.startswith("Fake GPU"):
        return said
    return given(lambda a: take(Here(a.slot, a.dtype, a.shape, a.address - a.slot.address)), version, True)


def torch():
    import torch
    if not torch.cuda.is_available():
        return "torch sees no GPU", torch.from_dlpack, torch.__version__
    return given(torch.from_dlpack, torch.__version__)


def cupy():
    import cupy
    try:
        cupy.cuda.runtime.getDeviceCount()
    except Exception as err:
        return "CuPy sees no GPU: %s" % err
    return given(cupy.from_dlpack, cupy.__version__)


def jax():
    import os
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    import jax.dlpack
    try:
        jax.devices("gpu")
    except RuntimeError:
        return "JAX sees no GPU", jax.dlpack.from_dlpack, jax.__version__
    return given(jax.dlpack.from_dlpack, jax.__version__)


def tvm_ffi():
    """It takes memory of any device and reads none of it."""
    import tvm_ffi
    return given(tvm_ffi.from_dlpack, tvm_ffi.__version__)


def static():
    """A tensor that lives as long as the process, as a static one of C++ does: its deleter runs after Python has ended."""
    libc, python = ctypes.CDLL(None), ctypes.pythonapi
    python.PyCapsule_GetPointer.restype = ctypes.c_void_p

    def take(array):
        capsule = ctypes.py_object(array.__dlpack__(stream=1, max_version=(1, 0)))
        at = python.PyCapsule_GetPointer(capsule, b"dltensor_versioned")
        deleter = ctypes.c_void_p.from_address(at + 16)  # after the version and the context
        python.PyCapsule_SetName(capsule, USED)
        if libc.__cxa_atexit(deleter, ctypes.c_void_p(at), None):
            raise RuntimeError("__cxa_atexit fails")
    return given(take, "")


def given(take, version, host=False):
    def taken(array):
        return take(array)
    taken.version, taken.host = version, host
    return taken


def look(name, tensor):
    """Its shape, and its values on the host; None where it cannot read them."""
    if name == "tvm_ffi":
        return tensor.shape, None
    values = {"torch": lambda t: t.cpu().numpy(), "cupy": lambda t: t.get(), "jax": numpy.asarray}[name](tensor)
    return tensor.shape, values
