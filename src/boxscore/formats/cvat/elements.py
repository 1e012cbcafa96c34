"""Elements of CVAT files, written: a row as the shape that it is, if the box around the shape is the row's box."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.cvat.objects import DEFAULTS, FLAGS
from boxscore.formats.cvat.shapes import CORNERS, outline_of
from boxscore.formats.io.mask_runs import mask_of
from boxscore.formats.words import SCORES
from boxscore.tables.model import Detections, Flag, Truth
from boxscore.tables.shapes import Shape

Table = Truth | Detections
Made = tuple[str, dict[str, str], str]  # tag, attributes and content of an element
_ESCAPED = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}  # the parser would make spaces of the latter
_FOREIGN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # XML has no way to write these
_SPECIAL = re.compile(f'{_FOREIGN.pattern}|[&<>"\n\r\t]')
_LISTED = {Shape.POLYGON: "polygon", Shape.POLYLINE: "polyline", Shape.POINTS: "points"}
_WORDS = {int(flag): word for word, flag in reversed(FLAGS.items()) if flag != Flag.OCCLUDED}


def escaped(text: str) -> str:
    """A text as it stands in a file."""
    if not _SPECIAL.search(text):
        return text
    if _FOREIGN.search(text):
        raise InputError("", f"the text {text!r}", "characters that XML can hold")
    return escape(text, _ESCAPED)


def element(tag: str, attributes: Mapping[str, str], content: str = "") -> str:
    """An element as text."""
    words = "".join(f' {name}="{escaped(value)}"' for name, value in attributes.items())
    return f"<{tag}{words}>{content}</{tag}>" if content else f"<{tag}{words}/>"


def shape_of(table: Table, row: int) -> Made:
    """The element of a row, without its label: the shape if its box is that of the row, else the box."""
    box = tuple(float(value) for value in table.corners[row])
    found = [] if table.shapes is None else table.shapes.of(row)
    made = _shaped(table, row, *found[0], box) if len(found) == 1 else None
    return made or ("box", dict(zip(CORNERS, map(repr, box), strict=True)), "")


def _shaped(table: Table, row: int, kind: Shape, values: list[float], box: Sequence[float]) -> Made | None:
    if kind in _LISTED:
        made = outline_of(_LISTED[kind], values)
        return (_LISTED[kind], {"points": _points(values)}, "") if made.box == box else None
    if kind == Shape.QUAD:
        return _shaped(table, row, Shape.POLYGON, values, box)
    if kind == Shape.RLE:
        return _mask(table, row, values, box)
    if kind == Shape.KEYPOINTS:
        return _skeleton(values, box)
    if kind == Shape.CIRCLE:
        return _shaped(table, row, Shape.ELLIPSE, [*values, values[2], 0.0], box)
    x, y, across, down, angle = values
    if kind == Shape.ELLIPSE:
        tag, names, numbers = "ellipse", ("cx", "cy", "rx", "ry"), [x, y, across, down]
    else:
        tag, names, numbers = "box", CORNERS, [x - across / 2, y - down / 2, x + across / 2, y + down / 2]
    turn = math.degrees(angle) % 360
    around = outline_of(tag, [*numbers, turn]).box
    if around is None or not np.allclose(around, box, rtol=1e-12, atol=1e-9):  # sines and cosines are rounded
        return None
    words = dict(zip(names, map(repr, numbers), strict=True))
    return tag, {**words, **({"rotation": repr(turn)} if turn else {})}, ""


def _points(values: Sequence[float]) -> str:
    return ";".join(f"{x!r},{y!r}" for x, y in zip(values[::2], values[1::2], strict=True))


def _mask(table: Table, row: int, values: list[float], box: Sequence[float]) -> Made | None:
    """A mask within its box, if that has whole pixels and the mask is as large as the image."""
    images, image = table.images, table.image[row]
    sides = (images.height, images.width)
    whole = all(value.is_integer() for value in box)
    if not whole or any(side is None or side[image] != of for side, of in zip(sides, values, strict=False)):
        return None
    left, top, right, bottom = (int(value) for value in box)
    pixels = mask_of(values)
    window = pixels[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    if window.shape != (bottom - top, right - left) or not window.size or window.sum() != pixels.sum():
        return None
    flat = window.ravel()
    runs = np.diff(np.concatenate([[0], np.flatnonzero(flat[1:] != flat[:-1]) + 1, [flat.size]])).tolist()
    counts = [0, *runs] if flat[0] else runs
    place = {"left": str(left), "top": str(top), "width": str(right - left), "height": str(bottom - top)}
    return "mask", {"rle": ", ".join(map(str, counts)), **place}, ""


def _skeleton(values: list[float], box: Sequence[float]) -> Made | None:
    points = list(zip(values[::3], values[1::3], values[2::3], strict=True))
    seen = [value for x, y, state in points if state for value in (x, y)]
    if not seen or outline_of("points", seen).box != box:
        return None
    inner = [
        element("points", {"label": str(k), "outside": str(int(state == 0)), "occluded": str(int(state == 1)),
                           "points": f"{x!r},{y!r}"})
        for k, (x, y, state) in enumerate(points, 1)
    ]  # fmt: skip
    return "skeleton", {}, "".join(inner)


def said_of(table: Table, video: bool = False) -> list[tuple[dict[str, str], list[tuple[str, str]]]]:
    """For each row the attributes of its element, and those that stand in elements of their own."""
    made: list[tuple[dict[str, str], list[tuple[str, str]]]] = [({}, []) for _ in range(len(table))]
    if isinstance(table, Detections):
        for (_, inner), score in zip(made, table.score.tolist(), strict=True):
            inner.append((SCORES[0], repr(score)))
    else:
        for (own, inner), flags in zip(made, table.flags.tolist(), strict=True):
            own["occluded"] = str(int(bool(flags & Flag.OCCLUDED)))
            words = [(word, "true") for flag, word in _WORDS.items() if flags & flag] if flags else []
            inner += [word for word in words if not (video and word[0] == "generated")]
    if table.attributes is not None:
        for row, name, value in zip(table.attributes.row, table.attributes.name, table.attributes.value, strict=True):
            own, inner = made[row]
            if name in DEFAULTS and name not in own and value != DEFAULTS[name]:
                own[name] = value
            elif isinstance(table, Truth) or name not in SCORES:
                inner.append((name, value))
    return made


def labels_of(table: Table, inner: Iterable[tuple[int, str]]) -> str:
    """The labels with the attributes that rows of them have, and with the points of skeletons."""
    names = dict.fromkeys(inner)
    points = dict[int, int]()
    if table.shapes is not None and (table.shapes.kind == Shape.KEYPOINTS).any():
        for label, shapes in zip(table.label.tolist(), table.shapes, strict=True):
            for kind, values in shapes:
                if kind == Shape.KEYPOINTS:
                    points[label] = max(points.get(label, 0), len(values) // 3)
    made = []
    for k, label in enumerate(table.classes.name):
        own = "".join(_attribute(name) for of, name in names if of == k)
        made.append(f"<label><name>{escaped(label)}</name><attributes>{own}</attributes></label>")
        for n in range(1, points.get(k, 0) + 1):
            part = f"<name>{n}</name><type>points</type><attributes></attributes><parent>{escaped(label)}</parent>"
            made.append(f"<label>{part}</label>")
    return f"<labels>{''.join(made)}</labels>"


def _attribute(name: str) -> str:
    rest = "<mutable>True</mutable><input_type>text</input_type><default_value></default_value><values></values>"
    return f"<attribute><name>{escaped(name)}</name>{rest}</attribute>"
