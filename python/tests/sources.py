"""Finds what Python 3.9 does not have: in the syntax, and among the names of its library.

names39.json tells what is in those modules of 3.9 that the package uses. Where another is
used, a Python 3.9 writes it anew:

    python3.9 python/tests/sources.py
"""

import ast
import builtins
import importlib
import io
import json
import os
import sys
import tokenize

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(HERE)
TABLE = os.path.join(HERE, "names39.json")

OTHERS = {"voxpack", "numpy", "ml_dtypes", "torch", "tensorflow", "jax", "jaxlib", "keras", "onnxruntime", "pandas", "pyarrow", "ray"}  # not of the library
TYPES = {"int", "str", "float", "bool", "bytes", "list", "dict", "set", "frozenset", "tuple", "type", "object", "None"}
# Of which class an object is, a tree does not say: methods and keywords that came after 3.9, by name alone.
LATER_METHODS = {"bit_count", "add_note", "hardlink_to", "is_junction", "full_match", "with_segments", "uncancel"}
LATER_KEYWORDS = {"zip": {"strict"}, "map": {"strict"}, "dataclass": {"slots", "kw_only", "weakref_slot"}, "field": {"kw_only"},
                  "Popen": {"pipesize", "process_group"}, "run": {"pipesize", "process_group"}, "Thread": {"context"}, "rmtree": {"onexc"},
                  "NamedTemporaryFile": {"delete_on_close"}, "TemporaryDirectory": {"delete"}}


def files(package=PACKAGE):
    """What has to run on 3.9: the package, and what writes its wheel."""
    yield os.path.join(package, "build_wheel.py")
    for folder, folders, names in os.walk(os.path.join(package, "voxpack")):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                yield os.path.join(folder, name)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def table():
    """The names of each module, and under "builtins" those that need no import."""
    with open(TABLE, encoding="ascii") as f:
        return {module: set(names.split()) for module, names in json.load(f).items()}


def findings(source, known):
    """What 3.9 would stumble over, as (line, text)."""
    try:
        tree = ast.parse(source, feature_version=(3, 9))
    except SyntaxError as e:
        return [(e.lineno or 0, "syntax: %s" % e.msg)]
    return sorted(set(_tokens(source)) | set(_Names(tree, known).found))


def _tokens(source):
    """What the parser of a newer Python takes without a word: parentheses around the items of with,
    and f-strings whose parts hold their own quotes or backslashes.
    """
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    start, end = getattr(tokenize, "FSTRING_START", None), getattr(tokenize, "FSTRING_END", None)
    quotes = []
    for i, token in enumerate(tokens):
        if token.type == tokenize.NAME and token.string == "with" and tokens[i + 1].string == "(" and _items_in_parentheses(tokens, i + 1):
            yield token.start[0], "parentheses around the items of with came in 3.10"
        if quotes and token.type in (tokenize.STRING, start):
            quote = token.string.lstrip("rRbBfFuU")[:3]
            quote = quote if quote in ('"""', "'''") else quote[:1]
            if quote in quotes or "\\" in token.string:
                yield token.start[0], "quotes of an f-string, or a backslash, within its braces came in 3.12"
        if token.type == start:
            quotes.append(token.string.lstrip("rRbBfFuU"))
        elif token.type == end:
            quotes.pop()


def _items_in_parentheses(tokens, i):
    depth, several = 0, False
    while True:
        word = tokens[i].string
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        several = several or depth == 1 and word in (",", "as")
        i += 1
        if depth == 0:
            return several and tokens[i].string == ":"


class _Names(ast.NodeVisitor):
    """Follows what is imported to the names that are taken from it."""

    def __init__(self, tree, known):
        self.known, self.found, self.modules = known, [], {}  # modules: the module that a name here stands for
        self.bound, self.from_typing, self.strings = set(), set(), False
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._import(node)
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self.bound.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.bound.add(node.name)
            elif isinstance(node, ast.arg):
                self.bound.add(node.arg)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                self.bound.add(node.name)
        self.visit(tree)

    def say(self, node, text):
        self.found.append((node.lineno, text))

    def _import(self, node):
        if isinstance(node, ast.ImportFrom):
            self.strings = self.strings or node.module == "__future__" and any(a.name == "annotations" for a in node.names)
            for a in node.names:
                name = a.asname or a.name
                self.bound.add(name)
                if node.level or node.module.partition(".")[0] in OTHERS:
                    continue
                inner = "%s.%s" % (node.module, a.name)
                if inner in self.known:
                    self.modules[name] = inner
                elif node.module not in self.known:
                    self._unknown(node, node.module)
                elif a.name not in self.known[node.module]:
                    self.say(node, "%s is not in %s" % (a.name, node.module))
                if node.module == "typing":
                    self.from_typing.add(name)
            return
        for a in node.names:
            if a.name.partition(".")[0] in OTHERS:
                self.bound.add(a.asname or a.name.partition(".")[0])
            elif a.name not in self.known:
                self._unknown(node, a.name)
            elif a.asname:
                self.modules[a.asname] = a.name
            else:
                self.modules[a.name.partition(".")[0]] = a.name.partition(".")[0]
        self.bound.update(self.modules)

    def _unknown(self, node, module):
        self.say(node, "module %s is not in names39.json; if 3.9 has it, run python3.9 python/tests/sources.py" % module)

    def module(self, node):
        """The module that an expression is, or None."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id)
        if isinstance(node, ast.Attribute):
            outer = self.module(node.value)
            inner = "%s.%s" % (outer, node.attr)
            return inner if outer and inner in self.known else None
        return None

    def visit_Attribute(self, node):
        module = self.module(node.value)
        if module is None:
            if node.attr in LATER_METHODS and node.attr not in self.bound:
                self.say(node, "method %s came after 3.9" % node.attr)
        elif node.attr not in self.known.get(module, ()) and "%s.%s" % (module, node.attr) not in self.known and not node.attr.startswith("_"):
            self.say(node, "%s is not in %s" % (node.attr, module))
        self.generic_visit(node)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and node.id not in self.bound and node.id not in self.known["builtins"]:
            self.say(node, "%s is bound nowhere, and no built-in name" % node.id)

    def visit_Call(self, node):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        for keyword in node.keywords:
            if keyword.arg in LATER_KEYWORDS.get(name, ()):
                self.say(node, "%s(%s=) came after 3.9" % (name, keyword.arg))
        self.generic_visit(node)

    def visit_BinOp(self, node):
        if isinstance(node.op, ast.BitOr) and (self.is_type(node.left) or self.is_type(node.right)):
            self.say(node, "X | Y of types came in 3.10")
        self.generic_visit(node)

    def is_type(self, node):
        if isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Attribute):
            return self.module(node.value) == "typing"
        if isinstance(node, ast.Constant):
            return node.value is None
        return isinstance(node, ast.Name) and (node.id in TYPES or node.id in self.from_typing)

    def annotation(self, node):
        """Of an annotation only the names count where it is not evaluated; else | is of types for sure."""
        for inner in ast.walk(node) if node is not None else ():
            if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.BitOr) and not self.strings:
                self.say(inner, "X | Y of types came in 3.10")
            elif isinstance(inner, ast.Attribute):
                self.visit_Attribute(inner)
            elif isinstance(inner, ast.Name):
                self.visit_Name(inner)

    def visit_arg(self, node):
        self.annotation(node.annotation)

    def visit_AnnAssign(self, node):
        self.annotation(node.annotation)
        for part in (node.target, node.value):
            if part is not None:
                self.visit(part)

    def visit_FunctionDef(self, node):
        self.annotation(node.returns)
        for part in node.decorator_list + [node.args] + node.body:
            self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef


def used():
    """The modules of the library that the sources import, in whole or in part."""
    modules = set()
    for path in files():
        for node in ast.walk(ast.parse(read(path))):
            if isinstance(node, ast.Import):
                modules.update(a.name for a in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                modules.add(node.module)
    modules = {m for m in modules if m.partition(".")[0] not in OTHERS}
    outer = {".".join(m.split(".")[:n]) for m in modules for n in range(1, m.count(".") + 1)}
    return modules | outer | {"os.path"} if "os" in modules else modules | outer


def written():
    """The text of names39.json by the running Python."""
    names = {"builtins": sorted(dir(builtins) + ["__file__", "__path__"])}
    for module in sorted(used()):
        names[module] = [n for n in dir(importlib.import_module(module)) if not n.startswith("_")]
    if "__future__" in names:
        names["__future__"] = list(importlib.import_module("__future__").all_feature_names)
    lines = ['"%s": "%s"' % (module, " ".join(sorted(names[module]))) for module in ["builtins"] + sorted(set(names) - {"builtins"})]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    if sys.version_info[:2] != (3, 9):
        raise SystemExit("this is Python %d.%d; only 3.9 knows what 3.9 has" % sys.version_info[:2])
    with open(TABLE, "w", encoding="ascii") as f:
        f.write(written())
