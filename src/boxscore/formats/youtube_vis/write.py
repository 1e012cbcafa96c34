"""YouTube-VIS, written: videos with their frames, tracks with a list of masks, boxes and areas each, and results."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.table_rows import Table, as_json, rows_by_image, size_of, whole
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.io.written_boxes import with_sides
from boxscore.formats.stt.read import FRAMES
from boxscore.tables.model import Classes, Detections, Flag, Images, Truth
from boxscore.tables.shapes import Shape


def write_truth(truth: Truth, how: Writing) -> Made:
    """Videos, tracks and categories; a row without a track is a track of its own."""
    yield "", as_json(_whole(truth))


def write_detections(detections: Detections, how: Writing) -> Made:
    """A list of results if videos and classes have the numbers of their truth; else with videos and categories."""
    made = _whole(detections)
    numbered = _own_numbers(detections.images) and all(isinstance(key, int) for key in detections.classes.id)
    yield "", as_json(made["annotations"] if numbered else made)


def _own_numbers(images: Images) -> bool:
    """Whether images are numbered by video and frame, as the reader numbers them."""
    return images.id is not None and images.frame is not None and bool((images.id % FRAMES == images.frame).all())


def _whole(table: Table) -> dict[str, Any]:
    images = table.images
    if images.video is None or images.frame is None:
        raise InputError(table.source, "images that are no frames of videos", "frames of videos, for tracks")
    own, places = _own_numbers(images), _places(images)
    videos: dict[str, dict[str, Any]] = {}
    for video, inside in places.items():
        first = inside[0]
        number = int(images.id[first]) // FRAMES if own and images.id is not None else len(videos) + 1
        sides = zip(("width", "height"), size_of(images, first), strict=True)
        numbers = [int(images.frame[i]) for i in inside]
        more = {} if numbers == list(range(len(inside))) else {"frame_numbers": numbers}
        videos[video] = {
            "id": number, "name": video, **{name: side for name, side in sides if side is not None},
            "length": len(inside), "file_names": [images.key[i] for i in inside], **more,
        }  # fmt: skip
    ids = _class_ids(table.classes)
    categories = [{"id": key, "name": name} for key, name in zip(ids, table.classes.name, strict=True)]
    return {
        "videos": list(videos.values()),
        "annotations": _tracks(table, videos, places, ids),
        "categories": categories,
    }


def _places(images: Images) -> dict[str, list[int]]:
    """The images of each video, by ascending frame."""
    assert images.video is not None
    assert images.frame is not None
    places: dict[str, list[int]] = {}
    for i, video in enumerate(images.video):
        places.setdefault(video, []).append(i)
    for inside in places.values():
        inside.sort(key=images.frame.tolist().__getitem__)
    return places


def _class_ids(classes: Classes) -> list[int]:
    return [int(key) if isinstance(key, int) else place for place, key in enumerate(classes.id, 1)]


def _tracks(
    table: Table, videos: dict[str, dict[str, Any]], places: dict[str, list[int]], classes: list[int]
) -> list[dict[str, Any]]:
    images, boxes = table.images, with_sides(table.corners, table.box_area).tolist()
    assert images.video is not None
    place = {i: k for inside in places.values() for k, i in enumerate(inside)}
    tracks = np.full(len(table), -1, np.int64) if table.track is None else table.track
    following = int(tracks.max(initial=-1)) + 1
    made: dict[tuple[str, int], dict[str, Any]] = {}
    rows_of: dict[int, list[tuple[int, int]]] = {}  # rows and their frames, by track
    ids: set[int] = set()
    for row in sorted(row for rows in rows_by_image(table) for row in rows):
        i = int(table.image[row])
        video, track = images.video[i], int(tracks[row])
        said = {"category_id": classes[table.label[row]], **_of_track(table, row)}
        there = made.get((video, track))
        clash = track in ids if there is None else any(there[key] != value for key, value in said.items())
        if track < 0 or clash or (there and place[i] in (k for _, k in rows_of[there["id"]])):
            track, following = following, following + 1  # a track is of one video and class, with a box in a frame
        ids.add(track)
        made.setdefault((video, track), {"id": track, "video_id": videos[video]["id"], **said})
        rows_of.setdefault(track, []).append((row, place[i]))
    for (video, track), record in made.items():
        record.update(_lists(table, rows_of[track], boxes, videos[video]))
    return list(made.values())


def _of_track(table: Table, row: int) -> dict[str, Any]:
    return {} if isinstance(table, Detections) else {"iscrowd": int(bool(table.flags[row] & Flag.CROWD))}


def _lists(
    table: Table, rows: list[tuple[int, int]], boxes: list[list[float]], video: dict[str, Any]
) -> dict[str, Any]:
    """The lists of a track, with an entry per frame of its video, and its score."""

    def spread(values: list[Any]) -> list[Any]:
        listed: list[Any] = [None] * video["length"]
        for (_, place), value in zip(rows, values, strict=True):
            listed[place] = value
        return listed

    made: dict[str, Any] = {"bboxes": spread([boxes[row] for row, _ in rows])}
    if any(shapes := [_segment(table, row) for row, _ in rows]):
        made["segmentations"] = spread(shapes)
    if isinstance(table, Truth):
        areas = [float(table.area[row]) for row, _ in rows]
        if not all(map(math.isnan, areas)):
            made["areas"] = spread([None if math.isnan(area) else whole(area) for area in areas])
        return made
    scores = [float(table.score[row]) for row, _ in rows]
    stated = math.nan if table.track_score is None else float(table.track_score[rows[0][0]])
    score = float(np.mean(scores)) if math.isnan(stated) else stated
    one = {*scores} == {score} or (math.isnan(stated) and len({*scores}) == 1)
    return {"score": scores[0] if one else score, **made, **({} if one else {"scores": spread(scores)})}


def _segment(table: Table, row: int) -> Any:
    """The mask of a row, or its polygons; None where it has neither."""
    shapes = table.shapes
    if shapes is None:
        return None
    polygons = []
    for part in range(shapes.part[row], shapes.part[row + 1]):
        if shapes.kind[part] == Shape.RLE and shapes.runs is not None:
            height, width = (int(v) for v in shapes.values[shapes.value[part] : shapes.value[part + 1]])
            return {"size": [height, width], "counts": shapes.runs.text(part).decode("ascii")}
        if shapes.kind[part] == Shape.POLYGON:
            polygons.append(shapes.numbers(part))
    return polygons or None
