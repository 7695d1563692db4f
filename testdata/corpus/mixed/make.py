#!/usr/bin/env python3
"""Writes this dataset: two corpora of two formats, three languages, three speakers.

    python3 make.py

What it writes is committed, so nobody needs it to build or to test. Both corpora
have a clip 0001: their ids do not meet.
"""

import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def sibling():
    """The script of the formats' corpora, which makes sound files."""
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("make_formats", os.path.join(HERE, "..", "formats", "make.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    make = sibling()
    english = [
        ("0001", "The kettle holds 2 litres.", "The kettle holds two litres."),
        ("0002", 'She said "go.', 'She said "go.'),
        ("0003", "Dr. Stone waited.", "Doctor Stone waited."),
        ("0004", "A goose crossed the road.", "A goose crossed the road."),
    ]
    readers = [
        ("clips/0001.wav", "باران می\u200cبارد.", "sara", "fa"),
        ("clips/0002.wav", "کتاب روی میز است.", "sara", "fa"),
        ("clips/0003.flac", "Der Zug fährt um acht.", "otto", "de"),
        ("clips/0004.wav", "Schöne Grüße aus Köln.", "otto", "de"),
        ("clips/0005.wav", "The river was low.", "otto", "en-GB"),
    ]
    files = {
        "english/metadata.csv": "".join("%s|%s|%s\n" % row for row in english),
        "readers/metadata.csv": "path,sentence,speaker,locale\n" + "".join("%s,%s,%s,%s\n" % row for row in readers),
    }
    for i, row in enumerate(english):
        files["english/wavs/%s.wav" % row[0]] = make.wav((160, 200, 250, 320)[i])
    for i, row in enumerate(readers):
        clip = make.flac if row[0].endswith(".flac") else make.wav
        files["readers/" + row[0]] = clip((100, 125, 400, 500, 800)[i])
    for name, data in files.items():
        path = os.path.join(HERE, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data.encode() if isinstance(data, str) else data)


if __name__ == "__main__":
    main()
