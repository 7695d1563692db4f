"""make test-gpu over the C fake: it passes whole, and for the right reasons, since faults that are planted turn it red.

Faults of the program take a build each: they are planted where VOXPACK_GPU_MUTANTS is all, or words of what they break.
"""

import csv
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import PACKAGE, PROGRAM

TREE = os.path.realpath(os.path.join(PACKAGE, ".."))
GPU = os.path.join(TREE, "bench", "gpu")
SLOW = 600  # seconds


def setUpModule():
    global place
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise unittest.SkipTest("no C compiler: make test-gpu is not tried")
    place = tempfile.mkdtemp(prefix="vx")
    unittest.addModuleCleanup(shutil.rmtree, place, True)
    fake = os.path.join(TREE, "gpufeed", "fakecuda")
    flags = [compiler, "-std=gnu11", "-O1", "-shared", "-fPIC", "-pthread", "-I", fake]
    sources = [os.path.join(fake, "c", name) for name in os.listdir(os.path.join(fake, "c")) if name.endswith(".c")]
    subprocess.run([*flags, "-fvisibility=hidden", "-o", os.path.join(place, "libcuda.so.1"), *sources, "-ldl"], check=True)
    subprocess.run([*flags, "-o", os.path.join(place, "libnvidia-ml.so.1"), os.path.join(GPU, "testdata", "livememory.c")], check=True)


def go(*args):
    """Runs the Go command in the checkout, whose cache has nearly all of it."""
    return subprocess.run(["go", *args], cwd=TREE, env=dict(os.environ, CGO_ENABLED="0", GOFLAGS="-trimpath"), check=True, capture_output=True)


def run(folder, program, *args, page=None):
    """The exit code, what was printed, and the page. folder is a checkout; what the run has for itself is in a folder that it makes there or in place."""
    with tempfile.TemporaryDirectory(dir=place) as own:
        for name in ("libcuda.so.1", "libnvidia-ml.so.1"):  # which keep their counters beside them
            shutil.copy(os.path.join(place, name), own)
        page = page or os.path.join(own, "page.md")
        env = dict(os.environ, LD_LIBRARY_PATH=own, FAKENVML_COUNTERS=own, PYTHONDONTWRITEBYTECODE="1")
        env.pop("CUDA_VISIBLE_DEVICES", None)
        done = subprocess.run([sys.executable, os.path.join(folder, "bench", "gpu", "test_gpu.py"), "--voxpack", program, "--out", page,
                               "--quick", "--clips", "64", "--long", "1", "--tests", os.path.join(place, "cuda.test"), *args],
                              env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SLOW)
        if not os.path.exists(page):
            return done.returncode, done.stdout, ""
        with open(page, encoding="utf-8") as f:
            return done.returncode, done.stdout, f.read()


def rows(page):
    """What each row says, by its name."""
    return dict(re.findall(r"^\| ([^|]+) \| [^|]* \| [^|]* \| (\w+)", page, re.M))


class Whole(unittest.TestCase):
    def test_it_passes(self):
        if shutil.which("go"):
            go("test", "-c", "-o", os.path.join(place, "cuda.test"), "./gpufeed/cuda")
        code, said, page = run(TREE, PROGRAM)
        self.assertEqual(code, 0, said)
        self.assertNotIn("FAILED", page)
        self.assertIn("No GPU was there", page)
        found = rows(page)
        want = ["facts: uuid", "open", "ring: batches of 32, drop", "ring: batches of 32, pad", "ring: batches of 1, drop",
                "readers: default", "readers: side", "readers: prefetcher", "readers: was current", "readers: went back", "readers: named",
                "readers: is gone", "readers: no events", "readers: nobody names it",
                "deaths: consumer killed", "deaths: feeder killed", "deaths: feeder told to end", "deaths: kernel fails", "deaths: fork", "deaths: GPU lost to the feeder", "deaths: memory",
                "captures", "captures: slot", "captures: garbage", "captures: control",
                "pins: codes", "pins: two processes", *("pins: refused by %d" % code for code in (1, 2, 304, 801)),
                "places: CUDA_VISIBLE_DEVICES unset", "places: CUDA_VISIBLE_DEVICES ''", "places: CUDA_VISIBLE_DEVICES '7'", "places: by a MIG name", "places: a MIG device", "places: peers",
                *("places: opening answered by %d" % code for code in (1, 201, 205, 304, 400, 801)),
                "places: naming answered by 801", "places: pinning answered by 801", "places: exclusive process", "places: prohibited",
                "lifetimes: after Python's end", "room: given back", "room: share", "digest: direct", "cache: filled", "kill: kill -9", "long: content"]
        want += ["library"] * bool(shutil.which("go"))
        if subprocess.run(["unshare", "--pid", "--ipc", "--fork", "true"], stderr=subprocess.DEVNULL).returncode == 0:
            want.append("places: namespaces of its own")
        for name in ("torch", "jax", "tvm_ffi"):
            if importlib.util.find_spec(name):
                want += ["lifetimes: " + name, "lifetimes: %s, at the end" % name]
        self.assertEqual([name for name in want if found.get(name) != "passed"], [], said)
        for name in ("busy: steps", "busy: waits", "busy: rates", "sustained: by the clock", "steps: 5 ms"):
            self.assertEqual(found.get(name), "measured", said)
        self.assertIn("## What was not shown", page)


class Kept(unittest.TestCase):
    def test_what_is_kept_of_gpus_stays(self):
        """make test-gpu names that page; the fake driver is no GPU."""
        folder = os.path.join(place, "kept")
        checkout(folder)
        kept = os.path.join(folder, "bench", "RESULTS-gpu.md")
        with open(kept, "w", encoding="utf-8") as f:
            f.write("of a GPU\n")
        code, said, page = run(folder, PROGRAM, "--only", "facts", page=kept)
        self.assertEqual((code, page), (0, "of a GPU\n"), said)
        self.assertRegex(said, "(?s)No GPU was there.*NOTICE: .*RESULTS-gpu.md stays as it was")


def checkout(folder):
    """The parts of the checkout that a run reads."""
    for part in ("bench/gpu", "python/voxpack"):
        shutil.copytree(os.path.join(TREE, part), os.path.join(folder, part), ignore=shutil.ignore_patterns("__pycache__", "bin"))


class Mutants(unittest.TestCase):
    def test_planted_faults(self):
        """Each of a checkout of its own, in which one thing is broken: the row that is about it says FAILED."""
        with open(os.path.join(GPU, "testdata", "mutants.tsv"), encoding="utf-8", newline="") as f:
            mutants = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
        self.assertGreater(len(mutants), 25)
        wanted = os.environ.get("VOXPACK_GPU_MUTANTS")
        there = [m for m in mutants if m["row"] != "lifetimes: tvm_ffi" or importlib.util.find_spec("tvm_ffi")]
        chosen = [m for m in there if wanted == "all" or (wanted in m["breaks"] if wanted else not m["file"].endswith(".go"))]
        with ThreadPoolExecutor(3) as three:  # they wait most of the time
            found = list(three.map(lambda m: self.broken(os.path.join(place, "m%d" % mutants.index(m)), m), chosen))
        for m, (code, said, page) in zip(chosen, found):
            with self.subTest(m["breaks"]):
                red = [name for name, result in rows(page).items() if result == "FAILED"]
                self.assertEqual(code, 1, said)
                self.assertIn(m["row"], red, said)
                if wanted:
                    print("red by %s: %s" % (m["breaks"], ", ".join(red)))

    def broken(self, folder, m):
        """What a run says of a checkout in which one thing is broken."""
        old, new = (m[key].encode().decode("unicode_escape") for key in ("old", "new"))
        with open(os.path.join(TREE, m["file"]), encoding="utf-8") as f:
            text = f.read()
        self.assertEqual(text.count(old), 1, "its text has to stand in %s once: %s" % (m["file"], old))
        checkout(folder)
        path, program = os.path.join(folder, m["file"]), PROGRAM
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.replace(old, new))
        if m["file"].endswith(".go"):
            overlay, program = os.path.join(folder, "overlay.json"), os.path.join(folder, "voxpack")
            with open(overlay, "w", encoding="utf-8") as f:
                json.dump({"Replace": {os.path.join(TREE, m["file"]): path}}, f)
            go("build", "-overlay", overlay, "-o", program, "./cmd/voxpack")
        try:
            return run(folder, program, "--only", m["row"].partition(":")[0])
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    unittest.main()
