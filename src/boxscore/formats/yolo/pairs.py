"""Images of YOLO and the files of their labels, paired: side by side, in twin folders, or labels alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from boxscore.formats.io.label_files import base, stem_of
from boxscore.formats.words import SPLITS

SPLIT = re.compile(
    rf"(?:{'|'.join(SPLITS)})"
    r"(?:[-_ ]?(?:(?:dev)?[-_]?\d{4}|images|labels|set|data|split))?",
    re.IGNORECASE,
)
_DARKNET = re.compile(r"obj_(.+)_data")
_ALIKE = {"valid": "val", "validation": "val"}


@dataclass(frozen=True)
class Layout:
    """Images in order, with the path of the file of labels of each and that of the image; None where it is absent."""

    keys: tuple[str, ...] = ()
    labels: tuple[str | None, ...] = ()
    images: tuple[str | None, ...] = ()

    def __add__(self, other: Layout) -> Layout:
        return Layout(self.keys + other.keys, self.labels + other.labels, self.images + other.images)

    def labelled(self) -> Layout:
        """The images that have a file of labels."""
        kept = [i for i, path in enumerate(self.labels) if path is not None]
        if len(kept) == len(self.keys):
            return self
        return Layout(*(tuple(column[i] for i in kept) for column in (self.keys, self.labels, self.images)))  # type: ignore[arg-type]


def paired(images: Sequence[str], labels: Sequence[str], top: str | None = None) -> Layout:
    """Images with the files of their labels, then labels whose image is not there, named from the folder `top` on."""
    found, rest = list[str | None](), list(labels)
    if images:
        by_stem = {stem_of(path): path for path in labels}
        found = [by_stem.get(twin_of(stem)) or by_stem.get(stem) for stem in map(without_extension, images)]
        rest = _others(labels, found)
    if rest and None in found:
        found = _by_base(images, found, rest)
        rest = _others(rest, found)
    alone, by = list[str](), by_folder(rest)
    for inside, paths in by.items():
        below = _below(inside) if top is None else f"{inside}/"[len(top) + bool(top) :]
        alone += [below + stem_of(path[len(inside) + bool(inside) :]) for path in paths]
    return Layout((*images, *alone), (*found, *chain.from_iterable(by.values())), (*images, *(None for _ in alone)))


def by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    """The paths of each folder: folders are few, files may be many.

    >>> by_folder(["a.txt", "b/c.txt"])
    {'': ['a.txt'], 'b': ['b/c.txt']}
    """
    found: dict[str, list[str]] = {}
    for path in paths:
        inside = path.rpartition("/")[0]
        (found.get(inside) or found.setdefault(inside, [])).append(path)
    return found


def _others(labels: Sequence[str], found: Sequence[str | None]) -> list[str]:
    taken = {*found}
    return [path for path in labels if path not in taken]


def _by_base(images: Sequence[str], found: list[str | None], rest: Sequence[str]) -> list[str | None]:
    """Further pairs whose names are alike in all but the folder, where that is unambiguous."""
    labels_of, n_images = dict[str, list[str]](), dict[str, int]()
    for path in rest:
        labels_of.setdefault(base(stem_of(path)), []).append(path)
    names = [base(without_extension(image)) for image in images]
    for name in names:
        n_images[name] = n_images.get(name, 0) + 1
    return [
        labels_of[name][0] if label is None and len(labels_of.get(name, ())) == n_images[name] == 1 else label
        for name, label in zip(names, found, strict=True)
    ]


def twin_of(path: str) -> str:
    """The place in the folder `labels` that belongs to one in the last folder `images`.

    >>> twin_of("images/val/a"), twin_of("a")
    ('labels/val/a', 'a')
    """
    head, found, tail = f"/{path}".rpartition("/images/")
    return f"{head}/labels/{tail}"[1:] if found else path


def without_extension(path: str) -> str:
    """A path without what stands behind the last point."""
    return path.rpartition(".")[0] or path


def split_of(folder: str) -> str:
    """The split that the name of a folder says, empty where it says none.

    >>> [split_of(name) for name in ("val2017", "obj_train_data", "cam1")]
    ['val2017', 'train', '']
    """
    darknet = _DARKNET.fullmatch(folder)
    return darknet[1] if darknet else folder if SPLIT.fullmatch(folder) else ""


def plain(split: str) -> str:
    """The name of a split as others may write it.

    >>> plain("Valid"), plain("test")
    ('val', 'test')
    """
    return _ALIKE.get(split.lower(), split.lower())


def _below(inside: str) -> str:
    """What of a folder belongs to the names of images: all behind `labels` and the name of a split."""
    parts = inside.split("/")
    marks = [i for i, part in enumerate(parts) if part == "labels" or split_of(part)]
    kept = parts[marks[-1] + 1 :] if marks else parts
    return "".join(f"{part}/" for part in kept if part)
