"""Who hands the batches on: a loader that would make batches of them, or share them among ranks, a second time."""

import sys

from .errors import FeederError

# What accelerate's prepare() makes of a loader or its dataset, and what becomes of the rows then.
_SHARERS = {
    "DataLoaderDispatcher": "dispatches this loader: it would read only rank 0 and distribute its batches, so that the rows of %d of %d ranks",
    "IterableDatasetShard": "shards this loader: each rank would leave out what it takes for the other ranks' batches, so that %d of %d of its own",
}
_LOADERS = ("accelerate.", "torch.utils.data.", "torchdata.")


def refuse(world: int) -> None:
    """Raises FeederError in a loop of a DataLoader that collates, or of an accelerate that shares out: its
    DataLoaderDispatcher asks rank 0 alone and shares out what that has, and its IterableDatasetShard
    (dispatch_batches=False) shares out what each rank has.

    Each rank's Dataset has its own part already: all other ranks' rows would be seen by nobody. With world=1 the
    Dataset has everything, and sharing that out is right.
    """
    accelerate = sys.modules.get("accelerate.data_loader") if world > 1 else None
    sharers = [(getattr(accelerate, name), what) for name, what in _SHARERS.items() if hasattr(accelerate, name)]
    frame = sys._getframe(1)
    while frame is not None:
        inside = frame.f_globals.get("__name__", "").startswith(_LOADERS)  # to ask a frame for its locals keeps them alive, and a batch with them
        loop = frame.f_locals.get("self") if inside else None
        if getattr(type(loop), "__name__", "").endswith("IterableDatasetFetcher") and getattr(loop, "auto_collation", False):
            raise FeederError("these are batches already: give the DataLoader batch_size=None", "request")
        what = next((what for kind, what in sharers if type(loop) is kind), None)
        if what is not None:
            raise FeederError("accelerate's prepare() " + what % (world - 1, world) + " "
                              "would never be trained on. Each rank already gets its own part: give the model and the optimizer to prepare(), and loop over "
                              "ds.torch(device=accelerator.device); or make the Dataset with rank=0, world=1, and let accelerate distribute the batches", "request")
        frame = frame.f_back
