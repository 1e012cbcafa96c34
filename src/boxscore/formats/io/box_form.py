"""What four numbers of a box are, where nothing says it: corners, or a corner and sides."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.tables.model import Floats

CLEARLY = 0.1  # share of boxes that cannot be of a form from which the form is ruled out


def not_corners(values: Floats) -> int:
    """How many boxes, read as corners, would have x2 <= x1 or y2 <= y1."""
    return int(((values[:, 2] <= values[:, 0]) | (values[:, 3] <= values[:, 1])).sum())


def undecided(where: str) -> InputError:
    """What to say of numbers that can be either."""
    return InputError(
        where, "four numbers that can be x y width height or x y right bottom",
        "--box xywh or --box xyxy (box= in Python)",
        "The numbers alone do not tell which, and it changes the result.",
    )  # fmt: skip
