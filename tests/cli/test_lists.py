"""Lists of protocols and rules, and searches; terminals that have only ASCII."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from boxscore import protocols
from boxscore.protocols.families import FAMILIES, OTHERS, families, family
from boxscore.report.meanings import search
from boxscore.report.rules import protocol_list

Run = Callable[..., Any]


def test_every_protocol_has_one_family() -> None:
    listed = [p.name for some in families().values() for p in some]
    assert sorted(listed) == sorted(protocols.names())
    named = [start for some in FAMILIES.values() for start in some]
    strays = [n for n in protocols.names() if family(n) == OTHERS and not n.startswith(FAMILIES[OTHERS])]
    assert strays == [], "add the beginning of its name to a family"
    assert len(named) == len(set(named))


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_line_for_each_protocol(columns: int) -> None:
    lines = protocol_list(columns).splitlines()
    assert all(len(line) <= columns for line in lines)
    for name in (*protocols.names(), *protocols.GROUPS):
        (line,) = [line for line in lines if line.startswith(f"  {name} ")]
        about = (
            protocols.REGISTRY[name].about
            if name in protocols.REGISTRY
            else "the group of toolkit-coco and toolkit-voc"
        )
        assert about.startswith(line.removeprefix(f"  {name}").strip().removesuffix("..."))


def test_rules_are_found_by_words(boxscore: Run) -> None:
    done = boxscore("rule", "equal", "scores")
    assert done.code == 0
    assert "TF004 " in done.out
    assert "`boxscore rule NAME` explains one." in done.out
    assert boxscore("rule", "letterboxed").out.startswith("BOX108 (diagnosis)"), "the only one is explained"
    assert boxscore("rule", "coco").out.startswith("coco (protocol)"), "a name is a name"
    done = boxscore("rule", "no", "such", "thing", "anywhere")
    assert (done.code, done.out) == (2, "")


def test_names_come_before_texts() -> None:
    found = [rule.name for rule in search(["crowd"])]
    assert "crowd" in found[0].casefold()
    assert len(found) > 3


@pytest.mark.parametrize(
    "words", [["eval", "--help"], ["protocols"], ["protocols", "coco"], ["rule"], ["formats"], ["demo"]]
)
def test_ascii_terminals_get_ascii(words: list[str]) -> None:
    command = [sys.executable, "-m", "boxscore", *words]
    done = subprocess.run(command, capture_output=True, env={"PYTHONIOENCODING": "ascii"}, check=True)
    text = done.stdout.decode("ascii")
    assert "\\u" not in text
    assert "\\x" not in text
