"""``python -m voxpack ARGS`` is the command voxpack: same output, same exit code, same process.

Three commands are Python's own: only Python can ask a framework, so ``tune --verify`` reads back here,
``onnx MODEL`` is a program for a computed column, which a build runs, and ``ray DATASET`` builds on a Ray cluster.
"""

import os
import sys

from .errors import FeederError
from .feeder import binary


def main() -> int:
    if sys.argv[1:2] == ["tune"] and "--verify" in sys.argv:
        from .settings.page import main as tune_verify
        return tune_verify(sys.argv[2:])
    if sys.argv[1:2] == ["onnx"]:
        from .onnx import main as onnx
        return onnx(sys.argv[2:])
    if sys.argv[1:2] == ["ray"]:
        from .ray import main as ray
        return ray(sys.argv[2:])
    try:
        program = binary()
    except FeederError as e:
        print("voxpack: %s" % e, file=sys.stderr)
        return 2
    try:
        os.execv(program, [program] + sys.argv[1:])
    except OSError as e:
        print("voxpack: %s does not run here: %s" % (program, e.strerror), file=sys.stderr)
        return 127 if isinstance(e, FileNotFoundError) else 126


if __name__ == "__main__":
    sys.exit(main())
