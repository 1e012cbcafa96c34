"""The worked examples of the literature come out as published, to the printed digits."""

from __future__ import annotations

import numpy as np
import pytest

import boxscore as bs
from boxscore.demo import as_text, examples
from boxscore.protocols import get, variant

CATS, PERSONS = examples()


@pytest.mark.parametrize(
    ("row", "published", "shown"),
    [
        (CATS.rows[0], "88.64 %", "88.64 %"),
        (CATS.rows[1], "89.58 %", "89.58 %"),
        (CATS.rows[2], "49.24 %", "49.24 %"),
        (CATS.rows[3], "50.97 %", "50.97 %"),
        (CATS.rows[4], "60 %", "60 %"),
        (CATS.rows[5], "66 %", "66 %"),
        (PERSONS.rows[0], "26.84 %", "26.84 %"),
        (PERSONS.rows[1], "24.56 %", "24.57 %"),  # the published one adds terms that were cut to four digits
        (PERSONS.rows[2], "24.56 %", "24.56 %"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.number,
)
def test_published_numbers(row, published, shown):
    assert row.published == published
    assert row.shown == shown
    assert row.agrees == (published == shown)


def test_exact_values():
    # Recalls of n/12, precisions by hand; 1e-12 because the sums are made in another order here.
    assert CATS.rows[1].computed == pytest.approx((8 + 3 * 11 / 12) / 12, abs=1e-12)
    assert CATS.rows[0].computed == pytest.approx((7 + 3 * 11 / 12) / 11, abs=1e-12)
    assert CATS.rows[5].computed == pytest.approx(79 / 120, abs=1e-12)  # thresholds reached by each of the eleven
    persons = 1 / 15 + 2 / 3 / 15 + 4 * 3 / 7 / 15 + 7 / 23 / 15
    assert PERSONS.rows[1].computed == pytest.approx(persons, abs=1e-12)


def test_the_overlaps_are_the_printed_ones():
    printed = [0.91, 0.70, 0.86, 0.72, 0.91, 0.86, 0.92, 0.87, np.nan, 0.84, 0.74, 0.76]
    for protocol in ("coco-fixed", "toolkit-voc"):  # continuous boxes, inclusive pixels
        rules = variant(get(protocol), iou="0.5", max_detections="none")
        joined = bs.align(CATS.truth, CATS.detections)
        matching = bs.match(joined.truth, joined.detections, rules, pairs=True)
        overlap = np.empty(12)
        overlap[matching.row] = matching.overlap[:, 0, 0]
        np.testing.assert_array_equal(np.floor(overlap * 100) / 100, printed)


def test_the_verdicts_of_the_24_detections():
    hits = np.diff(PERSONS.curve("0.3").true_positives, prepend=0)
    assert {letter for letter, hit in zip(PERSONS.letters, hits, strict=True) if hit} == set("RJBPEXG")


def test_official_protocols_agree_with_the_toolkit():
    for example in (CATS, PERSONS):
        for official, toolkit in (("voc2012", "toolkit-voc"), ("voc11-exact", "toolkit-voc11")):
            for iou in example.iou:
                one, other = (
                    bs.evaluate(example.truth, example.detections, protocol=variant(get(name), iou=iou))
                    for name in (official, toolkit)
                )
                assert one["mAP"] == pytest.approx(other["mAP"], abs=1e-12)


def test_sizes():
    assert (len(CATS.truth.images), len(CATS.truth), len(CATS.detections)) == (10, 12, 12)
    assert (len(PERSONS.truth.images), len(PERSONS.truth), len(PERSONS.detections)) == (7, 15, 24)


def test_text():
    lines = as_text().splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line.isascii() for line in lines)
    assert "AP, all points, IoU 0.5               toolkit-voc             89.58 % =  89.58 %" in lines
    assert "AP, all points, IoU 0.3               toolkit-voc[iou=0.3]    24.56 % ~  24.57 %" in lines
    assert "   9  J              2        0.85  FP            8       1     0.8889  0.6667" in lines
    assert "  24  O              4        0.14  FP            7      17     0.2917  0.4667" in lines
