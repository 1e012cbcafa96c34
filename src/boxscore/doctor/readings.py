"""The ways in which boxes are misread, as functions on corners: undo one, and the boxes fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from boxscore.model import Floats

Undo = Callable[[Floats, Floats], Floats]  # corners and (width, height) of the image of each, to corners
COMMON = (320, 416, 512, 608, 640, 768, 800, 1024, 1280)  # input sizes of networks


@dataclass(frozen=True)
class Reading:
    """A way to read boxes: what was wrong about it, and how to undo that. Several mistakes are undone in turn."""

    code: str
    text: str  # what the boxes are
    undo: Undo
    sized: bool = False  # whether it needs the sizes of images
    parts: tuple[Reading, ...] = ()

    def then(self, other: Reading) -> Reading:
        """Both mistakes, this one undone first."""
        parts = (*(self.parts or (self,)), *(other.parts or (other,)))
        return Reading(
            self.code, f"{self.text}, {other.text}", lambda c, s: other.undo(self.undo(c, s), s),
            self.sized or other.sized, parts,
        )  # fmt: skip


def _widths(c: Floats) -> Floats:
    return np.concatenate([c[:, 2:] - c[:, :2], c[:, 2:] - c[:, :2]], axis=1)


def _doubled(size: Floats) -> Floats:
    return np.concatenate([size, size], axis=1)


def _flipped(c: Floats, s: Floats, axis: int) -> Floats:
    out = c.copy()
    out[:, axis], out[:, axis + 2] = s[:, axis] - c[:, axis + 2], s[:, axis] - c[:, axis]
    return out


AS_READ = Reading("", "as read", lambda c, s: c)
FORMS = (
    Reading("BOX102", "corners x1 y1 x2 y2, read as x y width height",
            lambda c, s: np.concatenate([c[:, :2], c[:, 2:] - c[:, :2]], axis=1)),
    Reading("BOX103", "x y width height, read as corners",
            lambda c, s: np.concatenate([c[:, :2], c[:, 2:] + c[:, :2]], axis=1)),
    Reading("BOX104", "centre, width, height, read with the centre as the top left corner",
            lambda c, s: c - _widths(c) / 2),
    Reading("BOX105", "x y width height, read with the top left corner as the centre",
            lambda c, s: c + _widths(c) / 2),
)  # fmt: skip
SWAP = Reading("BOX101", "with x and y swapped", lambda c, s: np.ascontiguousarray(c[:, [1, 0, 3, 2]]))
# Corners in the order y1 x1 y2 x2 that were read as x y width height come out as both mistakes at once.
UNITS = (
    Reading("BOX106", "shares of the image", lambda c, s: c * _doubled(s), sized=True),
    Reading("BOX107", "percent of the image", lambda c, s: c * _doubled(s) / 100, sized=True),
)
FLIPS = (
    Reading("BOX111", "with y counted from the bottom", lambda c, s: _flipped(c, s, 1), sized=True),
    Reading("BOX114", "with x counted from the right", lambda c, s: _flipped(c, s, 0), sized=True),
)


def letterbox(side: float) -> Reading:
    """Boxes of an image that was scaled and padded in the middle of a square."""

    def undo(c: Floats, s: Floats) -> Floats:
        ratio = side / s.max(axis=1, keepdims=True)
        return (c - _doubled((side - s * ratio) / 2)) / ratio

    return Reading("BOX108", f"those of the image letterboxed to {side:g} × {side:g}", undo, sized=True)


def stretched(width: float, height: float) -> Reading:
    """Boxes of an image that was stretched to a size."""
    to = np.array([[width, height]])
    return Reading(
        "BOX109", f"those of the image resized to {width:g} × {height:g}", lambda c, s: c * _doubled(s / to), sized=True
    )


def scaled_to(side: float) -> Reading:
    """Boxes of an image that was scaled so that its longer side has a length, without padding."""
    return Reading(
        "BOX109", f"those of the image scaled to a longer side of {side:g}",
        lambda c, s: c * (s.max(axis=1, keepdims=True) / side), sized=True,
    )  # fmt: skip


def scaled_by(factor: float) -> Reading:
    """Boxes of images that were all scaled by a factor."""
    return Reading("BOX109", f"those of the image scaled by {factor:.4g}", lambda c, s: c / factor)


def shifted(by: float) -> Reading:
    """Boxes that lie some pixels to the right and down."""
    return Reading("BOX110", f"shifted by {by:+g} pixel", lambda c, s: c - by)


def units(extent: float) -> Iterator[Reading]:
    """Readings in another unit; `extent` is how far the boxes reach, which no input of a network is far beyond."""
    yield from UNITS
    yield from FLIPS
    steps = np.array([1, 10, 16, 32, 50, 64, 100])
    rounded = np.ceil(extent / steps) * steps
    sides = sorted({*map(float, COMMON), *(float(side) for side in rounded if side > 1)})
    yield from map(letterbox, sides)
    yield from (stretched(side, side) for side in sides)
    yield from map(scaled_to, (*sides, 1333))
    yield from (stretched(w, h) for w, h in ((640, 480), (1280, 720), (1920, 1080), (300, 300), (224, 224)))


def readings(extent: float) -> Iterator[Reading]:
    """All single mistakes, and pairs of a form, swapped axes and a unit."""
    others = list(units(extent))
    forms = [*FORMS, SWAP, *(form.then(SWAP) for form in FORMS)]
    yield from forms
    yield from others
    for form in forms:
        yield from (form.then(other) for other in others if other.code not in ("BOX109",) or "×" in other.text)
