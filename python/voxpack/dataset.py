"""The dataset as a trainer sees it."""

import json
import os
import sys

from . import address
from .errors import FeederError
from .feeder import Feeder
from .stream import Stream


class Info:
    """What the root says: ``root``, ``snapshot``, ``rows``, ``symbols``, ``speakers``, ``languages``,
    ``settings`` (text by key), ``stages`` (versions), ``columns`` (dtype and shape of one sample by
    name) and ``sample_rate`` in Hz.
    """

    def __init__(self, told):
        self.root, self.snapshot, self.rows = told["root"], told["snapshot"], told["rows"]
        self.symbols, self.speakers = tuple(told["symbols"] or ()), tuple(told["speakers"] or ())
        self.languages = tuple(told["languages"] or ())
        self.settings, self.stages = dict(told["settings"]), dict(told["stages"])
        self.columns = {c["name"]: (c["dtype"], tuple(c["shape"] or ())) for c in told["columns"]}

    @property
    def sample_rate(self):
        return int(self.settings["sample_rate"])

    def __repr__(self):
        return "Info(root=%s, rows=%d)" % (self.root[:12], self.rows)


class Dataset:
    """The batches of a store, epoch after epoch, in the order that the seed gives.

    store       the dataset's folder, the store, or either with @REF
    batch_size  samples of a batch over all ranks
    seed, split, shuffle, tail, val, epochs, ahead   as the flags of voxpack serve; epochs 0 goes on
                without end; ahead is how many batches are prepared besides the one in use
    rank, world the part of each batch that this process trains on; else what torch.distributed
                says, else RANK and WORLD_SIZE in the environment, else everything
    socket      a feeder's; else the one of this store, which is started where none runs

    What is not given is as the feeder was told. A loop that was left goes on in the next one with
    the rest of its epoch, so that no batch is lost. The object belongs to one thread at a time and
    to the process that made it.
    """

    def __init__(self, store=None, batch_size=None, seed=None, split=None, *, rank=None, world=None, shuffle=None, tail=None,
                 val=None, epochs=0, ahead=None, socket=None, program=None, timeout=30.0):
        self._feeder_of, self._timeout, self._given_socket = (store, program), timeout, socket
        self._stream = self._welcome = self._socket = self._feeder = None
        self._cursor = None  # of load_state_dict
        self._request = {"epochs": epochs}
        rank, world = _place(rank, world)
        for key, value in (("batch", batch_size), ("seed", seed), ("split", split), ("shuffle", shuffle), ("tail", tail),
                           ("val", val), ("ahead", ahead), ("rank", rank), ("world", world)):
            if value is not None:
                self._request[key] = value
        self._connect()

    def _connect(self):
        store, program = self._feeder_of
        path, serve = self._given_socket, store
        if store is not None:
            folder, ref = address.resolve(store)
            digest = address.snapshot(folder, ref)
            serve = "%s@%s" % (folder, digest)  # a build may move the ref meanwhile
            path = path or address.default_socket(digest)
        elif path is None:
            raise FeederError("name a store or a socket", "request")
        self._feeder = Feeder(serve, path, self._given_socket, program)
        self._socket, self._welcome = self._feeder.connect(self._timeout, start=store is not None)

    @property
    def info(self):
        """What the dataset is: see Info."""
        return Info(self._welcome["dataset"])

    def _start(self):
        if self._stream is None:
            if self._socket is None:
                self._connect()
            request = dict(self._request)
            if self._cursor is not None:
                c = self._cursor
                request["cursor"] = c
                for key in ("seed", "shuffle", "tail"):
                    request.setdefault(key, c[key])
                request.setdefault("split", c["selection"]["split"])
                request.setdefault("val", c["selection"].get("val", 0))
            s, self._socket = self._socket, None
            self._stream = Stream(s, request, self._feeder.died)
        return self._stream

    def __iter__(self):
        """The batches of one epoch, or of what is left of it."""
        stream = self._start()
        epoch = stream.peek()
        while epoch is not None and stream is self._stream:  # load_state_dict in the loop ends it
            got = [stream.take(epoch)]
            if got[0] is None:
                return
            yield got.pop()  # no name of this frame's keeps the slot

    def __len__(self):
        """Batches of an epoch, of each rank. With weights it is that of the first epoch here."""
        return self._start().started["batches_per_epoch"]

    def state_dict(self):
        """Where to go on: behind the batch that the loop got last. It is plain JSON, and works
        with another world or batch size, and after the feeder's death.
        """
        stream = self._stream
        if stream is not None and stream.cursor is not None:
            cursor = json.loads(stream.cursor)
        elif self._cursor is not None:
            cursor = self._cursor
        else:
            cursor = self._start().started["cursor"]
        return {"voxpack": 1, "cursor": cursor}

    def load_state_dict(self, state):
        """Go on where state_dict was taken."""
        if state.get("voxpack") != 1:
            raise FeederError("this is no state of voxpack that this version reads", "cursor")
        self._hang_up()
        self._cursor = state["cursor"]

    def _hang_up(self):
        if self._stream is not None:
            self._stream.close()
            self._stream = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def close(self):
        """Let the feeder go. Arrays that are alive stay as they are."""
        self._hang_up()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_feeder_of", None) is not None:
            self._hang_up()


def _place(rank, world):
    """This process among those that train together."""
    if rank is not None or world is not None:
        return rank, world
    torch = sys.modules.get("torch")
    spread = getattr(torch, "distributed", None)
    if spread is not None and spread.is_available() and spread.is_initialized():
        return spread.get_rank(), spread.get_world_size()
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        return int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    return None, None
