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
    os.environ.setdefault("PTXRUN_ONLY_ANNOUNCED", "1")
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
    """The types of a kernel's parameters without their dots; that of a structure ends with `[]`."""
    name = r"[\w$%]+" if kernel is None else re.escape(kernel)
    bare = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    entry = re.search(rf"\.entry\s+{name}\s*\(([^)]*)\)", bare)
    if entry is None:
        return []
    found = re.finditer(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)([^,]*)", entry[1])
    return [each[1] + ("[]" if "[" in each[2] else "") for each in found]


def _extent(size: Extent, what: str) -> tuple[int, int, int]:
    axes = (size,) if isinstance(size, int) else tuple(size)
    if not 1 <= len(axes) <= 3:
        raise TypeError(f"{what} has {len(axes)} sizes: one to three are expected")
    x, y, z = (*axes, 1, 1)[:3]
    return int(x), int(y), int(z)


#: How a float of so many bits is packed.
_FLOATS = {16: "<e", 32: "<f", 64: "<d"}


def _number(value: Any, at: int) -> tuple[Union[int, float], int]:
    """A number of Python, of numpy or of ctypes, and the bits that it has there."""
    if isinstance(value, ctypes._SimpleCData) and isinstance(value.value, (int, float)):
        return value.value, 8 * ctypes.sizeof(value)
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if kind is not None and getattr(value, "ndim", None) == 0 and kind in "biuf":
        return (float(value) if kind == "f" else int(value)), 8 * value.dtype.itemsize
    if isinstance(value, (int, float)):
        return value, 64
    raise TypeError(f"argument {at} is a {type(value).__name__}: a number, or an array of numpy or of ctypes, is expected")


def _bits(value: Any, kind: Optional[str], at: int) -> int:
    """The 64 bits of a number for a parameter of a type; of one that the kernel has not, which the launch refuses."""
    number, own = _number(value, at)
    if kind is None:
        return 0
    if kind.endswith("[]"):
        raise TypeError(f"argument {at} is a number, and the parameter is a structure, which run cannot pass")
    width = int(kind[1:])
    if kind[0] == "f":
        return int.from_bytes(struct.pack(_FLOATS[width], number), "little")
    if isinstance(number, float):
        # A parameter of bits (.b32) says not what it holds: a float of Python is one of its width.
        if kind[0] != "b" or width not in _FLOATS or own not in (width, 64):
            raise TypeError(f"argument {at} is a float, and the parameter is .{kind}")
        return int.from_bytes(struct.pack(_FLOATS[width], number), "little")
    if not -(2 ** (width - 1)) <= number < 2**width:
        raise OverflowError(f"argument {at} is {number}, which .{kind} does not hold")
    return number & (2**width - 1)


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

    `args` are its parameters: arrays of numpy or of ctypes, whose elements it reads and writes in place, and numbers, which
    become what the parameter is: f32 or f64, whatever float is given. A kernel may touch nothing but these arrays. `shared`: bytes of dynamic
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
            if at < len(kinds) and not kinds[at].endswith("64"):
                raise TypeError(f"argument {at} is an array, and the parameter is .{kinds[at]}, which holds no address")
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
