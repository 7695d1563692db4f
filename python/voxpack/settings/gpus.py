"""Whether a framework sees the GPUs that the driver has."""

import os


def visible(name, wanted):
    """A line as of readback.Line, None where nothing can be said, and then why in words."""
    if wanted == 0:
        return None, ""  # the program says why it sees none
    found, built = _ASK[name]()
    if found is None:
        return None, "%s: which GPUs it sees; %s" % (name, built)
    why = "those that the driver has for this process"
    if found == wanted:
        return ("ok", name, "visible_gpus", wanted, found, why, ""), ""
    if found:  # the driver, which was asked now, obeys the variable as it is now
        now = os.environ.get("CUDA_VISIBLE_DEVICES")
        todo = "%s counted them before CUDA_VISIBLE_DEVICES was %s: set it before the trainer starts, not in it" % (name, "unset" if now is None else "set to " + now)
    elif not built:
        todo = "install a %s with CUDA: this one is built without" % name
    else:
        todo = "look at what %s says when it starts: it did not find CUDA's libraries, or they need a newer driver" % name
    return ("error", name, "visible_gpus", wanted, found, why, todo), ""


def _torch():
    import torch

    return torch.cuda.device_count(), torch.backends.cuda.is_built()


def _tensorflow():
    import tensorflow as tf

    return len(tf.config.list_physical_devices("GPU")), tf.test.is_built_with_cuda()


def _jax():
    """To list devices starts them all; so only those of a JAX that has started are counted."""
    import jax

    from . import for_jax
    if not for_jax.plugins():
        return 0, False
    if not for_jax.started():
        return None, "it starts them when it is asked. Call voxpack.verify() in the trainer"
    if jax.process_count() > 1:
        return None, "each of %d processes has some of them" % jax.process_count()
    return sum(d.platform == "gpu" for d in jax.devices()), True


_ASK = {"torch": _torch, "tensorflow": _tensorflow, "jax": _jax}
