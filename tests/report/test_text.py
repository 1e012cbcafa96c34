"""Tables as people see them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

import boxscore as bs
from boxscore import Result
from boxscore.evaluation.ledger import Account, Entry
from boxscore.evaluation.result import Side
from boxscore.protocols import variant
from boxscore.report.blocks import protocol_heading
from boxscore.report.json import dumps
from boxscore.report.table import Page, Row, Table
from boxscore.report.text import as_rich, as_text, page_text
from boxscore.report.words import elided, fill, labels, number, printable, width, wrapped

Make = Callable[..., Result]

ONE = """\
Truth       truth (arrays): 3 images, 3 objects
Detections  detections (arrays): 3 detections on 2 images

Summary    coco
AP       0.4545
AP50     0.5050
AP75     0.5050
APm      0.0000
APl      0.9000
AR1      0.4500
AR10     0.4500
AR100    0.4500
ARm      0.0000
ARl      0.9000
APs, ARs  n/a (no small objects)
signature  coco#SIGNED (boxscore VERSION)

3 objects: 2 evaluated, 1 ignored (crowd)
3 detections: 2 evaluated, 1 ignored (its class has no objects, so it has no AP)

Classes  objects  detections       P       R      F1    AP50      AP    AP75   AR100
cat            2           2  1.0000  0.5000  0.6667  0.5050  0.4545  0.5050  0.4500
dog            0           0     n/a     n/a     n/a     n/a     n/a     n/a     n/a
horse          0           1     n/a     n/a     n/a     n/a     n/a     n/a     n/a
P, R, F1 at score >= 0.9, the best F1 over all classes at IoU 0.5
"""
LEDGER = """
Ledger                                                  coco
Images in truth                                            3
Images in detections                                       2
  in both                                                  2
  only in truth                                            1
  only in detections                                       0
Objects read                                               3
  = evaluated                                              2
  + ignored: crowd                                         1
Detections read                                            3
  = evaluated                                              2
  + ignored: its class has no objects, so it has no AP     1

Classes"""


def test_one_result(result: Make) -> None:
    r = result()
    expected = ONE.replace("SIGNED", r.protocol.digest()).replace("VERSION", bs.__version__)
    assert as_text([r]) == expected
    assert repr(r) == expected


def test_the_whole_ledger_on_request(result: Make) -> None:
    text = as_text([result()], ledger=True)
    assert LEDGER in text
    assert "3 objects:" not in text


def test_twelve_models_need_no_twelve_lines_before_the_number(result: Make) -> None:
    results = [
        replace(
            result(),
            detections=Side(f"{k}.json", "coco-results", f"model {k}"),
            ledger=replace(result().ledger, detections=Account("detections", 3 + k, (Entry("evaluated", "", 3 + k),))),
        )
        for k in range(12)
    ]
    lines = as_text(results, 80).splitlines()
    assert lines[1] == "Detections  12 sets (coco-results): 3 to 14 detections on 2 images"
    assert "3 to 14 detections: 3 to 14 evaluated (--ledger shows each)" in lines
    assert "13 to 14 detections: 13 to 14 evaluated (--ledger shows each)" in as_text(results[-2:], 80).splitlines()


def test_as_many_classes_as_the_screen_has_room_for(many: Make) -> None:
    r = many(20, "coco")
    whole = len(as_text([r], 80).splitlines())
    assert as_text([r], 80, lines=whole).count("\nclass ") == 20
    lying = as_text([r], 80, lines=whole - 1)
    assert lying.count("\nclass ") == 20
    assert len(lying.splitlines()) < whole
    for classes in (10, 6):
        less = as_text([r], 80, lines=len(lying.splitlines()) - 1)
        assert less.count("\nclass ") == classes
        assert len(less.splitlines()) < len(lying.splitlines())
        lying = less
    assert as_text([r], 80, lines=10).count("\nclass ") == 4
    assert as_text([r], 80, all_classes=True, lines=10).count("\nclass ") == 20


LYING = """\
Summary      AP    AP50    AP75     APm     APl
coco     0.4545  0.5050  0.5050  0.0000  0.9000

Summary     AR1    AR10   AR100     ARm     ARl
coco     0.4500  0.4500  0.4500  0.0000  0.9000
APs, ARs  n/a (no small objects)
"""


def test_the_number_stays_on_a_small_screen(result: Make) -> None:
    text = as_text([result()], 80, lines=22)
    assert LYING in text
    assert len(text.splitlines()) <= 22


def test_many_models_are_rows_of_the_classes_too(result: Make) -> None:
    results = [replace(result(), detections=Side(f"{k}", "", f"a model with a long name {k}")) for k in range(5)]
    lines = as_text(results, 80).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("Classes: AP"))
    assert lines[first].split() == ["Classes:", "AP", "cat", "dog", "horse"]
    assert lines[first + 1].split() == ["objects", "2", "0", "0"]
    assert [line.split()[-3:] for line in lines[first + 2 :]] == [["0.4545", "n/a", "n/a"]] * 5


def test_a_row_without_a_number_is_not_in_a_piece(result: Make) -> None:
    results = [
        replace(result(p), detections=Side(name, "", name))
        for p in ("coco", "voc2012")
        for name in ("a model with a long name", "another model with a long name")
    ]
    lines = as_text(results, 80).splitlines()
    rows = [line for line in lines if line.startswith(("coco a", "voc2012 a"))]
    assert all(re.search(r"(\d|n/a)$", line) for line in rows)
    assert sum(line.startswith("voc2012 a model") for line in rows) == 2  # the mAP, and classes


def test_a_column_is_not_left_alone() -> None:
    heads = tuple(f"AP{k}" for k in range(12))
    table = Table("Summary", (heads,), (Row("a label", ("0.1234",) * 12),))
    widest = [line for line in page_text(Page((), table), 102).splitlines() if line.startswith("Summary")]
    assert [len(line.split()) - 1 for line in widest] == [6, 6]


def test_rates_that_no_class_has_are_a_note(result: Make) -> None:
    text = as_text([result("imagenet-loc")])
    assert "P, R, F1 without a threshold: several detections may match one object" in text
    assert next(line for line in text.splitlines() if line.startswith("Classes")).split() == [
        "Classes", "objects", "detections",
    ]  # fmt: skip


def test_columns_of_classes_that_do_not_fit_are_named(result: Make) -> None:
    text = as_text([result()], 72)
    assert "\nNot shown, as the terminal is too narrow: AP75, AR100\n" in text
    assert "AR100" not in as_text([result()], 72)[text.index("Classes") : text.index("Not shown")]


def test_protocols_and_detections_side_by_side(result: Make) -> None:
    loose = variant(bs.protocols.get("coco"), iou="0.3")
    results = [
        replace(result(p), detections=Side(f"runs/{name}/found.json", "coco-results", f"runs/{name}/found.json"))
        for p in ("toolkit-coco", "voc2012", loose)
        for name in ("a", "b")
    ]
    lines = as_text(results, 120).splitlines()
    assert lines[2] == "Detections  runs/b/found.json (coco-results): 3 detections on 2 images"
    heads = [line.split() for line in lines[4:7]]
    assert heads == [
        ["coco", "coco"],
        ["toolkit-coco", "toolkit-coco", "voc2012", "voc2012", "iou=0.3", "iou=0.3"],
        ["Summary", "a", "b", "a", "b", "a", "b"],
    ]
    assert [line.split()[1:] for line in lines if line.startswith("mAP")] == [["0.2500", "0.2500"]]
    assert [line.split()[1:] for line in lines if line.startswith("AR10 ")] == [
        ["0.2250", "0.2250", "0.5000", "0.5000"]
    ]


def test_a_reason_stands_beside_the_cells_it_is_about(result: Make) -> None:
    loose = variant(bs.protocols.get("coco"), iou="0.3")
    lines = as_text([result(), result(loose)]).splitlines()
    assert "AP50     0.5050      n/a (IoU 0.5 is not among the protocol's thresholds (0.3))" in lines
    assert "APs, ARs  n/a (no small objects)" in lines


@pytest.mark.parametrize("columns", [40, 60, 80, 100])
def test_tables_keep_to_the_width(result: Make, columns: int) -> None:
    several = [result(p) for p in bs.protocols.names()]
    for line in as_text(several, columns).splitlines():
        assert len(line) <= columns


def test_a_table_that_is_too_wide_goes_on_below(result: Make) -> None:
    text = as_text([result(p) for p in bs.protocols.names()], 80, ledger=True)
    heads = [line.split()[1:] for line in text.splitlines() if line.startswith("Ledger")]
    assert len(heads) > 1
    assert [name for head in heads for name in head] == [protocol_heading(p)[-1] for p in bs.protocols.names()]


def test_many_results_are_rows_where_that_takes_fewer_lines(result: Make) -> None:
    lines = as_text([result(p) for p in bs.protocols.names()], 80).splitlines()
    first = next(line for line in lines if line.startswith("Summary"))
    assert first.split()[1:4] == ["AP", "AP50", "AP75"]
    assert next(line for line in lines if line.startswith("coco ")).split()[1:4] == ["0.4545", "0.5050", "0.5050"]


def test_the_rows_of_the_ledger_add_up(result: Make) -> None:
    text = as_text([result("coco"), result("voc2012")], ledger=True)
    total = [0, 0]
    parts = [0, 0]
    for line in text[text.index("Objects read") : text.index("\n\nClasses")].splitlines():
        counts = [int(word.replace(",", "")) for word in line.split()[-2:]]
        if line.startswith("  "):
            sign = -1 if line.startswith("  -") else 1
            parts = [a + sign * b for a, b in zip(parts, counts, strict=True)]
        else:
            assert parts == total
            total, parts = counts, [0, 0]
    assert parts == total


def test_objects_added_by_the_official_code_are_subtracted() -> None:
    truth = {
        "image": [1, 1, 1], "labels": [0, 0, 0], "id": [7, 7, 8],
        "boxes": [[0, 0, 50, 50], [60, 60, 50, 50], [200, 0, 50, 50]],
    }  # fmt: skip
    found = {"image": [1], "labels": [0], "boxes": [[0, 0, 50, 50]], "scores": [0.9]}
    lines = as_text([bs.evaluate(truth, found, box="xywh", classes=["a|b"])], ledger=True).splitlines()
    start = lines.index(next(line for line in lines if line.startswith("Objects read")))
    assert [line.split()[-1] for line in lines[start : start + 4]] == ["3", "3", "1", "1"]
    assert lines[start + 2].startswith("  + dropped: a later object has its annotation id")
    assert lines[start + 3].startswith("  - added: copies of that later object")
    assert any(line.startswith("warning  ID002") for line in lines)


def test_few_classes_are_all_shown(many: Make) -> None:
    text = as_text([many(20)])
    assert text.count("class ") == 20
    assert "--all-classes" not in text


def test_of_many_classes_the_worst_and_the_best(many: Make) -> None:
    r = many(1200)
    text = as_text([r])
    shown = [line.split()[1] for line in text.splitlines() if line.startswith("class ")]
    assert shown == ["1198", "1197", "1196", "1195", "1194", "4", "3", "2", "1", "0"]
    assert "\n...\n" in text
    assert "The 5 worst and 5 best of 1,200 classes by AP; 120 have no AP. All: --all-classes" in text
    assert len(text.splitlines()) < 50
    assert as_text([r], all_classes=True).count("class ") == 1200
    assert "1,199" in as_text([r], all_classes=True)


def test_many_classes_without_any_number(many: Make) -> None:
    r = many(30)
    rows = tuple(replace(c, metrics={"AP": float("nan")}) for c in r.per_class)
    text = as_text([replace(r, per_class=rows)])
    assert "\nClasses" not in text
    assert "0 of 30 classes; 30 have no AP." in text


def test_classes_of_one_name_are_told_apart(result: Make) -> None:
    r = result()
    rows = (replace(r.per_class[0], name="x", id=1), replace(r.per_class[1], name="x", id=2))
    text = as_text([replace(r, per_class=rows)])
    assert "\nx (1) " in text
    assert "\nx (2) " in text


def test_names_cannot_break_the_table(result: Make) -> None:
    text = as_text([result(names=("a\nb", "\x1b[31mred", "猫と犬"))])
    assert "\\x1b[31mred" in text
    assert "\x1b" not in text
    assert "a\\nb" in text
    rows = [line for line in text.splitlines() if line.startswith(("a\\nb", "猫"))]
    assert len({width(line) for line in rows}) == 1


def test_findings_once_and_warnings_first(result: Make) -> None:
    truth = [{"boxes": [[0, 0, 9, 9]], "labels": [0]}]
    none = bs.evaluate(truth, [], box="xyxy", classes=["cat"])
    text = as_text([none])
    assert "\n\nwarning  DET001  there are no detections, so nothing is found (boxscore rule DET001)\n" in text
    assert "DET001" not in as_text([result()])


def test_colours_change_no_character(result: Make) -> None:
    plain, painted = as_text([result()]), as_rich([result()]).plain
    assert [line.rstrip() for line in painted.splitlines()] == plain.splitlines()
    assert {str(span.style) for span in as_rich([result()]).spans} == {"bold", "dim"}


def test_without_results() -> None:
    with pytest.raises(ValueError, match="no results to report"):
        as_text([])


def test_words() -> None:
    assert [number(v) for v in (0.12345, 1.0, 1234567, float("nan"))] == ["0.1235", "1.0000", "1,234,567", "n/a"]
    assert printable("é\t\x00") == "é\\t\\x00"
    assert elided("x" * 40, 9) == "xxx...xxx"
    assert elided("short", 9) == "short"
    assert fill("猫", 4) == "猫  "
    assert fill("e\u0301", 3, right=True) == "  e\u0301"
    assert wrapped("", 5) == [""]
    assert wrapped("abcdefgh ij", 3) == ["abc", "def", "gh", "ij"]
    assert wrapped("猫猫猫", 4) == ["猫猫", "猫"]


def test_names_that_look_the_same_are_told_apart(result: Make) -> None:
    pairs = (("caf\xe9", "cafe\u0301"), ("traffic light", "traffic  light"), ("cat", "cat "), ("a b", "a\xa0b"))
    for one, other in pairs:
        shown = labels([one, other, "horse"])
        assert shown["horse"] == "horse"
        assert shown[one] != shown[other]
        assert all(shown[name].isascii() for name in (one, other))
        text = as_text([result(names=(one, other, "horse"))])
        assert shown[one] in text
        assert shown[other] in text
    assert labels(["caf\xe9", "cat"]) == {"caf\xe9": "caf\xe9", "cat": "cat"}  # alone it stays as it is
    assert labels(["zero\u200bwidth"]) == {"zero\u200bwidth": "zero\\u200bwidth"}


def test_long_names_are_shortened_and_stay_different(result: Make) -> None:
    start, end = "x" * 16_000, "y" * 16_000
    names = (f"{start}1{end}", f"{start}2{end}", "\u732b" * 32_000)
    shown = labels(names)
    assert len({*shown.values()}) == 3
    assert max(map(len, shown.values())) < 130
    made = result(names=names)
    text = as_text([made])
    assert all(width(line) <= 100 for line in text.splitlines())
    assert len(text) < 10_000
    assert [row["name"] for row in json.loads(dumps([made]))["results"][0]["classes"]] == list(names)


def test_wrapping_goes_through_a_long_word_once() -> None:
    assert wrapped("ab \u732b\u732b\u732b c", 4) == ["ab", "\u732b\u732b", "\u732b c"]
    assert wrapped("\u732b\u732b", 1) == ["\u732b", "\u732b"]
    pieces = wrapped("\u732b" * 200_000, 80)  # takes hours if each piece is looked for in all that is left
    assert "".join(pieces) == "\u732b" * 200_000
    assert {len(piece) for piece in pieces} == {40}
