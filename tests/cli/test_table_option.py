"""`--table`, `--percent`, and files by their ending."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import boxscore as bs

Run = Callable[..., Any]


def test_models_as_rows(boxscore: Run) -> None:
    done = boxscore(
        "eval", "truth.json", "found.json", "found.json", "--table", "AP,AP[iou=0.5,area=large]", "--percent"
    )
    assert done.code == 0
    assert "model  " in done.out
    assert "AP[iou=0.5,area=large]" in done.out
    r = bs.evaluate("truth.json", "found.json")
    assert f"{100 * r['AP']:.1f}" in done.out


def test_files_by_their_ending(evaluated: Run, folder: Path) -> None:
    starts = {
        "txt": "model", "md": "| model |", "csv": "model,AP", "tex": "% needs \\usepackage{booktabs}",
        "html": "<!doctype html>",
        "htm": "<!doctype html>", "markdown": "| model |",
    }  # fmt: skip
    for ending, start in starts.items():
        assert evaluated("--table", "AP", "-o", f"out.{ending}").code == 0
        assert (folder / f"out.{ending}").read_text().startswith(start), ending


def test_without_table_the_whole_result(evaluated: Run, folder: Path) -> None:
    for ending in ("tex", "html", "xml", "md", "csv", "json", "txt"):
        assert evaluated("-o", f"out.{ending}").code == 0
        text = (folder / f"out.{ending}").read_text()
        assert "0.7" in text, ending
        assert "AR100" in text or "AR$_{100}$" in text, ending


def test_html_is_a_whole_page(evaluated: Run, folder: Path) -> None:
    evaluated("-o", "out.html")
    opened: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: Any) -> None:
            if tag != "meta":
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    Reader().feed((folder / "out.html").read_text())
    assert not opened


def test_csv_has_every_digit(evaluated: Run) -> None:
    done = evaluated("--table", "AP,AP50", "--format", "csv", "-q")
    (_, row) = csv.reader(io.StringIO(done.out))
    r = bs.evaluate("truth.json", "found.json")
    assert row[1:] == [repr(r["AP"]), repr(r["AP50"])]
    assert (
        evaluated("--table", "AP", "--format", "csv", "--decimals", "2", "-q").out.splitlines()[1]
        == f"found,{r['AP']:.2f}"
    )


def test_classes_as_rows(evaluated: Run) -> None:
    done = evaluated("--table", "classes", "--protocol", "voc2007,voc2012", "--format", "md", "-q")
    assert done.out.splitlines()[0] == "| class | voc2007 AP | voc2012 AP |"
    assert [line.split(" | ")[0] for line in done.out.splitlines()[2:5]] == ["| cat", "| dog", "| all classes"]


def test_warnings_are_told(boxscore: Run) -> None:
    done = boxscore("eval", "truth.json", "truth.json", "--table", "AP", "-q")
    assert done.code == 3
    Path("none.json").write_text("[]")
    done = boxscore("eval", "truth.json", "none.json", "--table", "AP", "-q")
    assert "warning" in done.err


@pytest.mark.parametrize("command", ["eval", "threshold", "explain", "doctor", "inspect"])
def test_unknown_endings_are_refused(boxscore: Run, folder: Path, command: str) -> None:
    for name in ("out.pdf", "out", "out.json.bak"):
        done = boxscore(command, "truth.json", "found.json", "-o", name)
        assert done.code == 2
        assert f"-o {name}: " in done.err
        assert not (folder / name).exists()
    if command == "eval":
        assert boxscore("eval", "truth.json", "found.json", "-o", "out", "--format", "json").code == 0
