"""`boxscore explain`: what it prints, and in which forms."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boxscore as bs

Command = Callable[..., Any]


@pytest.fixture
def explained(boxscore: Command) -> Command:
    """Runs `boxscore explain truth.json found.json` with further arguments."""
    return lambda *arguments: boxscore("explain", "truth.json", "found.json", *arguments)


def test_table_on_standard_output(explained: Command) -> None:
    done = explained("--from", "coco", "--to", "voc2012")
    assert done.code == 0
    assert done.err == (
        "truth       truth.json (coco): 3 images, 4 objects\n"
        "detections  found.json (coco-results): 3 detections on 2 images\n"
    )
    lines = done.out.splitlines()
    assert lines[3].split() == ["Rules", "part", "coco", "voc2012"]
    assert lines[4].split() == ["AP", "by", "coco", "0.7025"]
    assert "  crowd              -0.2363         region   ordinary objects flagged as crowd\n" in done.out
    assert "objects flagged as crowd" in done.out
    assert "No effect on this data: equal_overlaps (last → first)," in done.out
    assert "sum of all parts" in done.out
    assert "mAP by voc2012        0.5000\n" in done.out
    assert "exact" in done.out
    assert "signatures  coco#" in done.out
    assert "Classes" not in done.out


def test_parts_as_json_add_up(explained: Command) -> None:
    done = explained("--to", "voc2012", "--format", "json", "-q")
    assert (done.code, done.err) == (0, "")
    made = json.loads(done.out)
    assert list(made) == [
        "schema", "version", "truth", "detections", "from", "to", "gap", "parts", "exact", "orders", "seed", "mixtures",
        "classes",
    ]  # fmt: skip
    assert made["schema"] == "boxscore/explanation/1"
    assert list(made["from"]) == ["protocol", "signature", "signature_full", "metric", "value"]
    assert list(made["parts"][0]) == ["rule", "meaning", "fields", "part", "error", "note"]
    assert sum(p["part"] for p in made["parts"]) == pytest.approx(made["gap"], abs=1e-12)
    assert made["to"]["value"] - made["from"]["value"] == made["gap"]
    assert [c["name"] for c in made["classes"]] == ["cat", "dog"]
    assert all(len(c["parts"]) == len(made["parts"]) for c in made["classes"])
    same = bs.explain("truth.json", "found.json", "coco", "voc2012").to_dict()
    assert same == made
    assert explained("--to", "voc2012", "--format", "json", "-q").out == done.out


def test_csv(explained: Command) -> None:
    done = explained("--format", "csv", "-q")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert {row["class"] for row in rows} == {""}
    assert sum(float(row["part"] or 0) for row in rows) == pytest.approx(0.5 - 0.7024752475247524, abs=1e-12)
    caps = [row for row in rows if row["rule"] == "max_detections"]
    assert [(r["field"], r["from_value"], r["to_value"], r["part"]) for r in caps] == [
        ("max_detections", "1,10,100", "none", "0.0"),
        ("headline_max", "100", "0", ""),
    ]
    with_classes = list(csv.DictReader(io.StringIO(explained("--format", "csv", "-q", "--per-class").out)))
    assert {row["class"] for row in with_classes} == {"", "cat", "dog"}


def test_classes(explained: Command) -> None:
    lines = explained("--per-class").out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Classes: AP"))
    assert lines[start].split()[:5] == ["Classes:", "AP", "coco", "voc2012", "gap"]
    assert [line.split()[0] for line in lines[start + 1 :]] == ["dog", "cat"]
    assert lines[start + 1].split()[1:4] == ["0.9000", "0.5000", "-0.4000"]


def test_a_variant_and_a_file(explained: Command, folder: Path) -> None:
    done = explained("--from", "coco[iou=0.5]", "--to", "coco[iou=0.95]", "-o", "gap.md")
    assert (done.code, done.out) == (0, "")
    assert done.err.endswith("written     gap.md\n")
    text = (folder / "gap.md").read_text()
    assert "| iou | -0.5000 | 0.5 | 0.95 | overlap thresholds, up to 64 |" in text
    assert "| sum of all parts | -0.5000 |  |  |  |" in text


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--from", "coc"), 2, "unknown protocol 'coc'; did you mean 'coco' or 'tf-coco'? ("),
        (("--to", "imagenet-loc"), 2, "AP of coco and top1_error of imagenet-loc measure different things"),
        (("--format", "yaml"), 2, "unknown format 'yaml'"),
        (("--truth-format", "text"), 3, "truth.json: a file, stated as text; expected text (a folder"),
        (("--threads", "many"), 2, "--threads many; expected a whole number from 0"),
        (("-o", "truth.json"), 2, "-o truth.json: this is an input"),
    ],
)
def test_what_goes_wrong(explained: Command, arguments: tuple[str, ...], code: int, message: str) -> None:
    done = explained(*arguments)
    assert (done.code, done.out) == (code, "")
    assert done.err.splitlines()[-1].startswith(f"boxscore: {message}")


def test_standard_input_once(boxscore: Command) -> None:
    assert boxscore("explain", "-", "-").err == ("boxscore: '-' stands for standard input and can be given only once\n")


def test_both_commands_have_the_same_reading_options(boxscore: Command) -> None:
    helps = [boxscore(name, "--help").out.replace(",", " ").split() for name in ("eval", "explain")]
    shared = ("--image-labels", "--hierarchy", "--label-map", "--blacklist", "--image-list", "--class-list", "--box")
    for option in (*shared, "--truth-format", "--detections-format", "--threads", "--classes", "--image-size"):
        assert all(option in words for words in helps)
