"""Writes the wheel of the package, with the program inside or without, and its source package.

    python3 python/build_wheel.py --binary bin/voxpack --out python/dist
    python3 python/build_wheel.py --sdist --out python/dist

It is also what pip asks when it installs this folder (see pyproject.toml): then the wheel holds
Python alone, and voxpack is taken from PATH or VOXPACK. Nothing but Python is needed, and Go where
a program is packed, for the licences of what it was made of. The same files give the same bytes.
"""

import argparse
import base64
import datetime
import gzip
import hashlib
import io
import json
import os
import re
import struct
import subprocess
import sys
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
OLDEST_GLIBC = (2, 17)  # of manylinux_2_17, the oldest that package indexes and pip still serve

METADATA = """\
Metadata-Version: 2.4
Name: voxpack
Version: {version}
Summary: Speech corpora as batches for PyTorch, TensorFlow, JAX and NumPy, without copies
License-Expression: Apache-2.0
{licences}Keywords: speech,text-to-speech,dataset,dataloader,pytorch,tensorflow,jax
Classifier: Development Status :: 3 - Alpha
Classifier: Operating System :: POSIX :: Linux
Classifier: Operating System :: MacOS
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Multimedia :: Sound/Audio :: Speech
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Typing :: Typed
Requires-Python: >=3.9
Requires-Dist: numpy>=1.20
Requires-Dist: ml_dtypes; extra == "bfloat16"
Provides-Extra: bfloat16
Description-Content-Type: text/markdown

{readme}"""

# The command of the wheel. It leaves voxpack unimported, which would import NumPy; and it runs the
# program of the same wheel whatever VOXPACK says, which may name this very command.
COMMAND = """\
#!python
import importlib.util
import os
import sys

program = os.path.join(os.path.dirname(importlib.util.find_spec("voxpack").origin), "bin", "voxpack")
os.execv(program, [program] + sys.argv[1:])
"""


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """What pip calls; --config-settings binary=PATH packs a program too."""
    return write(wheel_directory, (config_settings or {}).get("binary"))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """What pip install -e calls: a wheel that points to this folder."""
    return write(wheel_directory, None, {"voxpack-editable.pth": HERE.encode() + b"\n"})


def build_sdist(sdist_directory, config_settings=None):
    """What pip and indexes call the source package: the Python part, of which pip makes a wheel without a program. The
    sources in Go are the repository's.
    """
    number, files = version(), dict(package())
    stem = "voxpack-%s" % number
    for name in ("pyproject.toml", "build_wheel.py", "README.md"):
        with open(os.path.join(HERE, name), "rb") as f:
            files[name] = f.read()
    held = {name: path for name, path in _own_licences().items() if os.path.exists(path)}
    for name, path in held.items():
        with open(path, "rb") as f:
            files[name] = f.read()
    files["PKG-INFO"] = _metadata(number, sorted(held)).encode()
    os.makedirs(sdist_directory, exist_ok=True)
    name = stem + ".tar.gz"
    with open(os.path.join(sdist_directory, name), "wb") as out, gzip.GzipFile("", "wb", 9, out, 0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for path in sorted(files):
            entry = tarfile.TarInfo("%s/%s" % (stem, path))
            entry.size, entry.mode = len(files[path]), 0o644
            archive.addfile(entry, io.BytesIO(files[path]))
    return name


def _own_licences():
    """The licences of voxpack, in the repository or in a source package."""
    folder = HERE if os.path.exists(os.path.join(HERE, "PKG-INFO")) else ROOT
    return {name: os.path.join(folder, name) for name in ("LICENSE", "NOTICE")}


def _metadata(number, held):
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as f:
        return METADATA.format(version=number, licences="".join("License-File: %s\n" % name for name in held), readme=f.read())


def write(folder, binary=None, files=None, number=None):
    """Writes the wheel into a folder and gives its name."""
    folder, number = os.path.abspath(folder), number or version(binary)
    files = dict(package() if files is None else files)
    tag, licences = "py3-none-any", _own_licences()
    stem = "voxpack-%s" % number.replace("-", "_")
    if binary:
        with open(binary, "rb") as f:
            files["voxpack/bin/voxpack"] = f.read()
        tag = "py3-none-" + platform(files["voxpack/bin/voxpack"])
        files[stem + ".data/scripts/voxpack"] = COMMAND.encode()
        licences.update(licences_of(binary))
    info = stem + ".dist-info"
    for name, path in licences.items():
        if os.path.exists(path):  # a copy of the folder python/ alone has none
            with open(path, "rb") as f:
                files["%s/licenses/%s" % (info, name)] = f.read()
    held = sorted(name[len(info + "/licenses/"):] for name in files if name.startswith(info + "/licenses/"))
    files[info + "/METADATA"] = _metadata(number, held).encode()
    files[info + "/WHEEL"] = ("Wheel-Version: 1.0\nGenerator: voxpack\nRoot-Is-Purelib: %s\nTag: %s\n" % ("false" if binary else "true", tag)).encode()
    os.makedirs(folder, exist_ok=True)
    name = "%s-%s.whl" % (stem, tag)
    _zip(os.path.join(folder, name), files, info + "/RECORD")
    return name


def package():
    """The files of the package by their path in the wheel."""
    files = {}
    for folder, folders, names in os.walk(os.path.join(HERE, "voxpack")):
        folders[:] = [f for f in folders if f not in ("__pycache__", "bin")]
        for name in names:
            if name.endswith((".py", ".pyi")) or name == "py.typed":
                path = os.path.join(folder, name)
                with open(path, "rb") as f:
                    files[os.path.relpath(path, HERE).replace(os.sep, "/")] = f.read()
    return files


def version(binary=None):
    """The version by PEP 440: what the program says of itself, where it runs on this machine, or
    what the Go command wrote into it, else that of the source package, else that of the checkout by
    git describe, else one below all.
    """
    found = None
    if binary:
        found = _of_program(binary) or _of_module(next(line[2] for line in _made_of(binary) if line[0] == "mod"))
    if found is None and os.path.exists(os.path.join(HERE, "PKG-INFO")):
        with open(os.path.join(HERE, "PKG-INFO"), encoding="utf-8") as f:
            found = re.search(r"^Version: (.+)$", f.read(), re.MULTILINE).group(1)
    if found is None and os.path.exists(os.path.join(ROOT, "python", "build_wheel.py")):
        found = _of_git(ROOT)
    return found or "0.0.0.dev0"


def _of_program(binary):
    """The version that the program prints, None where it cannot run here or knows none."""
    try:
        done = subprocess.run([os.path.abspath(binary), "version", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = json.loads(done.stdout)
        return _of_words(said["version"].split()[-1], said.get("date", ""))
    except (OSError, ValueError, KeyError):
        return None


def _of_words(told, date):
    """A version as the program has it: a module's, or v1.2.3-5-g0123456789ab+dirty of git describe with the date of its commit."""
    found = _of_module(told)
    if found is None and date:
        at = datetime.datetime.fromisoformat(date.replace("Z", "+00:00")).astimezone(datetime.timezone.utc)
        found = _described(told.replace("+dirty", "-dirty"), at.strftime("%Y%m%d%H%M%S"))
    return found


def _of_module(told):
    """A Go module's version: v1.2.3, or one that was made up of a commit, v1.2.4-0.20260102030405-0123456789ab+dirty."""
    m = re.fullmatch(r"v(\d+\.\d+\.\d+)(?:-(.+?))?(\+dirty)?", told)
    if m is None:
        return None
    number, rest, dirty = m.groups()
    made = re.fullmatch(r"(?:(?:.+\.)?0\.)?(\d{14})-([0-9a-f]{12})", rest or "")
    if made:
        return "%s.dev%s+g%s%s" % (number, made.group(1), made.group(2), ".dirty" if dirty else "")
    early = re.fullmatch(r"(alpha|beta|rc)\.?(\d+)", rest or "")
    if rest and not early:
        return None
    return number + ({"alpha": "a", "beta": "b", "rc": "rc"}[early.group(1)] + early.group(2) if early else "") + ("+dirty" if dirty else "")


def _of_git(folder):
    """The version of a checkout, None where there is none."""
    def git(*args):
        done = subprocess.run(["git", "-C", folder, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=dict(os.environ, TZ="UTC"))
        return done.stdout.strip() if done.returncode == 0 else ""

    try:
        told = git("describe", "--always", "--dirty", "--long", "--abbrev=12", "--tags", "--match", "v[0-9]*")
        seconds = git("show", "-s", "--format=%cd", "--date=format-local:%Y%m%d%H%M%S", "HEAD")
    except FileNotFoundError:
        return None
    return _described(told, seconds)


def _described(told, seconds):
    """The nearest tag v1.2.3 itself, or after it a development version with the commit's time and name."""
    m = re.fullmatch(r"(?:v(\d+\.\d+\.\d+)-(\d+)-g)?([0-9a-f]+)(-dirty)?", told)
    if m is None:
        return None
    number, since, commit, dirty = m.groups()
    if number and since == "0" and not dirty:
        return number
    if number:
        head, _, last = number.rpartition(".")
        number = "%s.%d" % (head, int(last) + 1)
    return "%s.dev%s+g%s%s" % (number or "0.0.0", seconds, commit, ".dirty" if dirty else "")


def platform(program):
    """The platform tag of an ELF program: its machine, and the oldest glibc that has what it asks
    for. A Go program without cgo asks for functions without versions, all older than 2.17. Of a
    program for macOS it is the oldest system that its linker named.
    """
    if program[:4] == b"\xcf\xfa\xed\xfe":
        return _platform_of_mach(program)
    if program[:6] != b"\x7fELF\x02\x01":
        raise SystemExit("the program is neither an ELF nor a Mach-O file of 64 bits: feeders are for Linux and macOS")
    machine = {62: "x86_64", 183: "aarch64"}.get(struct.unpack_from("<H", program, 18)[0])
    if machine is None:
        raise SystemExit("the program is for a machine that no wheel is made for")
    if b"ld-musl" in program[:8192]:
        raise SystemExit("the program is linked to musl; build it with CGO_ENABLED=0")
    needed = [tuple(map(int, v.split(b"."))) for v in re.findall(rb"\0GLIBC_(\d+\.\d+)(?:\.\d+)?(?=\0)", _dynamic_names(program))]
    return "manylinux_%d_%d_%s" % (max([OLDEST_GLIBC] + needed) + (machine,))


def _platform_of_mach(program):
    """The same of a Mach-O program for Apple's processors: its load command LC_BUILD_VERSION has the system."""
    machine, _, _, commands = struct.unpack_from("<4I", program, 4)
    if machine != 0x0100000C:  # CPU_TYPE_ARM64
        raise SystemExit("the program is for a machine that no wheel is made for")
    at = 32
    for _ in range(commands):
        command, size = struct.unpack_from("<2I", program, at)
        if command == 0x32:
            oldest, = struct.unpack_from("<I", program, at + 12)  # 16 bits of the major number, 8 of the minor one
            return "macosx_%d_%d_arm64" % (oldest >> 16, 0 if oldest >> 16 > 10 else oldest >> 8 & 255)  # from 11 on indexes know minor 0 alone
        at += size
    raise SystemExit("the program does not say for which macOS it is")


def _dynamic_names(program):
    """The names that the dynamic linker reads: the section .dynstr, found by its type and link."""
    at, = struct.unpack_from("<Q", program, 40)
    size, count = struct.unpack_from("<HH", program, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", program, at + i * size) for i in range(count)]
    for section in sections:
        if section[1] == 11:  # SHT_DYNSYM, whose link is its table of names
            names = sections[section[6]]
            return program[names[4]:names[4] + names[5]]
    return b""  # static: it asks for nothing


def licences_of(binary):
    """The licences of the modules in the program and of Go itself, by their name in the wheel."""
    modules = [line[1] for line in _made_of(binary) if line[0] == "dep"]
    found = {"go/LICENSE": os.path.join(_go("env", "GOROOT").strip(), "LICENSE")}
    for line in _go("list", "-m", "-f", "{{.Path}}\t{{.Dir}}", *modules).splitlines():
        module, _, folder = line.partition("\t")
        names = []
        for name in sorted(os.listdir(folder)):
            if re.match(r"(un)?licen[cs]e|copying|notice", name, re.IGNORECASE):
                inside = os.path.join(folder, name)  # a folder of them, by the rules of REUSE
                names += ["%s/%s" % (name, part) for part in sorted(os.listdir(inside))] if os.path.isdir(inside) else [name]
        if not names:
            raise SystemExit("%s has no licence in %s" % (module, folder))
        found.update(("%s/%s" % (module, name), os.path.join(folder, name)) for name in names)
    return found


def _made_of(binary):
    """What the linker wrote of the modules, in words: "mod", "voxpack", "v1.2.3" and the like."""
    return [line.split() for line in _go("version", "-m", os.path.abspath(binary)).splitlines()[1:] if len(line.split()) > 2]


def _go(*args):
    return subprocess.run(["go", *args], check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout


def _zip(path, files, record):
    """An archive whose bytes depend on the files alone: sorted, at the first time that zip has."""
    lines = []
    with zipfile.ZipFile(path + ".part", "w") as archive:
        for name in sorted(files, key=lambda n: (".dist-info/" in n, n)) + [record]:
            if name == record:
                data = ("\n".join(lines + [record + ",,"]) + "\n").encode()
            else:
                data = files[name]
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                lines.append("%s,sha256=%s,%d" % (name, digest, len(data)))
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3  # 3 is Unix, whose modes count
            runs = name == "voxpack/bin/voxpack" or ".data/scripts/" in name
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            archive.writestr(entry, data, compresslevel=9)
    os.replace(path + ".part", path)


def main():
    parser = argparse.ArgumentParser(description="Write the wheel of voxpack.")
    parser.add_argument("--binary", help="the program to pack; without it the wheel holds Python alone")
    parser.add_argument("--out", default=os.path.join(HERE, "dist"), help="the folder of the wheel")
    parser.add_argument("--sdist", action="store_true", help="the source package in place of a wheel")
    parser.add_argument("--number", help="the version, where the program is for another machine and cannot say it")
    args = parser.parse_args()
    if args.sdist and (args.binary or args.number):
        parser.error("--sdist has no program, and the version of the checkout")
    name = build_sdist(args.out) if args.sdist else write(args.out, args.binary, number=args.number)
    path = os.path.join(args.out, name)
    print("%s, %.1f MB" % (path, os.path.getsize(path) / 1e6))
    return 0


if __name__ == "__main__":
    sys.exit(main())
