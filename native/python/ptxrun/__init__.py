"""Runs NVIDIA PTX without a GPU: on arrays of this process, with each fault as an exception."""

from ._commands import Finding, explain, lint
from ._launch import PtxError, run
from ._package import version as __version__

__all__ = ["Finding", "PtxError", "__version__", "explain", "lint", "run"]
