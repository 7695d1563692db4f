"""The settings of JAX."""

import importlib.util
import os

from . import Setting, Settings, SettingsError

_PREALLOCATE = "XLA_PYTHON_CLIENT_PREALLOCATE"
_BEFORE = "apply() has to come before JAX's first operation: call it after import jax, and start the process anew"
_AGAIN = "set it again: something else changed it"


def settings(cores, caps, precision):
    import jax

    if caps:
        raise SettingsError("memory_mb= is for tensorflow and torch: JAX takes a cap from XLA_CLIENT_MEM_FRACTION in the environment")
    if precision not in ("auto", "keep", "float32"):
        raise SettingsError("precision %r: JAX has no precision of its own; give the layers a dtype" % precision)
    wanted = [
        Setting("float32_matmul_precision", "default", "TF32 for products of float32 on GPUs that have it", lambda: _matmul(jax),
                lambda _: jax.config.update("jax_default_matmul_precision", None), _AGAIN),
        Setting("x64", False, "batches have 32 bits, and arrays of 64 take twice the memory", lambda: bool(jax.config.jax_enable_x64),
                lambda value: jax.config.update("jax_enable_x64", value), _AGAIN),
    ]
    if plugins():
        wanted.append(Setting("preallocation", False, "takes GPU memory as it needs it, instead of 75 % of it at the start", _preallocates, _preallocate, _BEFORE))
    return Settings("jax", jax.__version__, wanted)


def plugins():
    """The installed plugins for GPUs. To list devices would start them, and take their memory."""
    spec = importlib.util.find_spec("jax_plugins")  # a package without a file, to which each plugin adds its folder
    names = [name for folder in spec.submodule_search_locations or () for name in os.listdir(folder)] if spec else []
    return [name for name in names if "cuda" in name or "rocm" in name]


def started():
    from jax._src import xla_bridge

    return xla_bridge.backends_are_initialized()


def _matmul(jax):
    """TF32 has several names, and is what JAX takes where nobody says anything."""
    found = jax.config.jax_default_matmul_precision
    return "default" if found in (None, "default", "fastest", "tensorfloat32") else str(found)


def _preallocates():
    if os.environ.get("XLA_PYTHON_CLIENT_ALLOCATOR", "").lower() == "platform":
        return False
    return os.environ.get(_PREALLOCATE, "") not in ("false", "False", "0")  # as JAX reads it


def _preallocate(value):
    if started():
        raise RuntimeError("JAX has started")
    os.environ[_PREALLOCATE] = "true" if value else "false"
