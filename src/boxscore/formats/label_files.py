"""The files of a folder that hold labels, one per image; lists of classes and texts for people may lie beside them."""

from __future__ import annotations

import re

from boxscore.formats.files import Files

CLASS_LISTS = re.compile(r"_?classes\.txt|.*\.names|_darknet\.labels", re.IGNORECASE)
_BESIDE = re.compile(r"(readme|licen[cs]e|requirements|changelog)\b.*", re.IGNORECASE)


def base(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


def is_beside(path: str) -> bool:
    """Whether a file lies beside labels rather than being one.

    >>> [is_beside(path) for path in ("a/classes.txt", "README.roboflow.txt", "class_1.txt")]
    [True, True, False]
    """
    name = base(path)
    return CLASS_LISTS.fullmatch(name) is not None or _BESIDE.fullmatch(name) is not None


def label_files(folder: Files) -> list[str]:
    """The text files that hold labels; where none has an extension, those without."""
    texts = folder.ending(".txt") or [path for path in folder.paths if "." not in base(path)]
    return [path for path in texts if not is_beside(path)]


def stem_of(path: str) -> str:
    """The name of the image that a file of labels belongs to."""
    return path[:-4] if path.lower().endswith(".txt") else path
