"""Explanations as people see them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import boxscore as bs
from boxscore.analysis.explain import ClassParts, Explanation, Origin, Part
from boxscore.report.explanation import as_markdown, as_rich, as_text

EXACT = """\
Truth       truth.json (coco)
Detections  found.json

Rules                part           mine  yours
AP by mine         0.5000
  iou             +0.2500  0.5:0.95:0.05    0.5 overlap thresholds
  overlap          +3e-06            box      + how the overlap of two boxes is measured
  claim                 0           free    any which objects a detection may look at
sum of all parts  +0.2500
AP by yours        0.7500

No effect on this data: crowd (region → other).
A part is the mean of what its rule changes over all orders in which the rules can be changed:
exact, from 8 mixtures of the two protocols; rules that can matter: 3.
signatures  mine#SIGNED, yours#SIGNED (boxscore VERSION)
"""
SAMPLED = """\
Rules                part       ±           mine  yours
AP by mine         0.5000
  iou             +0.2500  0.0125  0.5:0.95:0.05    0.5 overlap thresholds
  overlap          +3e-06                    box      + how the overlap of two boxes is measured
"""


@pytest.fixture
def made() -> Explanation:
    base = bs.protocols.get("coco")
    parts = (
        Part("iou", "overlap thresholds", (("iou", ",".join(map(repr, base.iou)), "0.5"),), 0.25 - 3e-6),
        Part("overlap", "how the overlap of two boxes is measured", (("overlap", "box", "+"),), 3e-6),
        Part("claim", "which objects a detection may look at", (("claim", "free", "any"),), 0.0),
        Part("crowd", "…", (("crowd", "region", "other"),), 0.0, note="nothing in the data that it applies to"),
    )
    classes = tuple(ClassParts(f"c{k}", k, 0.5, 0.5 + k / 100, (k / 100, 0.0, 0.0, 0.0)) for k in range(30))
    return Explanation(
        replace(base, name="mine"), replace(base, name="yours"), ("AP", "AP"), 0.5, 0.75, parts, True, 0, 8, classes,
        Origin("truth.json", "coco"), Origin("found.json", ""), "VERSION",
    )  # fmt: skip


def unsigned(e: Explanation, text: str) -> str:
    return text.replace(e.from_.digest(), "SIGNED")


def test_exact(made: Explanation) -> None:
    assert unsigned(made, as_text(made)) == EXACT
    assert unsigned(made, repr(made)) == EXACT
    assert as_rich(made).plain == as_text(made) or as_rich(made).plain.split() == as_text(made).split()


def test_sampled(made: Explanation) -> None:
    parts = (replace(made.parts[0], error=0.0125), *made.parts[1:])
    text = as_text(replace(made, parts=parts, exact=False, orders=64))
    assert SAMPLED in text
    assert "over 64 random orders (seed 0)" in text
    assert "± its standard error" in text


def test_classes_with_the_largest_gaps(made: Explanation) -> None:
    few, every = as_text(made, classes=True), as_text(made, classes=True, every=True)
    assert "Classes: AP    mine   yours      gap      iou\nc29          0.5000  0.7900  +0.2900  +0.2900\n" in few
    assert "The 20 largest gaps of 30 classes. All: --all-classes" in few
    assert "c9 " not in few
    assert "c9 " in every
    assert "--all-classes" not in every


def test_narrow(made: Explanation) -> None:
    assert all(len(line) <= 60 for line in as_text(made, columns=60).splitlines())


def test_markdown(made: Explanation) -> None:
    text = as_markdown(made, classes=True)
    assert "| iou | +0.2500 | 0.5:0.95:0.05 | 0.5 | overlap thresholds |" in text
    assert "| c29 | 0.5000 | 0.7900 | +0.2900 | +0.2900 |" in text
