"""Who shares the batches among ranks: the feeder, or a library that would do it a second time."""

import sys

from .errors import FeederError

# What accelerate's prepare() makes of a loader or its dataset, and what becomes of the rows then.
_SHARERS = {
    "DataLoaderDispatcher": "dispatches this loader: it would read only rank 0 and distribute its batches, so that the rows of %d of %d ranks",
    "IterableDatasetShard": "shards this loader: each rank would leave out what it takes for the other ranks' batches, so that %d of %d of its own",
}


def undispatched(world: int) -> None:
    """Refuses a loop of accelerate's DataLoaderDispatcher, which asks rank 0 alone and shares out what that has, or
    of its IterableDatasetShard (dispatch_batches=False), which shares out what each rank has.

    Each rank's Dataset has its own part already: all other ranks' rows would be seen by nobody. With world=1 the
    Dataset has everything, and sharing that out is right.
    """
    if world < 2:
        return
    module = sys.modules["accelerate.data_loader"]
    sharers = [(getattr(module, name, None), what) for name, what in _SHARERS.items()]
    frame = sys._getframe(1)
    while frame is not None:
        what = next((what for kind, what in sharers if type(frame.f_locals.get("self")) is kind), None)
        if what is not None:
            raise FeederError("accelerate's prepare() " + what % (world - 1, world) + " "
                              "would never be trained on. Each rank already gets its own part: give the model and the optimizer to prepare(), and loop over "
                              "ds.torch(device=accelerator.device); or make the Dataset with rank=0, world=1, and let accelerate distribute the batches", "request")
        frame = frame.f_back
