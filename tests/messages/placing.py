"""Paths that cannot be written, and names that no file can have."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boxscore.formats.io.placing import place
from boxscore.formats.io.writing import Writing, made
from boxscore.joining.read import Reading, read_truth
from boxscore.joining.read_back import changes

TWO = [("a.txt", b"1"), ("b.txt", b"2")]


def a_table(key: str) -> Any:
    columns = {"image": [key], "labels": ["cat"], "boxes": [[0, 0, 1, 1]]}
    return replace(read_truth(columns, Reading(box="xyxy"))[0], source="boxes")


def with_others() -> Path:
    folder = Path("out")
    (folder / "mine" / "empty").mkdir(parents=True)
    (folder / "a.txt").write_text("old")
    (folder / "b.txt").symlink_to("a.txt")
    (folder / "notes.md").write_text("mine")
    return folder


def failing(monkeypatch: pytest.MonkeyPatch, name: str, code: int) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, name, fail)


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "'a\\x00b': a path with a null character; expected the path of a file or folder",
        lambda: place(TWO, Path("a\0b")),
    ),
    (
        "out: the file name 'x\\x00y.txt'; expected a name that a file in the folder can have",
        lambda: place([("x\0y.txt", b"")], Path("out")),
    ),
    (
        "out: the file name '../x.txt'; expected a name that a file in the folder can have",
        lambda: place([("../x.txt", b"")], Path("out")),
    ),
    (
        "out/a.txt: two files of this name; expected names that differ in more than what the file system ignores",
        lambda: place([*TWO, ("a.txt", b"")], Path("out")),
    ),
    (
        f"out/{'x' * 300}: cannot be written (File name too long)",
        lambda: place([("x" * 300, b"")], Path("out")),
    ),
    (
        "out: text that is not valid Unicode ('a\\ud800.txt'); expected names without halves of surrogate pairs",
        lambda: place([(name, b"") for name in ("a.txt", "a\ud800.txt")], Path("out")),
    ),
    (
        "out: a file, where a folder is to be written; expected another path",
        lambda: (Path("out").write_text("mine"), place(TWO, Path("out"), overwrite=True)),
    ),
    (
        "out: a folder, where a file is to be written; expected another path",
        lambda: (Path("out").mkdir(), place([("", b"")], Path("out"), overwrite=True)),
    ),
    (
        "out: it holds 3 other files, which would be lost (b.txt, mine/empty/, notes.md); expected a new path, or a "
        "folder that holds only what is replaced",
        lambda: place(TWO, with_others(), overwrite=True),
    ),
    (
        "out: it holds 1 other file, which would be lost (c); expected a new path, or a folder that holds only what "
        "is replaced",
        lambda: (Path("out").mkdir(), Path("out/c").touch(), place(TWO, Path("out"), overwrite=True)),
    ),
    (
        "out: it is there already; expected a new path, or overwrite",
        lambda: (Path("out").mkdir(), place(TWO, Path("out"))),
    ),
    (
        "x: cannot be written (No space left on device)",
        lambda m: (failing(m, "write", errno.ENOSPC), place([("", b"1")], Path("x"))),
    ),
    (
        "x: cannot be written (Read-only file system)",
        lambda m: (failing(m, "mkdir", errno.EROFS), place([("", b"1")], Path("x"))),
    ),
    (
        "x: cannot be written (Permission denied)",
        lambda m: (Path("x").touch(), m.setattr(os, "access", lambda *_: False), place([("", b"1")], Path("x"), True)),
    ),
    ("x: cannot be written (Not a directory)", lambda: (os.mkfifo("x"), place(TWO, Path("x"), True))),
    (
        "boxes: the image name 'x/.y/a.jpg', whose file would be hidden; expected names that do not begin with a "
        "point, nor their folders",
        lambda: list(made(a_table("x/.y/a.jpg"), "labelme")),
    ),
    (
        "boxes: written as coco, it could not be read back (made: the file is empty; expected a JSON file); expected "
        "another format, or other names",
        lambda: (Path("made").touch(), changes(a_table("a"), Path("made"), "coco", Writing())),
    ),
]
