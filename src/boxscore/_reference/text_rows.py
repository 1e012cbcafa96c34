"""Lines `<name> <number>…` of many small files as columns, defined: file by file, line by line."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

_UNUSUAL = re.compile(rb'[^\t\n\r -~]|[,;"]|\r(?!\n|\Z)')
LONGEST_LINE = 1 << 24  # bytes: no row of boxes is as long
_NUMBER = re.compile(rb"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class UnusualError(Exception):
    """The file is not written in the usual way; a general reader must look at it."""


def text_rows(
    root: bytes | None, paths: bytes, contents: Sequence[bytes], tail: int, threads: int = 1
) -> tuple[Any, ...]:
    """Columns of all rows, the distinct names, and for each file whether it was left out.

    The columns are file, name, line, where the row's numbers end, and (of another length) all numbers. `paths` are
    below `root` and separated by zeros; without a root, `contents` are the files. A line ends with `tail` numbers and
    the name is all before them; if it is 0, the name is the first word, and any number of numbers follow.
    """
    files: list[bytes | None] = list(contents)
    if root is not None and paths:
        files += [_content(os.path.join(root, path)) for path in paths.split(b"\0")]  # noqa: PTH118
    file, name, line, end, numbers = list[int](), list[int](), list[int](), list[int](), list[float]()
    names, odd = dict[bytes, int](), list[bool]()
    for i, content in enumerate(files):
        try:
            found = _rows(content, tail)
        except UnusualError:
            odd.append(True)
            continue
        odd.append(False)
        for number, word, values in found:
            file.append(i)
            name.append(names.setdefault(word, len(names)))
            line.append(number)
            numbers += values
            end.append(len(numbers))
    columns = (np.array(column, np.int32) for column in (file, name, line))
    listed = [word.decode() for word in names]
    return *columns, np.array(end, np.int64), np.array(numbers, np.float64), listed, np.array(odd, np.uint8)


def _content(path: bytes) -> bytes | None:
    try:
        return Path(os.fsdecode(path)).read_bytes()
    except OSError:
        return None


def _rows(content: bytes | None, tail: int) -> list[tuple[int, bytes, list[float]]]:
    """Line, name and numbers of each row of a file."""
    if content is None:
        raise UnusualError
    text = content.removeprefix(b"\xef\xbb\xbf")
    if _UNUSUAL.search(text):
        raise UnusualError
    rows = []
    for number, line in enumerate(text.split(b"\n"), 1):
        if len(line) > LONGEST_LINE:
            raise UnusualError
        words = line.split()
        if not words:
            continue
        if len(words) <= tail or words[0].startswith(b"#"):
            raise UnusualError
        first = len(words) - tail if tail else 1
        name = line.strip().rsplit(None, len(words) - first)[0]
        rows.append((number, name, [_number(word) for word in words[first:]]))
    return rows


def _number(word: bytes) -> float:
    """The double nearest to a decimal number; too large and too small ones are not usual."""
    if not _NUMBER.fullmatch(word):
        raise UnusualError
    nearest = float(word)
    vanished = nearest == 0 and re.search(rb"[1-9]", re.split(rb"[eE]", word)[0])
    if math.isinf(nearest) or vanished:
        raise UnusualError
    return nearest
