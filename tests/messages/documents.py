"""Stored results that cannot be read back, and names that nobody can explain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import boxscore as bs
from boxscore import pickled
from boxscore.report import json, meanings
from small_coco import RESULTS, TRUTH, file

ENDINGS = (".txt", ".json", ".csv", ".md", ".markdown", ".html", ".htm", ".tex", ".xml")
UNFIT = f"a result pickled by boxscore 9.9 cannot be loaded by boxscore {bs.__version__}"
INSTEAD = "\n  Load it with boxscore 9.9 and store its to_dict(), which Result.from_dict reads."


def result() -> bs.Result:
    return bs.evaluate(TRUTH, RESULTS)


def read(**changes: Any) -> Any:
    """A stored result with other values in the document."""
    return bs.Result.from_dict({**result().to_dict(), **changes})


def with_entry(**changes: Any) -> Any:
    """A stored result with other values in its only entry; None takes a key away."""
    (entry,) = result().to_dict()["results"]
    entry = {key: value for key, value in {**entry, **changes}.items() if value is not None}
    return read(results=[entry])


def loaded(form: int = pickled.FORM, **fields: Any) -> Any:
    return pickled.restored(form, "9.9", {"": "Side", **fields})


CASES: list[tuple[str, Callable[..., Any]]] = [
    # JSON
    ("no results; expected at least one", lambda: json.document([])),
    (
        "results of 2 versions of boxscore cannot go into one document",
        lambda: json.document([result(), replace(result(), version="9.9")]),
    ),
    ("schema None; expected 'boxscore/result/1'", lambda: bs.Result.from_dict({})),
    ("schema None; expected 'boxscore/result/1'", lambda: bs.Result.from_dict([])),
    ("schema 'boxscore/result/9'; expected 'boxscore/result/1'", lambda: read(schema="boxscore/result/9")),
    (
        "2 results in one document; expected one\n  `from_document` reads any number.",
        lambda: bs.Result.from_dict(json.document([result(), result()])),
    ),
    ("a document without 'ledger'; expected all keys of boxscore/result/1", lambda: with_entry(ledger=None)),
    (
        "a document that does not follow its schema ('int' object is not iterable); expected boxscore/result/1",
        lambda: with_entry(classes=5),
    ),
    (
        "signature_full: signature of 'coco': 'colour:red' is not a rule of this version",
        lambda: with_entry(signature_full="colour:red"),
    ),
    (
        "requirements: --require AP; expected METRIC>=NUMBER (or >, <=, <) such as AP>=0.3",
        lambda: with_entry(requirements=[{"text": "AP", "value": 0.5, "met": True}]),
    ),
    # files
    ("r.xyz: unknown ending '.xyz'; expected " + ", ".join(ENDINGS), lambda: result().save("r.xyz")),
    ("r: no ending; expected " + ", ".join(ENDINGS), lambda: result().save("r")),
    ("none.json: cannot be read (No such file or directory)", lambda: bs.load("none.json")),
    (
        "a.json: not JSON (Expecting value: line 1 column 1 (char 0)); expected a file that `Result.save` has written",
        lambda: bs.load(file("a.json", "")),
    ),
    ("a.json: schema None; expected 'boxscore/result/1'", lambda: bs.load(file("a.json", []))),
    (
        "a.json: 2 results; expected one\n  `boxscore.load_many` reads any number.",
        lambda: bs.load(file("a.json", json.document([result(), result()]))),
    ),
    (
        "percent and decimals are for tables of metrics; expected metrics too, such as 'AP,AP50'",
        lambda: result().to_latex(percent=True),
    ),
    # pickles
    (f"{UNFIT}: its form is 99; expected {pickled.FORM}{INSTEAD}", lambda: loaded(99)),
    (
        f"{UNFIT}: it holds the record 'Colour', which is unknown here{INSTEAD}",
        lambda: pickled.restored(pickled.FORM, "9.9", {"": "Colour"}),
    ),
    (
        f"{UNFIT}: its Side has the field 'colour', which is unknown here{INSTEAD}",
        lambda: loaded(path="a", format="coco", colour="red"),
    ),
    (f"{UNFIT}: its Side lacks the field 'format'{INSTEAD}", lambda: loaded(path="a")),
    # names
    ("unknown rule 'iuo'; did you mean 'iou'? (`boxscore rule` lists all)", lambda: meanings.find("iuo")),
    ("unknown rule 'xyzzy' (`boxscore rule` lists all)", lambda: meanings.find("xyzzy")),
]
