"""Programs that compute a column for ``voxpack build``: one array for each row.

    import numpy as np
    import voxpack

    @voxpack.column
    def loudness(rows):
        return [np.sqrt(np.mean(row.pcm ** 2)) for row in rows]

    if __name__ == "__main__":
        loudness.run()

``columns:`` in voxpack.yaml names the program; a build runs it for the rows that need it. docs/workers.md
has the bytes that the two exchange.
"""

import json
import mmap
import os
import struct
import sys

from typing import Any, Callable, List, Optional, Sequence

import numpy as np

PROTOCOL = 1
_MAGIC = b"VXW1"
_HELLO, _READY, _BATCH, _RESULT, _FAULT = 1, 2, 3, 4, 5
_DTYPES = {"i32": np.int32, "f32": np.float32, "f16": np.float16, "i16": np.int16, "bf16": np.float32}


class Row:
    """What a function is told of a row. ``pcm`` and ``tokens`` lie in memory that the next batch overwrites: copy what you keep or change.

    id: name of the row, for messages; a value that depends on it is not computed again when it should be
    pcm: samples, float32 in [-1, 1], shape [n]; empty where the column does not read them
    rate: of pcm, Hz; 0 where there is none
    text: as the text stage speaks it; empty where the column does not read it
    tokens: their numbers, int32, shape [n]; empty where the column does not read them
    """

    __slots__ = ("id", "pcm", "rate", "text", "tokens")

    def __init__(self, id: str, pcm: Any, rate: int, text: str = "", tokens: Any = ()) -> None:
        self.id, self.pcm, self.rate, self.text = id, pcm, rate, text
        self.tokens = np.asarray(tokens, dtype=np.int32)

    def __repr__(self) -> str:
        return "Row(%r, %d samples at %d Hz, %r, %d tokens)" % (self.id, len(self.pcm), self.rate, self.text, len(self.tokens))


class Column:
    """A function over a list of rows that can be called as before, and run by a build."""

    def __init__(self, function: Callable[[List[Row]], Sequence[Any]], version: str = "") -> None:
        self.function, self.version = function, version
        self.__name__, self.__doc__ = getattr(function, "__name__", "column"), function.__doc__

    def __call__(self, rows: List[Row]) -> Sequence[Any]:
        return self.function(rows)

    def run(self) -> None:
        """Answers a build until it closes the pipe. ``if __name__ == "__main__"`` calls it, last."""
        if not os.environ.get("VOXPACK_WORKER"):
            sys.exit("this program computes a column: name it in voxpack.yaml under columns, key run, and voxpack build runs it")
        _Worker(self, *_pipes()).serve()


def column(function: Optional[Callable[[List[Row]], Sequence[Any]]] = None, version: str = "") -> Any:
    """Makes a function over a list of rows one that a build runs. It returns one array (or number) for each row.

    version: what the config has to say too; a build with another one stops, so that a changed program is not
        forgotten in the config
    """
    if os.environ.get("VOXPACK_WORKER"):
        _pipes()  # from here on, what the script prints goes to the standard error
    if function is None:
        return lambda f: Column(f, version)
    return Column(function, version)


_kept = []  # the pipes' descriptors, once they are taken


def _pipes() -> List[int]:
    """Takes standard input and output away from all but the protocol: prints go to the standard error, also those of C."""
    if not _kept:
        sys.stdout.flush()
        _kept[:] = [os.dup(0), os.dup(1)]
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
    return _kept


class _Fault(Exception):
    """No row can be computed."""


class _Worker:
    """One conversation with a build."""

    def __init__(self, col: Column, fd_in: int, fd_out: int) -> None:
        self.col, self.read, self.out = col, os.fdopen(fd_in, "rb", 0), os.fdopen(fd_out, "wb", 0)
        self.memory, self.floats = bytearray(1 << 20), np.empty(1 << 18, np.float32)
        self.ready = bytearray()
        self.want: dict = {}
        self.there: Any = b""  # memory of the build

    def serve(self) -> None:
        kind, payload = self.receive()
        if kind == 0:
            return
        self.want = json.loads(bytes(payload))
        said = {"protocol": PROTOCOL, "version": self.col.version}
        if "memory" in self.want and self.see(self.want["memory"]):
            said["memory"] = True
        self.send(_READY, json.dumps(said).encode())
        self.flush()
        while True:
            kind, payload = self.receive()
            if kind == 0:
                return
            number, rows = self.rows(payload)
            try:
                self.answer(number, rows)
            except _Fault as e:
                self.send(_FAULT, str(e).encode("utf-8", "replace")[:60000])
            self.flush()
            del rows, payload

    def see(self, memory: dict) -> bool:
        """Maps the memory in which a build has the samples, if this process may see it."""
        try:
            with open(memory["path"], "r+b", 0) as f:
                there = mmap.mmap(f.fileno(), memory["bytes"])  # not for reading only: torch would write through an array that NumPy guards, and crash
        except (OSError, ValueError):
            return False
        if there[:len(memory["mark"]) // 2].hex() != memory["mark"]:
            return False
        self.there = there
        return True

    def receive(self) -> Any:
        """The next frame, (0, empty) at the end."""
        head = bytearray(16)
        if not self._fill(memoryview(head)):
            return 0, b""
        magic, kind, size = struct.unpack("<4sIQ", head)
        if magic != _MAGIC:
            sys.exit("the standard input is not that of voxpack build")
        if size > len(self.memory):
            self.memory = bytearray(size + size // 4)
        payload = memoryview(self.memory)[:size]
        return (kind, payload) if self._fill(payload) else (0, b"")

    def _fill(self, view: memoryview) -> bool:
        at = 0
        while at < len(view):
            n = self.read.readinto(view[at:])
            if not n:
                return False
            at += n
        return True

    def send(self, kind: int, payload: bytes) -> None:
        """Makes a frame ready; flush sends what is ready."""
        self.ready += struct.pack("<4sIQ", _MAGIC, kind, len(payload)) + payload
        if len(self.ready) > 1 << 20:
            self.flush()

    def flush(self) -> None:
        at = 0
        while at < len(self.ready):
            at += self.out.write(memoryview(self.ready)[at:])
        self.ready = bytearray()

    def rows(self, payload: memoryview) -> Any:
        """A batch: its number and its rows, whose arrays lie in the payload."""
        number, n = struct.unpack_from("<II", payload)
        at, rows, used = 8, [], 0
        if len(self.floats) < len(payload) // 2:
            self.floats = np.empty(len(payload) // 2 + (1 << 18), np.float32)
        for _ in range(n):
            of_id, of_text, tokens, samples, size = struct.unpack_from("<5I", payload, at)
            at += 20
            name = str(payload[at:at + of_id], "utf-8", "replace")
            text = str(payload[at + of_id:at + of_id + of_text], "utf-8", "replace")
            at += of_id + of_text + -(of_id + of_text) % 4
            ids = np.frombuffer(payload, np.int32, tokens, at)
            ids.flags.writeable = False  # a row may be asked again, one by one
            at += 4 * tokens
            if size == 2:
                pcm = self.floats[used:used + samples]
                pcm[:] = np.frombuffer(payload, np.int16, samples, at)  # with the next line 2.4 times as quick as np.multiply
                pcm *= np.float32(1 / 32768)
                used += samples
            elif size:
                pcm = np.frombuffer(payload, np.float32, samples, at)
            else:
                pcm = np.frombuffer(self.there, np.float32, samples, *struct.unpack_from("<Q", payload, at))
                at += 8
            pcm.flags.writeable = False
            rows.append(Row(name, pcm, self.want["rate"], text, ids))
            at += size * samples
            at += -at % 4
        return number, rows

    def answer(self, number: int, rows: List[Row]) -> None:
        """Answers all rows: together, and where that raises one by one, so that the row to blame is known."""
        try:
            values = self.call(rows)
        except _Fault:
            raise
        except Exception as e:
            if len(rows) > 1:
                values = [None] * len(rows)
            else:
                self.fail(number, 0, rows[0], e)
                return
        for i, row in enumerate(rows):
            try:
                value = values[i]
                if value is None and len(rows) > 1:
                    value = self.call([row])[0]
                self.send(_RESULT, struct.pack("<III", number, i, 0) + self.array(value))
            except _Fault:
                raise
            except Exception as e:
                self.fail(number, i, row, e)

    def call(self, rows: List[Row]) -> List[Any]:
        values = list(self.col.function(rows))
        if len(values) != len(rows):
            raise _Fault("%s returned %d values for %d rows" % (self.col.__name__, len(values), len(rows)))
        return values

    def fail(self, number: int, i: int, row: Row, e: Exception) -> None:
        """Says why a row has no value; what the machine lacks is no row's fault."""
        text = str(e)
        if not isinstance(e, _Value):
            at = e.__traceback__
            while at is not None and at.tb_next is not None:
                at = at.tb_next
            where = " (%s:%d)" % (os.path.basename(at.tb_frame.f_code.co_filename), at.tb_lineno) if at is not None else ""
            text = "%s: %s%s" % (type(e).__name__, e, where)
            print("row %s:" % row.id, file=sys.stderr)
            sys.excepthook(type(e), e, e.__traceback__)
        if isinstance(e, (MemoryError, ImportError, OSError)) or type(e).__name__ == "OutOfMemoryError":
            raise _Fault("row %s: %s" % (row.id, text))
        self.send(_RESULT, struct.pack("<III", number, i, 1) + text.encode("utf-8", "replace")[:4000])

    def array(self, value: Any) -> bytes:
        """A value as the column's element type; leading axes of 1 that the column does not have are dropped."""
        if hasattr(value, "detach"):  # a tensor of torch
            value = value.detach().cpu().numpy()
        a, name, shape = np.asarray(value), self.want["dtype"], self.want["shape"]
        if a.dtype.kind not in "fiub" or a.dtype.kind == "f" and name in ("i32", "i16"):
            raise _Value("an array of %s, want %s" % (a.dtype, name))
        if a.dtype.kind != "f" and name in ("i32", "i16") and a.size and (a.min() < np.iinfo(_DTYPES[name]).min or a.max() > np.iinfo(_DTYPES[name]).max):
            raise _Value("values from %s to %s, which %s does not hold" % (a.min(), a.max(), name))
        while a.ndim > len(shape) and a.shape[0] == 1:
            a = a[0]
        if a.ndim == 0 and list(shape) == [1]:
            a = a.reshape(1)
        with np.errstate(over="ignore"):
            a = np.ascontiguousarray(a, dtype=np.dtype(_DTYPES[name]).newbyteorder("<")).reshape(a.shape)
        data = a.tobytes()
        if name == "bf16":  # to the nearest, halves to even; NaN and infinities stay such
            bits = a.view(np.uint32).astype(np.uint64)
            rounded = np.where(np.isfinite(a), bits + 0x7FFF + (bits >> 16 & 1), bits | np.where(np.isnan(a), 0x400000, 0).astype(np.uint64))
            data = (rounded >> 16).astype("<u2").tobytes()
        return struct.pack("<4sI%dI" % a.ndim, name.encode(), a.ndim, *a.shape) + data


class _Value(Exception):
    """What a function returned is no value of the column."""
