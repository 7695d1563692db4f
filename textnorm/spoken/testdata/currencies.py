#!/usr/bin/env python3
"""Writes currencies_cldr.tsv, CLDR's names of the big currencies in our languages.

    npm pack cldr-numbers-full@48.2.0 && tar xzf cldr-numbers-full-48.2.0.tgz
    python3 testdata/currencies.py package > testdata/currencies_cldr.tsv

A line is language, code, plural class and name; where CLDR has one name for all
classes, the class is empty.
"""
import json
import pathlib
import re
import sys
import unicodedata

TABLE = pathlib.Path(__file__).resolve().parents[2] / "numbers" / "language.go"
LANGUAGES = [code for code in re.findall(r'^\t\{code: "([\w-]+)"', TABLE.read_text(encoding="utf-8"), re.M) if "-" not in code]
CODES = "USD EUR GBP JPY CNY CHF INR RUB PLN TRY KRW IRR SAR AED CZK HUF UAH BRL MXN CAD AUD SEK NOK DKK EGP".split()


def main():
    package = pathlib.Path(sys.argv[1])
    version = json.loads((package / "package.json").read_text())["version"]
    print(f"# Names of currencies of CLDR, from the npm package cldr-numbers-full {version}.")
    print("# Copyright © 2004-2026 Unicode, Inc.; Unicode-3.0 licence, see NOTICE. Made by currencies.py.")
    for language in LANGUAGES:
        text = (package / "main" / language / "currencies.json").read_text(encoding="utf-8")
        names = json.loads(text)["main"][language]["numbers"]["currencies"]
        for code in CODES:
            forms = {key.removeprefix("displayName-count-"): name for key, name in names[code].items() if "-count-" in key}
            for plural, name in (forms or {"": names[code]["displayName"]}).items():
                print(language, code, plural, unicodedata.normalize("NFC", name), sep="\t")


main()
