"""The layers are a test: a module imports only what stands above it, and shells alone print and leave."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import boxscore
from layers import ARCHITECTURE, NAMES, layer_of, with_table

ROOT = Path(boxscore.__file__).parent
# May be imported inside a function: what a result looks like is the report's affair.
LAZY = {
    ("evaluation.result", "report"), ("evaluation.figured", "report"), ("evaluation.written", "report"),
    ("analysis", "report"), ("diagnostics", "report"),
}  # fmt: skip
ONLY_IN = {
    "hypothesis": {"testing"}, "rich": {"report", "cli"}, "argparse": {"cli"}, "pandas": {"analysis"},
    "matplotlib": {"report"}, "starlette": {"app"}, "uvicorn": {"app"},
}  # fmt: skip
SHELLS = {"cli", "__main__"}
MIRRORS = {"_reference"}  # its names are those of the compiled core, a module each
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def package(path: Path) -> str:
    return module(path).partition(".")[0]


def imports(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """The full name of everything that a module imports, and whether that happens inside a function."""
    inside = {id(n) for f in ast.walk(tree) if isinstance(f, (ast.FunctionDef, ast.Lambda)) for n in ast.walk(f)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from ((f"{node.module}.{alias.name}", id(node) in inside) for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_imports_only_earlier_layers(path: Path) -> None:
    own, tree = layer_of(module(path)), ast.parse(path.read_text())
    assert own or not tree.body[1:], f"{module(path)} has no place among the layers"
    for name, lazy in imports(tree):
        first, _, rest = name.partition(".")
        if first in ONLY_IN:
            assert package(path) in ONLY_IN[first], f"{name} is imported by {own}"
        other = layer_of(rest)
        if first != "boxscore" or rest == "__version__" or other == own or (lazy and (own, other) in LAZY):
            continue
        assert NAMES.index(other) < NAMES.index(own), f"{own} imports {other}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_both_sides_are_joined_in_one_place(path: Path) -> None:
    """Whoever brings tables to one unit or aligns them by hand can forget a step, or the findings of one."""
    if package(path) == "joining":
        return
    names = {name for name, _ in imports(ast.parse(path.read_text()))}
    assert not [name for name in names if name.startswith("boxscore.joining.units")], "joining.both.read_both does that"
    if "boxscore.joining.align.align" in names:  # the doctor's repairs change tables, which are then aligned anew
        assert package(path) == "checkup", "joining.both.read_both does that"
    assert not {"boxscore.align", "boxscore.joining.align"} & names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_only_shells_print_and_exit(path: Path) -> None:
    if package(path) in SHELLS:
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in ("print", "exit", "quit", "sys.exit", "os._exit"), f"line {node.lineno}: {called}()"


@pytest.mark.parametrize("path", [ROOT / "__init__.py", *MODULES], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_is_one_thing(path: Path) -> None:
    text = path.read_text()
    assert text.count("\n") < 250
    assert ast.get_docstring(ast.parse(text)), "a module says what it is"


@pytest.mark.parametrize("path", [p for p in MODULES if package(p) not in MIRRORS], ids=lambda p: module(p))
def test_no_function_hides_a_module(path: Path) -> None:
    """`import boxscore.a.b` gives the module, whatever the package imports from it."""
    if path.name != "__main__.py":
        made = import_module(f"boxscore.{module(path)}")
        parent, _, name = made.__name__.rpartition(".")
        assert getattr(import_module(parent), name) is made


def test_every_layer_exists() -> None:
    assert {layer_of(module(path)) for path in MODULES} - {""} | {"_core"} == set(NAMES)


def test_the_table_of_the_architecture_is_this_list() -> None:
    text = ARCHITECTURE.read_text()
    assert with_table(text) == text, "run python tests/layers.py"
