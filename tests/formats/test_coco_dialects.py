"""COCO files as tools write them: what differs from the official ones, and is still right."""

from __future__ import annotations

import json

import numpy as np
import pytest

import boxscore as bs
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.shapes import Shape
from odd_coco import RESULTS, TRUTH, write

ALL = Reading(shapes=True)


def changed(**sections):
    return {**TRUTH, **sections}


def without_box(**fields):
    """The truth with one object more that has no box but something else."""
    return changed(annotations=[*TRUTH["annotations"], {"id": 8, "image_id": 3, "category_id": 10, **fields}])


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\n\n", ""])
def test_records_on_lines(tmp_path, ending):
    text = (ending or "\n").join(json.dumps(r) for r in RESULTS) + ending
    for begin in ("", "\n", "\ufeff"):
        (tmp_path / "lines.json").write_text(begin + text, encoding="utf-8", newline="")
        found, findings = read_detections(tmp_path / "lines.json")
        expected, _ = read_detections(write(tmp_path / "r.json", RESULTS))
        np.testing.assert_array_equal(found.corners, expected.corners)
        np.testing.assert_array_equal(found.score, expected.score)
        assert (list(found.images.key), found.classes, findings) == (list(expected.images.key), expected.classes, [])


def test_one_record_on_a_line(tmp_path):
    found, _ = read_detections(write(tmp_path / "lines.json", json.dumps(RESULTS[0]) + "\n"))
    assert found.score.tolist() == [0.9]


@pytest.mark.parametrize(("fields", "box"), [
    ({"segmentation": [[1, 2, 5, 2, 5, 9]]}, [1, 2, 5, 9]),
    ({"segmentation": [[1, 2, 5, 2, 5, 9], [0.5, 3, 1, 3, 1, 4]]}, [0.5, 2, 5, 9]),
    ({"segmentation": [1, 2, 5, 2, 5, 9]}, [1, 2, 5, 9]),
    ({"segmentation": {"size": [4, 4], "counts": [5, 2, 2, 2, 5]}}, [1, 1, 3, 3]),
    ({"segmentation": {"size": [4, 4], "counts": "52203"}, "bbox": None}, [1, 1, 3, 3]),
    ({"keypoints": [1, 2, 2, 3, 4, 1], "bbox": [], "segmentation": []}, [1, 2, 3, 4]),
])  # fmt: skip
def test_boxes_made_of_shapes(tmp_path, fields, box):
    truth, findings = read_truth(write(tmp_path / "t.json", without_box(**fields)))
    assert truth.corners[3].tolist() == box
    assert [(f.code, f.count) for f in findings] == [("BOX010", 1)]
    assert truth.rejected == ()
    for form in ("xyxy", "cxcywh"):
        again, _ = read_truth(tmp_path / "t.json", Reading(truth_box=form))
        assert again.corners[3].tolist() == box
    found, findings = read_detections([{**RESULTS[0], "bbox": None, **fields}])
    assert found.corners.tolist() == [box]
    assert findings[0].text == (
        "1 detection has no box but a mask, polygons or keypoints; the box around them was taken"
    )


def test_shapes_are_kept_when_asked_for(tmp_path):
    more = [
        {"segmentation": [[1, 2, 5, 2, 5, 9], [], [0, 0, 1, 1, 2, 2]]},
        {"segmentation": [1, 2, 5, 2, 5, 9]},
        {"segmentation": {"size": [4, 4], "counts": "52203"}, "keypoints": [1, 2, 2]},
        {"segmentation": []},
    ]
    rows = [{**TRUTH["annotations"][0], "id": i + 1, **fields} for i, fields in enumerate(more)]
    truth, _ = read_truth(write(tmp_path / "t.json", changed(annotations=rows)), ALL)
    assert list(truth.shapes) == [
        [(Shape.POLYGON, [1, 2, 5, 2, 5, 9]), (Shape.POLYGON, [0, 0, 1, 1, 2, 2])],
        [(Shape.POLYGON, [1, 2, 5, 2, 5, 9])],
        [(Shape.RLE, [4, 4, 5, 2, 2, 2, 5]), (Shape.KEYPOINTS, [1, 2, 2])],
        [],
    ]
    assert read_truth(tmp_path / "t.json")[0].shapes is None
    found, _ = read_detections([{**RESULTS[0], **fields} for fields in more], ALL)
    assert list(found.shapes) == list(truth.shapes)


def test_what_attributes_say(tmp_path):
    said = [
        {"occluded": True, "difficult": 1, "truncated": False, "colour": "red", "sides": [1, 2.5], "none": None},
        {"occluded": "partly", "group_of": "true", "track_id": 4, "nested": {"a": 1}},
        {},
    ]
    rows = [{**row, "attributes": value} for row, value in zip(TRUTH["annotations"], said, strict=True)]
    rows[2].update(track_id=7, instance_id=8, segmentation=[])
    truth, _ = read_truth(write(tmp_path / "t.json", changed(annotations=rows)), ALL)
    both = bs.Flag.CROWD | bs.Flag.IGNORE
    assert truth.flags.tolist() == [bs.Flag.OCCLUDED | bs.Flag.DIFFICULT, both | bs.Flag.GROUP_OF, 0]
    assert truth.track.tolist() == [-1, 4, 7]
    kept = truth.attributes
    assert list(zip(kept.row.tolist(), kept.name, kept.value, strict=True)) == [
        (0, "colour", "red"), (0, "sides", "1"), (0, "sides", "2.5"), (1, "occluded", "partly"),
        (1, "nested", '{"a": 1}'),
    ]  # fmt: skip
    quick, _ = read_truth(tmp_path / "t.json")
    assert (quick.flags.tolist(), quick.attributes, quick.track) == ([0, both, 0], None, None)
    found, _ = read_detections([{**RESULTS[0], "attributes": {"occluded": True}}], ALL)
    assert (found.attributes.name, found.attributes.value) == (("occluded",), ("true",))


def test_tracks_with_names():
    rows = [{**RESULTS[0], "track_id": name} for name in ("b", "a", "b")]
    assert read_detections([*rows, RESULTS[0]], ALL)[0].track.tolist() == [0, 1, 0, -1]


def test_videos(tmp_path):
    images = [
        {"id": 5, "file_name": "a/0.jpg", "video_id": 2, "frame_id": 10},
        {"id": 3, "file_name": "b/0.jpg", "video_id": 1, "frame_index": 4},
        {"id": 9, "file_name": "c.jpg"},
        {"id": 10, "file_name": "b/1.jpg", "video_id": 1},
        {"id": 11, "file_name": "d/1.jpg", "video_id": 7},
    ]
    videos = [{"id": 1, "name": "b"}, {"id": 2, "name": "a"}]
    data = changed(images=images, videos=videos, annotations=TRUTH["annotations"][:2])
    truth, _ = read_truth(write(tmp_path / "t.json", data), ALL)
    assert list(truth.images.video) == ["a", "b", "", "b", "7"]
    assert truth.images.frame.tolist() == [10, 4, 0, 1, 0]
    videos[0]["name"] = "a"  # two videos of one name are told apart by number
    truth, _ = read_truth(write(tmp_path / "t.json", data), ALL)
    assert list(truth.images.video) == ["2", "1", "", "1", "7"]
    assert read_truth(tmp_path / "t.json")[0].images.video is None


def test_sizes_that_are_unknown(tmp_path):
    images = [{**image, "width": width, "height": -1} for image, width in zip(TRUTH["images"], (-1, 0, 7), strict=True)]
    truth, _ = read_truth(write(tmp_path / "t.json", changed(images=images)))
    np.testing.assert_array_equal(truth.images.width, [np.nan, np.nan, 7])
    assert truth.images.height is None


@pytest.mark.parametrize("kind", ["missing", "null", "empty"])
def test_files_without_categories(tmp_path, kind):
    data = changed(categories=None if kind == "null" else [])
    if kind == "missing":
        del data["categories"]
    truth, findings = read_truth(write(tmp_path / "t.json", data))
    assert truth.classes == bs.Classes(("10", "20"), (10, 20))
    assert [f.text for f in findings] == [
        "the file lists no categories, so that the ids of its 2 classes are their names"
    ]
    expected = bs.evaluate(write(tmp_path / "x.json", TRUTH), write(tmp_path / "r.json", RESULTS)).metrics
    assert str(bs.evaluate(tmp_path / "t.json", tmp_path / "r.json").metrics) == str(expected)
    named = [{**a, "category_id": "cat"} for a in TRUTH["annotations"]]
    assert read_truth(write(tmp_path / "n.json", {**data, "annotations": named}))[0].classes.name == ("cat",)


def test_a_file_under_two_ids(tmp_path):
    data = changed(images=[*TRUTH["images"], {"id": 4, "file_name": "b.jpg"}, {"id": 6, "file_name": "b.jpg"}])
    for how in (None, ALL):
        truth, findings = read_truth(write(tmp_path / "t.json", {**data, "annotations": []}), how)
        assert len(truth.images) == 5
        assert [f.text for f in findings] == [
            "2 images have the file name of another one (b.jpg); each is evaluated on its own"
        ]


def test_ids_that_are_names_of_files(tmp_path):
    """YOLOv6 and Ultralytics: text with zeros in front, or the number in it, where the truth counts from 1."""
    images = [{"id": i + 1, "file_name": f"{name}.jpg"} for i, name in enumerate(["0007", "0003", "7"])]
    rows = [{**a, "image_id": i + 1} for i, a in enumerate(TRUTH["annotations"])]
    truth = write(tmp_path / "t.json", changed(images=images, annotations=rows))
    right = [{**r, "image_id": i + 1} for i, r in enumerate(RESULTS)]
    expected = str(bs.evaluate(truth, write(tmp_path / "r.json", right)).metrics)
    texts = [{**r, "image_id": name} for r, name in zip(RESULTS, ["0007", "0003", "7"], strict=True)]
    assert str(bs.evaluate(truth, write(tmp_path / "s.json", texts)).metrics) == expected
    files = [{**r, "image_id": int(t["image_id"]), "file_name": f"{t['image_id']}.jpg"}
             for r, t in zip(RESULTS, texts, strict=True)]  # fmt: skip
    assert str(bs.evaluate(truth, write(tmp_path / "f.json", files)).metrics) == expected
    assert str(bs.evaluate(truth, write(tmp_path / "g.json", json.dumps(files, indent=1))).metrics) == expected
    stems = [{**r, "image_id": f"img{i}"} for i, r in enumerate(right)]
    data = changed(
        images=[{**image, "file_name": f"val/img{i}.jpg"} for i, image in enumerate(images)], annotations=rows
    )
    assert str(bs.evaluate(write(tmp_path / "u.json", data), write(tmp_path / "v.json", stems)).metrics) == expected


def test_detections_that_list_their_images(tmp_path):
    own = {
        "images": [{"id": i, "file_name": f"{i}.jpg", "width": 5, "height": -1} for i in (9, 5, 3)],
        "categories": [{"id": 4, "name": "unused"}, {"id": 10, "name": "a"}, {"id": 20, "name": "b"}],
        "annotations": RESULTS,
    }
    found, _ = read_detections(write(tmp_path / "r.json", own))
    assert (list(found.images.key), found.images.id) == (["9.jpg", "5.jpg", "3.jpg"], None)  # known by name
    assert (found.images.width.tolist(), found.images.height) == ([5, 5, 5], None)
    assert found.image.tolist() == [2, 1, 1]
    assert found.classes.name == ("unused", "a", "b")
