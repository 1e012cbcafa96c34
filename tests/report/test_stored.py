"""Results in files, and read back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import boxscore as bs
from boxscore import Result
from boxscore.report.forms import ENDINGS, RESULTS
from boxscore.report.stored import load_many, save

Make = Callable[..., Result]


def test_what_was_saved_is_loaded(result: Make, tmp_path: Path) -> None:
    r = result()
    path = r.save(tmp_path / "r.json")
    again = bs.load(path)
    assert again.to_dict() == r.to_dict()
    assert bs.load(str(path))["AP"] == r["AP"]


def test_several_results(result: Make, tmp_path: Path) -> None:
    results = [result(), result("voc2012")]
    save(results, tmp_path / "r.json")
    assert [r.to_dict() for r in load_many(tmp_path / "r.json")] == [r.to_dict() for r in results]


@pytest.mark.parametrize("ending", [ending for ending, form in ENDINGS.items() if form in RESULTS])
def test_every_ending(result: Make, tmp_path: Path, ending: str) -> None:
    path = result().save(tmp_path / f"r.{ending}")
    assert path.read_text().strip()


def test_tables_of_a_loaded_result(result: Make, tmp_path: Path) -> None:
    r = result()
    loaded = bs.load(r.save(tmp_path / "r.json"))
    for one in (r, loaded):
        assert "\\toprule" in one.to_latex()
        assert one.to_latex(["AP", "AP50"], percent=True).count("&") == 4
        assert one.to_markdown("AP,AP50").splitlines()[0] == "| model | AP | AP50 |"
        assert one.to_markdown("classes,AP50").splitlines()[2].startswith("| cat |")
    assert r.to_markdown("AP") == loaded.to_markdown("AP")
    assert r.to_latex("classes") == loaded.to_latex("classes")
