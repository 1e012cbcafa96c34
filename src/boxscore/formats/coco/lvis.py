"""What LVIS and TAO add to COCO files: what is known of classes in whole images, how often each occurs, merged ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import first_few
from boxscore.tables.model import ImageLabels, Indices, Ints, Mark, index_of

if TYPE_CHECKING:  # the quick reader does without them
    from boxscore.formats.io.ids import Numbering
    from boxscore.formats.io.placed_records import Placed
    from boxscore.formats.io.record_values import Values

MARKS = {"neg_category_ids": Mark.NEGATIVE, "not_exhaustive_category_ids": Mark.NOT_EXHAUSTIVE}
FREQUENCIES = ("r", "c", "f")  # rare, common, frequent

Lists = tuple[Ints, Ints]  # class ids one list after the other, and where the list of each image ends


def usual_lists(images: Mapping[str, tuple[Any, ...]]) -> dict[str, Lists]:
    """The lists of the kernel, without those that no image has."""
    columns = {name: images[name] for name in MARKS}
    return {name: (listed, ends) for name, (ends, missing, listed) in columns.items() if _any(ends, missing)}


def usual_frequencies(column: tuple[Ints, Any, tuple[bytes, bool]]) -> list[str] | None:
    """The frequency of each class, empty where it has none; None where one is odd, and [] where no class has one."""
    ends, missing, (text, _) = column
    if not _any(ends, missing):
        return []
    absent = np.zeros(len(ends), np.bool_) if missing is None else missing != 0
    if not np.array_equal(np.diff(ends, prepend=0), ~absent) or set(text) - set("".join(FREQUENCIES).encode()):
        return None
    letters = iter(text.decode())
    return ["" if gone else next(letters) for gone in absent.tolist()]


def checked_frequencies(take: Values, categories: Iterable[Placed]) -> list[str]:
    """The frequency of each class, empty where it has none; [] where no class has one."""
    letters = [take.choice(r, "frequency", FREQUENCIES) for r in categories]
    return letters if any(letters) else []


def numbered(lists: Sequence[list[int | str]], classes: Numbering) -> Lists:
    """Lists of ids as the kernel gives them."""
    ends = np.cumsum([len(ids) for ids in lists], dtype=np.int64)
    return classes.numbers([key for ids in lists for key in ids]), ends


def image_labels(
    lists: Mapping[str, Lists], class_ids: Ints, keys: Sequence[str]
) -> tuple[ImageLabels | None, list[Finding]]:
    """What is said of whole images, and whether it is also said of classes that are not listed; None without lists.

    >>> lists = {"neg_category_ids": (np.array([7, 5]), np.array([0, 2]))}
    >>> image_labels(lists, np.array([5, 7]), ["a.jpg", "b.jpg"])[0].label
    array([1, 0], dtype=int32)
    """
    if not lists:
        return None, []
    image: Indices = np.concatenate([_images(ends) for _, ends in lists.values()])
    label: Indices = np.concatenate([index_of(ids, class_ids) for ids, _ in lists.values()])
    mark = np.repeat(np.array([MARKS[name] for name in lists], np.uint8), [len(ids) for ids, _ in lists.values()])
    known = label >= 0
    findings = []
    if not known.all():
        places = np.unique(image[~known])
        detail = first_few((keys[i] for i in places.tolist()), len(places))
        findings.append(finding("LBL001", int(np.count_nonzero(~known)), detail))
    return ImageLabels(image[known], label[known], mark[known]), findings


def in_order(frequency: Sequence[str], order: Sequence[int]) -> tuple[str, ...] | None:
    """The frequencies of classes in the given order; None if a class has none."""
    return tuple(frequency[i] for i in order) if frequency and all(frequency) else None


def merged_indices(merged: Mapping[int, int], class_ids: Sequence[int]) -> tuple[int, ...] | None:
    """For each class the index of the one that it is counted as; None where all are counted as they are.

    >>> merged_indices({9: 2}, [2, 5, 9])
    (0, 1, 0)
    """
    place = {key: i for i, key in enumerate(class_ids)}
    made = tuple(place.get(merged.get(key, key), i) for i, key in enumerate(class_ids))
    return None if made == tuple(range(len(made))) else made


def name_in(url: str) -> str:
    """The last two parts of the path in a web address: the image, and the folder that says of which set it is.

    >>> name_in("http://images.cocodataset.org/val2017/000000397133.jpg")
    'val2017/000000397133.jpg'
    """
    parts = url.split("/")
    return "/".join((parts[3:] if "://" in url else parts)[-2:])


def _any(ends: Ints, missing: Any) -> bool:
    """Whether any row of a column has a value."""
    return len(ends) > 0 and (missing is None or not missing.all())


def _images(ends: Ints) -> Indices:
    """For each entry of the lists the image that it belongs to."""
    return np.repeat(np.arange(len(ends), dtype=np.int32), np.diff(ends, prepend=0))
