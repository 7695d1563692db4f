"""A loop is an epoch, whatever became of the loop before it: the ways in which trainers leave one, and the rows that they see."""

import contextlib
import json
import os
import signal
import subprocess
import unittest
from unittest import mock

from support import PROGRAM, Place, feeder_of, until
from voxpack import Dataset, FeederDied, FeederError, wire
from voxpack.batch import NumpyForm

place = Place()
TWO = "another loop over this Dataset has begun meanwhile.*use a separate Dataset for each"


def setUpModule():
    place.begin()


def tearDownModule():
    place.end()


def data(**wanted):
    return Dataset(place.store, **{**dict(batch_size=2, seed=1), **wanted})


def judged(**wanted):
    return data(**{**dict(batch_size=1, split="val", val=0.6, tail="pad"), **wanted})


def seen(loop):
    return [b.ids for b in loop]


def refuse(*_):
    raise MemoryError("no memory for a batch")


def epoch_into(ds, got):
    """A loop that keeps what it got, also where it ends with an error."""
    for b in ds:
        got.append(b.ids)
    return []


def epochs(n, **wanted):
    """What n whole epochs are."""
    with data(epochs=n, **wanted) as ds:
        return [seen(ds) for _ in range(n)]


class Training(unittest.TestCase):
    def test_a_look_at_a_batch(self):
        """next(iter(ds)) for a shape: 7 of 8 batches were left of the epoch."""
        for length in ({}, dict(batch_size=1, ahead=1)):  # the rest of the epoch is ready, and is not
            want = epochs(3, **length)
            with data(**length) as ds:
                self.assertEqual(next(iter(ds)).ids, want[0][0])
                self.assertEqual([seen(ds), seen(ds)], want[1:])

    def test_a_batch_by_number_moves_nothing(self):
        want = epochs(1)
        with data() as ds:
            self.assertEqual([ds[0].ids, seen(ds)], [want[0][0], want[0]])

    def test_a_limit_of_batches(self):
        """Lightning's limit_train_batches, zip(ds, range(n)): each time another epoch's first ones."""
        want = epochs(4)
        with data() as ds:
            self.assertEqual([[b.ids for b, _ in zip(ds, range(3))] for _ in range(4)], [e[:3] for e in want])

    def test_who_knows_the_length_asks_for_no_end(self):
        """As Lightning does: the epoch is whole, and counts."""
        want = epochs(2)
        with data(epochs=2) as ds:
            self.assertEqual([[b.ids for _, b in zip(range(len(ds)), ds)] for _ in range(2)], want)
            self.assertEqual(seen(ds), [])

    def test_what_was_left_does_not_count(self):
        want = epochs(4)
        with data(epochs=2) as ds:
            next(iter(ds))
            self.assertEqual(seen(ds), want[1])
            next(iter(ds))
            self.assertEqual([seen(ds), seen(ds)], [want[3], []])

    def test_an_exception_in_a_loop(self):
        want = epochs(2)
        with data() as ds:
            with self.assertRaises(ZeroDivisionError):
                for batch in ds:
                    self.assertEqual(batch.ids, want[0][0])
                    1 / 0
            self.assertEqual(seen(ds.resume()), want[0][1:])
            self.assertEqual([seen(ds.resume()), seen(ds)], [[], want[1]])

    def test_a_cell_that_is_run_again(self):
        """A notebook keeps the iterator of the interrupted cell alive, with its traceback."""
        want, kept = epochs(4), []
        cell = "for batch in ds:\n    got.append(batch.ids)\n    if len(got) == stop: raise KeyboardInterrupt\n"
        with data() as ds:
            for n, stop in enumerate((3, 1, 0, 0)):
                got = []
                with contextlib.suppress(KeyboardInterrupt):
                    try:
                        exec(cell, {"ds": ds, "got": got, "stop": stop})
                    except KeyboardInterrupt as e:
                        kept.append(e)
                        raise
                self.assertEqual(got, want[n][: stop or None])

    def test_a_fixed_order_begins_at_its_beginning(self):
        with data(shuffle="none") as ds:
            whole = seen(ds)
            next(iter(ds))
            self.assertEqual([seen(ds), [b.ids for b, _ in zip(ds, range(4))], seen(ds)], [whole, whole[:4], whole])

    def test_after_an_interrupted_question(self):
        """The connection is another one then."""
        want = epochs(3)
        with data() as ds:
            for n, rest in ((0, True), (1, False)):
                next(iter(ds))
                with mock.patch.object(wire, "receive", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
                    ds.row(want[0][0][0])
                self.assertEqual(seen(ds.resume() if rest else ds), want[0][1:] if rest else want[2])

    def test_the_feeders_death_between_epochs(self):
        """It is said once, when what is ready is over, and the next loop goes on; after the last epoch there is nothing to say."""
        want = epochs(2, ahead=1)
        for n in (2, 1):
            with data(ahead=1, epochs=n) as ds:
                self.assertEqual(seen(ds), want[0])
                os.kill(feeder_of(ds), signal.SIGKILL)
                self.assertTrue(until(10, lambda: wire.ended(ds._stream.socket)))
                if n == 2:
                    got = []
                    with self.assertRaises(FeederDied):
                        epoch_into(ds, got)
                    self.assertEqual(got + seen(ds.resume() if got else ds), want[1])
                else:
                    self.assertEqual(seen(ds), [])

    def test_a_batch_that_cannot_be_made_is_not_lost(self):
        """Memory runs out while a batch is made for its framework, and the trainer goes on."""
        for at in (0, 2):
            want = epochs(2)
            with data() as ds:
                form, got = NumpyForm(), []
                made = iter([form.batch] * at + [refuse] + [form.batch] * 99)
                with mock.patch.object(NumpyForm, "batch", lambda self, *taken: next(made)(*taken)):
                    with self.assertRaises(MemoryError):
                        got += [b.ids for b in epoch_into(ds, got)]
                    got += seen(ds.resume()) if at else seen(ds)
                    self.assertEqual([got, seen(ds)], want)

    def test_another_part_begins_at_the_next_epoch(self):
        """torch.distributed begins after a look at a batch: what was left does not come back."""
        with data(rank=0, world=2) as ds:
            ours = [[r for b in ds for r in b.ids] for _ in range(2)]
        for left in (1, len(epochs(1)[0]) - 1, 99):
            with data() as ds:
                for _, b in zip(range(left), ds):
                    pass
                if left == 99:
                    self.assertEqual(b.epoch, 0)
                ds._place = (0, 2)
                self.assertEqual([r for b in ds for r in b.ids], ours[1])

    def test_after_the_feeders_death(self):
        want = epochs(2, ahead=1)
        for rest in (True, False):
            with data(ahead=1) as ds:
                self.assertEqual(next(iter(ds)).ids, want[0][0])
                pid = feeder_of(ds)
                os.kill(pid, signal.SIGKILL)
                self.assertTrue(until(10, lambda: wire.ended(ds._stream.socket)))
                self.assertEqual(seen(ds.resume() if rest else ds), want[0][1:] if rest else want[1])
                self.assertNotEqual(feeder_of(ds), pid)


class Judged(unittest.TestCase):
    def test_every_loop_is_the_same(self):
        """Whatever was left, and for crops too: the second validation is held against the first."""
        for wanted in ({}, dict(shuffle="none"), dict(segment=32), dict(seed=5, tail="drop", batch_size=2)):
            with judged(**wanted) as ds:
                first = [(b.ids, b.mel.tobytes(), b.epoch) for b in ds]
                self.assertGreater(len(first), 1)
                for left in (0, 1, len(first) - 1, len(first)):
                    self.assertEqual([b.ids for _, b in zip(range(left), ds)], [b[0] for b in first[:left]])
                    self.assertEqual([(b.ids, b.mel.tobytes(), b.epoch) for b in ds], first)

    def test_what_trainers_do_with_a_validation(self):
        """Lightning's sanity check (two batches), Matcha's peek at the end of each, VITS's break after the first batch."""
        with judged() as ds:
            whole = seen(ds)
            self.assertGreater(len(whole), 2)
        with judged() as ds:
            self.assertEqual([b.ids for _, b in zip(range(2), ds)], whole[:2])
            for _ in range(3):
                self.assertEqual(seen(ds), whole)
                self.assertEqual(next(iter(ds)).ids, whole[0])
            for _ in range(3):
                for batch in ds:
                    self.assertEqual(batch.ids, whole[0])
                    break

    def test_a_ring_of_most_of_the_feeders_memory(self):
        """The next connection asks for it when the feeder has it again: 34 of 100 looks at a batch were refused."""
        path = os.path.join(place.folder, "small.sock")
        p = subprocess.Popen([PROGRAM, "serve", place.store, "--socket", path, "--max-memory", "30"], stdout=subprocess.PIPE, text=True)
        try:
            p.stdout.readline()  # it listens
            with judged(socket=path, batch_size=8, ahead=8) as ds:
                first = next(iter(ds)).ids
                self.assertEqual([next(iter(ds)).ids for _ in range(30)], [first] * 30)
        finally:
            p.terminate()
            p.communicate()

    def test_its_state(self):
        with judged(seed=3) as ds:
            whole = seen(ds)
            end = json.loads(json.dumps(ds.state_dict()))
            self.assertEqual(next(iter(ds)).ids, whole[0])
            middle = ds.state_dict()
        for state, rest in ((middle, whole[1:]), (end, whole)):
            with judged(seed=3) as ds:
                ds.load_state_dict(state)
                self.assertEqual([seen(ds), seen(ds)], [rest, whole])

    def test_epochs_are_counted(self):
        with judged(epochs=2) as ds:
            next(iter(ds))
            self.assertEqual([len(seen(ds)) > 0 for _ in range(3)], [True, True, False])


class States(unittest.TestCase):
    def test_the_loop_after_a_state_goes_on(self):
        """And the one after that is an epoch: at every batch, the last one of an epoch too, in the same process and in another one."""
        want = epochs(3)
        for taken in range(6):
            with data() as ds:
                loop = iter(ds)
                for _ in range(min(taken, 5)):
                    next(loop)
                if taken == 5:
                    self.assertEqual(seen(loop), [])
                state = json.loads(json.dumps(ds.state_dict()))
                rest = want[0][taken:] if taken < 5 else want[1]
                following = want[1] if taken < 5 else want[2]
                next(iter(ds))
                ds.load_state_dict(state)
                self.assertEqual([seen(ds), seen(ds)], [rest, following], taken)
            with data() as ds:
                ds.load_state_dict(state)
                self.assertEqual([seen(ds), seen(ds)], [rest, following], taken)

    def test_a_state_of_an_epochs_end(self):
        """The next epoch follows it, however many are wanted."""
        want = epochs(3)
        with data() as ds:
            seen(ds)
            state = ds.state_dict()
        for n in (0, 1, 2):
            with data(epochs=n) as ds:
                ds.load_state_dict(state)
                self.assertEqual(seen(ds), want[1])
                if n != 1:
                    self.assertEqual(seen(ds), want[2])

    def test_a_form_has_the_state(self):
        """torchdata's StatefulDataLoader and Lightning ask what they loop over."""
        want = epochs(2)
        with data() as ds, data() as other:
            batches, others = ds.numpy(), other.numpy()
            next(iter(batches))
            others.load_state_dict(batches.state_dict())
            self.assertEqual([seen(others), seen(others)], [want[0][1:], want[1]])

    def test_a_state_inside_a_loop_ends_it(self):
        want = epochs(2)
        with data() as ds:
            got = []
            for batch in ds:
                got.append(batch.ids)
                if len(got) == 2:
                    ds.load_state_dict(ds.state_dict())
            self.assertEqual((got, seen(ds), seen(ds)), (want[0][:2], want[0][2:], want[1]))


class Two(unittest.TestCase):
    def test_loops_at_once_are_refused(self):
        want = epochs(3)
        with data() as ds:
            with self.assertRaisesRegex(FeederError, TWO):
                list(zip(ds, ds))
            self.assertEqual(seen(ds), want[2])

    def test_datasets_have_loops_of_their_own(self):
        want = epochs(1)[0]
        with data() as a, data() as b:
            self.assertEqual([(x.ids, y.ids) for x, y in zip(a, b)], [(x, x) for x in want])

    def test_one_that_was_left_says_nothing_more(self):
        with data() as ds:
            first = iter(ds)
            next(first)
            next(iter(ds))
            with self.assertRaisesRegex(FeederError, TWO):
                next(first)


if __name__ == "__main__":
    unittest.main()
