"""The layers are a test: a module imports only what stands above it, and shells alone print and leave."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import boxscore

ROOT = Path(boxscore.__file__).parent
LAYERS = (
    "_core", "_reference", "errors", "pickled", "arguments", "threads", "names", "synonyms", "shapes", "columns",
    "model", "ledger", "findings", "mistakes", "diagnosis", "geometry", "protocols", "align", "hierarchy", "grouping",
    "orders", "seen", "cuts", "match", "sizes", "prepare", "pixels", "tally", "curves", "metrics", "ties", "summary",
    "rules", "formats", "analysis", "per_class", "figured", "result", "report", "accounts", "evaluate", "checkup",
    "demo", "testing", "plot", "cli", "__main__",
)  # fmt: skip
# May be imported inside a function: what a result looks like is the report's affair.
LAZY = {("result", "report"), ("analysis", "report"), ("diagnosis", "report"), ("figured", "report")}
ONLY_IN = {
    "hypothesis": {"testing"}, "rich": {"report", "cli"}, "typer": {"cli"}, "pandas": {"analysis"},
    "matplotlib": {"report"},
}  # fmt: skip
SHELLS = {"cli", "__main__"}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def layer(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


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
    own = layer(path)
    assert own in LAYERS, f"{own} has no place among the layers"
    for name, lazy in imports(ast.parse(path.read_text())):
        package, _, rest = name.partition(".")
        if package in ONLY_IN:
            assert own in ONLY_IN[package], f"{name} is imported by {own}"
        other = rest.partition(".")[0]
        if package != "boxscore" or other == own or other == "__version__" or (lazy and (own, other) in LAZY):
            continue
        assert LAYERS.index(other) < LAYERS.index(own), f"{own} imports {other}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_only_shells_print_and_exit(path: Path) -> None:
    if layer(path) in SHELLS:
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


def test_every_layer_exists() -> None:
    found = {layer(path) for path in ROOT.rglob("*.py")} | {"_core"}
    assert found - {"__init__"} == set(LAYERS)
