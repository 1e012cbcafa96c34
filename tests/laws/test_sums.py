"""The last bit of a mean: official codes add up one after the other, or as NumPy does, and so do their protocols."""

from __future__ import annotations

import numpy as np
import pytest

import boxscore as bs
from boxscore.protocols import get, names
from protocol_names import OF_BOXES, OF_RELATIONS

N_CLASSES = 23  # NumPy adds up in pairs from 8 numbers on
IN_TURN = ("toolkit-voc", "toolkit-voc11", "imagenet-det", "imagenet-vid", "imagenet-vid-motion", "stt-ap-toolkit")
WITH_ZEROS = (
    "tf-voc", "tf-precision-at-recall", "tf-voc-segm", "openimages-v2", "openimages-challenge",
    "openimages-challenge-segm",
)  # fmt: skip


def evaluated(protocol: str, seed: int) -> bs.Result:
    """Many classes, some without objects, each with a ranking of hits and misses of its own."""
    random = np.random.default_rng(seed)
    truth, found = [], []
    for k in range(N_CLASSES):
        objects = 0 if k % 3 == 1 else int(random.integers(1, 40))
        truth += [(k, 30.0 * i) for i in range(objects)]
        hits = random.permutation(objects)[: int(objects * 0.8)].tolist()
        found += [(k, 30.0 * i, float(random.random())) for i in [*hits, *range(1000, 1000 + int(random.integers(9)))]]
    sides = {
        "truth": {"labels": [k for k, _ in truth], "boxes": [[x, 0, x + 20, 20] for _, x in truth]},
        "found": {
            "labels": [k for k, _, _ in found], "boxes": [[x, 0, x + 20, 20] for _, x, _ in found],
            "scores": [score for _, _, score in found],
        },
    }  # fmt: skip
    given = ({**side, "image": np.zeros(len(side["labels"]), int), "images": [0]} for side in sides.values())
    return bs.evaluate(*given, box="xyxy", classes=[f"c{k}" for k in range(N_CLASSES)], protocol=protocol)


def one_by_one(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("protocol", [p for p in OF_BOXES if get(p).averaging.startswith("classes")])
def test_the_mean_over_classes(protocol: str, seed: int) -> None:
    result = evaluated(protocol, seed)
    values = np.array([row.metrics["AP"] for row in result.per_class if "AP" in row.metrics])
    if get(protocol).summary == "localisation" or len(get(protocol).iou) > 1:
        return
    defined = values[~np.isnan(values)].tolist()
    expected = float(np.mean(defined))
    if protocol in IN_TURN:
        expected = one_by_one(defined) / len(defined)
    elif protocol in WITH_ZEROS:
        expected = float(np.nanmean(values))
    assert result["mAP"] == expected


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "protocol", [p for p in OF_BOXES if get(p).recall_levels == 0 and get(p).summary != "localisation"]
)
def test_the_area_under_all_points(protocol: str, seed: int) -> None:
    result = evaluated(protocol, seed)
    for row in result.per_class:
        if not row.objects or get(protocol).averaging == "pooled":
            continue
        curve = result.curve(row.name)
        recall = np.concatenate(([0.0], curve.recall, [1.0]))
        precision = np.concatenate(([0.0], curve.precision, [0.0]))
        precision = np.maximum.accumulate(precision[::-1])[::-1]
        grows = np.flatnonzero(recall[1:] != recall[:-1]) + 1
        steps = (recall[grows] - recall[grows - 1]) * precision[grows]
        in_pairs = get(protocol).level_sum == "mean"
        assert row.metrics["AP"] == (float(np.sum(steps)) if in_pairs else one_by_one(steps.tolist())), row.name


@pytest.mark.parametrize("some", [IN_TURN, WITH_ZEROS])
def test_the_order_matters_here(some: tuple[str, ...]) -> None:
    """Else the tests above could not fail."""
    results = [evaluated(protocol, seed) for protocol in some[:1] for seed in range(40)]
    means = [np.mean([v for row in r.per_class if not np.isnan(v := row.metrics["AP"])]) for r in results]
    assert any(result["mAP"] != mean for result, mean in zip(results, means, strict=True))


def test_families_that_add_up_as_official_codes_do() -> None:
    assert {p for p in names() if get(p).averaging == "classes-in-turn"} == set(IN_TURN)
    assert {p for p in names() if get(p).averaging == "classes-with-zeros"} == set(WITH_ZEROS)
    assert {p for p in names() if get(p).recall_levels == 0 and get(p).level_sum == "mean"} == {
        *WITH_ZEROS, *OF_RELATIONS, "tf-weighted-voc", "tf-weighted-voc-segm", "imagenet-loc",
    }  # fmt: skip
