"""The settings of TensorFlow."""

import os

from . import Setting, Settings, SettingsError

_BEFORE = "apply() has to come before TensorFlow's first operation: call it behind import tensorflow, and start the process anew"
_GROW = "TF_FORCE_GPU_ALLOW_GROWTH"


def settings(cores, caps, precision, xla=True):
    import tensorflow as tf

    gpus = tf.config.list_physical_devices("GPU")
    for number in caps:
        if not 0 <= number < len(gpus):
            raise SettingsError("memory_mb names GPU %r, and TensorFlow sees %s" % (number, "GPUs 0 to %d" % (len(gpus) - 1) if gpus else "no GPU"))
    wanted = _threads(tf, cores)
    for number, gpu in enumerate(gpus):
        wanted.append(_cap(tf, number, gpu, caps[number]) if number in caps else _growth(tf, number, gpu, bool(caps)))
    wanted.append(Setting(
        "xla", "autoclustering" if xla else "", "shapes never change, so one compilation serves all steps" if xla else "as asked",
        tf.config.optimizer.get_jit, lambda value: tf.config.optimizer.set_jit(value or False), "set it again: something else changed it"))
    if precision != "keep":
        wanted.append(_policy(tf, gpus, precision))
    return Settings("tensorflow", tf.__version__, wanted)


def _threads(tf, cores):
    threading = tf.config.threading
    return [
        Setting("inter_op_threads", cores, "operations run side by side, one on each core that this process may use",
                threading.get_inter_op_parallelism_threads, threading.set_inter_op_parallelism_threads, _BEFORE),
        Setting("intra_op_threads", max(1, cores // 2), "threads within one operation; half the cores leave room for the others",
                threading.get_intra_op_parallelism_threads, threading.set_intra_op_parallelism_threads, _BEFORE),
    ]


def _cap(tf, number, gpu, mb):
    def read():
        devices = tf.config.get_logical_device_configuration(gpu)
        return devices[0].memory_limit if devices and len(devices) == 1 else None

    def write(value):
        tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=value)])

    return Setting("memory_mb[%d]" % number, mb, "the cap that was asked for, in MiB", read, write, _BEFORE)


def _growth(tf, number, gpu, capped):
    """TensorFlow forgets the growth of one GPU as soon as another has a cap, and takes all of its
    memory; then only the variable in the environment, which all GPUs obey, helps.
    """
    def read():
        if capped:
            return os.environ.get(_GROW) == "true"
        return tf.config.experimental.get_memory_growth(gpu)

    def write(value):
        if not capped:
            tf.config.experimental.set_memory_growth(gpu, value)
        elif _started():
            raise RuntimeError("the GPUs are in use")
        else:
            os.environ[_GROW] = "true"

    return Setting("memory_growth[%d]" % number, True, "takes GPU memory as it needs it, instead of all of it", read, write, _BEFORE)


def _started():
    from tensorflow.python.eager import context

    return context.context()._initialized


def _policy(tf, gpus, precision):
    why = "as asked"
    if precision == "auto":
        precision, why = _choose(tf, gpus)
    mixed = tf.keras.mixed_precision
    return Setting("policy", precision, why, lambda: mixed.global_policy().name, mixed.set_global_policy,
                   "set it again, and make the layers anew: each keeps the policy it was made under")


def _choose(tf, gpus):
    """The precision and the reason."""
    if not gpus:
        return "float32", "no GPU, and a CPU is slow with halves"
    found = [tf.config.experimental.get_device_details(gpu).get("compute_capability") for gpu in gpus]
    if None in found:
        return "float32", "it is not known what the GPU can do"
    if min(found) < (7, 0):
        return "float32", "tensor cores came with compute capability 7.0, here it is %d.%d" % min(found)
    return "mixed_float16", "tensor cores (compute capability %d.%d) take halves; weights stay float32" % min(found)
