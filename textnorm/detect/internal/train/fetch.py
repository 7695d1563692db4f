#!/usr/bin/env python3
"""Collect the training text of the language detector from published packages.

    python3 fetch.py OUT [CACHE]

writes OUT/<code>.txt, one paragraph a line, for each language of the detector, and
OUT/SOURCES.md, what of it came from where and under which licence. Every
source is a published package under an open licence (LICENCES):
translations in Debian packages, which `apt-get download` brings, and the word
frequencies of the PyPI package wordfreq, which pip does. CACHE keeps them for
the next run. The order of packages, files and lines is fixed, so the same
packages give the same text.
"""

import gzip
import html.parser
import io
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tarfile
import urllib.parse
import zipfile

# The detector's table.
TABLE = pathlib.Path(__file__).resolve().parent.parent.parent / "language.go"
CODES = re.findall(r'^\t\{"(\w+)", ', TABLE.read_text(encoding="utf-8"), re.M)

# Stories come first: their sentences are nearer to speech than a manual's.
PACKAGES = (
    ["wesnoth-1.16-data"]
    + ["wesnoth-1.16-" + c for c in "did dm dw ei httt l low nr sof sota sotbe thot trow tsg ttb utbs".split()]
    + ["debian-handbook", "gnome-user-docs", "installation-guide-amd64", "mediawiki", "freeciv-data", "calibre", "krita-l10n"]
    + ["libreoffice-l10n-" + c for c in "ar fa hi ko uk".split()]
    + ["firefox-esr-l10n-" + c for c in "ar fa hi-in ko ja tr uk".split()]
    + ["libreoffice-help-" + c for c in "en-us cs de fr hi hu it ja ko nl pl ru tr zh-cn zh-tw".split()]
    + ["manpages-" + c for c in "cs hu ja nl pl tr uk zh".split()]
)

# Words as often as books, subtitles, encyclopaedias and the web have them: manuals
# alone know no family and no weather. They stand in lines of WORDS_A_LINE.
WORDFREQ, WORDFREQ_LINES, WORDS_A_LINE = "3.1.1", 120_000, 6

# What each package is under, by the beginning of its name; its copyright file has
# the whole of it.
LICENCES = {
    "wesnoth": "GPL-2+", "debian-handbook": "GPL-2+ or CC BY-SA 3.0", "gnome-user-docs": "CC BY-SA 3.0",
    "installation-guide": "GPL-2", "mediawiki": "GPL-2+", "freeciv": "GPL-2+", "calibre": "GPL-3", "krita-l10n": "GPL-2+, LGPL-2+",
    "libreoffice": "MPL-2.0", "firefox": "MPL-2.0", "manpages-ja": "of the pages translated, all DFSG-free", "manpages-tr": "GPL",
    "manpages-zh": "GFDL-1.2+, public domain", "manpages": "GPL-3+", "wordfreq": "CC BY-SA 4.0 (its word lists)",
}  # fmt: skip

# A package gives a language so many characters at most, so that none of them
# becomes the language; all together as many as the trainer reads.
PACKAGE_LIMIT, LANGUAGE_LIMIT = 900_000, 6_000_000


def code_of(tag):
    """The language of a tag such as pt_BR, zh-hant, ar-MA or en-US."""
    if "@" in tag:  # another script
        return None
    base = re.split(r"[-_.]", tag)[0].lower()
    return base if base in CODES else None


def download(packages, cache):
    cache.mkdir(parents=True, exist_ok=True)
    missing = [p for p in packages if not list(cache.glob(p + "_*.deb"))]
    if missing:
        subprocess.run(["apt-get", "download", *missing], cwd=cache, check=True)
    return [min(cache.glob(p + "_*.deb")) for p in packages]


def files_of(deb):
    """The files of a package as (path, bytes), by name."""
    tar = subprocess.run(["dpkg-deb", "--fsys-tarfile", deb], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(tar)) as t:
        for m in sorted((m for m in t if m.isfile()), key=lambda m: m.name):
            if wanted(m.name):
                yield m.name, t.extractfile(m).read()


def wanted(path):
    return path.endswith((".mo", ".html", ".page", ".json", ".gz", ".zip", ".xpi"))


# --- one reader for each kind of file: bytes -> paragraphs ---


def from_mo(data):
    """(original, translation) of a GNU message catalogue."""
    magic, _, n, o, t = struct.unpack("<5I", data[:20])
    if magic != 0x950412DE:
        return

    def at(table, i):
        length, offset = struct.unpack("<2I", data[table + 8 * i : table + 8 * i + 8])
        return data[offset : offset + length].decode("utf-8", "replace")

    for i in range(n):
        source = at(o, i).split("\4")[-1].split("\0")[0]
        # Wesnoth writes the context of a message before a circumflex.
        yield source.split("^")[-1], at(t, i).split("\0")[0]


class Paragraphs(html.parser.HTMLParser):
    """The text of block elements; what stands in code and scripts is left out."""

    BLOCK = {"p", "li", "td", "th", "h1", "h2", "h3", "h4", "div", "title", "dt", "dd", "br", "item", "desc", "section", "note", "page"}
    CODE = {"script", "style", "pre", "code", "cmd", "screen", "tt", "kbd", "info"}

    def __init__(self):
        super().__init__()
        self.out, self.now, self.skip = [], [], 0

    def handle_starttag(self, tag, attrs):
        self.skip += tag in self.CODE
        if tag in self.BLOCK:
            self.end()

    def handle_endtag(self, tag):
        self.skip -= tag in self.CODE and self.skip > 0
        if tag in self.BLOCK:
            self.end()

    def handle_data(self, data):
        if not self.skip:
            self.now.append(data)

    def end(self):
        self.out.append("".join(self.now))
        self.now = []


def from_html(data):
    p = Paragraphs()
    p.feed(data.decode("utf-8", "replace"))
    p.end()
    return p.out


def from_man(data):
    """The running text of a manual page, without requests and escapes."""
    try:
        text = gzip.decompress(data).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    out, now = [], []
    for line in text.split("\n"):
        line = re.sub(r"\\f.|\\s[-+]?\d|\\&|\\[|/^]", "", line).replace(r"\-", "-").replace(r"\(aq", "'")
        if line.startswith((".PP", ".P", ".TP", ".SH", ".IP", ".LP", ".sp")) or not line.strip():
            out.append(" ".join(now))
            now = []
        elif not line.startswith((".", "'")):
            now.append(line)
    return out + [" ".join(now)]


def from_json(data):
    try:
        values = json.loads(data)
    except ValueError:
        return []
    return [v for v in values.values() if isinstance(v, str)] if isinstance(values, dict) else []


def from_zip(data):
    """Messages of a language pack: Fluent and properties files."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as z:
            for name in sorted(z.namelist()):
                if name.endswith((".ftl", ".properties")):
                    for line in z.read(name).decode("utf-8", "replace").split("\n"):
                        if not line.startswith("#"):
                            yield line.partition("=")[2] or line
    except zipfile.BadZipFile:
        return


def paragraphs(package, path, data):
    """(code, paragraph) pairs of one file."""
    if m := re.search(r"/([^/]+)/LC_MESSAGES/[^/]+\.mo$", path):
        code = code_of(m[1])
        # Any one translation shows the English originals; German ones are whole.
        for source, translation in from_mo(data):
            if code and source != translation:
                yield code, translation
            if m[1] == "de":
                yield "en", source
    elif path.endswith("locales.zip"):
        with zipfile.ZipFile(io.BytesIO(data)) as z:
            for name in sorted(z.namelist()):
                if (m := re.match(r"([^/]+)/messages\.mo$", name)) and code_of(m[1]):
                    for source, translation in from_mo(z.read(name)):
                        if source != translation:
                            yield code_of(m[1]), translation
    elif m := re.search(r"/libreoffice/help/([^/]+)/.*\.html$|/html/([a-z]{2}-[A-Z]{2})/.*\.html$|/installation-guide-amd64/([^/]+)/.*\.html$|/help/([^/]+)/.*\.page$", path):
        if code := code_of(next(filter(None, m.groups()))):
            yield from ((code, p) for p in from_html(data))
    elif m := re.search(r"/i18n/(?:.*/)?([^/]+)\.json$", path):
        if m[1] != "qqq" and (code := code_of(m[1])):
            yield from ((code, p) for p in from_json(data))
    elif m := re.search(r"/man/(?:([^/]+)/)?man\d/[^/]+\.gz$", path):
        if code := code_of(m[1] or "en"):
            yield from ((code, p) for p in from_man(data))
    elif path.endswith(".xpi"):
        if code := code_of(package.removeprefix("firefox-esr-l10n-")):
            yield from ((code, p) for p in from_zip(data))


def unpack(data, at):
    """One value of MessagePack, of the kinds that wordfreq uses, and where it ends."""
    kind = data[at]
    if kind < 0x80:
        return kind, at + 1
    if 0xA0 <= kind < 0xC0 or kind == 0xD9:
        size, at = (kind & 31, at + 1) if kind != 0xD9 else (data[at + 1], at + 2)
        return data[at : at + size].decode("utf-8"), at + size
    width = {0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}.get(kind, 0)
    count = int.from_bytes(data[at + 1 : at + 1 + width], "big") if width else kind & 15
    at += 1 + width
    if kind & 0xF0 == 0x90 or kind in (0xDC, 0xDD):
        out = []
        for _ in range(count):
            value, at = unpack(data, at)
            out.append(value)
        return out, at
    if kind & 0xF0 == 0x80 or kind in (0xDE, 0xDF):
        for _ in range(2 * count):
            _, at = unpack(data, at)
        return {}, at
    raise ValueError(f"MessagePack type {kind:#x}")


def from_wordfreq(wheel, code):
    """Lines of words drawn by their frequency. The file is a head, then lists of
    words by centibel: those of list n are 10^(-n/100) of all text."""
    with zipfile.ZipFile(wheel) as z:
        data = gzip.decompress(z.read(f"wordfreq/data/small_{code}.msgpack.gz"))
    words, weights = [], []
    for n, some in enumerate(unpack(data, 0)[0][1:]):
        some = [w for w in some if any(map(str.isalpha, w)) and not any(map(str.isdigit, w))]
        words += some
        weights += [10 ** (-n / 100)] * len(some)
    drawn = random.Random("words " + code).choices(words, weights, k=WORDFREQ_LINES * WORDS_A_LINE)
    space = "" if code in ("zh", "ja") else " "
    return [space.join(drawn[i : i + WORDS_A_LINE]) for i in range(0, len(drawn), WORDS_A_LINE)]


def wordfreq(cache):
    if not list(cache.glob("wordfreq-*.whl")):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", cache, "wordfreq==" + WORDFREQ]
        subprocess.run(command, check=True)
    return min(cache.glob("wordfreq-*.whl"))


# What is no language: markup, placeholders, addresses, keys, names of files.
NOISE = re.compile(r"<[^<>]*>|https?:\S+|\S+@\S+|%\d*\$?[a-zA-Z]|\{\{|\}\}|\{[^{}]*\}|\[\[|\]\]|\$\w+|\\\w|&\w+;|\S*[_/=|\\]\S*|--?\w[\w-]*")
MNEMONIC = re.compile(r"[&~](?=\w)")


def clean(paragraph):
    """A paragraph as plain text on one line, or nothing where little of it is."""
    text = " ".join(NOISE.sub(" ", MNEMONIC.sub("", paragraph)).split())
    letters = sum(c.isalpha() or 0x0900 <= ord(c) < 0x0980 for c in text)
    return text if letters >= 8 and letters > 0.7 * (len(text) - text.count(" ")) else ""


def sources(given):
    """A table of packages and characters; given is (package and version, {code: characters})."""
    rows = ["| package | licence | characters (thousands) |", "|---|---|---|"]
    for package, counts in given:
        licence = next(v for k, v in LICENCES.items() if package.startswith(k))
        rows.append(f"| {package} | {licence} | " + " ".join(f"{c} {n / 1000:.0f}" for c, n in counts.items() if n >= 500) + " |")
    return "\n".join(rows) + "\n"


def main(out, cache):
    given = []
    english = set()
    lines = {c: {} for c in CODES}  # a dict keeps order and drops what is said twice
    total = dict.fromkeys(CODES, 0)
    for deb in download(PACKAGES, cache):
        package, of_package = deb.name.split("_")[0], dict.fromkeys(CODES, 0)
        for path, data in files_of(deb):
            for code, paragraph in paragraphs(package, path, data):
                if of_package[code] >= PACKAGE_LIMIT or total[code] >= LANGUAGE_LIMIT:
                    continue
                line = clean(paragraph)
                if line and line not in lines[code]:
                    lines[code][line] = None
                    of_package[code] += len(line)
                    total[code] += len(line)
                    if code == "en":
                        english.add(line)
        given.append((" ".join(urllib.parse.unquote(deb.name).split("_")[:2]), of_package))
        print(package, file=sys.stderr)
    words = wordfreq(cache)
    out.mkdir(parents=True, exist_ok=True)
    frequent = {}
    for code in CODES:
        # What stands untranslated in a translation is English.
        kept = [line for line in lines[code] if code == "en" or line not in english]
        drawn = from_wordfreq(words, code)
        frequent[code] = sum(map(len, drawn))
        kept += drawn
        (out / (code + ".txt")).write_text("\n".join(kept) + "\n", encoding="utf-8")
        print(code, len(kept), "lines", sum(map(len, kept)), "characters", file=sys.stderr)
    given.append(("wordfreq " + WORDFREQ, frequent))
    head = "# Training text of the language detector\n\nWritten by fetch.py: what it took from which package. None of it is in a test.\n\n"
    (out / "SOURCES.md").write_text(head + sources(given), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else os.path.join(sys.argv[1], "packages")))
