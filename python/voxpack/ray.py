"""A dataset that a Ray cluster builds in parts, which are then joined.

    import voxpack.ray

    voxpack.ray.build("/shared/corpus")

Ray gives each part to a node, and again to another where a worker or a node was lost. What is built, the store and ``work`` lie
on a file system that all nodes see; a node needs this package, and no more than Ray itself.
"""

import ctypes
import json
import os
import signal
import subprocess
import warnings

from .feeder import binary

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>


class BuildError(RuntimeError):
    """A command of voxpack ended with an error. ``code`` is its exit code."""

    def __init__(self, code, said):
        super().__init__(code, said)
        self.code, self.said = code, said

    def __str__(self):
        return self.said or "voxpack ended with %d" % self.code


class MachineError(BuildError):
    """The same where the machine is at fault, so that another try may end well."""


def _run(folder, *args):
    """A command of voxpack on a node. It ends with the worker, so that what Ray starts elsewhere finds nobody at work."""
    parent, libc = os.getpid(), ctypes.CDLL(None)

    def follow():
        libc.prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    os.makedirs(folder, exist_ok=True)
    p = subprocess.run([binary(), *args, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, preexec_fn=follow)
    if p.returncode:
        said = p.stderr.strip()[-4000:]
        raise (BuildError if p.returncode in (1, 2) else MachineError)(p.returncode, said)
    return json.loads(p.stdout)


def build(dataset, store=None, *, parts=None, work=None, config=None, cpus=None, retries=3, progress=None, options=None):
    """Builds ``dataset`` in parts on the cluster that Ray is connected to, and returns what ``voxpack join --json`` prints.

    ``store`` is the dataset's own unless it is named, ``work`` the folder of the plan and the parts (``DATASET.parts``). What an
    earlier call has finished there is found again, so after a failure the same call does the rest. ``cpus`` are those of a task
    (those of the smallest node, at most 8), ``retries`` how often Ray tries a part again that was lost. ``options`` go to Ray's
    ``options()``, as ``{"memory": 2 << 30}``. ``progress(done, total)`` is called after each part.

    BuildError: some parts could not be built; its text has all of them.
    """
    import ray

    if not ray.is_initialized():
        ray.init()
    dataset = os.path.abspath(dataset)
    work = os.path.abspath(work or dataset + ".parts")
    store = os.path.abspath(store or os.path.join(dataset, ".voxpack"))
    more = ["--config", os.path.abspath(config)] if config else []
    cores = [int(n["Resources"]["CPU"]) for n in ray.nodes() if n["Alive"] and n["Resources"].get("CPU")]
    if cpus is None:
        cpus = max(1, min([8, *cores]))
    elif cores and cpus > max(cores):
        warnings.warn("cpus=%d, but no node of the cluster has more than %d cores: nothing begins until one has" % (cpus, max(cores)), stacklevel=2)
    task = ray.remote(_run).options(**dict({"num_cpus": cpus, "max_retries": retries, "retry_exceptions": [MachineError], "scheduling_strategy": "SPREAD"}, **(options or {})))
    plan = os.path.join(work, "plan.json")
    bits = ray.get(task.remote(work, "plan", dataset, "-o", plan, *more))["bits"]
    parts = parts or min(1 << bits, 64)
    stores = [os.path.join(work, "part-%d-of-%d" % (i, parts)) for i in range(parts)]
    run = {}
    try:
        for i, out in enumerate(stores):
            run[task.remote(work, "build", dataset, "--plan", plan, "--part", "%d/%d" % (i, parts), "-o", out, "-j", str(cpus), "-q", *more)] = i
        _wait(ray, run, parts, progress)
    finally:
        for ref in run:
            ray.cancel(ref, force=True)
    return ray.get(task.remote(work, "join", *stores, "--dataset", dataset, "-o", store, "-q", *more))


def _wait(ray, run, parts, progress):
    """Takes tasks out of ``run`` as they end."""
    failed = []
    while run:
        for ref in ray.wait(list(run))[0]:
            i = run.pop(ref)
            try:
                ray.get(ref)
            except (BuildError, ray.exceptions.RayError) as e:
                failed.append((i, e.cause if isinstance(e, ray.exceptions.RayTaskError) else e))
            if progress:
                progress(parts - len(run) - len(failed), parts)
    if failed:
        raise BuildError(max(getattr(e, "code", 3) for _, e in failed), "%d of %d parts are not built:\n%s" % (
            len(failed), parts, "\n".join("part %d: %s" % one for one in sorted(failed, key=lambda one: one[0]))))


def main(argv):
    """``python -m voxpack ray DATASET``."""
    import argparse
    import sys

    p = argparse.ArgumentParser(prog="voxpack ray", description="Build a dataset in parts on a Ray cluster, and join them.")
    p.add_argument("dataset", help="folder, which all nodes see")
    p.add_argument("-o", "--store", help="folder of the store (default: the dataset's own)")
    p.add_argument("--parts", type=int, help="how many (default: as many as have rows, at most 64)")
    p.add_argument("--work", help="folder of the plan and the parts, which all nodes see (default: DATASET.parts)")
    p.add_argument("--config", help="config file")
    p.add_argument("--cpus", type=int, help="of a part (default: those of the smallest node, at most 8)")
    p.add_argument("--retries", type=int, default=3, help="how often a part that was lost is tried again (default: 3)")
    p.add_argument("--address", help="of the cluster (default: RAY_ADDRESS, else one on this machine)")
    p.add_argument("--json", action="store_true", help="print what voxpack join --json prints")
    a = p.parse_args(argv)
    try:
        import ray
    except ImportError:
        print("voxpack: ray is not installed here: pip install ray", file=sys.stderr)
        return 2
    ray.init(address=a.address, log_to_driver=False)
    try:
        r = build(a.dataset, a.store, parts=a.parts, work=a.work, config=a.config, cpus=a.cpus, retries=a.retries,
                  progress=lambda done, total: print("%d of %d parts" % (done, total), file=sys.stderr))
    except BuildError as e:
        print("voxpack: %s" % e, file=sys.stderr)
        return e.code if e.code in (1, 2) else 3
    if a.json:
        print(json.dumps(r, indent=2))
    else:
        print("rows     {0[kept]:,} kept, {0[rejected]:,} rejected\ndataset  {1}\nstore    {2}".format(r["rows"], r["dataset"][:12], r["store"]))
    return 0
