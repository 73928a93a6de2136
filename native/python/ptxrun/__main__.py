"""The command: `python -m ptxrun` and `ptxrun` are the same."""

import os
import sys

from . import _package


def main() -> None:
    """Becomes ptxrun, with the arguments of this process."""
    try:
        words = _package.command(*sys.argv[1:])
    except RuntimeError as error:
        sys.exit(f"ptxrun: {error}")
    os.execv(words[0], words)


if __name__ == "__main__":
    main()
