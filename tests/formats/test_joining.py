"""Image names of two sources: which rule joins them, and where none may."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxscore as bs
from boxscore.formats.io.image_names import match_names
from boxscore.formats.io.same_images import known_names
from boxscore.joining.align import align
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.strings import Names

COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "süß/é.jpg") for form in ("NFC", "NFD"))
HASH = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("key", "known", "rule"),
    [
        ("a/b.jpg", "a/b.jpg", None),
        ("a\\b.jpg", "a/b.jpg", "in plain spelling"),
        ("./a/b.jpg", "a/b.jpg", "in plain spelling"),
        ("9k_%20(1).jpg", "9k_ (1).jpg", "in plain spelling"),
        (DECOMPOSED, COMPOSED, "in plain spelling"),
        ("val/b.jpg", "images/val/b.jpg", "by the ends of paths"),
        ("C:\\data\\images\\val\\b.jpg", "images/val/b.jpg", "by the ends of paths"),
        ("data/cam1/b.jpg", "all/cam1/b.jpg", "with their last folder alone"),
        ("val/b", "val/b.jpg", "without extensions"),
        ("x/val/b.png", "val/b.jpg", "by the ends of paths without extensions"),
        ("x/b.jpg", "y/b.jpg", "without folders"),
        ("b.jpg", "images/val/b.jpg", "without folders"),
        ("b", "images/val/b.jpg", "without folders and extensions"),
        ("b.PNG", "b.jpg", "without extensions"),
        ("frame.001", "frame.001.jpg", "without extensions"),
        (f"b_jpg.rf.{HASH}.jpg", "b.jpg", "without what Roboflow adds to names"),
        ("b", f"train/images/b_png.rf.{HASH}.jpg", "without what Roboflow adds to names"),
        ("139", "000000000139.jpg", "as numbers"),
        ("val/000000000139.jpg", "139", "as numbers"),
        ("0", "000.jpg", "as numbers"),
        ("7", f"007_jpg.rf.{HASH}.jpg", "as numbers"),
    ],
)
def test_each_rule_by_hand(key: str, known: str, rule: str | None) -> None:
    matched = match_names(["other", key], ["yet/another.jpg", known])
    assert matched.place == [-1, 1]
    assert [found.rule for found in matched.rules] == ([] if rule is None else [rule])
    assert not matched.refused


@pytest.mark.parametrize(
    ("keys", "known", "places", "refused"),
    [
        (["a"], ["val/a.jpg", "test/a.jpg"], [-1], {0: [0, 1]}),  # two splits
        (["val/a"], ["val/a.jpg", "test/a.jpg"], [0], {}),
        (["val/a"], ["images/val/a.jpg", "images/test/a.jpg"], [0], {}),
        (["val/a"], ["x/val/a.jpg", "y/val/a.jpg"], [-1], {0: [0, 1]}),
        (["val/a"], ["x/val/a.jpg", "x/val/a.png"], [-1], {0: [0, 1]}),
        (["val/a.jpg"], ["images/val/a.jpg", "images/test/a.jpg"], [0], {}),
        (["a.jpg", "a.png"], ["a.bmp"], [-1, -1], {0: [0], 1: [0]}),  # two for one
        (["a.jpg", "a"], ["a.jpg"], [0, -1], {1: [0]}),  # what is joined already is still a rival
        (["val/a.jpg", "a"], ["val/a.jpg", "test/a.jpg"], [0, -1], {1: [0, 1]}),
        (["test/a.jpg"], ["val/a.jpg"], [-1], {}),  # folders say that they are different
        (["test/a.jpg"], ["val/a.jpg", "test/a.png"], [1], {}),
        (["a.jpg"], ["x/a.jpg", "y/a.jpg", "a.png"], [-1], {0: [0, 1]}),  # no later rule ends a doubt
        (["valid/a.jpg"], ["val/images/a.jpg"], [0], {}),
        (["7", "007"], ["7.jpg"], [0, -1], {1: [0]}),
        (["1", "01"], ["001.jpg"], [-1, -1], {0: [0], 1: [0]}),
        (["frame1"], ["frame01.jpg"], [-1], {}),
        (["a"], [], [-1], {}),
        ([], ["a"], [], {}),
        (["²"], ["2.jpg"], [-1], {}),  # a digit to Python, and no number
    ],
)
def test_nothing_is_joined_in_doubt(keys: list[str], known: list[str], places: list[int], refused: Any) -> None:
    matched = match_names(keys, known)
    assert matched.place == places
    assert matched.refused == refused


PARTS = st.sampled_from(["a", "b", "val", "test", "007", "7", "é", "x_jpg.rf.0123456789"])
PATHS = st.builds(
    lambda parts, slash, extension: slash.join(parts) + extension,
    st.lists(PARTS, min_size=1, max_size=3), st.sampled_from("/\\"), st.sampled_from(["", ".jpg", ".PNG"]),
)  # fmt: skip


@given(st.lists(PATHS, max_size=12, unique=True), st.lists(PATHS, max_size=12, unique=True), st.randoms())
def test_order_never_changes_a_pair(keys: list[str], known: list[str], random: Any) -> None:
    def pairs(ours: list[str], theirs: list[str]) -> set[tuple[str, str]]:
        return {(key, theirs[p]) for key, p in zip(ours, match_names(ours, theirs).place, strict=True) if p >= 0}

    made = pairs(keys, known)
    assert len({key for key, _ in made}) == len({other for _, other in made}) == len(made)  # one to one
    assert made == pairs(random.sample(keys, len(keys)), random.sample(known, len(known)))


@given(st.lists(PATHS, max_size=12, unique=True))
def test_equal_names_are_joined_whatever_else_they_are_like(keys: list[str]) -> None:
    assert match_names(keys[::-1], keys).place == list(range(len(keys)))[::-1]


def test_frames_of_many_folders() -> None:
    names = [f"{folder}/{frame:04}.jpg" for folder in range(300) for frame in range(20)]
    keys, known = ([f"{top}/{name}" for name in names] for top in ("here", "there"))
    assert match_names(keys, known).place == list(range(6000))
    lost = match_names([f"x{name}" for name in names], names)  # 300 frames of each name: quickly refused
    assert lost.count() == 0
    assert len(lost.refused) == 6000


def test_names_in_one_piece_are_the_same_names() -> None:
    for texts in ([], ["a", "bc"], ["é", "", "ß.jpg"]):
        packed = Names("".join(texts).encode(), np.cumsum([len(t.encode()) for t in texts], dtype=np.int64))
        assert list(packed) == [packed[i] for i in range(len(packed))] == texts
        assert known_names(packed, texts) == texts


IMAGES = [{"id": 11, "file_name": "000005.jpg"}, {"id": 5, "file_name": "000007.jpg"}, {"id": 9, "file_name": "x.jpg"}]
TRUTH = {
    "images": IMAGES,
    "annotations": [{"id": 1, "image_id": 5, "category_id": 1, "bbox": [0, 0, 9, 9]}],
    "categories": [{"id": 1, "name": "cat"}],
}  # fmt: skip


def results(*images: Any) -> list[dict[str, Any]]:
    return [{"image_id": i, "category_id": 1, "bbox": [0, 0, 9, 9], "score": 0.5} for i in images]


@pytest.mark.parametrize(
    ("images", "joined", "codes"),
    [
        ((11, 5), ["000005.jpg", "000007.jpg"], []),  # the truth's own numbers
        ((5, 7), ["000005.jpg", "000007.jpg"], ["IMG002"]),  # 5 is a number there as well, but names join more
        ((5, 77), ["000007.jpg", None], []),  # a tie: numbers count
        (("x", "000007"), ["x.jpg", "000007.jpg"], ["IMG002"]),  # both by their stems
        (("9", "x"), ["x.jpg", None], ["IMG003"]),
    ],
)
def test_results_by_number_or_name(images: Any, joined: list[str | None], codes: list[str]) -> None:
    truth, _ = read_truth(TRUTH)
    found, findings = read_detections(results(*images), None, truth)
    assert [f.code for f in findings if f.code.startswith("IMG")] == codes
    whole = align(truth, found)
    keys = [whole.truth.images.key[i] if i < whole.known_images else None for i in whole.detections.image]
    assert keys == joined


def test_numbers_of_the_truth_where_no_name_fits() -> None:
    truth, _ = read_truth({**TRUTH, "images": [{**r, "file_name": f"x{r['id']}.jpg"} for r in IMAGES]})
    columns = {"image": ["011", "9"], "labels": ["cat"] * 2, "boxes": [[0, 0, 9, 9]] * 2, "scores": [1, 1]}
    found, findings = read_detections(columns, Reading(box="xyxy"), truth)
    assert list(found.images.key) == ["x11.jpg", "x9.jpg"]
    assert findings[0].text == (
        "2 image names were joined with the truth's, compared by the numbers of the truth's images (011 = x11.jpg)"
    )


def test_findings_say_rule_count_and_example() -> None:
    names = ("val/a.jpg", "test/a.jpg", "val/b.jpg", "val/04.jpg", "val/04.jpg")
    images = [{"id": i, "file_name": name} for i, name in enumerate(names)]
    truth, _ = read_truth({**TRUTH, "images": images, "annotations": []})
    columns = {"image": ["a", "b", "c"], "labels": ["cat"] * 3, "boxes": [[0, 0, 9, 9]] * 3, "scores": [1] * 3}
    found, findings = read_detections(columns, Reading(box="xyxy"), truth)
    assert list(found.images.key) == ["a", "val/b.jpg", "c"]
    assert [(f.code, f.text) for f in findings] == [
        ("IMG004", "1 image of the truth has the name of another one (val/04.jpg); detections by name go to the first"),
        ("IMG002", "1 image name was joined with the truth's, compared without folders and extensions (b = val/b.jpg)"),
        (
            "IMG003",
            "1 image name was not joined with the truth's, because several names are alike (a: val/a.jpg, test/a.jpg)",
        ),
    ]


def test_other_splits_are_not_joined() -> None:
    truth, _ = read_truth(
        {**TRUTH, "images": [{"id": 5, "file_name": "val/a.jpg"}, {"id": 6, "file_name": "val/b.jpg"}]}
    )
    columns = {"image": ["test/a.jpg", "val/b"], "labels": ["cat"] * 2, "boxes": [[0, 0, 9, 9]] * 2, "scores": [1] * 2}
    found, findings = read_detections(columns, Reading(box="xyxy"), truth)
    assert list(found.images.key) == ["test/a.jpg", "val/b.jpg"]
    assert [f.code for f in findings] == ["IMG002", "IMG005"]
    assert findings[1].text == (
        "1 image name is like the truth's in a folder of another split and was not joined (test/a.jpg: val/a.jpg)"
    )


def test_tables_are_joined_as_files_are() -> None:
    truth, _ = read_truth(TRUTH)
    columns = {"image": ["000005", "x"], "labels": ["cat"] * 2, "boxes": [[0, 0, 9, 9]] * 2, "scores": [1, 1]}
    found, _ = read_detections(columns, Reading(box="xyxy"))
    result = bs.evaluate(truth, found)
    assert result.ledger.images.to_dict() == {
        "truth": 3, "detections": 2, "matched": 2, "only_truth": 1, "only_detections": 0,
    }  # fmt: skip


def test_unknown_images_do_not_change_the_order_of_the_known() -> None:
    truth, _ = read_truth(TRUTH)
    columns = {"image": ["000005", "new"], "labels": ["cat"] * 2, "boxes": [[0, 0, 9, 9]] * 2, "scores": [1, 1]}
    images = align(truth, read_detections(columns, Reading(box="xyxy"), truth)[0]).truth.images
    assert list(images.key)[3:] == ["new"]
    assert images.order.tolist() == [11, 5, 9, 12]
