"""A batch of the device ring is filled again only after the work of every stream that may read it, against the C fake.

Each test holds a stream back by a gate, queues a read of a batch behind it, and lets the batch die: whoever fills
the slot before the gate is opened changes what the read gets.
"""

import sys
import types
import unittest
from unittest import mock

from fakegpu import Copies, Gate, batches, destroy, feeder, lend, new_stream, place, setUpModule, tearDownModule  # noqa: F401
from support import until
from voxpack import Dataset, FeederError
from voxpack.batch import Batch
from voxpack.devicering import number
from voxpack.stream import _PUBLISHED

LONG, SHORT = 20, 0.3  # seconds: for what has to happen, and for what must not


class Stream:
    """One of another framework, by the protocol."""

    def __init__(self, n):
        self.n = n

    def __cuda_stream__(self):
        return 0, self.n


class TorchStream:
    def __init__(self, n):
        self.cuda_stream = n


class Readers(unittest.TestCase):
    def read(self, ds, read_on, limit, say=None, exported=None):
        """Whether the slot was filled again while a read of it was held back, and whether the read got the batch's own bytes."""
        batch = next(batches(ds))
        want, size = batch.mel.numpy().tobytes(), batch.mel.nbytes
        copies, gate = Copies(size, read_on), Gate(read_on)
        try:
            if exported is not None:
                batch.mel.__dlpack__(stream=exported, max_version=(1, 0))
            copies.queue(batch.mel)
            if say is not None:
                batch.record_stream(say)
            del batch
            s = ds._stream
            s._returns.look()
            refilled = until(limit, lambda: s.ring.u64[_PUBLISHED >> 3] > s.taken)
        finally:
            gate.open()
        return refilled, copies.done(size) == want

    def ring(self, current):
        """A ring of one slot, so that a batch that goes back is filled again at once."""
        return lend(Dataset(place.store, batch_size=2, seed=3), 0, current, gpu_batches=1)

    def kept(self, ds, *args, **named):
        self.assertEqual(self.read(ds, *args, limit=SHORT, **named), (False, True))
        self.assertIsNotNone(ds._stream.peek())  # and afterwards it goes on

    def test_a_reader_that_nobody_names_is_overtaken(self):
        """The negative control: this is what the other tests would see of a reader that is not waited for."""
        side, other = new_stream(), new_stream()
        with self.ring(lambda: side) as ds:
            self.assertEqual(self.read(ds, other, LONG), (True, False))

    def test_the_default_stream_is_waited_for(self):
        """A prefetcher takes batches under a stream of its own, by DLPack on that, and trains on the default one."""
        side = new_stream()
        with self.ring(lambda: side) as ds:
            for _ in range(3):
                self.kept(ds, 0, exported=side)

    def test_the_default_stream_by_itself(self):
        with self.ring(lambda: 0) as ds:
            self.kept(ds, 0, exported=1)

    def test_streams_that_were_current_are_waited_for(self):
        main, side = new_stream(), new_stream()
        now = [main]
        with self.ring(lambda: now[0]) as ds:
            batch = next(batches(ds))
            now[0] = side
            del batch
            ds._stream.peek()
            self.kept(ds, main, exported=side)
            self.kept(ds, side, exported=side)

    def test_a_stream_that_was_current_as_a_batch_went_back(self):
        main, side = new_stream(), new_stream()
        now = [side]
        with self.ring(lambda: now[0]) as ds:
            batch = next(batches(ds))
            now[0] = main
            del batch
            ds._stream.peek()
            now[0] = side
            self.kept(ds, main, exported=side)

    def test_streams_that_are_named_are_waited_for(self):
        side = new_stream()
        for named in (int, Stream, TorchStream):
            with self.subTest(named.__name__), self.ring(lambda: side) as ds:
                main = new_stream()
                self.kept(ds, main, exported=side, say=named(main))
                # It was named for that batch alone.
                self.assertEqual(self.read(ds, main, LONG), (True, False))

    def test_without_events_between_processes(self):
        """The thread that gives the batch back waits then; it is the gate's time that it has to take."""
        p, path = feeder({"FAKECUDA_IPC_EVENTS": "0"})
        with p:
            try:
                side = new_stream()
                with lend(Dataset(socket=path, batch_size=2, seed=3), 0, lambda: side, gpu_batches=1) as ds:
                    batch = next(batches(ds))
                    want, size = batch.mel.numpy().tobytes(), batch.mel.nbytes
                    copies = Copies(size, 0)
                    copies.queue(batch.mel)  # takes LATE
                    del batch
                    ds._stream.peek()
                    self.assertEqual(copies.done(size), want)
            finally:
                p.terminate()

    def test_a_stream_that_was_current_and_is_gone(self):
        """What it was given is waited for once, and then nobody asks for it any more."""
        for env in {}, {"FAKECUDA_IPC_EVENTS": "0"}:
            p, path = feeder(env)
            with self.subTest(**env), p:
                try:
                    main, short = new_stream(), new_stream()
                    now = [short]
                    with lend(Dataset(socket=path, batch_size=2, seed=3), 0, lambda: now[0], gpu_batches=1) as ds:
                        loop = batches(ds)
                        batch = next(loop)
                        want, size = batch.mel.numpy().tobytes(), batch.mel.nbytes
                        copies = Copies(size, short)
                        copies.queue(batch.mel)  # takes LATE
                        now[0] = main
                        destroy(short)
                        del batch
                        ds._stream.peek()
                        self.assertEqual(copies.memory[:size], want)
                        for _ in range(3):
                            next(loop)
                finally:
                    p.terminate()

    def test_a_stream_that_was_named_and_is_gone(self):
        main = new_stream()
        with self.ring(lambda: main) as ds:
            batch, short = next(batches(ds)), new_stream()
            batch.record_stream(short)
            destroy(short)
            del batch
            self.assertIsNotNone(ds._stream.peek())

    def test_what_is_not_a_stream(self):
        self.assertEqual([number(x) for x in (0, 7, Stream(5), TorchStream(6))], [0, 7, 5, 6])
        for wrong in (None, "cuda:0", True, 1.5, object()):
            with self.assertRaisesRegex(FeederError, "is not a CUDA stream"):
                number(wrong)

    def test_on_the_host_there_is_nothing_to_wait_for(self):
        with Dataset(place.store, batch_size=2) as ds:
            batch = next(iter(ds))
            batch.valid
            batch.record_stream(new_stream())

    def test_tensors_of_torch_are_told_by_a_stream_of_torch(self):
        """Its record_stream takes no other."""
        class Tensor:
            is_cuda, device = True, "cuda:1"

            def record_stream(self, stream):
                told.append((stream.cuda_stream, getattr(stream, "device", None)))

        class External(TorchStream):
            def __init__(self, n, device):
                super().__init__(n)
                self.device = device
        told = []
        batch = Batch({})
        batch._slot = Tensor()
        batch._valid = Tensor()
        torch = types.SimpleNamespace(cuda=types.SimpleNamespace(ExternalStream=External))
        with mock.patch.dict(sys.modules, torch=torch):
            for stream in 7, Stream(5), TorchStream(6):
                batch.record_stream(stream)
            with self.assertRaisesRegex(FeederError, "is not a CUDA stream"):
                batch.record_stream("cuda:0")
        self.assertEqual(told, [(7, "cuda:1")] * 2 + [(5, "cuda:1")] * 2 + [(6, None)] * 2)


if __name__ == "__main__":
    unittest.main()
