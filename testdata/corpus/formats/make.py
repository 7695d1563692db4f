#!/usr/bin/env python3
"""Writes the corpora of this folder, one for each format that voxpack reads.

    python3 make.py            all of them
    python3 make.py kaldi vctk these only

What it writes is committed, so nobody needs it to build or to test; it says
where the files come from. The same bytes come out again, but those of parquet
change with the version of pyarrow (26.0.1 wrote the committed ones) and those of
MP3 with that of lame (3.100). rows.golden
is written by `go test ./compiler/intake -run TestFormats -update`.
"""

import hashlib
import io
import os
import shutil
import struct
import subprocess
import sys
import wave

HERE = os.path.dirname(os.path.abspath(__file__))
RATE = 8000


def samples(pitch):
    """A quarter of a second of a triangle wave, in integers, so that it is the same everywhere."""
    period = RATE // pitch
    return [abs(2 * (n % period) - period) * 16000 // period - 8000 for n in range(RATE // 4)]


def wav(pitch):
    """The bytes of a WAV file, 16 bits, one channel."""
    out = io.BytesIO()
    with wave.open(out, "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(RATE)
        w.writeframes(struct.pack("<%dh" % (RATE // 4), *samples(pitch)))
    return out.getvalue()


def crc(data, bits, poly):
    """A checksum of FLAC (RFC 9639): most significant bit first, begun with 0."""
    c, top = 0, 1 << (bits - 1)
    for byte in data:
        c ^= byte << (bits - 8)
        for _ in range(8):
            c = ((c << 1) ^ poly if c & top else c << 1) & ((1 << bits) - 1)
    return c


def flac(pitch):
    """The bytes of a FLAC file: one frame with one verbatim subframe."""
    pcm = samples(pitch)
    n = len(pcm)
    info = struct.pack(">HH", n, n) + bytes(6) + struct.pack(">Q", RATE << 44 | 15 << 36 | n)
    info += hashlib.md5(struct.pack("<%dh" % n, *pcm)).digest()
    head = b"\xff\xf8\x74\x08\x00" + struct.pack(">H", n - 1)
    frame = head + bytes([crc(head, 8, 0x07)]) + b"\x02" + struct.pack(">%dh" % n, *pcm)
    return b"fLaC\x80" + struct.pack(">I", len(info))[1:] + info + frame + struct.pack(">H", crc(frame, 16, 0x8005))


def mp3(pitch):
    """The bytes of an MP3 file."""
    lame = ["lame", "--quiet", "-b", "32", "--resample", "16", "-", "-"]
    return subprocess.run(lame, input=wav(pitch), stdout=subprocess.PIPE, check=True).stdout


def write(corpus, files):
    """Writes the files of a corpus, and nothing else is left in it but rows.golden."""
    top = os.path.join(HERE, corpus)
    golden = os.path.join(top, "rows.golden")
    kept = open(golden, "rb").read() if os.path.exists(golden) else None
    shutil.rmtree(top, ignore_errors=True)
    if kept is not None:
        files = dict(files, **{"rows.golden": kept})
    for name, data in files.items():
        path = os.path.join(top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data.encode() if isinstance(data, str) else data)


def kaldi():
    return {
        "wav.scp": "ada-1 audio/ada-1.wav\nbo-rec /data/elsewhere/bo-rec.wav\ncy-1 sph2pipe -f wav cy-1.sph |\n",
        "text": "ada-1 The first of three.\nbo-1 Out of one recording,\nbo-2 two utterances.\ncy-1 A pipe.\n",
        "segments": "ada-1 ada-1 0.00 -1\nbo-1 bo-rec 0.02 0.12\nbo-2 bo-rec 0.12 0.2405\ncy-1 cy-1 0 0.2\n",
        "utt2spk": "ada-1 ada\nbo-1 bo\nbo-2 bo\ncy-1 cy\n",
        "utt2lang": "ada-1 en\nbo-1 en-GB\nbo-2 en-GB\ncy-1 en\n",
        "audio/ada-1.wav": wav(200),
        "bo-rec.wav": wav(160),
    }


def librispeech():
    return {
        "train-clean-100/103/1240/103-1240.trans.txt": "103-1240-0000 CHAPTER ONE\n103-1240-0001 MISSUS RACHEL LYNDE IS SURPRISED\n",
        "train-clean-100/103/1240/103-1240-0000.flac": flac(200),
        "train-clean-100/103/1240/103-1240-0001.flac": flac(220),
        "dev-clean/84/121123/84-121123.trans.txt": "84-121123-0000 GO DO YOU HEAR\n",
        "dev-clean/84/121123/84-121123-0000.flac": flac(160),
        "dev-clean/84/121550/84-121550-0000.flac": flac(170),
    }


def libritts():
    train, dev = "train-clean-100/103/1241/103_1241_", "dev-clean/84/121123/84_121123_"
    return {
        train + "000000_000001.original.txt": "Matthew Cuthbert is surprised, in 1908.",
        train + "000000_000001.normalized.txt": "Matthew Cuthbert is surprised, in nineteen oh eight.",
        train + "000000_000001.wav": wav(200),
        train + "000001_000000.normalized.txt": "Only the second text is there.\n",
        train + "000001_000000.wav": wav(220),
        dev + "000007_000000.original.txt": "Mr. Go!",
        dev + "000007_000000.normalized.txt": "Mister Go!",
        dev + "000007_000000.wav": wav(160),
        dev + "000008_000000.wav": wav(170),
    }


def vctk():
    audio = "wav48_silence_trimmed/"
    return {
        "txt/p225/p225_001.txt": "Please call Stella.\n",
        "txt/p225/p225_002.txt": "Ask her to bring these things with her from the store. \n",
        "txt/p280/p280_001.txt": "Please call Stella.\n",
        audio + "p225/p225_001_mic1.flac": flac(200),
        audio + "p225/p225_001_mic2.flac": flac(210),
        audio + "p225/p225_002_mic2.flac": flac(220),
        audio + "p280/p280_001_mic1.flac": flac(160),
        audio + "p315/p315_001_mic1.flac": flac(150),
    }


def mls():
    return {
        "train/transcripts.txt": "10148_10119_000000\tes war einmal\n10148_10119_000001\tein könig\n",
        "train/audio/10148/10119/10148_10119_000000.flac": flac(200),
        "train/audio/10148/10119/10148_10119_000001.flac": flac(220),
        "dev/transcripts.txt": "2422_2443_000009\tund so weiter\n",
        "dev/audio/2422/2443/2422_2443_000009.flac": flac(160),
        "test/transcripts.txt": "1054_1599_000003\tdas ende\n1054_1599\tohne nummer\n",
        "test/audio/1054/1599/1054_1599_000003.flac": flac(150),
    }


def ljspeech():
    return {
        "metadata.csv": open(os.path.join(HERE, "ljspeech", "metadata.csv"), "rb").read(),
        "wavs/LJ001-0001.wav": wav(200),
        "wavs/LJ001-0002.wav": wav(220),
        "wavs/LJ001-0003.wav": wav(160),
    }


def speaker():
    return {
        "metadata.csv": "wavs/ada/0001.wav|ada|en|The river was low.\n"
        'wavs/ada/0002.wav|ada|en-GB|"Yes," she said, "it is."\nsara-0001|sara|fa|باران می\u200cبارد.\n',
        "wavs/ada/0001.wav": wav(200),
        "wavs/ada/0002.wav": wav(220),
        "wavs/sara-0001.wav": wav(160),
    }


def filelist():
    name = "filelists/vctk_audio_sid_text_%s_filelist.txt"
    return {
        name % "train": "DUMMY2/p225/p225_001.wav|0|Please call Stella.\nDUMMY2/p226/p226_002.wav|1|Ask her to bring these things.\n",
        name % "val": "DUMMY2/p226/p226_003.wav|1|Six spoons of snow peas.\n",
        name % "test": "DUMMY2/p225/p225_004.wav|0|We also need a small plastic snake.\n",
        "wavs/p225/p225_001.wav": wav(200),
        "wavs/p226/p226_002.wav": wav(220),
        "p226/p226_003.wav": wav(160),
        "wavs/p225_004.wav": wav(150),
    }


def coqui():
    header = "audio_file|text|speaker_name|emotion_name|language\n"
    return {
        "metadata_train.csv": header + "wavs/a_001.wav|The kettle is on.|ada|neutral|en\n"
        + 'wavs/a_002.wav|"""Yes,"" she said"|ada|happy|en\n',
        "metadata_eval.csv": header + "wavs/o_001.wav|A goose crossed the road.|omid|neutral|en\n",
        "wavs/a_001.wav": wav(200),
        "wavs/a_002.wav": wav(220),
        "wavs/o_001.wav": wav(160),
    }


def csv():
    return {
        "metadata.csv": "\ufeffid;Audio Path;text;normalized text;speaker;language;split\r\n"
        'fa-1;clips/0001.wav;باران می\u200cبارد.;;sara;fa;train\r\n'
        'en-1;clips/0002.wav;"""Yes,"" he said; no more.";Yes he said no more;omid;en;train\r\n'
        'en-2;clips/0003.wav;"Two\nlines.";Two lines;omid;en-US;validation\r\n'
        'en-3;clips/0004.wav;"An odd quote.;An odd quote;omid;en;train\r\n'
        "en-4;clips/0005.wav;A goose.;A goose;omid;en;test\r\n",
        "clips/0001.wav": wav(200),
        "clips/0002.wav": wav(220),
        "clips/0003.wav": wav(160),
        "clips/0004.wav": wav(150),
        "clips/0005.wav": wav(140),
    }


def tsv():
    return {
        "metadata.tsv": "path\tsentence\tspeaker_id\tlang\n"
        'a/0001.wav\t"Yes," he said.\t7\ten\n'
        'a/0002.wav\tAn "odd quote.\t7\ten\n'
        "b/0001.wav\tEine Gans.\t8\tde\n"
        "b/0002.wav\tEin Huhn.\n",
        "wavs/a/0001.wav": wav(200),
        "wavs/a/0002.wav": wav(220),
        "b/0001.wav": wav(160),
        "b/0002.wav": wav(150),
    }


def common_voice():
    head = "client_id\tpath\tsentence_id\tsentence\tsentence_domain\tup_votes\tdown_votes\tage\tgender\taccents\tvariant\tlocale\tsegment\n"
    line = "%s\tcommon_voice_fa_%d.mp3\t%s\t%s\t\t2\t0\t\t\t\t\tfa\t\n"
    rows = [
        line % ("8c1f", 1, "d0", "باران می\u200cبارد."),
        line % ("8c1f", 2, "d1", "«نه» گفت."),
        line % ("77ab", 3, "d2", '"قایق" رفت.'),
    ]
    return {
        "validated.tsv": head + "".join(rows),
        "train.tsv": head + rows[0],
        "dev.tsv": head + rows[1],
        "test.tsv": head + rows[2],
        "invalidated.tsv": head + line % ("77ab", 4, "d3", "نه."),
        "reported.tsv": "sentence_id\tsentence\tlocale\treason\nd3\tنه.\tfa\tgrammar-or-spelling\n",
        "clip_durations.tsv": "clip\tduration[ms]\ncommon_voice_fa_1.mp3\t250\n",
        "clips/common_voice_fa_1.mp3": mp3(200),
        "clips/common_voice_fa_2.mp3": mp3(220),
        "clips/common_voice_fa_3.mp3": mp3(160),
    }


def jsonl():
    return {
        "train_manifest.json": '{"audio_filepath": "wavs/long.wav", "offset": 0.0, "duration": 0.125, "text": "first part", "speaker": 0, "lang": "en"}\n'
        '{"audio_filepath": "wavs/long.wav", "offset": 0.125, "duration": 0.1250000004, "text": "second part", "speaker": 0, "lang": "en"}\n'
        '{"audio_filepath": "/elsewhere/whole.wav", "duration": 0.25, "text": "\\u0628\\u0644\\u0647", "speaker": 1, "lang": "fa"}\n'
        '{"audio_filepath": "wavs/whole.wav", "duration": 0.25, "speaker": 1, "lang": "fa"}\n',
        "val_manifest.json": '{"audio_filepath": "wavs/val.wav", "offset": 0.05, "duration": 0.2, "text": "a goose", "normalized_text": "a goose", "speaker": 1, "lang": "en"}\n',
        "wavs/long.wav": wav(200),
        "wavs/whole.wav": wav(220),
        "wavs/val.wav": wav(160),
    }


def audiofolder():
    return {
        "train/metadata.csv": 'file_name,transcription,speaker_id\na/0001.wav,"One, two.",7\n0002.wav,Three.,8\n',
        "validation/metadata.jsonl": '{"file_name": "0001.wav", "transcription": "Four.", "speaker_id": 8}\n',
        "test/metadata.csv": "file_name,transcription,speaker_id\n0001.wav,Five.,7\n",
        "train/a/0001.wav": wav(200),
        "train/0002.wav": wav(220),
        "validation/0001.wav": wav(160),
        "test/0001.wav": wav(150),
    }


def parquet():
    import json

    import pyarrow as pa
    import pyarrow.parquet as pq

    audio = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    label = {"info": {"features": {"locale": {"names": ["en", "fa"], "_type": "ClassLabel"}}}}

    def shard(clips, texts, speakers, locales, **how):
        columns = {"id": range(len(clips)), "audio": pa.array(clips, audio), "sentence": texts, "speaker_id": speakers, "locale": locales}
        out = io.BytesIO()
        pq.write_table(pa.table(columns).replace_schema_metadata({"huggingface": json.dumps(label)}), out, **how)
        return out.getvalue()

    train = shard(
        [{"bytes": wav(200), "path": "a-1.wav"}, {"bytes": flac(220), "path": "a-2.flac"}, {"bytes": wav(160), "path": None}],
        ["The first of three.", "A second\nin two lines.", "One without a name."], [7, 7, 8], [0, 0, 0], row_group_size=2)
    valid = shard(
        [{"bytes": None, "path": "clips/b-1.wav"}, None, {"bytes": wav(150), "path": "/data/elsewhere/b-2.wav"}],
        ["یک پرونده در کنار.", "No clip.", None], [9, 9, 9], [1, 0, 0], data_page_version="2.0", compression="zstd")
    return {"data/train-00000-of-00001.parquet": train, "data/validation-00000-of-00001.parquet": valid, "clips/b-1.wav": wav(180)}


CORPORA = [ljspeech, speaker, filelist, coqui, csv, tsv, common_voice, jsonl, audiofolder, kaldi, librispeech, libritts, vctk, mls, parquet]


if __name__ == "__main__":
    for make in CORPORA:
        name = make.__name__.replace("_", "-")
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            write(name, make())
