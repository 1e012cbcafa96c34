"""Runs Python with `failing.cpp` preloaded, where the system can do that."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def python_with_faults(folder: Path) -> Run:
    """A function that runs Python with faults; tests are skipped where there can be none."""
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if not sys.platform.startswith("linux") or not platform_is_glibc():
        pytest.skip("faults are injected by way of glibc")
    if compiler is None:
        pytest.skip("no C++ compiler, so that no faults can be injected")
    library = str(folder / "failing.so")
    source = str(HERE / "failing.cpp")
    subprocess.run(
        [compiler, "-std=c++17", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", source, "-o", library], check=True
    )

    def run(*arguments: str, **environment: Any) -> subprocess.CompletedProcess[str]:
        # BLAS, which nothing here needs, raises an interrupt where it cannot start its threads.
        own = {"LD_PRELOAD": library, "OPENBLAS_NUM_THREADS": "1", **environment}
        whole = {**os.environ, **{name: str(value) for name, value in own.items()}}
        command = [sys.executable, *arguments]
        return subprocess.run(command, env=whole, capture_output=True, text=True, timeout=300, check=False)

    return run


def platform_is_glibc() -> bool:
    """Whether the C library has the functions behind `malloc` under names of their own."""
    try:
        return bool(os.confstr("CS_GNU_LIBC_VERSION"))
    except (ValueError, OSError):
        return False
