"""Relations of both sides over the same classes: of what holds between two ends, and of the ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxscore.tables.model import Classes, Detections, Indices, Truth


def with_common_classes(truth: Truth, detections: Detections) -> tuple[Truth, Detections]:
    """Both sides over the same lists: those of the truth, and after them what only the detections name.

    A relation that the truth does not have is false, but not without effect: it takes a place in its image, and in a
    ranking of all relations. Where no relation of the detections is known, nothing is added: the two do not fit.
    """
    if truth.end_classes is None or detections.end_classes is None or detections.end_labels is None:
        return truth, detections
    ends, end_of = _united(truth.end_classes, detections.end_classes)
    labels = np.append(end_of, np.int32(-1))[detections.end_labels]
    truth = replace(truth, end_classes=ends)
    detections = replace(detections, end_classes=ends, end_labels=labels)
    if not {*truth.classes.name} & {*detections.classes.name}:
        return truth, detections
    return replace(truth, classes=_united(truth.classes, detections.classes)[0]), detections


def _united(ours: Classes, theirs: Classes) -> tuple[Classes, Indices]:
    """The classes of both, ours first, and where each of theirs is among them."""
    further = [(name, key) for name, key in zip(theirs.name, theirs.id, strict=True) if name not in ours.name]
    if not further:
        both = ours
    else:
        names, keys = zip(*further, strict=True)
        both = Classes((*ours.name, *names), (*ours.id, *keys))
    place = {name: k for k, name in reversed(list(enumerate(both.name)))}
    return both, np.array([place[name] for name in theirs.name], np.int32)
