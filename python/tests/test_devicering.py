"""The device ring, against the C fake of libcuda.so.1 (gpufeed/fakecuda).

Feeder and consumer are processes of their own, as on a real GPU; what none of this can say is how a
real driver behaves.
"""

import importlib.util
import os
import signal
import subprocess
import threading
import time
import unittest

from fakegpu import Copies, batches, count, feeder, lend, new_stream, place, setUpModule, taken, tearDownModule  # noqa: F401
from support import feeder_of, until
from voxpack import Dataset, FeederDied, FeederError, cuda, stream
from voxpack.batch import NumpyForm
from voxpack.dataset import Either
from voxpack.devicering import ArrayForm, gpu
from voxpack.feeder import inherited


class Ring(unittest.TestCase):
    def test_values(self):
        for device, more in ((0, {}), (1, {"gpu_batches": 2}), (1, {"data_gpu": 0})):
            with Dataset(place.store, batch_size=3, seed=7, epochs=2, tail="pad") as host, \
                    lend(Dataset(place.store, batch_size=3, seed=7, epochs=2, tail="pad"), device, **more) as ds:
                self.assertEqual(ds._stream.started["device"]["uuid"], cuda.device(device).uuid)
                n = 0
                for _ in range(2):
                    for want, got in zip(host, batches(ds)):
                        self.assertEqual((got.seq, got.epoch, got.ids, got.valid.tolist()), (want.seq, want.epoch, want.ids, want.valid.tolist()))
                        for name in want.columns:
                            a, b = getattr(want, name), getattr(got, name)
                            self.assertEqual((b.shape, b.nbytes, b.address % 256), (a.shape, a.nbytes, 0))
                            self.assertEqual(b.numpy().tobytes(), a.tobytes(), (device, got.seq, name))
                            self.assertEqual(b.__dlpack_device__(), (2, device))
                        n += 1
                self.assertEqual(n, 8)
                self.assertEqual(ds[1].mel.tobytes(), host[1].mel.tobytes())  # a batch apart comes to the host
                self.assertEqual(ds.state_dict(), host.state_dict())

    def test_what_is_made_with_the_batch(self):
        """Columns of extra lie on the GPU like all others: of crops, of whole rows, of some columns, and through both GPUs."""
        store = place.build("en", "data:\n  features: [pcm]\n", "sound")
        for more, device, wanted in (dict(segment=32, extra=["piece_mel"]), {}, ["mel", "pcm", "piece_mel"]), \
                (dict(extra="attn_prior@0.5", columns=["attn_prior", "tokens"]), {}, ["attn_prior", "tokens"]), \
                (dict(segment=32, extra=["piece_mel"], columns=["piece_mel"]), {"data_gpu": 0}, ["piece_mel"]):
            arguments = dict(batch_size=3, seed=7, epochs=1, tail="pad", **more)
            with Dataset(store, **arguments) as host, lend(Dataset(store, **arguments), 1 if device else 0, **device) as ds:
                n = 0
                for want, got in zip(host, batches(ds)):
                    self.assertEqual((got.ids, [c for c in wanted if c not in got.columns]), (want.ids, []))
                    for name in want.columns:
                        self.assertEqual(getattr(got, name).numpy().tobytes(), getattr(want, name).tobytes(), (more, got.seq, name))
                        self.assertTrue(getattr(want, name).any())
                    n += 1
                self.assertEqual(n, 4)

    def late(self, dataset, current, read_on, exported):
        """Copies out of a batch are under way when nobody has the batch any more; the link is slow."""
        with lend(dataset, 0, current, gpu_batches=1) as ds, Dataset(place.store, batch_size=2, seed=3) as host:
            copies = Copies(1 << 20, read_on)
            for want, _ in zip(host, range(4)):
                got = next(batches(ds))
                mel = got.mel
                if exported is not None:
                    mel.__dlpack__(stream=exported, max_version=(1, 0))
                copies.queue(mel)
                size = mel.nbytes
                del got, mel
                ds._stream.peek()  # the next batch lies in the same slot
                self.assertEqual(copies.done(size), want.mel.tobytes())

    def test_a_slot_waits_for_the_work_on_it(self):
        a, b = new_stream(), new_stream()
        for name, current, read_on, exported in (
                ("current", lambda: a, a, None), ("another, by DLPack", lambda: b, a, a), ("and the other way round", lambda: a, b, b), ("nobody knows", None, a, None), ("said to nobody", lambda: b, a, -1)):
            with self.subTest(name):
                self.late(Dataset(place.store, batch_size=2, seed=3), current, read_on, exported)

    def test_without_events_between_processes(self):
        p, path = feeder({"FAKECUDA_IPC_EVENTS": "0"})
        with p:
            try:
                s = new_stream()
                self.late(Dataset(socket=path, batch_size=2, seed=3), lambda: s, s, None)
                with lend(Dataset(socket=path, batch_size=2)) as ds:
                    self.assertIsNone(ds._stream.started["device"]["consumed"])
            finally:
                p.terminate()

    def test_a_gpu_that_fails(self):
        """Batches before the error come, then its words; the feeder says at its end what it lost.

        The fourth copy damages the GPU. From then on every call says so, whichever comes first: the
        batch before may be under way still, or one on its way back.
        """
        p, path = feeder({"FAKECUDA_ECC_COPY": "4"}, "--linger", "100ms", stderr=subprocess.PIPE)
        with p:
            with lend(Dataset(socket=path, batch_size=2, epochs=0)) as ds:
                n = 0
                with self.assertRaisesRegex(FeederError, "(host to GPU 0|release): batch [123]: GPU 0: .*ECC") as c:
                    while True:
                        for b in batches(ds):
                            n += 1
                del b
                self.assertIn(n, (2, 3))
                self.assertEqual(c.exception.kind, "gpu")
            _, said = p.communicate(timeout=120)
        self.assertEqual(p.returncode, 3)
        self.assertRegex(said, "^voxpack: what was taken from a GPU could not be given back: GPU 0: .*ECC.*\n$")

    def test_after_a_lost_gpu_there_is_another_feeder(self):
        """A trainer that tries again at once, while the feeder that lost the GPU still has a consumer."""
        path = os.path.join(place.folder, "lost.sock")
        os.environ["FAKECUDA_ECC_COPY"] = "4"
        try:
            lost, other = (Dataset(place.store, socket=path, batch_size=2, epochs=0) for _ in range(2))
        finally:
            del os.environ["FAKECUDA_ECC_COPY"]
        with other:
            with lend(lost):
                self.assertEqual(feeder_of(lost), feeder_of(other))
                with self.assertRaisesRegex(FeederError, "ECC.* the feeder, process %d: it takes no new consumers" % feeder_of(lost)):
                    while True:
                        for b in batches(lost):
                            pass
                b = None
            with lend(Dataset(place.store, socket=path, batch_size=2)) as ds:
                self.assertNotEqual(feeder_of(ds), feeder_of(other))
                self.assertGreater(next(batches(ds)).mel.nbytes, 0)
            self.assertEqual(len(next(iter(other)).ids), 2)  # on the host it goes on

    def test_a_dead_slot_is_filled_again(self):
        with lend(Dataset(place.store, batch_size=2, seed=3)) as ds:
            r = ds._stream._returns
            it = batches(ds)
            kept = next(it).mel
            bytes_ = kept.numpy().tobytes()
            for _ in range(12):
                it = batches(ds)
                for b in it:
                    pass
            del b, it
            r.look()
            self.assertEqual(r.lent - r.came, 1)
            self.assertEqual(kept.numpy().tobytes(), bytes_)
            del kept
            r.look()
            self.assertEqual(r.lent, r.came)

    def test_hoarders_are_told(self):
        before, stream._HELD = stream._HELD, 0.3
        try:
            with lend(Dataset(place.store, batch_size=2), gpu_batches=2) as ds:
                with self.assertRaisesRegex(FeederError, "all 2 batches on the GPU .* gpu_batches=4") as c:
                    held = []
                    for b in batches(ds):
                        held.append(b)
                self.assertEqual(c.exception.kind, "held")
        finally:
            stream._HELD = before

    def test_an_event_that_cannot_be_recorded_keeps_the_slot(self):
        with lend(Dataset(place.store, batch_size=2), 0, lambda: stale) as ds:
            stale = new_stream()
            b = next(batches(ds))
            with cuda.device(0).use():
                cuda.call("cuStreamDestroy_v2", stale)
            del b
            for _ in range(2):
                with self.assertRaisesRegex(cuda.CudaError, r"cuEventRecord: CUDA_ERROR_INVALID_HANDLE \(400\)"):
                    ds._stream.peek()
            r = ds._stream._returns
            self.assertEqual((r.lent, r.came), (1, 0))


class Changes(unittest.TestCase):
    def test_a_cache_is_given_back_when_told(self):
        """By half of what is free, or by a limit; batches stay the same before and after, also those under way."""
        for room, most in ({}, 8 << 30), ({"gpu_memory": 3}, 3e6):
            with self.subTest(**room), Dataset(place.store, batch_size=2, seed=3, epochs=4) as host, \
                    lend(Dataset(place.store, batch_size=2, seed=3, epochs=4), cache="on", **room) as ds:
                pid, n = feeder_of(ds), 0
                with_cache = int(count(pid, "device0_bytes"))
                self.assertEqual(taken(pid), 2)
                self.assertLessEqual(with_cache, most)
                for epoch in range(4):
                    for want, got in zip(host, batches(ds)):
                        self.assertEqual(got.mel.numpy().tobytes(), want.mel.tobytes())
                        n += 1
                        if n == 6:
                            freed = ds.free_gpu_cache()
                    got = None
                self.assertGreater(freed, 0)
                self.assertTrue(until(2, lambda: taken(pid) == 1))
                self.assertLess(int(count(pid, "device0_bytes")), with_cache)
                self.assertEqual(ds.free_gpu_cache(), 0)
                self.assertEqual(n, 20)
            self.assertEqual(host.free_gpu_cache(), 0)

    def test_a_cache_leaves_half(self):
        p, path = feeder({"FAKECUDA_FREE_MB": "518"})  # beside the ring 4 MiB more than what is kept for others
        with p:
            try:
                with lend(Dataset(socket=path, batch_size=2), cache="on") as ds:
                    self.assertRegex(" ".join(ds._stream.started["notes"]), r"cache on GPU 0 holds 2.1 MB of .* \(gpu_memory\)")
                    self.assertEqual(ds.free_gpu_cache(), 2 << 20)
            finally:
                p.terminate()

    def test_where_a_gpu_cannot_be_shared(self):
        """transport="auto" goes on by the host, and says why."""
        class Form(ArrayForm):
            def stream(self, sock, request, died):
                sock.close()
                raise cuda.CudaError("cuIpcOpenMemHandle", 201)
        with Dataset(place.store, batch_size=2, seed=5, epochs=1) as ds, Dataset(place.store, batch_size=2, seed=5, epochs=1) as host:
            either = Either(ds, Form(), NumpyForm)
            with self.assertWarnsRegex(UserWarning, "by host memory, .*cuIpcOpenMemHandle: CUDA_ERROR_INVALID_CONTEXT .*PID and IPC namespace"):
                got = [b.ids for b in either]
            self.assertEqual(got, [b.ids for b in host])
        with Dataset(place.store, batch_size=2) as ds:
            self.assertEqual(next(iter(Either(ds, ArrayForm(), NumpyForm))).mel.__dlpack_device__(), (2, 0))

    def test_compute_modes(self):
        for mode, name in (("3", "exclusive process"), ("2", "prohibited")):
            p, path = feeder({"FAKECUDA_COMPUTE_MODE": mode})
            with self.subTest(name), p:
                try:
                    with Dataset(socket=path, batch_size=2) as ds:
                        with self.assertRaisesRegex(FeederError, 'GPU 0 is in the compute mode "%s", .*nvidia-smi -c 0.*transport host' % name) as c:
                            lend(ds)
                        self.assertEqual(c.exception.kind, "gpu")
                finally:
                    p.terminate()

    def test_from_ring_to_ring(self):
        """The rest in another place begins after the batch that the loop before it had."""
        with Dataset(place.store, batch_size=2, seed=5, epochs=1) as ds:
            want = [b.ids for b in ds]
        with Dataset(place.store, batch_size=2, seed=5, epochs=1) as ds:
            forms, got = [ArrayForm(1), ArrayForm(0, 1), NumpyForm(), ArrayForm(0)], []
            for form in forms:
                loop = ds._loop(form, rest=bool(got))
                batch = next(loop)
                got.append(batch.ids)
                del batch, loop
            self.assertEqual(ds._stream.started["device"]["uuid"], cuda.device(0).uuid)
            got += [b.ids for b in ds._loop(forms[-1], rest=True)]
        self.assertEqual(got, want)

    def test_words(self):
        with Dataset(place.store, batch_size=2) as ds:
            for wanted, word in ((dict(transport="gpu"), "want host, device or auto"), (dict(data_gpu=0), "are for transport"), (dict(gpu_memory=9), "are for transport"), (dict(cache="yes"), "want auto, on or off"),
                                 (dict(device="cpu", transport="device"), "as in device=.cuda:0."), (dict(device="cuda:0", transport="device"), "torch sees no GPU")):
                if importlib.util.find_spec("torch") is None and "transport" in wanted and "device" in wanted:
                    continue  # it says that torch is not installed
                with self.assertRaisesRegex(FeederError, word):
                    next(iter(ds.torch(**wanted)))
            self.assertEqual(len(next(iter(ds)).ids), 2)


class Lives(unittest.TestCase):
    def test_views_outlive_close(self):
        ds = lend(Dataset(place.store, batch_size=2, seed=3))
        pid = feeder_of(ds)
        b = next(batches(ds))
        mel, want = b.mel, b.mel.numpy().tobytes()
        capsule = b.tokens.__dlpack__(stream=2)
        del b
        ds.close()
        time.sleep(0.2)
        self.assertEqual(taken(pid), 1)
        self.assertEqual(mel.numpy().tobytes(), want)
        del mel
        time.sleep(0.2)
        self.assertEqual(taken(pid), 1)  # the capsule's
        del capsule
        self.assertTrue(until(2, lambda: taken(pid) == 0))
        self.assertEqual(count(pid, "freed_while_shared"), "0")
        self.assertEqual(count(os.getpid(), "live_imports"), "0")
        self.assertEqual(count(os.getpid(), "live_events"), "0")

    def test_close_frees_at_once(self):
        ds = lend(Dataset(place.store, batch_size=2))
        pid = feeder_of(ds)
        for b in batches(ds):
            pass
        del b
        ds.close()
        self.assertTrue(until(1, lambda: taken(pid) == 0))
        self.assertEqual(count(pid, "freed_while_shared"), "0")
        self.assertEqual([t for t in threading.enumerate() if t.name == "voxpack-views"], [])

    def consumer(self, code):
        code = "import sys, time\nfrom voxpack import Dataset, cuda\nfrom voxpack.devicering import *\n" \
               "ds = Dataset(sys.argv[1], batch_size=2)\ns, ds._socket = ds._socket, None\n" \
               "ds._stream = DeviceStream(s, ds._request, ds._feeder.died); ds._transport = ArrayForm().transport\nprint(ds._welcome['pid'])\nit = ds._loop(ArrayForm())\n" + code
        p = place.run(code)
        return p, int(p.stdout.readline())

    def test_killed(self):
        p, pid = self.consumer("held = [next(it), next(it)]\nprint('holding', flush=True)\ntime.sleep(60)")
        with p:
            self.assertEqual(p.stdout.readline(), "holding\n")
            self.assertEqual(taken(pid), 1)
            p.kill()
            self.assertTrue(until(1, lambda: taken(pid) == 0))

    def test_exit_with_views(self):
        for code in ("held = next(it).mel", "held = next(it).mel.__dlpack__(stream=2)", "held = next(it)\nds.close()", "it = iter(ds)"):
            p, pid = self.consumer(code)
            out, said = p.communicate(timeout=120)
            self.assertEqual((p.returncode, said), (0, ""), code)
            self.assertTrue(until(1, lambda: taken(pid) == 0), code)
            self.assertEqual(count(pid, "freed_while_shared"), "0")

    def test_a_fork_gives_nothing_back(self):
        p, pid = self.consumer("""
import os
b = next(it)
want = b.mel.numpy().tobytes()
child = os.fork()
if child == 0:
    said = []
    for refused in (ds._stream.peek, cuda.devices, b.mel.numpy):
        try:
            refused()
        except (FeederError, cuda.CudaError) as e:
            said.append(str(e))
    del b, it
    ds.close()
    os._exit(0 if len(said) == 3 else 1)
assert os.waitpid(child, 0)[1] == 0
for n in range(3):
    for x in ds._loop(ArrayForm(), rest=n == 0):
        pass
assert b.mel.numpy().tobytes() == want
r = ds._stream._returns
del x, it
r.look()
print(r.lent - r.came)
""")
        out, said = p.communicate(timeout=120)
        self.assertEqual((p.returncode, out, said), (0, "1\n", ""))

    def test_feeder_killed(self):
        with lend(Dataset(place.store, batch_size=1)) as ds:  # more batches than slots
            with self.assertRaises(FeederDied):
                for b in batches(ds):
                    if b.seq == 0:
                        os.kill(feeder_of(ds), signal.SIGKILL)
                    state = ds.state_dict()
            self.assertEqual(state["voxpack"], 1)


class Errors(unittest.TestCase):
    def test_no_such_gpu(self):
        with Dataset(place.store, batch_size=2) as ds:
            with self.assertRaisesRegex(cuda.CudaError, r"cuDeviceGet: CUDA_ERROR_INVALID_DEVICE \(101\); .*CUDA_VISIBLE_DEVICES"):
                lend(ds, 7)
        self.assertEqual(gpu("0000:65:00.0"), {"bus": "0000:65:00.0"})
        self.assertEqual(gpu("GPU-1"), {"uuid": "GPU-1"})
        self.assertEqual(gpu("MIG-1"), {"uuid": "MIG-1"})
        self.assertEqual([d.bus for d in cuda.devices()], ["0000:01:00.0", "0000:02:00.0"])

    def test_a_feeder_that_cannot(self):
        for name, env, text in (
                ("no driver", {"LD_LIBRARY_PATH": "", "CUDA_VISIBLE_DEVICES": ""}, "the transport host needs no GPU"),
                ("another GPU", {"CUDA_VISIBLE_DEVICES": "1"}, "no such GPU: GPU-.* the feeder sees 0: Fake GPU 1, .*transport host"),
                ("no memory", {"FAKECUDA_OOM_MB": "0.1"}, "out of memory.*take a smaller batch")):
            with self.subTest(name):
                p, path = feeder(env)
                with p:
                    try:
                        with Dataset(socket=path, batch_size=8) as ds:
                            with self.assertRaisesRegex(FeederError, text) as c:
                                lend(ds)
                            self.assertEqual(c.exception.kind, "gpu")
                    finally:
                        p.terminate()

    def test_a_feeder_that_another_rank_started(self):
        """A launcher leaves each rank one GPU; the feeder that the first of them starts serves them all."""
        for visible in ("1", "", "0,1"):
            with self.subTest(visible):
                os.environ["CUDA_VISIBLE_DEVICES"] = visible
                try:
                    ds = Dataset(place.store, socket=os.path.join(place.folder, "rank%s.sock" % visible), batch_size=2)
                finally:
                    del os.environ["CUDA_VISIBLE_DEVICES"]
                with lend(ds):
                    self.assertEqual(ds._stream.started["device"]["uuid"], cuda.device(0).uuid)

    def test_what_a_feeder_inherits(self):
        mig = "MIG-f0efeeed-eceb-eae9-e8e7-e6e5e4e3e200"
        for visible, want in ((None, None), ("0", None), ("", None), ("GPU-f0efeeed", None), (mig, mig)):
            env = {"PATH": "/bin"} if visible is None else {"PATH": "/bin", "CUDA_VISIBLE_DEVICES": visible}
            got = inherited(env)
            self.assertEqual((got["PATH"], got.get("CUDA_VISIBLE_DEVICES")), ("/bin", want))

    def test_processes_that_do_not_see_each_other(self):
        """What containers with namespaces of their own get; which code it is depends on the driver."""
        code = "import sys\nfrom voxpack import Dataset, FeederError\nfrom voxpack.devicering import DeviceStream\n" \
               "ds = Dataset(sys.argv[1], batch_size=2)\ns, ds._socket = ds._socket, None\n" \
               "try:\n    DeviceStream(s, ds._request, ds._feeder.died)\nexcept FeederError as e:\n    print(e.kind, e)"
        for answer in ("1", "201", "205", "304", "400"):
            os.environ["FAKECUDA_IPC_CODE"] = answer
            try:
                out, said = place.run(code).communicate(timeout=120)
            finally:
                del os.environ["FAKECUDA_IPC_CODE"]
            self.assertRegex(out, r"^gpu cuIpcOpenMemHandle: CUDA_ERROR_\w+ \(%s\); .*PID and IPC namespace.*transport=.host." % answer, said)

    def test_no_driver_here(self):
        code = "import sys\nfrom voxpack import cuda\ncuda._PLACES = ('/nowhere/libcuda.so.1',)\n" \
               "try:\n    cuda.device(0)\nexcept cuda.CudaError as e:\n    print(e.kind, e)"
        out, said = place.run(code).communicate(timeout=120)
        self.assertRegex(out, "gpu libcuda.so.1; there is no NVIDIA driver here")

    def test_a_feeder_that_ends_lets_go(self):
        p, path = feeder({})
        with p:
            with Dataset(socket=path, batch_size=2) as ds:
                lend(ds)
                loop = batches(ds)
                b = next(loop)
                pid = p.pid
                p.terminate()
                time.sleep(0.2)
                self.assertIsNone(p.poll())  # it waits for us
                self.assertEqual(taken(pid), 1)
                del b
                with self.assertRaises(FeederDied):
                    while True:
                        for b in loop:
                            pass
                        loop = batches(ds)
                b = None
            p.wait(5)
            self.assertEqual((taken(pid), count(pid, "freed_while_shared")), (0, "0"))


if __name__ == "__main__":
    unittest.main()
