"""The images of COCO files: what they are called, and whose images those of detections are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from boxscore.formats.coco.lvis import name_in
from boxscore.formats.io.same_images import known_names
from boxscore.tables.model import Images, Indices, Ints, Truth, index_of

if TYPE_CHECKING:  # the quick reader does without them
    from boxscore.formats.io.ids import Numbering
    from boxscore.formats.io.placed_records import Placed

NAMES = ("file_name", "im_name")  # CityPersons has the latter


def image_names(images: Callable[[], Iterable[Placed]]) -> list[str] | None:
    """The file names, or what the addresses end with, if every image has one."""
    from boxscore.formats.io.record_values import clean

    for key in (*NAMES, "coco_url"):
        names = list[str]()
        for _, record in images():
            name = record.get(key)
            if not isinstance(name, str) or (key not in NAMES and not (name := name_in(name))):
                break
            names.append(clean(name))
        else:
            return names
    return None


def by_file(ids: Ints, names: Sequence[str]) -> tuple[list[str], Ints | None, Ints]:
    """The images of results that have a file name in each row: their names, their ids, and the image of each row.

    Ids are the names' numbers at times, so that 007.jpg and 7.jpg have the same; then there are none.

    >>> by_file(np.array([7, 7, 9]), ["007.jpg", "7.jpg", "9.jpg"])[:2]
    (['007.jpg', '7.jpg', '9.jpg'], None)
    """
    place: dict[str, int] = {}
    image = np.array([place.setdefault(name, len(place)) for name in names], np.int64)
    own = np.zeros(len(place), np.int64)
    own[image] = ids
    clear = np.array_equal(own[image], ids) and len(np.unique(own)) == len(own)
    return list(place), own if clear else None, own[image] if clear else image


def named_images(
    keys: list[str], ids: Ints | None, image: Ints, truth: Truth | None, more: tuple[Any, ...] = ()
) -> tuple[Images, Indices]:
    """The images of detections that have names, and that of each row; `image` holds ids, or numbers without them.

    They go by id where the truth has those ids and no other names for them, else by name: a file that lists its images
    may number them in its own way.
    """
    if ids is None:
        if truth is not None and truth.images.id is not None:  # some of the names may be numbers of the truth
            known = set(truth.images.key)
            numbers = dict(zip(map(str, truth.images.id.tolist()), truth.images.key, strict=True))
            keys = [key if key in known else numbers.get(key, key) for key in keys]
        return Images(keys, None, *more), image.astype(np.int32)
    place = index_of(image, ids)
    if truth is None or truth.images.id is None:
        return Images(keys, None, *more), place
    by_id = index_of(ids, truth.images.id)
    places = {key: i for i, key in enumerate(truth.images.key)}
    by_name = np.array([places.get(key, -1) for key in known_names(keys, truth.images.key)], np.int32)
    both = (by_id >= 0) & (by_name >= 0)
    if (by_id != by_name)[both].any() or (by_name >= 0).sum() > (by_id >= 0).sum():
        return Images(keys, None, *more), place
    return Images(keys, ids, *more), place


def written_keys(numbering: Numbering) -> list[str] | None:
    """The texts of ids that are numbers with zeros in front, which may be names of files; None where none is."""
    plain = [str(number) for number in numbering.ids.tolist()]
    return None if numbering.keys == plain else numbering.keys
