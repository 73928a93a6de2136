"""Where the parts of ptxrun are: the libraries, the command, and the Node.js that runs them."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

#: A wheel carries the package beside this file; a checkout has it three folders above.
_HERE = Path(__file__).resolve().parent


def _find_home() -> Path:
    named = os.environ.get("PTXRUN_HOME")
    places = [Path(named)] if named else [_HERE / "package", _HERE.parents[2]]
    for place in places:
        if (place / "bin" / "ptxrun.js").is_file():
            return place
    raise ImportError(f"no ptxrun in {' or '.join(map(str, places))}; PTXRUN_HOME names the folder of the package")


home = _find_home()
version: str = json.loads((home / "package.json").read_text(encoding="utf-8"))["version"]

#: The first release of Node.js that runs ptxrun.
OLDEST = (20, 19)


@lru_cache(maxsize=None)
def node() -> str:
    """The Node.js that is used: PTXRUN_NODE, or `node` on the PATH."""
    named = os.environ.get("PTXRUN_NODE")
    found = shutil.which(named or "node")
    if found is None:
        what = f"PTXRUN_NODE is {named}, and no program is there" if named else "there is no node on the PATH"
        raise RuntimeError(f"{what}: install Node.js 20.19 or newer, or name it by PTXRUN_NODE")
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    numbers = re.match(r"v(\d+)\.(\d+)", said)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < OLDEST:
        raise RuntimeError(f"{found} is {said or 'no Node.js'}, and ptxrun needs 20.19 or newer; PTXRUN_NODE names another")
    return found


def library() -> Path:
    """The client library."""
    name = "libptxrun.dylib" if sys.platform == "darwin" else "libptxrun.so"
    path = home / "native" / "build" / name
    if not path.is_file():
        raise RuntimeError(f"there is no {path}: in a checkout, npm run native makes it")
    return path


def command(*words: str) -> list[str]:
    """A command line of ptxrun."""
    return [node(), str(home / "bin" / "ptxrun.js"), *words]
