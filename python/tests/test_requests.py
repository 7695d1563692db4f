"""A consumer gets what it asked for: never what a stranger told the feeder, never a part of an epoch for a whole one."""

import json
import os
import signal
import subprocess
import unittest

from support import PROGRAM, Place, feeder_of, until
from voxpack import Dataset, FeederError, UnknownRow

place = Place()
running = []


def setUpModule():
    place.begin()


def tearDownModule():
    for p in running:  # of tests that failed
        if p.poll() is None:
            p.kill()
            p.communicate()
    place.end()


def serve(*flags, socket=None, store=None):
    """A feeder that a person started; it is ended by end()."""
    where = [] if socket is None else ["--socket", socket]
    p = subprocess.Popen([PROGRAM, "serve", store or place.store, *where, *flags], stdout=subprocess.PIPE, text=True)
    running.append(p)
    p.stdout.readline()  # it listens
    return p


def end(p):
    p.send_signal(signal.SIGTERM)
    out, _ = p.communicate(timeout=30)
    return p.returncode


def shapes(ds):
    return {b.mel.shape for b in ds}


class Strangers(unittest.TestCase):
    def test_flags_of_another_are_refused_or_said(self):
        store = place.build("en", "data:\n  mel_dtype: f16\n", "another")  # which nobody else here feeds from
        p = serve("--segment", "32", "--seed", "77", store=store)
        try:
            with Dataset(store, batch_size=4) as ds:
                with self.assertRaisesRegex(FeederError, "started with --seed 77 --segment 32, .* and this consumer leaves those settings open.*seed, segment") as caught:
                    next(iter(ds))
                self.assertEqual(caught.exception.kind, "request")
            with Dataset(store, batch_size=4, seed=0, segment=0, epochs=1) as ds:
                self.assertEqual(feeder_of(ds), p.pid)
                self.assertEqual((shapes(ds), ds.state_dict()["cursor"]["seed"]), ({(4, 800, 80)}, 0))
            with Dataset(store, batch_size=4, seed=1, segment=16, epochs=1) as ds:
                self.assertEqual((shapes(ds), ds.state_dict()["cursor"]["seed"]), ({(4, 16, 80)}, 1))
            with Dataset(socket=ds._feeder.socket, batch_size=4, epochs=1) as ds:  # that very one
                self.assertEqual((shapes(ds), ds.state_dict()["cursor"]["seed"]), ({(4, 32, 80)}, 77))
        finally:
            self.assertEqual(end(p), 0)

    def test_a_feeder_that_has_gone_leaves_the_request(self):
        """A vocoder's feeder that lingered out: the one that comes in its place crops too."""
        socket = os.path.join(place.folder, "mine.sock")
        p = serve("--segment", "32", socket=socket)
        wanted = dict(batch_size=4, segment=32, epochs=1, seed=3)
        with Dataset(place.store, socket=socket, **wanted) as ds:
            want = [(b.ids, b.mel.copy().tobytes()) for b in ds]
        end(p)
        with Dataset(place.store, socket=socket, **wanted) as ds:
            self.assertNotEqual(feeder_of(ds), p.pid)
            self.assertEqual([(b.ids, b.mel.tobytes()) for b in ds], want)

    def test_an_edited_config_is_not_passed_over(self):
        store = place.build("en", "data:\n  mel_dtype: bf16\n  batch_size: 2\n", "edited")
        with Dataset(store, epochs=1) as ds:
            self.assertEqual(len(next(iter(ds)).ids), 2)
            with open(os.path.join(store, "voxpack.yaml"), "w", encoding="utf-8") as f:
                f.write("data:\n  mel_dtype: bf16\n  batch_size: 4\n")
            with Dataset(store) as late:
                with self.assertRaisesRegex(FeederError, "started with --batch-size 2, .*set them .batch."):
                    len(late)
            with Dataset(store, batch_size=4) as late:
                self.assertEqual(len(next(iter(late)).ids), 4)

    def test_rows_and_shapes_by_name(self):
        with Dataset(place.store, batch_size=2, buckets=(180, 240), epochs=1, tail="pad") as ds:
            self.assertGreater(len(shapes(ds)), 1)
        with Dataset(place.store, batch_size=2, languages="en", epochs=1) as ds:
            with self.assertRaisesRegex(FeederError, "no column language"):
                len(ds)
        for wanted, word in ((dict(languages=["xx"]), "languages: the dataset has no 'xx'; it has "), (dict(speakers="sara"), "speakers: the dataset has no 'sara'"),
                             (dict(segment=1.5), "segment=1.5: want a whole number")):
            with self.assertRaisesRegex(FeederError, word):
                Dataset(place.store, **wanted)
        for wanted, word in ((dict(buckets=[300, 8000]), "a bucket of 8000 frames: the dataset's mels have 800"), (dict(segment=801), "a segment of 801 frames"),
                             (dict(reference="any"), 'reference "any": want same-speaker')):
            with Dataset(place.store, batch_size=2, **wanted) as ds:
                with self.assertRaisesRegex(FeederError, word):
                    len(ds)


    def test_weights_by_name(self):
        """Each consumer of a feeder has its own, whatever that was told."""
        store = place.build("fa", name="weighted")
        with Dataset(store, batch_size=1, epochs=1) as ds:
            sara = {b.ids[0]: b.speaker[0] == ds.info.speakers.index("sara") for b in ds}
        self.assertEqual(set(sara.values()), {True, False})
        mine = dict(socket=os.path.join(place.folder, "weighted.sock"), batch_size=1, epochs=1)
        p = serve("--weight", "speaker:omid=4", socket=mine["socket"], store=store)
        try:
            for weights, times in ((dict(), (1, 1)), ({"speaker:sara": 3}, (3, 1)), ({"language:fa": 2, "speaker:sara": 0}, (0, 2))):
                with Dataset(store, seed=1, weights=weights, **mine) as ds:
                    self.assertEqual(feeder_of(ds), p.pid)
                    loop = iter(ds)
                    got = [next(loop).ids[0], next(loop).ids[0]]
                    state = json.loads(json.dumps(ds.state_dict()))
                with Dataset(store, **mine) as ds:  # the weights are the state's
                    ds.load_state_dict(state)
                    got += [b.ids[0] for b in ds]
                self.assertEqual(sorted(got), sorted(i for i in sara for _ in range(times[0] if sara[i] else times[1])))
            for wanted, word in ((dict(), "its weights is .*, here it is none"), ({"speaker:sara": 2}, "its weights is ")):
                with Dataset(store, weights=wanted, **mine) as ds, self.assertRaisesRegex(FeederError, word):
                    ds.load_state_dict(state)
                    next(iter(ds))
            for wanted, word in (({"speaker:nobody": 2}, "weights: the dataset has no 'nobody'; it has "), ({"sara": 2}, "weights: 'sara': want language:NAME"),
                                 ({"corpus:lj": 2}, "weight of corpus lj: no row's id begins with lj/"), ({"speaker:sara": -1}, "want 0 to 1000")):
                with self.assertRaisesRegex(FeederError, word), Dataset(store, weights=wanted, **mine) as ds:
                    len(ds)
        finally:
            end(p)

    def test_a_share_for_training(self):
        with Dataset(place.store, batch_size=1, epochs=1, split="train", val=0.3) as ds, Dataset(place.store, batch_size=1, epochs=1, split="train", val=0.3, train=0.4) as some:
            self.assertTrue({b.ids[0] for b in some} < {b.ids[0] for b in ds})


class States(unittest.TestCase):
    def test_a_state_brings_its_shape(self):
        with Dataset(place.store, batch_size=2, seed=1, segment=32, buckets=[180], epochs=1) as ds:
            loop, want = iter(ds), []
            want.append(next(loop).ids)
            state = json.loads(json.dumps(ds.state_dict()))
            want += [(b.ids, b.mel.copy().tobytes()) for b in loop]
        with Dataset(place.store, batch_size=2, epochs=1) as ds:
            ds.load_state_dict(state)
            self.assertEqual(ds.state_dict(), state)
            self.assertEqual([(b.ids, b.mel.tobytes()) for b in ds], want[1:])

    def test_a_state_of_something_else_is_refused_by_name(self):
        with Dataset(place.store, batch_size=2, segment=32, split="train", val=0.3, shuffle="none") as ds:
            next(iter(ds))
            state = ds.state_dict()
        for wanted, word in ((dict(segment=16), "its segment is 32, here it is 16"), (dict(segment=0), "its segment is 32, here it is 0"),
                             (dict(reference="same-speaker"), "its reference is '', here it is 'same-speaker'"), (dict(buckets=[400]), r"its buckets is none, here it is \[400\]"),
                             (dict(split="all"), "its split is train, here it is all"), (dict(val=0.2), "its val is 0.3, here it is 0.2"), (dict(shuffle="global"), "its shuffle is none")):
            with Dataset(place.store, batch_size=2, **wanted) as ds:
                with self.assertRaisesRegex(FeederError, word) as caught:
                    ds.load_state_dict(state)
                    next(iter(ds))
                self.assertEqual(caught.exception.kind, "cursor")


class Names(unittest.TestCase):
    def test_what_a_dataset_says_of_itself(self):
        with Dataset(place.store, batch_size=2, segment=32, rank=1, world=2) as ds:
            self.assertEqual(repr(ds), "Dataset(%r, rows=10, batch=2, epochs=0, rank=1, segment=32, world=2)" % place.store)
            self.assertEqual(repr(ds.numpy()), "Epochs(%r, NumpyForm)" % ds)
            with self.assertRaises(UnknownRow):
                ds.row("nobody")


class Programs(unittest.TestCase):
    def test_a_program_that_cannot_run(self):
        nowhere = os.path.join(place.folder, "nowhere")
        no_program = os.path.join(place.folder, "text")
        with open(no_program, "w", encoding="utf-8") as f:
            f.write("no program\n")
        store = place.build("en", "data:\n  n_mels: 40\n", "unfed")
        for path, word in ((nowhere, "nowhere.*No such file.*VOXPACK"), (no_program, "text.*Permission denied.*VOXPACK"), (place.folder, "Permission denied")):
            with self.assertRaisesRegex(FeederError, word) as caught:
                Dataset(store, batch_size=2, program=path)
            self.assertEqual(caught.exception.kind, "address")

    def test_a_folder_too_deep_for_a_socket(self):
        deep = os.path.join(place.folder, "d" * 100)
        os.mkdir(deep)
        with self.assertRaisesRegex(FeederError, "bytes, the system takes 107; .*socket=") as caught:
            Dataset(place.store, batch_size=2, socket=os.path.join(deep, "s"))
        self.assertEqual(caught.exception.kind, "address")


class Ends(unittest.TestCase):
    def test_sigterm_is_a_clean_end(self):
        p = serve(socket=os.path.join(place.folder, "end.sock"))
        with Dataset(socket=os.path.join(place.folder, "end.sock"), batch_size=2) as ds:
            next(iter(ds))
            self.assertEqual(end(p), 0)
            self.assertTrue(until(10, lambda: p.poll() is not None))


if __name__ == "__main__":
    unittest.main()
