"""How far annotators place each keypoint apart, as shares of the object's size: whose values hold, and for what."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from boxscore.errors import InputError, UsageError
from boxscore.tables.keypoints import point_counts, points_by_class
from boxscore.tables.model import Ints, Truth

# Of the 17 keypoints of COCO's persons, from the nose to the ankles. Divided, because 0.26 / 10 is not 0.026.
COCO_SIGMAS = tuple(
    tenths / 10.0
    for tenths in (0.26, 0.25, 0.25, 0.35, 0.35, 0.79, 0.79, 0.72, 0.72, 0.62, 0.62, 1.07, 1.07, 0.87, 0.87, 0.89, 0.89)
)  # fmt: skip
_HOW = "Pass {n} values: --set sigmas=0.05,… (variant(protocol, sigmas=…) in Python), or add `sigmas` to the category."


def resolved_sigmas(truth: Truth, stated: tuple[float, ...]) -> tuple[float, ...]:
    """The sigmas that hold for a truth: those stated, else those of its classes, else COCO's for 17 points.

    They are one for each point where all classes agree, else those of all classes that have points, one after the
    other.
    """
    if truth.keypoints is None:
        return stated
    counts = points_by_class(truth.keypoints, truth.label, len(truth.classes))
    posed = np.flatnonzero(counts).tolist()
    if not posed:
        return stated
    if stated:
        _check_length(stated, counts[posed], [truth.classes.name[k] for k in posed])
        return stated
    by_class = [_of_class(truth, k, int(counts[k])) for k in posed]
    return by_class[0] if len(set(by_class)) == 1 else tuple(value for own in by_class for value in own)


def first_sigma(truth: Truth, sigmas: Sequence[float]) -> Ints:
    """Where the sigmas of each object begin among those that `resolved_sigmas` gives."""
    assert truth.keypoints is not None
    own = point_counts(truth.keypoints)
    listed = (truth.label >= 0) & (own > 0)
    if bool((own[listed] == len(sigmas)).all()):
        return np.zeros(len(truth), np.int64)
    counts = points_by_class(truth.keypoints, truth.label, len(truth.classes))
    if int(counts.sum()) != len(sigmas) or bool((own[listed] != counts[truth.label[listed]]).any()):
        found = f"{len(sigmas)} sigmas for classes with {_numbers(own[listed])} keypoints that are evaluated as one"
        raise UsageError(f"{found}; expected classes evaluated one by one (classes=each)")
    return np.append(np.cumsum(counts) - counts, 0)[truth.label]


def _of_class(truth: Truth, k: int, count: int) -> tuple[float, ...]:
    name, listed = truth.classes.name[k], truth.classes.sigmas
    own, source = () if listed is None else listed[k], truth.source or "truth"
    expected = f"a sigma for each of the {count} keypoints of '{name}'"
    if own and len(own) != count:
        raise InputError(
            source,
            f"{len(own)} sigma{'s' * (len(own) > 1)} for '{name}', whose objects have {count} keypoints",
            expected,
        )
    for value in own:
        if not 0 < value < math.inf:
            raise InputError(source, f"the sigma {value:g} for '{name}'", "numbers above 0")
    if not own and count != len(COCO_SIGMAS):
        raise InputError(source, f"'{name}' has {count} keypoints and no sigmas", expected, _HOW.format(n=count))
    return own or COCO_SIGMAS


def _check_length(stated: tuple[float, ...], counts: Ints, names: list[str]) -> None:
    if bool((counts == len(stated)).all()) or int(counts.sum()) == len(stated):
        return
    if len(counts) == 1 or bool((counts == counts[0]).all()):
        expected = f"{counts[0]}, one for each keypoint of '{names[0]}'"
    else:
        expected = f"{counts.sum()}, those of {', '.join(names)} in this order ({_numbers(counts)} keypoints)"
    raise UsageError(f"sigmas has {len(stated)} value{'s' * (len(stated) != 1)}; expected {expected}")


def _numbers(counts: Ints) -> str:
    return ", ".join(map(str, dict.fromkeys(counts.tolist())))
