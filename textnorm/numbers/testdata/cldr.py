#!/usr/bin/env python3
"""Writes cldr.txt, the spell-out rules of our languages, from the npm package cldr-rbnf.

    npm pack cldr-rbnf@48.2.0 && tar xzf cldr-rbnf-48.2.0.tgz
    python3 testdata/cldr.py package > cldr.txt

The rules are taken as they are; left out is only what is for parsing (lenient-parse)
and a set that writes digits.
"""
import json
import pathlib
import re
import sys
import unicodedata

# The languages of the table that have rules of their own; pt-PT begins with those of pt.
TABLE = pathlib.Path(__file__).resolve().parent.parent / "language.go"
LANGUAGES = re.findall(r'^\t\{code: "(\w+)"', TABLE.read_text(encoding="utf-8"), re.M)


def rules(path):
    keep = True
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("%"):
            keep = line not in ("%%lenient-parse:", "%spellout-numbering-year-latn:")
        if keep and line:
            yield line


def main():
    package = pathlib.Path(sys.argv[1])
    version = json.loads((package / "package.json").read_text())["version"]
    print(f"# Spell-out rules of CLDR, from the npm package cldr-rbnf {version}.")
    print("# Copyright © 2004-2026 Unicode, Inc.; Unicode-3.0 licence, see NOTICE.")
    print("# Made by testdata/cldr.py; do not edit: own.txt is where we say it otherwise.")
    for language in LANGUAGES:
        print("@" + language)
        for line in rules(package / "rbnf" / f"{language}-SpelloutRules.txt"):
            print(unicodedata.normalize("NFC", line))


if __name__ == "__main__":
    main()
