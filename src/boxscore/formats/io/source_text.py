"""The text of a source, opened; an error says where it is not UTF-8."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TextIO

from boxscore.errors import InputError
from boxscore.formats.io.source import Source

LONGEST_LINE = 1 << 24  # characters of a row; the kernels leave longer ones to the careful readers


@contextmanager
def text_of(source: Source) -> Iterator[TextIO]:
    """The text of a source, opened; an error says where it is not UTF-8."""
    binary = io.BytesIO(source.content) if source.path is None else source.path.open("rb")
    with io.TextIOWrapper(binary, encoding="utf-8-sig", newline="") as file:
        try:
            yield file
        except UnicodeDecodeError:
            raise not_text(source) from None


def lines_of(source: Source) -> list[str]:
    """All lines of a small file."""
    with text_of(source) as file:
        return file.read().splitlines()


def not_text(source: Source) -> InputError:
    """The error for a source that is not UTF-8; readers by block do not know the byte."""
    try:
        source.bytes().decode()
    except UnicodeDecodeError as error:
        return InputError(source.name, f"byte {error.start} is not UTF-8", "a text file")
    raise AssertionError("it is UTF-8")


def bounded(file: TextIO, name: str) -> Iterator[str]:
    """The lines of a file; an error where one is so long that it cannot be a row, before memory is full of it."""
    for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE + 1), ""), 1):
        if len(line) > LONGEST_LINE:
            raise too_long(f"{name}:{number}")
        yield line


def too_long(place: str) -> InputError:
    """The error for a line that cannot be a row."""
    return InputError(place, f"a line of more than {LONGEST_LINE:,} characters", "a row of values")
