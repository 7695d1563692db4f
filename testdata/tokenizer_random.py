#!/usr/bin/env python3
"""Writes random files of tokenizers and the ids that Hugging Face's tokenizers and sentencepiece give by them.

Usage: tokenizer_random.py FOLDER [SEED FILES MODELS]    in an environment with tokenizer_requirements.txt

The golden files of tokenizer_peers.py are what training makes; these are what nobody would train: normalizers and pre-tokenizers in any
order, added tokens with any flags, post-processors in one another, merges that meet no text, pieces of any kind with any score. Each
has eight texts out of a few dozen parts. Where a package ends on a text of its own file, there are no ids (tokenizers 0.23 has no
MergedWithPrevious for Punctuation, and splits characters after some normalizers).
"""
import base64
import bz2
import json
import os
import pathlib
import random
import struct
import sys

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import sentencepiece  # noqa: E402
import tokenizers  # noqa: E402

PARTS = ["a", "b", "c", "ab", "Ab", "B", "é", "e\u0301", "ß", "1", "12", "٣", "-", "--", ".", "!", "?", "_", " ", "  ", "\n", "\t", "\u3000", "▁", "中", "日本",
         "<s>", "</s>", "[X]", "[en]", "ab c", "ŉ", "ﬁ", "İ", "\u200b", "\ufeff", "😀", "'s", "x", "Σ", "क्", "\u0301"]
LETTERS = [*"abcABC12-.!_ éß▁中日<>s[]X'x", "Ġ", "Ċ", "\u0301"]
PATTERNS = [{"String": " "}, {"String": "-"}, {"String": "ab"}, {"Regex": "\\s+"}, {"Regex": "[ab]+"}, {"Regex": "\\p{L}+|\\p{N}"}, {"Regex": "a|b "},
            {"Regex": "[^\\s]+"}, {"Regex": "\\d"}]
BEHAVIOURS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
BYTES = ["<0x%02X>" % b for b in range(256)]
rng = random.Random()


def often(share=0.5):
    return rng.random() < share


def text():
    return "".join(rng.choice(PARTS) for _ in range(rng.randint(0, 9)))


def words(letters, count):
    """The letters and longer words of them, each once."""
    more = ["".join(rng.choice(letters) for _ in range(rng.randint(2, 4))) for _ in range(count)]
    return list(dict.fromkeys(letters + more))


def component(kinds, deep, depth=0):
    """One of kinds, a table of types to what makes the settings; deep is the settings' name of a sequence's parts."""
    kind = rng.choice([*kinds, "Sequence"]) if depth < 2 else rng.choice(list(kinds))
    if kind == "Sequence":
        return {"type": kind, deep: [component(kinds, deep, depth + 1) for _ in range(rng.randint(0, 3))]}
    return {"type": kind, **kinds[kind]()}


NORMALIZERS = {
    **{name: dict for name in ("Lowercase", "NFC", "NFD", "NFKC", "NFKD", "StripAccents", "Nmt", "ByteLevel")},
    "Replace": lambda: {"pattern": rng.choice(PATTERNS), "content": rng.choice(["", " ", "▁", "b", "ab"])},
    "Prepend": lambda: {"prepend": rng.choice(["▁", "a", "--"])},
    "Strip": lambda: {"strip_left": often(), "strip_right": often()},
    "BertNormalizer": lambda: {"clean_text": often(), "handle_chinese_chars": often(), "strip_accents": rng.choice([None, True, False]), "lowercase": often()},
}
CUTTERS = {
    **{name: dict for name in ("Whitespace", "WhitespaceSplit", "BertPreTokenizer")},
    "Metaspace": lambda: {"replacement": rng.choice("▁_"), "prepend_scheme": rng.choice(["always", "first", "never"]), "split": often()},
    "ByteLevel": lambda: {"add_prefix_space": often(), "trim_offsets": often(), "use_regex": often()},
    "Split": lambda: {"pattern": rng.choice(PATTERNS), "behavior": rng.choice(BEHAVIOURS), "invert": often()},
    "CharDelimiterSplit": lambda: {"delimiter": rng.choice("- a")},
    "Punctuation": lambda: {"behavior": rng.choice(BEHAVIOURS)},
    "Digits": lambda: {"individual_digits": often()},
}


def bpe(letters):
    m = {"type": "BPE", "dropout": None, "unk_token": rng.choice([None, "<unk>"]), "continuing_subword_prefix": rng.choice([None, None, "", "##"]),
         "end_of_word_suffix": rng.choice([None, None, "", "</w>"]), "fuse_unk": often(), "byte_fallback": often(0.3), "ignore_merges": often(0.3)}
    prefix, suffix = m["continuing_subword_prefix"] or "", m["end_of_word_suffix"] or ""
    symbols = list(dict.fromkeys(form for c in letters for form in (c, prefix + c, c + suffix, prefix + c + suffix)))
    tokens = dict.fromkeys((["<unk>"] if m["unk_token"] else []) + symbols)
    if m["byte_fallback"]:
        tokens.update(dict.fromkeys(BYTES if often() else ["<0xC3>", "<0xA9>", "<0x61>"]))
    m["merges"] = []
    for _ in range(rng.randint(0, 14)):
        left, right = rng.choice(symbols), rng.choice(symbols)
        if right.startswith(prefix) and not (suffix and left.endswith(suffix)) and [left, right] not in m["merges"]:
            made = left + right[len(prefix):]
            m["merges"].append([left, right])
            tokens[made] = None
            symbols.append(made)
    return {**m, "vocab": {token: i for i, token in enumerate(tokens)}}


def score():
    return -rng.randint(1, 40) / 4


def model():
    letters = rng.sample(LETTERS, rng.randint(5, len(LETTERS)))
    kind = rng.choice(["BPE", "BPE", "Unigram", "WordPiece", "WordLevel"])
    if kind == "BPE":
        return bpe(letters)
    some = words(letters, 12)
    if kind == "Unigram":
        fallback = often(0.3)
        return {"type": kind, "unk_id": 0, "byte_fallback": fallback, "vocab": [["<unk>", 0.0]] + [[w, score()] for w in some + (BYTES if fallback else [])]}
    if kind == "WordPiece":
        prefix = rng.choice(["##", "##", "@"])
        some = dict.fromkeys(["[UNK]"] + some + [prefix + w for w in some if often()])
        return {"type": kind, "unk_token": "[UNK]", "continuing_subword_prefix": prefix, "max_input_chars_per_word": rng.choice([3, 100]),
                "vocab": {w: i for i, w in enumerate(some)}}
    return {"type": kind, "unk_token": "<unk>", "vocab": {w: i for i, w in enumerate(dict.fromkeys(["<unk>"] + some))}}


def added(vocab):
    """Added tokens, and the number of all tokens."""
    ids = vocab if isinstance(vocab, dict) else {row[0]: i for i, row in enumerate(vocab)}
    out, total = [], len(ids)
    for content in rng.sample(["<s>", "</s>", "[X]", "[en]", "ab", "--", " b", "é", "Ab", "x"], rng.randint(0, 4)):
        new = content not in ids
        out.append({"id": total if new else ids[content], "content": content, "single_word": often(0.3), "lstrip": often(0.3), "rstrip": often(0.3),
                    "normalized": often(0.4), "special": often()})
        total += new
    return out, total


def post_processor(total):
    def ends():
        return {"sep": ["s", rng.randrange(total)], "cls": ["c", rng.randrange(total)]}

    def template():
        special = [{"SpecialToken": {"id": name, "type_id": 0}} for name in "ST"]
        whole = {"Sequence": {"id": "A", "type_id": 0}}
        return {"single": [special[0]] * rng.randint(0, 2) + [whole] + [special[1]] * rng.randint(0, 2), "pair": [whole, {"Sequence": {"id": "B", "type_id": 1}}],
                "special_tokens": {name: {"id": name, "ids": [rng.randrange(total) for _ in name * n], "tokens": [name] * n} for n, name in enumerate("ST", 1)}}

    flags = {"add_prefix_space": True, "trim_offsets": True}
    kinds = {"BertProcessing": ends, "RobertaProcessing": lambda: {**ends(), **flags}, "TemplateProcessing": template, "ByteLevel": lambda: {**flags, "use_regex": True}}
    return component(kinds, "processors")


def random_file():
    m = model()
    tokens, total = added(m["vocab"])
    f = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": tokens, "normalizer": component(NORMALIZERS, "normalizers") if often() else None,
         "pre_tokenizer": component(CUTTERS, "pretokenizers") if often() else None, "post_processor": post_processor(total) if often() else None, "decoder": None, "model": m}
    peer = tokenizers.Tokenizer.from_str(json.dumps(f))
    return f, lambda s: peer.encode(s).ids


def varint(n):
    return bytes([n & 0x7F | 0x80]) + varint(n >> 7) if n > 0x7F else bytes([n])


def field(tag, value):
    """A field of a protocol buffer: a number, or bytes."""
    if isinstance(value, int):
        return varint(tag << 3) + varint(value)
    return varint(tag << 3 | 2) + varint(len(value)) + value


def random_model():
    """A SentencePiece model. Kinds: 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 a byte."""
    pieces = {"<unk>": 2}
    pieces.update((w, rng.choice([1] * 8 + [5])) for w in words(rng.sample([*"abcB1-.é▁中<s"], rng.randint(4, 12)), 14))
    for word, kinds, share in (("[en]", [3, 4], 0.4), ("<s>", [3, 4], 0.4), ("  ", [4], 0.2)):
        if often(share):
            pieces.setdefault(word, rng.choice(kinds))
    fallback = often(0.3)
    pieces.update(dict.fromkeys(BYTES if fallback else [], 6))
    order = list(pieces)
    if often(0.3):
        rng.shuffle(order)
    out = b""
    for word in order:
        out += field(1, field(1, word.encode()) + b"\x15" + struct.pack("<f", score()) + field(3, pieces[word]))
    trainer = field(3, rng.choice([1, 1, 2, 2, 4])) + field(24, int(often(0.3))) + field(35, int(fallback)) + field(40, order.index("<unk>"))
    rules = b"".join(field(tag, rng.randint(0, 1)) for tag in (3, 4, 5) if often(0.4))
    out += field(2, trainer) + field(3, rules)
    return base64.b64encode(out).decode(), sentencepiece.SentencePieceProcessor(model_proto=out).encode


def case(make):
    source, encode = make()
    cases = []
    for _ in range(8):
        s = text()
        try:
            ids = encode(s)
        except BaseException as e:  # a panic of theirs is no Exception
            if isinstance(e, KeyboardInterrupt):
                raise
            ids = None
        cases.append({"text": s, "ids": ids})
    return {"file": source, "cases": cases}


def main():
    folder = pathlib.Path(sys.argv[1])
    seed, files, models = map(int, sys.argv[2:] or ("1", "250", "200"))
    for name, make, count in (("random.json.bz2", random_file, files), ("random-models.json.bz2", random_model, models)):
        rng.seed(seed)
        (folder / name).write_bytes(bz2.compress(json.dumps([case(make) for _ in range(count)], ensure_ascii=False).encode()))


if __name__ == "__main__":
    main()
