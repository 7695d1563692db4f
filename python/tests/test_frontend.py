"""The front-end of a dataset, its rows, its batches by number and its page, against the real feeder.

VOXPACK names the program (default: bin/voxpack of the checkout).
"""

import gc
import json
import os
import random
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

import numpy as np

import support
from support import CORPORA, PROGRAM

from voxpack import Dataset, FeederError  # after support, which puts the package into the path
from voxpack import frontend, sample

PLACE = support.Place()
VOCABULARIES = os.path.join(support.PACKAGE, "..", "textnorm", "hftok", "testdata")
LONG = "data:\n  max_text_length: 2000\n"

# Settings, and what the tokens of a text without unknown characters give back.
SETTINGS = {
    "defaults": ("", "spoken"),
    "bytes": ("  tokenizer: %s/gpt2.json\n" % VOCABULARIES, "spoken"),
    "xtts": ('  tokenizer: %s/xtts.json\n  space_symbol: "[SPACE]"\n  language: en\n  language_tag: true\n  unknown: drop\n' % VOCABULARIES, None),
    "tacotron": ("  tokenizer: tacotron\n  language: en\n", None),
    "blanks": ("  add_blank: true\n  add_bos: true\n  add_eos: true\n  case: lower\n", "spoken"),
    "phonemes": ("  tokenizer: phoneme\n", "phonemes"),
}


def setUpModule():
    PLACE.begin("en")


def tearDownModule():
    PLACE.end()


def show(store, name):
    return json.loads(subprocess.run([PROGRAM, "show", store, name, "--json"], check=True, stdout=subprocess.PIPE).stdout)


def ids_of(store):
    return subprocess.run([PROGRAM, "show", store, "--ids"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def built(corpus, name, config=None):
    """A bundled corpus in a folder of its own, under a configuration if one is given, without a word on what is
    wrong with it; None where none of its rows is kept.
    """
    to = os.path.join(PLACE.folder, name)
    shutil.copytree(os.path.join(CORPORA, corpus), to)
    if config is not None:
        with open(os.path.join(to, "voxpack.yaml"), "w", encoding="utf-8") as f:
            f.write(config)
    subprocess.run([PROGRAM, "build", to, "-q", "--max-loss", "100%"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return to if ids_of(to) else None


class EqualToTheStore(unittest.TestCase):
    def check(self, store, back="spoken"):
        n = 0
        with Dataset(store, batch_size=1, epochs=1, shuffle="none") as ds:
            stored = {}
            for batch in ds:
                stored[batch.ids[0]] = batch.tokens[0, : batch.text_len[0]].copy()
            self.assertEqual(sorted(stored), sorted(ids_of(store)))
            rows = {name: ds.row(name) for name in stored}
            for language in {r.language for r in rows.values()}:
                group = [r for r in rows.values() if r.language == language]
                for r, e in zip(group, ds.encode([r.source for r in group], language=language)):
                    n += 1
                    self.assertEqual(e.ids.dtype, np.int32)
                    self.assertEqual(e.ids.tolist(), stored[r.id].tolist(), r.id)
                    self.assertEqual(e.ids.tolist(), r.tokens.tolist(), r.id)
                    self.assertEqual((e.spoken, e.language), (r.spoken, r.language), r.id)
                    unknown = any(note.stage == "tokens" for note in e.notes)
                    if back and not unknown:
                        self.assertEqual(ds.decode(e.ids), getattr(e, back), r.id)
                    self.assertTrue(ds.decode(e.ids), r.id)
        self.assertEqual(n, len(stored))
        return n

    def test_all_rows_of_the_bundled_corpora(self):
        self.assertEqual(self.check(PLACE.store), 10)
        for corpus in ("fa", "mixed", "mixed/readers", "mixed/english", "broken"):
            to = built(corpus, corpus.replace("/", "-"))
            self.assertGreater(self.check(to), 2, corpus)
        formats = sorted(os.listdir(os.path.join(CORPORA, "formats")))
        for corpus in formats:
            if os.path.isdir(os.path.join(CORPORA, "formats", corpus)):
                self.assertGreater(self.check(built("formats/" + corpus, "format-" + corpus)), 0, corpus)

    def test_settings(self):
        for name, (config, back) in SETTINGS.items():
            if name == "phonemes" and shutil.which("espeak-ng") is None:
                continue
            for corpus in ("en", "fa", "mixed/readers"):
                with self.subTest(setting=name, corpus=corpus):
                    to = built(corpus, "%s-%s" % (name, corpus.replace("/", "-")), LONG + config)
                    if to is not None:
                        self.check(to, back)


class Encode(unittest.TestCase):
    def test_one_and_several(self):
        with Dataset(PLACE.store, batch_size=2) as ds:
            one = ds.encode("In 1905 he came.", language="en")
            self.assertEqual((one.spoken, one.language, one.notes), ("In nineteen oh five he came.", "en", []))
            several = ds.encode(iter(["In 1905 he came.", "متن"]), language="auto")
            self.assertEqual([e.language for e in several], ["en", "fa"])
            self.assertEqual(several[0].ids.tolist(), one.ids.tolist())
            self.assertEqual(ds.encode([]), [])
            bell = ds.encode("a\u0007b☃", language="en")
            self.assertEqual([(n.stage, n.kind, n.at, n.detail) for n in bell.notes], [("text", "control-character", 1, "U+0007"), ("tokens", "unknown-character", 2, "U+2603")])

    def test_many_texts_go_in_portions(self):
        rng = random.Random(5)
        texts = ["%d %s" % (i, "word " * rng.randrange(40)) for i in range(5000)]
        with Dataset(PLACE.store, batch_size=2) as ds:
            asked = []
            real = ds._ask
            ds._ask = lambda m: asked.append(m) or real(m)
            got = ds.encode(texts, language="en")
            del ds._ask
            self.assertGreater(len(asked), 4)
            self.assertEqual(len(got), len(texts))
            for i in rng.sample(range(len(texts)), 50):
                self.assertEqual(got[i].spoken, ds.encode(texts[i], language="en").spoken)
            self.assertEqual(ds.decode([e.ids for e in got]), [e.spoken for e in got])

    def test_errors_leave_the_batches(self):
        with Dataset(PLACE.store, batch_size=2, epochs=1) as ds:
            loop = iter(ds)
            seen = [next(loop).ids]
            for texts, language, words in (("a", "xx", "table of languages"), ("", "en", "empty text"), (["a", " "], "en", "text 1"),
                                           ("☃", "en", "no known character"), ("\ud800", "en", "no Unicode text"), ("x" * (2 << 20), "en", "ask in portions")):
                with self.assertRaises(FeederError) as caught:
                    ds.encode(texts, language=language)
                self.assertEqual(caught.exception.kind, "request")
                self.assertIn(words, str(caught.exception))
            with self.assertRaises(TypeError):
                ds.encode([3])
            seen += [batch.ids for batch in loop]
            self.assertEqual(len(seen), 5)
            self.assertEqual(len({name for names in seen for name in names}), 10)

    def test_without_espeak_it_says_so(self):
        if shutil.which("espeak-ng") is None:
            self.skipTest("no espeak-ng here")
        to = built("en", "no-espeak", LONG + "  tokenizer: phoneme\n")
        path = os.environ["PATH"]
        os.environ["PATH"] = os.path.join(PLACE.folder, "nothing")
        try:
            with Dataset(to, batch_size=2) as ds:
                with self.assertRaises(FeederError) as caught:
                    ds.encode("hello")
                self.assertIn("espeak-ng", str(caught.exception))
                self.assertEqual(len(next(iter(ds)).ids), 2)
        finally:
            os.environ["PATH"] = path

    def test_a_long_question_stops_no_batches(self):
        """The feeder fills and takes back slots while it encodes for the same consumer."""
        with Dataset(PLACE.store, batch_size=2, ahead=2) as ds:
            stream = ds._start()
            texts = ["In 1905, 3 ships came with 1,234 men. " * 5] * 4000
            done = []
            asking = threading.Thread(target=lambda: done.append(stream.ask({"type": "encode", "texts": texts})))
            asking.start()
            behind, n = 0, 0
            while asking.is_alive() or n < 40:
                for batch in ds:
                    n += 1
                    behind += asking.is_alive()
                    del batch
            asking.join()
            self.assertEqual(len(done[0][0]["lines"]), len(texts))
            self.assertGreater(behind, 6)  # more than the slots, so that some came back and were filled again


class Decode(unittest.TestCase):
    def test_what_round_trips(self):
        """Texts of characters that the vocabulary has come back as they are spoken."""
        rng = random.Random(11)
        with Dataset(PLACE.store, batch_size=2) as ds:
            known = [s for s in ds.info.symbols if len(s) == 1]
            texts = ["".join(rng.choice(known) for _ in range(rng.randrange(1, 60))) + "a" for _ in range(500)]
            for language in ("en", "fa"):
                for text, e in zip(texts, ds.encode(texts, language=language)):
                    unknown = [n for n in e.notes if n.stage == "tokens"]
                    if not unknown:
                        self.assertEqual(ds.decode(e.ids), e.spoken, text)

    def test_shapes(self):
        with Dataset(PLACE.store, batch_size=5, epochs=1) as ds:
            batch = next(iter(ds))
            want = [ds.row(name).spoken for name in batch.ids]
            self.assertEqual(ds.decode(batch.tokens), want)
            self.assertEqual(ds.decode(batch["tokens"][0]), want[0])
            self.assertEqual(frontend.decode(ds, batch.tokens, batch.text_len), want)
            self.assertEqual(frontend.decode(ds, batch.tokens, batch.text_len - 1), [w[:-1] for w in want])
            self.assertEqual(ds.decode(batch.tokens[0].tolist()), want[0])
            self.assertEqual(ds.decode([row.tolist() for row in batch.tokens]), want)
            self.assertEqual(ds.decode(np.zeros((0, 4), np.int64)), [])
            self.assertEqual(ds.decode(np.zeros(3, np.uint8)), "")
            self.assertEqual(ds.decode([]), [])
            self.assertEqual(ds.decode(np.zeros(0, np.int32)), "")
            self.assertEqual(ds.decode([[], []]), ["", ""])
            self.assertEqual(ds.decode([1 << 20, -1]), "\ufffd\ufffd")
            for wrong in (batch.mel, batch.mel[0, 0], [1 << 40], [0.5]):
                with self.assertRaises(FeederError):
                    ds.decode(wrong)
            for lengths in ([1], [-1] * 5, [201] * 5):
                with self.assertRaises(FeederError):
                    frontend.decode(ds, batch.tokens, lengths)

    def test_padding_of_a_vocabulary_without_a_pad(self):
        to = built("en", "bytes-padded", "data:\n  tokenizer: %s/gpt2.json\n  max_text_length: 300\n" % VOCABULARIES)
        with Dataset(to, batch_size=5) as ds:
            batch = next(iter(ds))
            want = [ds.row(name).spoken for name in batch.ids]
            self.assertEqual(frontend.decode(ds, batch.tokens, batch.text_len), want)
            self.assertEqual(ds.decode(batch.tokens), want)


class Rows(unittest.TestCase):
    def test_equal_to_show(self):
        for store in (PLACE.store, built("mixed", "mixed-rows")):
            with Dataset(store, batch_size=2) as ds:
                for name in ids_of(store):
                    told, r = show(store, name), ds.row(name)
                    self.assertEqual((r.id, r.text, r.given, r.spoken, r.language), (name, told["text"], told["given"], told["spoken"], told["language"]))
                    self.assertEqual(r.place, told["place"])
                    self.assertEqual(r.speaker, told["speaker"] if "speaker" in ds.info.columns else None)
                    self.assertEqual(r.tokens.tolist(), told["tokens"])
                    self.assertEqual({c: r.column(c) for c in told["columns"]}, told["columns"])
                    path = os.path.join(PLACE.folder, "one.npy")
                    for padded in (False, True):
                        subprocess.run([PROGRAM, "show", store, name, "--column", "mel", "--npy", path] + ["--padded"] * padded, check=True, stdout=subprocess.DEVNULL)
                        got = sample.row(ds, name, padded=padded).mel
                        self.assertEqual((got.dtype, got.tobytes()), (np.load(path).dtype, np.load(path).tobytes()))
                    self.assertEqual(r.mel.shape, (r.mel_len, ds.info.columns["mel"][1][1]))
                    self.assertEqual(len(r.tokens), r.text_len)

    def test_an_unknown_id(self):
        to = built("broken", "broken-rows")
        with Dataset(to, batch_size=2) as ds:
            name = ids_of(to)[0]
            for wrong, words in ((name + "x", "near it: " + name), (name + ".wav", "it is called"), ("few", "rejected"), ("", "no row")):
                with self.assertRaises(KeyError) as caught:
                    ds.row(wrong)
                self.assertIsInstance(caught.exception, FeederError)
                self.assertEqual(caught.exception.kind, "request")
                self.assertIn(words, str(caught.exception))
            with self.assertRaises(TypeError):
                ds.row(3)
            with self.assertRaises(AttributeError):
                ds.row(name).pcm

    def test_arrays_outlive_the_dataset(self):
        with Dataset(PLACE.store, batch_size=2) as ds:
            r = ds.row(ids_of(PLACE.store)[0])
            mel, want = r.mel, r.mel.copy()
            mel[0] = 7  # its own memory
            self.assertEqual(ds.row(r.id).mel.tobytes(), want.tobytes())
            mel[:] = want
        del ds
        gc.collect()
        with self.assertRaises(FeederError):
            r.place
        del r
        gc.collect()
        self.assertEqual(mel.tobytes(), want.tobytes())
        self.assertEqual(mel.__array_interface__["data"][0] % 256, 0)


class ByNumber(unittest.TestCase):
    def test_equal_to_the_loop(self):
        for tail in ("drop", "pad", "wrap"):
            for rank in (0, 1):
                with Dataset(PLACE.store, batch_size=4, rank=rank, world=2, tail=tail, seed=3, epochs=3) as ds, \
                        Dataset(PLACE.store, batch_size=4, rank=rank, world=2, tail=tail, seed=3) as other:
                    for epoch in range(3):
                        kept = []
                        for i, batch in enumerate(ds):
                            again = ds[i]
                            self.same(again, batch)
                            kept.append((batch.ids, again))
                        self.assertEqual(len(kept), len(ds))
                        for i, (names, again) in enumerate(kept):
                            self.assertEqual(ds[i - len(ds)].ids, names)
                            self.same(ds[i], again)
                        for beyond in (len(ds), -len(ds) - 1, 1 << 70):
                            with self.assertRaises(IndexError):
                                ds[beyond]
                    self.same(other[1], Dataset(PLACE.store, batch_size=4, rank=rank, world=2, tail=tail, seed=3)[1])

    def same(self, got, want):
        self.assertEqual((got.epoch, got.bucket, got.lost, got.ids, got.rows.tolist()), (want.epoch, want.bucket, want.lost, want.ids, want.rows.tolist()))
        self.assertEqual(set(got), set(want))
        for name in want:
            self.assertEqual((got[name].shape, got[name].dtype, got[name].tobytes()), (want[name].shape, want[name].dtype, want[name].tobytes()), name)

    def test_it_moves_nothing(self):
        with Dataset(PLACE.store, batch_size=2, seed=1) as plain, Dataset(PLACE.store, batch_size=2, seed=1) as asked:
            want = [[batch.ids for batch in plain] for _ in range(2)]
            got = []
            for _ in range(2):
                names = []
                for batch in asked:
                    names.append(batch.ids)
                    asked[(3 * len(names)) % len(asked)], asked.row(batch.ids[0])
                got.append(names)
            self.assertEqual(got, want)
            self.assertEqual(plain.state_dict(), asked.state_dict())

    def test_many_are_kept_and_leave_nothing(self):
        with Dataset(PLACE.store, batch_size=2, ahead=1) as ds:
            kept = [ds[i % len(ds)].mel for i in range(200)]  # far more than slots
            next(iter(ds))
            self.assertEqual(kept[0].tobytes(), kept[len(ds)].tobytes())
            with self.assertRaises(TypeError):
                ds[0.5]
            before = len(os.listdir("/proc/self/fd"))
            for i in range(50):
                ds[i % len(ds)], ds.row(ds[0].ids[0])
            self.assertLessEqual(len(os.listdir("/proc/self/fd")), before)
            self.assertEqual(self.mapped(), 200)
            del kept
            gc.collect()
            self.assertEqual(self.mapped(), 0)

    def mapped(self):
        with open("/proc/self/maps", encoding="utf-8") as f:
            return sum("voxpack-batch" in line for line in f)


class Describe(unittest.TestCase):
    def test_a_page(self):
        to = built("mixed", "mixed-page")
        with Dataset(to, batch_size=2, val=0.3) as ds:
            page = ds.describe()
            for words in ("9 rows, 0:00:02 of speech, 3 languages, 3 speakers", ds.info.root, "(main)", "9 kept", "splits     all 9, train ",
                          "en (1) 5, de (4) 2, fa (18) 2", "ada (0) 4", "[40, 20]", "[2, 40, 20]", "4 an epoch: 2 rows of 9", "8000 Hz", "20 mels", "tokenizer char, 622 symbols", "verbalise"):
                self.assertIn(words, page)
            self.assertFalse([line for line in page.split("\n") if line != line.rstrip()])
            n = [int(part.split()[1]) for part in page.split("splits")[1].split("\n")[0].split(",")]
            self.assertEqual(n[1] + n[2], n[0])
            self.assertGreater(n[2], 0)

    def test_what_was_rejected_and_noted(self):
        with Dataset(built("broken", "broken-page"), batch_size=2) as ds:
            page = ds.describe()
            for words in ("notes ", "rejected   metadata.csv:", "more: voxpack show"):
                self.assertIn(words, page)

    def test_a_batch_that_cannot_be(self):
        with Dataset(PLACE.store, batch_size=64) as ds:
            self.assertIn("batches    none: ", ds.describe())


class BehindAFailure(unittest.TestCase):
    def spoil(self, store, name):
        """Changes a byte of a row's mel in the store."""
        with Dataset(store, batch_size=1) as ds:
            part = ds.row(name).mel.tobytes()[:256]
        for folder, _, files in os.walk(os.path.join(store, ".voxpack")):
            for file in files:
                path = os.path.join(folder, file)
                with open(path, "rb") as f:
                    at = f.read().find(part)
                if at >= 0:
                    with open(path, "r+b") as f:
                        f.seek(at)
                        f.write(bytes([part[0] ^ 4]))
                    return
        self.fail("the mel of %s is nowhere in the store" % name)

    def test_a_feeder_that_repairs(self):
        """It gives out the bytes that were stored, made anew from the sources, in the same order; rows that are asked for too."""
        store = built("en", "repaired")
        with Dataset(store, batch_size=2, seed=4) as ds:
            want = [(batch.ids, batch.mel.tobytes()) for batch in ds]
        name = want[3][0][0]
        self.spoil(store, name)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s")
            p = subprocess.Popen([PROGRAM, "serve", store, "--socket", path, "--on-corrupt", "repair"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                p.stdout.readline()  # it listens
                with Dataset(socket=path, batch_size=2, seed=4) as ds:
                    self.assertEqual([(batch.ids, batch.mel.tobytes()) for batch in ds], want)
                    self.assertIn(ds.row(name).mel.tobytes()[:256], want[3][1])
            finally:
                p.terminate()
                said = p.communicate()[1]
        self.assertEqual(said.count("its rows are made anew from their sources, and voxpack repair does so in the store"), 1, said)

    def test_questions_are_answered(self):
        """Where batches end with an error, questions before and behind it get their own answers."""
        store = built("en", "spoilt")
        first = ids_of(store)
        with Dataset(store, batch_size=2, seed=4) as ds:
            order = [name for batch in ds for name in batch.ids]
        self.spoil(store, order[6])
        with Dataset(store, batch_size=2, seed=4, ahead=8) as ds:
            ds._start()
            time.sleep(0.3)  # the failure is said before anybody asks
            self.assertEqual(ds.encode("hello").spoken, "hello")
            self.assertEqual(ds.row(order[0]).id, order[0])
            for _ in range(2):
                got = []
                with self.assertRaises(FeederError) as caught:
                    for batch in ds:
                        got += batch.ids
                self.assertEqual(caught.exception.kind, "corrupt")
                self.assertIn(order[6], str(caught.exception))
                self.assertIn(got, (order[:6], []))
                self.assertEqual(ds.row(order[1]).id, order[1])
            with self.assertRaises(FeederError) as caught:
                ds.row(order[6])
            self.assertEqual((caught.exception.kind, caught.exception.of), ("corrupt", "row"))
            with self.assertRaises(FeederError) as caught:
                ds[3]
            self.assertEqual(caught.exception.kind, "corrupt")
            self.assertEqual(len(ds[4].ids), 2)
            self.assertEqual(sorted(order), sorted(first))


class Pace(unittest.TestCase):
    def test_the_front_end_is_made_once(self):
        with Dataset(PLACE.store, batch_size=2) as ds:
            ds.encode("warm", language="en")
            took = []
            for _ in range(20):
                since = time.perf_counter()
                ds.encode("In 1905 he came.", language="en")
                took.append(time.perf_counter() - since)
            self.assertLess(min(took), 0.002)  # 0.1 ms; 5 ms where it is made


if __name__ == "__main__":
    unittest.main()
