"""The smaller commands: help, version, protocols, rule, demo."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import boxscore as bs
from boxscore import metrics, overlaps, protocols
from boxscore.diagnostics import registry
from boxscore.report import meanings

Command = Callable[..., Any]
LISTED = [
    "--protocol", "--set", "--iou", "--score", "--max-detections", "--metric", "--classes", "--box", "--truth-box",
    "--detections-box", "--coords", "--image-size", "--truth-format", "--detections-format", "--image-labels",
    "--truth-classes", "--detections-classes", "--map-classes", "--images", "--sizes", "--confidence", "--rows",
    "--split", "--hierarchy", "--label-map", "--blacklist", "--image-list", "--class-list", "--tie-bounds", "--format",
    "-o", "--threads", "--all-classes", "--quiet", "--strict", "--help",
]  # fmt: skip


def test_version(boxscore: Command) -> None:
    assert boxscore("--version") == (0, f"boxscore {bs.__version__}\n", "")


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_lists_the_commands(boxscore: Command, arguments: tuple[str, ...]) -> None:
    done = boxscore(*arguments)
    assert (done.code, done.err) == (0, "")
    for name in ("eval", "threshold", "explain", "demo", "formats", "protocols", "rule"):
        assert f"\n  {name} " in done.out
    assert "\x1b" not in done.out


def test_help_of_eval_lists_the_options_that_there_are(boxscore: Command) -> None:
    words = boxscore("eval", "--help").out.replace(",", " ").split()
    for option in LISTED:
        assert option in words
    assert "--install-completion" not in words


def test_protocols_lists_all_with_a_sentence(boxscore: Command) -> None:
    out = boxscore("protocols").out
    for p in protocols.REGISTRY.values():
        assert any(line.startswith(f"  {p.name} ") and p.about[:30] in line for line in out.splitlines())
    assert re.search("^  toolkit +the group of toolkit-coco and toolkit-voc$", out, re.M)


@pytest.mark.parametrize("name", protocols.names())
def test_protocols_shows_everything_about_one(boxscore: Command, name: str) -> None:
    p, out = protocols.get(name), boxscore("protocols", name).out
    flat = " ".join(out.split())
    assert p.signature() in out
    assert p.source in flat
    for f in meanings.field_rules(p):
        assert f"\n{f.name}={f.value}\n" in out
        assert f.meaning in flat
        assert not f.values or f"one of: {', '.join(f.values)}" in flat
    for d in p.deviations:
        assert f"{d.code}: {d.title}" in out


def test_protocols_of_a_group(boxscore: Command) -> None:
    out = boxscore("protocols", "toolkit").out
    assert out.startswith("toolkit-coco: ")
    assert "\ntoolkit-voc: " in out


def test_protocols_as_json(boxscore: Command) -> None:
    listed = json.loads(boxscore("protocols", "--format", "json").out)
    assert listed["schema"] == "boxscore/protocols/1"
    assert [p["name"] for p in listed["protocols"]] == protocols.names()
    (one,) = json.loads(boxscore("protocols", "coco", "--format", "json").out)["protocols"]
    assert one == listed["protocols"][0]
    assert list(one) == ["name", "about", "source", "signature", "signature_full", "fields", "deviations"]
    assert one["fields"][1] == {
        "name": "overlap", "value": "box", "meaning": meanings.field_rules(protocols.get("coco"))[1].meaning,
        "values": list(overlaps.REGISTRY),
    }  # fmt: skip


@pytest.mark.parametrize("name", meanings.names())
def test_rule_explains_every_name(boxscore: Command, name: str) -> None:
    done = boxscore("rule", name)
    assert done.code == 0
    assert done.out.startswith(f"{name} (")
    assert len(done.out.splitlines()) >= 2


def test_rules_are_complete() -> None:
    known = set(meanings.names())
    assert known >= {code for kind in registry.ALL for code in (kind.code, *kind.aliases)}
    assert known >= {*metrics.REGISTRY, *protocols.names(), *protocols.GROUPS, *meanings.KEYS}
    assert known >= {d.code for p in protocols.REGISTRY.values() for d in p.deviations}
    assert known >= set(protocols.get("coco").rules())
    assert known >= {"AP50", "APs", "AR100", "mAP"}


def test_metric_keys_are_those_of_the_grammar() -> None:
    assert tuple(meanings.KEYS) == metrics.expression.KEYS


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("id001", "ID001 (finding): annotation id 0\n"),
        ("COCO001", "    field      id_zero\n"),
        ("AP50", "    stands for AP[iou=0.5]\n"),
        ("compare", "    values  >=, >\n"),
        ("AP[iou=0.5]", "\niou (metric key)\n"),
        ("CAP001", "    severity  note\n"),
        ("id101", "ID101 (old code): now ID001\n"),
        ("ID101", "\nID001 (finding): annotation id 0\n"),
    ],
)
def test_rule_texts(boxscore: Command, name: str, text: str) -> None:
    assert text in boxscore("rule", name).out


def test_rule_without_a_name_lists_all(boxscore: Command) -> None:
    out = boxscore("rule").out
    assert "  ID001   annotation id 0\n" in out
    assert "\nmetric:\n  AP, mAP, medianAP, AR," in out


def test_demo_prints_the_examples(boxscore: Command) -> None:
    demo = pytest.importorskip("boxscore.demo")
    assert boxscore("demo") == (0, demo.as_text(), "")
