"""What a readback says to people, and ``python -m voxpack tune --verify``."""

import argparse
import importlib
import importlib.util
import json
import os
import sys
import textwrap

from ..errors import FeederError
from . import FRAMEWORKS, SettingsError

_SIGNS = {"ok": "✅", "warning": "⚠ ", "error": "❌"}  # ⚠ is one column wide in most fonts


def text(readback, signs):
    """The page: a sign or a plain word a line, and below it what to do. 76 columns."""
    lines = []
    for line in readback.lines:
        mark = _SIGNS[line.state] if signs else "%-7s" % line.state
        name = "%s: %s" % (line.framework, line.name) if line.framework else line.name
        found = "is not set" if line.found in (None, "") else "is %s" % (line.found,)
        said = ["%s %s" % (name, found)]
        if line.state != "ok":
            said += ["  wanted: %s" % (line.wanted,)] + ["  " + w for w in textwrap.wrap(line.why, 64)]
        if line.todo:
            command = line.todo.startswith("export ")  # for a shell, in one piece
            said += ["  " + w for w in ([line.todo] if command else textwrap.wrap(line.todo, 64))]
        lines += ["%s %s" % (mark if n == 0 else " " * (2 if signs else 7), plain(s)) for n, s in enumerate(said)]
    for n, gap in enumerate(readback.unseen):
        wrapped = textwrap.wrap(gap, 60)
        lines += [""] * (n == 0) + ["%-9s %s" % ("unseen" if n + i == 0 else "", plain(w)) for i, w in enumerate(wrapped)]
    errors, warnings = (sum(line.state == s for line in readback.lines) for s in ("error", "warning"))
    of = ", ".join("%s %s" % v for v in readback.versions.items())
    return "\n".join(lines + ["", "%-9s %d differ, %d for the trainer to set, of %d (%s)" % ("result", errors, warnings, len(readback.lines), of)])


def plain(said):
    """Without what a terminal would obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in said)


def _arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m voxpack tune --verify", allow_abbrev=False,
        description="Read back from this environment and from the frameworks what voxpack tune advises. It sets nothing. A process of its own "
        "sees what the environment decides; what a trainer's code sets is a warning here. In a trainer, call voxpack.verify().",
        epilog="example: python -m voxpack tune LJSpeech-1.1 --framework torch --verify. Exit codes: 0 nothing differs; 1 something does; "
        "2 usage; 3 the program or the store does not answer; 130 interrupted.")
    parser.add_argument("store", nargs="?", metavar="STORE", help="a dataset's folder, a store, or one of them with @REF")
    parser.add_argument("--framework", metavar="NAME", default="all", help="torch, tensorflow, jax, several with commas between, or all that are installed (the default)")
    parser.add_argument("--config", metavar="FILE", help="config of a trainer (default: voxpack.yaml of the dataset)")
    parser.add_argument("--device", metavar="DEVICE", help="whose driver is asked for GPUs: auto, host, sim or cuda")
    parser.add_argument("--verify", action="store_true", required=True, help="read back in place of advising")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser.parse_args(arguments)


def main(arguments):
    """The command; its exit code."""
    o = _arguments(arguments)
    from . import readback

    try:
        names = [n for n in FRAMEWORKS if importlib.util.find_spec(n)] if o.framework == "all" else readback._names(o.framework.split(","))
        if not names:
            raise SettingsError("none of %s is installed for %s" % (", ".join(FRAMEWORKS), sys.executable))
        for name in names:  # TensorFlow takes seconds
            if sys.stderr.isatty():
                print("importing %s …" % name, file=sys.stderr)
            importlib.import_module(name)
        done = readback.verify(o.store, names, config=o.config, device=o.device, _alone=True)
    except KeyboardInterrupt:
        return 130
    except (SettingsError, ImportError) as e:
        print("voxpack: %s" % e, file=sys.stderr)
        return 2
    except FeederError as e:
        print("voxpack: %s" % e, file=sys.stderr)
        return 3
    signs = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    print(json.dumps(done.json(), indent=2) if o.json else text(done, signs))
    return 0 if done else 1
