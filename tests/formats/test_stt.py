"""STT: tubes through videos, predictions that know numbers only; written and read again; the published example."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore as bs
from boxscore.formats.io.files import open_files
from boxscore.formats.io.writing import made
from boxscore.formats.registry import lookup
from boxscore.formats.stt.read import FRAMES
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.model import Detections, Flag, Truth
from drawn_tables import again, rows_of, sizes_of, tables
from effort import examples

VIDEOS = [{"id": 4, "file_name": "v.mp4", "width": 50, "height": 60}, {"id": 2, "file_name": "w.mp4"}]
CATEGORIES = [{"id": 7, "name": "dog"}, {"id": 3, "name": "cat"}]


def box(frame: int, *, x: float = 1, **more: Any) -> Any:
    return {"frame": frame, "bbox": [x, 2, 3, 4], **more}


def tube(number: int, *track: Any, video: int = 4, category: int = 3, **more: Any) -> Any:
    return {"id": number, "video_id": video, "category_id": category, "track": list(track), **more}


def file(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


def truth_of(folder: Path, *tubes: Any, videos: Any = VIDEOS) -> Truth:
    path = file(folder / "t.json", {"videos": videos, "annotations": tubes, "categories": CATEGORIES})
    truth, findings = read_truth(path, Reading(truth_format="stt"))
    assert findings == []
    return truth


def found_in(path: Path, truth: Truth | None = None) -> Detections:
    found, findings = read_detections(path, Reading(detections_format="stt"), truth)
    assert findings == []
    return found


def test_a_box_per_frame(tmp_path):
    truth = truth_of(
        tmp_path, tube(5, box(9, outside=1), box(0, occluded=True)), tube(0, box(0, x=8), video=2, category=7),
        tube(6, box(9, x=5)),
    )  # fmt: skip
    assert list(truth.images.key) == ["v.mp4#0", "v.mp4#9", "w.mp4#0"]  # videos as listed, frames in order
    assert list(truth.images.video) == ["v.mp4", "v.mp4", "w.mp4"]
    assert truth.images.frame.tolist() == [0, 9, 0]
    assert truth.images.id.tolist() == [4 * FRAMES, 4 * FRAMES + 9, 2 * FRAMES]
    assert sizes_of(truth) == {"v.mp4#0": (50, 60), "v.mp4#9": (50, 60), "w.mp4#0": None}
    assert truth.classes == bs.Classes(("dog", "cat"), (7, 3))
    assert (truth.image.tolist(), truth.label.tolist()) == ([1, 0, 2, 1], [1, 1, 0, 1])
    assert truth.track.tolist() == [5, 5, 0, 6]
    assert truth.flags.tolist() == [Flag.OUTSIDE, Flag.OCCLUDED, 0, 0]
    assert truth.corners[2].tolist() == [8, 2, 11, 6]
    assert truth.box_area.tolist() == [12] * 4


def test_frames_without_boxes_can_be_listed(tmp_path):
    videos = [{**VIDEOS[0], "frames": [3, {"frame": 1, "file_name": "x/1.jpg"}]}]
    truth = truth_of(tmp_path, tube(5, box(2)), videos=videos)
    assert list(truth.images.key) == ["x/1.jpg", "v.mp4#2", "v.mp4#3"]
    assert truth.image.tolist() == [1]


def test_predictions_join_the_truth_by_number(tmp_path):
    truth = truth_of(tmp_path, tube(5, box(0), box(9)), tube(0, box(0), video=2, category=7))
    tubes = [tube(1, box(9, confidence=0.5), box(30, confidence=0.25), score=1), tube(2, box(0), score=0.75, video=2)]
    path = file(tmp_path / "p.json", tubes)
    found = found_in(path, truth)
    assert list(found.images.key) == ["v.mp4#9", "v.mp4#30", "w.mp4#0"]
    assert found.images.id.tolist() == [4 * FRAMES + 9, 4 * FRAMES + 30, 2 * FRAMES]
    assert (found.score.tolist(), found.track.tolist()) == ([0.5, 0.25, 0.75], [1, 1, 2])
    assert found.classes.name == ("cat",)
    alone = found_in(path)
    assert list(alone.images.key) == ["4#9", "4#30", "2#0"]
    assert alone.classes == bs.Classes(("3",), (3,))
    result = bs.evaluate(tmp_path / "t.json", path, truth_format="stt", detections_format="stt", protocol="voc2012")
    assert result["AP[class=cat]"] == 0.25  # 0.75 hits nothing, 0.5 one of two: precision 1/2 up to recall 1/2


def test_predictions_that_list_their_videos_join_by_name(tmp_path):
    whole = {"videos": VIDEOS, "categories": CATEGORIES, "annotations": [tube(1, box(9, confidence=0.5))]}
    found = found_in(file(tmp_path / "p.json", whole))
    assert (list(found.images.key), found.images.id) == (["v.mp4#9"], None)
    assert found.score.tolist() == [0.5]


def test_ids_may_be_text(tmp_path):
    truth = truth_of(tmp_path, tube("a", box(0), video="v"), videos=[{"id": "v"}])
    assert (list(truth.images.key), truth.images.id, truth.track.tolist()) == (["v#0"], None, [0])


# Round trips.


@st.composite
def videos(draw: st.DrawFn, scored: bool = False) -> Any:
    """Tables whose images are frames of two videos, with tracks of one class."""
    table = draw(tables(scored=scored, flags=(Flag.OUTSIDE, Flag.OCCLUDED)))
    n = len(table.images)
    frames = draw(st.lists(st.integers(0, 50), min_size=n, max_size=n, unique=True))
    which = [draw(st.sampled_from(["v.mp4", "ü w.avi"])) for _ in range(n)]
    named = draw(st.booleans())
    keys = list(table.images.key) if named else [f"{v}#{f}" for v, f in zip(which, frames, strict=True)]
    track = np.arange(len(table)) * 3
    later = {}
    for row in range(len(table)):  # rows of a class in different frames may be of one track
        key = (which[table.image[row]], int(table.label[row]))
        before = later.setdefault(key, [])
        if table.image[row] not in [table.image[r] for r in before]:
            track[row] = track[before[0]] if before else track[row]
            before.append(row)
    images = replace(
        table.images, key=keys, video=which, frame=np.array(frames), width=np.full(n, 640.0), height=np.full(n, 480.0)
    )
    return replace(table, images=images, track=track)


def tracks_of(table: Any) -> dict[str, list[tuple[int, Any]]]:
    held: dict[str, list[Any]] = {key: [] for key in table.images.key}
    for row in range(len(table)):
        held[table.images.key[table.image[row]]].append((int(table.track[row]), table.corners[row].tolist()))
    return {key: sorted(rows) for key, rows in held.items()}


def sorted_rows(table: Any) -> dict[str, list[str]]:
    return {key: sorted(map(repr, rows)) for key, rows in rows_of(table).items()}


@settings(max_examples=examples(50))
@given(videos())
def test_truth_comes_back(table):
    read_again = again(table, "stt")
    assert sorted_rows(read_again) == sorted_rows(table)
    assert sizes_of(read_again) == sizes_of(table)
    if len(table):
        assert tracks_of(read_again) == tracks_of(table)
    assert read_again.classes.name == table.classes.name
    frames = dict(zip(table.images.key, zip(table.images.video, table.images.frame, strict=True), strict=True))
    images = read_again.images
    assert dict(zip(images.key, zip(images.video, images.frame, strict=True), strict=True)) == frames


@settings(max_examples=examples(50))
@given(videos(scored=True))
def test_detections_come_back(table):
    assert sorted_rows(again(table, "stt")) == sorted_rows(table)


def test_rows_without_a_track_and_tracks_of_two_classes_are_tubes_of_their_own(tmp_path):
    truth = truth_of(tmp_path, tube(5, box(0), box(9)), tube(6, box(0), category=7))
    changed = replace(truth, track=np.array([5, -1, 5]))
    ((_, content),) = made(changed, "stt")
    assert [one["id"] for one in json.loads(content)["annotations"]] == [5, 6, 7]
    twice = replace(truth, track=np.array([5, 5, 5]), image=np.array([0, 0, 0], np.int32))
    ((_, content),) = made(twice, "stt")
    assert [one["id"] for one in json.loads(content)["annotations"]] == [5, 6, 7]


# Real files.


def test_the_published_example(data):
    files = open_files(data / "data/padilla_review/tests_data.tar.gz")
    anno, preds = (files.one(f"tube/example_{name}.json").source() for name in ("anno", "preds"))
    truth, _ = lookup("stt").reader("truth")(anno, Reading())
    found, _ = lookup("stt").reader("detections")(preds, Reading(), truth)
    assert list(truth.images.key) == [
        "video1.mp4#0", "video1.mp4#1", "video1.mp4#2", "video1.mp4#7", "video1.mp4#9", "video1.mp4#10",
    ]  # fmt: skip
    assert truth.classes.name == ("cat", "dog")
    assert int((truth.flags & Flag.OUTSIDE != 0).sum()) == 3
    assert found.score.tolist()[:3] == [0.83, 0.95, 0.96]
    assert np.array_equal(found.images.id, truth.images.id)
    ((_, content),) = made(found, "stt")
    tubes = json.loads(content)
    assert [(one["id"], one["video_id"], one["category_id"]) for one in tubes] == [(0, 0, 0), (1, 0, 1)]
    assert rows_of(again(found, "stt", truth)) == rows_of(found)
    assert rows_of(again(truth, "stt")) == rows_of(truth)
