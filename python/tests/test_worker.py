"""Programs of computed columns: real processes, spoken to by the bytes of docs/workers.md."""

import json
import os
import struct
import subprocess
import sys
import tempfile
import textwrap
import unittest

import numpy as np

from support import PACKAGE, PROGRAM, Place

import voxpack

HELLO = {"protocol": 1, "column": "c", "version": "v1", "dtype": "f32", "shape": [2], "shorter": False, "rate": 16000, "batch": 16}


def frame(kind, payload):
    return struct.pack("<4sIQ", b"VXW1", kind, len(payload)) + payload


def batch(number, rows):
    """rows: (id, samples, text, tokens) of each."""
    out = struct.pack("<II", number, len(rows))
    for name, pcm, text, tokens in rows:
        name, text = name.encode(), text.encode()
        pcm = np.asarray(pcm)
        pcm = pcm if pcm.dtype == np.int16 else pcm.astype("<f4")
        out += struct.pack("<5I", len(name), len(text), len(tokens), len(pcm), pcm.itemsize) + name + text + bytes(-(len(name) + len(text)) % 4)
        out += np.asarray(tokens, "<i4").tobytes() + pcm.tobytes() + bytes(-pcm.nbytes % 4)
    return frame(3, out)


def parse(said):
    """What a worker wrote: {row: array or text}, and what its other frames hold."""
    rows, others = {}, []
    while said:
        magic, kind, size = struct.unpack_from("<4sIQ", said)
        assert magic == b"VXW1", said[:40]
        payload, said = said[16:16 + size], said[16 + size:]
        if kind != 4:
            others.append((kind, payload.decode()))
            continue
        number, row, failed = struct.unpack_from("<III", payload)
        if failed:
            rows[number, row] = payload[12:].decode()
            continue
        name, dims = struct.unpack_from("<4sI", payload, 12)
        shape = struct.unpack_from("<%dI" % dims, payload, 20)
        dtype = {b"f32": "<f4", b"f16": "<f2", b"bf16": "<u2", b"i32": "<i4", b"i16": "<i2"}[name.rstrip(b"\0")]
        rows[number, row] = np.frombuffer(payload[20 + 4 * dims:], dtype).reshape(shape)
    return rows, others


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="vx")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_program(self, command, frames, hello=None):
        env = dict(os.environ, PYTHONPATH=os.pathsep.join([PACKAGE, os.environ.get("PYTHONPATH", "")]), VOXPACK_WORKER="1")
        asked = frame(1, json.dumps(dict(HELLO, **hello or {})).encode()) + b"".join(frames)
        done = subprocess.run(command, input=asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=self.folder)
        self.said, self.status = done.stderr.decode(), done.returncode
        return parse(done.stdout)

    def script(self, body, frames, hello=None, version=""):
        path = os.path.join(self.folder, "w.py")
        with open(path, "w", encoding="utf-8") as f:
            f.write("import os, sys\nimport numpy as np\nimport voxpack\n")
            f.write(("@voxpack.column(version=%r)\n" % version if version else "@voxpack.column\n") + textwrap.dedent(body) + "\nif __name__ == '__main__':\n    c.run()\n")
        return self.run_program([sys.executable, path], frames, hello)


class Workers(Programs):
    def test_rows_and_values(self):
        """Every part of a row arrives, in batches of any size; texts of every length keep the arrays in their places."""
        rows = [("r%d" % i, np.arange(i * 7) / 1000 if i % 3 else np.arange(i * 7, dtype=np.int16) * 99, "é" * i, list(range(-i, 0))) for i in range(9)]
        got, others = self.script('''
            def c(rows):
                assert all(r.rate == 16000 and r.pcm.dtype == np.float32 and r.tokens.dtype == np.int32 for r in rows)
                return [[r.pcm.sum() + len(r.text), r.tokens.sum() + int(r.id[1:]) * 1000] for r in rows]
            ''', [batch(7, rows[:5]), batch(8, []), batch(9, rows[5:])], version="v1")
        self.assertEqual(others, [(2, '{"protocol": 1, "version": "v1"}')])
        for i, (name, pcm, text, tokens) in enumerate(rows):
            np.testing.assert_allclose(got[(7, i) if i < 5 else (9, i - 5)], [np.float32(pcm.sum() / (1 if i % 3 else 32768)) + len(text), sum(tokens) + i * 1000], rtol=1e-6)
        self.assertEqual((len(got), self.status), (9, 0))

    def test_samples_in_memory_of_the_build(self):
        """Samples are read where they lie; a worker that does not see that memory says so, and none can change what it is given."""
        pcm = np.arange(5, dtype=np.float32) / 8
        path = os.path.join(self.folder, "memory")
        with open(path, "wb") as f:
            f.write(bytes(range(16)) + bytes(48) + pcm.tobytes())
        memory = {"path": path, "bytes": 84, "mark": bytes(range(16)).hex()}
        there = frame(3, struct.pack("<II5I1s3xQ", 1, 1, 1, 0, 0, 5, 0, b"a", 64))
        body = '''
            def c(rows):
                for r in rows:
                    for a in r.pcm, r.tokens:
                        try:
                            a += 1
                        except ValueError:
                            continue
                        assert len(a) == 0
                return [[r.pcm.sum(), len(r.pcm)] for r in rows]
            '''
        got, others = self.script(body, [there, batch(2, [("b", pcm, "", [1]), ("c", np.int16([8192]), "", [])])], {"memory": memory})
        self.assertEqual(others, [(2, '{"protocol": 1, "version": "", "memory": true}')], self.said)
        for at, want in (((1, 0), [1.25, 5]), ((2, 0), [1.25, 5]), ((2, 1), [0.25, 1])):
            np.testing.assert_array_equal(got[at], want)
        for wrong in ({"path": path + "x"}, {"mark": "ff" * 16}, {"bytes": 1 << 20}):
            got, others = self.script(body, [batch(1, [("b", pcm, "", [])])], {"memory": dict(memory, **wrong)})
            self.assertEqual(others, [(2, '{"protocol": 1, "version": ""}')], self.said)
            np.testing.assert_array_equal(got[1, 0], [1.25, 5])

    def test_prints_are_no_answers(self):
        """print, C's own standard output and child processes write to the standard error; input() sees an end."""
        got, _ = self.script('''
            def c(rows):
                print("printed")
                os.write(1, b"written\\n")
                os.system("echo child")
                assert sys.stdin.read() == ""
                return [[1, 2]]
            print("at the top")
            ''', [batch(1, [("a", [], "", [])])])
        np.testing.assert_array_equal(got[1, 0], [1, 2])
        for word in ("at the top", "printed", "written", "child"):
            self.assertIn(word, self.said)

    def test_an_exception_is_of_its_row(self):
        got, _ = self.script('''
            def c(rows):
                for r in rows:
                    if r.id == "bad":
                        raise ValueError("too short")
                return [np.full(2, len(r.id)) for r in rows]
            ''', [batch(1, [("a", [], "", []), ("bad", [], "", []), ("ccc", [], "", [])])])
        np.testing.assert_array_equal(got[1, 0], [1, 1])
        np.testing.assert_array_equal(got[1, 2], [3, 3])
        self.assertEqual(got[1, 1], "ValueError: too short (w.py:9)")
        self.assertIn("row bad:\nTraceback", self.said)

    def test_what_the_machine_lacks_is_no_rows_fault(self):
        for raised in ("MemoryError()", "ImportError('no ecapa')", "FileNotFoundError('model.pt')", "type('OutOfMemoryError', (RuntimeError,), {})('CUDA')"):
            got, others = self.script("def c(rows): raise %s" % raised, [batch(1, [("a", [], "", [])])])
            self.assertEqual((got, others[-1][0]), ({}, 5), raised)
            self.assertIn("row a: ", others[-1][1])
        got, others = self.script("def c(rows): return []", [batch(1, [("a", [], "", []), ("b", [], "", [])])])
        self.assertEqual((got, others[-1]), ({}, (5, "c returned 0 values for 2 rows")))

    def test_values_take_the_columns_type(self):
        one = [batch(1, [("a", [], "", [])])]
        for returned, dtype, shape, want in (
                ("np.array([1.5, 2], np.float64)", "f32", [2], np.float32([1.5, 2])),
                ("[1, 2]", "f32", [2], np.float32([1, 2])),
                ("np.array([[[1, 2]]])", "i32", [2], np.int32([1, 2])),
                ("np.float64(3)", "f32", [1], np.float32([3])),
                ("np.array([[1, 2], [3, 4]]).T", "i16", [2, 2], np.int16([[1, 3], [2, 4]])),
                ("[1e9, -1e9]", "f16", [2], np.float16([np.inf, -np.inf])),  # which the build finds
                ("[1.00390625, 1.01171875, -0.0, 3.4e38]", "bf16", [4], np.uint16([0x3F80, 0x3F82, 0x8000, 0x7F80])),
                ("[float('nan'), float('inf')]", "bf16", [2], np.uint16([0x7FC0, 0x7F80])),
                ("[1.5, 2]", "i32", [2], "an array of float64, want i32"),
                ("[70000, 2]", "i16", [2], "values from 2 to 70000, which i16 does not hold"),
                ("['a', 'b']", "f32", [2], "an array of <U1, want f32"),
                ("[None, None]", "f32", [2], "an array of object, want f32")):
            got, _ = self.script("def c(rows): return [%s]" % returned, one, {"dtype": dtype, "shape": shape})
            if isinstance(want, str):
                self.assertEqual(got[1, 0], want)
                continue
            self.assertEqual((got[1, 0].dtype, got[1, 0].shape), (want.dtype, want.shape), returned)
            np.testing.assert_array_equal(got[1, 0], want, returned)

    def test_outside_of_a_build(self):
        """The function can be called and imported as any other, and the program says what it is."""
        path = os.path.join(self.folder, "w.py")
        with open(path, "w", encoding="utf-8") as f:
            f.write("import voxpack\n@voxpack.column\ndef c(rows):\n    'doc'\n    return [len(rows)]\nif __name__ == '__main__':\n    print(c([1, 2]), c.__doc__)\n    c.run()\n")
        env = dict(os.environ, PYTHONPATH=PACKAGE)
        done = subprocess.run([sys.executable, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, text=True)
        self.assertEqual((done.stdout, done.returncode), ("[2] doc\n", 1))
        self.assertIn("this program computes a column", done.stderr)


class Page(unittest.TestCase):
    def test_the_example_of_the_page(self):
        """Who follows docs/en/computed.md sees its column computed for all rows, then for those that an edit changed."""
        with open(os.path.join(PACKAGE, "..", "docs", "en", "computed.md"), encoding="utf-8") as f:
            page = f.read()
        script, config = (page.split("```%s\n" % kind)[1].split("```")[0] for kind in ("py", "yaml"))
        place = Place()
        self.addCleanup(place.end)
        store = place.begin("en")
        env = dict(os.environ, PYTHONPATH=os.pathsep.join([PACKAGE, os.environ.get("PYTHONPATH", "")]))

        def build():
            return subprocess.run([PROGRAM, "build", store], check=True, stdout=subprocess.PIPE, env=env, text=True).stdout

        def write(name, text):
            with open(os.path.join(store, name), "w", encoding="utf-8") as f:
                f.write(text)
        write("loudness.py", script)
        config = config.replace("python3", sys.executable)
        write("voxpack.yaml", config)
        self.assertRegex(build(), r"(?m)^ran +loudness 10$")
        clips = os.path.join(store, "wavs")
        with open(os.path.join(clips, sorted(os.listdir(clips))[0]), "r+b") as f:
            f.seek(2000)
            f.write(bytes(100))
        self.assertRegex(build(), r"(?m)^ran +audio 1, mel 1, loudness 1$")
        write("voxpack.yaml", config.replace('"1"', '"2"'))
        self.assertRegex(build(), r"(?m)^ran +loudness 10$")
        write("loudness.py", script.replace("1e-6", "np.nan"))
        self.assertRegex(subprocess.run([PROGRAM, "build", store], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, text=True).stdout, "loudness: value 0 of the array is NaN or infinite")


CODES = """
import numpy as np
import voxpack


@voxpack.column
def codes(rows):
    return [np.int32(row.pcm[:len(row.pcm) // 800 * 800].reshape(-1, 400, 2).mean(1) * 32768) for row in rows]


if __name__ == "__main__":
    codes.run()
"""


class Lengths(unittest.TestCase):
    def test_codes_of_a_codec(self):
        """Two codes for each 800 samples, as many as a clip has, reach a trainer with their number; too long ones are left out."""
        place = Place()
        self.addCleanup(place.end)
        store = place.begin("en")
        env = dict(os.environ, PYTHONPATH=os.pathsep.join([PACKAGE, os.environ.get("PYTHONPATH", "")]))

        def build(most):
            with open(os.path.join(store, "voxpack.yaml"), "w", encoding="utf-8") as f:
                f.write("data:\n  columns:\n    codes: {run: %s codes.py, input: pcm, length: own, max: %d, shape: [2], dtype: i16, pad: -1, version: '1', files: codes.py}\n" % (sys.executable, most))
            return subprocess.run([PROGRAM, "build", store], check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, text=True).stdout
        with open(os.path.join(store, "codes.py"), "w", encoding="utf-8") as f:
            f.write(CODES)
        self.assertRegex(build(200), r"(?m)^ran +codes 10$")
        lengths, rows = {}, 0
        with voxpack.Dataset(store, batch_size=5, columns=["codes", "codes_len", "mel", "mel_len"], shuffle="none") as ds:
            for batch in ds:
                for i, id in enumerate(batch.ids):
                    n, samples = int(batch["codes_len"][i]), 256 * int(batch["mel_len"][i])
                    lengths[id], rows = n, rows + 1
                    self.assertTrue(abs(n - samples // 800) <= 1, (id, n, samples))
                    self.assertTrue((batch["codes"][i, n:] == -1).all())
                    self.assertTrue((batch["codes"][i, :n] != -1).any())
        self.assertEqual(rows, 10)
        longest = max(lengths, key=lengths.get)
        said = build(lengths[longest] - 1)
        self.assertIn("%s: codes: %d steps, max of the column is %d" % (longest, lengths[longest], lengths[longest] - 1), said)
        self.assertNotRegex(said, "ran .*codes")


def field(number, value):
    """A field of a protobuf message: bytes, text or an integer."""
    def varint(n):
        out = b""
        while n > 127:
            out, n = out + bytes([n & 127 | 128]), n >> 7
        return out + bytes([n])
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def model(inputs, nodes, outputs):
    """A model of ONNX. inputs and outputs: (name, element type, axes); nodes: (operation, inputs, outputs, attributes)."""
    def info(name, kind, axes):
        shape = b"".join(field(1, field(2, "n%d" % i) if n is None else field(1, n)) for i, n in enumerate(axes))
        return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))
    graph = b"".join(field(1, b"".join(field(1, i) for i in ins) + b"".join(field(2, o) for o in outs) + field(4, op) + b"".join(field(5, a) for a in attributes))
                     for op, ins, outs, attributes in nodes)
    graph += field(2, "g") + b"".join(field(11, info(*i)) for i in inputs) + b"".join(field(12, info(*o)) for o in outputs)
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


class ONNX(Programs):
    def setUp(self):
        super().setUp()
        try:
            import onnxruntime  # noqa: F401
        except ImportError:
            self.skipTest("no onnxruntime")

    def onnx(self, made, frames, *flags, hello=None):
        with open(os.path.join(self.folder, "m.onnx"), "wb") as f:
            f.write(made)
        return self.run_program([sys.executable, "-m", "voxpack", "onnx", "m.onnx", *flags], frames, hello)

    def test_samples(self):
        """The only input of floats takes the samples, with the axes that it has; leading axes of 1 of the output go."""
        keep = field(1, "axes") + field(8, 1) + field(20, 7)
        made = model([("wav", 1, [1, None])], [("ReduceMean", ["wav"], ["mean"], [keep]), ("Abs", ["wav"], ["abs"], []), ("ReduceMax", ["abs"], ["peak"], [keep]),
                                             ("Concat", ["mean", "peak"], ["out"], [field(1, "axis") + field(3, 1) + field(20, 2)])], [("out", 1, [1, 2])])
        pcm = np.array([0.5, -1, 0.25], np.float32)
        got, _ = self.onnx(made, [batch(1, [("a", pcm, "", []), ("b", pcm[:2], "", [])])])
        np.testing.assert_allclose(got[1, 0], [pcm.mean(), 1], rtol=1e-6)
        np.testing.assert_allclose(got[1, 1], [-0.25, 1], rtol=1e-6)

    def test_tokens_and_lengths(self):
        made = model([("ids", 7, [1, None]), ("n", 7, [1])], [("ReduceSum", ["ids"], ["s"], [field(1, "keepdims") + field(3, 0) + field(20, 2)]),
                                                             ("Mul", ["s", "n"], ["out"], [])], [("out", 7, [1])])
        got, _ = self.onnx(made, [batch(1, [("a", [], "", [3, 4])])], "--length", "n", hello={"dtype": "i32", "shape": [1]})
        np.testing.assert_array_equal(got[1, 0], [14])

    def test_what_does_not_fit_is_said_at_the_start(self):
        made = model([("x", 1, [None]), ("style", 1, [None])], [("Add", ["x", "style"], ["out"], [])], [("out", 1, [None])])
        for flags, words in (((), "nothing is told for the input x, style"), (("--pcm", "x"), "nothing is told for the input style"), (("--pcm", "y"), "no input y; there are x, style"),
                             (("--pcm", "x", "--tokens", "style", "--output", "z"), "no output z; there are out")):
            got, others = self.onnx(made, [], *flags)
            self.assertEqual((got, others, self.status), ({}, [], 2))
            self.assertIn(words, self.said)
        self.onnx(b"no model", [])
        self.assertIn("voxpack onnx: m.onnx: ", self.said)


if __name__ == "__main__":
    unittest.main()
