"""`_core.pyi`, by which editors and mypy know the compiled kernels, says what they take today."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import boxscore


def test_the_stub_is_current(tmp_path: Path) -> None:
    made = tmp_path / "_core.pyi"
    stub = Path(boxscore.__file__).parent / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "boxscore._core", "-o", str(made)]
    subprocess.run(command, check=True)
    assert made.read_text() == stub.read_text(), "run `make stub` and commit src/boxscore/_core.pyi"
