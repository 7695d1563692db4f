"""Messages over the socket: a length of 4 bytes, little-endian, and JSON."""

import json
import os
import socket
import struct
import sys
import weakref
from typing import Any, List, Tuple

from .errors import FeederDied, FeederError

PROTOCOL = 3
_PATH = 107 if sys.platform == "linux" else 103  # bytes that the kernel takes for the path of a socket, less the one that ends it

_open: Any = weakref.WeakSet()  # greeted sockets
forks = [0]  # how many forks lie between this process and the one that imported this


def _forked() -> None:
    """A session is its process's: its death must be seen although a child lives."""
    forks[0] += 1
    for s in list(_open):
        s.close()


os.register_at_fork(after_in_child=_forked)


def connect(path: str, timeout: float) -> Tuple[socket.socket, dict]:
    """A socket that has been greeted, and the welcome."""
    size = len(os.fsencode(path))
    if size > _PATH:
        raise FeederError("socket %s: %d bytes, the system takes %d; give a shorter socket=, or set XDG_RUNTIME_DIR or TMPDIR to a shorter folder" % (path, size, _PATH), "address")
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        s.settimeout(timeout)
        s.connect(path)
        send(s, {"type": "hello", "protocol": PROTOCOL, "client": "python"})
        welcome, _ = receive(s)
    except BaseException:
        s.close()
        raise
    _open.add(s)
    return s, welcome


def send(s: socket.socket, message: dict) -> None:
    body = json.dumps(message).encode()
    try:
        s.sendall(struct.pack("<I", len(body)) + body)
    except (BrokenPipeError, ConnectionResetError):
        raise FeederDied("the feeder is gone") from None


def receive(s: socket.socket) -> Tuple[dict, List[int]]:
    """One message and the descriptors that came with it; an error message is raised."""
    try:
        head, fds, flags, _ = socket.recv_fds(s, 4, 8)
        while head and len(head) < 4:
            more = s.recv(4 - len(head))
            head = head + more if more else b""
        if not head:
            raise FeederDied("the feeder is gone")
        (length,) = struct.unpack("<I", head)
        parts = []
        while length:
            part = s.recv(min(length, 1 << 20))
            if not part:
                raise FeederDied("the feeder is gone")
            parts.append(part)
            length -= len(part)
    except ConnectionResetError:
        raise FeederDied("the feeder is gone") from None
    except socket.timeout:
        raise FeederError("the feeder said nothing for %g s; see Dataset(timeout=)" % s.gettimeout()) from None
    message = json.loads(b"".join(parts))
    if flags & socket.MSG_CTRUNC:
        for fd in fds:
            os.close(fd)
        raise FeederError("this process has no descriptors left for the memory that the feeder shares: close files, or raise ulimit -n")
    if message.get("type") == "error":
        for fd in fds:
            os.close(fd)
        error = FeederError(message.get("text", ""), message.get("kind", "other"))
        error.of = message.get("of")
        raise error
    return message, list(fds)


def ended(s: socket.socket) -> bool:
    """Whether the other side is gone. What it said before stays to be read."""
    try:
        return s.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except (BlockingIOError, InterruptedError):
        return False
    except OSError:
        return True
