"""`pytest --ptxrun`: the CUDA calls of tests run without a GPU, and a test in whose kernels something is found fails."""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Generator, Optional

import pytest

from . import _package

#: Where workers append what they find, a line each; set for the pytest within.
_FINDINGS = "PTXRUN_FINDINGS"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ptxrun")
    group.addoption("--ptxrun", action="store_true", help="run CUDA calls of the tests by ptxrun exec, without a GPU")
    group.addoption(
        "--ptxrun-options",
        metavar="WORDS",
        default="",
        help='options of ptxrun exec, such as "--sanitize mem,init,sync,race --target sm_90"',
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> Optional[int]:
    """Starts pytest once more, with the libraries of ptxrun before others: a process cannot take them in later."""
    if not config.getoption("--ptxrun") or _FINDINGS in os.environ:
        return None
    try:
        options = shlex.split(config.getoption("--ptxrun-options"))
        words = _package.command("exec", *options, "--", sys.executable, "-m", "pytest")
    except (RuntimeError, ValueError) as error:
        raise pytest.UsageError(f"--ptxrun: {error}") from None
    with tempfile.TemporaryDirectory(prefix="ptxrun-pytest-") as folder:
        environment = {**os.environ, _FINDINGS: str(Path(folder) / "findings")}
        arguments = [str(each) for each in config.invocation_params.args]
        return subprocess.run([*words, *arguments], env=environment, cwd=config.invocation_params.dir, check=False).returncode


def _found(since: int) -> tuple[list[dict[str, Any]], int]:
    """What has been appended behind a place of the file, and its end."""
    path = Path(os.environ[_FINDINGS])
    if not path.exists():
        return [], since
    with path.open("rb") as file:
        file.seek(since)
        added = file.read()
    return [json.loads(line) for line in added.splitlines() if line], since + len(added)


_told = pytest.StashKey[int]()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Generator[None, Any, None]:
    outcome = yield
    if call.when != "call" or not item.config.getoption("--ptxrun") or _FINDINGS not in os.environ:
        return
    found, item.config.stash[_told] = _found(item.config.stash.get(_told, 0))
    report = outcome.get_result()
    if found and report.passed:
        report.outcome = "failed"
        report.longrepr = "\n".join(f"{each['severity']} {each['code']}: {each['message']}" for each in found)
