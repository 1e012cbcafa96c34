"""Joins truth and detections: one list of images, one list of classes, and an account of what did not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.evaluation.ledger import ImageAccount
from boxscore.joining.relations import with_common_classes
from boxscore.tables.arguments import a, checked
from boxscore.tables.common_images import same_images
from boxscore.tables.model import Classes, Detections, Floats, Images, Indices, Ints, Truth
from boxscore.tables.synonyms import suggestions


@dataclass(frozen=True, eq=False)
class Aligned:
    """Both sides over the same images and classes.

    Detections on images unknown to the truth have image numbers from `known_images` on; those of unknown classes have
    label -1.
    """

    truth: Truth
    detections: Detections
    known_images: int
    account: ImageAccount
    unknown_images: tuple[str, ...]  # the first few
    unknown_classes: tuple[str, ...]


@checked(truth=a("a table of objects (Truth)", Truth), detections=a("a table of detections (Detections)", Detections))
def align(truth: Truth, detections: Detections) -> Aligned:
    """Joins the sides by image (number or key) and class (name or number).

    Raises InputError where nothing fits: such a comparison would give a wrong number, not a low one.
    """
    if truth.relative != detections.relative and len(truth) and len(detections):
        one, other = ("in normalized coordinates", "in pixels")[:: 1 if detections.relative else -1]
        raise InputError(detections.source or "detections", f"boxes {one}", f"boxes {other}, like the ground truth")
    truth, detections = with_common_classes(truth, detections)
    image_of = same_images(truth.images, detections.images)
    label_of = _same_classes(truth.classes, detections.classes)
    n_known, unknown = len(truth.images), np.flatnonzero(image_of < 0)
    if len(detections) and len(image_of) and len(unknown) == len(image_of):
        by_id = truth.images.id is not None and detections.images.id is not None
        theirs, ours = ((t.id if by_id else t.key) for t in (detections.images, truth.images))
        raise _nothing_in_common("image", detections, theirs, ours)
    if len(detections) and len(label_of) and (label_of < 0).all():
        raise _nothing_in_common("class", detections, detections.classes.name, truth.classes.name)
    listed = _with_detections(detections) if detections.images is truth.images else len(image_of)
    account = ImageAccount(
        truth=n_known,
        detections=listed,
        matched=listed - len(unknown),
        only_truth=n_known - (listed - len(unknown)),
        only_detections=len(unknown),
    )
    images = _with_unknown(truth.images, detections.images, unknown)
    image_of[unknown] = np.arange(n_known, n_known + len(unknown), dtype=np.int32)
    return Aligned(
        replace(truth, images=images),
        replace(
            detections,
            images=images,
            classes=truth.classes,
            image=_mapped(detections.image, image_of),
            label=_mapped(detections.label, label_of),
            places=places_over(detections, image_of, len(images)),
        ),
        n_known,
        account,
        tuple(detections.images.key[int(i)] for i in unknown[:3]),
        tuple(detections.classes.name[int(k)] for k in np.flatnonzero(label_of < 0)),
    )


def _with_detections(detections: Detections) -> int:
    """How many images have any: where the list of images is the truth's, it says nothing about the detections."""
    image = detections.image
    if not len(image):
        return 0
    runs = np.append(image[:1], image[1:][image[1:] != image[:-1]])  # rows of one image mostly stand together
    runs = np.sort(runs[runs >= 0])  # np.unique would do, but takes 10 ms to be there for the first time
    return int(np.count_nonzero(runs[1:] != runs[:-1])) + 1 if len(runs) else 0


def _same_classes(truth: Classes, detections: Classes) -> Indices:
    """For each class of the detections its index among the truth's: by id where ids are all they have, else by name."""
    if detections is truth:
        return np.arange(len(truth), dtype=np.int32)
    known = {name: i for i, name in reversed(list(enumerate(truth.name)))}
    ids = {str(key): i for i, key in reversed(list(enumerate(truth.id)))}
    by_id = all(name == str(key) for name, key in zip(detections.name, detections.id, strict=True))
    return np.array([known.get(n, ids.get(n, -1) if by_id else -1) for n in detections.name], np.int32)


def places_over(table: Detections, image_of: Indices, n: int) -> Sequence[str] | None:
    """The file of each image, once the images of a table are others; that of the whole where an image has none."""
    if table.places is None or np.array_equal(image_of, np.arange(n, dtype=np.int32)):
        return table.places
    made = [table.source] * n
    for image, place in zip(image_of.tolist(), table.places, strict=True):
        if image >= 0:
            made[image] = place
    return made


def _mapped(column: Indices, table: Indices) -> Indices:
    """column through table; -1 stays -1."""
    if len(table) and np.array_equal(table, np.arange(len(table), dtype=np.int32)):
        return column
    return np.append(table, np.int32(-1))[column]


def _with_unknown(truth: Images, detections: Images, unknown: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Images:
    if not len(unknown):
        return truth

    def added(ours: Floats | None, theirs: Floats | None) -> Floats | None:
        if ours is None:
            return None
        return np.append(ours, np.full(len(unknown), np.nan) if theirs is None else theirs[unknown])

    ids, n_known = None, len(truth)
    rank = None if truth.rank is None else np.append(truth.rank, n_known + np.arange(len(unknown)))
    if truth.id is not None:  # the truth's images keep their order, whether or not the others have numbers
        further = _free_numbers(truth.id, len(unknown)) if detections.id is None else detections.id[unknown]
        ids = np.append(truth.id, further)
    return Images(
        [*truth.key, *(detections.key[int(i)] for i in unknown)],
        ids,
        added(truth.width, detections.width),
        added(truth.height, detections.height),
        video=_joined_videos(truth, detections, unknown),
        frame=None
        if truth.frame is None
        else np.append(
            truth.frame, np.zeros(len(unknown), np.int64) if detections.frame is None else detections.frame[unknown]
        ),
        rank=rank,
        videos=truth.videos,
    )


def _joined_videos(truth: Images, detections: Images, unknown: Ints) -> list[str] | None:
    """The video of each image; an unknown image that is no frame of one is a video of its own."""
    if truth.video is None:
        return None
    theirs = detections.key if detections.video is None else detections.video
    return [*truth.video, *(theirs[int(i)] for i in unknown)]


def _free_numbers(ids: Ints, n: int) -> Ints:
    """So many numbers that are nobody's id: the next ones, or, where these would exceed 64 bits, the least."""
    last = int(ids.max(initial=0))
    if last + n < 2**63:
        return last + 1 + np.arange(n, dtype=np.int64)
    return np.setdiff1d(np.arange(len(ids) + n, dtype=np.int64), ids)[:n]


def _nothing_in_common(what: str, detections: Detections, theirs: Any, ours: Any) -> InputError:
    some, known = first_few(theirs, len(theirs)), first_few(ours, len(ours))
    plural = {"image": "images", "class": "classes"}[what]
    hint = f"The {what} ids or names must be the same on both sides; here they follow different rules."
    if what == "class" and all(name.isdigit() for name in theirs):
        hint = "Class numbers get their names from a list, in the order of the numbers: --detections-classes FILE."
    elif what == "class" and (pairs := suggestions(theirs, ours)):
        lines = "".join(f"\n    {name} = {other}" for name, other in pairs)
        hint = f"Some may mean the same; if they do, write these lines into a file for --map-classes:{lines}"
    none = f"none of its {len(theirs):,} {plural} is" if len(theirs) > 1 else f"its only {what} is not"
    return InputError(
        detections.source or "detections",
        f"{none} in the ground truth ({plural} here: {some})",
        f"{plural} of the ground truth: {known or 'it has none'}",
        hint,
    )


def known_only(aligned: Aligned, found: Detections) -> tuple[Images, Indices, Indices]:
    """The images of the truth, and the columns of images and classes without rows of any other."""
    unknown, nothing = found.image >= aligned.known_images, np.int32(-1)
    images = _first(aligned.truth.images, aligned.known_images)
    return images, np.where(unknown, nothing, found.image), np.where(unknown, nothing, found.label)


def _first(images: Images, n: int) -> Images:
    """The first n images."""
    return Images(
        images.key[:n],
        None if images.id is None else images.id[:n],
        None if images.width is None else images.width[:n],
        None if images.height is None else images.height[:n],
        None if images.video is None else images.video[:n],
        None if images.frame is None else images.frame[:n],
        rank=None if images.rank is None else images.rank[:n],
    )
