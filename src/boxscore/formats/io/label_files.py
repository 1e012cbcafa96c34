"""The files of a folder that hold labels, one per image; lists of classes and texts for people may lie beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from boxscore.formats.io.files import Files

_CLASS_LISTS = r"_?classes\.txt"
_BESIDE = r"(?:readme|licen[cs]e|requirements|changelog)\b[^/\n]*"


def base(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


def named(paths: Sequence[str], pattern: str) -> list[str]:
    """The paths whose last part fits the pattern, whatever its case; quick for very many.

    >>> named(["a/classes.txt", "b.txt"], r"classes\\.txt")
    ['a/classes.txt']
    """
    return re.findall(rf"^(?:.*/)?(?:{pattern})$", "\n".join(paths), re.IGNORECASE | re.MULTILINE)


class Listing:
    """The paths of a folder by extension: there may be a hundred thousand, and several questions about them."""

    def __init__(self, folder: Files) -> None:
        self.folder = folder
        self._by_extension: dict[str, list[str]] = {}
        for path in folder.paths:
            _, dot, extension = path.rpartition(".")
            kind = extension.lower() if dot and "/" not in extension else ""
            self._by_extension.setdefault(kind, []).append(path)

    def ending(self, *extensions: str) -> list[str]:
        """The paths with one of the extensions ("" for none), in ascending order."""
        found = [self._by_extension[kind] for kind in extensions if kind in self._by_extension]
        return found[0] if len(found) == 1 else sorted(path for paths in found for path in paths)

    def labels(self) -> list[str]:
        """The text files that hold labels; where none has that extension, files without any."""
        texts = self.ending("txt") or self.ending("")
        beside = {*named(texts, f"{_CLASS_LISTS}|{_BESIDE}")}
        return [path for path in texts if path not in beside] if beside else texts

    def class_lists(self) -> list[str]:
        """Files that list classes, one on each line."""
        labels = [path for path in self.ending("labels") if base(path) == "_darknet.labels"]
        return [*self.ending("names"), *named(self.ending("txt"), _CLASS_LISTS), *labels]


def is_beside(path: str) -> bool:
    """Whether a text file lies beside labels rather than being one.

    >>> [is_beside(path) for path in ("a/classes.txt", "README.roboflow.txt", "class_1.txt")]
    [True, True, False]
    """
    return bool(named([path], f"{_CLASS_LISTS}|{_BESIDE}"))


def stem_of(path: str) -> str:
    """The name of the image that a file of labels belongs to."""
    return path[:-4] if path[-4:].lower() == ".txt" else path
