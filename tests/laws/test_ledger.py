"""Every box is accounted for, and the counts of the ledger are those of the numbers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxscore import evaluate, protocols
from boxscore.evaluation.curves import largest_cap, to_find, weighted
from boxscore.evaluation.ledger import Account
from boxscore.evaluation.result import Result
from boxscore.protocols import Protocol
from boxscore.testing import Scene, scenes
from boxscore.testing import protocols as hybrids
from effort import examples
from protocol_names import OF_BOXES, OF_SCENES

of_boxes = st.one_of(hybrids(), st.sampled_from([protocols.get(name) for name in OF_BOXES]))  # files have no others
rules = st.one_of(hybrids(), st.sampled_from([protocols.get(name) for name in OF_SCENES]))


def total(account: Account) -> int:
    return sum(row.count * (-1 if row.fate == "added" else 1) for row in account.rows)


def joined(scene: Scene) -> bool:
    """Whether the sides have a class in common; without one nothing is evaluated at all."""
    known = {key for key, _ in scene.classes}
    return not scene.detections or any(d.label in known for d in scene.detections)


def check(result: Result, scene: Scene) -> None:
    ledger = result.ledger
    assert ledger.objects.read == len(scene.objects) == total(ledger.objects)
    assert ledger.detections.read == len(scene.detections) == total(ledger.detections)
    assert ledger.objects.evaluated == int(result.tally.to_find[:, 0].sum()) == sum(c.objects for c in result.per_class)
    images = ledger.images
    assert images.truth == len(scene.images) == images.matched + images.only_truth
    assert images.detections == images.matched + images.only_detections
    # Classes without objects have no AP, but their detections may stand in one ranking with those of others.
    rules = result.protocol
    pooled = rules.empty_class == "pooled" or (rules.averaging == "pooled" and rules.empty_class == "zero")
    counted = {c.name for c in result.per_class if c.objects or pooled}
    counts = result.at(-np.inf).classes
    found = sum(tp + fp for name, (tp, fp, _) in counts.items() if name in counted)
    assert ledger.detections.evaluated == found


@settings(max_examples=examples(200))
@given(scene=scenes(strangers=True), protocol=of_boxes)
def test_rows_add_up_from_files(tmp_path_factory: pytest.TempPathFactory, scene: Scene, protocol: Protocol) -> None:
    assume(joined(scene))
    folder: Path = tmp_path_factory.mktemp("ledger")
    check(evaluate(*scene.write(folder), protocol=protocol, threads=1), scene)


@settings(max_examples=examples(100))
@given(scene=scenes(), protocol=rules)
def test_rows_add_up_from_arrays(scene: Scene, protocol: Protocol) -> None:
    result = evaluate(*scene.tables(), protocol=protocol, threads=1)
    check(result, scene)


@settings(max_examples=examples(100))
@given(scene=scenes(), protocol=rules)
def test_counts_add_up(scene: Scene, protocol: Protocol) -> None:
    """Found and missed objects are all objects; true, false and ignored detections are all that were kept."""
    result = evaluate(*scene.tables(), protocol=protocol, threads=1)
    tally = result.tally
    kept = tally.rank < largest_cap(protocol)
    for iou in protocol.iou[::5]:
        tp, fp, fn = (result[f"{name}[iou={iou!r}]"] for name in ("TP", "FP", "FN"))
        bit = tally.hits.dtype.type(1 << protocol.iou.index(iou))
        assert tp + fn == to_find(tally)[:, 0].sum()
        hits = int(((tally.hits[kept, 0] & bit) != 0).sum())
        assert tp == hits or weighted(tally)
        assert hits + fp + int(((tally.ignored[kept, 0] & bit) != 0).sum()) == kept.sum() == tally.detections.sum()
    assert not (tally.hits & tally.ignored).any()
    scores = Counter(zip(tally.label[kept].tolist(), tally.score[kept].tolist(), strict=True))
    assert result.ledger.tied == sum(n for n in scores.values() if n > 1)
