"""Launches of kernels on arrays of this process, by the client library."""

import ctypes
import os
import re
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Optional, Union

from . import _package

Extent = Union[int, Sequence[int]]


class PtxError(RuntimeError):
    """A launch that failed: `code` as PTX3002, `exit_code` as of `ptxrun run`, `diagnostic` with the line that failed."""

    def __init__(self, diagnostic: str, exit_code: int) -> None:
        found = re.search(r"^error (PTX\d+): (.*)$", diagnostic, re.MULTILINE)
        super().__init__(diagnostic.strip())
        self.diagnostic = diagnostic
        self.exit_code = exit_code
        self.code: Optional[str] = found[1] if found else None
        self.message: str = found[2] if found else diagnostic.strip()


@lru_cache(maxsize=None)
def _library() -> ctypes.CDLL:
    os.environ.setdefault("PTXRUN_NODE", _package.node())
    os.environ.setdefault("PTXRUN_HOME", str(_package.home))
    library = ctypes.CDLL(str(_package.library()))
    library.ptxrun_error.restype = ctypes.c_char_p
    library.ptxrun_launch.argtypes = [
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_int,
        ctypes.POINTER(ctypes.c_void_p),
        *[ctypes.c_int] * 7,
    ]
    library.ptxrun_register.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
    library.ptxrun_unregister.argtypes = [ctypes.c_void_p]
    return library


def _parameters(text: str, kernel: Optional[str]) -> list[str]:
    """The types of a kernel's parameters, as `.f32` without its dot."""
    name = r"[\w$%]+" if kernel is None else re.escape(kernel)
    bare = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    entry = re.search(rf"\.entry\s+{name}\s*\(([^)]*)\)", bare)
    return re.findall(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)", entry[1]) if entry else []


def _extent(size: Extent, what: str) -> tuple[int, int, int]:
    axes = (size,) if isinstance(size, int) else tuple(size)
    if not 1 <= len(axes) <= 3:
        raise TypeError(f"{what} has {len(axes)} sizes: one to three are expected")
    x, y, z = (*axes, 1, 1)[:3]
    return int(x), int(y), int(z)


def _bits(value: Any, kind: Optional[str], at: int) -> int:
    """The 64 bits of an argument that is no array."""
    if isinstance(value, (bool, int)):
        if kind in ("f32", "f64"):
            return _bits(float(value), kind, at)
        if not -(2**63) <= value < 2**64:
            raise OverflowError(f"argument {at} is {value}, which 64 bits do not hold")
        return value & (2**64 - 1)
    if isinstance(value, float) and type(value) is float:
        wide = kind is not None and kind.endswith("64")
        return int.from_bytes(struct.pack("<d" if wide else "<f", value), "little")
    # Numbers of numpy and of ctypes have their own width.
    if hasattr(value, "dtype") and getattr(value, "ndim", None) == 0:
        return int.from_bytes(value.tobytes(), "little")
    if isinstance(value, ctypes._SimpleCData):
        return int.from_bytes(bytes(value), "little")
    raise TypeError(f"argument {at} is a {type(value).__name__}: a number, or an array of numpy or of ctypes, is expected")


def _memory(value: Any, at: int) -> Optional[tuple[int, int]]:
    """The address and the bytes of an array; None for a number."""
    if isinstance(value, ctypes.Array):
        return ctypes.addressof(value), ctypes.sizeof(value)
    interface = getattr(value, "__array_interface__", None)
    if interface is None or getattr(value, "ndim", 0) == 0:
        return None
    address, read_only = interface["data"]
    if interface.get("strides") is not None:
        raise ValueError(f"argument {at} is an array with gaps: numpy.ascontiguousarray makes one without")
    if read_only:
        raise ValueError(f"argument {at} is an array that is read-only, and a kernel may write")
    return address, value.nbytes


def run(
    text: Union[str, bytes],
    grid: Extent = 1,
    block: Extent = 1,
    args: Sequence[Any] = (),
    *,
    kernel: Optional[str] = None,
    shared: int = 0,
) -> None:
    """
    Runs a kernel of a PTX text, the first unless `kernel` names one, and waits for its end.

    `args` are its parameters: arrays of numpy or of ctypes, whose elements it reads and writes in place, and numbers. A float
    of Python becomes what the parameter is, f32 or f64. A kernel may touch nothing but these arrays. `shared`: bytes of dynamic
    shared memory of a block.

    Raises PtxError where the text is wrong, the launch is impossible, or a thread faults.
    """
    source = text if isinstance(text, str) else text.decode()
    sizes = (*_extent(block, "block"), *_extent(grid, "grid"))
    kinds = _parameters(source, kernel)
    library = _library()
    values: list[int] = []
    arrays: list[int] = []
    try:
        for at, value in enumerate(args):
            memory = _memory(value, at)
            if memory is None:
                values.append(_bits(value, kinds[at] if at < len(kinds) else None, at))
                continue
            address, size = memory
            values.append(address)
            if size > 0:
                library.ptxrun_register(address, size, f"argument {at}".encode())
                arrays.append(address)
        words = (ctypes.c_void_p * len(values))(*values)
        name = None if kernel is None else kernel.encode()
        exit_code = library.ptxrun_launch(source.encode(), name, len(values), words, *sizes, shared)
        if exit_code != 0:
            raise PtxError((library.ptxrun_error() or b"the launch failed").decode(), exit_code)
    finally:
        for address in arrays:
            library.ptxrun_unregister(address)
