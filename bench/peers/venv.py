#!/usr/bin/env python3
"""Make the virtual environments that the peers run in.

    venv.py DIR

DIR gets NumPy, and what the table below lists; DIR-older gets the peers that
refuse the newest NumPy or torch, DIR-text those that read text, DIR-tf TensorFlow and JAX.
The versions are those that the requirements beside this file pin, and what is there already
is left as it is.

Only NumPy has to be had. The rest may be left out, each by its switch (TORCH=no,
SPEECH=no, RESAMPLE=no, DECODERS=no, TEXT=no, FORMATS=no, TORCHAUDIO=no, STREAMING=no, TENSORFLOW=no; TORCH=no
leaves out what needs torch), or because it cannot be installed, or takes longer than
TORCH_SECONDS (400). Its rows are then left out with a notice, and
DIR/left-out.json keeps the reasons for the tables. Needs Python 3.9 with venv,
and the network once.
"""

import json
import os
import pathlib
import subprocess
import sys
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
OLDER = "-older"


@dataclass(frozen=True)
class Part:
    """What one requirements file brings."""
    name: str
    suffix: str  # of DIR: which environment it belongs to
    modules: tuple  # that are there when it is
    purpose: str
    torch: bool = False  # it brings torch: 3 GB

    @property
    def requirements(self):
        return f"requirements-{self.name}.txt"


PARTS = (
    Part("torch", "", ("torch",), "the rows of torch", torch=True),
    Part("speech", "", ("scipy", "soundfile", "inflect", "unidecode", "librosa"), "the rows of librosa and SciPy, and all whole compiles"),
    Part("resample", "", ("soxr",), "the row of soxr"),
    Part("decoders", "", ("av",), "the column of PyAV"),
    Part("text", "-text", ("tacotron_cleaner", "nemo_text_processing", "hazm"), "the rows of tacotron2's cleaners, NeMo and hazm"),
    Part("formats", "", ("webdataset", "array_record"), "the rows of WebDataset and ArrayRecord"),
    Part("tensorflow", "-tf", ("tensorflow", "jax"), "the rows of TensorFlow and JAX"),
    Part("torchaudio", OLDER, ("torch", "torchaudio"), "the row of torchaudio", torch=True),
    Part("streaming", OLDER, ("scipy", "soundfile", "inflect", "unidecode", "torch", "streaming"), "the row of MDS", torch=True),
)


def has(python, modules):
    """Whether they can be found; importing some takes seconds."""
    code = "import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))"
    return subprocess.run([python, "-c", code, *modules], capture_output=True).returncode == 0


def install(python, requirements, seconds=None):
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", HERE / requirements]
    subprocess.run(command, check=True, timeout=seconds)


def environment(folder):
    """The Python of an environment, which is made where there is none."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-I", "-m", "venv", folder], check=True)  # isolated: from here, -m venv would be this file
    return python


def switched_off(part):
    names = [part.name.upper()] + (["TORCH"] if part.torch else [])
    return next((f"{name}=no" for name in names if os.environ.get(name) == "no"), None)


def provide(part, folder):
    """Gives why a part is not there; None when it is."""
    if switch := switched_off(part):
        print(f"NOTICE: {part.name} is left out, as {switch} says", file=sys.stderr)
        return switch
    try:
        python = environment(folder + part.suffix)
        if has(python, part.modules):
            return None
        seconds = float(os.environ.get("TORCH_SECONDS", "400"))
        size = "up to 3 GB, " if part.torch else ""
        print(f"installing {part.name} for {part.purpose}: {size}at most {seconds:.0f} s; {part.name.upper()}=no leaves it out",
              file=sys.stderr)
        install(python, part.requirements, seconds)
    except subprocess.TimeoutExpired:
        why = f"not installed within {seconds:.0f} s"
    except subprocess.CalledProcessError:
        why = "could not be installed"
    else:
        return None
    print(f"NOTICE: no {part.name}, so {part.purpose} are left out: {why}", file=sys.stderr)
    return why


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    python = environment(folder)
    if not has(python, ["numpy"]):
        install(python, "requirements.txt")
    reasons = {part.name: provide(part, folder) for part in PARTS}
    with open(os.path.join(folder, "left-out.json"), "w", encoding="utf-8") as f:
        json.dump({name: why for name, why in reasons.items() if why}, f, indent=2)
        f.write("\n")


if __name__ == "__main__":
    main()
