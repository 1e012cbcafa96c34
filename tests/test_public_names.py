"""The public names: listed in order, complete, explained, and cheap to import."""

from __future__ import annotations

import inspect
import subprocess
import sys
from types import ModuleType

import pytest

import boxscore


def test_names_are_sorted_and_exist() -> None:
    assert boxscore.__all__ == sorted(set(boxscore.__all__))
    assert all(hasattr(boxscore, name) for name in boxscore.__all__)


def test_names_are_complete() -> None:
    """Everything that the package imports for its users is listed; modules come along with what they hold."""
    public = {name for name, value in vars(boxscore).items() if not name.startswith("_") and name != "annotations"}
    modules = {name for name in public if isinstance(getattr(boxscore, name), ModuleType)}
    lazy = {"Checkup", "Explanation", "contents", "doctor", "explain", "plot", "write"}  # imported when asked for
    assert (public | lazy) - modules == set(boxscore.__all__) - modules


@pytest.mark.parametrize("name", boxscore.__all__)
def test_a_name_is_explained(name: str) -> None:
    value = getattr(boxscore, name)
    text = inspect.getdoc(value) or ""
    assert text.split("\n")[0].endswith("."), name
    assert not text.startswith(f"{name}("), f"{name} has only the text that its fields give"


@pytest.mark.parametrize("name", [n for n in boxscore.__all__ if inspect.isclass(getattr(boxscore, n))])
def test_methods_are_explained(name: str) -> None:
    for member, value in vars(getattr(boxscore, name)).items():
        function = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
        function = function.fget if isinstance(function, property) else function
        if inspect.isfunction(function) and not member.startswith("_"):
            assert function.__doc__, f"{name}.{member}"


def test_import_loads_numpy_and_nothing_else() -> None:
    code = (
        "import sys; before = set(sys.modules); import boxscore; "
        "tops = {name.partition('.')[0] for name in set(sys.modules) - before}; "
        "print(*sorted(tops - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["boxscore", "numpy"]
    assert not done.stderr
