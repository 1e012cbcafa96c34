"""A format owns its facts: nobody else knows it by name, or imports what is in its folder."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import boxscore
from boxscore.formats.record import Format, Known
from boxscore.formats.registry import known
from boxscore.protocols import AMBIGUOUS, names

ROOT = Path(boxscore.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
# Records that are called by a word, which other code uses for other things.
WORDS = {"text", "list", "images", "sizes", "hierarchy", "descriptions", "boxscore", "parquet", "numpy", "pickle"}
WORDS |= {"hdf5", "matlab"}  # and the kinds of content that first bytes tell, in recognise/look.py
OF_PROTOCOLS = {*names(), *AMBIGUOUS, "stt"}  # "stt" is a summary too; who reads files has no business with them
READING = ("formats", "joining")


def module(path: Path) -> str:
    return ".".join(("boxscore", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def named(record: Known) -> set[str]:
    """The names of a record and of its tables."""
    return {record.name, *(record.tables if isinstance(record, Format) else ())} - WORDS


def is_own(path: Path, record: Known) -> bool:
    return f"{module(path)}.".startswith(f"{record.home}.")


def strings(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """All strings but those that say which format a format goes before."""
    ordered = {id(k.value) for k in ast.walk(tree) if isinstance(k, ast.keyword) and k.arg == "before"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in ordered:
            yield node.value, node.lineno


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_module_names_a_format_of_another(path: Path) -> None:
    reads = path.relative_to(ROOT).parts[0] in READING
    others = {name for record in known(False) if not is_own(path, record) for name in named(record)}
    found = [(text, line) for text, line in strings(ast.parse(path.read_text())) if text in others]
    assert [(text, line) for text, line in found if reads or text not in OF_PROTOCOLS] == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_shared_module_imports_a_format(path: Path) -> None:
    homes = {record.home for record in known(False)}
    if any(is_own(path, record) for record in known(False)):
        return  # formats may build on each other
    for node in ast.walk(ast.parse(path.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{name}" for name in names]
        assert [name for name in names for home in homes if f"{name}.".startswith(f"{home}.")] == []


def test_the_law_sees_names() -> None:
    tree = ast.parse('if table.format == "voc-xml": pass\nFormat(before="yolo")')
    assert dict(strings(tree)) == {"voc-xml": 1}
    by_name = {record.name: record for record in known(False)}
    assert named(by_name["coco"]) == {"coco", "lvis", "coco-results"}
    assert is_own(ROOT / "formats/voc/xml.py", by_name["voc-xml"])
    assert not is_own(ROOT / "formats/io/files.py", by_name["voc-xml"])
    assert not is_own(ROOT / "formats/vocal.py", by_name["voc-xml"])
