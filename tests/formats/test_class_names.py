"""Class names of two sources: lists, maps, and suggestions that change nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxscore as bs
from boxscore.formats.io.class_lists import read_class_names
from boxscore.formats.io.class_maps import read_class_map
from boxscore.joining.read import Reading, read_detections, read_truth
from boxscore.tables.synonyms import suggestions

NAMES = ("person", "traffic light", "no")
BOX = [0, 0, 9, 9]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def truth(*names: str, ids: tuple[int, ...] | None = None) -> Any:
    ids = ids or tuple(range(1, len(names) + 1))
    return read_truth({
        "images": [{"id": 1}],
        "categories": [{"id": i, "name": n} for i, n in zip(ids, names, strict=True)],
        "annotations": [{"id": i, "image_id": 1, "category_id": i, "bbox": BOX} for i in ids],
    })[0]  # fmt: skip


def found(labels: list[Any], how: Reading, objects: Any) -> Any:
    columns = {
        "image": [1] * len(labels),
        "labels": labels,
        "boxes": [BOX] * len(labels),
        "scores": [0.5] * len(labels),
    }
    return read_detections(columns, how, objects)


def results(*ids: int) -> list[dict[str, Any]]:
    return [{"image_id": 1, "category_id": i, "bbox": BOX, "score": 0.5} for i in ids]


def labels_of(table: Any) -> list[str]:
    return [table.classes.name[k] for k in table.label]


@pytest.mark.parametrize(
    "text",
    [
        "person\ntraffic light\nno\n",
        "\ufeffperson\r\n traffic light \r\nno\r\n\r\n",
        "path: ../x\nnames: [person, traffic light, no]\nnc: 3\n",
        "names:\n- person\n- 'traffic light'\n- no\n",
        "train: x\nnames:\n  2: no\n  0: person\n  1: traffic light\n",
        "names: {'0': person, '1': traffic light, '2': no}\n",
        "item {\n id: 3\n name: 'no'\n}\nitem { name: 'person' id: 1 }\nitem { id: 2 display_name: 'traffic light' }\n",
    ],
)
def test_lists_of_classes_by_content(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "list", text)
    assert read_class_names(path) == NAMES
    assert Reading(classes=path).classes == Reading(classes=str(path)).classes == NAMES  # type: ignore[arg-type]


def test_a_list_for_each_side(tmp_path: Path) -> None:
    objects = read_truth({"image": [1], "labels": [1], "boxes": [BOX]}, Reading(box="xyxy", truth_classes=("a", "b")))[
        0
    ]
    assert labels_of(objects) == ["b"]
    how = Reading(box="xyxy", classes=("a", "b"), detections_classes=("b", "a"))
    assert labels_of(found([1, 0, 0], how, objects)[0]) == ["a", "b", "b"]
    path = write(tmp_path / "c.names", "a\nb\n")
    result = bs.evaluate(
        {"image": [1], "labels": [1], "boxes": [BOX]},
        {"image": [1], "labels": ["b"], "boxes": [BOX], "scores": [1]},
        box="xyxy", classes=path,
    )  # fmt: skip
    assert result["AP50"] == pytest.approx(1, abs=1e-12)  # a mean over recall levels


def test_numbers_of_results_are_lines_of_the_list() -> None:
    objects = truth("cat", "dog", "owl", ids=(17, 18, 16))
    how = Reading(detections_classes=("owl", "cat", "dog"))
    table, _ = read_detections(results(1, 0, 2, 1), how, objects)
    assert labels_of(table) == ["cat", "owl", "dog", "cat"]
    # Also where the numbers happen to be the truth's: the user's word counts.
    objects = truth("cat", "dog", ids=(0, 1))
    assert labels_of(read_detections(results(0, 1), Reading(detections_classes=("dog", "cat")), objects)[0]) == [
        "dog",
        "cat",
    ]
    # A file that names its categories says it itself.
    named = {"images": [{"id": 1}], "categories": [{"id": 0, "name": "dog"}], "annotations": results(0)}
    assert labels_of(read_detections(named, Reading(detections_classes=("cat",)), objects)[0]) == ["dog"]


@pytest.mark.parametrize(
    "text",
    [
        "tv = tvmonitor\nplane = aeroplane\n",
        "# both\n\ntv -> tvmonitor  # old\n  plane->aeroplane\n",
        'from,to\ntv,tvmonitor\n"plane", aeroplane\n',
        "detections,truth\r\ntv,tvmonitor\r\nplane,aeroplane\r\n",
        '{"tv": "tvmonitor", "plane": "aeroplane"}',
    ],
)
def test_maps_in_all_forms(tmp_path: Path, text: str) -> None:
    assert read_class_map(write(tmp_path / "map", text)) == {"tv": "tvmonitor", "plane": "aeroplane"}


def test_names_with_separators(tmp_path: Path) -> None:
    text = 'a,b = c\n"x, y",z\nc#sharp = d\n'
    assert read_class_map(write(tmp_path / "map", text)) == {"a,b": "c", "x, y": "z", "c#sharp": "d"}


def test_a_map_renames_and_says_so(tmp_path: Path) -> None:
    objects = truth("tvmonitor", "cat", "dog")
    path = write(tmp_path / "map", "tv = tvmonitor\nscreen = tvmonitor\nlion = cat\nfox = dig\n")
    table, findings = found(["tv", "cat", "screen", "fox", "tv"], Reading(box="xyxy", map_classes=path), objects)
    assert labels_of(table) == ["tvmonitor", "cat", "tvmonitor", "dig", "tvmonitor"]
    assert [(f.code, f.text) for f in findings] == [
        ("MAP001", "4 detections were renamed by the class map (fox = dig, screen = tvmonitor, tv = tvmonitor)"),
        ("MAP002", "1 class of the class map is not among the detections (lion)"),
        ("MAP003", "1 class that the class map names is not in the truth (dig; did you mean 'dog' by 'dig'?)"),
    ]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("cat = dog\ndog = cat", ["dog", "cat", "owl"]),
        ("cat = dog\ndog = owl\nowl = cat", ["dog", "owl", "cat"]),
        ("1 = dog", ["dog", "dog", "owl"]),  # by number, where no name fits
        ("cat = cat", ["cat", "dog", "owl"]),
        ("cat = bat", ["bat", "dog", "owl"]),
    ],
)
def test_a_map_over_the_truths_own_classes(tmp_path: Path, text: str, after: list[str]) -> None:
    objects = truth("cat", "dog", "owl")
    path = write(tmp_path / "map", text)
    assert labels_of(read_detections(results(1, 2, 3), Reading(map_classes=path), objects)[0]) == after


def test_repeated_names_stay_apart_under_a_map(tmp_path: Path) -> None:
    objects = truth("tumor", "cat", "tumor")
    path = write(tmp_path / "map", "cat = tumor")
    table, _ = read_detections(results(1, 2, 3), Reading(map_classes=path), objects)
    assert table.classes is objects.classes
    assert table.label.tolist() == [0, 0, 2]


@pytest.mark.parametrize(
    ("theirs", "ours", "pairs"),
    [
        (["aeroplane", "cat"], ["airplane", "cat"], [("aeroplane", "airplane")]),
        (["Dining-Table", "potted_plant"], ["diningtable", "pottedplant"],
         [("Dining-Table", "diningtable"), ("potted_plant", "pottedplant")]),
        (["Television", "Houseplant"], ["tvmonitor", "potted plant"],
         [("Television", "tvmonitor"), ("Houseplant", "potted plant")]),
        (["Kitchen & dining room table"], ["dining table"], [("Kitchen & dining room table", "dining table")]),
        (["TV"], ["tv", "Tv"], []),  # which one?
        (["sofa"], ["couch", "sofa"], []),
        (["Sofa", "couch"], ["sofa", "couch"], [("Sofa", "sofa")]),
        (["Couch", "sofa"], ["couch"], [("Couch", "couch"), ("sofa", "couch")][:1]),
        (["猫", "--"], ["狗", "__"], []),
    ],
)  # fmt: skip
def test_suggestions_by_hand(theirs: list[str], ours: list[str], pairs: Any) -> None:
    assert suggestions(theirs, ours) == pairs


WORDS = st.lists(
    st.sampled_from(["cat", "Cat", "tv", "TV-monitor", "sofa", "couch", "", "-", "a b", "a_b"]), max_size=8
)


@given(WORDS, WORDS)
def test_suggestions_never_touch_what_fits(theirs: list[str], ours: list[str]) -> None:
    for name, other in suggestions(theirs, ours):
        assert name in theirs
        assert name not in ours
        assert other in ours
        assert other not in theirs


def test_suggestions_change_nothing() -> None:
    table, findings = found(["tv", "cat"], Reading(box="xyxy"), truth("tvmonitor", "cat"))
    assert labels_of(table) == ["tv", "cat"]
    assert [(f.code, f.text) for f in findings] == [
        (
            "CLS004",
            "1 class name unlike the truth's may mean the same; nothing was changed. As lines of a file for "
            "--map-classes: tv = tvmonitor",
        )
    ]
