"""Standard output, without anything that takes long to import."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from boxscore.cli.codes import OutputClosedError
from boxscore.errors import UsageError, readable

# Our own characters for terminals that have only ASCII; names of users have no such twin and become codes.
_IN_ASCII = str.maketrans(
    {"…": "...", "×": "x", "→": "->", "±": "+-", "·": "-", "█": "#", "░": ".", "—": "-", "–": "-"}
)


def write(text: str) -> None:
    """Text to standard output; characters that its encoding lacks are written in others, or as codes."""
    with checked():
        sys.stdout.write(fitting(readable(text), sys.stdout.encoding))
        sys.stdout.flush()


def fitting(text: str, encoding: str | None) -> str:
    r"""Text in the characters that an encoding has.

    >>> fitting("N… of 猫", "ascii"), fitting("N…", "utf-8")
    ('N... of \\u732b', 'N…')
    """
    encoding = encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_IN_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text


def write_bytes(text: str) -> None:
    """Text for machines to standard output: UTF-8 and line feeds, whatever the locale."""
    with checked():
        sys.stdout.flush()
        shown = readable(text) if sys.stdout.isatty() else text  # a name must not command the terminal
        sys.stdout.buffer.write(shown.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()


@contextmanager
def checked() -> Iterator[None]:
    """Around whatever writes: a closed or full output is our own error."""
    try:
        yield
    except BrokenPipeError:
        raise OutputClosedError from None
    except OSError as error:
        raise UsageError(f"standard output: cannot be written ({error.strerror})") from None
