"""Archives that cannot be read, and places that cannot be written to."""

from __future__ import annotations

import io
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boxscore.formats.io import unpacking
from boxscore.formats.io.writing import Writing, made, write
from boxscore.formats.registry import formats
from boxscore.joining.read import read_truth
from boxscore.tables.model import Images
from small_coco import TRUTH, file


def zipped(**members: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return content.getvalue()


def before_the_beginning() -> bytes:
    """A zip whose list of files begins, as it says, after more bytes than there are."""
    content = bytearray(zipped(a="x"))
    end = content.rindex(b"PK\5\6")
    content[end + 16 : end + 20] = (int.from_bytes(content[end + 16 : end + 20], "little") + 1).to_bytes(4, "little")
    return bytes(content)


def tarred(*pairs: tuple[str, str], **members: str) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name, text in (*pairs, *members.items()):
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return content.getvalue()


def too_large(monkeypatch: pytest.MonkeyPatch) -> Any:
    file("a.zip", zipped(a="x" * 10))
    monkeypatch.setattr(unpacking, "MOST", 5)
    return read_truth("a.zip")


def unwritable(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)


def a_table() -> Any:
    file("t.json", TRUTH)
    return read_truth("t.json")[0]


def labelled(name: str) -> Any:
    return replace(a_table(), images=Images([name, "b.jpg"], None, *np.full((2, 2), 100.0)))


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "a.zip: an archive without files; expected an archive of annotation files",
        lambda: (file("a.zip", zipped(**{".hidden": "x"})), read_truth("a.zip")),
    ),
    (
        "a.zip: damaged zip data (File is not a zip file); expected a complete .zip file without a password",
        lambda: (file("a.zip", zipped(a="x")[:40]), read_truth("a.zip")),
    ),
    (
        "a.tar: damaged tar data (unexpected end of data); expected a complete .tar file",
        lambda: (file("a.tar", tarred(a="x" * 2000, b="y")[:1100]), read_truth("a.tar")),
    ),
    (
        "a.zip: an archive of more than 5 bytes besides images; expected a smaller one, or a folder",
        too_large,
    ),
    (
        "a.zip: two files called 'x/a.xml' ('x/a.xml' and '../x/a.xml'); expected each file once\n"
        "  Pack it again, each under a path of its own.",
        lambda: (file("a.zip", zipped(**{"x/a.xml": "x", "../x/a.xml": "y"})), read_truth("a.zip")),
    ),
    (
        "a.tar: two files called 'a.xml'; expected each file once\n  Pack it again, each under a path of its own.",
        lambda: (file("a.tar", tarred(("a.xml", "x"), ("a.xml", "y"))), read_truth("a.tar")),
    ),
    (
        "a.zip: a file without a name ('..'); expected a path for each file",
        lambda: (file("a.zip", zipped(**{"..": "x"})), read_truth("a.zip")),
    ),
    (
        "a.tar: damaged tar data (no header at byte 1024); expected a complete .tar file",
        lambda: (file("a.tar", tarred(a="x", b="y").replace(b"b\0\0\0", b"c\0\0\0")), read_truth("a.tar")),
    ),
    (
        "a.tar: damaged tar data (it ends without a mark that it is complete); expected a complete .tar file",
        lambda: (file("a.tar", tarred(a="x", b="y")[:1024]), read_truth("a.tar")),
    ),
    (
        "a.tar: damaged tar data (a second archive begins at byte 10240); expected a complete .tar file",
        lambda: (file("a.tar", tarred(a="x") + tarred(b="y")), read_truth("a.tar")),
    ),
    (
        "a.zip: damaged zip data (its parts do not fit together); expected a complete .zip file without a password",
        lambda: (file("a.zip", before_the_beginning()), read_truth("a.zip")),
    ),
    ("box='xx'; expected one of xywh, xyxy, cxcywh", lambda: Writing(box="xx")),
    (
        "'imagenet-det' is no format that truth can be written in; expected one of "
        + ", ".join(form.name for form in formats() if form.write_truth),
        lambda: made(a_table(), "imagenet-det"),
    ),
    (
        "t.json: it is there already; expected a new path, or overwrite",
        lambda: write(a_table(), "t.json", "coco"),
    ),
    ("no: no such folder; expected a folder to write into", lambda: write(a_table(), "no/x.json", "coco")),
    (
        "x.json: cannot be written (Permission denied)",
        lambda m: (unwritable(m), write(a_table(), "x.json", "coco")),
    ),
    (
        "x: the file name 'a\\x00b.json'; expected a name that a file in the folder can have",
        lambda: write(labelled("a\0b.jpg"), "x", "labelme"),
    ),
    (
        "boxes: normalized boxes, and the image size is unknown; expected image sizes, for boxes in pixels",
        lambda: write(replace(a_table(), relative=True, source="boxes"), "x.json", "coco"),
    ),
]
