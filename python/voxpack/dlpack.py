"""Memory of a GPU as DLPack capsules, without a compiled extension.

Who gets a capsule calls the deleter in it when the tensor dies: from any thread, without Python's
lock, while an exception is on its way, or after Python has ended, when no Python code may run. So the
deleter is C's own ``time``, which stores the time where its argument points to, into the first 8
bytes of the structure. ``Exports.dead`` looks whether they have changed.
"""

import ctypes
import struct
import sys
from typing import Any, Dict, List, Tuple

CUDA = 2  # kDLCUDA

# Sizes and order are those of dlpack.h 1.1: a DLTensor has 48 bytes, a DLManagedTensor 64, a
# DLManagedTensorVersioned 80.
_TENSOR = struct.Struct("<QiiiBBHQQQ")
_TAIL = struct.Struct("<QQ")  # of the old structure: context, deleter
_HEAD = struct.Struct("<IIQQQ")  # of the new one: version, context, deleter, flags

_TYPES = {"u8": (1, 8), "i16": (0, 16), "i32": (0, 32), "f16": (2, 16), "f32": (2, 32), "bf16": (4, 16)}

_OLD, _NEW = ctypes.c_char_p(b"dltensor"), ctypes.c_char_p(b"dltensor_versioned")  # they outlive all capsules

_libc = ctypes.CDLL(None)
_libc.malloc.restype, _libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
_libc.free.restype, _libc.free.argtypes = None, [ctypes.c_void_p]
_DELETER = ctypes.cast(_libc.time, ctypes.c_void_p).value or 0

_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))


class _Export:
    """One capsule, or the tensor that came of it."""

    __slots__ = ("block", "first", "name", "capsule", "owner")

    def __init__(self, block: int, name: Any, owner: Any):
        self.block, self.name, self.owner = block, name, owner
        self.first = ctypes.c_uint64.from_address(block).value
        self.capsule: Any = _new(block, name, None)

    def over(self) -> bool:
        """Whether its consumer has let go of it."""
        if ctypes.c_uint64.from_address(self.block).value != self.first:
            return True
        if self.capsule is None:
            return False
        if not _valid(self.capsule, self.name):  # a consumer gave it another name: it has the tensor
            self.capsule = None
            return False
        return _holders(self) <= _ALONE  # dropped, and never consumed


def _holders(export: Any) -> int:
    return sys.getrefcount(export.capsule)


class _Alone:
    def __init__(self) -> None:
        self.capsule = object()


_ALONE = _holders(_Alone())  # what is counted where one attribute alone has it


class Exports:
    """The capsules of one source that are alive. dead is for one thread at a time."""

    def __init__(self) -> None:
        self._all: Dict[int, _Export] = {}

    def __len__(self) -> int:
        return len(self._all)

    def capsule(self, owner: Any, address: int, device: Tuple[int, int], dtype: str, shape: Tuple[int, ...], versioned: bool) -> Any:
        """A capsule of a dense array. owner is held until the consumer is done."""
        code, bits = _TYPES[dtype]
        n = len(shape)
        head = _HEAD.size if versioned else 0
        dims = head + _TENSOR.size + (0 if versioned else _TAIL.size)
        block = _libc.malloc(dims + 16 * n)
        if not block:
            raise MemoryError
        strides: List[int] = [1] * n
        for i in range(n - 2, -1, -1):
            strides[i] = strides[i + 1] * shape[i + 1]
        tensor = _TENSOR.pack(address, device[0], device[1], n, code, bits, 1, block + dims, block + dims + 8 * n, 0)
        text = _HEAD.pack(1, 0, 0, _DELETER, 0) + tensor if versioned else tensor + _TAIL.pack(0, _DELETER)
        ctypes.memmove(block, text + struct.pack("<%dq" % (2 * n), *shape, *strides), dims + 16 * n)
        export = self._all[block] = _Export(block, _NEW if versioned else _OLD, owner)
        return export.capsule

    def dead(self) -> None:
        """Releases the owners whose tensors have died."""
        for block, export in list(self._all.items()):
            if export.over():
                del self._all[block]
                _libc.free(block)
