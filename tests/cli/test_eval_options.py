"""What each option of `boxscore eval` does."""

from __future__ import annotations

import gzip
import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Evaluate = Callable[..., Any]
Results = Callable[..., list[dict[str, Any]]]


def test_table_by_default_on_standard_output(evaluated: Evaluate) -> None:
    done = evaluated()
    assert done.code == 0
    assert done.out.startswith(
        "Truth       truth.json (coco): 3 images, 4 objects\n"
        "Detections  found.json (coco-results): 3 detections on 2 images\n\nSummary"
    )
    assert "AP       0.7025\n" in done.out
    assert "APs, ARs  n/a (no small objects)" in done.out
    assert "\n4 objects: " in done.out
    assert "signature  coco#" in done.out
    assert "nan" not in done.out
    assert "-1" not in done.out


def test_status_on_standard_error(evaluated: Evaluate) -> None:
    assert evaluated().err == ""  # the table says it
    assert evaluated("--format", "csv").err == (
        "truth       truth.json (coco): 3 images, 4 objects\n"
        "detections  found.json (coco-results): 3 detections on 2 images\n"
    )


@pytest.mark.parametrize("option", ["--quiet", "-q"])
def test_quiet(evaluated: Evaluate, option: str) -> None:
    done = evaluated(option)
    assert done.err == ""
    assert "AP50" in done.out


def test_protocol_is_coco_unless_named(as_json: Results) -> None:
    assert [r["protocol"] for r in as_json()] == ["coco"]
    assert [r["protocol"] for r in as_json("--protocol", "voc2012")] == ["voc2012"]


def test_a_group_is_its_protocols_and_each_comes_once(as_json: Results) -> None:
    results = as_json("--protocol", "toolkit", "--protocol", "toolkit-voc", "--protocol", "coco")
    assert [r["protocol"] for r in results] == ["toolkit-coco", "toolkit-voc", "coco"]


def test_an_empty_list_of_limits_is_no_limit(as_json: Results) -> None:
    (result,) = as_json("--set", "max_detections=")
    assert result["protocol"] == "coco[max_detections=none]"
    assert "|max_detections:none|" in result["signature_full"]
    assert as_json("--max-detections", "") == as_json("--protocol", "coco[max_detections=]") == [result]


def test_set_makes_a_variant(as_json: Results) -> None:
    (result,) = as_json("--set", "iou=0.5:0.7:0.1", "--set", "recall_levels=51")
    assert result["protocol"] == "coco[iou=0.5:0.7:0.1,recall_levels=51]"
    assert "|iou:0.5,0.6,0.7|" in result["signature_full"]
    assert "|recall_levels:51|" in result["signature_full"]


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (["--iou", "0.3"], ["--set", "iou=0.3"]),
        (["--max-detections", "1,10,100"], ["--set", "max_detections=1,10,100"]),
    ],
)
def test_shorthands_are_settings(as_json: Results, short: list[str], long: list[str]) -> None:
    assert as_json(*short) == as_json(*long)


def test_score_adds_the_operating_point(as_json: Results) -> None:
    (result,) = as_json("--score", "0.5")
    at = {k: v for k, v in result["metrics"].items() if k.endswith("[score=0.5]")}
    assert list(at) == [f"{name}[score=0.5]" for name in ("TP", "FP", "FN", "precision", "recall", "F1")]
    assert list(at.values()) == [2, 0, 1, 1.0, 2 / 3, 0.8]


def test_score_in_the_table(evaluated: Evaluate) -> None:
    table = evaluated("--score", "0.5").out
    assert "TP[score=0.5]              2\n" in table
    assert "precision[score=0.5]  1.0000\n" in table


def test_metric_repeats(as_json: Results) -> None:
    (result,) = as_json("--metric", "AP[iou=0.5,class=cat]", "--metric", "recall", "--metric", "AP50[class=dog]")
    assert list(result["metrics"])[-3:] == ["AP[iou=0.5,class=cat]", "recall", "AP50[class=dog]"]
    assert result["metrics"]["AP50[class=dog]"] == pytest.approx(1, abs=1e-12)


def test_a_metric_that_the_protocol_does_not_evaluate_is_null_with_a_reason(as_json: Results) -> None:
    (result,) = as_json("--metric", "AP[iou=0.33]")
    assert result["metrics"]["AP[iou=0.33]"] is None
    assert "IoU 0.33 is not among" in result["reasons"]["AP[iou=0.33]"]


def test_several_protocols_and_detection_sets(boxscore: Evaluate, folder: Path) -> None:
    (folder / "none.json").write_text("[]")
    arguments = ("eval", "truth.json", "found.json", "none.json", "--protocol", "coco", "--protocol", "voc2012")
    results = json.loads(boxscore(*arguments, "--format", "json").out)["results"]
    assert [(r["protocol"], r["detections"]["name"]) for r in results] == [
        ("coco", "found.json"),
        ("coco", "none.json"),
        ("voc2012", "found.json"),
        ("voc2012", "none.json"),
    ]
    assert [r["metrics"].get("AP", r["metrics"].get("mAP")) > 0 for r in results] == [True, False, True, False]
    table = boxscore(*arguments).out
    assert "coco  coco  voc2012  voc2012" in "  ".join(table.split())
    assert table.count("DET001") == 2  # the code and the command that explains it, once for both protocols
    assert "none: there are no detections" in table


def test_several_sets_are_the_single_ones_side_by_side(boxscore: Evaluate, folder: Path, as_json: Results) -> None:
    (folder / "none.json").write_text("[]")
    both = json.loads(boxscore("eval", "truth.json", "none.json", "found.json", "--format", "json").out)["results"]
    assert both[1:] == as_json()


def test_standard_input_for_either_side(
    boxscore: Evaluate, folder: Path, as_json: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    for side, arguments in (("truth", ("-", "found.json")), ("detections", ("truth.json", "-"))):
        name = "truth.json" if side == "truth" else "found.json"
        with (folder / name).open() as stream:
            monkeypatch.setattr("sys.stdin", stream)
            done = boxscore("eval", *arguments, "--format", "json")
        (result,) = json.loads(done.out)["results"]
        assert result["metrics"] == as_json()[0]["metrics"]
        assert result[side]["path"] == "standard input"


def test_gzip(boxscore: Evaluate, folder: Path, as_json: Results) -> None:
    (folder / "found.json.gz").write_bytes(gzip.compress((folder / "found.json").read_bytes()))
    done = boxscore("eval", "truth.json", "found.json.gz", "--format", "json")
    assert json.loads(done.out)["results"][0]["metrics"] == as_json()[0]["metrics"]


def test_threads_change_nothing(evaluated: Evaluate) -> None:
    assert evaluated("--threads", "1").out == evaluated("--threads", "3").out == evaluated().out


def test_all_classes(boxscore: Evaluate, folder: Path) -> None:
    truth = json.loads((folder / "truth.json").read_text())
    truth["categories"] = [{"id": k, "name": f"class {k}"} for k in range(1, 41)]
    truth["annotations"] = [
        {"id": k, "image_id": 1, "category_id": k, "bbox": [k, k, 40, 40], "area": 1600} for k in range(1, 39)
    ]
    (folder / "many.json").write_text(json.dumps(truth))
    few = boxscore("eval", "many.json", "found.json").out
    every = boxscore("eval", "many.json", "found.json", "--all-classes").out
    assert few.count("class ") == 10
    assert "The 5 worst and 5 best of 40 classes by AP; 2 have no AP. All: --all-classes, in Python .per_class" in few
    assert every.count("class ") == 40
    assert every.index("class 1 ") < every.index("class 2 ") < every.index("class 40 ")


def test_formats(evaluated: Evaluate) -> None:
    assert evaluated("--format", "table").out == evaluated().out
    assert json.loads(evaluated("--format", "json").out)["schema"] == "boxscore/result/1"
    assert evaluated("--format", "csv").out.startswith(
        "protocol,signature,truth,detections,class,metric,value,reason\n"
    )
    assert "| AP | 0.7025 |" in evaluated("--format", "md").out


def test_csv_puts_findings_on_standard_error(boxscore: Evaluate, folder: Path) -> None:
    (folder / "none.json").write_text("[]")
    done = boxscore("eval", "truth.json", "none.json", "--format", "csv")
    assert "warning     DET001: there are no detections, so nothing is found\n" in done.err
    quiet = boxscore("eval", "truth.json", "none.json", "--format", "csv", "-q").err
    assert quiet.startswith("warning     DET001: ")  # --quiet silences status, never a finding


def test_json_is_the_same_bytes_every_time(evaluated: Evaluate) -> None:
    arguments = ("--format", "json", "--protocol", "coco", "--protocol", "toolkit", "--score", "0.3")
    assert evaluated(*arguments).out == evaluated(*arguments).out


@pytest.mark.parametrize(
    ("name", "start"), [("r.json", "{"), ("r.csv", "protocol,"), ("r.md", "- Truth"), ("r.txt", "Truth  ")]
)
def test_output_file_takes_its_format_from_its_ending(evaluated: Evaluate, folder: Path, name: str, start: str) -> None:
    done = evaluated("-o", name)
    assert done.code == 0
    assert done.out == ""
    assert done.err.endswith(f"written     {name}\n")
    assert (folder / name).read_text().startswith(start)
    assert not [p for p in folder.iterdir() if p.name.startswith(".")]


def test_output_file_with_a_stated_format_is_what_standard_output_gets(evaluated: Evaluate, folder: Path) -> None:
    evaluated("--format", "json", "--output", "r.txt")
    assert (folder / "r.txt").read_text() == evaluated("--format", "json").out


def test_output_file_is_replaced_whole_and_keeps_its_mode(evaluated: Evaluate, folder: Path) -> None:
    (folder / "r.json").write_text("old")
    (folder / "r.json").chmod(0o640)
    (folder / "link.json").symlink_to("r.json")
    assert evaluated("-o", "link.json").code == 0
    assert (folder / "link.json").is_symlink()
    assert json.loads((folder / "r.json").read_text())["schema"] == "boxscore/result/1"
    assert (folder / "r.json").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_output_to_a_device_does_not_replace_it(evaluated: Evaluate) -> None:
    assert evaluated("-o", os.devnull).code == 0
    assert not Path(os.devnull).is_file()


def test_a_failed_write_leaves_the_old_file(evaluated: Evaluate, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (folder / "r.json").write_text("old")
    monkeypatch.setattr(Path, "replace", full)
    done = evaluated("-o", "r.json")
    assert (done.code, done.err.splitlines()[-1]) == (
        2, "boxscore: -o r.json: cannot be written (No space left on device)",
    )  # fmt: skip
    assert (folder / "r.json").read_text() == "old"
    assert not [p for p in folder.iterdir() if p.name.startswith(".")]


def test_numbers_have_four_decimals_and_json_all(evaluated: Evaluate, as_json: Results) -> None:
    value = as_json()[0]["metrics"]["AP"]
    assert f"AP       {value:.4f}\n" in evaluated().out
    assert not math.isclose(value, round(value, 4), abs_tol=1e-9)


def test_skip_invalid(evaluated: Evaluate, as_json: Results, folder: Path) -> None:
    found = json.loads((folder / "found.json").read_text())
    broken = [*found, {**found[0], "bbox": [0, 0, math.inf, 5]}]
    (folder / "found.json").write_text(json.dumps(broken))
    refused = evaluated()
    assert refused.code == 3
    assert refused.err.endswith(
        "boxscore: found.json: [3]: `bbox` is [0, 0, Infinity, 5]; expected finite numbers, [x, y, width, height]\n"
        "  --skip-invalid leaves such records out and accounts for them.\n"
    )
    (result,) = as_json("--skip-invalid")
    assert {key: value for key, value in result["ledger"]["detections"]["rows"][-1].items() if key != "reason"} == {
        "fate": "rejected",
        "count": 1,
    }
    text = "1 invalid record was left out (found.json: [3]: `bbox` is [0, 0, Infinity, 5])"
    assert {"code": "REC001", "severity": "warning", "count": 1, "text": text} in result["findings"]
    assert evaluated("--skip-invalid", "--strict").code == 4


def test_recall_without_a_limit_is_called_ar(as_json: Evaluate) -> None:
    (result,) = as_json("--set", "max_detections=")
    assert [name for name in result["metrics"] if name.startswith("AR")] == ["AR", "ARs", "ARm", "ARl"]
