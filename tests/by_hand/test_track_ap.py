"""Track AP by hand: ranges, the track with id 0, frames over the limit, federated labels, masks."""

from __future__ import annotations

import json
import math
from collections.abc import Container
from pathlib import Path
from typing import Any

import pytest

import boxscore as bs

Box = list[float]


def box(low: float, high: float) -> Box:
    """A box ten pixels high, from x = low to x = high."""
    return [low, 0, high - low, 10]


def tao(
    folder: Path, objects: list[Any], found: list[Any], protocol: str = "tao", frames: int = 12, **video: Any
) -> bs.Result:
    """Track AP of one video; a track is (id, class, its box by frame), a detected one has a score at its end."""
    images = [{"id": 100 + i, "video_id": 1, "frame_index": i} for i in range(frames)]
    lists = {"neg_category_ids": [], "not_exhaustive_category_ids": [], **video}
    truth = {
        "videos": [{"id": 1, "name": "v", **lists}],
        "images": images,
        "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}],
        "annotations": [
            {"id": n, "image_id": 100 + frame, "track_id": track, "category_id": label, "bbox": one}
            for n, (track, label, frame, one) in enumerate(
                ((track, label, frame, one) for track, label, tube in objects for frame, one in tube.items()), 1
            )
        ],
    }
    results = [
        {"image_id": 100 + frame, "track_id": track, "category_id": label, "bbox": one, "score": score}
        for track, label, tube, score in found
        for frame, one in tube.items()
    ]
    (folder / "t.json").write_text(json.dumps(truth))
    (folder / "r.json").write_text(json.dumps(results))
    return bs.evaluate(folder / "t.json", folder / "r.json", protocol=protocol)


def strip(low: float, high: float, frames: range) -> dict[int, Box]:
    return {frame: box(low, high) for frame in frames}


def test_ranges_of_length_and_area_side_by_side(tmp_path: Path) -> None:
    # frame   0 1 2 3 4 5 6 7 8 9 10
    # A       ===                        2 frames of 100 px: short, small      found
    # B       ===============            5 frames of 2,000 px: middle, medium  missed
    # C       ======================= 11 frames of 100 px: long, small         found
    objects = [
        (1, 1, strip(0, 10, range(2))),
        (2, 1, strip(100, 300, range(5))),
        (3, 1, strip(500, 510, range(11))),
    ]
    found = [(7, 1, objects[0][2], 0.9), (8, 1, objects[2][2], 0.8)]
    result = tao(tmp_path, objects, found)
    values = {name: round(float(result[name]), 12) for name in ("AR", "ARs", "ARm", "AR.short", "AR.middle", "AR.long")}
    assert values == {"AR": 0.666666666667, "ARs": 1, "ARm": 0, "AR.short": 1, "AR.middle": 0, "AR.long": 1}
    assert math.isnan(result["APl"])
    assert "no large objects" in result.reasons["APl"]


def test_tracks_of_three_frames_are_short_and_middle(tmp_path: Path) -> None:
    objects = [(1, 1, strip(0, 10, range(3)))]
    result = tao(tmp_path, objects, [(5, 1, objects[0][2], 0.5)])
    assert [result[name] for name in ("AR.short", "AR.middle")] == [1, 1]
    assert math.isnan(result["AR.long"])


@pytest.mark.parametrize(("first", "recall"), [(0, 2.0), (5, 1.0)])
def test_what_track_zero_finds_is_found_again(tmp_path: Path, first: int, recall: float) -> None:
    # One object, two tracks that copy it: the second is a false positive, unless the first has the id 0.
    objects = [(1, 1, strip(0, 10, range(4)))]
    found = [(first, 1, objects[0][2], 0.9), (6, 1, objects[0][2], 0.8)]
    assert tao(tmp_path, objects, found)["AR"] == recall
    assert tao(tmp_path, objects, found, "tao[track_zero=ordinary]")["AR"] == 1.0


def test_boxes_over_the_limit_of_a_frame_are_gone_before_there_are_tracks(tmp_path: Path) -> None:
    # Frames 0 to 3 have the object and its copy (0.5); frames 0 and 1 also a surer box of a dog. With one box per frame
    # the copy keeps frames 2 and 3 only: half of the tube, so it is true at 0.5 and false from 0.55 on.
    objects = [(1, 1, strip(0, 10, range(4)))]
    found = [(5, 1, objects[0][2], 0.5), (6, 2, strip(100, 110, range(2)), 0.9)]
    assert tao(tmp_path, objects, found)["AP75"] == pytest.approx(1)
    limited = tao(tmp_path, objects, found, "tao[max_per_frame=1]")
    assert limited["AP50"] == pytest.approx(1)
    assert limited["AP[iou=0.55]"] == 0


@pytest.mark.parametrize(
    ("video", "expected"),
    [
        ({}, 1.0),  # nobody looked for dogs: the dog track is dropped
        ({"neg_category_ids": [2]}, 1.0),  # dogs are known to be absent: it counts, but dogs have no objects and no AP
        ({"not_exhaustive_category_ids": [1]}, 1.0),
    ],
)
def test_federated_labels_hold_for_videos(tmp_path: Path, video: Any, expected: float) -> None:
    objects = [(1, 1, strip(0, 10, range(4)))]
    found = [(5, 1, objects[0][2], 0.5), (6, 2, strip(0, 10, range(4)), 0.9)]
    result = tao(tmp_path, objects, found, **video)
    assert result["AP"] == pytest.approx(expected)
    dropped = [row.reason for row in result.ledger.detections.rows if row.fate == "dropped"]
    assert ("its class is not verified in its image" in dropped) == ("neg_category_ids" not in video)


def test_false_tracks_of_a_class_that_is_not_exhaustive_are_ignored(tmp_path: Path) -> None:
    objects = [(1, 1, strip(0, 10, range(4)))]
    found = [(5, 1, strip(500, 510, range(4)), 0.9), (6, 1, objects[0][2], 0.5)]  # the surer one is nowhere near
    assert tao(tmp_path, objects, found)["AP"] == pytest.approx(0.5)
    assert tao(tmp_path, objects, found, not_exhaustive_category_ids=[1])["AP"] == pytest.approx(1)


def test_the_first_box_says_the_class_of_a_track(tmp_path: Path) -> None:
    objects = [(1, 1, strip(0, 10, range(4)))]
    found = [(5, 1, strip(0, 10, range(2)), 0.5), (5, 2, strip(0, 10, range(2, 4)), 0.5)]
    assert tao(tmp_path, objects, found)["AP"] == pytest.approx(1)
    with pytest.raises(bs.InputError, match="boxes of two classes, cat and dog"):
        tao(tmp_path, objects, found, "tao[track_class=refused]")


@pytest.mark.parametrize(("slack", "found"), [("0", 0), ("2.220446049250313e-16", 1)])
def test_a_threshold_is_met_by_a_last_bit_less(tmp_path: Path, slack: str, found: float) -> None:
    # The copy is 6 of 10 pixels wide: a tube IoU of 0.6, and the threshold of numpy.arange is 0.6000000000000001.
    objects = [(1, 1, strip(0, 10, range(1)))]
    result = tao(tmp_path, objects, [(5, 1, strip(0, 6, range(1)), 0.5)], f"tao[iou_slack={slack}]")
    assert result["AR[iou=0.6]"] == found


def mask(columns: range) -> dict[str, Any]:
    """Whole columns of an image of 2 x 8 pixels, as runs."""
    runs = [2 * columns.start, 2 * len(columns), 16 - 2 * columns.stop]
    return {"size": [2, 8], "counts": runs if runs[2] else runs[:2]}


def vis(
    folder: Path,
    objects: list[Any],
    found: list[Any],
    protocol: str = "youtube-vis",
    crowds: Container[int] = (),
    **annotation: Any,
) -> bs.Result:
    """Track AP of masks in one video of three frames; a track is its masks, a detected one has a score too."""
    truth = {
        "videos": [{"id": 1, "file_names": [f"v/{i}.jpg" for i in range(3)], "width": 8, "height": 2, "length": 3}],
        "categories": [{"id": 1, "name": "cat"}],
        "annotations": [
            {
                "id": i,
                "video_id": 1,
                "category_id": 1,
                "iscrowd": int(i in crowds),
                "segmentations": masks,
                **annotation,
            }
            for i, masks in enumerate(objects, 1)
        ],
    }
    results = [{"video_id": 1, "category_id": 1, "score": score, "segmentations": masks} for masks, score in found]
    (folder / "t.json").write_text(json.dumps(truth))
    (folder / "r.json").write_text(json.dumps(results))
    return bs.evaluate(folder / "t.json", folder / "r.json", protocol=protocol)


def test_masks_share_pixels_frame_by_frame(tmp_path: Path) -> None:
    # frame     0         1         2
    # object    0000----  0000----  --------    8 + 8 pixels
    # found     00------  0000----  0000----    4 + 8 + 8 pixels
    # shared    4         8         0           12 of 8 + 8 + 8: exactly 0.5
    whole, half = mask(range(4)), mask(range(2))
    assert vis(tmp_path, [[whole, whole, None]], [([half, whole, whole], 0.5)])["AP50"] == pytest.approx(1)
    assert vis(tmp_path, [[whole, whole, None]], [([half, whole, whole], 0.5)])["AP[iou=0.55]"] == 0


def test_a_track_without_masks_is_an_object_that_nobody_finds(tmp_path: Path) -> None:
    whole = [mask(range(4))] * 3
    result = vis(tmp_path, [whole, [None] * 3], [(whole, 0.5)])
    assert result["AR"] == 0.5
    # Such a result is false: surer than the one that is true, it halves the precision.
    assert vis(tmp_path, [whole], [([None] * 3, 0.9), (whole, 0.5)])["AP"] == pytest.approx(0.5)


def test_crowds_are_ignored_but_taken_once(tmp_path: Path) -> None:
    # Columns 0-3 are a crowd, 4-7 an object. By score: two tracks on the crowd, of which the first is ignored and the
    # second false (a region would ignore both), then the object. So its precision is 1/2. It stands first in the file:
    # the track that leaves its object free is this one.
    crowd, other = [mask(range(4))] * 3, [mask(range(4, 8))] * 3
    found = [(other, 0.1), (crowd, 0.9), (crowd, 0.8)]
    assert vis(tmp_path, [crowd, other], found, crowds={1})["AP"] == pytest.approx(0.5)
    assert vis(tmp_path, [crowd, other], found, "youtube-vis[crowd=region]", crowds={1})["AP"] == pytest.approx(1)


def test_sizes_are_means_of_stated_areas_that_are_not_zero(tmp_path: Path) -> None:
    whole = [mask(range(4))] * 3
    # (20000 + 20000) / 2 is medium; over three frames it would be small.
    result = vis(tmp_path, [whole], [(whole, 0.5)], areas=[20000, 0, 20000])
    assert result["ARm"] == 1
    assert math.isnan(result["ARs"])
