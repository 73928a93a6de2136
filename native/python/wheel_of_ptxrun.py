"""Makes the wheel: `python3 native/python/wheel_of_ptxrun.py FOLDER`, or `pip wheel native/python`. Needs nothing but Python."""

import base64
import hashlib
import json
import sys
import sysconfig
import zipfile
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]

#: What the wheel has of the package, from the root of the checkout. `dist/code` is what the bundles were made of.
_PARTS = ["bin", "dist", "schema", "native/build", "package.json"]
_LEFT = _ROOT / "dist" / "code"

_METADATA = """Metadata-Version: 2.1
Name: ptxrun
Version: {version}
Summary: {description}
License: {license}
Requires-Python: >=3.9
Classifier: Framework :: Pytest
"""

_ENTRIES = """[console_scripts]
ptxrun = ptxrun.__main__:main

[pytest11]
ptxrun.pytest_plugin = ptxrun.pytest_plugin
"""


def _files() -> "list[tuple[str, Path]]":
    found = [(f"ptxrun/{path.name}", path) for path in sorted((_HERE / "ptxrun").iterdir()) if path.is_file()]
    for part in _PARTS:
        whole = _ROOT / part
        if not whole.exists():
            raise FileNotFoundError(f"there is no {whole}: npm ci && npm run native makes it")
        paths = sorted(whole.rglob("*")) if whole.is_dir() else [whole]
        for path in paths:
            if path.is_file() and _LEFT not in path.parents:
                found.append((f"ptxrun/package/{path.relative_to(_ROOT).as_posix()}", path))
    return found


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """Writes the wheel into a folder, and returns its name (PEP 517). The same files give the same bytes."""
    package = json.loads((_ROOT / "package.json").read_text(encoding="utf-8"))
    tag = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    name = f"ptxrun-{package['version']}-{tag}.whl"
    info = f"ptxrun-{package['version']}.dist-info"
    record = []
    Path(wheel_directory).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(path: str, content: bytes, is_program: bool = False) -> None:
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            wheel.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}\n")

        for path, file in _files():
            add(path, file.read_bytes(), file.stat().st_mode & 0o100 != 0)
        fields = ("version", "description", "license")
        add(f"{info}/METADATA", _METADATA.format(**{each: package[each] for each in fields}).encode())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: ptxrun\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        add(f"{info}/entry_points.txt", _ENTRIES.encode())
        record.append(f"{info}/RECORD,,\n")
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "".join(record))
    return name


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("the folder to write to: python3 native/python/wheel_of_ptxrun.py FOLDER")
    print(Path(sys.argv[1]) / build_wheel(sys.argv[1]))
