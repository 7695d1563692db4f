"""sources: the files of other people's suites, and the page that keeps what came out.

SUITES names a folder of clones or bare mirrors (NAME, OWNER+NAME or OWNER/NAME, also with repo or .git below); what is
not there is fetched from its public address. Files are taken from the commit that sources.tsv pins, so that a table can
be made again. They lie in bin/suites and are never committed.

SUITES=packages takes the suites that a published package contains, from that package alone, and leaves the page as it is:
that is what .ci/run does.
"""

import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "conformance.md"
PACKAGED = os.environ.get("SUITES") == "packages"
OUT = ROOT / "bin" / ("suites-packages" if PACKAGED else "suites")


def sources(family):
    """The rows of sources.tsv that a family of suites uses."""
    with open(HERE / "sources.tsv", encoding="utf-8", newline="") as f:
        rows = [row for row in csv.DictReader(f, delimiter="\t") if row["family"] == family]
    if not PACKAGED:
        return rows
    cargo = shutil.which("cargo")
    if not cargo:
        print("NOTICE: no cargo: suites that are in crates are left out", file=sys.stderr)
    return [row for row in rows if row["package"] and (cargo or not row["package"].startswith("crate "))]


def unpacked(source):
    """The folder of a source's package, unpacked, with the paths that its repository has."""
    kind, name, version = source["package"].split()
    place = OUT / "packages" / f"{name}-{version}"
    if not place.is_dir():
        place.mkdir(parents=True)
        if kind == "crate":
            (place / "Cargo.toml").write_text(f'[package]\nname = "none"\nversion = "0.0.0"\n[lib]\npath = "none.rs"\n[dependencies]\n{name} = "={version}"\n')
            (place / "none.rs").touch()
            subprocess.run(["cargo", "vendor", "-q", "--versioned-dirs", "vendor"], cwd=place, check=True, stdout=subprocess.DEVNULL)
        else:
            how = "--no-binary" if kind == "sdist" else "--only-binary"
            subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", how, ":all:", "-d", place, f"{name}=={version}"], check=True)
            for archive in list(place.iterdir()):
                if kind == "sdist":
                    tarfile.open(archive).extractall(place, filter="data")
                else:
                    zipfile.ZipFile(archive).extractall(place)
    return {"crate": place / "vendor" / f"{name}-{version}", "sdist": place / f"{name}-{version}", "wheel": place}[kind]


def git(folder, *args, **more):
    return subprocess.run(["git", f"--git-dir={folder}", *args], check=True, stdout=subprocess.PIPE, **more).stdout


def repository(source):
    """The git directory that has a source's commit."""
    owner, name = source["address"].rsplit("/", 2)[1:]
    if os.environ.get("SUITES"):
        base = pathlib.Path(os.environ["SUITES"])
        for folder in (base / f"{owner}+{name}", base / owner / name, base / name):
            for place in (folder / "repo", folder / ".git", folder):
                if (place / "HEAD").is_file():
                    return place
        print(f"{source['name']}: no clone below {base}; it is fetched", file=sys.stderr)
    place = OUT / "clones" / source["name"]
    if not (place / "HEAD").is_file():
        subprocess.run(["git", "init", "-q", "--bare", place], check=True)
    if subprocess.run(["git", f"--git-dir={place}", "cat-file", "-e", source["commit"]], stderr=subprocess.DEVNULL).returncode:
        git(place, "fetch", "-q", "--depth", "1", source["address"], source["commit"])
    return place


def files(source, wanted):
    """Writes the files whose path wanted(path) accepts to bin/suites/NAME and gives their paths there, sorted, and how many of
    them the clone does not hold: a mirror may leave out large ones."""
    if PACKAGED:
        root, found = unpacked(source), []
        for path in sorted(p for p in root.rglob("*") if p.is_file() and wanted(str(p.relative_to(root)))):
            target = OUT / source["name"] / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            found.append(target)
        return found, 0
    place = repository(source)
    listed = git(place, "ls-tree", "-r", "-z", source["commit"]).decode().split("\0")
    names = {}
    for line in filter(None, listed):
        mode, kind, rest = line.split(" ", 2)
        digest, path = rest.split("\t", 1)
        if kind == "blob" and mode != "120000" and wanted(path):
            names[path] = digest
    found, missing = [], 0
    for path, digest in sorted(names.items()):
        target = OUT / source["name"] / path
        if not target.exists():
            blob = subprocess.run(["git", f"--git-dir={place}", "cat-file", "blob", digest], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if blob.returncode:
                missing += 1
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(blob.stdout)
        found.append(target)
    return found, missing


def keep(family, text):
    """Prints what came out and puts it into the family's place on the page, between its two marks."""
    print(text)
    if PACKAGED:
        return
    page = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- {family}: written by make suites -->\n", f"<!-- {family}: end -->"
    head, rest = page.split(begin, 1)
    tail = rest.split(end, 1)[1]
    PAGE.write_text(head + begin + text.strip() + "\n" + end + tail, encoding="utf-8")
