"""What a trainer's steps look like to who watches them: batches and marks, over the real socket."""

import os
import signal
import threading
import time
import unittest
import warnings
from unittest import mock

from cases import place, setUpModule, tearDownModule  # noqa: F401
from support import feeder_of
from voxpack import Dataset, wire


def state(pid, thread):
    """What a thread does, by the letter of the kernel: T is stopped."""
    with open("/proc/%d/task/%s/stat" % (pid, thread), encoding="utf-8") as f:
        return f.read().rpartition(") ")[2][0]


class Watcher:
    """Asks a feeder as any process may."""

    def __init__(self, ds):
        self.socket, _ = wire.connect(ds._feeder.socket, 30)

    def ask(self, **question):
        wire.send(self.socket, question)
        return wire.receive(self.socket)[0]

    def session(self, ds):
        """The only session of this process's ds, by its batches."""
        mine = [s for s in self.ask(type="sessions")["sessions"] if s["pid"] == os.getpid() and s["setup"]["seed"] == ds._request["seed"]]
        return mine.pop()

    def steps(self, ds, last=10000):
        return self.ask(type="steps", session=self.session(ds)["id"], last=last)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


class Steps(unittest.TestCase):
    def test_a_log_that_cannot_be_mapped(self):
        """It is left out, and said: the batches come all the same."""
        receive, pipe = wire.receive, os.pipe()  # a pipe cannot be mapped

        def spoilt(sock):
            answer, fds = receive(sock)
            if answer.get("steps_bytes"):
                os.close(fds.pop())
                fds.append(os.dup(pipe[0]))
            return answer, fds

        taken = 0
        with mock.patch.object(wire, "receive", spoilt), warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            with Dataset(place.store, batch_size=2, seed=102) as ds:
                for batch in ds:
                    with ds.step():
                        taken += len(batch.ids)
        self.assertEqual(taken, 10)
        self.assertEqual([str(w.message)[:19] for w in said], ["steps are not noted"])
        os.close(pipe[0])
        self.assertRaises(BrokenPipeError, os.write, pipe[1], b"x")  # nobody has the other end
        os.close(pipe[1])

    def test_batches_and_marks(self):
        """Each batch that a loop got, each step that it marked, in their order and by one clock."""
        begun = time.monotonic_ns()
        with Dataset(place.store, batch_size=2, seed=101) as ds, Watcher(ds) as watcher:
            for batch in ds:
                with ds.step():
                    batch.mel.sum()
            for batch in ds.numpy():
                break
            self.assertEqual(watcher.session(ds)["has_steps"], True)
            told = watcher.steps(ds)
        over = time.monotonic_ns()
        self.assertEqual((told["taken"], told["marked"], told["ahead"]), (6, 5, False))
        self.assertEqual([t["number"] for t in told["takes"]], list(range(6)))
        self.assertEqual([t["loop"] for t in told["takes"]], [1] * 5 + [2])
        self.assertEqual([m["taken"] for m in told["marks"]], [1, 2, 3, 4, 5])
        times = [begun]
        for take, mark in zip(told["takes"], told["marks"]):
            times += [take["asked"], take["asked"] + take["waited"], take["got"], mark["begin"], mark["end"]]
        self.assertEqual(times + [over], sorted(times + [over]))

    def test_what_is_empty_is_waited_for(self):
        """The feeder is stopped: nothing is ready until it goes on."""
        for _ in range(10):
            take, resumed = self.take_of_stopped_feeder()
            if take["asked"] < resumed:  # else this process slept longer than the feeder
                break
        self.assertGreaterEqual(take["asked"] + take["waited"], resumed)
        self.assertLessEqual(take["asked"] + take["waited"], take["got"])

    def take_of_stopped_feeder(self):
        """The third take, for which the feeder had to go on, and when it was told to."""
        resumed = []
        with Dataset(place.store, batch_size=2, seed=102, ahead=1) as ds, Watcher(ds) as watcher:
            held = []
            loop = iter(ds)
            held.append(next(loop))
            stopped = feeder_of(ds)
            held.append(next(loop))
            os.kill(stopped, signal.SIGSTOP)
            while any(state(stopped, thread) != "T" for thread in os.listdir("/proc/%d/task" % stopped)):
                time.sleep(0.001)
            held.clear()  # both slots are back, and nobody fills them

            def resume():
                resumed.append(time.monotonic_ns())
                os.kill(stopped, signal.SIGCONT)

            threading.Timer(0.2, resume).start()
            next(loop)
            takes = watcher.steps(ds)["takes"]
        self.assertEqual(len(takes), 3)
        return takes[2], resumed[0]

    def test_exceptions_pass_through(self):
        with Dataset(place.store, batch_size=2, seed=103) as ds, Watcher(ds) as watcher:
            for _ in ds:
                with self.assertRaises(ZeroDivisionError):
                    with ds.step():
                        1 / 0
                with ds.step():  # one in another, and of another thread
                    with ds.step():
                        pass
                    thread = threading.Thread(target=lambda: ds.numpy().step().__enter__())
                    thread.start()
                    thread.join()
                break
            marks = watcher.steps(ds)["marks"]
        self.assertEqual([m["end"] > 0 for m in marks], [True, True, True, False])
        self.assertLessEqual(marks[2]["end"], marks[1]["end"])

    def test_marks_where_nothing_is_noted(self):
        """Before the first batch, after the end, in a fork, and of a feeder that gives no log: a mark does nothing."""
        with Dataset(place.store, batch_size=2, seed=104) as ds, Watcher(ds) as watcher:
            with ds.step():
                for batch in ds:
                    break
            child = os.fork()
            if child == 0:
                try:
                    with ds.step():
                        pass
                finally:
                    os._exit(0)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual(watcher.steps(ds)["marked"], 0)
            within = ds.step()
            within.__enter__()
            del batch
        within.__exit__()
        with ds.step():
            pass

    def test_a_feeder_without_step_logs(self):
        """One that passes over the key, as each did before it was there."""
        send = wire.send
        try:
            wire.send = lambda s, message: send(s, {k: v for k, v in message.items() if k != "steps"})
            with Dataset(place.store, batch_size=2, seed=105) as ds, Watcher(ds) as watcher:
                for _ in ds:
                    with ds.step():
                        pass
                self.assertEqual(watcher.session(ds)["has_steps"], False)
                self.assertEqual(watcher.steps(ds)["takes"], [])
        finally:
            wire.send = send

    def test_the_last_are_kept(self):
        """After 10,000 the oldest is written over."""
        with Dataset(place.store, batch_size=2, seed=106) as ds, Watcher(ds) as watcher:
            for _ in ds:
                break
            for _ in range(10_003):
                with ds.step():
                    pass
            marks = watcher.steps(ds)["marks"]
            few = watcher.steps(ds, 2)["marks"]
        self.assertEqual([m["number"] for m in marks], list(range(3, 10_003)))
        self.assertEqual(few, marks[-2:])


if __name__ == "__main__":
    unittest.main()
