"""YouTube-VIS: masks and boxes per frame, read, written and read again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxscore as bs
from boxscore.formats.io.writing import write
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Flag
from boxscore.tables.shapes import Shape

MASK = {"size": [4, 4], "counts": [5, 2, 2, 2, 5]}  # columns 1 and 2, rows 1 and 2
SHORT = {"size": [4, 4], "counts": "52203"}  # the same
VIDEOS = [
    {"id": 7, "file_names": ["b/0.jpg", "b/1.jpg", "b/2.jpg"], "width": 4, "height": 4},
    {"id": 2, "file_names": ["a/0.jpg"], "width": 4, "height": 4},
]
CATEGORIES = [{"id": 5, "name": "cat"}, {"id": 3, "name": "dog"}]
TRACKS = [
    {"id": 9, "video_id": 7, "category_id": 3, "segmentations": [None, MASK, SHORT], "areas": [None, 4, 3.5]},
    {"id": 4, "video_id": 2, "category_id": 5, "segmentations": [[[0, 0, 3, 0, 3, 2]]], "iscrowd": 1,
     "bboxes": [[0, 0, 3.5, 2.25]]},
]  # fmt: skip
RESULTS = [
    {"video_id": 2, "category_id": 5, "score": 0.75, "segmentations": [SHORT]},
    {"video_id": 7, "category_id": 3, "score": 0.5, "segmentations": [None, None, MASK]},
]
ALL = Reading(shapes=True)


def file(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


def truth_file(folder: Path, **changes: Any) -> Path:
    return file(folder / "t.json", {"videos": VIDEOS, "categories": CATEGORIES, "annotations": TRACKS, **changes})


def test_a_row_per_frame_with_a_mask_or_box(tmp_path: Path) -> None:
    table, _ = read_truth(truth_file(tmp_path), ALL)
    assert table.format == "youtube-vis"
    assert table.images.key == ["b/0.jpg", "b/1.jpg", "b/2.jpg", "a/0.jpg"]
    assert table.images.video == ["b", "b", "b", "a"]
    assert [table.images.key[i] for i in table.image] == ["b/1.jpg", "b/2.jpg", "a/0.jpg"]
    assert [table.classes.name[k] for k in table.label] == ["dog", "dog", "cat"]
    assert table.track.tolist() == [9, 9, 4]
    assert table.corners.tolist() == [[1, 1, 3, 3], [1, 1, 3, 3], [0, 0, 3.5, 2.25]]  # around masks, then as stated
    np.testing.assert_array_equal(table.area, [4, 3.5, np.nan])
    assert table.flags.tolist() == [0, 0, int(Flag.CROWD)]
    assert [[kind for kind, _ in row] for row in table.shapes] == [[Shape.RLE], [Shape.RLE], [Shape.POLYGON]]


def test_results_have_the_frames_of_their_truth(tmp_path: Path) -> None:
    truth, _ = read_truth(truth_file(tmp_path), ALL)
    found, _ = read_detections(file(tmp_path / "r.json", RESULTS), ALL, truth)
    assert [found.images.key[i] for i in found.image] == ["a/0.jpg", "b/2.jpg"]
    assert found.score.tolist() == [0.75, 0.5]
    assert bs.align(truth, found).account.matched == 4


def test_results_alone_count_frames(tmp_path: Path) -> None:
    found, _ = read_detections(file(tmp_path / "r.json", RESULTS), ALL)
    assert [found.images.key[i] for i in found.image] == ["2#0", "7#2"]
    assert found.classes.name == ("5", "3")


def test_unknown_videos_are_dropped_and_accounted_for(tmp_path: Path) -> None:
    found = file(tmp_path / "r.json", [*RESULTS, {**RESULTS[0], "video_id": 77}])
    result = bs.evaluate(truth_file(tmp_path), found, protocol="youtube-vis")
    reasons = {entry.reason: entry.count for entry in result.ledger.detections.rows}
    assert reasons["its image is not in the ground truth"] == 1


@pytest.mark.parametrize("numbers", [None, [3, 5, 40]])
def test_truth_comes_back_whole(tmp_path: Path, numbers: list[int] | None) -> None:
    videos = [VIDEOS[0] if numbers is None else {**VIDEOS[0], "frame_numbers": numbers}, VIDEOS[1]]
    first, _ = read_truth(truth_file(tmp_path, videos=videos), ALL)
    write(first, tmp_path / "again.json", "youtube-vis")
    second, _ = read_truth(tmp_path / "again.json", ALL)
    for name in ("image", "label", "corners", "box_area", "area", "flags", "track"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)
    assert list(first.shapes) == list(second.shapes)
    assert first.classes == second.classes
    assert (first.images.key, first.images.video) == (second.images.key, second.images.video)
    np.testing.assert_array_equal(first.images.frame, second.images.frame)
    np.testing.assert_array_equal(first.images.id, second.images.id)


def test_results_come_back_whole(tmp_path: Path) -> None:
    truth, _ = read_truth(truth_file(tmp_path), ALL)
    scored = {**RESULTS[1], "segmentations": [None, MASK, MASK], "scores": [None, 0.25, 0.5]}
    first, _ = read_detections(file(tmp_path / "r.json", [RESULTS[0], scored]), ALL, truth)
    write(first, tmp_path / "again.json", "youtube-vis")
    assert isinstance(json.loads((tmp_path / "again.json").read_text()), list)
    second, _ = read_detections(tmp_path / "again.json", ALL, truth)
    assert first.score.tolist() == [0.75, 0.25, 0.5]
    for name in ("image", "label", "corners", "score", "track", "track_score"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)
    assert list(first.shapes) == list(second.shapes)


def test_rows_that_cannot_be_one_track_become_several(tmp_path: Path) -> None:
    table, _ = read_truth(truth_file(tmp_path), ALL)
    # One id for all rows: the cat is in another video, so it gets an id of its own.
    clashing = replace(table, track=np.zeros(3, np.int64))
    write(clashing, tmp_path / "again.json", "youtube-vis")
    again, _ = read_truth(tmp_path / "again.json", ALL)
    assert again.track.tolist() == [0, 0, 1]


@pytest.mark.parametrize("form", ["coco", "stt"])
def test_other_formats_of_videos_give_the_same_tracks(tmp_path: Path, form: str) -> None:
    table, _ = read_truth(truth_file(tmp_path), ALL)
    write(table, tmp_path / "other.json", form)
    found, _ = read_detections(file(tmp_path / "r.json", RESULTS), ALL, table)
    write(found, tmp_path / "found.json", form)
    protocol = "youtube-vis[overlap=tube,size_from=box]"
    before = bs.evaluate(tmp_path / "t.json", tmp_path / "r.json", protocol=protocol)
    after = bs.evaluate(tmp_path / "other.json", tmp_path / "found.json", protocol=protocol)
    assert after["AP[class=dog]"] == before["AP[class=dog]"]
    assert before["AP[class=dog]"] > 0
