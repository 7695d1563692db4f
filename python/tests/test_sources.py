"""The sources of the package run on Python 3.9: by their syntax, and by the names that they take from its library."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
import unittest

import sources


def python39():
    """A real one, if there is one."""
    for path in os.environ.get("VOXPACK_PYTHONS", "").split(":") + [shutil.which("python3.9"), sys.executable]:
        if path and subprocess.run([path, "-c", "import sys; sys.exit(sys.version_info[:2] != (3, 9))"], stderr=subprocess.DEVNULL).returncode == 0:
            return path
    return None


class Sources(unittest.TestCase):
    def test_nothing_newer(self):
        known, seen = sources.table(), 0
        for path in sources.files():
            seen += 1
            for line, text in sources.findings(sources.read(path), known):
                self.fail("%s:%d: %s" % (path, line, text))
        self.assertGreater(seen, 10)

    def test_a_real_one(self):
        python = python39()
        if python is None:
            self.skipTest("no Python 3.9: only the committed table of its names was asked")
        code = ("import sys; sys.path.insert(0, sys.argv[1]); import sources\nfor path in sources.files(): compile(sources.read(path), path, 'exec')\n"
                "import os; print(sources.written(), end='')")
        done = subprocess.run([python, "-W", "error", "-c", code, sources.HERE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
        self.assertEqual(done.stderr, "")
        known, here = sources.table(), json.loads(done.stdout)
        self.assertLessEqual(set(here), set(known), "modules that names39.json lacks: run python3.9 python/tests/sources.py")
        for module in here:  # the names that 3.9 was built with differ a little from machine to machine
            self.assertGreater(len(known[module] & set(here[module].split())), 0.8 * len(known[module]), module)


class Check(unittest.TestCase):
    """What the check has to find, and what it has to leave alone."""

    def found(self, code):
        known = dict(sources.table(), itertools={"chain", "count"}, typing={"Optional", "List", "Union"}, __future__={"annotations"},
                     socket={"recv_fds", "socket"}, dataclasses={"dataclass", "field"})
        return " ".join("%d: %s;" % f for f in sources.findings(textwrap.dedent(code).strip() + "\n", known))

    def test_newer(self):
        for code, words in (
                ("import itertools\nitertools.batched([], 2)", "2: batched is not in itertools"),
                ("import itertools as it\nit.pairwise([])", "2: pairwise is not in itertools"),
                ("from itertools import chain, pairwise", "1: pairwise is not in itertools"),
                ("def f():\n    import itertools\n    return itertools.pairwise", "3: pairwise is not in itertools"),
                ("import tomllib", "1: module tomllib is not in names39.json"),
                ("from importlib.resources.abc import x", "1: module importlib.resources.abc is not in"),
                ("import os\nos.path.splitroot('a')", "2: splitroot is not in os.path"),
                ("from os import path\npath.isjunction('a')", "2: isjunction is not in os.path"),
                ("import os\nos.eventfd(0)", "2: eventfd is not in os"),
                ("from typing import Self", "1: Self is not in typing"),
                ("def f(x: 'a', y: typing.Self): pass\nimport typing", "1: Self is not in typing"),
                ("match 1:\n    case 1: pass", ": syntax"),
                ("try: pass\nexcept* ValueError: pass", ": syntax"),
                ("def f[T](x: T): pass", ": syntax"),
                ("with (open('a') as f, open('b') as g): pass", "1: parentheses around"),
                ("with (\n    open('a') as f\n): pass", "1: parentheses around"),
                ("def f(x: int | None): pass", "1: X | Y"),
                ("def f() -> 'a' | None: pass", "1: X | Y"),
                ("x: A | B = 1\nA = B = 0", "1: X | Y"),
                ("isinstance(1, int | str)", "1: X | Y"),
                ("from typing import List\nfrom __future__ import annotations\nX = List[int] | None", "3: X | Y"),
                ("zip([], [], strict=True)", "1: zip(strict=)"),
                ("from dataclasses import dataclass\n@dataclass(slots=True)\nclass A: pass", "dataclass(slots=)"),
                ("(5).bit_count()", "1: method bit_count"),
                ("raise ExceptionGroup('a', [])", "1: ExceptionGroup is bound nowhere"),
                ("async def f(x): return await anext(x)", "1: anext is bound nowhere"),
        ):
            self.assertIn(words, self.found(code), code)

    @unittest.skipUnless(sys.version_info >= (3, 12), "this Python does not parse them either")
    def test_newer_f_strings(self):
        for code in ("x = {}\nf'{x['a']}'", "x = []\nf'{\"\\n\".join(x)}'", "x = 1\nf'{f'{x}'}'"):
            self.assertIn("f-string", self.found(code), code)

    def test_what_3_9_has(self):
        for code in (
                "import socket\nsocket.recv_fds", "import os.path\nos.path.join, os.memfd_create, os.environ._data", "import numpy as np\nnp.bool, np.x.batched",
                "from .settings import batched\nbatched", "from __future__ import annotations\ndef f(x: int | None) -> A | B: pass\nA = B = 0",
                "a = {1} | {2}\nb = a | a", "with (yield_()) as x: pass\ndef yield_(): pass", "with (open('a')) as f, (open('b')) as g: pass",
                "with open('a'), \\\n        open('b'): pass", "x: dict[str, list[int]] = {}", "(y := 1), print(y)", "'abc'.removeprefix('a')",
                "class A:\n    def bit_count(self): return self.bit_count()", "zip(a, b, c=1)\na = b = []", "x = 'a'\nf'{x}{f\"{x}\"}'",
                "try: pass\nexcept ValueError as e: print(e)", "lambda a, *b, c=1, **d: (a, b, c, d)", "[i for i in range(3)]", "print(__file__, __name__)",
        ):
            self.assertEqual(self.found(code), "", code)


if __name__ == "__main__":
    unittest.main()
