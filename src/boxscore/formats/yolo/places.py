"""Places as data.yaml and obj.data write them, found in the folder that is there.

They are often of another machine, or relative to a folder above; what counts is that their end fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate

from boxscore.errors import InputError
from boxscore.formats.io.files import IMAGES
from boxscore.formats.io.label_files import base, stem_of
from boxscore.formats.yolo.pairs import Layout, paired, twin_of, without_extension


class Places:
    """Where images, labels and lists of images are."""

    def __init__(self, images: Sequence[str], labels: Sequence[str], lists: Mapping[str, Sequence[str]]) -> None:
        self._images, self._labels, self._lists = images, labels, lists
        folders = {path.rpartition("/")[0] for path in (*images, *labels)}
        self._folders = {above for folder in folders for above in _with_above(folder)}
        self._by_base = dict[str, list[str]]()
        for path in labels:
            self._by_base.setdefault(base(stem_of(path)), []).append(path)
        self._image_by_base = dict[str, list[str]]()
        for path in images:
            self._image_by_base.setdefault(base(path), []).append(path)

    def layout(self, entry: str, root: str) -> Layout:
        """The images of an entry: a folder, a list of images, or an image; empty where it is not there."""
        if entry.lower().endswith(".txt"):
            return self._listed(entry)
        if entry.lower().endswith(IMAGES):
            return self._named([entry], entry)
        parts, whole = _parts(entry), [*_parts(root), *_parts(entry)]
        shortest = min(2, len(parts)) if _is_absolute(entry) else len(parts)
        for start in range(len(whole) - shortest + 1):
            folder = "/".join(whole[start:])
            twin = twin_of(f"{folder}/")[:-1] if folder else ""
            if folder in self._folders or twin in self._folders:
                return paired(_under(self._images, folder), _under(self._labels, twin), twin)
        return Layout()

    def _listed(self, entry: str) -> Layout:
        fitting = [path for path in self._lists if base(path) == base(entry.replace("\\", "/"))]
        if not fitting:
            return Layout()
        path = max(fitting, key=lambda path: _common_end(path, "/".join(_parts(entry))))
        return self._named(self._lists[path], path)

    def _named(self, written: Iterable[str], source: str) -> Layout:
        """Images by their names; those whose labels are nowhere have no objects."""
        keys, labels, images = list[str](), list[str | None](), list[str | None]()
        for name in written:
            path = "/".join(_parts(name))
            stem = without_extension(path)
            image = _best(self._image_by_base.get(base(path), ()), [path], source, str)
            label = _best(self._by_base.get(base(stem), ()), [twin_of(stem), stem], source, stem_of)
            keys.append(image or path)
            labels.append(label)
            images.append(image)
        return Layout(tuple(keys), tuple(labels), tuple(images))


def _best(
    candidates: Sequence[str], wanted: Sequence[str], source: str, bare: Callable[[str], str]
) -> str | None:  # fmt: skip
    """The candidate whose path ends most like one of those wanted."""
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    ranked = sorted(
        ((max(_common_end(bare(path), want) for want in wanted), path) for path in candidates), reverse=True
    )
    if ranked[0][0] == ranked[1][0]:
        found = f"'{wanted[-1]}' can be {ranked[1][1]} or {ranked[0][1]}"
        raise InputError(source, found, "images with their folders")
    return ranked[0][1]


def _common_end(one: str, other: str) -> int:
    """How many parts at the end are the same."""
    pairs = zip(reversed(one.split("/")), reversed(other.split("/")), strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(one.count("/"), other.count("/")) + 1)


def _parts(path: str) -> list[str]:
    return [part for part in path.strip().replace("\\", "/").split("/") if part not in ("", ".", "..")]


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "\\")) or path[1:2] == ":"


def _with_above(folder: str) -> Iterable[str]:
    return ("", *accumulate(folder.split("/"), "{}/{}".format))


def _under(paths: Sequence[str], folder: str) -> list[str]:
    return [path for path in paths if path.startswith(f"{folder}/")] if folder else list(paths)
