"""The wheel: its bytes, and that it works in an empty environment of every Python there is.

VOXPACK_PYTHONS lists Pythons, separated by ":"; besides, python3.9 and newer are taken from PATH.
"""

import base64
import hashlib
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

import numpy

from support import CORPORA, PACKAGE, PROGRAM

import build_wheel  # beside the package, which support puts into the path

CORPUS = os.path.join(CORPORA, "en")
BARE = "/usr/bin:/bin"  # a PATH without voxpack

folder = wheel = None


def setUpModule():
    global folder, wheel
    folder = tempfile.mkdtemp(prefix="vx")
    wheel = os.path.join(folder, build_wheel.write(folder, PROGRAM))


def tearDownModule():
    shutil.rmtree(folder)


def pythons():
    """Each version from 3.9 on by one of its Pythons, and whether any was looked up."""
    paths = [p for p in os.environ.get("VOXPACK_PYTHONS", "").split(":") if p]
    paths += [p for p in (shutil.which("python3.%d" % minor) for minor in range(9, 30)) if p]
    found = {}
    for path in paths + [sys.executable]:
        told = subprocess.run([path, "-c", "import sys; print(*sys.version_info[:2])"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if told.returncode == 0 and tuple(map(int, told.stdout.split())) >= (3, 9):
            found.setdefault("%s.%s" % tuple(told.stdout.split()), path)
    return found


def clean(**more):
    """The environment of somebody who has only what the wheel brings."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VOXPACK", "VIRTUAL_ENV"))}
    return dict(kept, PATH=BARE, PYTHONDONTWRITEBYTECODE="1", PIP_DISABLE_PIP_VERSION_CHECK="1", **more)


def run(*args, check=True, **kw):
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kw)
    if check and done.returncode:
        raise AssertionError("%s: %d\n%s%s" % (" ".join(args), done.returncode, done.stdout, done.stderr))
    return done


def blocks(language):
    """The pieces of code of the README."""
    with open(os.path.join(PACKAGE, "README.md"), encoding="utf-8") as f:
        return re.findall("```%s\n(.*?)```" % language, f.read(), re.DOTALL)


class Bytes(unittest.TestCase):
    def test_twice_the_same(self):
        again, number = os.path.join(folder, "again"), os.path.basename(wheel).split("-")[1]
        program = os.path.join(folder, "copy")
        shutil.copy(PROGRAM, program)  # newer, elsewhere
        self.assertEqual(build_wheel.write(again, program, number=number), os.path.basename(wheel))
        digests = []
        for path in (wheel, os.path.join(again, os.path.basename(wheel))):
            with open(path, "rb") as f:
                digests.append(hashlib.sha256(f.read()).hexdigest())
        self.assertEqual(digests[0], digests[1])

    def test_what_is_inside(self):
        with zipfile.ZipFile(wheel) as z:
            names = z.namelist()
            info = next(n for n in names if n.endswith(".dist-info/METADATA"))[:-len("METADATA")]
            lines = [line.rsplit(",", 2) for line in z.read(info + "RECORD").decode().splitlines()]
            self.assertEqual(sorted(line[0] for line in lines), sorted(names))
            for name, digest, size in lines:
                if name != info + "RECORD":
                    data = z.read(name)
                    self.assertEqual((digest, int(size)), ("sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("="), len(data)))
            with open(PROGRAM, "rb") as f:
                self.assertEqual(z.read("voxpack/bin/voxpack"), f.read())
            self.assertEqual([n for n in names if z.getinfo(n).external_attr >> 16 & 0o111],
                             [next(n for n in names if n.endswith(".data/scripts/voxpack")), "voxpack/bin/voxpack"])
            metadata, told = z.read(info + "METADATA").decode(), z.read(info + "WHEEL").decode()
        self.assertIn("\nRequires-Python: >=3.9\nRequires-Dist: numpy>=1.20\n", metadata)
        self.assertIn("Tag: %s\n" % "-".join(os.path.basename(wheel)[:-4].split("-")[2:]), told)
        for name in ("voxpack/py.typed", "voxpack/__main__.py", "voxpack/settings/cores.py", info + "licenses/LICENSE", info + "licenses/NOTICE",
                     info + "licenses/go/LICENSE", info + "licenses/github.com/ebitengine/purego/LICENSE"):
            self.assertIn(name, names)
        self.assertEqual([n for n in names if "__pycache__" in n or "tests" in n], [])

    def test_versions(self):
        for told, want in (("v1.2.3", "1.2.3"), ("v1.2.3+dirty", "1.2.3+dirty"), ("v1.2.3-rc.1", "1.2.3rc1"), ("v2.0.0-beta4", "2.0.0b4"), ("(devel)", None),
                           ("v1.2.4-0.20260102030405-0123456789ab", "1.2.4.dev20260102030405+g0123456789ab"), ("v1.0.0-custom", None),
                           ("v0.0.0-20260102030405-0123456789ab+dirty", "0.0.0.dev20260102030405+g0123456789ab.dirty"),
                           ("v1.2.3-rc.1.0.20260102030405-0123456789ab", "1.2.3.dev20260102030405+g0123456789ab")):
            self.assertEqual(build_wheel._of_module(told), want, told)

    def test_versions_that_a_program_says(self):
        for told, want in (("v1.2.3", "1.2.3"), ("v1.2.3+dirty", "1.2.3+dirty"), ("(devel)", None),
                           ("v1.2.3-5-g0123456789ab", "1.2.4.dev20260102030405+g0123456789ab"),
                           ("v1.2.3-5-g0123456789ab+dirty", "1.2.4.dev20260102030405+g0123456789ab.dirty"),
                           ("v0.0.0-20260102030405-0123456789ab", "0.0.0.dev20260102030405+g0123456789ab")):
            self.assertEqual(build_wheel._of_words(told, "2026-01-02T05:04:05+02:00"), want, told)
        self.assertIsNone(build_wheel._of_words("v1.2.3-5-g0123456789ab", ""))

    def test_the_wheel_has_the_version_of_its_program(self):
        said = json.loads(run(PROGRAM, "version", "--json").stdout)
        want = build_wheel._of_words(said["version"].split()[-1], said.get("date", "")) or build_wheel.version()
        self.assertEqual(os.path.basename(wheel).split("-")[1], want)

    @unittest.skipUnless(shutil.which("git"), "no git")
    def test_version_of_a_checkout(self):
        repository = os.path.join(folder, "repository")
        os.mkdir(repository)
        env = dict(os.environ, GIT_AUTHOR_DATE="2026-01-02T03:04:05Z", GIT_COMMITTER_DATE="2026-01-02T03:04:05Z", GIT_CONFIG_GLOBAL=os.devnull, HOME=folder)

        def git(*args):
            return run("git", "-C", repository, "-c", "user.name=a", "-c", "user.email=a@example.org", *args, env=env).stdout.strip()

        def commit(text):
            with open(os.path.join(repository, "file"), "w", encoding="ascii") as f:
                f.write(text)
            git("add", "file")
            git("commit", "-q", "-m", text)
            return git("rev-parse", "HEAD")[:12]

        self.assertIsNone(build_wheel._of_git(repository))  # nothing in it
        git("init", "-q")
        first = commit("one")
        self.assertEqual(build_wheel._of_git(repository), "0.0.0.dev20260102030405+g" + first)
        git("tag", "v0.4.9")
        self.assertEqual(build_wheel._of_git(repository), "0.4.9")
        second = commit("two")
        self.assertEqual(build_wheel._of_git(repository), "0.4.10.dev20260102030405+g" + second)
        with open(os.path.join(repository, "file"), "w", encoding="ascii") as f:
            f.write("three")
        self.assertEqual(build_wheel._of_git(repository), "0.4.10.dev20260102030405+g%s.dirty" % second)

    def test_platforms(self):
        with open(PROGRAM, "rb") as f:
            program = f.read()
        self.assertRegex(build_wheel.platform(program), r"^manylinux_2_17_(x86_64|aarch64)$")
        self.assertEqual(build_wheel.platform(program[:18] + b"\xb7\0" + program[20:]), "manylinux_2_17_aarch64")
        newer = program.replace(b"\0pthread_attr_getstacksize\0", b"\0GLIBC_2.34\0getstacksize_a\0", 1)
        self.assertEqual(len(newer), len(program))
        self.assertRegex(build_wheel.platform(newer), "^manylinux_2_34_")
        for wrong, words in ((b"MZ" + program, "neither an ELF nor a Mach-O file"), (program[:18] + b"\x08\0" + program[20:], "no wheel is made for"),
                             (program.replace(b"/lib64/ld-linux-x86-64", b"/lib/ld-musl-x86_64.so", 1), "linked to musl")):
            with self.assertRaisesRegex(SystemExit, words):
                build_wheel.platform(wrong)

    def test_platforms_of_apple(self):
        def program(machine, command, oldest):
            """As the linker of Go begins one: a header, a segment, and the command that says for which system."""
            return struct.pack("<8I", 0xFEEDFACF, machine, 0, 2, 2, 96, 0, 0) + struct.pack("<2I", 0x19, 72) + bytes(64) + struct.pack("<6I", command, 24, 1, oldest, oldest, 0)

        for oldest, want in ((0x0C0000, "macosx_12_0_arm64"), (0x0D0300, "macosx_13_0_arm64"), (0x0A0F00, "macosx_10_15_arm64")):
            self.assertEqual(build_wheel.platform(program(0x0100000C, 0x32, oldest)), want)
        for wrong, words in ((program(0x01000007, 0x32, 0x0C0000), "no wheel is made for"), (program(0x0100000C, 0x33, 0x0C0000), "for which macOS")):
            with self.assertRaisesRegex(SystemExit, words):
                build_wheel.platform(wrong)


class Installed(unittest.TestCase):
    def environment(self, python, *what):
        """An empty virtual environment with these installed; the path of its Python."""
        home = tempfile.mkdtemp(dir=folder)
        run(python, "-m", "venv", home, env=clean())
        inside = os.path.join(home, "bin", "python")
        for args in what:
            done = run(inside, "-m", "pip", "install", "-q", *args, env=dict(clean(), PATH=os.environ["PATH"]), check=False)
            if done.returncode and args[-1] == "numpy":
                self.skipTest("NumPy for %s could not be installed: %s" % (python, done.stderr.strip().splitlines()[-1:]))
            self.assertEqual(done.returncode, 0, done.stderr)
        return inside

    def test_readme_on_every_python(self):
        found, seen = pythons(), {}
        if len(found) == 1:
            print("NOTICE: the wheel is tried on Python %s only; VOXPACK_PYTHONS may list others" % next(iter(found)), file=sys.stderr)
        for number, path in found.items():
            with self.subTest(python=number):
                seen[number] = self.readme(path)
        print("the wheel was tried on Python %s" % ", ".join(sorted(seen, key=lambda n: int(n.split(".")[1]))), file=sys.stderr)
        self.assertEqual(len(set(seen.values())), 1 if seen else 0, seen)

    def readme(self, path):
        """What the README's lines give in a new environment."""
        python = self.environment(path, ("--only-binary", ":all:", "numpy"), ("--no-deps", "--no-index", wheel))
        home = tempfile.mkdtemp(dir=folder)
        shutil.copytree(CORPUS, os.path.join(home, "my-voice"))
        os.chmod(home, 0o700)
        env = clean(XDG_RUNTIME_DIR=home)
        self.assertIsNone(shutil.which("voxpack", path=BARE), "the test wants a PATH without voxpack")
        env["PATH"] = os.path.dirname(python) + ":" + BARE
        for block in blocks("sh"):
            run("sh", "-e", "-c", block, cwd=home, env=env)
        more = """
import hashlib, json
assert state["voxpack"] == 1
ds.close()
ds = Dataset("my-voice", batch_size=4, seed=0)
epochs = [[(b.ids, hashlib.sha256(b.mel.tobytes()).hexdigest()) for b in ds] for _ in range(2)]
assert epochs[0] != epochs[1]
print(json.dumps(epochs))
"""
        first = next(b for b in blocks("python") if "Dataset(" in b)
        done = run(python, "-W", "error", "-c", first + more, cwd=home, env=env)
        self.assertEqual([[len(ids) for ids, _ in epoch] for epoch in json.loads(done.stdout)], [[4, 4]] * 2)
        command = os.path.join(os.path.dirname(python), "voxpack")
        self.assertEqual(run(command, "version", env=env).stdout, run(PROGRAM, "version").stdout)
        self.assertEqual(run(command, "show", "nowhere", env=dict(env, VOXPACK=command), check=False).returncode, 3)
        self.assertEqual(run(python, "-m", "voxpack", "version", env=dict(env, VOXPACK=command)).stdout, run(PROGRAM, "version").stdout)
        return done.stdout

    def test_of_a_checkout(self):
        """pip install ./python: Python alone, which says where it looks for the program."""
        python = self.environment(sys.executable, ("--no-deps", "--no-index", PACKAGE))
        env = clean(PYTHONPATH=os.path.dirname(os.path.dirname(numpy.__file__)))
        done = run(python, "-m", "voxpack", "version", env=env, cwd=folder, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^voxpack: the program voxpack was not found: .*set VOXPACK to its path\\n$")
        self.assertEqual(run(python, "-m", "voxpack", "version", env=dict(env, VOXPACK=PROGRAM), cwd=folder).stdout, run(PROGRAM, "version").stdout)
        self.assertFalse(os.path.exists(os.path.join(os.path.dirname(python), "voxpack")))
        where = run(python, "-c", "import voxpack; print(voxpack.__file__)", env=env, cwd=folder).stdout
        self.assertTrue(where.startswith(os.path.dirname(os.path.dirname(python))), where)

    def test_source_package(self):
        """Twice the same bytes, and what pip makes of it is the wheel of the checkout."""
        made = []
        for name in ("one", "two"):
            done = run(sys.executable, os.path.join(PACKAGE, "build_wheel.py"), "--sdist", "--out", os.path.join(folder, name))
            made.append(re.match(r"(.*\.tar\.gz), \d", done.stdout).group(1))
        with open(made[0], "rb") as a, open(made[1], "rb") as b:
            self.assertEqual(a.read(), b.read())
        self.assertEqual(len({os.path.basename(path) for path in made}), 1)
        python = self.environment(sys.executable, ("--no-deps", "--no-index", "--no-build-isolation", made[0]))
        site = os.path.dirname(os.path.dirname(run(python, "-c", "import importlib.util; print(importlib.util.find_spec('voxpack').origin)", env=clean(), cwd=folder).stdout.strip()))
        whole = os.path.join(folder, build_wheel.build_wheel(folder))
        with zipfile.ZipFile(whole) as z:
            for name in z.namelist():
                if not name.endswith("/RECORD"):
                    with open(os.path.join(site, name), "rb") as f:
                        self.assertEqual(f.read(), z.read(name), name)

    def test_editable(self):
        python = self.environment(sys.executable, ("--no-deps", "--no-index", "-e", PACKAGE))
        where = run(python, "-c", "import importlib.util; print(importlib.util.find_spec('voxpack').origin)", env=clean(), cwd=folder).stdout
        self.assertEqual(os.path.dirname(where.strip()), os.path.join(PACKAGE, "voxpack"))


class Module(unittest.TestCase):
    """python -m voxpack is the program."""

    def python(self, *args, **kw):
        return subprocess.Popen([sys.executable, "-m", "voxpack", *args], env=dict(os.environ, PYTHONPATH=PACKAGE, VOXPACK=PROGRAM), **kw)

    def test_exit_codes_and_streams(self):
        for args in (("version",), ("show", "nowhere"), ("no-such-command",), ("text", "normalize")):
            told = []
            for command in ([PROGRAM], [sys.executable, "-m", "voxpack"]):
                done = subprocess.run([*command, *args], input=b"It costs $5.\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, PYTHONPATH=PACKAGE, VOXPACK=PROGRAM))
                told.append((done.returncode, done.stdout, done.stderr))
            self.assertEqual(told[0], told[1], args)

    def test_same_process(self):
        child = self.python("text", "normalize", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while os.readlink("/proc/%d/exe" % child.pid) != os.path.realpath(PROGRAM) and time.monotonic() < deadline:
            time.sleep(0.01)
        became = os.readlink("/proc/%d/exe" % child.pid)
        child.stdout.close()  # a pipe that nobody reads any more ends it as it ends other programs
        try:
            with child.stdin as stdin:
                stdin.write(b"One.\n" * 100000)
        except BrokenPipeError:
            pass
        self.assertEqual((became, child.wait(20)), (os.path.realpath(PROGRAM), -signal.SIGPIPE))

    def test_a_program_that_does_not_run(self):
        path = os.path.join(folder, "none")
        for code, words in ((127, "No such file"), (126, "Permission denied")):
            done = subprocess.run([sys.executable, "-m", "voxpack"], stderr=subprocess.PIPE, text=True, env=dict(os.environ, PYTHONPATH=PACKAGE, VOXPACK=path))
            self.assertEqual(done.returncode, code)
            self.assertIn("voxpack: %s does not run here: %s" % (path, words), done.stderr)
            with open(path, "w", encoding="ascii") as f:
                f.write("x")


if __name__ == "__main__":
    unittest.main()
