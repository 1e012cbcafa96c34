"""The 2021 toolkit and its predecessor on the files that they ship: what they compute, and what they published."""

from __future__ import annotations

import json
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boxscore import Result, evaluate, protocols

SHORT = {"small": "s", "medium": "m", "large": "l"}
POINTS = {"toolkit-voc": "all_point", "toolkit-voc11": "11_point"}
REVIEW, PREDECESSOR = "data/padilla_review", "data/padilla_odm"


@pytest.fixture(scope="module")
def stored(data: Path) -> dict[str, Any]:
    """What the two programs gave, by the beginning of each entry's name."""
    entries = json.loads((data / "reference" / "toolkit_2021.json").read_text())
    return {name.split(" (")[0].split(",")[0]: entry for name, entry in entries.items()}


@pytest.fixture(scope="module")
def files(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped files, unpacked."""
    folder = tmp_path_factory.mktemp("toolkit")
    for archive in ("tests_data", "toyexample", "database_gts_dets"):
        unpack(data / REVIEW / f"{archive}.tar.gz", folder)
    unpack(data / PREDECESSOR / "samples_and_gt_det.tar.gz", folder / "odm")
    return folder


def unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as packed:
        members = [m for m in packed.getmembers() if m.isfile()]
        packed.extractall(folder, members, filter="data")


def check_coco(result: Result, expected: dict[str, float | None], exact: bool = True) -> None:
    for name, value in expected.items():
        for word, letter in SHORT.items():
            name = name.replace(word, letter)
        made = result[name]
        if value is None:
            assert made != made, name
        elif exact:
            assert made == value, name
        else:  # the last bit of a mean depends on the order of classes: the toolkit's is that of its first boxes
            assert made == pytest.approx(value, abs=1e-12, rel=0), name


def check_voc(made: dict[str, Result], seed: dict[str, Any], ious: tuple[float, ...], exact: bool = True) -> None:
    """`made` by protocol; APs and counts of every class, and their mean."""
    for name, result in made.items():
        for iou in ious:
            row = seed[f"iou={iou} {POINTS[name]}"]
            mean = row["mAP"] if exact else pytest.approx(row["mAP"], abs=1e-12, rel=0)  # as above
            assert result[f"mAP[iou={iou}]"] == mean, (name, iou)
            for label, ap in row["AP_per_class"].items():
                assert result[f"AP[iou={iou},class={label}]"] == ap, (name, iou, label)
            for label, counts in seed.get(f"iou={iou} counts", {}).items():
                tp, fp, fn = (result[f"{c}[iou={iou},class={label}]"] for c in ("TP", "FP", "FN"))
                assert (tp, fp, tp + fn) == (counts["TP"], counts["FP"], counts["npos"])


def vocs(ious: tuple[float, ...], truth: Path, detections: Path, **reading: Any) -> dict[str, Result]:
    return {
        name: evaluate(truth, detections, protocol=replace(protocols.get(name), iou=ious), **reading) for name in POINTS
    }


def test_sample_2(stored: dict[str, Any], files: Path) -> None:
    expected, ious = stored["rod:tests/test_case_1"], (0.1, 0.3, 0.5, 0.75)
    sides = files / "tests/test_case_1/gts", files / "tests/test_case_1/dets"
    made = vocs(ious, *sides, box="xywh")
    check_voc(made, expected["voc_seed"], ious)
    check_coco(evaluate(*sides, box="xywh", protocol="toolkit-coco"), expected["coco_seed"])
    check_coco(evaluate(*sides, box="xywh"), expected["pycocotools (same boxes, area=w*h, ids from 1)"])
    drawn = made["toolkit-voc"].curve("object", iou=0.3)
    assert drawn.precision.tolist() == [row["precision"] for row in expected["voc_table_iou0.3"]]
    assert drawn.recall.tolist() == [row["recall"] for row in expected["voc_table_iou0.3"]]


@pytest.mark.parametrize(
    ("kind", "reading"), [("", {"box": "xywh"}), ("_rel", {"coords": "relative", "image_size": (200, 200)})]
)
def test_predecessor(files: Path, stored: dict[str, Any], kind: str, reading: dict[str, Any]) -> None:
    sides = files / "odm" / f"groundtruths{kind}", files / "odm" / f"detections{kind}"
    result = vocs((0.3, 0.5), *sides, **reading)["toolkit-voc"]
    published = stored["odm:groundtruths + odm:detections"]
    assert f"{result['AP[iou=0.3,class=person]']:.2%}" == published["-t 0.3"]["AP person"]
    assert f"{result['mAP[iou=0.5]']:.2%}" == published["default -t 0.5"]["mAP"]


TOY_DETECTIONS: dict[str, dict[str, Any]] = {
    "dets_classname_abs_xywh": {"detections_box": "xywh"},
    "dets_classname_abs_xyx2y2": {"detections_box": "xyxy"},
    "dets_classid_abs_xywh": {"detections_box": "xywh", "names": True},
    "dets_classid_abs_xyx2y2": {"detections_box": "xyxy", "names": True},
    "dets_coco_format/coco_dets.json": {},
}
# Relative boxes are not among these, nor among those of the database: the toolkit rounds them to whole pixels and gets
# other overlaps; boxscore never rounds. The predecessor's relative files hold whole pixels.


@pytest.mark.parametrize("form", TOY_DETECTIONS)
def test_toy_example_of_the_paper(stored: dict[str, Any], files: Path, form: str) -> None:
    expected, reading = stored["rod:toyexample"], dict(TOY_DETECTIONS[form])
    folder = files / "toyexample"
    if reading.pop("names", False):
        reading["classes"] = (folder / "voc.names").read_text().split()
    sides = folder / "gts_coco_format" / "toy_example_coco.JSON", folder / form
    check_coco(evaluate(*sides, protocol="toolkit-coco", **reading), expected["coco_seed"])
    as_shipped = "pycocotools on the shipped JSON as is (gt annotation id 0 => id-0 bug)"
    check_coco(evaluate(*sides, protocol="coco", **reading), expected[as_shipped])
    ids_from_one = replace(protocols.get("coco"), id_zero="ordinary")
    check_coco(evaluate(*sides, protocol=ids_from_one, **reading), expected["pycocotools (ids from 1)"])
    made = vocs((0.5, 0.75), *sides, **reading)
    check_voc(made, expected["voc_seed"], (0.5, 0.75))
    for iou in (0.5, 0.75):
        for name, points in POINTS.items():
            assert f"{made[name][f'mAP[iou={iou}]']:.2%}" == expected["published"][f"iou={iou} {points}"]


@pytest.mark.parametrize("truth", ["coco_format_v1/instances_default.json", "coco_format_v2/instances_v2.json"])
@pytest.mark.parametrize(
    ("form", "reading"),
    [
        ("abs_xywh", {"detections_box": "xywh"}),
        ("abs_xyx2y2", {"detections_box": "xyxy"}),
        ("coco_format/coco_dets.json", {}),
    ],
)
def test_database_of_100_images(
    stored: dict[str, Any], files: Path, truth: str, form: str, reading: dict[str, Any]
) -> None:
    expected, folder = stored["rod:data/database"], files / "data" / "database"
    if "coco" not in form:
        reading = reading | {"classes": (folder / "voc.names").read_text().split()}
    sides = folder / "gts" / truth, folder / "dets" / form
    check_voc(vocs((0.5, 0.75), *sides, **reading), expected["voc_seed"], (0.5, 0.75), exact=False)
    result = evaluate(*sides, protocol="toolkit-coco", **reading)
    check_coco(result, expected["coco_seed"], exact=False)
    for label, row in expected["coco_seed_per_class_iou0.5"].items():
        assert result[f"AP[iou=0.5,class={label}]"] == row["AP"]
        assert (result[f"TP[class={label}]"], result[f"FP[class={label}]"]) == (row["TP"], row["FP"])


def test_hundred_images_of_coco(stored: dict[str, Any], files: Path, pycocotools: Any) -> None:
    expected, folder = stored["rod:tests/test_coco_eval"], files / "tests" / "test_coco_eval"
    truth, found = folder / "gts" / "sampled_gts_bbox_area.json", folder / "dets" / "sampled_bbox_results.json"
    result = evaluate(truth, found, protocol="toolkit-coco")
    check_coco(result, expected["coco_seed"], exact=False)
    for name, value in expected["expected_in_rod_tests_test_eval_coco"].items():
        assert round(result[name[:3] if name[2:].isalpha() else name], 6) == value  # APsmall is APs here
    official = evaluate(truth, folder / "cocoapi_results.json", protocol="coco")
    pycocotools(*(json.loads(p.read_text()) for p in (truth, folder / "cocoapi_results.json"))).check(official)
    # NumPy 1.23, which the stored values were made with, adds up a mean in another order than later ones.
    check_coco(official, expected["pycocotools (gts + cocoapi_results.json)"], exact=False)
    check_voc(
        vocs((0.5,), truth, found), {k: v for k, v in expected["voc_seed"].items() if "0.5" in k}, (0.5,), exact=False
    )


def test_synthetic_cases(stored: dict[str, Any], tmp_path: Path) -> None:
    sides = tmp_path / "truth.json", tmp_path / "results.json"
    for name, case in stored["synthetic COCO cases"].items():
        for path, side in zip(sides, ("gt", "det"), strict=True):
            path.write_text(json.dumps(case["input"][side]))
        check_coco(evaluate(*sides, protocol="toolkit-coco"), case["seed"])
        check_coco(evaluate(*sides, protocol="coco"), case["pycocotools"])
        assert evaluate(*sides, protocol="toolkit-voc")["mAP"] == case["voc_seed_iou0.5_all"], name


def test_levels_that_sit_one_last_bit_too_high(stored: dict[str, Any], files: Path) -> None:
    quirk = stored["11-point float quirk: seed"]
    sides = files / "tests/test_case_1/gts", files / "tests/test_case_1/dets"
    ious = (0.1, 0.3, 0.5, 0.75)
    for grid, key in (("float", "seed"), ("exact", "exact")):
        protocol = replace(protocols.get("toolkit-voc11"), iou=ious, recall_grid=grid)
        result = evaluate(*sides, box="xywh", protocol=protocol)
        for iou in ious:
            assert result[f"mAP[iou={iou}]"] == quirk[f"test_case_1 iou={iou}"][key]
