"""Where the confidence of YOLO detections stands: decided by evidence, or asked; never guessed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import boxscore as bs
from yolo_predictions import measured

WHY = "because "


def read(root: Path, content: str, truth: bs.Truth | None = None) -> tuple[list[float], str]:
    (root / "found").mkdir()
    (root / "found" / "a.txt").write_text(content)
    made, findings = bs.read_detections(root / "found", truth=truth, detections_format="yolo")
    return made.score.tolist(), next((f.text.partition(WHY)[2] for f in findings if f.code == "CNF001"), "")


def truth_of(root: Path, content: str) -> bs.Truth:
    (root / "truth").mkdir()
    (root / "truth" / "a.txt").write_text(content)
    return bs.read_truth(root / "truth", truth_format="yolo")[0]


UNDECIDED = "0 .5 .45 .3 .2 .4\n0 .4 .5 .2 .3 .5\n"  # inside the image either way, or nearly


def test_the_truth_decides_where_numbers_cannot(tmp_path):
    last = truth_of(tmp_path, "0 .5 .45 .3 .2\n0 .4 .5 .2 .31\n")
    scores, why = read(tmp_path, UNDECIDED, last)
    assert scores == [0.4, 0.5]
    assert why == "2 boxes lie on objects (IoU 0.5 or more) so, with the first one 0"


def test_the_truth_decides_for_the_first(tmp_path):
    first = truth_of(tmp_path, "0 .45 .3 .2 .4\n0 .5 .2 .3 .45\n")
    assert read(tmp_path, UNDECIDED, first)[0] == [0.5, 0.4]


def test_a_question_with_both_options_and_what_was_seen(tmp_path):
    with pytest.raises(bs.InputError) as caught:
        read(tmp_path, UNDECIDED, truth_of(tmp_path, "0 .1 .1 .1 .1\n"))
    text = str(caught.value)
    assert "--confidence first (darknet) or --confidence last (Ultralytics" in text
    assert "boxes inside the image: 1 of 2 with the first, 2 with the last; the order of rows tells nothing" in text
    assert "boxes on objects (IoU 0.5 or more): 0 with the first, 0 with the last" in text


def test_boxes_without_width_or_height_do_not_count_against_a_reading(tmp_path):
    # Last is right: a fifth of the boxes are empty, and with the first number the others leave the image by far.
    rows = [f"0 .5 {0.3 + k / 100:.2f} {0 if k % 5 == 0 else 0.05} .2 .9{k}\n" for k in range(10)]
    scores, why = read(tmp_path, "".join(rows))
    assert scores == [float(f".9{k}") for k in range(10)]
    assert why.startswith("with the first one 10 boxes would leave the image")


def test_boxes_from_left_to_right_are_not_sorted_confidences(tmp_path):
    """The first column rises because it is x; the confidence is the last, in no order."""
    rows = [f"0 .{20 + 6 * k} .5 .5 .4 .{(7 * k) % 10 + 30}\n" for k in range(10)]
    with pytest.raises(bs.InputError, match="only the first is sorted"):
        read(tmp_path, "".join(rows))


def test_boxes_from_large_to_small_are_not_sorted_confidences(tmp_path):
    """The last column falls because it is the height; the confidence is the first, in no order."""
    rows = [f"0 .{(7 * k) % 10 + 40} .5 .5 .{60 - 3 * k} .{60 - 3 * k}\n" for k in range(10)]
    with pytest.raises(bs.InputError, match="only the last is sorted"):
        read(tmp_path, "".join(rows))


@pytest.mark.parametrize("sign", [1, -1])
def test_sorted_class_by_class(tmp_path, sign):
    scores = [[0.62, 0.55, 0.41, 0.3, 0.22][::sign], [0.7, 0.65, 0.33, 0.31, 0.25][::sign]]
    rows = [
        f"{label} .5 .{40 + (7 * k + 3 * label) % 11} .{45 + (5 * k) % 9} .{20 + (3 * k + label) % 7} {s}\n"
        for label in (0, 1) for k, s in enumerate(scores[label])
    ]  # fmt: skip
    found, why = read(tmp_path, "".join(rows))
    assert found == [*scores[0], *scores[1]]
    assert why == "it alone is sorted in every file"


def test_a_run_that_was_appended_to_the_first(tmp_path):
    rows = [f"0 .5 .{40 + (7 * k) % 11} .{45 + (5 * k) % 9} .{20 + (3 * k) % 7} .{60 - 4 * k}\n" for k in range(8)]
    found, _ = read(tmp_path, "".join(rows) * 2)
    assert found == [float(f".{60 - 4 * k}") for k in range(8)] * 2


def test_one_box_just_outside_decides_nothing(tmp_path):
    with pytest.raises(bs.InputError, match="whether the confidence is the first or the last value"):
        read(tmp_path, "0 .9 .3 .3 .2 .4\n0 .5 .5 .2 .2 .2\n")


def test_truth_in_pixels_helps_too(tmp_path):
    (tmp_path / "t").mkdir()
    values = [{"boxes": [[35, 35, 65, 55], [30, 35, 50, 65.5]], "labels": ["0", "0"], "image": "a.jpg",
               "image_size": [100, 100]}]  # fmt: skip
    truth, _ = bs.read_truth(values, box="xyxy")
    assert not truth.relative
    assert read(tmp_path, UNDECIDED, truth)[0] == [0.4, 0.5]


def test_made_up_detectors_are_never_read_wrongly():
    """A part of the folders that development never looked at; docs/formats.md has the figures for 2,000."""
    table = measured(range(1, 301, 2))
    whole = {key for counts in table.values() for key in counts}
    assert whole <= {"right", "refused"}
    right = sum(counts["right"] for counts in table.values())
    assert right >= 120  # of 150: refusing everything is no way out
    assert np.all([counts["refused"] == 0 for name, counts in table.items() if not name.startswith("box")])
