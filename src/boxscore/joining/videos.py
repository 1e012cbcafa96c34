"""Both sides of a comparison, one video at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from boxscore.errors import InputError
from boxscore.evaluation.ledger import ImageAccount
from boxscore.joining.align import Aligned
from boxscore.tables.model import ImageLabels, Images, Indices, Ints, Table, Truth, select

WITHOUT = "Videos come from formats that name them (such as COCO with video_id, STT JSON, CVAT video)."


class Video(NamedTuple):
    """A video of the ground truth, and both sides as if there were no other."""

    name: str
    frames: int
    aligned: Aligned


def videos(aligned: Aligned) -> Iterator[Video]:
    """The videos that the ground truth lists, in its order; InputError where images are not frames of videos."""
    images, known = aligned.truth.images, aligned.known_images
    tracks = aligned.truth.tubes is not None  # an image is a whole video then
    names = images.key if tracks else images.video
    if names is None:
        raise InputError(
            aligned.truth.source or "truth", "images that are not frames of videos", "frames of videos", WITHOUT
        )
    listed = list(dict.fromkeys((*(() if tracks else images.videos or ()), *names[:known])))
    number = {name: i for i, name in enumerate(listed)}
    video = np.array([number.get(name, len(listed)) for name in names], np.int64)
    places = _groups(video, len(listed))
    objects, found = (
        _groups(np.append(video, len(listed))[table.image], len(listed))
        for table in (aligned.truth, aligned.detections)
    )
    for i, name in enumerate(listed):
        place = places[i]
        number_of = np.full(len(images) + 1, -1, np.int32)
        number_of[place] = np.arange(len(place), dtype=np.int32)
        own = _images(images, place)
        truth = _moved(select(aligned.truth, objects[i]), own, number_of)
        truth = replace(truth, labels=_labels(aligned.truth, number_of))
        detections = _moved(select(aligned.detections, found[i]), own, number_of)
        n, theirs = int((place < known).sum()), np.unique(detections.image)
        only = int((theirs >= n).sum())
        account = ImageAccount(n, len(theirs), len(theirs) - only, n - len(theirs) + only, only)
        made = Aligned(truth, detections, n, account, tuple(own.key[k] for k in theirs[theirs >= n][:3].tolist()), ())
        yield Video(name, _frames(truth) if tracks else n, made)


def _groups(number: Ints, n: int) -> list[Ints]:
    """The rows of each group, ascending."""
    order = np.argsort(number, kind="stable")
    cuts = np.searchsorted(number[order], np.arange(n + 1))
    return [order[cuts[i] : cuts[i + 1]] for i in range(n)]


def _images(images: Images, place: Ints) -> Images:
    def taken(column: Ints | None) -> Ints | None:
        return None if column is None else column[place]

    width, height = (None if side is None else side[place] for side in (images.width, images.height))
    some = place.tolist()
    video = None if images.video is None else [images.video[k] for k in some]
    keys = [images.key[k] for k in some]
    return Images(keys, taken(images.id), width, height, video, taken(images.frame), taken(images.rank))


def _moved(table: Table, images: Images, number_of: Indices) -> Table:
    return replace(table, images=images, image=np.ascontiguousarray(number_of[table.image]), places=None)


def _labels(truth: Truth, number_of: Indices) -> ImageLabels | None:
    """What is said of the images that stay."""
    if truth.labels is None:
        return None
    image = number_of[truth.labels.image]
    kept = image >= 0
    return ImageLabels(image[kept], truth.labels.label[kept], truth.labels.mark[kept])


def _frames(truth: Truth) -> int:
    """In how many frames tracks exist."""
    tubes = truth.tubes
    if tubes is None or not len(tubes):
        return 0
    return len(np.unique(np.concatenate([tubes.frame[a:b] for a, b in zip(tubes.begin, tubes.end, strict=True)])))
