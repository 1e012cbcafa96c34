"""Overlaps from a registry: one of the test's own goes the whole way, and boxes measured before are boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxscore as bs
from boxscore import overlaps, protocols
from boxscore.evaluation.match import match
from boxscore.evaluation.memo import Shared
from boxscore.overlaps import Measured, Overlap
from boxscore.overlaps.boxes import BOX, INCLUSIVE, corner_areas, shared_area
from boxscore.protocols import Protocol, parts
from boxscore.protocols.rules import rule_fields
from boxscore.tables.model import Detections, Floats, Ints, Truth
from boxscore.testing import Scene, scenes
from boxscore.testing import protocols as hybrids
from effort import examples


def _widths(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, __: int
) -> Measured:
    a, b = detections.corners[detection], truth.corners[object_]
    return Measured(np.maximum(np.minimum(a[:, 2], b[:, 2]) - np.maximum(a[:, 0], b[:, 0]), 0.0))


def _width(table: Truth | Detections, _: parts.Overlap) -> Floats:
    width: Floats = table.corners[:, 2] - table.corners[:, 0]
    return width


def _nearness(
    detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, __: int
) -> Measured:
    a, b = detections.corners[detection], truth.corners[object_]
    apart = np.hypot(*((a[:, :2] + a[:, 2:] - b[:, :2] - b[:, 2:]) / 2).T)
    return Measured(np.exp(-apart / 10))


def _boxes(detections: Detections, truth: Truth, detection: Ints, object_: Ints, _: parts.Overlap, __: int) -> Measured:
    return Measured(shared_area(detections.corners[detection].T, truth.corners[object_].T))


def _box_areas(table: Truth | Detections, rules: parts.Overlap) -> Floats:
    return table.box_area if rules.box_area == "source" else corner_areas(table, 0.0)


OWN = (
    Overlap("widths", _widths, _width, bounds=None),  # what two boxes share of their widths
    Overlap("nearness", _nearness, direct=True, bounds=None),  # 1 for the same centre, less with the distance
    Overlap("box-before", _boxes, _box_areas, needs=("corners", "box_area"), areas_of_source=True),
    Overlap("of-shapes", _boxes, _box_areas, needs=("corners", "shapes")),
)


@pytest.fixture(autouse=True)
def own() -> Iterator[None]:
    allowed = next(f.metadata["values"] for f in rule_fields(Protocol) if f.name == "overlap")
    registered, named = dict(overlaps.REGISTRY), list(allowed)
    for one in OWN:
        overlaps.register(one)
    yield
    overlaps.REGISTRY.clear()
    overlaps.REGISTRY.update(registered)
    allowed[:] = named


def test_every_named_overlap_is_registered() -> None:
    allowed = next(f.metadata["values"] for f in rule_fields(Protocol) if f.name == "overlap")
    assert set(allowed) == set(overlaps.REGISTRY)


# Two objects side by side; a detection below the first, as wide as it: its box shares nothing, its width everything.
TRUTH = {"image": [0, 0], "label": [0, 0], "boxes": [[0, 0, 10, 10], [20, 0, 30, 10]]}
FOUND = {
    "image": [0, 0, 0],
    "label": [0, 0, 0],
    "boxes": [[0, 50, 10, 60], [22, 0, 32, 10], [0, 0, 10, 10]],
    "scores": [0.9, 0.8, 0.7],
}


def test_an_overlap_of_the_tests_own_goes_the_whole_way() -> None:
    """By widths the first detection finds the first object (1), the second the second (8 of 12), the third nothing.

    By boxes the first finds nothing, the second the second (80 of 120), the third the first.
    """
    box = replace(protocols.get("voc2012"), overlap="box", name="by box")
    wide = replace(box, overlap="widths", name="by width")
    near = replace(box, overlap="nearness", name="by centre")
    alone = [bs.evaluate(TRUTH, FOUND, protocol=p, box="xyxy") for p in (box, wide, near)]
    together = bs.evaluate_many(TRUTH, FOUND, [box, wide, near, wide, box], box="xyxy")
    # by centre: 50 apart, 2 apart (0.819), 0 apart
    for results in (alone, together[:3]):
        assert [r["mAP"] for r in results] == [pytest.approx(2 / 3), 1.0, pytest.approx(2 / 3)]
    assert [r["mAP"] for r in together[3:]] == [together[1]["mAP"], together[0]["mAP"]]

    point = together[1].at(0.75)
    assert (point.true_positives, point.false_positives, point.false_negatives) == (2, 0, 0)
    assert point.pairs.overlap.tolist() == [1.0, 8 / 12]
    assert together[2].at(0.75).pairs.overlap.tolist() == [np.exp(-0.2)]
    assert together[1].at(0.0).confusion.counts.tolist() == [[2, 0], [1, 0]]
    assert together[1]["meanIoU"] == pytest.approx((1 + 8 / 12) / 2)

    gap = bs.explain(TRUTH, FOUND, box, wide, box="xyxy")
    assert [(part.rule, part.part) for part in gap.parts] == [("overlap", pytest.approx(1 / 3))]


def test_what_is_missing_is_told() -> None:
    protocol = replace(protocols.get("voc2012"), overlap="of-shapes")
    with pytest.raises(bs.InputError, match="no shapes; expected shapes, for overlap=of-shapes"):
        bs.evaluate(TRUTH, FOUND, protocol=protocol, box="xyxy")


def test_margins_are_of_boxes() -> None:
    protocol = replace(protocols.get("imagenet-det"), overlap="widths")
    with pytest.raises(bs.UsageError, match="iou_margin=10 with overlap=widths; expected an overlap of boxes"):
        bs.evaluate(TRUTH, FOUND, protocol=protocol, box="xyxy")


@settings(max_examples=examples(150))
@given(scenes(strangers=True), hybrids(image_sizes=True), st.booleans())
def test_boxes_measured_before_are_matched_as_boxes_are(scene: Scene, protocol: Protocol, pairs: bool) -> None:
    truth, detections = scene.tables()
    protocol = replace(protocol, overlap="box", iou_margin=0.0)
    as_it_goes = match(truth, detections, protocol, pairs=pairs, threads=2)
    for shared in (None, Shared([protocol, replace(protocol, overlap="box-before")])):
        before = match(
            truth, detections, replace(protocol, overlap="box-before"), pairs=pairs, threads=2, shared=shared
        )
        for name in ("hits", "ignored", "counted", "to_find", "object", "overlap"):
            np.testing.assert_array_equal(getattr(before, name), getattr(as_it_goes, name), err_msg=name)


@given(scenes(crowded=False))
def test_areas_of_the_registry_are_those_of_the_kernel(scene: Scene) -> None:
    truth, _ = scene.tables()
    rules = replace(protocols.get("voc2012"), box_area="corners")
    for overlap, pixel in ((BOX, 0.0), (INCLUSIVE, 1.0)):
        assert overlap.areas is not None
        np.testing.assert_array_equal(overlap.areas(truth, rules), corner_areas(truth, pixel))
