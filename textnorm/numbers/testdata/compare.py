#!/usr/bin/env python3
"""Asks independent sources how numbers are said, compares voxpack with them, writes golden.txt.bz2 and icu.txt.bz2.

    python3 -m venv V && V/bin/pip install -r testdata/requirements.txt
    npm install --prefix N n2words@4.0.0 to-words@5.7.0
    mvn dependency:get -Dartifact=com.ibm.icu:icu4j:78.1        # -> icu4j-78.1.jar
    V/bin/python testdata/compare.py --icu icu4j-78.1.jar --node N/node_modules --voxpack bin/voxpack [--write]

A row is golden when two independent sources say the same but for spaces, hyphens, commas, case
and vowel marks. ICU and CLDR are one source. num2words and n2words
share errors that no two people make (Arabic 471101537127), so what those two alone agree on is
looked at twice: differences in golden_test.go. Answers are kept in --cache, since asking is slow.
"""
import argparse
import bz2
import collections
import contextlib
import decimal
import io
import json
import pathlib
import random
import re
import subprocess
import unicodedata
import warnings

LANGUAGES = re.findall(r'^\t\{code: "([\w-]+)"', pathlib.Path(__file__).resolve().parent.with_name("language.go").read_text(encoding="utf-8"), re.M)
KINDS = ["cardinal", "negative", "ordinal", "year", "decimal"]

# The set of CLDR that is what the kind means where nothing else is said.
ICU_SETS = {
    "cardinal": collections.defaultdict(lambda: "%spellout-numbering", zh="%spellout-cardinal", ko="%spellout-cardinal-sinokorean"),
    "ordinal": collections.defaultdict(lambda: "%spellout-ordinal-masculine",
                                       {l: "%spellout-ordinal" for l in ("en", "de", "tr", "nl", "hu", "zh", "ja")},
                                       ko="%spellout-ordinal-native-count"),
    "year": collections.defaultdict(lambda: "%spellout-numbering-year"),
}
# Years that are ordinals, for which the sources have no rules: their cardinals are no evidence.
NO_YEARS = ["uk"]
# Where a language's country has another code than the language; pt is Brazil's.
COUNTRIES = dict(en="US", pt="BR", cs="CZ", ar="SA", zh="CN", ko="KR", ja="JP", hi="IN", fa="IR", uk="UA")
# The letters of the sources in golden.txt; the last two are sources of one language only.
LETTERS = {"icu": "i", "n2words": "n", "num2words": "w", "towords": "t", "own": "o", "persiantools": "p"}

# n2words writes Chinese in the letters of bank notes.
PLAIN_CHINESE = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千")


def questions():
    """The same numbers for every language."""
    r = random.Random(7)
    large = [a * 10**e for e in range(3, 16) for a in (1, 2, 3, 5, 11, 21)]
    large += [n + 1 for n in large if n < 10**15] + [n + 100 for n in large if n < 10**15]
    large += [r.randrange(10 ** (d - 1), 10**d) for d in range(4, 16) for _ in range(40)]
    large = sorted({n for n in large if n <= 10**15})
    fractions = [f"{r.randrange(10**r.randrange(1, 5))}.{r.randrange(10**d):0{d}}" for d in (1, 1, 2, 2, 2, 3, 4) for _ in range(30)]
    return {
        "cardinal": [str(n) for n in [*range(1001), *large]],
        "negative": [str(-n) for n in [1, 2, 3, 10, 21, 100, *r.sample(large, 44)]],
        "ordinal": [str(n) for n in [*range(201), *range(210, 1001, 10), *sorted(r.sample(range(201, 10000), 150)),
                                     2000, 3000, 5000, 10**4, 10**5, 10**6, 2 * 10**6, 10**9]],
        "year": [str(n) for n in [*range(1000, 1900, 9), *range(1900, 2031), *range(2031, 2100, 7)]],
        "decimal": sorted({f for f in fractions if not f.endswith("0")}, key=float) + ["0.5", "-1.5", "3.14", "-0.25"],
    }


def ask_voxpack(program, kind, language, numbers):
    kind = "cardinal" if kind == "negative" else kind
    run = subprocess.run([program, "text", "number", "--lang", language, "--kind", kind], input="\n".join(numbers) + "\n", text=True, capture_output=True)
    return run.stdout.split("\n")[: len(numbers)]


def ask_icu(jar, rows):
    java = ["java", "-cp", jar, str(pathlib.Path(__file__).with_name("Icu.java"))]
    lines = "".join(f"{l}\t{s}\t{n}\n" for l, s, n in rows)
    return subprocess.run(java, input=lines, text=True, capture_output=True, check=True).stdout.split("\n")[: len(rows)]


def icu_answers(jar, kind, language, numbers):
    base = "cardinal" if kind in ("negative", "decimal") else kind
    return ask_icu(jar, [(language, ICU_SETS[base][language], n) for n in numbers])


def node_answers(name, package, kind, language, numbers):
    locale = language if "-" in language else f"{language}-{COUNTRIES.get(language, language.upper())}"
    if name == "n2words":
        locale = {"zh-CN": "zh-Hans-CN", "pt-BR": None}.get(locale, locale)
    elif kind not in ("cardinal", "negative"):
        locale = None  # to-words makes an ordinal of the last word only, and reads every fraction as a number
    if not locale or kind == "year":
        return [""] * len(numbers)
    lines = "".join(f"{locale}\t{kind}\t{n}\n" for n in numbers)
    node = ["node", str(pathlib.Path(__file__).with_name("node.mjs")), name, str(pathlib.Path(package).resolve())]
    said = subprocess.run(node, input=lines, text=True, capture_output=True, check=True).stdout.split("\n")[: len(numbers)]
    return [s.translate(PLAIN_CHINESE) if language == "zh" else s for s in said]


def num2words_answer(kind, language, number):
    import num2words
    if language in ("zh", "hi"):
        return ""
    code = {"pt": "pt_BR", "pt-PT": "pt"}.get(language, language)
    to = {"negative": "cardinal", "decimal": "cardinal"}.get(kind, kind)
    value = int(number) if "." not in number else float(number) if language == "fa" else decimal.Decimal(number)
    return num2words.num2words(value, lang=code, to=to)


def own_answer(kind, language, number):
    """Sources of one language."""
    if language == "fa" and kind in ("cardinal", "negative", "ordinal"):
        import num2fawords
        return num2fawords.ordinal_words(int(number)) if kind == "ordinal" else num2fawords.words(int(number), negative="منفی ")
    if language == "fa" and kind == "decimal":
        import num2fawords
        return num2fawords.words(number, negative="منفی ", decimal_separator=" و ")
    if language == "zh" and kind in ("cardinal", "negative", "decimal"):
        import cn2an
        return cn2an.an2cn(number, "low")
    if language == "ar" and kind == "cardinal":
        import pyarabic.number
        return pyarabic.number.ArNumbers().int2str(number)
    if language == "hi" and kind == "cardinal":
        import num_to_words
        return num_to_words.num_to_word(int(number), lang="hi")
    return ""


def persiantools_answer(kind, language, number):
    if language != "fa" or kind == "year":
        return ""
    from persiantools import digits
    value = float(number) if "." in number else int(number)
    return digits.to_word(value) if kind != "ordinal" else digits.ordinal_suffix(digits.to_word(value)) if hasattr(digits, "ordinal_suffix") else ""


def one_by_one(ask):
    def all_of_them(kind, language, numbers):
        said = []
        for n in numbers:
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    said.append(ask(kind, language, n) or "")
            except Exception:
                said.append("")
        return said
    return all_of_them


# Two ways to say the same: Persian leaves out the one of a hundred and of a thousand, or not.
# Arabic has two spellings of hundred and two words for minus; Hindi has two spellings of some numbers.
# n2words writes some Ukrainian words with a Latin i, and an apostrophe has two code points.
SAME = {
    "fa": [("یکهزار", "هزار"), ("یکصد", "صد")],
    "ar": [("مائ", "مئ"), ("سالب", "ناقص")],
    "uk": [("i", "і"), ("ʼ", "'")],
    "hi": [("नवे", "नबे"), ("पचानबे", "पंचानबे"), ("तिरसठ", "तिरेसठ"), ("तिरपन", "तिरेपन"), ("उन्यासी", "उनासी"), ("पन्द्रह", "पंद्रह")],
}


def folded(words, language=""):
    words = unicodedata.normalize("NFD", words).casefold()
    words = "".join(c for c in words if not "\u064b" <= c <= "\u0652")
    words = re.sub(r"[\s\u00ad\u200c,،-]+", "", unicodedata.normalize("NFC", words))
    for one, other in SAME.get(language, []):
        words = words.replace(one, other)
    return words


def agreed(answers, language):
    """What at least two sources say, in the spelling of most of them; and whether they spell it alike."""
    groups = collections.defaultdict(list)
    for said in answers.values():
        if said:
            groups[folded(said, language)].append(said.strip())
    best = max(groups.values(), key=len, default=[])
    if len(best) < 2 or sum(len(g) == len(best) for g in groups.values()) > 1:
        return "", False
    spelling, times = collections.Counter(best).most_common(1)[0]
    return spelling, times > 1


def gather(options):
    """Every source's answers, from the cache where they are there."""
    cache = pathlib.Path(options.cache)
    answers = json.loads(cache.read_text()) if cache.exists() else {}
    sources = {
        "icu": lambda k, l, n: icu_answers(options.icu, k, l, n),
        "n2words": lambda k, l, n: node_answers("n2words", f"{options.node}/n2words", k, l, n),
        "towords": lambda k, l, n: node_answers("to-words", f"{options.node}/to-words", k, l, n),
        "num2words": one_by_one(num2words_answer),
        "own": one_by_one(own_answer),
        "persiantools": one_by_one(persiantools_answer),
    }
    for language in LANGUAGES:
        for kind, numbers in questions().items():
            had = answers.setdefault(language, {}).setdefault(kind, {})
            had.update({s: ask(kind, language, numbers) for s, ask in sources.items() if s not in had})
    cache.write_text(json.dumps(answers, ensure_ascii=False))
    return answers


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--icu"), p.add_argument("--node"), p.add_argument("--voxpack", default="bin/voxpack")
    p.add_argument("--cache", default="answers.json"), p.add_argument("--write", action="store_true"), p.add_argument("--show", type=int, default=0)
    p.add_argument("--only", default="")
    options = p.parse_args()
    warnings.filterwarnings("ignore")
    asked, answers, golden = questions(), gather(options), collections.defaultdict(list)
    for language in LANGUAGES:
        for kind in KINDS:
            if kind == "year" and language in NO_YEARS:
                continue
            if options.only and options.only not in (language, f"{language}/{kind}"):
                continue
            ours = ask_voxpack(options.voxpack, kind, language, asked[kind])
            rows = right = alike = strict = 0
            wrong = []
            for i, number in enumerate(asked[kind]):
                said = {s: a[i] for s, a in answers[language][kind].items()}
                want, same = agreed(said, language)
                if not want:
                    continue
                rows += 1
                good = folded(ours[i], language) == folded(want, language)
                right += good
                strict += same
                alike += same and ours[i] == want
                witnesses = [s for s in said if folded(said[s], language) == folded(want, language)]
                golden[f"@{language} {kind}"].append(f"{number}\t{unicodedata.normalize('NFC', want)}\t{''.join(LETTERS[w] for w in witnesses)}")
                if not good or (same and ours[i] != want):
                    wrong.append(f"   {number}: {ours[i]} / {want}   {'SPELLING' if good else ''} {witnesses}")
            share = lambda a, b: f"{100 * a / b:6.2f} %" if b else "     -  "
            print(f"{language} {kind:9} {len(asked[kind]):5} asked {rows:5} agreed  right {share(right, rows)}   letter by letter {share(alike, strict)} of {strict}")
            for line in wrong[: options.show]:
                print(line)
    if options.write:
        write("golden.txt.bz2", [line for head, lines in golden.items() for line in (head, *lines)])
        write("icu.txt.bz2", engine_rows(options.icu))


def engine_rows(jar):
    """What ICU makes of CLDR's rules, set by set: our engine must make the same."""
    r, rows, head = random.Random(8), [], ""
    for line in pathlib.Path(__file__).with_name("..").joinpath("cldr.txt").read_text().splitlines():
        if line.startswith("@"):
            language = line[1:]
        if not line.startswith("%spellout"):
            continue
        numbers = [r.randrange(10 ** d) for d in (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8, 10, 12, 14)] + r.sample([0, 1, 2, 11, 20, 21, 80, 100, 101, 200], 5)
        numbers += r.sample([1000, 1001, 1905, 1984, 2000, 2001, 21000, 100000, 10**6, 2 * 10**6], 5) + [-r.randrange(10**6)]
        rows += [(language, line.rstrip(":"), str(n)) for n in numbers] + [(language, line.rstrip(":"), x) for x in ("3.14", "0.5", "2.05")]
    out = []
    for (language, name, number), said in zip(rows, ask_icu(jar, rows)):
        if f"@{language} {name}" != head:
            head = f"@{language} {name}"
            out.append(head)
        out.append(f"{number}\t{unicodedata.normalize('NFC', said)}")
    return out


def write(name, lines):
    path = pathlib.Path(__file__).with_name(name)
    path.write_bytes(bz2.compress(("\n".join(lines) + "\n").encode()))
    print(f"{path.name}: {len(lines)} lines, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
