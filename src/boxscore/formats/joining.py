"""Image names that differ only in folder or extension: joined where that is unambiguous."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from boxscore.findings import finding
from boxscore.ledger import Finding
from boxscore.model import Detections, Truth

_EXTENSIONS = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".tif", ".tiff", ".webp", ".ppm", ".txt", ".xml", ".json")


def stem(key: str) -> str:
    r"""A name without folders and without the extension of an image.

    >>> stem("val/frame.001.jpg"), stem("C:\\images\\a.PNG"), stem("frame.001")
    ('frame.001', 'a', 'frame.001')
    """
    return without_extension(key.replace("\\", "/").rpartition("/")[2])


def without_extension(key: str) -> str:
    """A name without the extension of an image.

    >>> without_extension("val/frame.001.jpg"), without_extension("frame.001")
    ('val/frame.001', 'frame.001')
    """
    head, dot, extension = key.rpartition(".")
    return head if head and dot + extension.lower() in _EXTENSIONS else key


def known_names(keys: Sequence[str], known: Sequence[str]) -> list[str]:
    """Each key under the name that `known` has for it; as it is where none or several would do.

    >>> known_names(["a", "b.png", "c"], ["x/a.jpg", "b.jpg", "d.jpg"])
    ['x/a.jpg', 'b.jpg', 'c']
    """
    names = set(known)
    if all(key in names for key in keys):
        return list(keys)
    theirs, ours = _by_stem(known), _by_stem(keys)
    taken = {key for key in keys if key in names}
    result = []
    for key in keys:
        place = stem(key)
        one = theirs.get(place, [])
        fits = key not in names and len(one) == 1 and len(ours[place]) == 1 and one[0] not in taken
        result.append(one[0] if fits else key)
    return result


def _by_stem(keys: Iterable[str]) -> dict[str, list[str]]:
    by_stem: dict[str, list[str]] = {}
    for key in keys:
        by_stem.setdefault(stem(key), []).append(key)
    return by_stem


def joined(detections: Detections, truth: Truth | None) -> tuple[Detections, list[Finding]]:
    """The detections with the truth's image names where theirs lack a folder or an extension."""
    if truth is None or detections.images is truth.images:
        return detections, []
    if truth.images.id is not None and detections.images.id is not None:
        return detections, []  # joined by number
    keys = known_names(detections.images.key, truth.images.key)
    changed = [(old, new) for old, new in zip(detections.images.key, keys, strict=True) if old != new]
    if not changed:
        return detections, []
    images = replace(detections.images, key=keys)
    return replace(detections, images=images), [finding("IMG002", len(changed), " = ".join(changed[0]))]
