"""What ``voxpack tune`` advises, read back from this process and its frameworks."""

import json
import os
import shlex
import subprocess
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

from ..errors import FeederError
from ..feeder import binary
from . import Settings, _found, _framework, _imported, settings
from . import gpus as _gpus

OK, WARNING, ERROR = "ok", "warning", "error"


class Line(NamedTuple):
    """One setting: what is advised, what this process has, and how to set it.

    ``state`` is ok, warning (a default, which a trainer's code has to change) or error.
    """

    state: str
    framework: str  # "": of all
    name: str
    wanted: Any
    found: Any  # None: not set
    why: str
    todo: str  # "" where nothing is to be done


class Readback:
    """All lines, see verify(). It is true where none is an error; printed, it is a page."""

    def __init__(self, lines: List[Line], unseen: List[str], versions: Dict[str, str]):
        self.lines, self.unseen, self.versions = lines, unseen, versions

    def __bool__(self):
        return not any(line.state == ERROR for line in self.lines)

    def json(self) -> Dict[str, Any]:
        return {"sound": bool(self), "frameworks": [{"framework": f, "version": v} for f, v in self.versions.items()],
                "lines": [line._asdict() for line in self.lines], "unseen": self.unseen}

    def __str__(self):
        from .page import text
        return text(self, signs=False)


# Variables and the setting that they stand for. A framework that has the setting needs
# no variable. The second column: the variable is enough, though the framework does not
# tell of it.
_STANDS_FOR = {
    "OMP_NUM_THREADS": ("threads", False),
    "PYTORCH_ALLOC_CONF": ("expandable_segments", False),
    "PYTORCH_CUDA_ALLOC_CONF": ("expandable_segments", False),
    "TF_FORCE_GPU_ALLOW_GROWTH": ("memory_growth", True),
    "TF_XLA_FLAGS": ("xla", True),
    "XLA_PYTHON_CLIENT_PREALLOCATE": ("preallocation", False),
}


def verify(store: Optional[str] = None, framework: Union[str, Sequence[str], None] = None, *, config: Optional[str] = None,
           device: Optional[str] = None, program: Optional[str] = None, _alone: bool = False) -> Readback:
    """What ``voxpack tune`` advises, read back: variables as this process has them, and threads,
    precision, allocator, TF32, XLA and visible GPUs as the frameworks say. It sets nothing, and
    starts no GPU. ::

        import torch, voxpack
        voxpack.settings("torch").apply()
        print(voxpack.verify("data/ljspeech"))

    store      dataset, store or one of them with @REF; by default the nearest above this folder
    framework  names as of settings(); by default those that are imported
    config     of a trainer, held against the advice too; by default voxpack.yaml of the dataset
    device     whose driver is asked for GPUs, as of voxpack tune

    Raises SettingsError where no framework is imported and none is named, FeederError where the
    program is not found or refuses.
    """
    names = _names(framework)
    advice = _advice(store, names, config, device, program)
    lines, unseen, versions = [], [gap["text"] for gap in advice["unseen"]], {}
    for name in names:
        wanted = _wanted(name, advice)
        versions[name] = wanted.version
        lines += _framework_lines(name, wanted, advice, _alone)
        line, gap = _gpus.visible(name, len(advice["facts"]["gpus"]))
        lines += [Line(*line)] if line else []
        unseen += [gap] if gap else []
    shared = [i for i in advice["environment"] if not i["framework"]]
    lines = [_variable(item, None) for item in shared] + lines
    lines += [_setting(d) for d in advice["differs"] if d["place"] == "config"]
    return Readback(lines, unseen, versions)


def _names(framework) -> List[str]:
    if framework is None:
        return _imported() or [_framework(None)]  # which says what to do
    given = [framework] if isinstance(framework, str) else list(framework)
    return list(dict.fromkeys(_framework(name) for name in given))


def _advice(store, names, config, device, program) -> Dict[str, Any]:
    """What the program says for this process: it inherits its environment."""
    command = [binary(program), "tune", "--json", "--verify", "--framework", names[0] if len(names) == 1 else "all"]
    for flag, value in (("--config", config), ("--device", device)):
        command += [] if value is None else ["%s=%s" % (flag, value)]
    try:
        done = subprocess.run(command + (["--", str(store)] if store else []), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as e:
        raise FeederError("the program %s does not run: %s" % (command[0], e.strerror or e), "address") from None
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode not in (0, 1):
        raise FeederError("voxpack tune: %s" % (said or "ended with %d" % done.returncode))
    try:
        advice = json.loads(done.stdout)
        advice["environment"] = [i for i in advice["environment"] if i["framework"] in ["", *names]]
        _ = advice["facts"]["gpus"], advice["facts"]["cores"], advice["facts"]["processes"], advice["settings"], advice["differs"], advice["unseen"]
        return advice
    except (ValueError, KeyError, TypeError):
        raise FeederError("%s answers nothing that this package knows; take both from one release" % command[0]) from None


def _wanted(name: str, advice) -> Settings:
    """The settings of a framework, with the values that the program advises."""
    value = {i["name"]: i["value"] for i in advice["settings"] if i["framework"] in ("", name)}
    precision = {"torch": "autocast", "tensorflow": "policy"}.get(name)
    more = {"xla": value["enable_xla"]} if name == "tensorflow" and "enable_xla" in value else {}
    cores = max(1, advice["facts"]["cores"] // advice["facts"]["processes"])
    return settings(name, cores=cores, precision=value.get(precision, "keep"), **more)


def _framework_lines(name: str, wanted: Settings, advice, alone: bool) -> Iterator[Line]:
    """The settings of a framework, then the variables that stand for some of them. In a process
    that trains nothing (alone), what a trainer's own code sets is only a warning.
    """
    variables = [i for i in advice["environment"] if i["framework"] == name]
    enough = {_STANDS_FOR[i["name"]][0] for i in variables if _STANDS_FOR.get(i["name"], ("", False))[1] and os.environ.get(i["name"]) == i["value"]}
    right = {}
    for s in wanted._wanted:
        found, kind = _found(s), s.name.partition("[")[0]
        same = found == s.value
        right[kind] = right.get(kind, True) and same
        if same or kind in enough:
            yield Line(OK, name, s.name, s.value, found if same else "set by its variable", s.why, "")
        elif alone:
            yield Line(WARNING, name, s.name, s.value, found, s.why, 'voxpack.settings("%s").apply() in the trainer sets it' % name)
        else:
            yield Line(ERROR, name, s.name, s.value, found, s.why, s.todo)
    for item in variables:
        yield _variable(item, right.get(_STANDS_FOR.get(item["name"], ("",))[0]))


def _variable(item, right: Optional[bool]) -> Line:
    """A variable; right: whether the framework has what it stands for, None where nobody tells."""
    now = os.environ.get(item["name"])
    if now == item["value"]:
        return Line(OK, item["framework"], item["name"], item["value"], now, item["why"], "")
    if right:
        return Line(OK, item["framework"], item["name"], item["value"], now, item["why"], "not needed: %s has the value without it" % item["framework"])
    return Line(ERROR, item["framework"], item["name"], item["value"], now, item["why"], "export %s=%s" % (item["name"], shlex.quote(item["value"])))


def _setting(d) -> Line:
    """A setting of a config that is not as advised."""
    todo = "set %s: %s in the config" % (d["path"] or d["name"], json.dumps(d["wanted"]))
    return Line(ERROR, "", d["path"] or d["name"], d["wanted"], d["found"], d["why"], todo + (" (line %d)" % d["line"] if d["line"] else ""))
