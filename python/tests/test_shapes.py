"""Which columns and rows a Dataset has, and what is known of its rows."""

import contextlib
import importlib.util
import json
import os
import subprocess
import unittest
from unittest import mock

import numpy as np

from support import PROGRAM, Place
from voxpack import Dataset, FeederError, UnknownRow, wire

place = Place()


def setUpModule():
    place.begin()


def tearDownModule():
    place.end()


def needs(name):
    return unittest.skipIf(importlib.util.find_spec(name) is None, "%s is not installed" % name)


@contextlib.contextmanager
def older():
    """Feeders as they were before they told what they know."""
    connect = wire.connect

    def plain(*args):
        s, welcome = connect(*args)
        welcome.pop("knows")
        welcome["dataset"]["columns"] = [{k: c[k] for k in ("name", "dtype", "shape")} for c in welcome["dataset"]["columns"]]
        return s, welcome

    with mock.patch.object(wire, "connect", plain):
        yield


def ids_of(ds):
    return [id for b in ds for id in b.ids]


class Columns(unittest.TestCase):
    def test_a_slot_has_no_others(self):
        with Dataset(place.store, batch_size=2, seed=1, epochs=1, columns=("text_len", "tokens")) as ds, Dataset(place.store, batch_size=2, seed=1, epochs=1) as whole:
            for a, b in zip(ds, whole):
                self.assertEqual((list(a), a.ids), (["tokens", "text_len", "valid"], b.ids))
                self.assertEqual(a.tokens.tolist(), b.tokens.tolist())
                with self.assertRaisesRegex(AttributeError, "a batch has no mel; the columns are tokens, text_len"):
                    a.mel
                self.assertEqual(list(ds[0]), list(a))
            self.assertLess(20 * ds._stream.started["slot_bytes"], whole._stream.started["slot_bytes"])
            self.assertIn("tokens", ds.describe())
        with Dataset(place.store, batch_size=2, segment=32, columns="mel_start") as ds:
            self.assertEqual(list(next(iter(ds))), ["mel_start", "valid"])

    def test_names_of_a_model(self):
        """A column by another's name, one by two names, lengths that are not shown, and names that the dataset has nothing for."""
        wanted = dict(batch_size=2, seed=1, epochs=1, trim=True)
        names = {"mel_len": "text_len", "y": "mel", "z": "mel", "x": "tokens", "spks": None}
        for feeders in (contextlib.nullcontext, older):
            with feeders(), Dataset(place.store, columns=names, layout="bct", tokens="int64", **wanted) as ds, Dataset(place.store, **wanted) as whole:
                for a, b in zip(ds, whole):
                    self.assertEqual((list(a), a.ids, a["spks"], a.spks), ([*names, "valid"], b.ids, None, None))
                    self.assertEqual((a.mel_len.tolist(), a.x.tolist(), a.x.dtype.name), (b.text_len.tolist(), b.tokens.tolist(), "int64"))
                    np.testing.assert_array_equal(a.y, b.mel.transpose(0, 2, 1))
                    np.testing.assert_array_equal(a.y, a.z)
                    with self.assertRaisesRegex(AttributeError, "a batch has no mel; the columns are mel_len, y, z, x, spks"):
                        a.mel
                self.assertEqual(list(ds[0]), [*names, "valid"])
                self.assertIn("spks", repr(ds))
                self.assertRegex(ds.describe(), r"y +f32")

    def test_an_older_feeder_copies_all(self):
        with older(), Dataset(place.store, batch_size=2, epochs=1, columns=["tokens", "mel"], trim=True, layout="bct") as ds:
            for b in ds:
                self.assertEqual((list(b), b.mel.shape[1]), (["tokens", "mel", "valid"], 80))
                self.assertLess(b.mel.shape[2], 800)
            self.assertIn("mel_len", [f["name"] for f in ds._stream.started["layouts"][0]["fields"]])

    def test_refused(self):
        for wanted, words in ((dict(columns=["mel", "mle"]), "columns: batches have no mle; they have tokens, mel, text_len, mel_len"),
                              (dict(columns=[1]), "columns=.1.: want names"), (dict(columns={1: "mel"}), "columns=.1: 'mel'.: want names"),
                              (dict(columns={"ids": "mel"}), "columns: ids is not a name for a column"), (dict(columns={"x": "mle"}), "batches have no mle"), (dict(layout="tbc"), 'layout=.tbc.: want "btc"'), (dict(trim=3), "trim=3: want True or False"),
                              (dict(tokens="int16"), "tokens=.int16.: want int32 or int64"), (dict(columns="mel_start"), "batches have no mel_start")):
            for feeders in (contextlib.nullcontext, older):
                with self.assertRaisesRegex(FeederError, words) as caught, feeders():
                    with Dataset(place.store, batch_size=2, **wanted) as ds:
                        next(iter(ds))
                self.assertEqual(caught.exception.kind, "request")

    def test_an_empty_rank_keeps_a_sample(self):
        """Ten rows in batches of eight on four ranks: the last two have none of the second batch."""
        for rank, left in ((0, [True, True]), (3, [False])):
            with Dataset(place.store, batch_size=8, tail="pad", epochs=1, rank=rank, world=4, trim=True) as ds:
                first, last = list(ds)
                self.assertEqual((first.valid.tolist(), last.valid.tolist()), ([True, True], left))
                self.assertEqual((last.mel.shape[0], last.mel.shape[1] > 1), (len(left), rank == 0))


class Keys(unittest.TestCase):
    def test_arguments_go_before_keys(self):
        """What stands under feed: of the dataset's config, and what a Dataset says instead."""
        store = place.build("fa", "data:\n  batch_size: 2\nfeed:\n  columns: [mel, mel_len]\n  segment: 16\n  speakers: [sara]\n  seed: 7\n  shuffle: none\n"
                            "  tail: pad\n  split: train\n  buckets: [200]\n  reference: same-speaker\n  weights: {'speaker:sara': 2}\n", "keys")
        with Dataset(store, epochs=1, trim=True) as ds:
            got = list(ds)
            s, cursor = ds._stream.started, ds.state_dict()["cursor"]
            self.assertEqual([list(b) for b in got], [["mel", "mel_len", "valid"]] * len(got))
            self.assertEqual((s["segment"], s["reference"], cursor["seed"], cursor["shuffle"], cursor["tail"]), (16, "same-speaker", 7, "none", "pad"))
            self.assertEqual((cursor["selection"]["split"], cursor["selection"]["buckets"], len(cursor["selection"]["weights"])), ("train", [200], 1))
        mine = dict(columns=(), segment=0, speakers=(), seed=1, shuffle="global", tail="drop", split="all", buckets=(), reference="", weights={})
        with Dataset(store, epochs=1, **mine) as ds:
            first = next(iter(ds))
            s, cursor = ds._stream.started, ds.state_dict()["cursor"]
            self.assertIn("tokens", first)
            self.assertEqual((s["segment"], s["reference"], s["selected"], cursor["seed"], cursor["shuffle"], cursor["tail"]), (0, "", len(ds.ids), 1, "global", "drop"))
            self.assertEqual({k: v for k, v in cursor["selection"].items() if v}, {"split": "all"})
        with Dataset(store, columns=None, epochs=1, layout="bct", trim=True) as ds:
            self.assertEqual(next(iter(ds)).mel.shape[:2], (2, 80))


class Rows(unittest.TestCase):
    def test_selected_over_ranks_epochs_and_a_resume(self):
        with Dataset(place.store, batch_size=2, seed=3, epochs=2, tail="pad") as ds:
            some = ds.select(ds.ids[:7])
            self.assertEqual((some.ids, len(some), [r.id for r in some.rows()]), (ds.ids[:7], 4, ds.ids[:7]))
            self.assertRegex(repr(some), r"Dataset\('[^@]*en', rows=10, batch=2, chosen=7, ")
            self.assertEqual([sorted(ids_of(some)) for _ in range(3)], [sorted(ds.ids[:7])] * 2 + [[]])
            self.assertEqual(len(ids_of(ds)), 10)  # the first one is as it was
            for world in (1, 2):  # stopped in the middle, it goes on over other ranks
                one = ds.select(iter(ds.ids[:7]))
                loop = iter(one)
                got = next(loop).ids
                state = json.loads(json.dumps(one.state_dict()))
                for rank in range(world):
                    with Dataset(place.store, batch_size=2, tail="pad", epochs=1, rank=rank, world=world) as other:
                        rest = other.select(ds.ids[:7])
                        rest.load_state_dict(state)
                        got += ids_of(rest)
                self.assertEqual(sorted(got), sorted(ds.ids[:7]))
            for other in (ds.select(ds.ids[:6]), ds):
                other.load_state_dict(state)
                with self.assertRaisesRegex(FeederError, "its selection is of 7 chosen rows .*, here it is of (6 chosen|all) rows") as caught:
                    next(iter(other))
                self.assertEqual(caught.exception.kind, "cursor")

    def test_filters_and_splits(self):
        with Dataset(place.store, batch_size=1, split="train", val=0.3) as ds:
            short = ds.filter(lambda row: row.seconds < 2.4 and row.text_len > 0)
            train = set(ids_of(ds))
            want = {row.id for row in ds.rows() if row.seconds < 2.4}
            self.assertTrue(train & want and want - train)
            self.assertEqual(set(ids_of(short)), train & want)
            again = short.select(sorted(want)[:2]).filter(lambda row: row.id == min(want))
            self.assertEqual(again.ids, [min(want)])
            with self.assertRaisesRegex(UnknownRow, "is not among the %d that were chosen before" % len(want)):
                short.select(set(ds.ids) - want)
            with self.assertRaisesRegex(UnknownRow, "en-00011.*en-0001"):
                ds.select(["en-00011"])
            for nothing in (lambda: ds.select([]), lambda: ds.filter(lambda row: False)):
                with self.assertRaisesRegex(FeederError, "no row of 10 was selected"):
                    nothing()
            with self.assertRaisesRegex(FeederError, "want a list of ids"):
                ds.select("en-0001")

    def test_a_selection_is_of_its_snapshot(self):
        """A build meanwhile, which moves the numbers of rows, changes nothing for it."""
        store = place.build("en", name="growing")
        with Dataset(store, batch_size=1, epochs=1) as ds:
            wanted = ds.ids[:3]
            some = ds.select(wanted)
            with open(store + "/metadata.csv", encoding="utf-8") as f:
                lines = f.read().splitlines(True)
            with open(store + "/metadata.csv", "w", encoding="utf-8") as f:
                f.writelines(line for line in lines if not line.startswith(wanted[0]))
            subprocess.run([PROGRAM, "build", store, "-q"], check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(sorted(ids_of(some)), sorted(wanted))
        with Dataset(store) as later:
            self.assertEqual(len(later.ids), 9)
            with self.assertRaisesRegex(UnknownRow, wanted[0]):
                later.select(wanted)

    def test_another_dataset_at_the_socket(self):
        """A feeder of one's own that was ended, with one of another dataset in its place: its rows have other numbers."""
        socket = os.path.join(place.folder, "own.sock")
        for store in (place.store, place.build("fa")):
            p = subprocess.Popen([PROGRAM, "serve", store, "--socket", socket], stdout=subprocess.PIPE, text=True)
            try:
                p.stdout.readline()  # it listens
                if store == place.store:
                    ds = Dataset(socket=socket, batch_size=1)
                    some = ds.select(ds.ids[:2])
                    ds.close()
                else:
                    with self.assertRaisesRegex(FeederError, "another dataset is at .*own.sock than the one whose rows were selected"):
                        next(iter(some))
            finally:
                p.terminate()
                p.communicate()

    def test_an_older_feeder(self):
        with older(), Dataset(place.store, batch_size=1) as ds:
            self.assertEqual([row.id for row in ds.rows()], ds.ids)
            with self.assertRaisesRegex(FeederError, "cannot choose rows by their ids: end it"):
                ds.filter(lambda row: row.mel_len > 0)

    def test_listed_rows_are_rows(self):
        with Dataset(place.store) as ds:
            for row in ds.rows():
                one = ds.row(row.id)
                self.assertEqual((repr(row), row.notes, row.text_len, row.mel_len, row.columns, row.place), (repr(one), one.notes, one.text_len, one.mel_len, one.columns, one.place))
                np.testing.assert_array_equal(row.mel, one.mel)
                np.testing.assert_array_equal(row.column("tokens", padded=True), one.column("tokens", padded=True))
                with self.assertRaisesRegex(AttributeError, "a row has no pitch; the columns are tokens"):
                    row.pitch

    def test_notebooks(self):
        with Dataset(place.store, batch_size=2, layout="bct", trim=True) as ds:
            self.assertRegex(repr(ds), r"Dataset\('.*en', rows=10, batch=2, epochs=0, layout='bct', trim=True\)")
            self.assertIn("<td>mel</td><td>f32</td><td>[800, 80]</td>", ds._repr_html_())


class Tables(unittest.TestCase):
    @needs("pandas")
    def test_pandas(self):
        with Dataset(place.store) as ds:
            rows = list(ds.rows())
            frame = ds.to_pandas()
            self.assertEqual(list(frame.columns), ["id", "row", "text", "given", "spoken", "language", "speaker", "split", "seconds", "text_len", "mel_len", "notes"])
            self.assertEqual((frame.id.tolist(), frame.mel_len.tolist(), frame.spoken.tolist()), (ds.ids, [r.mel_len for r in rows], [r.spoken for r in rows]))
            self.assertEqual(len(ds.select(ds.ids[:2]).to_pandas()), 2)

    @needs("pyarrow")
    def test_arrow(self):
        with Dataset(place.store) as ds:
            table = ds.to_arrow()
            self.assertEqual((table.num_rows, table["id"].to_pylist(), str(table.schema.field("mel_len").type)), (10, ds.ids, "int64"))

    def test_missing(self):
        with Dataset(place.store) as ds, mock.patch.dict("sys.modules", pandas=None, pyarrow=None):
            for ask, name in ((ds.to_pandas, "pandas"), (ds.to_arrow, "pyarrow")):
                with self.assertRaisesRegex(FeederError, "%s is not installed here .*pip install %s" % (name, name)):
                    ask()


if __name__ == "__main__":
    unittest.main()
