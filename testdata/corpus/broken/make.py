#!/usr/bin/env python3
"""Writes this corpus: a row for each way in which a row or its clip can be bad.

    python3 make.py

WAYS is the table: what is wrong, the line of metadata.csv, the files of the row,
and what voxpack has to say of it. EXPECTED is the last of these with its place,
in the order of the file; a row of it is `kept`, `kept` with its notes, or
`STAGE: REASON`. What it writes is committed, so nobody needs it to build or to
test. The two rows of links have no files here: a link does not outlive every way
of copying a tree, so the test makes them.
"""

import importlib.util
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
AUDIO = os.path.join(HERE, "..", "..", "audio")
RATE = 8000


def sibling():
    """The script of the formats' corpora, which makes sound files."""
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("make_formats", os.path.join(HERE, "..", "formats", "make.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def samples(n, pitch=200):
    """n samples of a triangle wave, in integers, so that it is the same everywhere."""
    period = RATE // pitch
    return [abs(2 * (i % period) - period) * 16000 // period - 8000 for i in range(n)]


def pcm(n):
    return struct.pack("<%dh" % n, *samples(n))


def wav(data, tag=1, channels=1, rate=RATE, bits=16, says=None, align=None, extra=b""):
    """The bytes of a WAV file. says is what its header says of its samples, in bytes."""
    says = len(data) if says is None else says
    align = channels * ((bits + 7) // 8) if align is None else align
    fmt = struct.pack("<HHIIHH", tag, channels, rate, rate * align & 0xFFFFFFFF, align, bits) + extra
    body = b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + struct.pack("<I", says) + data
    return b"RIFF" + struct.pack("<I", min(len(body) - len(data) + says, 0xFFFFFFFF)) + body


def floats(n, at=-1, value=0.0):
    values = [v / 32768 for v in samples(n)]
    if at >= 0:
        values[at] = value
    return struct.pack("<%df" % n, *values)


def encoded(name, n=-1):
    """The first n bytes of a file of testdata/audio."""
    with open(os.path.join(AUDIO, name), "rb") as f:
        return f.read(n)


GOOD = wav(pcm(1600))
HALF = wav(pcm(1600))[:1644]
FLAC = sibling().flac(200)
EXTENSIBLE = struct.pack("<HHI", 22, 16, 4)  # then the GUID of what the samples are

# What is wrong, the line, the files, what is said of the row.
# A line of text alone is `ID|LINE|LINE|ada|en`.
WAYS = [
    ("a byte order mark in front of the first id", "\ufefffirst|The first row.|The first row.|ada|en\n", {"first.wav": GOOD}, "kept"),
    ("a line that ends with CR and LF", "crlf|A line of another system.|A line of another system.|ada|en\r\n", {"crlf.wav": GOOD}, "kept"),
    ("an odd quote", 'quote|He said "go.|He said "go.|ada|en\n', {"quote.wav": GOOD}, "kept"),
    ("a quote that begins the text", 'quoted|"Yes, she did.|"Yes, she did.|ada|en\n', {"quoted.wav": GOOD}, "kept"),
    ("spaces round the bars", " spaces |  A text.  | A text. | ada | en \n", {"spaces.wav": GOOD}, "kept"),
    ("an id with wavs/ and an extension", "wavs/named.wav|A text.|A text.|ada|en\n", {"named.wav": GOOD}, "kept"),
    ("an empty line", "\n", {}, None),
    ("a line of spaces", "  \t \n", {}, None),
    ("a file name in another case", "cased|A text.|A text.|ada|en\n", {"Cased.WAV": GOOD}, "kept: name-differs case"),
    ("a file name with letters and marks apart", "caf\u00e9|A text.|A text.|ada|en\n", {"cafe\u0301.wav": GOOD}, "kept: name-differs Unicode form"),
    ("an equal row, twice", "equal|A text.|A text.|ada|en\n", {"equal.wav": GOOD}, "kept: repeated-row equal rows"),
    ("an equal row, again", "equal|A text.|A text.|ada|en\n", {}, "kept: repeated-row equal rows"),
    ("no normalised text", "raw|A text.||ada|en\n", {"raw.wav": GOOD}, "kept: empty-column no normalised text; the raw text is read"),
    ("a header of a stream, which knows no length", "stream|A text.|A text.|ada|en\n", {"stream.wav": wav(pcm(1600), says=0xFFFFFFFF)}, "kept: open-length the header leaves the length open; read to the end of the file"),
    ("float samples over full scale", "loud|A text.|A text.|ada|en\n", {"loud.wav": wav(floats(1600, 7, 1.5), 3, bits=32)}, "kept: over-full-scale floats beyond ±1, kept as they are"),
    ("invalid UTF-8 in the text", b"utf8|caf\xe9|text|ada|en\n", {"utf8.wav": GOOD}, "metadata: invalid UTF-8 at byte 8 of the line (0xE9); save the file as UTF-8"),
    ("invalid UTF-8 in the id", b"caf\xe9|text|text|ada|en\n", {}, "metadata: invalid UTF-8 at byte 3 of the line (0xE9); save the file as UTF-8"),
    ("a column too few", "few|text|text|ada\n", {"few.wav": GOOD}, "metadata: 4 columns, the other lines have 5 (id|text|normalised|speaker|language)"),
    ("only an id", "alone\n", {"alone.wav": GOOD}, "metadata: 1 column, the other lines have 5 (id|text|normalised|speaker|language)"),
    ("a column too many", "extra|text|text|ada|en|more\n", {"extra.wav": GOOD}, "metadata: 6 columns, the other lines have 5 (id|text|normalised|speaker|language)"),
    ("an empty id", "|text|text|ada|en\n", {}, "metadata: the id is empty"),
    ("only an extension", ".wav|text|text|ada|en\n", {}, "metadata: the id is empty"),
    ("an absolute path", "/etc/passwd|text|text|ada|en\n", {}, 'metadata: "/etc/passwd" is not a path below the dataset; write it relative, with /'),
    ("a path with a drive", "C:/clips/good|text|text|ada|en\n", {}, 'metadata: "C:/clips/good" is not a path below the dataset; write it relative, with /'),
    ("a path out of the folder", "../good|text|text|ada|en\n", {}, "metadata: \"../good\" leaves the dataset's folder or names no file"),
    ("a path through the folder above", "a/../good|text|text|ada|en\n", {}, "metadata: \"a/../good\" leaves the dataset's folder or names no file"),
    ("a backslash", "clips\\good|text|text|ada|en\n", {}, 'metadata: "clips\\\\good" is not a path below the dataset; write it relative, with /'),
    ("a NUL character in the id", "nul\0|text|text|ada|en\n", {}, "metadata: the id holds a NUL character"),
    ("an id that is too long for any file", "x" * 1025 + "|text|text|ada|en\n", {}, "metadata: the id has 1025 bytes; 1024 are the most"),
    ("a language that is none", "klingon|text|text|ada|tlh\n", {"klingon.wav": GOOD}, 'metadata: language "tlh" is not a known code (en, fa, de, …; und where nothing fits)'),
    ("an empty language", "nolanguage|text|text|ada|\n", {"nolanguage.wav": GOOD}, "metadata: the language column is empty"),
    ("an empty speaker", "nospeaker|text|text||en\n", {"nospeaker.wav": GOOD}, "metadata: the speaker column is empty"),
    ("a speaker that the config does not list", "stranger|text|text|bob|en\n", {"stranger.wav": GOOD}, "metadata: speaker \"bob\" is not in the config's speakers list"),
    ("one id for two texts", "dup|One text.|One text.|ada|en\n", {"dup.wav": GOOD}, "metadata: the id stands in 3 rows that differ (metadata.csv:34, metadata.csv:35, metadata.csv:36); make the ids unique"),
    ("one id for two texts, the other", "dup|Another text.|Another text.|ada|en\n", {}, "metadata: the id stands in 3 rows that differ (metadata.csv:34, metadata.csv:35, metadata.csv:36); make the ids unique"),
    ("one id in two ways to write it", "wavs/dup.wav|A third text.|A third text.|ada|en\n", {}, "metadata: the id stands in 3 rows that differ (metadata.csv:34, metadata.csv:35, metadata.csv:36); make the ids unique"),
    ("an id that the config leaves out", "leftout|text|text|ada|en\n", {"leftout.wav": GOOD}, "filter: the id is in drop_ids"),
    ("no text", "notext|||ada|en\n", {"notext.wav": GOOD}, "text: the text is empty"),
    ("a text of nothing that is spoken", "silent|\u200b\u200b|\u200b\u200b|ada|en\n", {"silent.wav": GOOD}, "text: nothing of the text can be spoken"),
    ("characters outside of the vocabulary", "snow|snow \u2603 falls|snow \u2603 falls|ada|en\n", {"snow.wav": GOOD}, "tokens: unknown character U+2603 at byte 5"),
    ("nothing but such characters", "snowmen|" + "\u2603" * 9 + "|" + "\u2603" * 9 + "|ada|en\n", {"snowmen.wav": GOOD}, "tokens: unknown character U+2603 at byte 0"),
    ("a text over max_text_length", "wordy|" + "word " * 9 + "|" + "word " * 9 + "|ada|en\n", {"wordy.wav": GOOD}, "tokens: 44 tokens, max_text_length is 40"),
    ("a text too long for its clip", "hasty|Too many words for so few.|Too many words for so few.|ada|en\n", {"hasty.wav": wav(pcm(600))}, "filter: 280.00 characters a second, max_chars_per_second is 250"),
    ("a text too short for its clip", "slow|a|a|ada|en\n", {"slow.wav": GOOD}, "filter: 5.00 characters a second, min_chars_per_second is 8"),
    ("no file", "missing|text|text|ada|en\n", {}, "audio: no audio: neither wavs/missing.wav nor missing.wav is there"),
    ("a file whose extension is none of audio", "texted|text|text|ada|en\n", {"texted.txt": b"no sound\n"}, "audio: no audio: neither wavs/texted.wav nor texted.wav is there"),
    ("two files of one name", "twice|text|text|ada|en\n", {"twice.wav": GOOD, "twice.flac": FLAC}, "audio: 2 audio files have this name (twice.flac, twice.wav); keep one"),
    ("two files that differ from the name in case", "Twin|text|text|ada|en\n", {"TWIN.wav": GOOD, "twin.flac": FLAC}, "audio: no audio has this name, and 2 differ from it only in case (TWIN.wav, twin.flac); rename the one that is meant"),
    ("a folder with the name of a clip", "folder|text|text|ada|en\n", {"folder.wav/README": b"A folder.\n"}, "audio: folder.wav is not a file"),
    ("a link out of the folder", "link|text|text|ada|en\n", {}, "audio: link.wav is a link out of the dataset; name the folder that it leads into with audio_roots, or copy in what it leads to"),
    ("a link to nothing", "dangling|text|text|ada|en\n", {}, "audio: dangling.wav is a link to nothing"),
    ("an empty file", "empty|text|text|ada|en\n", {"empty.wav": b""}, "audio: empty.wav is empty (0 bytes)"),
    ("a file of one byte", "one|text|text|ada|en\n", {"one.wav": b"R"}, "audio: one.wav: not a WAV file: 1 bytes are too few for a header"),
    ("text named .wav", "notwav|text|text|ada|en\n", {"notwav.wav": b"this is no sound, it is a text that somebody named so\n"}, 'audio: notwav.wav: not a WAV file: it begins with "this"'),
    ("a web page named .wav", "page|text|text|ada|en\n", {"page.wav": b"<!DOCTYPE html><html><body>404 Not Found</body></html>\n" * 4}, 'audio: page.wav: not a WAV file: it begins with "<!DO"'),
    ("a pointer of Git LFS in place of the clip", "pointer|text|text|ada|en\n", {"pointer.wav": b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 3244\n"}, 'audio: pointer.wav: not a WAV file: it begins with "vers"'),
    ("a WAV that was cut", "cutwav|text|text|ada|en\n", {"cutwav.wav": HALF}, "audio: cutwav.wav: WAV header says 3,200 bytes of samples, the file holds 1,600"),
    ("a WAV cut in its header", "cuthead|text|text|ada|en\n", {"cuthead.wav": GOOD[:30]}, 'audio: cuthead.wav: WAV header says 16 bytes for chunk "fmt ", the file holds 10'),
    ("a WAV cut behind its header", "headonly|text|text|ada|en\n", {"headonly.wav": GOOD[:44]}, "audio: headonly.wav: WAV header says 3,200 bytes of samples, the file holds 0"),
    ("a header that says some samples more", "claims|text|text|ada|en\n", {"claims.wav": wav(pcm(1600), says=4000)}, "audio: claims.wav: WAV header says 4,000 bytes of samples, the file holds 3,200"),
    ("a header that says 2 GB", "giant|text|text|ada|en\n", {"giant.wav": wav(pcm(1600), says=0x7FFFFFFE)}, "audio: giant.wav: WAV header says 2,147,483,646 bytes of samples, the file holds 3,200"),
    ("a header that says fewer samples", "claimsless|text|text|ada|en\n", {"claimsless.wav": wav(pcm(1600), says=3000)}, "audio: claimsless.wav: WAV header says 3,000 bytes of samples, but 200 bytes follow them that are neither a chunk nor a tag nor zeros: if they are samples, write the file anew with ffmpeg -ignore_length 1 -i IN.wav OUT.wav"),
    ("half of a sample at the end", "oddbyte|text|text|ada|en\n", {"oddbyte.wav": wav(pcm(1600) + b"\1")}, "audio: oddbyte.wav: WAV header says 3,201 bytes of samples, which is not a multiple of the 2 bytes of one sample of all channels"),
    ("40 bits", "forty|text|text|ada|en\n", {"forty.wav": wav(pcm(1600), bits=40)}, "audio: forty.wav: PCM of 40 bits is not read: convert to 16, 24 or 32 bits"),
    ("64 bits of no float", "sixtyfour|text|text|ada|en\n", {"sixtyfour.wav": wav(bytes(8 * 1600), bits=64)}, "audio: sixtyfour.wav: PCM of 64 bits is not read: convert to 16, 24 or 32 bits"),
    ("NaN", "nan|text|text|ada|en\n", {"nan.wav": wav(floats(1600, 100, float("nan")), 3, bits=32)}, "audio: nan.wav: WAV sample 100 (0.013 s) is NaN, which no recording holds: repair the file"),
    ("an infinity", "inf|text|text|ada|en\n", {"inf.wav": wav(floats(1600, 1599, float("inf")), 3, bits=32)}, "audio: inf.wav: WAV sample 1,599 (0.200 s) is +Inf, which no recording holds: repair the file"),
    ("no samples", "zero|text|text|ada|en\n", {"zero.wav": wav(b"")}, "audio: zero.wav: WAV file has no samples"),
    ("no channels", "nochannel|text|text|ada|en\n", {"nochannel.wav": wav(pcm(1600), channels=0, align=0)}, "audio: nochannel.wav: WAV header says 0 channels; 1 to 64 are read"),
    ("a rate of 0", "norate|text|text|ada|en\n", {"norate.wav": wav(pcm(1600), rate=0)}, "audio: norate.wav: WAV header says 0 samples a second; 1,000 to 768,000 are read"),
    ("a rate that nobody has", "fastrate|text|text|ada|en\n", {"fastrate.wav": wav(pcm(1600), rate=3000000000)}, "audio: fastrate.wav: WAV header says 3,000,000,000 samples a second; 1,000 to 768,000 are read"),
    ("a wrong size of a sample", "align|text|text|ada|en\n", {"align.wav": wav(pcm(1600), align=3)}, "audio: align.wav: WAV header says 3 bytes a sample of all channels; 1 channels of 16 bits take 2"),
    ("ADPCM", "adpcm|text|text|ada|en\n", {"adpcm.wav": wav(bytes(1024), 2, bits=4, align=256, extra=struct.pack("<HH", 2, 500))}, "audio: adpcm.wav: Microsoft ADPCM WAV with other coefficients than the 7 of its definition is not read: convert to PCM"),
    ("an extensible WAV of something else", "guid|text|text|ada|en\n", {"guid.wav": wav(pcm(1600), 0xFFFE, extra=EXTENSIBLE + bytes(range(16)))}, "audio: guid.wav: WAV format with subformat 000102030405060708090a0b0c0d0e0f is not read yet: convert to PCM"),
    ("too short for one frame", "short|a|a|ada|en\n", {"short.wav": wav(pcm(50))}, "mel: a clip of 50 samples is shorter than the 97 that the mel's padding needs"),
    ("too long for max_mel_frames", "long|a text of some more words|a text of some more words|ada|en\n", {"long.wav": wav(pcm(4000))}, "mel: 62 frames, max_mel_frames is 40"),
    ("longer than max_seconds", "longer|a text of so many words, as it lasts|a text of so many words, as it lasts|ada|en\n", {"longer.wav": wav(bytes(128 for _ in range(6000)), bits=8)}, "audio: 0.750 s, max_seconds is 0.7"),
    ("MP3 named .wav", "mp3|text|text|ada|en\n", {"mp3.wav": encoded("low.mp3")}, "audio: mp3.wav: it is an MP3 file by its first bytes: give it the extension of one"),
    ("FLAC named .ogg", "flac|text|text|ada|en\n", {"flac.ogg": FLAC}, "kept"),
    ("FLAC that was cut", "cutflac|text|text|ada|en\n", {"cutflac.flac": FLAC[:2000]}, "audio: cutflac.flac: FLAC frame 0 at byte 42: the file ends within it"),
    ("FLAC cut in its header", "cutinfo|text|text|ada|en\n", {"cutinfo.flac": FLAC[:30]}, "audio: cutinfo.flac: FLAC header says 34 bytes for a block of metadata, the file holds 22"),
    ("FLAC with a bit flipped", "flipped|text|text|ada|en\n", {"flipped.flac": FLAC[:1500] + bytes([FLAC[1500] ^ 1]) + FLAC[1501:]}, "audio: flipped.flac: FLAC frame 0 at byte 42: checksum 3653, c200 was stored"),
    ("MP3 that was cut", "cutmp3|text|text|ada|en\n", {"cutmp3.mp3": encoded("low.mp3", 1000)}, "audio: cutmp3.mp3: MP3 frame 9 at byte 940 has 105 bytes, the file holds 60"),
    ("MP3 cut in its first frame", "cutframe|text|text|ada|en\n", {"cutframe.mp3": encoded("low.mp3", 60)}, "audio: cutframe.mp3: MP3 frame 0 at byte 0 has 104 bytes, the file holds 60"),
    ("Ogg Vorbis that was cut", "cutogg|text|text|ada|en\n", {"cutogg.ogg": encoded("mono.ogg", 5000)}, "audio: cutogg.ogg: Ogg page 2 at byte 3,424: the file ends within it"),
    ("Ogg Vorbis cut in its headers", "cutsetup|text|text|ada|en\n", {"cutsetup.ogg": encoded("mono.ogg", 2000)}, "audio: cutsetup.ogg: Ogg page 1 at byte 58: the file ends within it"),
    ("nothing at all", "last|The last row, without a line end.|The last row, without a line end.|ada|en", {"last.wav": GOOD}, "kept"),
]


def shown(line):
    """A row's id as messages have it, with a colon; nothing of one that cannot be shown."""
    name = line.split(b"|")[0].replace(b"\xef\xbb\xbf", b"").strip().decode(errors="replace")
    name = os.path.splitext(name.removeprefix("wavs/"))[0] if name.endswith(".wav") else name
    if not name or name == ".wav" or "\0" in name or "\ufffd" in name:
        return ""
    return (name if len(name) <= 1024 else name[:64] + "…") + ": "


def main():
    metadata, expected, number = b"", [], 0
    written = {"make.py", "voxpack.yaml", "metadata.csv", "dropped.txt", "EXPECTED"}
    for way, line, files, said in WAYS:
        number += 1
        line = line if isinstance(line, bytes) else line.encode()
        metadata += line
        if said is not None:
            expected.append("metadata.csv:%d: %s%s\n" % (number, shown(line), said))
        for name, data in files.items():
            path = os.path.join(HERE, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(data)
            written.add(name.split("/")[0])
    for name in set(os.listdir(HERE)) - written:
        sys.exit("%s is of no way: remove it" % name)
    with open(os.path.join(HERE, "metadata.csv"), "wb") as f:
        f.write(metadata)
    with open(os.path.join(HERE, "EXPECTED"), "w", encoding="utf-8") as f:
        f.writelines(expected)


if __name__ == "__main__":
    main()
