"""Files that are there whole or not at all."""

import os


def replace(path, write):
    """Puts what write(file) writes into the place of a file. After a crash the old one is there, or the new."""
    folder = os.path.dirname(os.path.abspath(path))
    temporary = "%s.%d.tmp" % (path, os.getpid())
    try:
        with open(temporary, "wb") as f:
            write(f)
            f.flush()
            os.fsync(f.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


class Curve:
    """The loss of each step in a file, a line each: as many digits as give the same number again."""

    def __init__(self, path, steps):
        """Keeps the first steps lines of what is there, which a run up to a checkpoint wrote."""
        self._file = None
        if path is None:
            return
        kept = []
        if steps and os.path.exists(path):
            with open(path, encoding="ascii") as f:
                kept = f.readlines()[:steps]
        replace(path, lambda f: f.write("".join(kept).encode()))
        self._file = open(path, "a", encoding="ascii", buffering=1)  # a line at a time: a killed run has written its steps

    def add(self, loss):
        if self._file is not None:
            self._file.write("%r\n" % loss)

    def sync(self):
        """Waits for the disk: a checkpoint must not be ahead of the curve."""
        if self._file is not None:
            os.fsync(self._file.fileno())

    def close(self):
        if self._file is not None:
            self._file.close()
