"""The device ring beside captures of CUDA graphs, against the C fake.

While a stream is captured, the driver refuses calls that wait for it, and they break the capture; what is recorded
on it is the graph's. So nothing here may touch a captured stream, and nothing may wait for the whole context.
"""

import ctypes
import gc
import mmap
import os
import threading
import unittest

from fakegpu import Capture, Gate, batches, count, destroy, lend, new_stream, place, setUpModule, taken, tearDownModule  # noqa: F401
from support import feeder_of, until
from voxpack import Dataset, FeederError, cuda, stream
from voxpack.devicering import DeviceArray

LONG = 20  # seconds, for what has to happen


def ring(current, slots=2):
    return lend(Dataset(place.store, batch_size=2, seed=3), 0, current, gpu_batches=slots)


def pinned():
    memory = mmap.mmap(-1, 1 << 16)
    return cuda.pin(ctypes.addressof(ctypes.c_char.from_buffer(memory)), 1 << 16, device=0, keep=memory)


def whole_waits():
    return int(count(os.getpid(), "context_syncs"))


def elsewhere(work):
    """Runs work in another thread."""
    failed = []

    def run():
        try:
            work()
        except BaseException as e:
            failed.append(e)
    t = threading.Thread(target=run)
    t.start()
    t.join()
    if failed:
        raise failed[0]


class Control(unittest.TestCase):
    """What the other tests would see."""

    def broken_by(self, work, mode="global"):
        with Capture(new_stream(), mode) as c:
            work()
        return c.broken

    def test_a_wait_for_the_context_breaks_captures(self):
        def wait():
            with cuda.device(0).use(), self.assertRaisesRegex(cuda.CudaError, r"STREAM_CAPTURE_UNSUPPORTED \(900\); a CUDA graph is being captured"):
                cuda.call("cuCtxSynchronize")
        for mode in Capture.MODES:
            for where in (lambda w: w(), elsewhere):
                self.assertTrue(self.broken_by(lambda: where(wait), mode), mode)

    def test_an_unsafe_call_breaks_captures_by_their_mode(self):
        e = ctypes.c_void_p()
        with cuda.device(0).use():
            cuda.call("cuEventCreate", ctypes.byref(e), 2)
        self.addCleanup(self.destroy, e)

        def plain():  # in the mode that a thread has unless it says otherwise
            cuda.call("cuCtxSetCurrent", cuda.device(0).context)
            cuda.library().cuEventSynchronize(e)

        def ours():
            with cuda.device(0).use():
                cuda.call("cuEventSynchronize", e)
        self.assertEqual([self.broken_by(lambda: elsewhere(plain), m) for m in Capture.MODES], [True, False, False])
        self.assertEqual([self.broken_by(plain, m) for m in Capture.MODES], [True, True, False])
        for where in (lambda w: w(), elsewhere):
            self.assertEqual([self.broken_by(lambda: where(ours), m) for m in Capture.MODES], [False] * 3)

    def destroy(self, event):
        with cuda.device(0).use():
            cuda.call("cuEventDestroy_v2", event)

    def test_the_capture_of_a_stream_that_is_gone(self):
        with Capture(new_stream()) as c:
            destroy(c.stream)
            with cuda.device(0).use():
                cuda.call("cuCtxSynchronize")
            c.broken = False  # there is nothing to end

    def test_a_ring_whose_streams_nobody_names(self):
        """It has to wait for the context; that breaks a capture, is said, and passes with the capture."""
        with ring(None) as ds:
            batch = next(batches(ds))
            with Capture(new_stream()):
                del batch
                with self.assertRaisesRegex(cuda.CudaError, "a CUDA graph is being captured"):
                    ds._stream.peek()
            self.assertIsNotNone(ds._stream.peek())
            self.assertEqual(ds._stream._returns.lent - ds._stream._returns.came, 0)


class Captures(unittest.TestCase):
    def test_captures_live_beside_a_ring(self):
        """In each mode, in the thread that captures and in another one: take, give back, close, and let garbage be collected."""
        main = new_stream()

        def work():
            with ring(lambda: main) as ds:
                pid = feeder_of(ds)
                for _ in range(4):
                    batch = next(batches(ds))
                    batch.mel.__dlpack__(stream=main)
                    del batch
            self.assertTrue(until(LONG, lambda: taken(pid) == 0))
            ds = ring(lambda: main)
            batch = next(batches(ds))
            del ds, batch
            gc.collect()
            self.assertTrue(until(LONG, lambda: taken(pid) == 0))
            memory, before = pinned(), int(count(os.getpid(), "pinned_ranges"))
            memory.copied_on(main, 0)
            del memory
            self.assertTrue(until(LONG, lambda: int(count(os.getpid(), "pinned_ranges")) == before - 1))
        for mode in Capture.MODES:
            for name, where in (("same", lambda w: w()), ("another", elsewhere)):
                with self.subTest(mode, thread=name):
                    before = whole_waits()
                    with Capture(new_stream(), mode) as c:
                        where(work)
                    self.assertFalse(c.broken)
                    self.assertEqual(whole_waits(), before)

    def test_a_captured_current_stream_is_refused(self):
        main, side = new_stream(), new_stream()
        now = [side]
        with ring(lambda: now[0]) as ds:
            loop = batches(ds)
            first = next(loop)
            with Capture(main) as c:
                now[0] = main
                with self.assertRaisesRegex(FeederError, "a CUDA graph is being captured on the current stream, .*outside of the capture") as said:
                    ds._stream.peek()
                self.assertEqual(said.exception.kind, "request")
                with self.assertRaisesRegex(BufferError, "a CUDA graph is being captured"):
                    first.mel.__dlpack__(stream=main)
                now[0] = side
            self.assertFalse(c.broken)
            self.assertIsInstance(next(loop).mel, DeviceArray)
            del first

    def test_a_slot_goes_back_after_the_capture(self):
        """A stream that the slot waits for is captured meanwhile: a record there would be the graph's."""
        main, side = new_stream(), new_stream()
        now = [main]
        with ring(lambda: now[0], 1) as ds:
            batch = next(batches(ds))
            now[0] = side
            records = count(os.getpid(), "captured_records")
            r = ds._stream._returns
            with Capture(main) as c:
                del batch
                self.assertTrue(r.look())
                self.assertEqual(r.came, 0)
            self.assertFalse(c.broken)
            self.assertFalse(r.look())
            self.assertEqual((r.came, count(os.getpid(), "captured_records")), (1, records))

    def test_a_stream_that_was_named_is_captured(self):
        main, side = new_stream(), new_stream()
        with ring(lambda: side, 1) as ds:
            batch = next(batches(ds))
            batch.record_stream(main)
            with Capture(main) as c:
                del batch
                self.assertTrue(ds._stream._returns.look())
            self.assertFalse(c.broken)
            self.assertFalse(ds._stream._returns.look())

    def test_a_stream_that_the_default_one_waits_for_is_captured(self):
        """Any use of the default stream would break it, even a question."""
        side, blocking = new_stream(), new_stream(0)
        with ring(lambda: side, 1) as ds:
            batch = next(batches(ds))
            with Capture(blocking) as c:
                del batch
                self.assertTrue(ds._stream._returns.look())
            self.assertFalse(c.broken)
            self.assertIsNotNone(ds._stream.peek())

    def test_a_wait_for_a_capture_is_no_hoard(self):
        """Another thread captures for longer than somebody may hold all batches."""
        main, side = new_stream(), new_stream()
        now = [main]
        before, stream._HELD = stream._HELD, 0.2
        try:
            with ring(lambda: now[0], 1) as ds:
                batch = next(batches(ds))
                now[0] = side
                with Capture(main) as c:
                    ender = threading.Timer(1, c.end)
                    ender.start()
                    del batch
                    self.assertIsNotNone(ds._stream.peek())
                    ender.join()
                self.assertFalse(c.broken)
        finally:
            stream._HELD = before

    def test_garbage_waits_for_nothing(self):
        """The collector runs in any thread: work that is under way holds up another one than that."""
        main = new_stream()
        ds, memory = ring(lambda: main), pinned()  # before: pinning waits for all that the GPU was given
        gate = Gate(main)
        late = threading.Timer(LONG, gate.open)
        late.start()
        try:
            pid, before = feeder_of(ds), int(count(os.getpid(), "pinned_ranges"))
            memory.copied_on(main, 0)
            batch = next(batches(ds))
            del batch
            del ds, memory
            gc.collect()
            self.assertFalse(gate.opened.is_set())
            self.assertEqual((taken(pid), int(count(os.getpid(), "pinned_ranges"))), (1, before))
        finally:
            late.cancel()
            gate.open()
        self.assertTrue(until(LONG, lambda: taken(pid) == 0 and int(count(os.getpid(), "pinned_ranges")) == before - 1))
        self.assertEqual(count(pid, "freed_while_shared"), "0")

    def test_a_ring_closed_in_a_capture_ends_after_it(self):
        main = new_stream()
        with ring(lambda: main) as ds:
            pid = feeder_of(ds)
            batch = next(batches(ds))
            del batch
            self.assertTrue(until(LONG, lambda: taken(pid) == 1))  # those of the tests before are gone
            with Capture(main) as c:
                ds.close()
                self.assertEqual(taken(pid), 1)
            self.assertFalse(c.broken)
        self.assertTrue(until(LONG, lambda: taken(pid) == 0))

    def test_memory_is_unpinned_after_a_capture_of_its_own_thread(self):
        main = new_stream()
        memory, before = pinned(), int(count(os.getpid(), "pinned_ranges"))
        memory.copied_on(main, 0)
        with Capture(main) as c:
            closing = threading.Thread(target=memory.close, daemon=True)
            closing.start()
            closing.join(LONG / 4)
            waits = closing.is_alive()
            self.assertEqual(int(count(os.getpid(), "pinned_ranges")), before)
        self.assertEqual((waits, c.broken), (False, False))
        self.assertTrue(until(LONG, lambda: int(count(os.getpid(), "pinned_ranges")) == before - 1))

    def test_memory_is_unpinned_after_a_stream_that_is_gone(self):
        main, before = new_stream(), int(count(os.getpid(), "pinned_ranges"))
        memory = pinned()
        memory.copied_on(main, 0)
        destroy(main)
        memory.close()
        self.assertEqual(int(count(os.getpid(), "pinned_ranges")), before)


if __name__ == "__main__":
    unittest.main()
