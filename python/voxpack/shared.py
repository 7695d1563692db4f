"""Memory that the feeder shares, and the futexes in it."""

import ctypes
import mmap
import os
import platform
import sys
import time
from typing import Any, List

from .errors import FeederError

_LINUX = sys.platform == "linux"
_FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine()) if _LINUX else None  # None: there is no such call
_POPULATE = getattr(mmap, "MAP_POPULATE", 0x8000) if _LINUX else 0
_GLANCE = 0.0005  # seconds between two looks at a word where there is no futex
_libc = ctypes.CDLL(None, use_errno=True)  # the GIL is given up while a call lasts
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long
_syscall.argtypes = (ctypes.c_long, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint)


def mapped(fds: List[int], size: int, flags: int = 0) -> mmap.mmap:
    """What the last descriptor holds. It is closed, and all others are where it cannot be mapped."""
    try:
        return mmap.mmap(fds[-1], size, mmap.MAP_SHARED | flags, mmap.PROT_READ | mmap.PROT_WRITE)
    except OSError as e:
        while len(fds) > 1:
            os.close(fds.pop(0))
        raise FeederError("%d bytes that the feeder shares cannot be mapped: %s; where it is descriptors, close files or raise ulimit -n" % (size, e)) from e
    finally:
        os.close(fds.pop())


class _Timespec(ctypes.Structure):
    _fields_ = [("sec", ctypes.c_long), ("nsec", ctypes.c_long)]


class Memory:
    """A mapping of the last descriptor, as of mapped. It lives as long as this object."""

    def __init__(self, fds: List[int], size: int):
        self.map = mapped(fds, size, _POPULATE)
        self._first = ctypes.c_char.from_buffer(self.map)  # keeps the map from being closed under arrays
        self.address = ctypes.addressof(self._first)
        view = memoryview(self.map)
        self.u32 = view[: size & ~3].cast("I")  # an item is stored by one instruction
        self.u64 = view[: size & ~7].cast("Q")


def timeout(seconds: float) -> Any:
    """A timeout as futex_wait takes it."""
    t = _Timespec(int(seconds), int(seconds % 1 * 1e9))
    return ctypes.addressof(t), t  # the address is used as long as the tuple lives


def futex_wait(address: int, value: int, limit: Any) -> bool:
    """Sleeps while the word has the value; False on timeout."""
    if _FUTEX is None:
        word, until = ctypes.c_uint32.from_address(address), time.monotonic() + limit[1].sec + limit[1].nsec / 1e9
        while word.value == value:
            if time.monotonic() > until:
                return False
            time.sleep(_GLANCE)
        return True
    if _syscall(_FUTEX, address, 0, value, limit[0], None, 0) == 0:
        return True
    return ctypes.get_errno() != 110  # ETIMEDOUT


def futex_wake(address: int) -> None:
    """Wakes everybody who sleeps on the word."""
    if _FUTEX is not None:
        _syscall(_FUTEX, address, 1, 1 << 30, None, None, 0)
