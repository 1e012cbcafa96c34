"""COCO files: the usual ones, the unusual ones that are still right, and what is said about the odd ones."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections import OrderedDict

import numpy as np
import pytest

import boxscore as bs
from boxscore.joining.read import read_detections, read_truth
from odd_coco import RESULTS, TRUTH, write


def changed(**sections):
    return {**TRUTH, **sections}


def more(**fields):
    """The truth and one object more."""
    return changed(annotations=[*TRUTH["annotations"], {**TRUTH["annotations"][0], "id": 8, **fields}])


def test_the_usual_truth(tmp_path):
    truth, findings = read_truth(write(tmp_path / "t.json", TRUTH))
    assert truth.images.id.tolist() == [5, 3, 9]
    assert truth.images.width.tolist() == [100, 10.5, 1]
    assert truth.classes == bs.Classes(("dög", "cat"), (10, 20))  # by ascending id
    assert truth.image.tolist() == [1, 0, 0]
    assert truth.label.tolist() == [1, 0, 1]
    assert truth.corners[1].tolist() == [0.1, 0.2, 0.1 + 0.3, 0.2 + 0.4]
    assert truth.box_area[1] == 0.3 * 0.4
    assert truth.flags.tolist() == [0, bs.Flag.CROWD | bs.Flag.IGNORE, 0]
    assert truth.area.tolist()[:2] == [11, 0.12]
    assert np.isnan(truth.area[2])
    assert findings == []


@pytest.mark.parametrize(
    "kind", ["plain", "gzip", "standard input", "gzip on standard input", "byte order mark", "values"]
)
def test_where_files_come_from(tmp_path, monkeypatch, kind):
    texts = {"t": json.dumps(TRUTH).encode(), "r": json.dumps(RESULTS).encode()}
    sides = {}
    for name, text in texts.items():
        if kind == "gzip":
            sides[name] = tmp_path / f"{name}.json.gz"
            sides[name].write_bytes(gzip.compress(text))
        elif kind == "byte order mark":
            sides[name] = tmp_path / f"{name}.json"
            sides[name].write_bytes(b"\xef\xbb\xbf" + text)
        elif kind == "values":
            sides[name] = json.loads(text)
        else:
            sides[name] = tmp_path / f"{name}.json"
            sides[name].write_bytes(text)
    expected = bs.evaluate(write(tmp_path / "x.json", TRUTH), write(tmp_path / "y.json", RESULTS)).metrics
    if "standard input" not in kind:
        assert str(bs.evaluate(sides["t"], sides["r"]).metrics) == str(expected)
        return
    for name in sides:
        text = gzip.compress(texts[name]) if "gzip" in kind else texts[name]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        assert str(bs.evaluate(*({**sides, name: "-"}[key] for key in "tr")).metrics) == str(expected)


def test_values_with_numpy_in_them(tmp_path):
    results = [
        OrderedDict(r, bbox=np.array(r["bbox"]), score=np.float32(0.5), image_id=np.int64(r["image_id"]))
        for r in RESULTS
    ]
    found, _ = read_detections(tuple(results))
    assert found.score.tolist() == [0.5] * 3
    assert found.corners[0].tolist() == [1.5, 2, 4.5, 6]
    assert found.source == "detections"


def test_results_as_a_whole_coco_file_join_classes_by_name(tmp_path):
    truth = write(tmp_path / "t.json", TRUTH)
    own = {
        "images": TRUTH["images"],
        "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dög"}],
        "annotations": [{**r, "category_id": {20: 1, 10: 2}[r["category_id"]]} for r in RESULTS],
    }
    expected = bs.evaluate(truth, write(tmp_path / "r.json", RESULTS)).metrics
    assert str(bs.evaluate(truth, write(tmp_path / "o.json", own)).metrics) == str(expected)
    # With image numbers of its own it is joined by file name; without images by number.
    moved = {5: 1, 3: 2, 9: 5}
    other = {
        **own,
        "images": [{**i, "id": moved[i["id"]]} for i in own["images"]],
        "annotations": [{**a, "image_id": moved[a["image_id"]]} for a in own["annotations"]],
    }
    assert str(bs.evaluate(truth, write(tmp_path / "m.json", other)).metrics) == str(expected)
    bare = {key: own[key] for key in ("annotations", "categories")}
    assert str(bs.evaluate(truth, write(tmp_path / "b.json", bare)).metrics) == str(expected)
    unnamed = {"annotations": RESULTS, "images": None, "categories": None}
    assert str(bs.evaluate(truth, write(tmp_path / "u.json", unnamed)).metrics) == str(expected)


def test_ids_written_as_text(tmp_path):
    expected = bs.evaluate(write(tmp_path / "t.json", TRUTH), write(tmp_path / "r.json", RESULTS)).metrics
    results = [{**r, "image_id": f"{r['image_id']:06}", "category_id": f" {r['category_id']}"} for r in RESULTS]
    result = bs.evaluate(tmp_path / "t.json", write(tmp_path / "s.json", results))
    assert str(result.metrics) == str(expected)
    assert [(f.code, f.count) for f in result.ledger.findings] == [("ID004", 6)]
    truth = changed(
        images=[{**i, "id": str(i["id"])} for i in TRUTH["images"]],
        annotations=[{**a, "id": str(a["id"]), "image_id": str(a["image_id"])} for a in TRUTH["annotations"]],
    )
    assert str(bs.evaluate(write(tmp_path / "x.json", truth), tmp_path / "r.json").metrics) == str(expected)


def test_any_text_is_a_key(tmp_path):
    names = {3: "a.jpg", 5: "scene 5", 9: "9"}
    classes = {10: "d", 20: "n02123045"}
    truth = changed(
        images=[{**i, "id": names[i["id"]]} for i in TRUTH["images"]],
        categories=[{**c, "id": classes[c["id"]]} for c in TRUTH["categories"]],
        annotations=[
            {**a, "id": f"x{a['id']}", "image_id": names[a["image_id"]], "category_id": classes[a["category_id"]]}
            for a in TRUTH["annotations"]
        ],
    )
    results = [{**r, "image_id": names[r["image_id"]], "category_id": classes[r["category_id"]]} for r in RESULTS]
    expected = bs.evaluate(write(tmp_path / "t.json", TRUTH), write(tmp_path / "r.json", RESULTS)).metrics
    result = bs.evaluate(write(tmp_path / "x.json", truth), write(tmp_path / "y.json", results))
    assert result.metrics == pytest.approx(expected, abs=0, rel=0, nan_ok=True)
    assert [c.id for c in result.per_class] == ["d", "n02123045"]  # sorted as text, as pycocotools does
    # Class names and file names do where the truth has numbers.
    named = [
        {
            **r,
            "image_id": {3: "ü/a.jpg", 5: "5"}[r["image_id"]],
            "category_id": {10: "dög", 20: "cat"}[r["category_id"]],
        }
        for r in RESULTS
    ]
    assert str(bs.evaluate(tmp_path / "t.json", write(tmp_path / "z.json", named)).metrics) == str(expected)


@pytest.mark.parametrize(
    ("truth", "results", "codes"),
    [
        (changed(annotations=[{**a, "id": a["id"] - 1} for a in TRUTH["annotations"]]), RESULTS, ["ID001"]),
        (changed(annotations=[{**a, "id": 1} for a in TRUTH["annotations"]]), RESULTS, ["ID002"]),
        (changed(images=TRUTH["images"] + TRUTH["images"][:1]), RESULTS, ["ID003"]),
        (changed(categories=TRUTH["categories"] + TRUTH["categories"]), RESULTS, ["ID003"]),
        (changed(categories=[{"id": 10, "name": "cat"}, {"id": 20, "name": "cat"}]), RESULTS, ["CLS002"]),
        (more(bbox=None), RESULTS, ["BOX002"]),
        (more(bbox=[]), RESULTS, ["BOX002"]),
        (more(image_id=4), RESULTS, ["OBJ001"]),
        (TRUTH, [*RESULTS, {**RESULTS[0], "bbox": []}], ["BOX002"]),
        (TRUTH, [*RESULTS, {**RESULTS[0], "bbox": [1, 1, 0, -5]}], ["BOX001"]),
        (TRUTH, [*RESULTS, {**RESULTS[0], "image_id": 4}], ["IMG001"]),
        (TRUTH, [*RESULTS, {**RESULTS[0], "category_id": 4}], ["CLS001"]),
        (TRUTH, [], ["DET001"]),
        (TRUTH, [{**RESULTS[0], "image_id": 3.0}, *RESULTS[1:]], []),
        (changed(annotations=[{**a, "iscrowd": bool(a.get("iscrowd"))} for a in TRUTH["annotations"]]), RESULTS, []),
    ],
)  # fmt: skip
def test_what_is_odd_is_said(tmp_path, truth, results, codes):
    result = bs.evaluate(write(tmp_path / "t.json", truth), write(tmp_path / "r.json", results))
    assert [f.code for f in result.ledger.findings] == codes
    objects, detections = result.ledger.objects, result.ledger.detections
    assert objects.read == len(truth["annotations"])
    assert detections.read == len(results)


def test_files_that_write_boxes_in_another_way(tmp_path):
    truth = write(tmp_path / "t.json", TRUTH)
    corners = [
        {**r, "bbox": [*r["bbox"][:2], r["bbox"][0] + r["bbox"][2], r["bbox"][1] + r["bbox"][3]]} for r in RESULTS
    ]
    expected = bs.evaluate(truth, write(tmp_path / "r.json", RESULTS), protocol="coco-fixed").metrics
    result = bs.evaluate(truth, write(tmp_path / "c.json", corners), protocol="coco-fixed", detections_box="xyxy")
    assert result.metrics == pytest.approx(expected, nan_ok=True)
    assert not result.ledger.findings
    # What is said in general does not hold for files whose format says it.
    result = bs.evaluate(truth, tmp_path / "r.json", protocol="coco-fixed", box="xyxy")
    assert str(result.metrics) == str(expected)
    assert [f.code for f in result.ledger.findings] == ["BOX004", "BOX004"]
    assert result.ledger.findings[0].text.endswith(
        "t.json is COCO, whose boxes are x y width height in pixels; box=xyxy was not used for it"
    )


def test_half_a_surrogate_pair_can_be_printed(tmp_path):
    text = json.dumps(TRUTH).replace('"cat"', '"c\\ud800t"')
    truth, _ = read_truth(write(tmp_path / "t.json", text))
    assert truth.classes.name[1] == "c?t"
    truth.classes.name[1].encode()


def test_a_list_of_images_and_a_coco_file(tmp_path):
    truth = write(tmp_path / "t.json", TRUTH)
    found = [
        {"image": 3, "boxes": [[1.5, 2, 3, 4]], "labels": ["cat"], "scores": [0.9]},
        {
            "image": 5,
            "boxes": [[0.1, 0.2, 0.3, 0.4], [10, -2, 3, 4]],
            "labels": ["dög", "cat"],
            "scores": [0.123456789012345678, 1],
        },
    ]
    expected = bs.evaluate(truth, write(tmp_path / "r.json", RESULTS)).metrics
    result = bs.evaluate(truth, found, detections_box="xywh")
    assert str(result.metrics) == str(expected)
    assert not [f for f in result.ledger.findings if f.code == "BOX004"]
