"""`--update-golden`, and the comparison with a golden file."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest

from golden import harness
from golden.fixtures.everything import write_all

HERE = Path(__file__).parent
LONGEST = 300  # lines of a difference that are shown


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


@pytest.fixture(scope="session")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files that the command lines work on."""
    folder = tmp_path_factory.mktemp("golden")
    write_all(folder)
    return folder


@pytest.fixture
def among_fixtures(fixtures: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder is the one with the fixtures, and the environment is always the same."""
    monkeypatch.chdir(fixtures)
    for name, value in harness.ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    for name in harness.NOT_WANTED:
        monkeypatch.delenv(name, raising=False)
    return fixtures


@pytest.fixture
def updating(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written; without the option where this folder is not what pytest was given."""
    return bool(request.config.getoption("update_golden", default=False))


@pytest.fixture
def same(updating: bool) -> Callable[[str, str], None]:
    """Compares a text with a golden file, or writes it."""

    def compare(name: str, text: str) -> None:
        path = HERE / name
        if updating:
            path.write_bytes(text.encode())
            return
        assert path.exists(), f"tests/golden/{name} is missing; `make golden` writes it"
        expected = path.read_bytes().decode()
        if expected != text:
            lines = (t.splitlines(keepends=True) for t in (expected, text))
            shown = [f"{line.rstrip()}\n" for line in difflib.unified_diff(*lines, name, "now")]
            more = f"… and {len(shown) - LONGEST} lines more\n" if len(shown) > LONGEST else ""
            pytest.fail(
                f"tests/golden/{name} differs; if it should, `make golden` and review the diff\n"
                + "".join(shown[:LONGEST]) + more,
                pytrace=False,
            )  # fmt: skip

    return compare
