"""The command `doctor`, and the doctor at the end of `eval`: every faulty input that users are known to have."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boxscore.formats.io.writing import write
from doctor.scenes import good

Command = Callable[..., Any]
Rows = list[dict[str, Any]]


@pytest.fixture
def rows(folder: Path) -> Rows:
    """A good data set as COCO files, t.json and d.json; its detections as values."""
    truth, found = good(11, small=True)
    assert found is not None
    write(truth, folder / "t.json", "coco")
    write(found, folder / "d.json", "coco")
    values: Rows = json.loads((folder / "d.json").read_text())
    return values


def put(folder: Path, rows: object, name: str = "bad.json") -> None:
    (folder / name).write_text(json.dumps(rows))


def said(done: Any) -> list[str]:
    """The codes of all diagnoses of a JSON output."""
    return [one["code"] for one in json.loads(done.out)["diagnoses"]]


def test_nothing_is_found_in_good_files(boxscore: Command, rows: Rows) -> None:
    done = boxscore("doctor", "t.json", "d.json", "--strict")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("truth       t.json (coco): ")
    assert lines[1].startswith("detections  d.json (coco-results): ")
    assert " error" not in done.out
    assert " warning" not in done.out
    assert "boxscore doctor" not in boxscore("eval", "t.json", "d.json").err


SIDES: dict[int, list[float]] = {}


def corners(row: dict[str, Any]) -> dict[str, Any]:
    x, y, w, h = row["bbox"]
    return {"bbox": [x, y, x + w, y + h]}


def shares(row: dict[str, Any]) -> dict[str, Any]:
    return {"bbox": [value / side for value, side in zip(row["bbox"], SIDES[row["image_id"]] * 2, strict=True)]}


FAULTS: list[tuple[str, str, Callable[[dict[str, Any]], dict[str, Any]]]] = [
    ("classes from 0", "CLS101", lambda r: {"category_id": r["category_id"] - 1}),
    ("images too high", "IMG101", lambda r: {"image_id": r["image_id"] + 100_000}),
    ("corners", "BOX102", corners),
    ("shares", "BOX106", shares),
    ("scores of 1", "SCR102", lambda r: {"score": 1.0}),
    ("scores in percent", "SCR101", lambda r: {"score": 100 * r["score"]}),
]


@pytest.mark.parametrize(("code", "change"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_fault_is_named_and_fixed(
    boxscore: Command, folder: Path, rows: Rows, code: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    SIDES.update({i["id"]: [i["width"], i["height"]] for i in json.loads((folder / "t.json").read_text())["images"]})
    put(folder, [{**row, **change(row)} for row in rows])
    done = boxscore("doctor", "t.json", "bad.json", "--format", "json", "--fix", "mended.json")
    assert said(done)[0] == code
    grave = code[:3] != "SCR"  # an error, not a warning
    assert done.code == (1 if grave else 0)
    assert boxscore("doctor", "t.json", "bad.json", "--strict").code == (1 if grave else 4)
    looked = boxscore("eval", "t.json", "bad.json")
    if code[:3] != "SCR":  # those rank as before, or say nothing about the rest
        told = " ".join((looked.err if code == "IMG101" else looked.out).split())
        assert f"error {code}" in told
        assert "for the evidence and the fix: boxscore doctor t.json bad.json" in told
        assert looked.code == (3 if code == "IMG101" else 0)
    assert boxscore("eval", "t.json", "bad.json", "--strict").code == (3 if code == "IMG101" else 4)
    if code == "SCR102":
        return  # nobody knows the scores
    before, after = (boxscore("eval", "t.json", name, "--format", "json") for name in ("d.json", "mended.json"))
    # Shares times sizes are the old numbers but for their last bits; the rest is exact.
    assert _ap(after) == (pytest.approx(_ap(before), abs=1e-12) if code == "BOX106" else _ap(before))


def _ap(done: Any) -> float:
    value: float = json.loads(done.out)["results"][0]["metrics"]["AP"]
    return value


def test_an_option_reads_it_rightly(boxscore: Command, folder: Path, rows: Rows) -> None:
    put(folder, [{**row, **corners(row)} for row in rows])
    done = boxscore("doctor", "t.json", "bad.json")
    assert "    boxscore eval t.json bad.json --detections-box xyxy\n" in done.out
    assert boxscore("eval", "t.json", "bad.json", "--detections-box", "xyxy").err.count("doctor") == 0


def test_a_missing_score(boxscore: Command, folder: Path, rows: Rows) -> None:
    put(folder, [{key: row[key] for key in ("image_id", "category_id", "bbox")} for row in rows])
    done = boxscore("doctor", "t.json", "bad.json")
    assert done.code == 3
    assert "FIL102 error: file that cannot be read" in done.out
    assert "no 'score'" in " ".join(done.out.split()) or "score" in done.out


def test_text_ids_are_joined(boxscore: Command, folder: Path, rows: Rows) -> None:
    put(folder, [{**row, "image_id": str(row["image_id"])} for row in rows])
    done = boxscore("doctor", "t.json", "bad.json", "--strict")
    assert (done.code, "note        ID004" in done.out) == (0, True)


def test_600_of_one_class_in_an_image(boxscore: Command, folder: Path, rows: Rows) -> None:
    first = max(rows, key=lambda row: row["score"])
    more = [{**first, "bbox": [k % 60, k // 60, 50, 40], "score": 0.999 - k * 1e-5} for k in range(600)]
    put(folder, [*rows, *more])
    done = boxscore("doctor", "t.json", "bad.json", "--format", "json")
    (cap,) = [one for one in json.loads(done.out)["diagnoses"] if one["code"] == "CAP001"]
    assert cap["count"] >= 500
    assert cap["evidence"][0]["what"] == "AP without a limit"


def test_no_detections(boxscore: Command, folder: Path, rows: Rows) -> None:
    put(folder, [])
    assert boxscore("doctor", "t.json", "bad.json").code == 0
    done = boxscore("eval", "t.json", "bad.json")
    assert (done.code, "DET001" in done.out) == (0, True)


def test_truth_without_area_and_crowd(boxscore: Command, folder: Path, rows: Rows) -> None:
    truth = json.loads((folder / "t.json").read_text())
    for row in truth["annotations"]:
        row.pop("area", None), row.pop("iscrowd", None)
    put(folder, truth, "bare.json")
    assert boxscore("doctor", "bare.json", "d.json", "--strict").code == 0


def test_annotation_id_0(boxscore: Command, folder: Path, rows: Rows) -> None:
    truth = json.loads((folder / "t.json").read_text())
    for row in truth["annotations"]:
        row["id"] -= 1
    put(folder, truth, "zero.json")
    done = boxscore("doctor", "zero.json", "d.json", "--fix", "one.json")
    assert "ID001 warning: annotation id 0" in done.out
    assert "boxscore eval zero.json d.json --protocol coco-fixed" in done.out
    assert "written     one.json (coco): the truth without ID001" in done.err
    assert {row["id"] for row in json.loads((folder / "one.json").read_text())["annotations"]} == {
        *range(1, len(truth["annotations"]) + 1)
    }


def test_both_sides_get_a_path(boxscore: Command, folder: Path, rows: Rows) -> None:
    truth = json.loads((folder / "t.json").read_text())
    truth["annotations"][0]["id"] = 0
    put(folder, truth, "zero.json")
    put(folder, [{**row, "score": row["score"] * 100} for row in rows])
    done = boxscore("doctor", "zero.json", "bad.json", "--fix", "out.json")
    assert "written     out-truth.json (coco): the truth without ID001" in done.err
    assert "written     out-detections.json (coco): the detections without SCR101" in done.err
    assert not (folder / "out.json").exists()
    again = boxscore("doctor", "zero.json", "bad.json", "--fix", "out.json")
    assert again.code == 2
    assert "out-truth.json already exists" in again.err


def test_nothing_to_mend(boxscore: Command, folder: Path, rows: Rows) -> None:
    done = boxscore("doctor", "t.json", "d.json", "--fix", "out.json")
    assert "nothing to write" in done.err
    assert not (folder / "out.json").exists()


def test_images_of_the_training_set(boxscore: Command, folder: Path, rows: Rows) -> None:
    done = boxscore("doctor", "t.json", "d.json", "--train", "t.json", "--format", "json")
    (leak,) = [one for one in json.loads(done.out)["diagnoses"] if one["code"] == "IMG107"]
    assert leak["count"] == len(json.loads((folder / "t.json").read_text())["images"])


def test_truth_alone(boxscore: Command, rows: Rows) -> None:
    done = boxscore("doctor", "t.json")
    assert done.code == 0
    assert "detections" not in done.out.splitlines()[0]


def test_output_in_a_file(boxscore: Command, folder: Path, rows: Rows) -> None:
    done = boxscore("doctor", "t.json", "d.json", "-o", "report.json")
    assert (done.code, done.out) == (0, "")
    made = json.loads((folder / "report.json").read_text())
    assert made["schema"] == "boxscore/checkup/1"
    assert [side["side"] for side in made["inputs"]] == ["truth", "detections"]
    boxscore("doctor", "t.json", "d.json", "-o", "report.txt")
    assert (folder / "report.txt").read_text() == boxscore("doctor", "t.json", "d.json").out


def test_files_that_are_something_else(boxscore: Command, folder: Path) -> None:
    (folder / "page.json").write_text("<!DOCTYPE html><html></html>")
    done = boxscore("doctor", "page.json")
    assert done.code == 3
    assert "is a web page" in " ".join(done.out.split())
    assert "repair: download the file itself" in done.out


def test_a_code_is_explained(boxscore: Command) -> None:
    done = boxscore("rule", "BOX102")
    assert (done.code, done.out.splitlines()[0]) == (0, "BOX102 (diagnosis): corners read as width and height")


@pytest.mark.parametrize("form", ["coco", "yolo", "voc-xml"])
def test_a_list_of_results_stays_a_list(boxscore: Command, folder: Path, rows: Rows, form: str) -> None:
    """Whatever ids the truth has: names stand for those that it has not."""
    truth, _ = good(11, small=True)
    write(truth, folder / "truth", form)
    sizes = {key: [w, h] for key, w, h in zip(truth.images.key, truth.images.width, truth.images.height, strict=True)}
    put(folder, sizes, "sizes.json")
    options = ("--sizes", "sizes.json") if form == "yolo" else ()
    put(folder, [{**row, **corners(row)} for row in rows])
    done = boxscore("doctor", "truth", "bad.json", "--fix", "out.json", *options)
    assert "out.json (coco): the detections without BOX102" in done.err
    written = json.loads((folder / "out.json").read_text())
    assert isinstance(written, list)
    assert [[*row] for row in written] == [["image_id", "category_id", "bbox", "score"]] * len(rows)
    before = boxscore("eval", "t.json", "d.json", "--format", "json")
    after = boxscore("eval", "truth", "out.json", "--format", "json", *options)
    assert _ap(after) == _ap(before)


def test_an_unexplained_score_is_seen_by_every_command(boxscore: Command, folder: Path, rows: Rows) -> None:
    """Boxes of nothing, on so few images that they could be those of any."""
    few = sorted({row["image_id"] for row in rows})[:3]
    put(
        folder,
        [{**row, "bbox": [3 * i % 200, 7 * i % 150, 9, 9]} for i, row in enumerate(rows) if row["image_id"] in few],
    )
    truth = json.loads((folder / "t.json").read_text())
    for name, key in (("images", "id"), ("annotations", "image_id")):
        truth[name] = [row for row in truth[name] if row[key] in few]
    put(folder, truth, "few.json")
    done = boxscore("doctor", "few.json", "bad.json", "--fix", "out.json")
    text = " ".join(done.out.split())
    assert "LOW101 warning: score unexplained" in done.out
    assert "nothing that was tried explains it. Tried: other forms, " in text
    assert "repair: draw some images with both sides (`boxscore draw`)" in text
    assert "nothing that makes results wrong" not in text
    assert "nothing to write" in done.err
    assert boxscore("doctor", "few.json", "bad.json", "--strict").code == 4
    looked = boxscore("eval", "few.json", "bad.json")
    assert "LOW101" in looked.out
    assert boxscore("eval", "few.json", "bad.json", "--strict").code == 4


def test_a_refused_question_is_not_answered_with_another_format(boxscore: Command, folder: Path) -> None:
    """YOLO asks where the confidence is; as text the same lines would be read with the confidence first."""
    for name, line in (("t", "0 .1 .1 .1 .1\n"), ("d", "0 .5 .45 .3 .2 .4\n0 .4 .5 .2 .3 .5\n")):
        (folder / name).mkdir()
        (folder / name / "a.txt").write_text(line)
    done = boxscore("doctor", "t", "d")
    assert "--confidence first (darknet) or --confidence last" in " ".join(done.out.split())
    assert "--detections-format" not in done.out
    assert done.code == 3
