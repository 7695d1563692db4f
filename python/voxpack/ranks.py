"""Which part of each batch this process trains on: its rank, and how many there are."""

import json
import os
import sys
from typing import Any, Dict, Optional, Tuple

from .errors import FeederError
from .request import whole

# Launchers by what they put into the environment, the innermost first: a torchrun that srun starts on each node
# has the last word. SLURM_NTASKS is no source: the script of a batch job has it too, and is one process.
_LAUNCHERS = (
    ("torchrun", "RANK", "WORLD_SIZE"),
    ("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("MPICH", "PMI_RANK", "PMI_SIZE"),
    ("Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
)
_MPI = ("Open MPI", "MPICH")

Part = Tuple[int, int]


def part(rank: Optional[int], world: Optional[int]) -> Dict[str, int]:
    """The keys of a start: as given; else as the frameworks that have begun say, else as launchers do."""
    if rank is None and world is None:
        found = _frameworks() or _environment()
        return {} if found is None else {"rank": found[0], "world": found[1]}
    if rank is None or world is None:
        raise FeederError("rank=%r, world=%r: give both or neither" % (rank, world), "request")
    return {key: whole(key, value, least) for key, value, least in (("rank", rank, 0), ("world", world, 1))}


def _frameworks() -> Optional[Part]:
    """What torch.distributed and jax.distributed say, where they were initialised."""
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    spread, found = getattr(torch, "distributed", None), {}
    if spread is not None and spread.is_available() and spread.is_initialized():
        found["torch.distributed"] = spread.get_rank(), spread.get_world_size()
    begun = getattr(getattr(jax, "distributed", None), "is_initialized", None)
    if begun is not None and begun():
        found["jax.distributed"] = jax.process_index(), jax.process_count()
    if len(set(found.values())) > 1:
        raise _conflict(found)
    return next(iter(found.values()), None)


def _environment() -> Optional[Part]:
    """What launchers say: the innermost one, whose processes have to be evenly many for each of any other's."""
    found = {}
    told = os.environ.get("TF_CONFIG")
    if told:
        found["TF_CONFIG"] = _of_tensorflow(told)
    for name, rank, world in _LAUNCHERS:
        if name == "Slurm" and any(one.startswith(_MPI) for one in found):
            break  # its numbers are of the daemons that MPI's launchers start with srun, one on each node
        if rank in os.environ and world in os.environ:
            found["%s (%s, %s)" % (name, rank, world)] = _number(rank, 0), _number(world, 1)
    for name, (rank, world) in found.items():
        if rank >= world:
            raise FeederError("%s: rank %d of %d does not exist" % (name, rank, world), "request")
    inner = next(iter(found.values()), None)
    if inner is not None and any(inner[1] % world for _, world in found.values()):
        raise _conflict(found)
    return inner


def _of_tensorflow(told: str) -> Part:
    """A worker among chief and workers; who evaluates, and a parameter server, has everything."""
    try:
        config = json.loads(told)
        cluster, task = config.get("cluster") or {}, config.get("task") or {}
        chiefs, workers = len(cluster.get("chief") or ()), len(cluster.get("worker") or ())
        kind, index = task.get("type", "worker"), int(task.get("index", 0))
    except (AttributeError, TypeError, ValueError):
        raise FeederError("TF_CONFIG=%s: want a JSON object with cluster and task, or rank= and world=" % told, "request") from None
    if kind not in ("chief", "worker") or chiefs + workers == 0:
        return 0, 1
    return index + (chiefs if kind == "worker" else 0), chiefs + workers


def _number(name: str, least: int) -> int:
    try:
        n = int(os.environ[name])
    except ValueError:
        n = least - 1
    if n < least:
        raise FeederError("%s=%s in the environment: want a whole number, %d or more" % (name, os.environ[name], least), "request")
    return n


def _conflict(found: Dict[str, Part]) -> FeederError:
    told = "; ".join("%s: rank %d of %d" % (name, *place) for name, place in found.items())
    return FeederError("the rank of this process is not clear: %s. Give the Dataset rank= and world=" % told, "request")
