"""What is checked of either table, and how rows are named and left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from boxscore.checkup.boxes import undone
from boxscore.checkup.readings import COLUMNS, FORMS
from boxscore.diagnostics.diagnoses import Diagnosis, Evidence, Tables, diagnosis
from boxscore.tables.model import Bools, Detections, Floats, Ints, Truth, select

BEYOND = {"truth": 0.02, "detections": 0.2}  # share of boxes that may leave their image: networks overshoot
MANY = 0.2  # share of degenerate boxes from which they are misread rather than broken


def place(table: Truth | Detections, row: int) -> str:
    """How messages name a row: its file, its place there, its image."""
    image = int(table.image[row])
    name = table.images.key[image] if 0 <= image < len(table.images) else "?"
    where = table.places[image] if table.places is not None and 0 <= image < len(table.places) else table.source
    return f"{file_name(where)}: record {int(table.position[row])}, image {name}"


def file_name(source: str) -> str:
    """A path without its folders: which file is meant is known."""
    return source.replace("\\", "/").rstrip("/").rpartition("/")[2] or source


def odd_boxes(table: Truth | Detections, side: str) -> Iterator[Diagnosis]:
    """Degenerate boxes, boxes that leave the image, pixels where shares should be."""
    corners = table.corners
    if table.relative and len(table) and float((corners.max(axis=1) > 2).mean()) > 0.5:
        yield diagnosis(
            "BOX116", len(table), f"the boxes of the {side} go up to {corners.max():.5g}, and their format holds "
            "normalized coordinates (0 to 1)", side=side, option="--coords absolute",
            fix=partial(_in_pixels, side=side),
        )  # fmt: skip
        table = replace(table, relative=False)
    flat = np.flatnonzero((corners[:, 2] <= corners[:, 0]) | (corners[:, 3] <= corners[:, 1]))
    if len(flat) > max(MANY * len(table), 3):
        ended = int(((corners[:, 2] < corners[:, 0]) | (corners[:, 3] < corners[:, 1])).sum())
        if ended > max(MANY * len(table), 3) and (one := _another_form(table, side, ended)) is not None:
            yield one
            return
    if len(flat):
        text = f"{len(flat):,} of {len(table):,} boxes of the {side} have no width or no height, and can match nothing"
        one = diagnosis("BOX001", len(flat), text, side=side, examples=tuple(place(table, int(r)) for r in flat[:3]))
        fix = partial(without, side=side, positions=table.position[flat])
        # Without its own empty boxes a detector would look better than it is.
        yield replace(one, fix=fix) if side == "truth" else replace(
            one, severity="note", repair="nothing for the score: they count as false positives; clip boxes, then drop"
            " empty ones, where they are made",
        )  # fmt: skip
    beyond = outside(table, table.images.width, table.images.height)
    if beyond is not None and (count := int(beyond.sum())) > max(3, BEYOND[side] * len(table)):
        rows = np.flatnonzero(beyond)[:3].tolist()
        text = f"{count:,} of {len(table):,} boxes of the {side} leave their image by more than 2 %"
        examples = tuple(f"{place(table, r)}: corners {_numbers(table.corners[r])}" for r in rows)
        turned = outside(table, table.images.height, table.images.width)
        assert turned is not None
        if not table.relative and int((beyond & turned).sum()) < 0.1 * count:
            text += "; with width and height of the image exchanged they lie inside: cameras turn images (EXIF)"
            repair = "exchange width and height of these images in the truth, or give --images"
            yield diagnosis("SIZ002", count, text, side=side, examples=examples, repair=repair)
        else:
            repair = "check the image sizes of the truth and the form of the boxes (--box)"
            yield diagnosis("BOX113", count, text, side=side, examples=examples, repair=repair)


def _another_form(table: Truth | Detections, side: str, flat: int) -> Diagnosis | None:
    """A form in which almost all boxes have extent: permuted columns before width and height, which always do."""
    unknown = np.ones((len(table), 2))
    for reading in (COLUMNS, FORMS[1]):
        then = reading.undo(table.corners, unknown)
        real = float((then[:, 2:] > then[:, :2]).all(axis=1).mean())
        if real > 0.98:
            rows = np.ones(len(table), np.bool_)
            return diagnosis(
                reading.code, len(table), f"the boxes of the {side} are {reading.text}: as read, {flat:,} of "
                f"{len(table):,} end before they begin", side=side,
                evidence=(Evidence("share of boxes with extent", 1 - flat / len(table), real),),
                examples=tuple(f"{place(table, r)}: corners {_numbers(table.corners[r])} become {_numbers(then[r])}"
                               for r in range(min(3, len(table)))),
                option=f"--{side}-box {reading.option}" if reading.option else "",
                fix=partial(undone, side=side, rows=rows, undo=reading.undo),
            )  # fmt: skip
    return None


def _in_pixels(tables: Tables, side: str) -> Tables:
    truth, found = tables
    if side == "truth":
        return Tables(replace(truth, relative=False), found)
    return Tables(truth, None if found is None else replace(found, relative=False))


def _numbers(box: Floats) -> str:
    return " ".join(f"{value:.5g}" for value in box)


def outside(table: Truth | Detections, width: Floats | None, height: Floats | None) -> Bools | None:
    """Which boxes leave their image by more than a fiftieth of its side; None where no size is known."""
    c = table.corners
    if table.relative:
        relative: Bools = np.any((c < -0.02) | (c > 1.02), axis=1)
        return relative
    if width is None or height is None or not np.isfinite(width).any():
        return None
    width, height = (np.append(side, np.nan)[table.image] for side in (width, height))
    with np.errstate(invalid="ignore"):
        beyond = [c[:, 0] < -0.02 * width, c[:, 1] < -0.02 * height, c[:, 2] > 1.02 * width, c[:, 3] > 1.02 * height]
    some: Bools = np.logical_or.reduce(beyond)
    return some


def without(tables: Tables, side: str, positions: Ints) -> Tables:
    """The tables without some rows of one side, known by their place in the source: others may be gone already."""
    table = tables.truth if side == "truth" else tables.detections
    assert table is not None
    keep = ~np.isin(table.position, positions)
    if isinstance(table, Truth):
        return Tables(select(table, keep), tables.detections)
    return Tables(tables.truth, select(table, keep))
