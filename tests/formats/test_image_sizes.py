"""Sizes of images from tables and headers, and boxes that become pixels by them."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import boxscore as bs
from boxscore.formats.io.files import open_files
from boxscore.formats.io.image_sizes import headers_of, sizes_of
from boxscore.formats.io.size_tables import read_sizes
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.joining.units import in_one_unit, in_pixels
from boxscore.tables.model import Detections, Images, Truth
from boxscore.tables.shapes import Shape, ShapesMaker

BOX = [0.25, 0.5, 0.75, 1.0]


def picture(path: Path, width: int, height: int, orientation: int | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    exif = Image.Exif()
    if orientation is not None:
        exif[274] = orientation
    Image.new("RGB", (width, height)).save(path, exif=exif)
    return path


def objects(*keys: str, sizes: list[tuple[float, float]] | None = None, share: bool = True) -> Truth:
    """An object on each image, as a share of it."""
    columns = {"image": list(keys), "labels": ["a"] * len(keys), "boxes": [BOX] * len(keys)}
    table, _ = read_truth(columns, Reading(box="xyxy"))
    width, height = (None, None) if sizes is None else np.array(sizes, np.float64).T
    return replace(table, relative=share, images=Images(list(keys), None, width, height))


def found(*keys: str, box: Any = BOX, share: bool = True) -> Detections:
    columns = {"image": list(keys), "labels": ["a"] * len(keys), "boxes": [box] * len(keys), "scores": [1] * len(keys)}
    return replace(read_detections(columns, Reading(box="xyxy"))[0], relative=share)


def codes(findings: Any) -> list[str]:
    return [f.code for f in findings]


@pytest.mark.parametrize("orientation", [None, 0, *range(1, 10)])
@pytest.mark.parametrize("extension", ["jpg", "png", "webp", "tif"])
def test_headers_with_rotation(tmp_path: Path, extension: str, orientation: int | None) -> None:
    picture(tmp_path / f"a.{extension}", 6, 4, orientation)
    files = open_files(tmp_path)
    turned = orientation in (5, 6, 7, 8)
    assert sizes_of(files, files.paths) == {f"a.{extension}": (4, 6) if turned else (6, 4)}
    assert headers_of(files, files.paths)[f"a.{extension}"].turned == turned


def test_headers_of_archives_and_of_what_is_no_image(tmp_path: Path) -> None:
    picture(tmp_path / "in/a.jpg", 6, 4, 6)
    (tmp_path / "in/b.jpg").write_bytes((tmp_path / "in/a.jpg").read_bytes()[:30])
    (tmp_path / "in/c.png").write_bytes(b"")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in sorted((tmp_path / "in").iterdir()):
            archive.write(path, f"in/{path.name}")
    (tmp_path / "in.zip").write_bytes(content.getvalue())
    for place in ("in", "in.zip"):
        files = open_files(tmp_path / place)
        assert sizes_of(files, files.paths, threads=3) == {"a.jpg": (4, 6)}
        table, findings = read_truth(objects("a", "b", share=False), Reading(images=tmp_path / place))
        assert table.images.width is not None
        np.testing.assert_array_equal(table.images.width, [4, np.nan])
        assert codes(findings) == ["SIZ003"]


def test_very_large_images_are_not_decoded(tmp_path: Path) -> None:
    content = io.BytesIO()
    Image.new("1", (8, 8)).save(content, "PNG")
    head = bytearray(content.getvalue())
    head[16:24] = (60_000).to_bytes(4, "big") * 2  # width and height: Pillow would refuse to decode as many pixels
    head[29:33] = zlib.crc32(head[12:29]).to_bytes(4, "big")
    (tmp_path / "a.png").write_bytes(head)
    before = Image.MAX_IMAGE_PIXELS
    files = open_files(tmp_path)
    assert sizes_of(files, files.paths) == {"a.png": (60_000, 60_000)}
    assert before == Image.MAX_IMAGE_PIXELS


@pytest.mark.parametrize(
    "content",
    [
        {"x/a.jpg": [6, 4], "b.jpg": [3, 2]},
        {"x/a.jpg": {"width": 6, "height": 4}, "b.jpg": {"width": 3, "height": 2}},
        [{"file_name": "x/a.jpg", "width": 6, "height": 4}, {"file_name": "b.jpg", "width": 3, "height": 2}],
        {"images": [{"id": 1, "file_name": "x/a.jpg", "width": 6, "height": 4},
                    {"id": 2, "file_name": "b.jpg", "width": 3, "height": 2}], "annotations": []},
        "x/a.jpg,6,4\nb.jpg,3,2\n",
        "height;filename;width\n4;x/a.jpg;6\n\n2;b.jpg;3.0\n",
        "\ufeffimage\twidth\theight\nx/a.jpg\t6\t4\nb.jpg\t3\t2",
    ],
)  # fmt: skip
def test_tables_in_all_forms(tmp_path: Path, content: Any) -> None:
    path = tmp_path / "sizes"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    assert read_sizes(path) == {"x/a.jpg": (6, 4), "b.jpg": (3, 2)}
    table, _ = read_truth(objects("a", "b.png"), Reading(sizes=path))
    assert not table.relative
    assert table.corners.tolist() == [[1.5, 2, 4.5, 4], [0.75, 1, 2.25, 2]]
    assert table.box_area.tolist() == [6, 1.5]


def test_tables_by_split(tmp_path: Path) -> None:
    path = tmp_path / "sizes.json"
    path.write_text(json.dumps({"val": {"a.jpg": [6, 4]}, "test": {"a.jpg": [3, 2], "b.jpg": [5, 5]}}))
    assert read_sizes(path) == {"val/a.jpg": (6, 4), "test/a.jpg": (3, 2), "test/b.jpg": (5, 5)}
    assert read_sizes(path, "val") == {"a.jpg": (6, 4)}
    table, _ = read_truth(objects("test/a.jpg", "b"), Reading(sizes=path))
    assert table.corners[:, 3].tolist() == [2, 5]
    with pytest.raises(bs.InputError, match=r"the size of one image is unknown \(a\)"):  # val or test?
        read_truth(objects("a"), Reading(sizes=path))
    assert read_truth(objects("a"), Reading(sizes=path, split="val"))[0].corners[0, 3] == 4


def test_images_by_split(tmp_path: Path) -> None:
    picture(tmp_path / "val/a.png", 6, 4)
    picture(tmp_path / "test/a.png", 3, 2)
    with pytest.raises(bs.InputError, match="the size of one image is unknown"):
        read_truth(objects("a"), Reading(images=tmp_path))
    assert read_truth(objects("a"), Reading(images=tmp_path, split="test"))[0].corners[0, 3] == 2


def test_the_annotation_counts_and_disagreement_is_said(tmp_path: Path) -> None:
    picture(tmp_path / "i/a.jpg", 6, 4, 6)
    picture(tmp_path / "i/b.jpg", 6, 4)
    picture(tmp_path / "i/c.jpg", 6, 4)
    picture(tmp_path / "i/d.jpg", 8, 8)
    sides = [(6.0, 4.0), (3.0, 2.0), (6.0, 4.0), (0.0, -1.0)]
    table, findings = read_truth(
        objects("a.jpg", "b.jpg", "c.jpg", "d.jpg", sizes=sides), Reading(images=tmp_path / "i")
    )
    assert table.images.width is not None
    assert table.images.width.tolist() == [6, 3, 6, 8]
    assert table.corners[:, 3].tolist() == [4, 2, 4, 8]
    assert [(f.code, f.count) for f in findings] == [("SIZ001", 1), ("SIZ002", 1)]
    assert findings[0].text.endswith(f"(b.jpg: 3 x 2, {tmp_path / 'i'} has 6 x 4); the annotation counts")
    assert findings[1].text.endswith(f"rotation (a.jpg: 6 x 4, {tmp_path / 'i'} has 4 x 6)")


def test_one_size_for_all() -> None:
    table, findings = read_truth(objects("a", "b", sizes=[(4, 4), (np.nan, np.nan)]), Reading(image_size=(8, 8)))
    assert table.corners[:, 3].tolist() == [4, 8]
    assert codes(findings) == ["SIZ001"]


@pytest.mark.parametrize("truth_relative", [False, True])
@pytest.mark.parametrize("found_relative", [False, True])
@pytest.mark.parametrize("known", [False, True])
def test_both_sides_in_one_unit(truth_relative: bool, found_relative: bool, known: bool) -> None:
    truth = objects("a", "b", sizes=[(8, 4), (16, 2)] if known else None, share=truth_relative)
    found_ = found("b", share=found_relative)
    how = Reading()
    if truth_relative != found_relative and not known:
        with pytest.raises(bs.InputError, match=r"images? (is|are) unknown"):
            in_one_unit(truth, found_, how)
        return
    one, other, findings = in_one_unit(truth, found_, how)
    assert one.relative == other.relative == (truth_relative and found_relative and not known)
    assert not findings
    if truth_relative == found_relative and not (truth_relative and known):
        assert (one, other) == (truth, found_)
    scaled_ = one if truth_relative else other
    if (truth_relative or found_relative) and known:
        assert scaled_.corners[-1].tolist() == [4, 1, 12, 2]
        assert scaled_.box_area[-1] == 8


def test_sizes_of_the_detections_images_serve_the_truth() -> None:
    truth, found_ = objects("a"), found("x/a.jpg", box=[2, 2, 6, 4], share=False)
    found_ = replace(found_, images=Images(["x/a.jpg"], None, np.array([8.0]), np.array([4.0])))
    result = bs.evaluate(truth, found_, protocol="coco-fixed")
    assert result["AP"] == 1
    assert truth.relative  # nothing mutates its arguments


def test_detections_on_images_without_a_size() -> None:
    truth = objects("a", sizes=[(8, 4)], share=False)
    table, findings = read_detections(found("a", "z"), Reading(), truth)
    assert table.corners.tolist() == [[2, 2, 6, 4], BOX]
    assert [(f.code, f.count) for f in findings] == [("SIZ004", 1)]
    table, findings = read_detections(found("a", "z"), Reading(image_size=(100, 100)), truth)
    assert table.corners.tolist() == [[2, 2, 6, 4], [25, 50, 75, 100]]
    assert not findings


def test_relative_sides_give_the_same_overlap_as_pixels(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("a,640,480\n")
    truth, found_ = objects("a"), found("a", box=[0.25, 0.5, 0.75, 0.875])
    results = [
        bs.evaluate(truth, found_, protocol="voc2012[overlap=box]", **how)
        for how in ({}, {"sizes": tmp_path / "s.csv"})
    ]
    assert results[0]["mAP"] == results[1]["mAP"] == 1


def test_shapes_become_pixels_too() -> None:
    made = ShapesMaker()
    values: dict[Shape, tuple[list[float], list[float]]] = {
        Shape.POLYGON: ([0.5, 0.5, 1, 0.25, 0, 0], [4, 2, 8, 1, 0, 0]),
        Shape.RLE: ([4, 8, 16, 16], [4, 8, 16, 16]),
        Shape.QUAD: ([0, 0, 1, 0, 1, 1, 0, 1], [0, 0, 8, 0, 8, 4, 0, 4]),
        Shape.KEYPOINTS: ([0.5, 0.5, 2, 0, 1, 1], [4, 2, 2, 0, 4, 1]),
        Shape.POLYLINE: ([0.5, 0.5], [4, 2]),
        Shape.POINTS: ([0.125, 0.25], [1, 1]),
        Shape.CIRCLE: ([0.5, 0.5, 0.25], [4, 2, 2]),
        Shape.ELLIPSE: ([0.5, 0.5, 0.25, 0.25, 0.5], [4, 2, 2, 1, 0.5]),
        Shape.ORIENTED: ([0.5, 0.5, 0.5, 0.5, 0.5], [4, 2, 4, 2, 0.5]),
    }
    assert {*values} == {*Shape}
    for kind, (shares, _) in values.items():
        made.add(1, kind, shares)
    made.add(2, Shape.POINTS, [1, 1])
    table = replace(objects("a", "b", "c"), shapes=made.shapes(3))
    pixels = in_pixels(table, np.array([[2.0, 2.0], [8.0, 4.0], [100.0, 10.0]])).shapes
    assert pixels is not None
    assert pixels.of(1) == [(kind, expected) for kind, (_, expected) in values.items()]
    assert pixels.of(2) == [(Shape.POINTS, [100, 10])]


def test_rows_without_an_image_stay_as_they_are() -> None:
    table = objects("a", "b")
    table = replace(table, image=np.array([0, -1], np.int32))
    assert in_pixels(table, np.array([[2.0, 2.0], [2.0, 2.0]])).corners.tolist() == [[0.5, 1, 1.5, 2], BOX]


def test_the_sizes_of_real_images(data: Path) -> None:
    folder = data / "data/padilla_review"
    files = open_files(folder / "database_images.tar.gz")
    sizes = sizes_of(files, files.ending(".jpg"))
    assert len(sizes) == len(files.ending(".jpg")) == 100
    truth = open_files(folder / "database_gts_dets.tar.gz")
    for path, (width, height) in sizes.items():
        text = truth.bytes(
            next(p for p in truth.paths if p.endswith(f"pascalvoc_format/{Path(path).stem}.xml"))
        ).decode()
        assert f"<width>{width}</width>" in text
        assert f"<height>{height}</height>" in text
