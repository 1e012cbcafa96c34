"""STT, written: tubes of objects through videos, and predictions."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.table_rows import Table, as_json, rows_by_image, size_of
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.io.written_boxes import with_sides
from boxscore.formats.stt.read import FRAMES
from boxscore.tables.model import Classes, Detections, Flag, Images, Truth


def write_truth(truth: Truth, how: Writing) -> Made:
    """Videos with their frames, tubes and categories; a row without a track is a tube of its own."""
    yield "", as_json(_whole(truth))


def write_detections(detections: Detections, how: Writing) -> Made:
    """A list of predictions if videos and classes have the numbers of their truth; else with videos and categories."""
    made = _whole(detections)
    numbered = _own_numbers(detections.images) and all(isinstance(key, int) for key in detections.classes.id)
    yield "", as_json(made["annotations"] if numbered else made)


def _own_numbers(images: Images) -> bool:
    """Whether images are numbered by video and frame, as the reader numbers them."""
    return images.id is not None and images.frame is not None and bool((images.id % FRAMES == images.frame).all())


def _whole(table: Table) -> dict[str, Any]:
    images = table.images
    if images.video is None or images.frame is None:
        raise InputError(table.source, "images that are no frames of videos", "frames of videos, for tubes")
    own = _own_numbers(images) and images.id is not None
    videos: dict[str, dict[str, Any]] = {}
    for i, (video, frame) in enumerate(zip(images.video, images.frame.tolist(), strict=True)):
        if video not in videos:
            number = int(images.id[i]) // FRAMES if own and images.id is not None else len(videos) + 1
            sides = zip(("width", "height"), size_of(images, i), strict=True)
            known = {name: side for name, side in sides if side is not None}
            videos[video] = {"id": number, "file_name": video, **known, "frames": []}
        named = images.key[i] != f"{video}#{frame}"
        videos[video]["frames"].append({"frame": frame, "file_name": images.key[i]} if named else frame)
    ids = _class_ids(table.classes)
    categories = [{"id": key, "name": name} for key, name in zip(ids, table.classes.name, strict=True)]
    numbers = {video: record["id"] for video, record in videos.items()}
    tubes = _tubes(table, numbers, ids)
    return {"videos": list(videos.values()), "annotations": tubes, "categories": categories}


def _class_ids(classes: Classes) -> list[int]:
    return [int(key) if isinstance(key, int) else place for place, key in enumerate(classes.id, 1)]


def _tubes(table: Table, videos: dict[str, int], classes: list[int]) -> list[dict[str, Any]]:
    images, boxes = table.images, with_sides(table.corners, table.box_area).tolist()
    assert images.video is not None
    assert images.frame is not None
    tracks = np.full(len(table), -1, np.int64) if table.track is None else table.track
    following = int(tracks.max(initial=-1)) + 1
    made: dict[tuple[str, int], dict[str, Any]] = {}
    taken: set[tuple[str, int, int]] = set()
    for row in sorted(row for rows in rows_by_image(table) for row in rows):
        i = int(table.image[row])
        video, frame, track = images.video[i], int(images.frame[i]), int(tracks[row])
        category = classes[table.label[row]]
        there = made.get((video, track))
        if track < 0 or (video, track, frame) in taken or (there and there["category_id"] != category):
            track, following = following, following + 1  # a tube has one class, and one box in a frame
        taken.add((video, track, frame))
        tube = made.setdefault(
            (video, track), {"id": track, "video_id": videos[video], "category_id": category, "track": []}
        )
        tube["track"].append({"frame": frame, "bbox": boxes[row], **_statements(table, row)})
    return list(made.values())


def _statements(table: Table, row: int) -> dict[str, Any]:
    if isinstance(table, Detections):
        return {"confidence": float(table.score[row])}
    flags = int(table.flags[row])
    return {"outside": int(bool(flags & Flag.OUTSIDE)), "occluded": int(bool(flags & Flag.OCCLUDED))}
