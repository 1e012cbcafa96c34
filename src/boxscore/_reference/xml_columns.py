"""Records of many small XML files as columns, defined: token by token, each file as a tree."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

NUMBER, TEXT = range(2)  # kinds of fields
Fields = Sequence[tuple[str, int]]
_NAME = r"[A-Za-z_][A-Za-z0-9_.-]*"
_SPACE = r"[ \n\t\r]"
_ATTRIBUTE = rf"(?P<attribute>{_NAME}){_SPACE}*={_SPACE}*(?:\"[^\"<&]*\"|'[^'<&]*')"
_DECLARATION = re.compile(
    rf"<\?xml{_SPACE}+version{_SPACE}*={_SPACE}*(?:\"1\.0\"|'1\.0')"
    rf"(?:{_SPACE}+encoding{_SPACE}*={_SPACE}*(?:\"(?P<a>[^\"]*)\"|'(?P<b>[^']*)'))?"
    rf"(?:{_SPACE}+standalone{_SPACE}*={_SPACE}*(?:\"(?:yes|no)\"|'(?:yes|no)'))?{_SPACE}*\?>"
)
_TOKEN = re.compile(
    rf"(?P<text>[^<]+)|<!--(?:[^-]|-[^-])*-->|</(?P<close>{_NAME}){_SPACE}*>"
    rf"|<(?P<open>{_NAME})(?:{_SPACE}+{_ATTRIBUTE})?{_SPACE}*(?P<empty>/?)>"
)
_UNUSUAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|]]>")
_REFERENCE = re.compile("&(?:amp|lt|gt|quot|apos);|&")
_NUMBER = re.compile(rf"{_SPACE}*(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?){_SPACE}*", re.ASCII)
_NAMED = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


class UnusualError(Exception):
    """The text is no XML, or not written in the usual way; a general reader must look at it."""


@dataclass
class Element:
    """An element; `parts` counts the pieces of text, comments and elements in it."""

    name: str
    text: str = ""
    parts: int = 0
    children: list[Element] = field(default_factory=list)


def xml_columns(
    pieces: bytes, ends: Any, on_disk: bool, root: str, record: str, header: Fields, fields: Fields, threads: int = 1
) -> tuple[Any, Any, list[Any], list[Any]]:
    """The asked elements of many files: of each file as a whole, and of its records.

    The files stand one after the other in `pieces` (on a disk: their paths do), each before its end. Records are the
    elements `record` directly below the outermost one, `root`; elements are named by their paths from there on. The
    result is a mask of the files that are written in the usual way, the number of records before each file (and all),
    a column per element of the header with an entry per file, and a column per field with an entry per record.
    Columns of numbers hold nan where there is none; those of texts are (number of the text or -1, all texts in the
    order in which they come, where each ends in that). Of other files there are no records, and the header is empty.
    """
    first, headers, records, quick = [0], list[Any](), list[Any](), list[bool]()
    for begin, end in pairwise([0, *ends.tolist()]):
        try:
            tree = parse(content(pieces[begin:end], on_disk), root)
            whole = values(tree, header)
            found = [values(child, fields) for child in tree.children if child.name == record]
        except (UnusualError, OSError):
            whole, found = None, []
        quick.append(whole is not None)
        headers.append(whole or [None] * len(header))
        records += found
        first.append(len(records))
    return (
        np.array(quick, np.uint8),
        np.array(first, np.int64),
        [column([row[f] for row in headers], kind) for f, (_, kind) in enumerate(header)],
        [column([row[f] for row in records], kind) for f, (_, kind) in enumerate(fields)],
    )


def content(piece: bytes, on_disk: bool) -> bytes:
    """A file's content."""
    if not on_disk:
        return piece
    return Path(os.fsdecode(piece)).read_bytes()


def parse(content: bytes, root: str) -> Element:
    """The tree of a file whose outermost element has the given name."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise UnusualError from None
    marked = text.startswith("\ufeff")
    text = text[marked:]
    if _UNUSUAL.search(text):
        raise UnusualError
    if declared := _DECLARATION.match(text):
        stated = [name for name in (declared["a"], declared["b"]) if name is not None]
        encoding = stated[0].lower() if stated else "utf-8"
        if encoding != "utf-8" and not (encoding == "us-ascii" and content.isascii()):
            raise UnusualError
        text = text[declared.end() :]
    top = Element("")
    still_open, at = [top], 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise UnusualError
        at = token.end()
        take(token, still_open)
    if len(still_open) > 1 or [child.name for child in top.children] != [root] or top.text.strip(" \n\t\r"):
        raise UnusualError
    return top.children[0]


def take(token: re.Match[str], still_open: list[Element]) -> None:
    """Adds a token to the elements that are still open."""
    inner = still_open[-1]
    if token["close"]:
        if inner.name != token["close"]:
            raise UnusualError
        still_open.pop()
        return
    inner.parts += 1
    if token["text"]:
        if "&" in _REFERENCE.findall(token["text"]):
            raise UnusualError
        inner.text += token["text"]
    elif token["open"]:
        if (token["attribute"] or "").startswith("xmlns"):
            raise UnusualError
        element = Element(token["open"])
        inner.children.append(element)
        if not token["empty"]:
            still_open.append(element)


def values(element: Element, fields: Fields) -> list[Any]:
    """What is asked of an element; no name on the way to it may be there twice."""
    wanted = [path.split("/") for path, _ in fields]
    for path in wanted:
        for depth in range(1, len(path) + 1):
            if len(reached(element, path[:depth])) > 1:
                raise UnusualError
    found = [reached(element, path) for path in wanted]
    return [value(one[0], kind) if one else None for one, (_, kind) in zip(found, fields, strict=True)]


def reached(element: Element, path: Sequence[str]) -> list[Element]:
    """All elements on a path."""
    within = [element]
    for name in path:
        within = [child for outer in within for child in outer.children if child.name == name]
    return within


def value(element: Element, kind: int) -> Any:
    """The text of an element or its number; only text may stand in it."""
    if element.children or element.parts > 1 or (element.parts and not element.text):
        raise UnusualError
    if kind == TEXT:
        if "\r" in element.text:
            raise UnusualError
        return _REFERENCE.sub(lambda found: _NAMED[found[0]], element.text)
    plain = _NUMBER.fullmatch(element.text)
    if plain is None:
        raise UnusualError
    nearest = float(plain[1])
    if math.isinf(nearest) or (nearest == 0 and re.search("[1-9]", re.split("[eE]", plain[1])[0])):
        raise UnusualError
    return nearest


def column(values: Sequence[Any], kind: int) -> Any:
    """A column of numbers or texts."""
    if kind == NUMBER:
        return np.array([math.nan if v is None else v for v in values], np.float64)
    numbers: dict[str, int] = {}
    codes = [-1 if v is None else numbers.setdefault(v, len(numbers)) for v in values]
    texts = [text.encode() for text in numbers]
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return np.array(codes, np.int32), b"".join(texts), ends
