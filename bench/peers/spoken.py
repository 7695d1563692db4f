"""Text as the usual English cleaners leave it, and its tokens.

A stand-in that does the work of the cleaners that Tacotron 2 and its heirs share (ASCII by unidecode,
lower case, numbers into words by inflect, abbreviations, white space), written anew from that list.
"""

import re

# Titles and places that speech corpora write short.
SHORT = {
    "mrs": "misess", "mr": "mister", "dr": "doctor", "drs": "doctors", "st": "saint", "co": "company", "jr": "junior", "maj": "major",
    "gen": "general", "rev": "reverend", "lt": "lieutenant", "hon": "honorable", "sgt": "sergeant", "capt": "captain", "esq": "esquire",
    "ltd": "limited", "col": "colonel", "ft": "fort",
}
ALPHABET = "_-!'(),.:;? abcdefghijklmnopqrstuvwxyz"
IDS = {letter: i for i, letter in enumerate(ALPHABET)}

COMMAS = re.compile(r"(?<=\d),(?=\d)")
MONEY = re.compile(r"\$(\d+)(?:\.(\d\d))?")
DECIMAL = re.compile(r"(\d+)\.(\d+)")
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)\b")
WHOLE = re.compile(r"\d+")
SPACE = re.compile(r"\s+")


class Cleaner:
    def __init__(self):
        import inflect
        import unidecode
        self.engine, self.ascii = inflect.engine(), unidecode.unidecode
        # One expression an abbreviation, as the cleaners have them.
        self.short = [(re.compile(rf"\b{short}\."), word) for short, word in SHORT.items()]

    def __call__(self, text):
        text = self.ascii(text).lower()
        text = COMMAS.sub("", text)
        text = MONEY.sub(self.money, text)
        text = DECIMAL.sub(r"\1 point \2", text)
        text = ORDINAL.sub(lambda m: self.engine.number_to_words(m.group()), text)
        text = WHOLE.sub(self.whole, text)
        for expression, word in self.short:
            text = expression.sub(word, text)
        return SPACE.sub(" ", text)

    def money(self, match):
        units, cents = match.groups()
        words = f"{units} dollar" + ("" if units == "1" else "s")
        return words + (f", {int(cents)} cents" if cents and int(cents) else "")

    def whole(self, match):
        value = int(match.group())
        if 1000 < value < 3000 and value % 100 and not 2000 < value < 2010:  # a year, more likely than not
            return self.engine.number_to_words(value, andword="", zero="oh", group=2).replace(", ", " ")
        return self.engine.number_to_words(value, andword="")


def tokens(text):
    return [IDS[letter] for letter in text if letter in IDS]
