"""Commands of ptxrun that answer a question."""

import json
import subprocess
from typing import Any, NamedTuple, Optional

from . import _package
from ._launch import PtxError


class Finding(NamedTuple):
    """Something that `lint` has found: `severity` is error, warning or note; line and column count from 1."""

    code: str
    severity: str
    message: str
    line: Optional[int]
    column: Optional[int]


def _ask(words: list[str], text: Optional[str] = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(_package.command(*words), input=text, capture_output=True, text=True, check=False)


def explain(what: str) -> str:
    """What a code (`PTX3002`), an instruction with values (`fma.rn.f16 a=1.5 b=2 c=0`) or a register means."""
    said = _ask(["explain", "--color=never", "--", *what.split()])
    if said.returncode != 0:
        raise PtxError(said.stderr, said.returncode)
    return said.stdout


def lint(text: str) -> list[Finding]:
    """Errors of a PTX text, and doubtful code that ptxas accepts, in the order of their lines. Runs nothing."""
    said = _ask(["lint", "--format=json", "-"], text)
    if not said.stdout.startswith("{"):
        raise PtxError(said.stderr, said.returncode)
    document: dict[str, Any] = json.loads(said.stdout)
    return [
        Finding(each["code"], each["severity"], each["message"], each.get("line"), each.get("column"))
        for each in document["diagnostics"]
    ]
