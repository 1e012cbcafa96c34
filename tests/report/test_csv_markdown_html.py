"""The other forms of a report."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from html.parser import HTMLParser

from boxscore import Result
from boxscore.report.csv import HEADER, as_csv
from boxscore.report.html import as_html
from boxscore.report.markdown import as_markdown, escaped
from boxscore.report.words import safe_cell

Make = Callable[..., Result]


def test_csv_has_every_number_exactly_once(result: Make) -> None:
    results = [result(), result("voc2012")]
    rows = list(csv.DictReader(io.StringIO(as_csv(results))))
    assert tuple(rows[0]) == HEADER
    for r in results:
        mine = {(row["class"], row["metric"]): row for row in rows if row["signature"] == r.protocol.signature()}
        for name, value in r.metrics.items():
            row = mine.pop(("", name))
            assert row["value"] == ("" if math.isnan(value) else repr(value))
            assert bool(row["reason"]) == math.isnan(value)
        for c in r.per_class:
            assert int(mine.pop((c.name, "objects"))["value"]) == c.objects
            assert int(mine.pop((c.name, "detections"))["value"]) == c.detections
            for name, value in c.metrics.items():
                row = mine.pop((c.name, name))
                assert (row["value"], row["reason"]) == (("", "no objects") if math.isnan(value) else (repr(value), ""))
        assert not mine


def test_csv_quotes_names(result: Make) -> None:
    text = as_csv([result(names=('a,"b"', "c\nd", "e"))])
    assert {row["class"] for row in csv.DictReader(io.StringIO(text, newline=""))} == {"", 'a,"b"', "c\nd", "e"}
    assert "\r" not in text


def test_csv_has_no_formulas(result: Make) -> None:
    text = as_csv([result(names=("=1+1", "-0.5", "@x"))])
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert {row["class"] for row in rows} == {"", "'=1+1", "'-0.5", "'@x"}
    assert all(not row["value"].startswith("'") for row in rows)
    for start in "\t\r\n\x1b+\uff1d":
        assert safe_cell(f"{start}x") == f"'{start}x"


def test_markdown_tables_are_rectangular(result: Make) -> None:
    text = as_markdown([result(names=("a|b", "*c*", "d")), result("voc2012", names=("a|b", "*c*", "d"))])
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert len(tables) == 2
    for table in tables:
        assert len({line.replace("\\|", "").count("|") for line in table}) == 1
    assert "| a\\|b | 0.4545 | 0.5000 |" in text
    assert "\\*c\\*" in text
    assert "### Summary\n\n|  | coco | voc2012 |\n|:---|---:|---:|\n| AP | 0.4545 |  |\n" in text
    assert "\n\nAPs, ARs  n/a (no small objects)\n" in text


def test_markdown_says_what_it_leaves_out(many: Make) -> None:
    assert "The 5 worst and 5 best of 40 classes by AP" in as_markdown([many(40)])
    assert as_markdown([many(40)], all_classes=True).count("| class ") == 40


def test_markdown_escapes() -> None:
    assert escaped("snake_case _x_ [a](b) <i> `c` ~d~ \\") == (
        "snake_case \\_x\\_ [a\\](b) \\<i\\> \\`c\\` \\~d\\~ \\\\"
    )


class _Balance(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_whole_and_escaped(result: Make) -> None:
    text = as_html([result(names=("<script>alert(1)</script>", "a & b", "c")), result("voc2012")])
    parser = _Balance()
    parser.feed(text)
    assert parser.open == []
    assert "script" not in parser.seen
    assert "&lt;script&gt;" in text
    assert "http" not in text
    assert parser.seen.count("table") == 3


def test_html_in_notebooks_shows_every_class_and_the_findings(many: Make) -> None:
    text = many(40)._repr_html_()
    assert text.count(">class ") == 40
    assert "<summary>40 classes</summary>" in text
    assert "voc2012#" in text


def test_html_fits_light_and_dark_pages(result: Make) -> None:
    text = as_html([result()])
    assert "color: inherit" in text
    for fixed in (": black", ": white", "#fff", "#000"):
        assert fixed not in text
