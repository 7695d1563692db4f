#!/usr/bin/env python3
"""Fetch text as it is found: documents, translations and descriptions of Debian packages.

    fetch.py OUT [CACHE]

writes OUT/CODE.txt for each language of the detector, one paragraph a line, no line twice, and
prints how many there are. Nothing is cleaned but white space: markup, placeholders, lists of
files and broken letters are what the rules have to survive. CACHE keeps the packages for the
next run. Needs apt-get of a Debian or Ubuntu, as any user, and the network; nothing of it is
part of this project.

The text comes from
    the translated descriptions of all packages, which apt-get update brings
    AppStream's descriptions of programs, likewise
    documents and message catalogues of the packages below
"""

import gzip
import importlib.util
import lzma
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TRAIN = HERE.parent.parent / "textnorm" / "detect" / "internal" / "train" / "fetch.py"
sys.path.insert(0, str(TRAIN.parent))
spec = importlib.util.spec_from_file_location("train_fetch", TRAIN)
readers = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(readers)

CODES = [c for c in readers.CODES if c in "en es fr de it pt pl tr ru nl cs ar zh hu ko ja hi fa uk".split()]

# Packages whose documents are in the language that their name ends in, and English ones.
DOCUMENTS = (
    ["debian-faq" + s for s in " -de -fr -it -ja -ko -nl -pt -ru -zh-cn".split(" ")]
    + ["debian-reference-" + c for c in "en de es fr it ja pt pt-br zh-cn zh-tw".split()]
    + ["developers-reference" + s for s in " -de -fr -it -ja -ru".split(" ")]
    + ["maint-guide" + s for s in " -de -es -fr -it -ja -ru -zh-cn -zh-tw".split(" ")]
    + ["aptitude-doc-" + c for c in "en cs es fr it ja nl ru".split()]
    + ["gimp-help-" + c for c in "en cs de es fa fr hu it ja ko nl pt pt-br ru uk zh-cn".split()]
    + ["fortunes" + s for s in " -min -br -cs -de -debian-hints -es -it -pl -ru -zh".split(" ")]
    + ["anarchism", "doc-debian", "harden-doc", "jargon-text", "miscfiles", "bible-kjv-text", "gnucash-docs", "dict-devil", "dict-foldoc"]
)
# Packages whose files name their language, as catalogues of messages and manual pages do.
MARKED = (
    ["debian-handbook", "gnome-user-docs", "installation-guide-amd64", "mediawiki", "freeciv-data", "calibre", "krita-l10n", "vlc-l10n", "iso-codes"]
    + ["kalzium-data", "gnucash-common", "gimp-data", "inkscape", "gramps", "evolution-common", "gnumeric-common", "abiword-common", "tuxpaint", "kgeography-data"]
    + ["kstars", "marble-data", "step", "gelemental", "wesnoth-1.16-data", "wesnoth-1.16-httt", "wesnoth-1.16-utbs", "aptitude-common", "dpkg-dev", "git-man"]
    + ["libreoffice-help-" + c for c in "en-us cs de es fr hi hu it ja ko nl pl pt pt-br ru tr zh-cn zh-tw".split()]
    + ["libreoffice-l10n-" + c for c in "ar cs de es fa fr hi hu it ja ko nl pl pt ru tr uk zh-cn".split()]
    + ["firefox-esr-l10n-" + c for c in "ar cs de es-es fa fr hi-in hu it ja ko nl pl pt-br ru tr uk zh-cn".split()]
    + ["manpages" + s for s in " -dev -cs -de -es -fr -hu -it -ja -nl -pl -pt-br -ru -tr -uk -zh".split(" ")]
)
# APT's names of the lists.
LISTS = "en es fr de it pt pt_BR pl tr ru nl cs ar zh zh_CN zh_TW hu ko ja hi fa uk"

LONGEST = 4000  # characters of a line; a list of files can have a million


def update(cache):
    """apt's lists, in folders of their own: the machine's are left as they are."""
    lists = cache / "state" / "lists"
    if not list(lists.glob("*_Translation-*")):
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        (cache / "archives" / "partial").mkdir(parents=True, exist_ok=True)
        options = {"Dir::State": cache / "state", "Dir::Cache": cache, "Acquire::Languages": ",".join(LISTS.split()), "Acquire::GzipIndexes": "false"}
        options |= {"APT::Update::Post-Invoke-Success::": "true"}
        command = ["apt-get", "update", "-qq"] + [a for k, v in options.items() for a in ("-o", f"{k}={v}")]
        subprocess.run(command, check=True)
    return lists


def opened(path):
    with open(path, "rb") as f:
        data = f.read()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    elif path.suffix == ".xz":
        data = lzma.decompress(data)
    elif path.suffix == ".lz4":
        data = subprocess.run(["lz4", "-dc"], input=data, stdout=subprocess.PIPE, check=True).stdout
    return data.decode("utf-8", "replace")


def descriptions(lists):
    """(code, paragraph) of the descriptions of all packages."""
    for path in sorted(lists.glob("*_i18n_Translation-*")):
        code = readers.code_of(path.name.split("Translation-")[1].replace("%5f", "_").split(".")[0])
        now = []
        for line in opened(path).split("\n"):
            if m := re.match(r"Description-[^:]+: (.*)", line):
                yield code, m[1]
            elif line.startswith(" ") and line != " .":
                if line.startswith("  "):  # a list: each line is one
                    yield code, " ".join(now)
                    now = []
                now.append(line)
            else:
                yield code, " ".join(now)
                now = []
    for path in sorted(lists.glob("*_Packages*")):
        for line in opened(path).split("\n"):
            if line.startswith("Description: "):
                yield "en", line[13:]


def programs(lists):
    """(code, paragraph) of AppStream's components, whose YAML has a language before each text."""
    for path in sorted(lists.glob("*_Components-*")):
        code = None
        for line in opened(path).split("\n"):
            if m := re.match(r" {2,8}(?:- )?([A-Za-z]{1,3}(?:[-_@]\w+)*): ?(.*)", line):
                code, line = "en" if m[1] == "C" else readers.code_of(m[1]), m[2]
            elif not line.startswith("   "):
                code = None
            if code:
                yield from ((code, re.sub(r"<[^>]+>", " ", part).strip(" '\">-|")) for part in re.split(r"</(?:p|li)>", line))


def documents(package, path, data):
    """(code, paragraph) of a document in the language that the name of its package ends in."""
    tail = re.search(r"-(pt-br|zh-cn|zh-tw|br|[a-z]{2})$", package)
    code = "pt" if tail and tail[1] == "br" else readers.code_of(tail[1]) if tail else "en"
    if path.endswith(".gz"):
        try:
            data, path = gzip.decompress(data), path.removesuffix(".gz")
        except OSError:
            return
    if re.search(r"\.x?html?$", path):
        yield from ((code, p) for p in readers.from_html(data))
    elif "/fortunes/" in path and not path.endswith((".dat", ".u8")) or path.endswith((".txt", ".dict", ".dict.dz", "/data")):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return
        yield from ((code, p) for p in re.split(r"\n%\n|\n\s*\n", text))


def main(out, cache):
    out.mkdir(parents=True, exist_ok=True)
    cache.mkdir(parents=True, exist_ok=True)
    kept = {c: {} for c in CODES}

    def keep(code, paragraph):
        line = " ".join(paragraph.split())
        if code in kept and len(line) > 2 and len(line) <= LONGEST and any(map(str.isalpha, line)):
            kept[code][line] = None

    lists = update(cache)
    for source in (descriptions, programs):
        for code, paragraph in source(lists):
            keep(code, paragraph)
        print(source.__name__, sum(map(len, kept.values())), "lines", file=sys.stderr)
    known = set(subprocess.run(["apt-cache", "pkgnames"], capture_output=True, text=True, check=True).stdout.split())
    readers.wanted = lambda path: True
    for package in DOCUMENTS + MARKED:
        if package not in known:
            print("NOTICE: no package", package, file=sys.stderr)
            continue
        read = documents if package in DOCUMENTS else readers.paragraphs
        for path, data in readers.files_of(readers.download([package], cache)[0]):
            for code, paragraph in read(package, path, data):
                keep(code, paragraph)
        print(package, sum(map(len, kept.values())), "lines", file=sys.stderr)
    for code in CODES:
        (out / (code + ".txt")).write_text("\n".join(kept[code]) + "\n", encoding="utf-8")
        print(code, len(kept[code]))
    print("all", sum(map(len, kept.values())))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else os.path.join(sys.argv[1], "packages")))
