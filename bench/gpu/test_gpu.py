#!/usr/bin/env python3
"""Check voxpack on a real GPU, and keep what came out.

    python3 bench/gpu/test_gpu.py [--voxpack bin/voxpack] [--out FILE] [--only NAMES] [--quick]

Needs Linux with glibc, Python 3.9, an NVIDIA driver, and the built binary,
which may come from another machine of the same architecture; no Go. torch (with
NumPy) is compared with where it is installed; without it those rows say that
they were skipped. 2 GB of disk under TMPDIR are used and given back.

Prints each row as it comes, then one table; --out gets it as a page of Markdown
with the machine. Exit codes: 0 nothing failed, 1 a check failed, 2 a wrong
command line. Without a GPU it says so, writes nothing and ends with 0.

A full run takes 4 to 8 minutes. Checks, in their order:
"""

import argparse
import os
import platform
import shutil
import signal
import sys
import tempfile
import time

import checks_bytes
import checks_end
import checks_place
import checks_ring
import checks_speed
import nvidia
import process
import session
import table

CHECKS = (
    ("facts", checks_place.check_facts),
    ("open", checks_bytes.check_open),
    ("library", checks_place.check_library),
    ("raw", checks_speed.check_raw),
    ("sustained", checks_speed.check_sustained),
    ("ring", checks_ring.check_ring),
    ("readers", checks_ring.check_readers),
    ("busy", checks_ring.check_busy),
    ("deaths", checks_ring.check_deaths),
    ("captures", checks_place.check_captures),
    ("pins", checks_place.check_pins),
    ("places", checks_place.check_places),
    ("lifetimes", checks_place.check_lifetimes),
    ("room", checks_place.check_room),
    ("digest", checks_bytes.check_digest),
    ("cache", checks_bytes.check_cache),
    ("steps", checks_speed.check_steps),
    ("loader", checks_speed.check_loader),
    ("trace", checks_bytes.check_trace),
    ("limits", checks_end.check_limits),
    ("kill", checks_end.check_kill),
    ("context", checks_end.check_context),
    ("sanitizer", checks_end.check_sanitizer),
    ("long", checks_end.check_long),
)


def parse():
    listed = "\n".join(f"  {name:<10} {check.__doc__}" for name, check in CHECKS)
    flags = argparse.ArgumentParser(description=__doc__ + listed, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--voxpack", default="bin/voxpack", help="the binary (default: bin/voxpack)")
    flags.add_argument("--tests", default="bin/cuda.test", help="tests of the driver's rules, for the real library (default: bin/cuda.test)")
    flags.add_argument("--kit", help="the folder that make gpu-kit filled: program, tests and packages")
    flags.add_argument("--out", help="write the page to this file")
    flags.add_argument("--only", help="names of checks, with commas")
    flags.add_argument("--quick", action="store_true", help="short turns: shows that everything runs, measures nothing well")
    flags.add_argument("--long", type=float, help="seconds of the long run (default: 20, with --quick 2)")
    flags.add_argument("--clips", type=int, help="clips of the corpus (default: 2000, with --quick 128)")
    flags.add_argument("--store", help="feed this store instead of a new one")
    flags.add_argument("--budget", type=float, default=480, help="seconds after which no further check begins (default: 480)")
    flags.add_argument("--no-goals", action="store_true", help="measure times and rates without holding them against a goal")
    flags.add_argument("--device", choices=("cuda", "sim"), default="cuda", help="sim: simulated GPUs, to try this program where there is none")
    args = flags.parse_args()
    args.long = args.long or (2 if args.quick else 20)
    args.clips = args.clips or (128 if args.quick else 2000)
    args.checks = [name for name, _ in CHECKS]
    if args.only:
        args.checks = args.only.split(",")
        unknown = set(args.checks) - {name for name, _ in CHECKS}
        if unknown:
            flags.error(f"--only: no check is called {', '.join(sorted(unknown))}; there are {', '.join(name for name, _ in CHECKS)}")
    if args.kit and not os.path.exists(os.path.join(args.kit, "voxpack.gz")):
        flags.error(f"--kit {args.kit}: no voxpack.gz there; `make gpu-kit` makes it")
    if not args.kit and shutil.which(args.voxpack) is None:
        flags.error(f"--voxpack {args.voxpack}: no such program; `make build` makes it")
    return args


def say(text):
    print(text, flush=True)


def run(s, args, keep):
    """All checks, each with the row of whatever ended it. keep is called after each."""
    for name, check in CHECKS:
        if name not in args.checks:
            continue
        s.name, s.proves = name, check.__doc__
        try:
            with s.part(""):
                check(s)
        except Exception as err:  # a mistake of ours: the other checks go on
            s.row("", "", table.FAILED, f"the check itself broke: {type(err).__name__}: {err}")
        keep(f"it was still running after {name}")


def machine(s, args, seconds):
    """What stands above the table."""
    rows = [("device", "simulated" if s.gpu is None else f"{s.gpu['name']}, {s.gpu['memory'] / 1e9:.1f} GB"), ("GPUs", str(s.gpus))]
    if s.cuda is not None:
        rows.append(("driver", f"{s.nvml.driver() if s.nvml else 'version not known'}, CUDA {s.cuda.version()}"))
    if s.nvml is not None:
        rows.append(("link", s.nvml.link() or "not told"))
    rows.append(("host", f"{cpu()}, {s.cores} cores, Python {platform.python_version()}"))
    rows.append(("program", f"{s.version}"))
    rows.append(("dataset", f"{s.rows} samples, digest {s.dataset}"))
    rows.append(("took", f"{seconds:.0f} s"))
    return rows


def cpu():
    try:
        with open("/proc/cpuinfo") as f:
            names = [line.partition(":")[2].strip() for line in f if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()


def partly(args):
    """What the command line left out or changed."""
    left = [f"--only {args.only}"] * bool(args.only) + ["--quick"] * args.quick + ["--no-goals"] * args.no_goals
    return " ".join(left + [f"--device {args.device}"] * (args.device != "cuda"))


KEPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "RESULTS-gpu.md")


def kept(path, real):
    """Whether a page may be written there. What is kept of GPUs is written by nothing else."""
    return real or os.path.realpath(path) != os.path.realpath(KEPT)


def main():
    args = parse()
    if args.device == "cuda":
        try:
            nvidia.Driver()
        except nvidia.NoGPU as none:
            say(f"NOTICE: {none}. Nothing was checked on a GPU and nothing was written.")
            return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was begun is ended
    began, results, work = time.monotonic(), table.Table(say), tempfile.mkdtemp(prefix="voxpack-gpu-")
    s = None

    def keep(unfinished):
        """Writes the page as it is now: a run that is ended from outside has told what it knew."""
        left = ", ".join(filter(None, (partly(args), unfinished)))
        page = table.page(results, machine(s, args, time.monotonic() - began), left, s.real)
        if args.out and kept(args.out, s.real):
            with open(args.out, "w", encoding="utf-8") as f:
                f.write(page)
        return page
    try:
        s = session.Session(args, results, work)
        run(s, args, keep)
    except (process.ProcessError, session.Skip) as err:
        say(f"nothing could be checked: {err}")
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        process.end_all()
        shutil.rmtree(work, ignore_errors=True)
        shutil.rmtree(getattr(s, "sockets", work), ignore_errors=True)
    say("\n" + keep(""))
    if args.out and not kept(args.out, s.real):
        say(f"NOTICE: {args.out} stays as it was: it holds what GPUs showed, and here was none.")
    return 1 if results.failed() else 0


if __name__ == "__main__":
    sys.exit(main())
