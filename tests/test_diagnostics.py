"""The registry of diagnostics: a fact has one code, every kind can be met, is explained, and reads well."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import boxscore
from boxscore import protocols
from boxscore.diagnostics.diagnoses import diagnosis
from boxscore.diagnostics.findings import finding
from boxscore.diagnostics.kind import SEVERITIES, Kind
from boxscore.diagnostics.registry import ALL, lookup
from boxscore.report import meanings
from doctor.faults import FAULTS

ROOT = Path(__file__).parents[1]
CODES = {kind.code for kind in ALL}
ALIASES = {alias: kind.code for kind in ALL for alias in kind.aliases}
DEVIATIONS = {d.code for p in protocols.REGISTRY.values() for d in p.deviations}
FINDINGS = [kind for kind in ALL if kind.says]
DIAGNOSES = [kind for kind in ALL if not kind.says]
PREFIXES = "|".join(sorted({code.rstrip("0123456789") for code in CODES}))


def twice(names: Iterator[str]) -> list[str]:
    return [name for name, n in Counter(names).items() if n > 1]


def test_a_code_has_one_meaning() -> None:
    assert not twice(code for kind in ALL for code in (kind.code, *kind.aliases))
    assert not DEVIATIONS & {*CODES, *ALIASES}


def test_a_fact_has_one_code() -> None:
    assert not twice(kind.title.casefold() for kind in ALL)
    assert not twice(text for kind in ALL for text in (kind.says, kind.about) if text not in ("", "{detail}"))


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_code_can_be_typed(code: str) -> None:
    assert re.fullmatch(r"[A-Z]{2,3}\d{3}", code)


def texts(tree: ast.AST) -> Iterator[ast.Constant]:
    return (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))


def raised(tree: ast.Module) -> set[str]:
    """Texts that a module hands on: in functions and calls, but for those that it only compares with."""
    places = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.Call))]
    compared = {id(text) for n in ast.walk(tree) if isinstance(n, ast.Compare) for text in texts(n)}
    return {text.value for place in places for text in texts(place) if id(text) not in compared}


PACKAGE = Path(boxscore.__file__).parent
SOURCES = [path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE / "diagnostics"]
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


def test_every_kind_is_raised() -> None:
    assert set().union(*map(raised, TREES.values())) >= CODES


def test_the_sources_name_no_other_code() -> None:
    """No old one either, which nothing would be equal to."""
    for path, tree in TREES.items():
        named = {text.value for text in texts(tree) if re.fullmatch(rf"({PREFIXES})\d{{3}}", text.value)}
        assert named <= CODES, path


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.code)
def test_a_kind_is_explained(kind: Kind) -> None:
    assert kind.severity in SEVERITIES
    assert kind.title
    assert not kind.title.endswith(".")
    assert not kind.about or kind.about.endswith(".")
    assert not kind.advice or kind.advice.endswith(".")
    (rule,) = meanings.find(kind.code)
    assert (rule.kind, rule.title) == ("finding" if kind.says else "diagnosis", kind.title)
    assert dict(rule.facts)["severity"] == kind.severity


@pytest.mark.parametrize("kind", FINDINGS, ids=lambda kind: kind.code)
def test_a_finding_words_itself(kind: Kind) -> None:
    assert kind.advice
    for count in (0, 1, 2000):
        made = finding(kind.code, count, "detections")
        assert (made.code, made.severity, made.count) == (kind.code, kind.severity, count)
        assert not {"{", "}"} & {*made.text}
        assert "{count}" not in kind.says or f"{count:,}" in made.text


@pytest.mark.parametrize("kind", DIAGNOSES, ids=lambda kind: kind.code)
def test_the_doctor_words_what_is_no_finding(kind: Kind) -> None:
    assert kind.about
    with pytest.raises(AssertionError, match=f"{kind.code} is worded by the doctor"):
        finding(kind.code, 1)


def test_unknown_codes_are_refused() -> None:
    for code in ("BOX999", "", "id001", "COCO001"):
        with pytest.raises(KeyError):
            lookup(code)
        with pytest.raises(KeyError):
            finding(code, 1)
        with pytest.raises(KeyError):
            diagnosis(code, 1, "something")


def test_old_codes_are_those_of_the_doctor() -> None:
    assert ALIASES == {
        "BOX112": "BOX001", "CAP101": "CAP001", "CLS107": "CLS002", "ID101": "ID001", "ID102": "ID002",
        "IMG106": "SIZ001",
    }  # fmt: skip


@pytest.mark.parametrize("old", ALIASES)
def test_an_old_code_stands_for_the_new_one(old: str) -> None:
    new = ALIASES[old]
    assert lookup(old) is lookup(new)
    assert finding(old, 1).code == new
    made = diagnosis(old, 1, "something")
    assert (made.code, made.title) == (new, lookup(new).title)
    for name in (old, old.lower()):
        first, second = meanings.find(name)
        assert (first.kind, first.name, first.title) == ("old code", old, f"now {new}")
        assert [second] == meanings.find(new)


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))])
def test_pages_name_codes_that_are_reported(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert set(re.findall(rf"\b(?:{PREFIXES})\d{{3}}\b", text)) <= CODES


def test_the_mistakes_of_the_guide_have_their_codes() -> None:
    rows = re.findall(r"^\| ([^|*]+) \| ([A-Z][^|]+\d) \|", (ROOT / "docs/doctor.md").read_text(encoding="utf-8"), re.M)
    codes = {fault.name: " or ".join(fault.codes) + "".join(f", and {code}" for code in fault.also) for fault in FAULTS}
    assert dict(rows) == codes, "run: python tests/doctor/matrix.py"
