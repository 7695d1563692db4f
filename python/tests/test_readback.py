"""What voxpack tune advises, read back from the real frameworks and the real program. Each test
runs in a process of its own; a framework that is not installed is skipped. GPUs are those of
the C fake of the driver, which the program sees and the frameworks do not.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import fakegpu
from fakegpu import tearDownModule  # noqa: F401
from support import PROGRAM
from test_settings import PACKAGE, TENSORFLOW_GPUS, child, needs
from voxpack.settings import cores

# Two GPUs for the program alone: the loader of this process has read its own paths already.
FAKE = """
    import os
    os.environ["LD_LIBRARY_PATH"] = %r
    os.environ.pop("CUDA_VISIBLE_DEVICES")
"""
READ = """
    done = voxpack.verify(%s)
    print(json.dumps({"sound": bool(done), "text": str(done), "lines": [line._asdict() for line in done.lines], "unseen": done.unseen}))
"""


def setUpModule():
    fakegpu.setUpModule()
    os.environ.pop("LD_LIBRARY_PATH")


def read(code, arguments="", **env):
    """The readback at the end of a trainer, with its lines by name."""
    got = child(code + READ % arguments, **dict({"VOXPACK": PROGRAM}, **env))
    got["lines"] = {line["name"]: line for line in got["lines"]}
    return got


def alone(*arguments, **env):
    """python -m voxpack tune --verify: its exit code, and what it prints."""
    told = {k: v for k, v in os.environ.items() if k not in ("OMP_NUM_THREADS", "LD_LIBRARY_PATH", "LOCAL_WORLD_SIZE")}
    told.update(dict(PYTHONPATH=PACKAGE, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", VOXPACK=PROGRAM), **env)
    done = subprocess.run([sys.executable, "-m", "voxpack", "tune", *arguments, "--verify"], env=told, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout, done.stderr


@needs("torch")
class Torch(unittest.TestCase):
    APPLIED = "import torch, voxpack\n    voxpack.settings('torch').apply()\n"

    def test_all_is_as_advised(self):
        got = read("    " + self.APPLIED, "framework='torch', device='host'")
        self.assertTrue(got["sound"], got["text"])
        self.assertEqual({line["state"] for line in got["lines"].values()}, {"ok"})
        self.assertEqual(got["lines"]["threads"]["found"], cores.usable())
        self.assertIsNone(got["lines"]["OMP_NUM_THREADS"]["found"])  # torch has them without it
        self.assertIn("result    0 differ, 0 for the trainer to set", got["text"])

    def test_what_was_changed_since_is_named(self):
        got = read("    " + self.APPLIED + """
            torch.set_num_threads(%d)
            torch.backends.cudnn.benchmark = False
            torch.set_float32_matmul_precision("highest")
        """.replace("        ", "") % (cores.usable() + 1), "device='host'")
        wrong = {name: line["found"] for name, line in got["lines"].items() if line["state"] != "ok"}
        self.assertEqual(wrong.pop("OMP_NUM_THREADS"), None)  # and torch has another number
        self.assertEqual(wrong, {"threads": cores.usable() + 1, "cudnn_benchmark": False, "float32_matmul_precision": "highest"})
        self.assertFalse(got["sound"])
        self.assertIn("error   torch: threads is %d\n          wanted: %d\n" % (cores.usable() + 1, cores.usable()), got["text"])

    def test_gpus_that_torch_does_not_see(self):
        got = read(FAKE % fakegpu.fake + "    " + self.APPLIED, "framework=['torch']")
        line = got["lines"]["visible_gpus"]
        self.assertEqual((line["state"], line["wanted"], line["found"]), ("error", 2, 0))
        self.assertTrue(line["todo"])
        self.assertEqual((got["lines"]["autocast"]["wanted"], got["lines"]["CUDA_DEVICE_ORDER"]["state"]), ("bfloat16 on cpu", "error"))
        got = read(FAKE % fakegpu.fake + "    os.environ['CUDA_DEVICE_ORDER'] = 'PCI_BUS_ID'\n    " + self.APPLIED, "framework=['torch']")
        self.assertEqual(got["lines"]["CUDA_DEVICE_ORDER"]["state"], "ok")


@needs("tensorflow")
class TensorFlow(unittest.TestCase):
    def test_two_gpus(self):
        begin = FAKE % fakegpu.fake + TENSORFLOW_GPUS + "    import voxpack\n"
        got = read(begin, "framework='tensorflow'")
        self.assertEqual(got["lines"]["visible_gpus"]["state"], "ok", got["text"])
        wrong = {name: (line["wanted"], line["found"]) for name, line in got["lines"].items() if line["state"] != "ok"}
        self.assertEqual(wrong["policy"], ("mixed_float16", "float32"))
        self.assertEqual((wrong["memory_growth[0]"], wrong["TF_FORCE_GPU_ALLOW_GROWTH"]), ((True, False), ("true", None)))
        self.assertEqual((wrong["xla"], wrong["TF_XLA_FLAGS"]), (("autoclustering", ""), ("--tf_xla_auto_jit=2", None)))
        self.assertEqual(wrong["inter_op_threads"], (cores.usable(), 0))
        apply = "    voxpack.settings('tensorflow', precision='mixed_float16').apply()\n    os.environ['CUDA_DEVICE_ORDER'] = 'PCI_BUS_ID'\n"
        self.assertTrue(read(begin + apply, "framework='tensorflow'")["sound"])

    def test_gpus_that_were_chosen_too_late(self):
        """TensorFlow has counted two, and the driver, which is asked now, obeys the variable: it has one, whose number no order changes."""
        begin = FAKE % fakegpu.fake + TENSORFLOW_GPUS + "    import voxpack\n    os.environ.update(CUDA_VISIBLE_DEVICES='0', FAKECUDA_DEVICES='1')\n"
        got = read(begin, "framework='tensorflow'")
        line = got["lines"]["visible_gpus"]
        self.assertEqual((line["state"], line["wanted"], line["found"]), ("error", 1, 2))
        self.assertIn("tensorflow counted them before CUDA_VISIBLE_DEVICES was set to 0:", line["todo"])
        self.assertNotIn("CUDA_DEVICE_ORDER", got["lines"])

    def test_variables_alone_are_enough(self):
        begin = FAKE % fakegpu.fake + TENSORFLOW_GPUS + "    import voxpack\n"
        lines = read(begin, TF_FORCE_GPU_ALLOW_GROWTH="true", TF_XLA_FLAGS="--tf_xla_auto_jit=2")["lines"]
        self.assertEqual([lines[n]["state"] for n in ("memory_growth[0]", "memory_growth[1]", "xla", "TF_XLA_FLAGS")], ["ok"] * 4)
        self.assertEqual(lines["policy"]["state"], "error")


@needs("jax")
class JAX(unittest.TestCase):
    def test_what_jax_says(self):
        got = read("    import jax, voxpack\n")
        self.assertTrue(got["sound"])
        self.assertEqual(sorted(got["lines"]), ["float32_matmul_precision", "x64"])
        got = read("    import jax, voxpack\n    jax.config.update('jax_enable_x64', True)\n    jax.config.update('jax_default_matmul_precision', 'highest')\n")
        self.assertEqual([got["lines"][n]["state"] for n in ("x64", "float32_matmul_precision")], ["error", "error"])

    def test_plugins_are_folders_of_one_package(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "jax_plugins", "xla_cuda13"))
            os.makedirs(os.path.join(folder, "jax_plugins", "metal"))
            code = "from voxpack.settings import for_jax; none = for_jax.plugins(); sys.path.append(%r)\nprint(json.dumps([none, for_jax.plugins()]))"
            self.assertEqual(child(code % folder), [[], ["xla_cuda13"]])

    def test_preallocation_and_gpus(self):
        got = read(FAKE % fakegpu.fake + "    import jax, voxpack\n")
        self.assertEqual(got["lines"]["XLA_PYTHON_CLIENT_PREALLOCATE"]["state"], "error")
        plugin = """
            from voxpack.settings import for_jax
            for_jax.plugins = lambda: ["xla_cuda12"]
        """.replace("        ", "")
        got = read(FAKE % fakegpu.fake + "    import jax, voxpack" + plugin + "\n    voxpack.settings('jax').apply()\n")
        self.assertEqual([got["lines"][n]["state"] for n in ("XLA_PYTHON_CLIENT_PREALLOCATE", "preallocation")], ["ok", "ok"])
        self.assertNotIn("visible_gpus", got["lines"])  # JAX has not started, and nobody may start it
        self.assertTrue([u for u in got["unseen"] if u.startswith("jax: which GPUs")], got["unseen"])


class Command(unittest.TestCase):
    @needs("torch")
    def test_a_process_of_its_own(self):
        code, said, _ = alone("--framework", "torch", "--device", "host", "--json")
        got = json.loads(said)
        lines = {line["name"]: line["state"] for line in got["lines"]}
        self.assertEqual((code, got["sound"], [f["framework"] for f in got["frameworks"]]), (0, True, ["torch"]))
        self.assertEqual((lines["cudnn_benchmark"], lines["threads"]), ("warning", "ok"))
        if cores.usable() > 1:
            code, said, _ = alone("--framework=torch", "--device=host", OMP_NUM_THREADS="1")
            self.assertEqual(code, 1)
            self.assertIn("error   torch: OMP_NUM_THREADS is 1\n          wanted: %d\n" % cores.usable(), said)
        said = alone("--framework=torch", "--device=host")[1]
        self.assertTrue(all(len(line) <= 76 for line in said.splitlines()), said)

    def test_refusals(self):
        for arguments, env, want, words in (
            (("--framework", "mxnet"), {}, 2, "settings for tensorflow, torch, jax, not for 'mxnet'"),
            (("--nonsense",), {}, 2, "unrecognized arguments"),
            (("--apply", "x.yaml"), {}, 2, "--apply"),
        ):
            code, _, said = alone(*arguments, **env)
            self.assertEqual((code, words in said), (want, True), said)

    @needs("torch")
    def test_a_program_that_does_not_answer(self):
        for program, words in (("/nonexistent/voxpack", "does not run"), (sys.executable, "voxpack tune"), ("/bin/true", "take both from one release")):
            code, _, said = alone("--framework", "torch", VOXPACK=program)
            self.assertEqual((code, words in said), (3, True), said)
        code, _, said = alone("--framework", "torch", "/nonexistent")
        self.assertEqual((code, "/nonexistent" in said), (3, True), said)

    def test_no_framework_is_imported(self):
        got = child("""
            import voxpack
            try:
                voxpack.verify()
            except RuntimeError as e:
                print(json.dumps(str(e)))
        """)
        self.assertIn("no framework is imported", got)

    def test_without_verify_it_is_the_program(self):
        done = subprocess.run([sys.executable, "-m", "voxpack", "tune", "--device", "host"], env=dict(os.environ, PYTHONPATH=PACKAGE, VOXPACK=PROGRAM),
                              stdout=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, "# environment" in done.stdout), (0, True))


if __name__ == "__main__":
    unittest.main()
