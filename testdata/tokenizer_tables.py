#!/usr/bin/env python3
"""Writes textnorm/hftok/unicode.txt: how the package tokenizers classes and maps every code point.

Usage: tokenizer_tables.py FILE    in an environment with tokenizer_requirements.txt and unicodedata2

tokenizers is made of parts that know different editions of Unicode, and no document lists them. So each table is asked of the
package itself, one code point after the other. unicodedata2 gives only what is not to be asked: which code points compose today.
"""
import io
import pathlib
import sys
import tempfile

import sentencepiece
import tokenizers
import unicodedata2
from tokenizers import Regex, normalizers, pre_tokenizers

from tokenizer_peers import field

ALL = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
TEXT = "".join(map(chr, ALL))
FORMS = {name: getattr(normalizers, name)().normalize_str for name in ("NFC", "NFD", "NFKC", "NFKD")}
CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn".split()


def removed(cutter):
    """What a pre-tokenizer that removes its delimiters takes out of a text of all code points."""
    out, last = [], 0
    for _, (start, end) in cutter.pre_tokenize_str(TEXT):
        out += ALL[last:start]
        last = end
    return out + ALL[last:]


def where(test):
    return [c for c in ALL if test(chr(c))]


def bert(**on):
    return normalizers.BertNormalizer(**{"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False, **on}).normalize_str


def pairs():
    """The two code points that each composed one is made of, today."""
    for c in ALL:
        parts = unicodedata2.decomposition(chr(c)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            yield chr(c), [chr(int(p, 16)) for p in parts]


def late():
    """Code points that the package's normal forms leave alone, and that another edition of Unicode does not or may not."""
    seconds = {ord(parts[1]) for _, parts in pairs()}
    composing = {ord(parts[1]) for whole, parts in pairs() if FORMS["NFC"]("".join(parts)) == whole}

    def alone(s):
        if ord(s) in composing or 0x1161 <= ord(s) < 0x1176 or 0x11A8 <= ord(s) < 0x11C3 or any(f(s) != s for f in FORMS.values()):
            return False
        # U+0345 has the highest class of all marks, U+0334 the lowest one: neither changes places with what is no mark.
        return FORMS["NFD"]("a\u0345" + s) == "a\u0345" + s and FORMS["NFD"]("a" + s + "\u0334") == "a" + s + "\u0334"

    def known(s):
        return unicodedata2.category(s) != "Cn" and not unicodedata2.combining(s) and ord(s) not in seconds and all(
            unicodedata2.normalize(f, s) == s for f in FORMS)

    return where(lambda s: not known(s) and alone(s))


def precompiled(rules):
    """The normalizer of a table of replacements."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rules.tsv"
        path.write_text("".join("%04X\t%04X\n" % pair for pair in rules))
        out = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(["a b c"] * 9), model_writer=out, vocab_size=8, model_type="char",
                                                 minloglevel=2, normalization_rule_tsv=str(path))
    return normalizers.Precompiled(field(field(out.getvalue(), 3), 2)).normalize_str


def clusters():
    """The parts of grapheme clusters below 6 bytes. A cluster whose first character has a replacement is replaced whole, which tells
    what belongs to it."""
    first = precompiled([(ord("X"), ord("Y"))])
    extend = where(lambda s: first("X" + s) == "Y")
    few = [c for c in ALL if c > 0x7F and c not in set(extend) and (c < 0xE000 or 0xF900 <= c < 0x10000 or c < 0x20000 and unicodedata2.category(chr(c)) != "Cn")]
    each = precompiled([(c, ord("Y")) for c in few])
    prepend = [c for c in few if each(chr(c) + "X") == "Y"]
    breaking = [c for c in few if c < 0x10000 and each(chr(c) + "\u0301") != "Y"]
    sign = precompiled([(0xA9, ord("Y"))])
    pictures = where(lambda s: sign("\u00a9\u200d" + s).startswith("Y\u200d"))
    return {"extend": extend, "prepend": prepend, "breaking": breaking, "pictures": sorted(set(pictures) - set(extend))}


def ranges(points):
    out = []
    for c in sorted(points):
        if out and out[-1][1] == c - 1:
            out[-1][1] = c
        else:
            out.append([c, c])
    return " ".join("%X" % a if a == b else "%X-%X" % (a, b) for a, b in out)


def lower():
    small = normalizers.Lowercase().normalize_str
    out = []
    for c in ALL:
        to = small(chr(c))
        if to == chr(c) or c == 0x130:  # which has two small letters, in code
            continue
        assert len(to) == 1, hex(c)
        step = ord(to) - c
        last = out[-1] if out else None
        if last and last[2] == step and (c - last[1] == last[3] or last[0] == last[1] and c - last[1] <= 2):
            last[1], last[3] = c, c - last[1]
        else:
            out.append([c, c, step, 1])
    return " ".join("%X-%X/%d%+d" % (a, b, stride, step) for a, b, step, stride in out)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    word = pre_tokenizers.Whitespace()
    digit = pre_tokenizers.Digits(True)
    tables = {
        "control": where(lambda s: bert(clean_text=True)("a" + s + "b") == "ab"),
        "bertmark": where(lambda s: bert(strip_accents=True)(s) == ""),
        "mark": where(lambda s: normalizers.StripAccents().normalize_str(s) == ""),
        "punctuation": removed(pre_tokenizers.Punctuation("removed")),
        "space": removed(pre_tokenizers.WhitespaceSplit()),
        "word": where(lambda s: len(word.pre_tokenize_str("a" + s + "a")) == 1),
        "digit": where(lambda s: len(digit.pre_tokenize_str("a" + s + "a")) != 1),
        "late": late(),
        **clusters(),
        **{name: removed(pre_tokenizers.Split(Regex(r"\p{%s}" % name), "removed")) for name in CATEGORIES},
    }
    lines = [f"# Made by testdata/tokenizer_tables.py of tokenizers {tokenizers.__version__}; unicodedata2 {unicodedata2.unidata_version}.",
             "# A line is a set of code points in ranges. The two-letter names are general categories, as its regular expressions know them.",
             "lower " + lower()]
    lines += [name + " " + ranges(points) for name, points in tables.items()]
    pathlib.Path(sys.argv[1]).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
