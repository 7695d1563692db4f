"""``python -m voxpack ARGS`` is the command voxpack: same output, same exit code, same process."""

import os
import sys

from .errors import FeederError
from .feeder import binary


def main() -> int:
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
