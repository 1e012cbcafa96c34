"""CVAT XML 1.1: real files, some of which hold the same boxes as others."""

from __future__ import annotations

import gzip
from collections import Counter
from xml.etree import ElementTree

import numpy as np

from archived import unpacked
from boxscore.formats.cvat.video import read_truth as video_of
from boxscore.formats.io.mask_runs import mask_of
from boxscore.joining.read import Reading, read_truth
from boxscore.tables.model import Flag, Mark
from boxscore.tables.shapes import Shape
from small_cvat import rows_of, written
from table_scenes import named_rows, said, said_of_images


def test_a_real_project_with_masks_and_tags(data):
    file = data / "data" / "cvat" / "kgcraig_urban_for_images_masks_tags.xml.gz"
    truth, findings = read_truth(file, Reading(truth_format="cvat"))
    assert (len(truth), len(truth.images), findings) == (245 + 68, 20, [])
    assert [mark for *_, mark in said_of_images(truth)] == [Mark.POSITIVE] * 20
    flags = Counter[str]()
    for element in ElementTree.fromstring(gzip.decompress(file.read_bytes())).iter():
        if element.tag in ("box", "mask"):
            yes = {child.get("name") for child in element if child.text == "yes"}
            flags["occluded"] += "occluded" in yes or element.get("occluded") == "1"
            flags["truncated"] += "truncated" in yes
    assert int((truth.flags & Flag.OCCLUDED != 0).sum()) == flags["occluded"] > 0
    assert int((truth.flags & Flag.TRUNCATED != 0).sum()) == flags["truncated"] > 0
    assert Counter(name for _, name, _ in said(truth)) == {"source": 4, "z_order": 11}


def test_real_masks_fill_their_windows(data):
    file = data / "data" / "cvat" / "kgcraig_urban_for_images_masks_tags.xml.gz"
    truth, _ = read_truth(file, Reading(truth_format="cvat", shapes=True))
    rows = [row for row, shapes in enumerate(truth.shapes) if shapes and shapes[0][0] == Shape.RLE]
    assert len(rows) == 245
    for row in rows[::40]:
        mask = mask_of(truth.shapes.of(row)[0][1])
        image = truth.image[row]
        assert mask.shape == (truth.images.height[image], truth.images.width[image])
        y, x = np.nonzero(mask)
        x0, y0, x1, y1 = truth.corners[row]
        assert x0 <= x.min() <= x.max() < x1
        assert y0 <= y.min() <= y.max() < y1


def test_the_same_boxes_as_in_voc_xml(data, tmp_path):
    gts = unpacked(data, "padilla_review/database_gts_dets.tar.gz", "data/database/gts", tmp_path)
    truth, _ = read_truth(gts / "cvat_format" / "annotations.xml", Reading(truth_format="cvat"))
    voc, _ = read_truth(gts / "pascalvoc_format", Reading(truth_format="voc-xml"))
    assert (len(truth), len(truth.images)) == (273, 100)
    assert Counter(named_rows(truth)) == Counter(named_rows(voc))


def test_fixtures_of_datumaro(data, tmp_path):
    folder = unpacked(data, "datumaro_assets/tests_assets_annotations_only.tar.gz", "assets/cvat_dataset", tmp_path)
    file = folder / "for_images" / "export_project" / "annotations.xml"
    truth, _ = read_truth(file, Reading(truth_format="cvat", split="Train", shapes=True))
    assert truth.images.key == ["img0.jpg", "img1.jpg"]
    assert truth.corners.tolist() == [[0, 2, 4, 4], [1, 2, 7, 8], [1, 2, 6, 5], [1, 2, 5, 6]]
    assert [s[0][0] if s else None for s in truth.shapes] == [None, Shape.POLYLINE, Shape.POLYGON, Shape.POINTS]
    assert truth.flags.tolist() == [Flag.OCCLUDED, 0, 0, 0]
    video, _ = read_truth(folder / "for_video" / "annotations.xml", Reading(truth_format="cvat-video"))
    assert video.images.frame.tolist() == [10, 13, 16, 19]
    assert (len(video), video.rejected, set(video.images.video)) == (3, (("outside", 4),), {"t.mp4"})


def test_a_real_video(data):
    file = data / "data" / "cvat" / "obedalfred_traffic_for_video_1.1.xml"
    truth, findings = read_truth(file, Reading(truth_format="cvat-video"))
    assert (len(truth), truth.rejected, findings) == (1751 - 11, (("outside", 11),), [])
    assert (len(np.unique(truth.track)), len(truth.images)) == (20, 221)
    assert truth.corners[0].tolist() == [731.44, 259.31, 898.69, 683.76]
    back, _ = video_of(written(truth, "cvat-video"), Reading())
    assert rows_of(back) == rows_of(truth)
    assert back.images.key == truth.images.key
