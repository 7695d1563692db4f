#!/usr/bin/env python3
"""Make the virtual environment that peers.py runs in.

    venv.py DIR

DIR gets NumPy and, unless TORCH=no is set or it takes longer than
TORCH_SECONDS (400), torch, in the versions that the requirements beside this
file pin. What is there already is left as it is. Without torch peers.py leaves
its rows out with a notice, so its failure is none here. Needs Python 3.9 with
venv, and the network once.
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def has(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


def install(python, requirements, seconds=None):
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", HERE / requirements]
    subprocess.run(command, check=True, timeout=seconds)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    python = os.path.join(sys.argv[1], "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", sys.argv[1]], check=True)
    if not has(python, "numpy"):
        install(python, "requirements.txt")
    if os.environ.get("TORCH") == "no":
        print("NOTICE: torch is left out, as TORCH=no says", file=sys.stderr)
    elif not has(python, "torch"):
        seconds = float(os.environ.get("TORCH_SECONDS", "400"))
        print(f"installing torch for the rows of its DataLoader: up to 3 GB, at most {seconds:.0f} s; TORCH=no leaves it out",
              file=sys.stderr)
        try:
            install(python, "requirements-torch.txt", seconds)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as why:
            print(f"NOTICE: no torch, so its DataLoader is left out: {why}", file=sys.stderr)


if __name__ == "__main__":
    main()
