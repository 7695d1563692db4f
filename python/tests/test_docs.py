"""The Python blocks of the user pages, run as a reader would run them.

Each block is a program of its own, in a folder where my-voice is a built store. What it needs
follows from its code: a block of a framework that is not installed, and one for a GPU where there
is none, is skipped and says so. Three kinds of blocks follow a rule of their own:

    text right behind a block    is what the block prints, byte for byte
    a first line # NAME.py       is a file, which the command in the next block runs
    a table of messages          quotes what the sources say
"""

import ast
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import unittest

from support import CORPORA, PACKAGE, PROGRAM, Place

ROOT = os.path.dirname(PACKAGE)
TRAINERS = os.path.join("docs", "en", "trainers.md")
FORMS = {"torch": "torch", "tensorflow": "tensorflow", "tf_dataset": "tensorflow", "jax": "jax"}  # what a method of Dataset needs
FENCE = re.compile(r"^```(\w*)\n(.*?)^```\n", re.M | re.S)
FILE = re.compile(r"# (\w+\.py)\n")

place = Place()
folder = None


def setUpModule():
    global folder
    place.begin()
    folder = place.folder
    shutil.copytree(place.store, os.path.join(folder, "my-voice"))
    fa = place.build("fa")
    shutil.move(fa, os.path.join(folder, "fa-voice"))


def tearDownModule():
    place.end()


class Block:
    """A fenced block: its page and line, language and text, and what the page says it prints."""

    def __init__(self, page, line, language, text):
        self.page, self.line, self.language, self.text = page, line, language, text
        self.printed = self.command = None

    @property
    def file(self):
        """The name of the file that the block is, if it is one."""
        found = FILE.match(self.text)
        return found and found.group(1)

    def needs(self):
        """The modules that the block imports, or that the forms it asks for do; and whether a GPU."""
        modules, gpu = set(), False
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.Import):
                modules.update("ray" if alias.name == "voxpack.ray" else alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                modules.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                modules.update({FORMS[node.func.attr]} if node.func.attr in FORMS else ())
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                gpu = gpu or re.match(r"(cuda|gpu|/GPU)(:\d+)?$", node.value) is not None
        return modules - {"voxpack"}, gpu


def blocks_of(page):
    """The fenced blocks of a page, in order."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as f:
        text = f.read()
    found, end = [], 0
    for match in FENCE.finditer(text):
        block = Block(page, text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2))
        before = found[-1] if found and not text[end : match.start()].strip() else None
        if before is not None and before.language == "python" and block.language == "text":
            before.printed = block.text
        if before is not None and before.language == "python" and before.file and block.language == "sh":
            before.command = block.text
        found.append(block)
        end = match.end()
    return found


def pages():
    """The English pages for users, from the root of the checkout."""
    found = glob.glob(os.path.join(ROOT, "docs", "en", "**", "*.md"), recursive=True)
    return ["README.md"] + sorted(os.path.relpath(p, ROOT) for p in found)


def twin(page):
    return "README.fa.md" if page == "README.md" else page.replace(os.path.join("docs", "en"), os.path.join("docs", "fa"), 1)


class Pages(unittest.TestCase):
    """One test for each block; test_twins and test_messages besides."""

    def check(self, block):
        modules, gpu = block.needs()
        for name in sorted(modules):
            if importlib.util.find_spec(name) is None:
                self.skipTest("%s is not installed" % name)
        if gpu and not os.path.exists("/dev/nvidia0"):
            self.skipTest("no GPU here")
        command = [sys.executable, "-c", block.text]
        if block.file:
            self.assertIsNotNone(block.command, "no command runs %s" % block.file)
            with open(os.path.join(folder, block.file), "w", encoding="utf-8") as f:
                f.write(block.text)
            words = block.command.split()
            self.assertEqual(words[0], "torchrun")
            command = [sys.executable, "-m", "torch.distributed.run"] + words[1:]
        env = dict(os.environ, PYTHONPATH=PACKAGE, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES=os.environ.get("CUDA_VISIBLE_DEVICES", ""))
        if gpu:
            env.pop("CUDA_VISIBLE_DEVICES")
        for name in ("RANK", "WORLD_SIZE"):
            env.pop(name, None)
        ran = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600)
        self.assertEqual(ran.returncode, 0, "%s:%d:\n%s\n%s" % (block.page, block.line, ran.stdout[-2000:], ran.stderr[-4000:]))
        if block.printed is not None:
            self.assertEqual(ran.stdout, block.printed, "%s:%d prints otherwise" % (block.page, block.line))

    def test_twins(self):
        """The Persian pages have the same code, and say that it prints the same."""
        for page in pages():
            codes = [[b.text for b in blocks_of(p) if b.language == "python"] for p in (page, twin(page))]
            for here, there in zip(*codes):
                self.assertEqual(here, there, twin(page))
            self.assertEqual(len(codes[0]), len(codes[1]), twin(page))
            prints = [b.printed for b in blocks_of(page) if b.printed is not None]
            told = [b.text for b in blocks_of(twin(page)) if b.language == "text"]
            self.assertEqual([text for text in prints if text not in told], [], "%s does not say that this is printed" % twin(page))

    def test_messages(self):
        """Each message in the table of the page on trainers is one that the sources say."""
        for page in (TRAINERS, twin(TRAINERS)):
            with open(os.path.join(ROOT, page), encoding="utf-8") as f:
                table = f.read().split("<!-- messages:begin -->")[1].split("<!-- messages:end -->")[0]
            quoted = re.findall(r"^\| `([^`]+)` \|", table, re.M)
            self.assertGreater(len(quoted), 10)
            said = sources()
            self.assertEqual([m for m in quoted if m not in said], [], "%s: no message says these" % page)


def sources():
    """What the package and the program say, verbs left out."""
    said = []
    for path in glob.glob(os.path.join(PACKAGE, "voxpack", "**", "*.py"), recursive=True):
        with open(path, encoding="utf-8") as f:
            said += [n.value for n in ast.walk(ast.parse(f.read())) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    for package in ("gpufeed", "store", os.path.join("cmd", "voxpack")):
        for path in glob.glob(os.path.join(ROOT, package, "**", "*.go"), recursive=True):
            if not path.endswith("_test.go"):
                with open(path, encoding="utf-8") as f:
                    said += re.findall(r'"((?:[^"\\\n]|\\.)*)"', f.read())
    return "\n".join(re.sub(r" ?%[-#+.0-9]*[a-zA-Z]", "", s) for s in said)


def _add():
    for page in pages():
        for block in blocks_of(page):
            if block.language == "python":
                name = re.sub(r"\W+", "_", os.path.splitext(page)[0].replace(os.path.join("docs", "en", ""), ""))
                setattr(Pages, "test_%s_line_%03d" % (name, block.line), lambda self, block=block: self.check(block))


_add()

if __name__ == "__main__":
    unittest.main()
