"""Who shares the batches among ranks: the feeder, or a library that would do it a second time."""

import sys

from .errors import FeederError


def undispatched(world: int) -> None:
    """Refuses a loop of accelerate's DataLoaderDispatcher, which asks rank 0 alone and shares out what that has.

    Each rank's Dataset has its own part already: all other ranks' rows would be seen by nobody. With world=1 the
    Dataset has everything, and sharing that out is right.
    """
    dispatcher = getattr(sys.modules["accelerate.data_loader"], "DataLoaderDispatcher", None)
    if world < 2 or dispatcher is None:
        return
    frame = sys._getframe(1)
    while frame is not None:
        if type(frame.f_locals.get("self")) is dispatcher:
            raise FeederError("accelerate's prepare() dispatches this loader: it would read only rank 0 and distribute its batches, so that the rows of %d of %d ranks "
                              "would never be trained on. Each rank already gets its own part: give the model and the optimizer to prepare(), and loop over "
                              "ds.torch(device=accelerator.device); or make the Dataset with rank=0, world=1, and let accelerate distribute the batches" % (world - 1, world), "request")
        frame = frame.f_back
