"""Every message of the package: one broken input each, the exact text.

The cases are tables in `messages/`: the message, and what provokes it in an empty folder. The last test demands a case
for every place in the sources that makes a message.
"""

from __future__ import annotations

import ast
import runpy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import boxscore as bs

Case = tuple[str, Callable[..., Any]]
TABLES = sorted((Path(__file__).parent / "messages").glob("*.py"))
CASES: list[Case] = [case for table in TABLES for case in runpy.run_path(str(table))["CASES"]]
PACKAGE = Path(bs.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))


def exceptions() -> set[str]:
    """The names of all exceptions that the package defines: whatever makes one makes a message, or a part of one."""
    classes = {
        node.name: {ast.unparse(base) for base in node.bases}
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    found: set[str] = {"Exception", "ValueError"}
    while more := {name for name, bases in classes.items() if bases & found} - found:
        found |= more
    return found - {"Exception", "ValueError"}


ERRORS = exceptions()


def factories(path: Path) -> set[str]:
    """The names of the functions of a source that return such an exception: each call of one is another message."""
    return {
        node.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.returns is not None and ast.unparse(node.returns) in ERRORS
    }


PUBLIC = {name for path in SOURCES for name in factories(path) if not name.startswith("_")}


def message(provoke: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> str:
    """What is said; anything but an error of ours goes through."""
    with monkeypatch.context() as patch, pytest.raises(bs.BoxscoreError) as caught:
        provoke(patch) if provoke.__code__.co_argcount else provoke()
    return str(caught.value)


@pytest.mark.parametrize(("text", "provoke"), CASES, ids=[text.splitlines()[0][:60] for text, _ in CASES])
def test_message(tmp_path, monkeypatch, text, provoke):
    monkeypatch.chdir(tmp_path)
    assert message(provoke, monkeypatch) == text


def test_messages_can_be_printed():
    for text, _ in CASES:
        text.encode()
        assert not any(line != line.rstrip() for line in text.splitlines())


def makers(path: Path) -> Iterator[tuple[int, int, str]]:
    """The lines of a source that make a message: errors, what returns one, and complaints that become one."""
    makes = ERRORS | PUBLIC | factories(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called.rpartition(".")[2] in makes or called.endswith("wrong.add"):
                yield node.lineno, node.end_lineno or node.lineno, ast.unparse(node)


def test_every_message_has_a_case(tmp_path, monkeypatch):
    wanted = {str(path): list(makers(path)) for path in SOURCES}
    met: dict[str, set[int]] = {path: set() for path in wanted}

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        lines = met.get(frame.f_code.co_filename)
        if lines is None:
            return None
        lines.add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    for number, (_, provoke) in enumerate(CASES):
        (tmp_path / str(number)).mkdir()
        monkeypatch.chdir(tmp_path / str(number))
        sys.settrace(trace)
        try:
            message(provoke, monkeypatch)
        finally:
            sys.settrace(before)
    missing = [
        f"{Path(path).relative_to(PACKAGE)}:{first}: {text}"
        for path, places in wanted.items()
        for first, last, text in places
        if not met[path] & set(range(first, last + 1))
    ]
    assert not missing, "no case for\n" + "\n".join(missing)
