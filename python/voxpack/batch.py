"""A batch: arrays that lie in the feeder's memory."""

import warnings

import numpy as np

_TYPES = {"i16": "<i2", "i32": "<i4", "f16": "<f2", "f32": "<f4", "bf16": "<u2"}
_told = False


def _bfloat16(array):
    """The array as ml_dtypes.bfloat16 where that is installed, else as it is, with one warning."""
    global _told
    try:
        import ml_dtypes
    except ImportError:
        if not _told:
            _told = True
            warnings.warn("the mel is bfloat16, which NumPy does not know: it comes as uint16; pip install ml_dtypes", stacklevel=4)
        return array
    return array.view(ml_dtypes.bfloat16)


class Lease:
    """The right to read a slot. When the last array and the batch are gone, so is it."""

    __slots__ = ("memory", "__weakref__")

    def __init__(self, memory):
        self.memory = memory  # stays mapped as long as somebody reads


class _Export:
    """What NumPy takes for the owner of an array's memory."""

    __slots__ = ("lease", "__array_interface__")

    def __init__(self, lease, interface):
        self.lease = lease
        self.__array_interface__ = interface


class Field:
    """Shape, type and place of one array of a layout."""

    __slots__ = ("name", "shape", "type", "offset", "bfloat16")

    def __init__(self, told):
        self.name, self.shape, self.offset = told["name"], tuple(told["shape"]), told["offset"]
        self.type, self.bfloat16 = _TYPES[told["dtype"]], told["dtype"] == "bf16"

    def array(self, lease, address):
        a = np.asarray(_Export(lease, {"version": 3, "shape": self.shape, "typestr": self.type, "data": (address + self.offset, False)}))
        return _bfloat16(a) if self.bfloat16 else a


class Batch:
    """What one step trains on.

    Every column of the dataset is an attribute: an array [samples, ...] that lies in shared
    memory, where it may be written too. ``tokens`` int32 [samples, max_text_length], ``mel``
    [samples, max_mel_frames, n_mels], ``text_len`` and ``mel_len`` int32 [samples], and
    ``speaker`` and ``language`` int32 [samples] where the dataset has them. The slot goes back
    to the feeder when this object and all arrays made from it are gone: copy what is to be
    kept for long.

    ``rows`` (row numbers), ``ids``, ``valid``, ``seq`` (from 0 in this connection), ``epoch``,
    ``lost`` (corrupt samples that were left out).
    """

    def __init__(self, stream, lease, address, layout, record):
        self._stream, self._lease, self._address, self._layout = stream, lease, address, layout
        self.seq, self.epoch, self.bucket, self.lost, self.rows = record

    def __getattr__(self, name):
        field = self._layout.get(name) if not name.startswith("_") else None
        if field is None:
            raise AttributeError("a batch has no %s; the columns are %s" % (name, ", ".join(self.__dict__.get("_layout", ()))))
        array = field.array(self._lease, self._address)
        self.__dict__[name] = array
        return array

    def __len__(self):
        return len(self.rows)

    @property
    def columns(self):
        """The names of the arrays."""
        return tuple(self._layout)

    @property
    def valid(self):
        """bool [samples]: False where the tail of an epoch left a place empty."""
        valid = np.zeros(self._stream.samples, bool)
        valid[: len(self.rows)] = True
        return valid

    @property
    def ids(self):
        """The utterance ids, a list of str, one for each valid sample."""
        return self._stream.ids(self.rows)

    def __repr__(self):
        return "Batch(seq=%d, epoch=%d, %d samples)" % (self.seq, self.epoch, len(self.rows))
