"""What all tests share: how hypothesis runs, and where data from outside the repository lies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same scenes on every run; `--hypothesis-profile=explore` looks at new ones.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("check", derandomize=True, database=None, **_COMMON)
settings.register_profile("explore", **_COMMON)
settings.load_profile("check")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with reference cases and real files; tests that need it are skipped where it is not stated."""
    folder = os.environ.get("BOXSCORE_DATA")
    if not folder:
        pytest.skip("BOXSCORE_DATA is not set (the folder that holds reference/ and data/)")
    return Path(folder)
