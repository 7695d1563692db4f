"""sources: the files of other people's suites, and the page that keeps what came out.

SUITES names a folder of clones or bare mirrors (NAME, OWNER+NAME or OWNER/NAME, also with repo or .git below); what is
not there is fetched from its public address. Files are taken from the commit that sources.tsv pins, so that a table can
be made again. They lie in bin/suites and are never committed.
"""

import csv
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "conformance.md"
OUT = ROOT / "bin" / "suites"


def sources(family):
    """The rows of sources.tsv that a family of suites uses."""
    with open(HERE / "sources.tsv", encoding="utf-8", newline="") as f:
        return [row for row in csv.DictReader(f, delimiter="\t") if row["family"] == family]


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
    page = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- {family}: written by make suites -->\n", f"<!-- {family}: end -->"
    head, rest = page.split(begin, 1)
    tail = rest.split(end, 1)[1]
    PAGE.write_text(head + begin + text.strip() + "\n" + end + tail, encoding="utf-8")
