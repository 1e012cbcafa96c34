"""The ways in which boxes are misread, as functions on corners: undo one, and the boxes fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from boxscore.tables.model import Floats

Undo = Callable[[Floats, Floats], Floats]  # corners and (width, height) of the image of each, to corners
Family = Callable[[float, bool], "Reading"]
COMMON = (224, 300, 320, 416, 512, 608, 640, 768, 800, 896, 1024, 1280)  # input sizes of networks


@dataclass(frozen=True)
class Reading:
    """A way to read boxes: what was wrong about it, and how to undo that. Several mistakes are undone in turn."""

    code: str
    text: str  # what the boxes are
    undo: Undo
    sized: bool = False  # whether it needs the sizes of images
    searched: bool = False  # whether its numbers were found by trial rather than known to be in use
    option: str = ""  # the form of boxes to state, where that is all
    parts: tuple[Reading, ...] = ()

    def then(self, other: Reading) -> Reading:
        """Both mistakes, this one undone first."""
        parts = (*(self.parts or (self,)), *(other.parts or (other,)))
        return Reading(
            other.code if other is SWAP else self.code, f"{self.text}, {other.text}",
            lambda c, s: other.undo(self.undo(c, s), s), self.sized or other.sized, other.searched, parts=parts,
        )  # fmt: skip

    @property
    def cost(self) -> float:
        """What a reading must bring to be preferred to a simpler one."""
        return 0.02 * max(len(self.parts) - 1, 0) + 0.01 * self.searched


def _widths(c: Floats) -> Floats:
    return np.concatenate([c[:, 2:] - c[:, :2], c[:, 2:] - c[:, :2]], axis=1)


def _doubled(size: Floats) -> Floats:
    return np.concatenate([size, size], axis=1)


def _flipped(c: Floats, s: Floats, axis: int) -> Floats:
    out = c.copy()
    out[:, axis], out[:, axis + 2] = s[:, axis] - c[:, axis + 2], s[:, axis] - c[:, axis]
    return out


AS_READ = Reading("", "as read", lambda c, s: c)
CORNERS = Reading(
    "BOX102", "corners x1 y1 x2 y2 that were read as x y width height",
    lambda c, s: np.concatenate([c[:, :2], c[:, 2:] - c[:, :2]], axis=1), option="xyxy",
)  # fmt: skip
FORMS = (
    CORNERS,
    Reading("BOX103", "x y width height that were read as corners",
            lambda c, s: np.concatenate([c[:, :2], c[:, 2:] + c[:, :2]], axis=1), option="xywh"),
    Reading("BOX104", "centre, width and height, whose centre was read as the top left corner",
            lambda c, s: c - _widths(c) / 2, option="cxcywh"),
    Reading("BOX105", "x y width height, whose top left corner was read as the centre",
            lambda c, s: c + _widths(c) / 2, option="xywh"),
)  # fmt: skip
SWAP = Reading("BOX101", "written with x and y swapped", lambda c, s: np.ascontiguousarray(c[:, [1, 0, 3, 2]]))
COLUMNS = Reading(
    "BOX115", "x1 y1 x2 y2 in columns that are called XMin XMax YMin YMax", lambda c, s: c[:, [0, 2, 1, 3]]
)
UNITS = (
    Reading("BOX106", "normalized coordinates (0 to 1) that were read as pixels", lambda c, s: c * _doubled(s), True),
    Reading("BOX107", "percent of the image that were read as pixels", lambda c, s: c * _doubled(s) / 100, True),
)
FLIPS = (
    Reading("BOX111", "written with y counted from the bottom", lambda c, s: _flipped(c, s, 1), True),
    Reading("BOX114", "written with x counted from the right", lambda c, s: _flipped(c, s, 0), True),
)


def letterbox(side: float, searched: bool = False) -> Reading:
    """Boxes of an image that was scaled and padded in the middle of a square."""

    def undo(c: Floats, s: Floats) -> Floats:
        ratio = side / s.max(axis=1, keepdims=True)
        back: Floats = (c - _doubled((side - s * ratio) / 2)) / ratio
        return back

    return Reading("BOX108", f"those of the image letterboxed to {side:g} × {side:g}", undo, True, searched)


def stretched(width: float, height: float, searched: bool = False) -> Reading:
    """Boxes of an image that was stretched to a size."""
    to = np.array([[width, height]])
    text = f"those of the image resized to {width:g} × {height:g}"
    return Reading("BOX109", text, lambda c, s: c * _doubled(s / to), True, searched)


def squeezed(side: float, searched: bool = False) -> Reading:
    """Boxes of an image that was stretched to a square."""
    return stretched(side, side, searched)


def scaled_to(side: float, searched: bool = False) -> Reading:
    """Boxes of an image that was scaled so that its longer side has a length, without padding in front."""
    return Reading(
        "BOX109", f"those of the image scaled to a longer side of {side:g}",
        lambda c, s: c * (s.max(axis=1, keepdims=True) / side), True, searched,
    )  # fmt: skip


def scaled_by(factor: float, searched: bool = True) -> Reading:
    """Boxes of images that were all scaled by a factor."""
    return Reading("BOX109", f"those of the image scaled by {factor:.4g}", lambda c, s: c / factor, False, searched)


def shifted(by: float) -> Reading:
    """Boxes that lie some pixels to the right and down."""
    return Reading("BOX110", f"shifted by {by:+g} pixel", lambda c, s: c - by)


FAMILIES = (letterbox, squeezed, scaled_to)  # of one length
COMMON_FRAMES = ((640, 480), (1280, 720), (1920, 1080), (1333, 800))
_SINGLE = (
    *FORMS, SWAP, *(form.then(SWAP) for form in FORMS), COLUMNS, *UNITS, *FLIPS,
    *(family(side) for family in FAMILIES for side in COMMON), *(stretched(*frame) for frame in COMMON_FRAMES),
    scaled_by(0.5, False), scaled_by(2.0, False),
)  # fmt: skip
_PAIRS = tuple(
    form.then(other)
    for form in (*FORMS, SWAP, *(form.then(SWAP) for form in FORMS))
    for other in (*UNITS, *FLIPS, *(family(side) for family in (letterbox, squeezed) for side in COMMON))
)


def single() -> tuple[Reading, ...]:
    """All mistakes that are known, one at a time (swapped axes also with a form)."""
    return _SINGLE


def double() -> tuple[Reading, ...]:
    """A form, swapped axes or both, in another unit."""
    return _PAIRS


def lengths() -> Iterator[tuple[Family, float]]:
    """Lengths that no network is known for, close enough to one another to see the one between them."""
    for family in FAMILIES:
        yield from ((family, float(round(120 * 1.06**k))) for k in range(52))


def factors() -> Iterator[float]:
    """Factors between sizes of images, from a tenth to tenfold."""
    yield from (float(1.08**k) for k in range(-30, 31) if k)


def near(family: Family, length: float, step: float) -> list[Reading]:
    """The same family with lengths around one, within a share of it; whole numbers, common ones as such."""
    around = {float(round(length * (1 + step * k / 6))) for k in range(-6, 7)} | {float(round(length / 32) * 32)}
    return [family(side, side not in COMMON) for side in sorted(around) if side > 8]
