"""Whether all ranks leave their loops after the same number of batches."""

import collections
import json
import sys
import warnings
import zlib
from typing import Any

_begun: Any = collections.Counter()  # Datasets of these settings that were looped over in this process


class Pace:
    """Compares each loop that ended, by end or by break, with the same one of the other ranks, where torch.distributed spreads
    them: who is first writes into its key-value store how far it came, and nobody waits for anybody.
    """

    def __init__(self) -> None:
        self._name = ""
        self._loops = 0  # that were compared

    def compare(self, dataset: Any, epoch: int, batches: int) -> None:
        """Warns where another rank took other batches: from then on ranks may be in different epochs, and rows come twice or not at all."""
        spread = getattr(sys.modules.get("torch"), "distributed", None)
        if spread is None or not spread.is_available() or not spread.is_initialized():
            return
        rank, world = spread.get_rank(), spread.get_world_size()
        if world == 1 or dataset._part != {"rank": rank, "world": world}:
            return
        if not self._name:
            told = json.dumps([dataset._welcome["dataset"]["root"], dataset._request], sort_keys=True)
            name = zlib.crc32(told.encode())
            self._name = "voxpack/%d/%d" % (name, _begun[name])  # one rank alone may have a second Dataset like it
            _begun[name] += 1
        self._loops += 1
        try:
            store = spread.distributed_c10d._get_default_store()
            first = store.compare_set("%s/%d" % (self._name, self._loops), "", json.dumps([rank, epoch, batches]))
            other, its, taken = json.loads(first)
        except Exception:  # a store that cannot do it, or that is gone with rank 0: training does not depend on it
            return
        if (its, taken) != (epoch, batches):
            warnings.warn("ranks left a loop at different batches: rank %d took %d of epoch %d, rank %d took %d of epoch %d. Every rank has to take the same number, "
                          "or rows come twice or not at all; for a look at a batch on one rank use ds[0]" % (other, taken, its, rank, batches, epoch), stacklevel=4)
