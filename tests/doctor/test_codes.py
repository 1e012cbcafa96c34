"""The codes: every kind of mistake can be found, is explained, and reads well."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from boxscore.diagnostics.mistakes import KINDS, SEVERITIES

import boxscore.checkup
from boxscore.diagnostics.findings import KINDS as FINDINGS
from boxscore.report import meanings

SOURCES = "\n".join(path.read_text() for path in sorted(Path(boxscore.checkup.__file__).parent.glob("*.py")))


def test_every_kind_is_looked_for_and_none_is_unknown() -> None:
    assert set(re.findall(r'"([A-Z]{2,3}1\d\d)"', SOURCES)) == set(KINDS)


def test_codes_are_not_those_of_findings() -> None:
    assert not set(KINDS) & set(FINDINGS)


@pytest.mark.parametrize("code", KINDS)
def test_a_kind_is_explained(code: str) -> None:
    kind = KINDS[code]
    assert kind.severity in SEVERITIES
    assert kind.title
    assert not kind.title.endswith(".")
    assert kind.text.endswith(".")
    (rule,) = meanings.find(code)
    assert (rule.kind, rule.title) == ("diagnosis", kind.title)
