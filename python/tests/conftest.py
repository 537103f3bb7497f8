"""Tests of the module.

TAMIS names the command, TAMIS_LIBRARY the library; without them both are those that are installed. TAMIS_TAP names a file for the results
as TAP.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Callable

import hypothesis
import pytest

hypothesis.settings.register_profile("tamis", derandomize=True, deadline=None, max_examples=60)
hypothesis.settings.load_profile("tamis")

SOURCE = Path(__file__).resolve().parents[2]
DATA = SOURCE / "tests" / "data"


_cases: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    path = os.environ.get("TAMIS_TAP")
    if not path or (report.when != "call" and report.passed):
        return
    _cases.append("not ok" if report.failed else "ok")
    with open(path, "a" if len(_cases) > 1 else "w") as file:
        print(f"{_cases[-1]} {len(_cases)} - {report.nodeid}{' # skip' if report.skipped else ''}", file=file)


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    """Runs tamis with arguments, and returns its standard output."""
    path = os.environ.get("TAMIS") or shutil.which("tamis")
    if not path:
        pytest.fail("no command tamis: name it in TAMIS")

    def run(*arguments: Any, stdin: bytes = b"") -> str:
        done = subprocess.run([path, *map(str, arguments)], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    return run
