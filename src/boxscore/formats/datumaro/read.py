"""Datumaro JSON: items with annotations of several types; those of one group and label are one object.

A group may hold the box of an object beside its polygons, its mask or its points. Groups with several boxes are
of another kind, as CVAT makes them of objects that belong together: there each annotation is an object.
"""

from __future__ import annotations

import math

from boxscore.diagnostics.findings import Finding
from boxscore.formats.datumaro.annotations import FORMS, Piece
from boxscore.formats.io.collected import FLAG_NAMES, Collected, hull
from boxscore.formats.io.json_values import Value, load_value
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.record_values import clean
from boxscore.formats.io.same_images import without_extension
from boxscore.formats.io.source import Source
from boxscore.tables.model import Classes, Detections, Flag, Truth

SCORE, TRACK = "score", "object_id"
_EXPECTED = "Datumaro JSON: an object with `categories` and `items`"
_TRACKS = (TRACK, "track_id")  # a field of annotations, and what importers of videos call the attribute
_FLAGS = {**FLAG_NAMES, "ignored": Flag.IGNORE}


def read_truth(source: Source, options: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects: boxes, and what else has an area."""
    options = options.of("truth")
    made, classes = _read(source, options, scored=False)
    return made.truth(source.name, "datumaro", options, classes), []


def read_detections(
    source: Source, options: ReadOptions, truth: Truth | None = None
) -> tuple[Detections, list[Finding]]:
    """Detections: annotations whose attributes have a `score`."""
    options = options.of("detections")
    made, classes = _read(source, options, scored=True)
    return made.detections(source.name, "datumaro", options, classes), []


def _read(source: Source, options: ReadOptions, scored: bool) -> tuple[Collected, Classes]:
    root, made = load_value(source, _EXPECTED), Collected()
    names = _names(root)
    for item in root["items"].items():
        key = _key(item)
        if key in made.key:
            raise item.wrong(f"the image '{key}' again", "each image once, with all of its annotations")
        image = made.add_image(key, *_size(item))
        _set_frame(item, made)
        for piece in _objects(item, names, options, made):
            with options.invalid:
                score = [_score(piece)] if scored else []
                if scored:
                    piece.said.pop(SCORE, None)
                parts = piece.parts if options.shapes else ()
                made.add(image, piece.name, piece.corners, piece.area, piece.flags, parts, piece.said, piece.where)
                made.score += score
                made.track.append(piece.track)
    if max(made.track, default=-1) < 0:
        made.track = []
    if len(made.frame) < len(made.key):  # some of the items are no frames
        made.video, made.frame = [], []
    return made, Classes(names, names)


def _names(root: Value) -> tuple[str, ...]:
    stated = root["categories"].get("label")
    labels = () if stated is None else stated["labels"].items()
    names = tuple(label["name"].text() for label in labels)
    if len(set(names)) < len(names) and stated is not None:
        raise stated["labels"].wrong("a `name` that several labels have", "different names")
    return names


def _key(item: Value) -> str:
    """The id, which is a path without an extension, with that of the image file."""
    key = item["id"].as_text() if not isinstance(item["id"].value, str) else item["id"].text()
    image = item.get("image") or item.get("media")
    stated = None if image is None else image.get("path")
    if stated is None or not isinstance(stated.value, str):
        return key.replace("\\", "/")
    name = clean(stated.value).replace("\\", "/").rpartition("/")[2]
    extension = name[len(without_extension(name)) :]
    return key.replace("\\", "/") + ("" if key.lower().endswith(extension.lower()) else extension)


def _size(item: Value) -> tuple[float, float]:
    """Width and height; the file has them the other way round."""
    image = item.get("image")
    stated = None if image is None else image.get("size")
    if stated is None:
        return math.nan, math.nan
    sides = [side.number() for side in stated.items()]
    if len(sides) != 2:
        raise stated.wrong(stated.shown, "[height, width]")
    return (sides[1], sides[0]) if min(sides) > 0 else (math.nan, math.nan)


def _set_frame(item: Value, made: Collected) -> None:
    frame = item.get("video_frame")
    if frame is not None and frame.has("video_path") and frame.has("frame_index"):
        made.video.append(frame["video_path"].text().replace("\\", "/"))
        made.frame.append(frame["frame_index"].whole())


def _objects(item: Value, names: tuple[str, ...], options: ReadOptions, made: Collected) -> list[Piece]:
    """The objects of an item: annotations, or groups of them."""
    groups: dict[tuple[str, int, int], list[Piece]] = {}
    annotations = item.get("annotations")
    for place, one in enumerate(() if annotations is None else annotations.items()):
        piece = None
        with options.invalid:
            piece = _piece(one, names, made)
            group = 0 if (stated := one.get("group")) is None else stated.whole()
        if piece is not None:
            groups.setdefault((piece.name, group, 0 if group else place + 1), []).append(piece)
    joined = [one for pieces in groups.values() for one in _joined(pieces)]
    for piece in joined:
        if not piece.corners:
            made.rejected[f"no area: {piece.form}"] += 1
    return [piece for piece in joined if piece.corners]


def _joined(pieces: list[Piece]) -> list[Piece]:
    boxes = [piece for piece in pieces if piece.form == "bbox"]
    if len(pieces) == 1 or len(boxes) > 1:
        return pieces
    with_area = [piece for piece in pieces if piece.corners]
    if not with_area:
        return pieces
    first = boxes[0] if boxes else with_area[0]
    for piece in pieces:
        if piece is not first:
            if not boxes and piece.corners:
                first.corners = hull([box[k : k + 2] for box in (first.corners, piece.corners) for k in (0, 2)])
            first.flags |= piece.flags
            first.said = {**piece.said, **first.said}
            first.track = max(first.track, piece.track)
    first.parts = [part for piece in pieces for part in piece.parts]
    return [first]


def _piece(one: Value, names: tuple[str, ...], made: Collected) -> Piece | None:
    """What an annotation says; None where it is no object of an image, which is counted."""
    form = one["type"].text()
    if form not in FORMS:
        made.rejected[f"no box: {clean(form)}"] += 1
        return None
    label = one.get("label_id")
    if label is None:
        made.rejected["no class"] += 1
        return None
    number = label.whole()
    if not 0 <= number < len(names):
        raise label.wrong(f"the label {number}, and {len(names)} labels are listed", "a listed label, counted from 0")
    piece = FORMS[form](one, names[number])
    piece.track = -1 if (track := one.get(TRACK)) is None else track.whole()
    attributes = one.get("attributes")
    for name, value in () if attributes is None else attributes.entries():
        flag = _FLAGS.get(name.casefold()) or _FLAGS.get(name.casefold().removeprefix("is_"))
        if flag is not None and value.value in (True, False):
            piece.flags |= int(flag) if value.value else 0
        elif name in _TRACKS and isinstance(value.value, int):
            piece.track = value.whole()
        elif value.value is not None:
            piece.said[clean(name)] = value.as_text()
    return piece


def _score(piece: Piece) -> float:
    attributes = piece.where.get("attributes")
    stated = None if attributes is None else attributes.get(SCORE)
    if stated is None:
        hint = "Ground truth comes first, then detections; were they swapped?"
        raise piece.where.wrong("no `score`", "a number as `score` among the `attributes`", hint)
    return stated.number()
