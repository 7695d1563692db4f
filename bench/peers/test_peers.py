#!/usr/bin/env python3
"""Tests of the peers: do they do the work that they are timed for?

    bin/venv/bin/python -m unittest discover -s bench/peers

What an environment lacks is skipped and says so; run it in DIR-older too for
torchaudio and MDS.
"""

import argparse
import glob
import importlib.util
import io
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest
import wave

import numpy as np

import cleaners
import compilepart
import decoders
import formats
import loops
import mel
import page
import peer
import reference as ref
import results
import samples
import spoken
import textpart
import trainerpart

PACKAGES = {"hifigan": "torch", "torch-careful": "torch", "torchaudio": "torchaudio", "librosa": "librosa", "librosa-stft": "librosa", "scipy": "scipy"}


def pcm(samples=30000):
    """A chirp over noise, as 16 bits give it."""
    n = np.arange(samples)
    y = 0.4 * np.sin(2e-6 * n * n) + 0.05 * np.random.default_rng(1).standard_normal(samples)
    return (np.round(y * 32768) / 32768).astype(np.float32)


class Mels(unittest.TestCase):
    def test_the_reference_is_the_definition(self):
        y = pcm(5000)
        # Frame 3 by the definition: reflect, window, DFT, triangles, written out once more.
        start = 3 * 256 - 384
        frame = y[start:start + 1024].astype(np.float64) * np.sin(np.pi * np.arange(1024) / 1024) ** 2
        power = np.abs(np.exp(-2j * np.pi * np.outer(np.arange(513), np.arange(1024)) / 1024) @ frame) ** 2
        band = ref.bank() @ np.sqrt(power + 1e-9)
        self.assertLess(np.abs(ref.log_mel(y, 1e-9)[3] - np.log(band)).max(), 1e-9)
        self.assertEqual(ref.log_mel(y, 0).shape, (5000 // 256, 80))
        # Band 0 rises from 0 Hz and has unit area: its peak is 2 over its width of 2 × 37.24 Hz.
        self.assertAlmostEqual(float(ref.to_hz(ref.to_mel(8000.0) * 2 / 81)), 74.48, 2)
        self.assertAlmostEqual((ref.bank().sum(axis=1) * 22050 / 1024)[20:].mean(), 1, 2)

    def test_every_peer_computes_the_mel(self):
        for name, (_, epsilon) in mel.MELS.items():
            with self.subTest(name):
                if importlib.util.find_spec(PACKAGES[name]) is None:
                    self.skipTest(f"no {PACKAGES[name]}")
                got, want = mel.make(name)(pcm()), ref.log_mel(pcm(), epsilon)
                self.assertEqual(got.shape, want.T.shape)
                self.assertLess(np.abs(got.T - want).max(), 2e-4)


class Text(unittest.TestCase):
    def test_cleaning(self):
        if importlib.util.find_spec("inflect") is None:
            self.skipTest("no inflect")
        clean = spoken.Cleaner()
        for text, want in (("Dr. Smith", "doctor smith"), ("in 1865  he", "in eighteen sixty-five he"), ("the 3rd of", "the third of"),
                           ("$3.50", "three dollars, fifty cents"), ("$1", "one dollar"), ("1,234", "twelve thirty-four"), ("naïve 2.5", "naive two point five")):
            self.assertEqual(clean(text), want)
        self.assertEqual(len(spoken.tokens("ab c!")), 5)
        self.assertEqual(spoken.tokens("a#b"), spoken.tokens("ab"))

    def test_a_front_end_reads_for_as_long_as_it_is_told(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
            f.write("in 1984\nnot now\n")
            f.flush()
            cleaners.CLEANERS["none"] = (lambda: str.upper, "numpy")
            self.addCleanup(cleaners.CLEANERS.pop, "none")
            bench = cleaners.Bench("none", f.name)
            lap = bench.answer("lap 0.02")
            self.assertTrue(lap["lines"] > 1 and lap["seconds"] >= 0.02)
            self.assertEqual(bench.answer("left 9"), {"left": 1, "of": 2})
            self.assertIn("numpy", bench.answer("versions"))


class Formats(unittest.TestCase):
    """What is written is read back, by code of the format's own where it is at hand."""

    tokens = np.arange(5, dtype=np.int32)

    def write(self, name):
        if formats.FORMATS[name].package and importlib.util.find_spec(formats.FORMATS[name].package.partition(".")[0]) is None:
            self.skipTest(f"no {name}")
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = temporary.name
        writer = formats.FORMATS[name](folder, 0)
        # A long one first: nothing of it may be left in the next.
        self.mels = [np.random.default_rng(i).standard_normal((907 - 900 * i, 80)).astype(np.float32) for i in range(2)]
        for i, m in enumerate(self.mels):
            writer.write(i, f"clip{i}", self.tokens, m)
        writer.close()
        return folder

    def same(self, i, tokens, frames, lengths):
        n = min(len(self.mels[i]), formats.FRAMES)
        self.assertEqual(list(lengths), [5, n])
        self.assertTrue(np.array_equal(tokens[:5], self.tokens) and not tokens[5:].any() and tokens.shape == (200,))
        self.assertTrue(np.array_equal(frames[:n], self.mels[i][:n]) and not frames[n:].any() and frames.shape == (800, 80))

    def test_npy(self):
        folder = self.write("npy")
        self.assertTrue(np.array_equal(np.load(os.path.join(folder, "clip1.mel.npy")), self.mels[1]))
        self.assertTrue(np.array_equal(np.load(os.path.join(folder, "clip0.tokens.npy")), self.tokens))

    def test_webdataset(self):
        folder = self.write("webdataset")
        with tarfile.open(*glob.glob(folder + "/*.tar")) as tar:
            arrays = {m.name: np.load(io.BytesIO(tar.extractfile(m).read())) for m in tar}
        for i in range(2):
            self.same(i, *(arrays[f"{i:06d}.{key}.npy"] for key in ("tokens", "mel", "lengths")))

    def test_arrayrecord(self):
        folder = self.write("arrayrecord")
        from array_record.python import array_record_module
        records = array_record_module.ArrayRecordReader(folder + "/0.arrayrecord").read_all()
        for i, record in enumerate(records):
            tokens = np.frombuffer(record, np.int32, 200, 8)
            self.same(i, tokens, np.frombuffer(record, np.float32, 64000, 808).reshape(800, 80), struct.unpack("<2i", record[:8]))

    def test_mds(self):
        folder = self.write("mds")
        formats.MDS.finish(folder)
        from streaming import StreamingDataset
        dataset = StreamingDataset(local=folder, shuffle=False, batch_size=1)
        for i in range(2):
            self.same(i, dataset[i]["tokens"], dataset[i]["mel"], dataset[i]["lengths"])


class Loops(unittest.TestCase):
    """Every loader brings the samples that were written, each once an epoch."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.arrays, cls.n, random = os.path.join(cls.temporary.name, "npy"), 40, np.random.default_rng(1)
        os.mkdir(cls.arrays)
        columns = {"tokens": np.zeros((cls.n, 200), np.int32), "mel": np.zeros((cls.n, 800, 80), np.float32),
                   "text_len": random.integers(1, 201, cls.n).astype(np.int32), "mel_len": random.integers(1, 801, cls.n).astype(np.int32)}
        for i in range(cls.n):
            columns["tokens"][i, :columns["text_len"][i]] = 1 + i
            columns["mel"][i, :columns["mel_len"][i]] = random.standard_normal((columns["mel_len"][i], 80))
        for name, c in columns.items():
            np.save(os.path.join(cls.arrays, name + ".npy"), c)
        cls.want = {"samples": cls.n, "sum": loops.checksum(columns.values())}

    def ask(self, kind, *lines):
        _, _, framework, _ = loops.KINDS[kind]
        module = "streaming" if kind == "streaming" else framework
        if importlib.util.find_spec(module) is None:
            self.skipTest(f"no {module}")
        row = next(row for row in trainerpart.ROWS if row.kind == kind)
        data = os.path.join(self.temporary.name, row.data)
        if not os.path.exists(data):
            subprocess.run([sys.executable, samples.__file__, row.data, self.arrays, data], check=True, stderr=subprocess.DEVNULL)
        env = dict(os.environ, PYTHONWARNINGS="ignore", TF_CPP_MIN_LOG_LEVEL="3")
        done = subprocess.run([sys.executable, loops.__file__, kind, data, "2"], input="\n".join(lines) + "\n", check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, env=env)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_every_loader_brings_the_same(self):
        for kind in ("torch-files", "torch-mapped", "torch-batches", "streaming", "tfrecord"):
            with self.subTest(kind):
                versions, check, again = self.ask(kind, "versions", "check", "check")
                self.assertEqual((check, again), (self.want, self.want))
                self.assertIn("numpy", versions)

    def test_a_lap_counts_what_it_timed(self):
        lap, summed = self.ask("torch-batches", "lap 0.01", "sum 0.01")
        for found in (lap, summed):
            self.assertEqual(found["batches"] % (self.n // 2 - loops.HEAD_START), 0)
            self.assertEqual(found["samples"], 2 * found["batches"])
            self.assertTrue(found["seconds"] >= 0.01 and found["cpu_seconds"] > found["all_cpu"] > found["own_cpu"] > 0)

    def test_a_checksum_sees_every_byte_and_no_order(self):
        columns = [np.arange(6).reshape(3, 2), np.arange(3)]
        total = loops.checksum(columns)
        self.assertEqual(loops.checksum([c[::-1] for c in columns]), total)
        self.assertNotEqual(loops.checksum([columns[0], columns[1][::-1]]), total)


class Figures(unittest.TestCase):
    def test_start_up_is_apart_from_the_rate(self):
        run = compilepart.Run(clips=100, steady=2.0, start=3.0, cpu=4.0, anonymous=0, bytes=0)
        self.assertEqual((run.rate(), run.whole(1000)), (50, 23))

    def test_ratios_are_taken_within_a_round(self):
        part = compilepart.CompilePart.__new__(compilepart.CompilePart)
        slow, quick = compilepart.ROWS[1], compilepart.OURS
        part.runs = {quick: [compilepart.Run(10, s, 0, 0, 0, 0) for s in (1, 10, 2)], slow: [compilepart.Run(10, s, 0, 0, 0, 0) for s in (4, 40, 4)]}
        self.assertEqual(part.steady_over(slow), 4)  # of medians it would be 2
        part.small_runs = {quick: [compilepart.Run(10, s, 1, 0, 0, 0) for s in (1, 9, 1)], slow: [compilepart.Run(10, s, 2, 0, 0, 0) for s in (8, 38, 4)]}
        self.assertEqual(part.small_over(slow), 4)  # whole processes: 5, 4, 3

    def test_a_process_that_fails_is_named(self):
        with self.assertRaisesRegex(peer.PeerError, "it: ended with 3: oh"):
            peer.Finished("it", ["sh", "-c", "echo oh >&2; exit 3"], 1)
        done = peer.Finished("it", ["sh", "-c", "echo '{\"a\": 1}'"], 1)
        self.assertTrue(done.json == {"a": 1} and done.wall > 0)

    def test_tables(self):
        self.assertEqual(page.table(("a", "b"), [[1, 2]]), ["| a | b |", "|---|---|", "| 1 | 2 |", ""])
        self.assertEqual(page.spread([3.0, 1.0, 2.0]), ["2.00", "1.00", "3.00"])

    def test_a_run_of_one_part_leaves_the_other_sections(self):
        old = "# page\n\nhead\n\n## Mel\n\nold mel\n\n## Calibration\n\nfast\n\n## Resampling\n\nsoxr\n"
        with_text = page.merge(old, "## Text\n\nfirst\n")
        self.assertEqual(with_text, old.replace("## Calibration", "## Text\n\nfirst\n\n## Calibration"))
        self.assertEqual(page.merge(with_text, "## Text\n\nsecond\n"), with_text.replace("first", "second"))
        self.assertEqual(page.merge(old, "## Mel\n\nnew\n"), old.replace("old mel", "new"))

    def test_lines_are_read_by_turns(self):
        part = textpart.TextPart.__new__(textpart.TextPart)
        lap = lambda lines: {"lines": lines, "seconds": 2.0, "cpu_seconds": 1.0}
        part.laps = {textpart.ENGLISH: [lap(100), lap(10)], textpart.ROWS[1]: [lap(10), lap(5)]}
        self.assertEqual(part.over(textpart.ROWS[1]), [10, 2])

    def test_loops_are_compared_within_a_round(self):
        part = trainerpart.TrainerPart.__new__(trainerpart.TrainerPart)
        lap = lambda samples: {"samples": samples, "seconds": 2.0, "batches": 10, "own_cpu": 1e-3, "all_cpu": 1.0}
        peer = next(row for row in trainerpart.ROWS if row.kind == "torch-files")
        part.laps = {trainerpart.FEED: [lap(100), lap(50)], trainerpart.TORCH: [lap(80), lap(45)], trainerpart.NUMPY: [lap(1), lap(1)], peer: [lap(8), lap(5)]}
        part.starts = {trainerpart.NUMPY: [{"seconds": s, "imported": s} for s in (0.2, 0.9, 0.1)]}
        self.assertEqual((part.over(peer), part.of_feed(trainerpart.TORCH)), ([10, 9], [0.8, 0.9]))
        goals = [line.split(" | ")[-3:] for line in part.goals()[2:-1]]
        self.assertEqual(goals, [["0.85", "≥ 0.8", "met |"], ["9.5", "≥ 10", "**missed** |"], ["100", "< 50", "**missed** |"], ["200", "< 300", "met |"]])

    def test_first_rows_are_a_corpus_without_links_out_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            corpus, first = os.path.join(folder, "all"), os.path.join(folder, "first")
            os.makedirs(os.path.join(corpus, "wavs"))
            for name in "abc":
                with open(os.path.join(corpus, "wavs", name + ".wav"), "w") as f:
                    f.write(name)
            with open(os.path.join(corpus, "metadata.csv"), "w") as f:
                f.write("a|A\nb|B\nc|C\n")
            results.Session.first_rows(corpus, 2, first)
            self.assertEqual([ref.rows(first), sorted(os.listdir(os.path.join(first, "wavs")))], [[("a", "A"), ("b", "B")], ["a.wav", "b.wav"]])
            self.assertFalse(any(os.path.islink(os.path.join(first, *name)) for name in (("wavs",), ("wavs", "a.wav"))))

    def test_clips_are_sample_over_32768(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "wavs"))
            with wave.open(os.path.join(folder, "wavs", "a.wav"), "wb") as w:
                w.setparams((1, 2, 22050, 0, "NONE", ""))
                w.writeframes(struct.pack("<3h", -32768, 0, 16384))
            self.assertEqual(ref.clip(folder, "a").tolist(), [-1, 0, 0.5])


class Decoders(unittest.TestCase):
    @unittest.skipUnless(all(map(importlib.util.find_spec, ("soundfile", "soxr"))) and all(map(shutil.which, ("flac", "lame", "oggenc", "opusenc", "ffmpeg"))), "no soundfile, soxr or encoder")
    def test_the_same_clips_in_every_format(self):
        import soundfile
        with tempfile.TemporaryDirectory() as work:
            decoders.make_corpora(os.path.join(decoders.MODULE, "testdata", "corpus", "en"), 40, work, [row[0] for row in decoders.FORMATS])
            for name, _, extension, rate, _ in decoders.FORMATS:
                clips = sorted(glob.glob(os.path.join(work, name, "wavs", "*." + extension)))
                contents = {pathlib.Path(clip).read_bytes() for clip in clips}
                self.assertEqual((len(clips), len(contents), len(ref.rows(os.path.join(work, name)))), (40, 40, 40), name)
                for clip in clips:
                    plain = soundfile.info(os.path.join(work, "wav", "wavs", os.path.basename(clip)[:-len(extension)] + "wav"))
                    if extension == "m4a":
                        continue  # which soundfile does not read
                    info = soundfile.info(clip)
                    self.assertEqual(info.samplerate, rate)
                    self.assertLess(abs(info.duration - plain.duration), 0.1, clip)  # MP3 fills frames up

    def test_parts_that_were_measured_before_stay_in_the_section(self):
        with tempfile.TemporaryDirectory() as work:
            run = {"clips": 40, "rounds": 1, "date": "2026-01-02", "commit": "abc", "load": [0, 1], "cpu_of_others": 0.25}
            side = [{"wall": 2.0, "steady": 1.0, "cpu": 3.0, "anonymous": 1e6}]
            kept = {"flac": {"found": {"ours": side, "theirs": side}, "run": run}}
            pathlib.Path(work, "results.json").write_text(json.dumps(kept))
            os.makedirs(os.path.join(work, "mp3", "wavs"))
            pathlib.Path(work, "mp3", "metadata.csv").write_text("a|b|c\n" * 39)
            args = argparse.Namespace(only=["mp3"], dir="", clips=40, rounds=1)
            with self.assertRaisesRegex(SystemExit, "39 clips; want 40"):
                decoders.measure(args, work)
        text = decoders.section(kept)
        self.assertIn("| FLAC | 40 | 40 | 75.00 | 75.00 | 1 | 1.00 | 1.00 | 1.00 | 2.5 | **missed** |", text)
        self.assertIn("| FLAC | 2026-01-02 | abc | 40 | 1 | 0.0 to 1.0 | 25 |", text)

    def test_a_ratio_is_taken_within_a_round(self):
        ours, theirs = [{"wall": s} for s in (1, 10, 2)], [{"wall": s} for s in (3, 30, 4)]
        self.assertEqual(decoders.ratio(ours, theirs, lambda run: run["wall"]), 3)


if __name__ == "__main__":
    unittest.main()
