"""The settings, read back from the real frameworks. Each test runs in a process of its own,
because most can be set once in a process. A framework that is not installed is skipped.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, PACKAGE)

from voxpack.settings import SettingsError, cores, for_torch, settings  # noqa: E402


def needs(module):
    return unittest.skipUnless(importlib.util.find_spec(module), "%s is not installed" % module)


def child(code, **env):
    """What a process of its own prints last, from JSON."""
    told = {k: v for k, v in os.environ.items() if k not in ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "LOCAL_WORLD_SIZE")}
    told.update(PYTHONPATH=PACKAGE, TF_CPP_MIN_LOG_LEVEL="2", CUDA_VISIBLE_DEVICES="", **env)
    done = subprocess.run([sys.executable, "-c", "import json, sys\n" + textwrap.dedent(code)], env=told, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


# A GPU for TensorFlow's bookkeeping, which is the real one; nothing is computed on it.
TENSORFLOW_GPUS = """
    import tensorflow as tf
    from tensorflow.python.eager import context
    c = context.context()
    c.list_physical_devices()
    for i in range(2):
        gpu = context.PhysicalDevice("/physical_device:GPU:%d" % i, "GPU")
        c._physical_devices.append(gpu)
        c._visible_device_list.append(gpu)
        c._memory_growth_map[gpu] = False
"""


@needs("tensorflow")
class TensorFlow(unittest.TestCase):
    def test_each_is_read_back(self):
        got = child("""
            import tensorflow as tf
            import voxpack
            s = voxpack.settings(cores=6, precision="mixed_bfloat16")
            before = s.verify()
            again = s.apply().apply().verify()
            threading = tf.config.threading
            o = tf.data.Dataset.range(9).map(lambda x: x + 1).batch(2).with_options(voxpack.tf_options(True, cores=3, threads=2))
            read, opt = o.options(), o.options().experimental_optimization
            plain = tf.data.Dataset.range(1).with_options(voxpack.tf_options()).options()
            print(json.dumps({
                "values": s.values, "before": [d.name for d in before], "again": again, "why": sorted(s.why),
                "inter": threading.get_inter_op_parallelism_threads(), "intra": threading.get_intra_op_parallelism_threads(),
                "jit": tf.config.optimizer.get_jit(), "policy": tf.keras.mixed_precision.global_policy().name,
                "compute": tf.keras.layers.Dense(1).compute_dtype,
                "options": [opt.parallel_batch, opt.map_fusion, opt.map_parallelization, read.autotune.enabled, read.autotune.cpu_budget,
                            read.deterministic, read.threading.private_threadpool_size],
                "plain": [plain.deterministic, plain.threading.private_threadpool_size, plain.autotune.cpu_budget],
                "data": [b.tolist() for b in o.as_numpy_iterator()], "table": repr(s)}))
        """)
        values = {"inter_op_threads": 6, "intra_op_threads": 3, "xla": "autoclustering", "policy": "mixed_bfloat16"}
        self.assertEqual((got["values"], got["why"]), (values, sorted(values)))
        self.assertEqual((sorted(got["before"]), got["again"]), (sorted(values), []))
        self.assertEqual([got[k] for k in ("inter", "intra", "jit", "policy", "compute")], [6, 3, "autoclustering", "mixed_bfloat16", "bfloat16"])
        self.assertEqual(got["options"], [True, True, True, True, 3, True, 2])
        self.assertEqual(got["plain"], [False, None, cores.usable()])
        self.assertEqual(got["data"], [[1, 2], [3, 4], [5, 6], [7, 8], [9]])
        self.assertRegex(got["table"], r"settings for tensorflow \d.*\n  inter_op_threads +6 +operations run side by side")

    def test_too_late_is_said(self):
        got = child("""
            import tensorflow as tf
            import voxpack
            from voxpack.settings import SettingsError
            s = voxpack.settings("tensorflow", cores=6)
            tf.ones(3)
            try:
                s.apply()
            except SettingsError as e:
                said = str(e)
                names = [d.name for d in e.differs]
            tf.keras.mixed_precision.set_global_policy("mixed_float16")
            late = [d._asdict() for d in s.verify()]
            one = voxpack.settings("tensorflow", cores=6, xla=False, precision="keep")
            print(json.dumps({"said": said, "names": names, "late": late, "jit": tf.config.optimizer.get_jit(), "one": one.values}))
        """)
        self.assertEqual(got["names"], ["inter_op_threads", "intra_op_threads"])
        self.assertRegex(got["said"], r"tensorflow refused 2 of 4 settings:\n  inter_op_threads stays at 0 instead of 6 \(Inter op .*\): apply\(\) has to come before TensorFlow's first operation")
        self.assertEqual([(d["name"], d["wanted"], d["found"]) for d in got["late"]],
                         [("inter_op_threads", 6, 0), ("intra_op_threads", 3, 0), ("policy", "float32", "mixed_float16")])
        self.assertTrue(all(d["todo"] for d in got["late"]))
        self.assertEqual(got["jit"], "autoclustering")  # set all the same
        self.assertEqual(got["one"], {"inter_op_threads": 6, "intra_op_threads": 3, "xla": ""})

    def test_growth_of_gpus(self):
        got = child(TENSORFLOW_GPUS + """
    import voxpack
    s = voxpack.settings("tensorflow", precision="mixed_float16").apply()
    o = c.config.gpu_options
    print(json.dumps({"values": s.values, "verify": s.verify(), "growth": o.allow_growth, "caps": len(o.experimental.virtual_devices)}))
        """)
        self.assertEqual((got["values"]["memory_growth[0]"], got["values"]["memory_growth[1]"], got["verify"]), (True, True, []))
        self.assertEqual((got["growth"], got["caps"]), (True, 0))

    def test_caps_of_gpus(self):
        got = child(TENSORFLOW_GPUS + """
    import os
    import voxpack
    s = voxpack.settings("tensorflow", memory_mb={1: 512}, precision="mixed_float16")
    before = [d.name for d in s.verify()]
    s.apply()
    o = c.config.gpu_options
    print(json.dumps({"values": s.values, "before": before, "verify": s.verify(), "caps": [list(v.memory_limit_mb) for v in o.experimental.virtual_devices],
                      "forced": os.environ.get("TF_FORCE_GPU_ALLOW_GROWTH")}))
        """)
        self.assertEqual((got["values"]["memory_growth[0]"], got["values"]["memory_mb[1]"], got["verify"]), (True, 512, []))
        self.assertEqual((got["caps"], got["forced"]), ([[], [512]], "true"))
        self.assertTrue({"memory_growth[0]", "memory_mb[1]"} <= set(got["before"]))


@needs("torch")
class Torch(unittest.TestCase):
    def test_each_is_read_back(self):
        got = child("""
            import torch
            import voxpack
            s = voxpack.settings(cores=4, precision="mixed_float16")
            before, again = s.verify(), s.apply().apply().verify()
            with s.autocast():
                inside = str((torch.ones(2, 2) @ torch.ones(2, 2)).dtype)
            with torch.autocast("cpu"):
                plain = str((torch.ones(2, 2) @ torch.ones(2, 2)).dtype)
            print(json.dumps({
                "values": s.values, "before": [d.name for d in before], "again": again,
                "threads": [torch.get_num_threads(), torch.get_num_interop_threads()], "matmul": torch.get_float32_matmul_precision(),
                "benchmark": torch.backends.cudnn.benchmark, "dtype": str(torch.get_autocast_dtype("cpu")), "inside": inside, "plain": plain,
                "segments": torch.cuda.memory._snapshot()["allocator_settings"]["expandable_segments"], "table": str(s)}))
        """)
        self.assertEqual(got["values"], {"expandable_segments": True, "threads": 4, "inter_op_threads": 2, "float32_matmul_precision": "high",
                                         "cudnn_benchmark": True, "autocast": "float16 on cpu"})
        self.assertEqual(got["again"], [])
        self.assertTrue({"expandable_segments", "float32_matmul_precision", "cudnn_benchmark"} <= set(got["before"]), got["before"])
        self.assertEqual([got[k] for k in ("threads", "matmul", "benchmark", "segments")], [[4, 2], "high", True, True])
        self.assertEqual([got[k] for k in ("dtype", "inside", "plain")], ["torch.float16"] * 3)
        self.assertRegex(got["table"], r"settings for torch \d[\s\S]*\n  threads +4 +threads within one operation")

    def test_too_late_is_said(self):
        got = child("""
            import torch
            import voxpack
            from voxpack.settings import SettingsError
            torch.set_num_interop_threads(3)
            s = voxpack.settings("torch", cores=4)
            try:
                s.apply()
            except SettingsError as e:
                said, names = str(e), [d.name for d in e.differs]
            torch.backends.cudnn.benchmark = False
            late = [d._asdict() for d in s.verify()]
            torch.cuda.is_initialized = lambda: True  # as behind the first tensor on a GPU
            try:
                voxpack.settings("torch", cores=6, expandable_segments=False).apply()
            except SettingsError as e:
                cuda = [(d.name, d.found, d.todo) for d in e.differs]
            print(json.dumps({"said": said, "names": names, "late": late, "matmul": torch.get_float32_matmul_precision(), "cuda": cuda}))
        """)
        self.assertEqual(got["names"], ["inter_op_threads"])
        self.assertRegex(got["said"], r"torch refused 1 of 6 settings:\n  inter_op_threads stays at 3 instead of 2 \(.*\): apply\(\) has to come before torch computes")
        self.assertEqual([(d["name"], d["wanted"], d["found"]) for d in got["late"]], [("inter_op_threads", 2, 3), ("cudnn_benchmark", True, False)])
        self.assertEqual(got["matmul"], "high")  # set all the same
        self.assertEqual(got["cuda"][0][:2], ["expandable_segments", True])
        self.assertIn("before the first tensor on a GPU", got["cuda"][0][2])

    def test_precision_that_was_set_in_another_way(self):
        got = child("""
            import torch
            import voxpack
            newer = torch.backends.cuda.matmul
            if not hasattr(newer, "fp32_precision"):
                print("null")
                sys.exit()
            newer.fp32_precision = "tf32"
            s = voxpack.settings("torch")
            found = [[d.found for d in s.verify() if d.name == "float32_matmul_precision"]]
            found.append(s.apply().verify())
            newer.fp32_precision = "ieee"
            found.append([d.found for d in s.verify()])
            found += [s.apply().verify(), newer.fp32_precision, voxpack.settings("torch", matmul="highest").apply().verify(), newer.fp32_precision]
            print(json.dumps(found))
        """)
        if got is None:
            self.skipTest("this torch has one interface for it only")
        self.assertIn("unknown (PyTorch is checking", got[0][0])
        self.assertEqual(got[1:], [[], ["high, but on CUDA ieee"], [], "tf32", [], "ieee"])

    def test_the_environment_keeps_its_word(self):
        code = """
            import os
            import torch
            import voxpack
            s = voxpack.settings("torch").apply()
            asked = voxpack.settings("torch", expandable_segments=True)
            a = torch.cuda.memory._snapshot()["allocator_settings"]
            print(json.dumps([s.values["expandable_segments"], s.verify(), a["expandable_segments"], a["garbage_collection_threshold"], a["roundup_power2_divisions"]["256"],
                              [d.name for d in asked.verify()], asked.apply().verify()]))
        """
        both = "garbage_collection_threshold:0.5,roundup_power2_divisions:[256:2,512:4,>:8]"
        for name in ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"):
            self.assertEqual(child(code, **{name: both}), [True, [], True, 0.5, 2, [], []], name)
        got = child(code, PYTORCH_CUDA_ALLOC_CONF="expandable_segments:False,garbage_collection_threshold:0.5")
        self.assertEqual(got[:4] + got[5:], [False, [], False, 0.5, ["expandable_segments"], []])

    def test_float32_and_keep(self):
        got = child("""
            import torch
            import voxpack
            s = voxpack.settings("torch", benchmark=False, matmul="highest").apply()
            with s.autocast():
                inside = str((torch.ones(2, 2) @ torch.ones(2, 2)).dtype)
            keep, kept = voxpack.settings("torch", precision="keep"), []
            for on in (True, False):
                with torch.autocast("cpu", dtype=torch.float16, enabled=on), keep.autocast():
                    kept.append(str((torch.ones(2, 2) @ torch.ones(2, 2)).dtype))
            print(json.dumps([s.values["autocast"], s.values["cudnn_benchmark"], torch.get_float32_matmul_precision(), inside, "autocast" in keep.values, kept]))
        """)
        self.assertEqual(got, ["off", False, "highest", "torch.float32", False, ["torch.float16", "torch.float32"]])

    def test_caps_of_gpus(self):
        """What a GPU would be told; there is none here, so its part of torch is written down."""
        got = child("""
            import torch
            import voxpack
            from voxpack.settings import SettingsError, for_torch
            class Properties:
                total_memory = 16 * 2**30
            kept, order = {}, []
            def cap(part, number):
                import os
                order.append(os.environ.get("PYTORCH_CUDA_ALLOC_CONF"))
                kept[number] = part
            torch.cuda.is_available, torch.cuda.device_count = (lambda: True), (lambda: 2)
            torch.cuda.get_device_properties = lambda n: Properties
            torch.cuda.is_initialized = lambda: bool(kept)
            torch.cuda.set_per_process_memory_fraction = cap
            torch.cuda.get_per_process_memory_fraction = lambda n: kept.get(n, 1.0)
            torch.cuda.memory._snapshot = lambda: {"allocator_settings": {"expandable_segments": True}}
            for_torch._capabilities = lambda: [(9, 0), (7, 5)]
            s = voxpack.settings("torch", memory_mb={1: 8192, 0: 4096}).apply()
            try:
                voxpack.settings("torch", memory_mb={0: 20000}).apply()
            except SettingsError as e:
                said = str(e)
            print(json.dumps([kept, order[0], s.verify(), s.values["memory_mb[1]"], s.values["autocast"], said]))
        """)
        self.assertEqual(got[:5], [{"0": 0.25, "1": 0.5}, "expandable_segments:True", [], 8192, "float16 on cuda"])
        self.assertRegex(got[5], r"memory_mb\[0\] stays at 4096 instead of 20000 \(GPU 0 has 16384 MiB\)")


class Words(unittest.TestCase):
    def test_what_makes_no_sense(self):
        for words, args, kw in (
                ("there are settings for tensorflow, torch, jax, not for 'mxnet'", ("mxnet",), {}),
                ("matmul= is for torch only, not for tensorflow", ("tensorflow",), {"matmul": "high"}),
                ("xla= is for tensorflow only, not for torch", ("torch",), {"xla": False}),
                ("precision 'fp16': it has to be one of auto, float32,", ("torch",), {"precision": "fp16"}),
                ("cores=0: at least one", ("torch",), {"cores": 0}),
                ("a cap is a number of MiB above 0", ("torch",), {"memory_mb": {0: 0}})):
            with self.assertRaises(SettingsError) as caught:
                settings(*args, **kw)
            self.assertIn(words, str(caught.exception))

    def test_which_framework(self):
        code = """
            import types
            import voxpack
            sys.modules.update({name: types.ModuleType(name) for name in %r})
            try:
                voxpack.settings()
            except RuntimeError as e:
                print(json.dumps([str(e), [m for m in ("tensorflow", "torch", "jax", "keras") if m in sys.modules]]))
        """
        said, imported = child(code % ((),))
        self.assertEqual(imported, [])
        self.assertIn('name one, as in voxpack.settings("torch")', said)
        self.assertIn("tensorflow and torch are both imported", child(code % (("torch", "tensorflow"),))[0])
        # Keras imports JAX for TensorFlow; what anybody else has of it was imported by the program.
        code = """
            import importlib
            import types
            import voxpack
            imported = importlib.import_module("voxpack.settings")._imported
            sys.modules.update({name: types.ModuleType(name) for name in ("tensorflow", "jax", "jax.numpy", "keras.src", "trainer")})
            sys.modules["jax"].numpy, sys.modules["keras.src"].jax = sys.modules["jax.numpy"], sys.modules["jax"]
            found = [imported()]
            for code in ("from jax import numpy as jnp", "def grad(): 0\\ngrad.__module__ = 'jax._src.api'", "class Array: __module__ = 'jax'"):
                sys.modules["trainer"].__dict__.clear()
                exec(code, sys.modules["trainer"].__dict__)
                found.append(imported())
            try:
                sys.modules["trainer"].jax = sys.modules["jax"]
                voxpack.settings()
            except RuntimeError as e:
                found.append(str(e))
            print(json.dumps(found))
        """
        found = child(code)
        self.assertEqual(found[:4], [["tensorflow"]] + [["tensorflow", "jax"]] * 3)
        self.assertIn("tensorflow and jax are both imported", found[-1])

    @needs("torch")
    def test_a_gpu_that_is_not_there(self):
        self.assertEqual(child("""
            import torch
            import voxpack
            try:
                voxpack.settings(memory_mb={0: 8192})
            except RuntimeError as e:
                print(json.dumps(str(e)))
        """), "memory_mb names GPU 0, and torch sees no GPU")

    def test_the_function_and_the_module(self):
        self.assertEqual(child("""
            from voxpack.settings import SettingsError
            import voxpack
            said = []
            for _ in range(2):
                try:
                    voxpack.settings("mxnet")
                except SettingsError as e:
                    said.append(str(e)[:9])
            print(json.dumps(said))
        """), ["there are"] * 2)

    def test_precision_follows_the_oldest_gpu(self):
        real, found = for_torch._capabilities, []
        for_torch._capabilities = lambda: found
        try:
            for capabilities, want in (([(8, 0), (9, 0)], "mixed_bfloat16"), ([(9, 0), (7, 5)], "mixed_float16"), ([(6, 1)], "float32"), ([], "float32")):
                found[:] = capabilities
                self.assertEqual(for_torch._choose(1)[0], want, capabilities)
        finally:
            for_torch._capabilities = real
        self.assertEqual(for_torch._choose(0)[0], "float32")


class Cores(unittest.TestCase):
    def tree(self, cgroup, **files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(os.path.join(folder.name, "proc"), "w", encoding="ascii") as f:
            f.write(cgroup)
        for path, text in files.items():
            path = os.path.join(folder.name, path.replace("__", "/").replace("_DOT_", "."))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as f:
                f.write(text + "\n")
        return os.path.join(folder.name, "proc"), folder.name

    def test_quotas(self):
        two = self.tree("0::/a/b\n", a__b__cpu_DOT_max="max 100000", a__cpu_DOT_max="150000 100000", cpu_DOT_max="400000 100000")
        self.assertEqual(cores.quotas(*two), [1.5, 4.0])
        self.assertEqual(cores.quotas(*self.tree("0::/gone\n", cpu_DOT_max="50000 100000")), [0.5])
        one = self.tree("4:memory:/x\n1:cpu,cpuacct:/x\n", **{"cpu,cpuacct__x__cpu_DOT_cfs_quota_us": "200000", "cpu,cpuacct__x__cpu_DOT_cfs_period_us": "100000",
                                                              "cpu,cpuacct__cpu_DOT_cfs_quota_us": "-1", "cpu,cpuacct__cpu_DOT_cfs_period_us": "100000"})
        self.assertEqual(cores.quotas(*one), [2.0])
        self.assertEqual(cores.quotas("/nowhere", "/nowhere"), [])

    def test_the_least_decides(self):
        may = len(os.sched_getaffinity(0))
        self.assertEqual(cores.usable("/nowhere", "/nowhere"), may)
        self.assertEqual(cores.usable(*self.tree("0::/\n", cpu_DOT_max="20000 100000")), 1)
        self.assertEqual(cores.usable(*self.tree("0::/\n", cpu_DOT_max="9900000 100000")), may)
        if may > 1:
            code = "import json, os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]); from voxpack.settings import cores; print(json.dumps(cores.usable()))"
            self.assertEqual(child(code), 1)

    @needs("torch")
    def test_ranks_share_the_cores(self):
        code = """
            import os
            import voxpack
            threads = []
            for os.environ["LOCAL_WORLD_SIZE"] in ("1", "2", "999"):
                threads.append(voxpack.settings('torch').values['threads'])
            print(json.dumps(threads))
        """
        self.assertEqual(child(code), [cores.usable(), max(1, cores.usable() // 2), 1])


if __name__ == "__main__":
    unittest.main()
