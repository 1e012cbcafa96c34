"""CSV files, written: columns of texts side by side, with quotes where a text needs them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from boxscore.tables.model import Detections, Floats, Ints, Truth

_SPECIAL = re.compile('[,;"\t\r\n]')


def written_rows(table: Truth | Detections) -> Ints:
    """Rows whose image and class the table lists; the others cannot be written, and `losses` counts them."""
    return np.flatnonzero((table.image >= 0) & (table.label >= 0))


def names_of(table: Truth | Detections, rows: Ints, around: str = "{}") -> tuple[list[str], list[str]]:
    """The images and the classes of rows, as a CSV file has them; `around` is what stands beside each class."""
    images = [quoted(name) for name in table.images.key]
    classes = [around.format(quoted(name)) for name in table.classes.name]
    return [images[i] for i in table.image[rows].tolist()], [classes[k] for k in table.label[rows].tolist()]


def quoted(text: str) -> str:
    r"""A text as a field of a CSV file.

    >>> print(quoted("cat"), quoted('a "b", c'))
    cat "a ""b"", c"
    """
    plain = text and not _SPECIAL.search(text) and text == text.strip()
    return text if plain else '"' + text.replace('"', '""') + '"'


def written_numbers(values: Floats) -> list[str]:
    """Numbers as texts that give them back, whole ones without a point, unknown ones (nan) as nothing.

    >>> written_numbers(np.array([3.0, 0.1, np.nan]))
    ['3', '0.1', '']
    """
    texts = [repr(value).removesuffix(".0") for value in values.tolist()]
    return ["" if text == "nan" else text for text in texts] if np.isnan(values).any() else texts


def csv_text(header: Sequence[str], *columns: Sequence[str]) -> bytes:
    """The file of some columns, any of which may be several that stand side by side."""
    lines = [",".join(header), *map(",".join, zip(*columns, strict=True))]
    return ("\n".join(lines) + "\n").encode()
