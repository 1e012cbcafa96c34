"""What all tests share: how hypothesis runs, and where data from outside the repository lies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import effort

# The same scenes on every run; `make explore` looks at new ones, and keeps what fails.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("check", derandomize=True, database=None, **_COMMON)
settings.register_profile("explore", print_blob=True, **_COMMON)
settings.load_profile("check")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="all tests, laws on all of their scenes (make test-long)")


def pytest_configure(config: pytest.Config) -> None:
    effort.long = config.getoption("--long")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if effort.long:
        return
    long = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with reference cases and real files; tests that need it are skipped where it is not stated."""
    folder = os.environ.get("BOXSCORE_DATA")
    if not folder:
        pytest.skip("BOXSCORE_DATA is not set (the folder that holds reference/ and data/)")
    return Path(folder)
