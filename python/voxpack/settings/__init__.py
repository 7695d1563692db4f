"""Settings of a trainer's framework: set before its first use, and read back from it.

    import torch
    import voxpack

    print(voxpack.settings("torch").apply())    # a table of what was set, and why
    voxpack.settings("torch").verify()          # [] while all is as wanted

No framework is imported before settings() or tf_options() is called.
"""

import os
import sys
import types
from typing import Any, Callable, ContextManager, Dict, List, NamedTuple, Optional, Sequence

from . import cores as _cores

FRAMEWORKS = ("tensorflow", "torch", "jax")
PRECISIONS = ("auto", "float32", "mixed_float16", "mixed_bfloat16", "keep")


class Difference(NamedTuple):
    """A setting whose value in the framework is not the wanted one, and what to do about it."""

    name: str
    wanted: Any
    found: Any
    todo: str


class SettingsError(RuntimeError):
    """Settings that make no sense here, or that could not be set any more.

    ``differs`` lists the latter, each a Difference.
    """

    def __init__(self, text: str, differs: Sequence[Difference] = ()):
        super().__init__(text)
        self.differs = list(differs)


class Setting(NamedTuple):
    """One setting: the wanted value, why that one, how the framework gives and takes it, and what
    to do where it does not take it.
    """

    name: str
    value: Any
    why: str
    read: Callable[[], Any]
    write: Callable[[Any], Any]
    todo: str


def _found(setting: Setting) -> Any:
    """What the framework has, or why it does not say: torch refuses to when two of its interfaces were used for one thing."""
    try:
        return setting.read()
    except RuntimeError as e:
        return "unknown (%s)" % " ".join(str(e).split())


class Settings:
    """What voxpack would set in a framework, see settings().

    values    the wanted values, a dict: name → value
    why       the reasons, a dict: name → text
    apply()   sets them
    verify()  reads them back, and lists what differs
    """

    def __init__(self, framework: str, version: str, wanted: List[Setting], autocast: Optional[Callable] = None):
        self.framework, self.version = framework, version
        self._wanted, self._autocast = wanted, autocast

    @property
    def values(self) -> Dict[str, Any]:
        return {s.name: s.value for s in self._wanted}

    @property
    def why(self) -> Dict[str, str]:
        return {s.name: s.why for s in self._wanted}

    def apply(self) -> "Settings":
        """Set everything that is not yet as wanted, and give this object back. What the framework
        does not take any more, because it was used before, is named in one SettingsError, with
        what to do; all else is set even then.
        """
        refused = []
        for s in self._wanted:
            if _found(s) == s.value:
                continue
            said = "it does not keep it"
            try:
                s.write(s.value)
            except (RuntimeError, ValueError, AssertionError) as e:
                said = " ".join(str(e).split())
            found = _found(s)
            if found != s.value:
                refused.append((Difference(s.name, s.value, found, s.todo), said))
        if refused:
            lines = ["%s stays at %r instead of %r (%s): %s" % (d.name, d.found, d.wanted, said, d.todo) for d, said in refused]
            raise SettingsError("%s refused %d of %d settings:\n  %s" % (
                self.framework, len(refused), len(self._wanted), "\n  ".join(lines)), [d for d, _ in refused])
        return self

    def verify(self) -> List[Difference]:
        """What the framework has otherwise than wanted, a list of Difference(name, wanted, found,
        todo); empty when all is as wanted. It changes nothing, and starts no GPU.
        """
        found = [(s, _found(s)) for s in self._wanted]
        return [Difference(s.name, s.value, value, s.todo) for s, value in found if value != s.value]

    def autocast(self, device_type: Optional[str] = None) -> ContextManager:
        """A context manager for the forward pass in PyTorch: torch.autocast with the dtype of
        ``precision`` on "cuda" or "cpu" (where there is a GPU, "cuda"); for float32 it does
        nothing. mixed_float16 needs a torch.amp.GradScaler around the backward pass besides, the
        other precisions need none.
        """
        if self._autocast is None:
            raise SettingsError("%s takes its precision from the policy of Keras, which apply() sets; only torch has autocast" % self.framework)
        return self._autocast(device_type)

    def __repr__(self):
        rows = [(s.name, str(s.value), s.why) for s in self._wanted]
        wide = [max(len(row[i]) for row in rows) for i in (0, 1)]
        lines = ["settings for %s %s" % (self.framework, self.version)]
        return "\n".join(lines + ["  %-*s  %-*s  %s" % (wide[0], name, wide[1], value, why) for name, value, why in rows])


def settings(framework: Optional[str] = None, *, cores: Optional[int] = None, memory_mb: Optional[Dict[int, int]] = None,
             precision: str = "auto", xla: Optional[bool] = None, matmul: Optional[str] = None, benchmark: Optional[bool] = None,
             expandable_segments: Optional[bool] = None) -> Settings:
    """What suits a trainer that reads fixed shapes from a feeder; nothing is set before ``.apply()``.
    TensorFlow has to be 2.7 or newer, torch 2.6.

    framework  "tensorflow", "torch" or "jax"; by default the one that is imported
    cores      cores of this process; by default those it may use (affinity, and the quota of its
               control group), shared among LOCAL_WORLD_SIZE processes where torchrun says so.
               TensorFlow gets as many threads between operations and half as many within one;
               torch, which runs one operation after another, as many within one and half between
    memory_mb  caps of GPU memory by the number of the GPU, {0: 8192, 1: 16384}, in MiB. In
               TensorFlow a GPU without a cap takes memory as it needs it, not all at the start
    precision  "float32", "mixed_float16" or "mixed_bfloat16": weights stay float32, products are
               made with halves; or "keep", which leaves it as it is. "auto" is float32 without a
               GPU, because most CPUs make halves of floats one by one, many times slower. With one
               it is what its tensor cores take: mixed_float16 for the policy of Keras (whose
               optimizers scale the loss by themselves), mixed_bfloat16 for torch (which needs no
               scaling) or, before compute capability 8.0, mixed_float16, and float32 before 7.0.
               With several GPUs the oldest decides
    xla        TensorFlow: compile clusters of operations with XLA, by default True; it pays since
               shapes never change
    matmul     torch: precision of products of float32 matrices, by default "high" (TF32)
    benchmark  torch: let cuDNN try its algorithms once for each shape, by default True; False where
               two runs have to give the same bits
    expandable_segments  torch: let the allocator's segments grow instead of splitting them, by
               default True, or what PYTORCH_ALLOC_CONF in the environment says of it

    Raises SettingsError where no framework or two are imported and none is named, where a
    keyword does not belong to it, and where a cap is for a GPU that is not there.
    """
    name = _framework(framework)
    only: Dict[str, Dict[str, Any]] = {
        "tensorflow": {"xla": xla}, "jax": {}, "torch": {"matmul": matmul, "benchmark": benchmark, "expandable_segments": expandable_segments}}
    for other, keywords in only.items():
        for key, value in keywords.items():
            if other != name and value is not None:
                raise SettingsError("%s= is for %s only, not for %s" % (key, other, name))
    if precision not in PRECISIONS:
        raise SettingsError("precision %r: it has to be one of %s" % (precision, ", ".join(PRECISIONS)))
    if cores is None:
        cores = max(1, _cores.usable() // _processes())
    elif cores < 1:
        raise SettingsError("cores=%r: at least one is needed" % cores)
    caps = dict(memory_mb or {})
    if any(mb <= 0 for mb in caps.values()):
        raise SettingsError("memory_mb=%r: a cap is a number of MiB above 0" % caps)
    given = {key: value for key, value in only[name].items() if value is not None}
    if name == "tensorflow":
        from . import for_tensorflow
        return for_tensorflow.settings(cores, caps, precision, **given)
    if name == "jax":
        from . import for_jax
        return for_jax.settings(cores, caps, precision)
    from . import for_torch
    return for_torch.settings(cores, caps, precision, **given)


def tf_options(deterministic: bool = False, *, cores: Optional[int] = None, threads: Optional[int] = None) -> Any:
    """A tf.data.Options for a pipeline of one's own: ``dataset = dataset.with_options(voxpack.tf_options())``.

    deterministic  keep the order of elements also where that makes one wait for another
    cores          what autotuning may spend, by default the cores this process may use, which
                   TensorFlow by itself does not learn from the quota of a container
    threads        a thread pool of this pipeline's own; by default it shares the one between
                   operations, because two of them on the same cores disturb each other

    Batches are made in parallel, maps fused, maps that may run in parallel do so, and how much
    is found while it runs.
    """
    import tensorflow as tf

    options = tf.data.Options()
    options.experimental_optimization.parallel_batch = True
    options.experimental_optimization.map_fusion = True
    options.experimental_optimization.map_parallelization = True
    options.autotune.enabled = True
    options.autotune.cpu_budget = cores or _cores.usable()
    options.deterministic = deterministic
    if threads is not None:
        options.threading.private_threadpool_size = threads
    return options


def _imported():
    """The frameworks that this program imported. TensorFlow imports JAX by itself where both are installed, through Keras: then
    JAX counts if another module has it, or something of it, under a name.
    """
    found = [f for f in FRAMEWORKS if f in sys.modules]
    if "jax" in found and "tensorflow" in found and not _has_jax():
        found.remove("jax")
    return found


_NOT_THE_PROGRAM = ("jax", "jaxlib", "tensorflow", "keras", "tf_keras", "orbax", "voxpack")


def _has_jax():
    """Whether a module that is not of these packages has JAX, a module of it, or one of its functions or types."""
    def of_jax(thing):
        name = getattr(thing, "__name__" if isinstance(thing, types.ModuleType) else "__module__", None)
        return isinstance(name, str) and name.partition(".")[0] == "jax"

    return any(of_jax(thing) for name, module in list(sys.modules.items()) if name.partition(".")[0] not in _NOT_THE_PROGRAM
               for thing in list(getattr(module, "__dict__", {}).values()) if isinstance(thing, (types.ModuleType, types.FunctionType, type)))


def _framework(name):
    if name is not None:
        known = {"tensorflow": "tensorflow", "tf": "tensorflow", "torch": "torch", "pytorch": "torch", "jax": "jax"}.get(str(name).lower())
        if known is None:
            raise SettingsError("there are settings for %s, not for %r" % (", ".join(FRAMEWORKS), name))
        return known
    imported = _imported()
    if len(imported) == 1:
        return imported[0]
    if imported:
        raise SettingsError("%s are both imported: name one, as in voxpack.settings(%r)" % (" and ".join(imported), imported[0]))
    raise SettingsError("no framework is imported: name one, as in voxpack.settings(\"torch\")")


def _processes():
    """How many processes of this training share the machine."""
    told = os.environ.get("LOCAL_WORLD_SIZE", "")
    return max(1, int(told)) if told.isdigit() else 1


class _Callable(types.ModuleType):
    """voxpack.settings is the function, and this module as well once somebody imported from it."""

    def __call__(self, *args, **kw):
        return settings(*args, **kw)


sys.modules[__name__].__class__ = _Callable
