"""The consumer for NumPy against the real feeder: VOXPACK names the program.

    VOXPACK=bin/voxpack python -m unittest discover -s python/tests
"""

import gc
import json
import os
import random
import resource
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

import support
import cases
from cases import Cases, place, tearDownModule  # noqa: F401
from support import feeder_of, going_on, until
from voxpack import Dataset, FeederDied, FeederError

KILLS = int(os.environ.get("VOXPACK_KILLS", "20"))

run = place.run
folder = store = None


def setUpModule():
    global folder, store
    cases.setUpModule()
    folder, store = place.folder, place.store


def memories(pid):
    """How many files in memory a process has open."""
    n = 0
    for fd in os.listdir("/proc/%d/fd" % pid):
        try:
            n += os.readlink("/proc/%d/fd/%s" % (pid, fd)).startswith("/memfd:")
        except OSError:
            pass
    return n


def stop(pid):
    """Stops a process: the signal alone lets its threads go on for a while, and one may still answer."""

    def stopped():
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/stat" % (pid, task), encoding="utf-8") as f:
                if f.read().rpartition(")")[2].split()[0] != "T":
                    return False
        return True

    os.kill(pid, signal.SIGSTOP)
    if not until(10, stopped):
        raise AssertionError("process %d does not stop" % pid)


class Numpy(Cases, unittest.TestCase):
    child = "form = lambda ds: ds.numpy()"

    def form(self, ds):
        return ds.numpy()

    def address(self, tensor):
        return tensor.__array_interface__["data"][0]

    def test_smaller_types(self):
        try:
            import ml_dtypes  # noqa: F401
        except ImportError:
            self.skipTest("ml_dtypes is not installed: bfloat16 comes as uint16")
        super().test_smaller_types()

    def plain_wide(self, tensor):
        return tensor.astype("f4")


class Values(unittest.TestCase):
    def test_info(self):
        with Dataset(store, batch_size=2) as ds:
            self.assertEqual((ds.info.rows, ds.info.sample_rate, len(ds)), (10, 22050, 5))
            self.assertEqual(ds.info.columns["mel"], ("f32", (800, 80)))
            batch = next(iter(ds))
            with self.assertRaisesRegex(AttributeError, "no speaker; the columns are tokens, mel"):
                batch.speaker


class Epochs(unittest.TestCase):
    def test_a_pass_is_an_epoch(self):
        with Dataset(store, batch_size=2, seed=1, epochs=2) as ds:
            first, second, third = ([b.ids for b in ds] for _ in range(3))
        self.assertEqual((len(first), len(second), third), (5, 5, []))
        self.assertNotEqual(first, second)
        self.assertEqual(sorted(sum(first, [])), sorted(sum(second, [])))

    def test_resume(self):
        with Dataset(store, batch_size=2, seed=1, epochs=2) as ds:
            states, all_ids = [json.loads(json.dumps(ds.state_dict()))], []
            for _ in range(2):
                for batch in ds:
                    all_ids += batch.ids
                    states.append(json.loads(json.dumps(ds.state_dict())))
        for done, state in enumerate(states):
            for world in (1, 2):
                rest = [[] for _ in range(world)]
                for rank in range(world):
                    with Dataset(store, batch_size=2, rank=rank, world=world, epochs=0) as ds:
                        ds.load_state_dict(state)
                        while len(rest[rank]) < len(states) - 1 - done:
                            rest[rank] += [b.ids for b in ds]
                        rest[rank] = rest[rank][: len(states) - 1 - done]
                self.assertEqual([i for step in zip(*rest) for part in step for i in part], all_ids[2 * done :], (done, world))
        with Dataset(store, batch_size=2, seed=2) as ds:
            ds.load_state_dict(states[1])
            with self.assertRaisesRegex(FeederError, "its seed is 1, here it is 2"):
                next(iter(ds))

    def test_ranks_that_start_together_elect_one(self):
        code = "import sys; from voxpack import Dataset; ds = Dataset(sys.argv[1], batch_size=4); next(iter(ds)); print(ds._welcome['pid']); sys.stdin.read()"
        with tempfile.TemporaryDirectory(prefix="vx") as run_dir:
            old, os.environ["XDG_RUNTIME_DIR"] = os.environ["XDG_RUNTIME_DIR"], run_dir
            try:
                children = [run(code, stdin=subprocess.PIPE) for _ in range(4)]
            finally:
                os.environ["XDG_RUNTIME_DIR"] = old
            pids = {c.stdout.readline() for c in children}
            errors = [c.communicate()[1] for c in children]
            os.kill(int(pids.copy().pop()), signal.SIGTERM)
        self.assertEqual((len(pids), errors), (1, [""] * 4))


class Lifetimes(unittest.TestCase):
    def test_a_view_keeps_its_slot(self):
        with Dataset(store, batch_size=2, ahead=2) as ds:
            batch = next(iter(ds))
            view = batch.mel[1, ::2].T[3:]
            copy = view.copy()
            del batch
            for _ in range(4):
                for b in going_on(ds):
                    self.assertNotEqual(b.mel.__array_interface__["data"][0] >> 12, view.__array_interface__["data"][0] >> 12)
            self.assertEqual(view.tobytes(), copy.tobytes())
            r = ds._stream._returns
            del b
            self.assertEqual(r.lent - r.came, 1)
            del view
            self.assertEqual(r.lent, r.came)

    def test_a_hoarder_is_told(self):
        with Dataset(store, batch_size=2, ahead=2) as ds:
            held, begun = [], time.monotonic()
            with self.assertRaisesRegex(FeederError, "all 3 batches of the ring are held"):
                for batch in ds:
                    held.append(batch.mel)
            self.assertEqual(len(held), 3)
            self.assertLess(time.monotonic() - begun, 10)
            held.clear()
            del batch
            self.assertEqual(len([b.seq for b in going_on(ds)]), 2)

    def test_who_holds_most_of_the_ring_waits_for_no_look(self):
        """The feeder asks to be woken when half of the slots are back; of who keeps the others they never are."""
        for keep in (3, 4):
            with Dataset(store, batch_size=1, ahead=4) as ds, warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that the ring is smaller is said elsewhere
                held, late, steps, before = [], 0, 0, time.monotonic()
                while steps < 60:
                    for batch in ds:
                        late += time.monotonic() - before > 0.09
                        held, steps = held[1 - keep :] + [batch], steps + 1
                        del batch
                        time.sleep(0.001)
                        before = time.monotonic()
            self.assertLess(late, 20, "of 60 steps so many waited for the feeder to look by itself, with %d of 5 slots kept" % keep)

    def test_a_smaller_ring_is_told(self):
        """Who holds half of the batches is told so once, when he has to wait."""
        with Dataset(store, batch_size=2, ahead=3) as ds:
            held, stream = [b.mel for b, _ in zip(ds, range(2))], ds._start()
            with self.assertWarnsRegex(UserWarning, "hold 2 of the ring's 4 batches"):
                self.assertIsNone(stream._hoarded(None))
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                stream._hoarded(None)
            held.pop()
            self.assertEqual(len(held), 1)

    def test_fork(self):
        ds = Dataset(store, batch_size=2, seed=7, epochs=1, ahead=1)  # a slot that came back would be written at once
        want = [b.ids for b in Dataset(store, batch_size=2, seed=7, epochs=1)]
        loop = iter(ds)
        batch = next(loop)
        got, copy = [batch.ids], batch.mel.copy()
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                same = batch.mel.tobytes() == copy.tobytes()
                try:
                    next(loop)
                    word = "no error"
                except FeederError as e:
                    word = str(e)
                del batch, loop, ds
                gc.collect()
                os.write(write, ("%s %s" % (same, word)).encode())
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        self.assertEqual((ds._stream._returns.lent, ds._stream._returns.came), (1, 0))
        time.sleep(0.3)
        self.assertEqual(os.read(read, 500).decode(), "True this Dataset was made before a fork: make one in the process that uses it")
        self.assertEqual(batch.mel.tobytes(), copy.tobytes())
        del batch
        got += [b.ids for b in loop]
        self.assertEqual(got, want)
        ds.close()
        os.close(read)
        os.close(write)

    def test_many_datasets_leave_nothing(self):
        keeper = Dataset(store, batch_size=2)
        pid = feeder_of(keeper)
        next(iter(keeper))
        before, theirs = len(os.listdir("/proc/self/fd")), memories(pid)
        for i in range(100):
            ds = Dataset(store, batch_size=2)
            batch = next(iter(ds))
            self.assertEqual(feeder_of(ds), pid)
            if i % 3 == 0:
                ds.close()
            del ds, batch
        gc.collect()
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)
        self.assertTrue(until(1, lambda: memories(pid) <= theirs + 1), "the feeder keeps memory")  # the table of ids apart
        keeper.close()
        self.assertTrue(until(8, lambda: not os.path.exists("/proc/%d" % pid)), "the feeder stays")


class Deaths(unittest.TestCase):
    def test_a_killed_consumer_frees_its_memory(self):
        with Dataset(store, batch_size=2) as ds:
            pid = feeder_of(ds)
            before = memories(pid)
            code = "import sys, time; from voxpack import Dataset; ds = Dataset(sys.argv[1], batch_size=2); held = [b.mel for b, _ in zip(ds, range(3))]; print('held', flush=True); time.sleep(60)"
            child = run(code)
            self.assertEqual(child.stdout.readline(), "held\n")
            self.assertEqual(memories(pid), before + 3)  # arena, ring, step log
            child.kill()
            self.assertTrue(until(1, lambda: memories(pid) == before), "not within a second")
            child.communicate()

    def test_a_killed_consumer_whose_child_lives(self):
        with Dataset(store, batch_size=2) as ds:
            pid = feeder_of(ds)
            before = memories(pid)
            code = "import os, sys, time; from voxpack import Dataset; ds = Dataset(sys.argv[1], batch_size=2); b = next(iter(ds)); child = os.fork(); child and print(child, flush=True); time.sleep(20)"
            parent = run(code)
            child = int(parent.stdout.readline())
            try:
                time.sleep(0.1)  # the child is behind its fork
                self.assertEqual(memories(pid), before + 3)  # arena, ring, step log
                parent.kill()
                self.assertTrue(until(1, lambda: memories(pid) == before), "not within a second")
            finally:
                os.kill(child, signal.SIGKILL)
                parent.communicate()

    def test_killed_feeders_lose_and_repeat_nothing(self):
        """The feeder is killed again and again, at random places."""
        draw = random.Random(1)
        epochs = 2 + 2 * KILLS
        with Dataset(store, batch_size=2, seed=1, epochs=epochs) as ds:
            want = [b.ids for _ in range(epochs) for b in ds]
        got, killed = [], set()
        ds = Dataset(store, batch_size=2, seed=1, ahead=1)
        since = None  # when the feeder was killed whose batches are still taken
        late = 0
        while len(got) < len(want):
            try:
                for batch in ds:
                    got.append(batch.ids)
                    if len(got) == len(want):
                        break
                    if len(killed) < KILLS and since is None and draw.random() < 0.4:
                        os.kill(feeder_of(ds), signal.SIGKILL)
                        killed.add(feeder_of(ds))
                        since = time.monotonic()
            except FeederDied:
                self.assertIsNotNone(since)
                late += time.monotonic() - since > 1
                since = None
                ds.load_state_dict(ds.state_dict())
        ds.close()
        self.assertEqual(got, want)
        self.assertEqual(len(killed), KILLS)
        self.assertLessEqual(late, KILLS // 50, "deaths heard of later than in a second")  # a machine may stand still for that long

    def test_what_is_asked_for_is_checked(self):
        for wanted, word in ((dict(batch_size="4"), "batch_size='4': want a whole number"), (dict(seed=-1), "seed=-1: want 0 or more"),
                             (dict(batch_size=0), "batch_size=0: want 1 or more"), (dict(ahead=2**31), "want at most 4096"), (dict(epochs=1.5), "epochs=1.5: want a whole")):
            with self.assertRaisesRegex(FeederError, word):
                Dataset(store, **wanted)
        with Dataset(store, batch_size=np.int64(10**5), ahead=4096, tail="pad") as ds:
            with self.assertRaisesRegex(FeederError, r"this feeder gives its consumers .* MB in all \(--max-memory\).*; take a smaller batch or fewer batches ahead") as caught:
                len(ds)
            self.assertEqual(caught.exception.kind, "request")

    def test_a_python_without_memory_files(self):
        code = "import os; del os.memfd_create\nimport sys; from voxpack import Dataset; print(len(next(iter(Dataset(sys.argv[1], batch_size=2, ahead=3))).ids))"
        with tempfile.TemporaryDirectory(prefix="vx") as run_dir:
            old, os.environ["XDG_RUNTIME_DIR"] = os.environ["XDG_RUNTIME_DIR"], run_dir
            try:
                child = run(code)
            finally:
                os.environ["XDG_RUNTIME_DIR"] = old
            self.assertEqual(child.communicate(timeout=60), ("2\n", ""))

    def test_an_interrupted_question(self):
        """The answer to a question that was given up is not that of the next one, and no batch is lost."""
        with Dataset(store, batch_size=2, seed=4) as ds:
            want = [b.ids for b in ds]
        with Dataset(store, batch_size=2, seed=4, ahead=1) as ds:
            got, loop = [], iter(())
            for loops in (0, 1, 2):
                if loops > 0:
                    loop = going_on(ds)
                    got.append(next(loop).ids)
                self._interrupt(ds)
                self.assertEqual([line.spoken for line in ds.encode(["one more"])], ["one more"])
            with self.assertRaisesRegex(FeederError, "a question was interrupted"):
                for b in loop:  # what is there already
                    got.append(b.ids)
            got += [b.ids for b in ds.resume()]
            self.assertEqual(got, want)

    def _interrupt(self, ds):
        def interrupt(*_):
            raise KeyboardInterrupt

        old, pid = signal.signal(signal.SIGALRM, interrupt), feeder_of(ds)
        try:
            stop(pid)
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with self.assertRaises(KeyboardInterrupt):
                ds.encode(["one"])
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            os.kill(pid, signal.SIGCONT)
            signal.signal(signal.SIGALRM, old)

    def test_no_descriptors_left(self):
        before = os.listdir("/proc/self/fd")
        with Dataset(store, batch_size=2) as ds:
            limit, free, why = resource.getrlimit(resource.RLIMIT_NOFILE), os.dup(0), []
            os.close(free)
            for spare in range(10):
                resource.setrlimit(resource.RLIMIT_NOFILE, (free + spare, limit[1]))
                try:
                    with warnings.catch_warnings(record=True) as said:  # that the step log cannot be mapped ends nothing
                        warnings.simplefilter("always")
                        self.assertEqual(next(iter(ds)).seq, 0)
                    break
                except FeederError as e:
                    why.append(str(e))
                finally:
                    resource.setrlimit(resource.RLIMIT_NOFILE, limit)
        self.assertIn("no descriptors left", why[0])
        self.assertRegex("\n".join(why + [str(w.message) for w in said]), "cannot be mapped.*Too many open files")
        del ds
        gc.collect()
        self.assertEqual(os.listdir("/proc/self/fd"), before, "a descriptor stayed open")

    def test_a_question_that_takes_too_long(self):
        with Dataset(store, batch_size=2) as ds:
            pid, before = feeder_of(ds), ds._socket
            before.settimeout(0.1)
            try:
                stop(pid)
                with self.assertRaisesRegex(FeederError, "said nothing for 0.1 s"):
                    ds.encode(["one"])
            finally:
                os.kill(pid, signal.SIGCONT)
            self.assertEqual([line.spoken for line in ds.encode(["one more"])], ["one more"])

    def test_closed_is_closed(self):
        with Dataset(store, batch_size=2) as ds:
            next(iter(ds))
        for act in (lambda: next(iter(ds)), lambda: len(ds), lambda: ds.encode("a")):
            with self.assertRaisesRegex(FeederError, "this Dataset was closed"):
                act()

    def test_a_folder_of_sockets_that_is_gone(self):
        old = os.environ["XDG_RUNTIME_DIR"]
        with tempfile.TemporaryDirectory(prefix="vx") as temp:
            os.environ.update(XDG_RUNTIME_DIR=os.path.join(temp, "gone"), TMPDIR=temp)
            try:
                with Dataset(store, batch_size=2) as ds:
                    pid = feeder_of(ds)
                    self.assertEqual(os.path.dirname(os.path.dirname(ds._feeder.socket)), temp)
            finally:
                os.environ["XDG_RUNTIME_DIR"] = old
                del os.environ["TMPDIR"]
            os.kill(pid, signal.SIGTERM)
            self.assertTrue(until(5, lambda: not os.path.exists("/proc/%d" % pid)))

    def test_words_of_the_feeder(self):
        with self.assertRaisesRegex(FeederError, "holds no store"):
            Dataset(folder)
        with self.assertRaisesRegex(FeederError, "no feeder answers at"):
            Dataset(socket=os.path.join(folder, "nobody"))
        with self.assertRaisesRegex(FeederError, "no batch in an epoch"):
            next(iter(Dataset(store, batch_size=500)))
        with self.assertRaisesRegex(FeederError, 'split "dev"'):
            next(iter(Dataset(store, split="dev")))


if __name__ == "__main__":
    unittest.main()
