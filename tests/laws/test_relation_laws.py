"""Relations obey the laws of boxes: every one is accounted for, and parts merge to the whole."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import reduce
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import evaluate, protocols
from boxscore.evaluation.prepare import matched, prepare
from boxscore.evaluation.tally import Tally
from boxscore.joining.align import align
from boxscore.protocols import Protocol
from boxscore.tables.model import Classes, Detections, Truth, select
from boxscore.testing import protocols as hybrids
from boxscore.testing import scenes
from effort import examples
from protocol_names import OF_RELATIONS

ENDS = Classes(("man", "horse"), ("man", "horse"))
Sides = tuple[Truth, Detections]
PLAIN: dict[str, Any] = {"max_per": "cell", "area_unit": "pixels", "repeated_ids": "ordinary", "iou_margin": 0.0}
registered = st.sampled_from([protocols.get(name) for name in OF_RELATIONS])
mixed = st.builds(
    lambda p, overlap: replace(p, overlap=overlap, **PLAIN),
    hybrids(), st.sampled_from(("relation", "phrase")),
)  # fmt: skip
rules = st.one_of(registered, mixed)


def related(table: Any, ends: list[int]) -> Any:
    """Each box as the subject of a relation whose object is the same box, moved; the ends are of any classes."""
    labels = np.resize(np.array(ends, np.int32), (len(table), 2))
    return replace(
        table, end_boxes=np.hstack([table.corners, table.corners + 1.0]), end_labels=labels, end_classes=ENDS
    )


@st.composite
def sides(draw: st.DrawFn) -> Sides:
    truth, detections = draw(scenes(crowded=False)).tables()
    ends = st.lists(st.integers(0, 1), min_size=2, max_size=6)
    return related(truth, draw(ends)), related(detections, draw(ends))


def tally(protocol: Protocol, truth: Truth, detections: Detections) -> Tally:
    prepared = prepare(align(truth, detections), protocol)
    return Tally.of(matched(prepared, threads=1), prepared.truth, prepared.protocol)


@settings(max_examples=examples(100))
@given(sides(), rules)
def test_every_relation_is_accounted_for(given: Sides, protocol: Protocol) -> None:
    result = evaluate(*given, protocol=protocol, threads=1)
    for account, table in zip((result.ledger.objects, result.ledger.detections), given, strict=True):
        added = sum(row.count for row in account.rows if row.fate == "added")
        assert account.read == len(table)
        assert sum(row.count for row in account.rows if row.fate != "added") == len(table) + added
    assert result.ledger.objects.evaluated == int(result.tally.to_find[:, 0].sum())


@settings(max_examples=examples(100))
@given(sides(), rules, st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_parts_of_relations_merge_to_the_whole(given: Sides, protocol: Protocol, part: list[int]) -> None:
    of_image = np.array(part[: len(given[0].images)])
    parts = [
        tally(protocol, *(select(t, of_image[t.image] == p) for t in given)) for p in sorted(set(of_image.tolist()))
    ]
    whole, merged = tally(protocol, *given), reduce(lambda a, b: b + a, parts)
    for f in fields(Tally):
        if isinstance(getattr(whole, f.name), np.ndarray) and not f.name.startswith("object_"):
            np.testing.assert_array_equal(getattr(merged, f.name), getattr(whole, f.name), err_msg=f.name)
