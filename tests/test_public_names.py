"""The public names: listed in order, complete, explained, and cheap to import."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import boxscore

MODULES = {"plot", "protocols"}  # the public names that are modules


def test_names_are_sorted_and_exist() -> None:
    assert boxscore.__all__ == sorted(set(boxscore.__all__))
    assert all(hasattr(boxscore, name) for name in boxscore.__all__)


def test_table_list_and_imports_for_type_checkers_agree() -> None:
    """Each public name is in `__all__`, in the table of places, and imported from there where types are checked."""
    tree = ast.parse(Path(boxscore.__file__).read_text())
    checking = next(n for n in tree.body if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING")
    imported: dict[str, str] = {}
    for node in checking.body:
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("boxscore"):
            for alias in node.names:
                assert alias.asname is None
                place = f"{node.module}.{alias.name}" if alias.name in MODULES else str(node.module)
                imported[alias.name] = place.removeprefix("boxscore.")
    assert imported == boxscore._PLACES
    assert sorted(imported) == boxscore.__all__


@pytest.mark.parametrize("name", boxscore.__all__)
def test_a_name_is_what_stands_at_its_place(name: str) -> None:
    module = importlib.import_module(f"boxscore.{boxscore._PLACES[name]}")
    value = getattr(boxscore, name)
    assert value is (module if name in MODULES else getattr(module, name))
    assert isinstance(value, ModuleType) == (name in MODULES)


def test_no_part_of_the_package_hides_a_name() -> None:
    """`import boxscore.x` sets the attribute `x` of the package: no other public name may be called so."""
    parts = {path.stem for path in Path(boxscore.__file__).parent.iterdir()}
    assert parts & set(boxscore.__all__) == {"protocols"}


@pytest.mark.parametrize(
    "code",
    [
        "from boxscore import *; assert evaluate.__module__ == 'boxscore.evaluation.run' and plot.pr and protocols.get",
        "import boxscore.evaluation.run as run, boxscore as bs; assert bs.evaluate is run.evaluate",
        "import boxscore.analysis.explain, boxscore as bs; assert callable(bs.explain)",
        "import boxscore as bs, boxscore.report.plot; assert bs.plot is boxscore.report.plot",
        "from boxscore import Truth; import boxscore as bs; assert bs.Truth is Truth",
        "import boxscore as bs; assert set(bs.__all__) <= set(dir(bs)) and '__version__' in dir(bs)",
        "import boxscore as bs; assert not hasattr(bs, 'evalute')",
        "import boxscore as bs, pickle; r = bs.evaluate([{'boxes': [[0, 0, 1, 1]], 'labels': [1]}], "
        "[{'boxes': [[0, 0, 1, 1]], 'labels': [1], 'scores': [1.0]}], box='xyxy'); "
        "assert pickle.loads(pickle.dumps(r))['AP'] == r['AP']",
        "import boxscore as bs, pickle; assert pickle.loads(pickle.dumps(bs.Truth)) is bs.Truth",
    ],
)
def test_names_in_a_fresh_process(code: str) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'boxscore' has no attribute 'evalute'"):
        boxscore.evalute  # noqa: B018


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


def loaded(code: str) -> list[str]:
    """The packages beside the standard library that a program loads."""
    program = (
        f"import sys; before = set(sys.modules); {code}; "
        "tops = {name.partition('.')[0] for name in set(sys.modules) - before}; "
        "print(*sorted(tops - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout.split()


def test_import_loads_nothing_else() -> None:
    assert loaded("import boxscore") == ["boxscore"]


def test_names_load_numpy_and_nothing_else() -> None:
    """Those that most programs need; figures and the like may need more."""
    assert loaded("import boxscore; boxscore.evaluate, boxscore.Result, boxscore.read_truth") == ["boxscore", "numpy"]


def test_older_names_still_work() -> None:
    assert boxscore.Reading is boxscore.ReadOptions
    error = boxscore.InputError("a.txt:2", "4 values", "five")
    assert error.found == error.actual == "4 values"
