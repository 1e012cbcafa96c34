"""Relations: small scenes drawn in comments, the rules by hand, files there and back, and laws."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxscore import evaluate
from boxscore.evaluation.result import Result
from boxscore.formats.io.writing import write
from boxscore.joining.align import align
from boxscore.joining.read import read_detections, read_truth
from boxscore.overlaps.relations import single_iou
from boxscore.tables.model import Truth, concatenate, select

SIDES = "XMin1,XMax1,YMin1,YMax1,XMin2,XMax2,YMin2,YMax2"
HEAD = f"ImageID,LabelName1,LabelName2,RelationshipLabel,{SIDES}"

#   0   .25  .5  .75   1      A man (M) at the left, a horse (H) at the right,
#   +----+----+----+----+     and, in image b, a table that is wooden.
#   |MMMMMMMMM|HHHHHHHHH|
#   +----+----+----+----+
MAN, HORSE, WHOLE = "0,0.5,0,1", "0.5,1,0,1", "0,1,0,1"
HALF = "0,0.25,0,1"  # of the man: IoU 1/2
TRUTH = (f"a,man,horse,on,{MAN},{HORSE}", f"b,table,wooden,is,{WHOLE},{WHOLE}")


def files(folder: Path, truth: tuple[str, ...], found: tuple[str, ...], labels: tuple[str, ...] = ()) -> dict[str, Any]:
    (folder / "truth.csv").write_text("\n".join([HEAD, *truth, ""]))
    (folder / "found.csv").write_text("\n".join([f"{HEAD},Score", *found, ""]))
    (folder / "labels.csv").write_text("\n".join(["ImageID,LabelName,Confidence", *labels, ""]))
    return {"image_labels": folder / "labels.csv"} if labels else {}


def evaluated(folder: Path, found: tuple[str, ...], labels: tuple[str, ...] = (), kind: str = "-relation") -> Result:
    more = files(folder, TRUTH, found, labels)
    return evaluate(folder / "truth.csv", folder / "found.csv", protocol=f"openimages-vrd{kind}", **more)


def test_both_boxes_must_overlap(tmp_path: Path) -> None:
    # The man is found by half, IoU exactly 0.5, which is enough; the lesser of 0.5 and 1 counts.
    result = evaluated(tmp_path, (f"a,man,horse,on,{HALF},{HORSE},0.9",))
    assert result.metrics == {"mAP": 0.5, "weightedAP": 0.5, "Recall@50": 0.5, "Recall@100": 0.5}
    # A quarter of the horse instead: the lesser IoU is 1/2 * 1/2, and the relation is not found.
    result = evaluated(tmp_path, (f"a,man,horse,on,{MAN},0.5,0.75,0,0.5,0.9",))
    assert result["mAP"] == 0
    # The boxes around both: 0 to 0.75 of what is 0 to 1, IoU 3/4. As a phrase it is found.
    assert evaluated(tmp_path, (f"a,man,horse,on,{MAN},0.5,0.75,0,1,0.9",), kind="-phrase")["mAP"] == 0.5


@pytest.mark.parametrize("triple", ["horse,man,on", "man,table,on", "man,horse,is"])
def test_all_of_the_triple_must_be_right(tmp_path: Path, triple: str) -> None:
    labels = tuple(f"a,{name},1" for name in ("man", "horse", "table"))
    assert evaluated(tmp_path, (f"a,{triple},{MAN},{HORSE},0.9",), labels)["weightedAP"] == 0


def test_what_counts_by_image_labels(tmp_path: Path) -> None:
    # In image a, man and horse are in a relation, cat is verified, table and dog are not.
    wrong = {
        "man,cat": 1,  # verified and in no relation: false
        "dog,cat": 1,  # so is this, whatever a dog is
        "man,table": 0,  # nobody looked for tables
        "table,dog": 0,
        "horse,man": 1,  # both there, but not so
    }
    for pair, counted in wrong.items():
        rows = (f"a,{pair},on,{MAN},{HORSE},0.9", f"a,man,horse,on,{MAN},{HORSE},0.8")
        result = evaluated(tmp_path, rows, ("a,cat,0", "c,cat,1"))
        assert result["mAP"] == (0.25 if counted else 0.5), pair  # `on` 1/2 or 1, `is` 0
        dropped = [row for row in result.ledger.detections.rows if row.fate == "dropped"]
        assert [(row.reason, row.count) for row in dropped] == (
            [] if counted else [("its class is not verified in its image", 1)]
        )


def test_relations_without_objects_count_in_one_ranking_only(tmp_path: Path) -> None:
    rows = (f"a,man,horse,holds,{MAN},{HORSE},0.9", f"a,man,horse,on,{MAN},{HORSE},0.8")
    result = evaluated(tmp_path, rows)
    # `holds` is nowhere in the ground truth: the ranking of all is false, true; that of `on` is true.
    assert (result["mAP"], result["weightedAP"]) == (0.5, 0.25)
    assert {row.name: (row.objects, row.detections) for row in result.per_class} == {
        "is": (1, 0), "on": (1, 1), "holds": (0, 1),
    }  # fmt: skip
    # It takes the first place in its image, too.
    assert (result["topRecall[max=1]"], result["topRecall[max=2]"], result["medianRank[max=2]"]) == (0, 0.5, 1)
    assert np.isnan(result["medianRank[max=1]"])


def test_the_score_is_made_of_its_parts(tmp_path: Path) -> None:
    # As a relation false (a quarter of the horse), as a phrase right; the table is found in both.
    rows = (f"a,man,horse,on,{MAN},0.5,0.75,0,0.5,0.9", f"b,table,wooden,is,{WHOLE},{WHOLE},0.7")
    result = evaluated(tmp_path, rows, kind="")
    assert result.metrics == {
        "score": 0.4 * 0.5 + 0.2 * 0.5 + 0.4 * 1.0, "mAP.relation": 0.5, "Recall@50": 0.5, "mAP.phrase": 1.0,
    }  # fmt: skip
    assert {row.name: row.metrics for row in result.per_class} == {
        "is": {"AP.relation": 1.0, "AP.phrase": 1.0}, "on": {"AP.relation": 0.0, "AP.phrase": 1.0},
    }  # fmt: skip


def test_no_detections_find_nothing(tmp_path: Path) -> None:
    result = evaluated(tmp_path, ())
    assert result.metrics == {"mAP": 0, "weightedAP": 0, "Recall@50": 0, "Recall@100": 0}


def test_single_precision_decides_at_the_threshold() -> None:
    # In doubles 0.1 * 0.1 / (0.2 * 0.1) is within 1e-16 of 1/2; rounded to single precision the sides are not.
    whole, half = np.array([[0.1, 0.1, 0.3, 0.2]]), np.array([[0.1, 0.1, 0.2, 0.2]])
    a, b = whole.astype(np.float32), half.astype(np.float32)
    area = [(box[0, 2] - box[0, 0]) * (box[0, 3] - box[0, 1]) for box in (a, b)]
    both = float(b[0, 2] - b[0, 0]) * float(b[0, 3] - b[0, 1])
    assert single_iou(whole, half)[0] == both / (float(area[0] + area[1]) - both)
    assert single_iou(whole, half)[0] != 0.5


@pytest.mark.parametrize("side", ["truth", "detections"])
def test_files_there_and_back(tmp_path: Path, side: str) -> None:
    files(tmp_path, TRUTH, (f"b,table,wooden,is,0,0.1,0.2,0.30000000000000004,{WHOLE},0.25",))
    path, copy = tmp_path / f"{'truth' if side == 'truth' else 'found'}.csv", tmp_path / "copy.csv"
    read: Any = read_truth if side == "truth" else read_detections
    table = read(path)[0]
    write(table, copy, "open-images-vrd")
    again = read(copy)[0]
    assert [*table] == [*again]
    for name in ("end_boxes", "end_labels", "corners", "box_area"):
        assert np.array_equal(getattr(table, name), getattr(again, name))
    assert (table.classes, table.end_classes) == (again.classes, again.end_classes)


def test_rows_move_whole(tmp_path: Path) -> None:
    files(tmp_path, TRUTH, ())
    truth = read_truth(tmp_path / "truth.csv")[0]
    moved = concatenate([select(truth, np.array([1])), select(truth, np.array([0]))])
    assert truth.end_boxes is not None
    assert moved.end_boxes is not None
    assert np.array_equal(moved.end_boxes, truth.end_boxes[::-1])


@pytest.mark.parametrize("seed", range(20))
def test_a_relation_of_equal_boxes_is_a_box(tmp_path: Path, seed: int) -> None:
    """Where subject and object are one box, relations, phrases and plain boxes of the class are found alike."""
    made = np.random.default_rng(seed)

    def rows(n: int, scored: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        related, plain = [], []
        for k in range(n):
            x, y = made.integers(0, 6, 2) / 8
            box = f"{x},{x + 0.25},{y},{y + 0.25}"
            image, name = made.choice(["a", "b"]), made.choice(["red", "wooden"])
            score = f",{(k + 1) / 64}" if scored else ""
            related.append(f"{image},thing,thing,{name},{box},{box}{score}")
            plain.append(f"{image},{name},{box}{score}")
        return tuple(related), tuple(plain)

    truth, found = rows(8, False), rows(12, True)
    files(tmp_path, truth[0], found[0])
    (tmp_path / "plain.csv").write_text("\n".join(["ImageID,LabelName,XMin,XMax,YMin,YMax", *truth[1], ""]))
    (tmp_path / "boxes.csv").write_text("\n".join(["ImageID,LabelName,XMin,XMax,YMin,YMax,Score", *found[1], ""]))
    boxes = evaluate(tmp_path / "plain.csv", tmp_path / "boxes.csv", protocol="tf-voc[unknown_images=dropped]")
    for kind in ("relation", "phrase"):
        result = evaluate(tmp_path / "truth.csv", tmp_path / "found.csv", protocol=f"openimages-vrd-{kind}")
        aps = {row.name: row.metrics["AP"] for row in result.per_class if row.objects}
        assert aps == {row.name: row.metrics["AP"] for row in boxes.per_class if row.objects}


def test_ends_of_both_sides_are_joined_by_name(tmp_path: Path) -> None:
    files(tmp_path, TRUTH, (f"a,aunt,horse,on,{MAN},{HORSE},0.5",))
    truth, found = read_truth(tmp_path / "truth.csv")[0], read_detections(tmp_path / "found.csv")[0]
    joined = align(truth, found)
    assert isinstance(joined.truth, Truth)
    ends = joined.detections.end_classes
    assert ends is joined.truth.end_classes
    assert ends is not None
    assert joined.detections.end_labels is not None
    assert [ends.name[k] for k in joined.detections.end_labels[0]] == ["aunt", "horse"]
    assert replace(truth, end_classes=ends).end_labels is truth.end_labels
