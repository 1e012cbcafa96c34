"""Figures that cannot be drawn, and `boxscore plot` with words that make no sense."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boxscore as bs
from boxscore.cli.commands import run
from boxscore.report import figures
from small_coco import RESULTS, TRUTH, file

KINDS = "pr, score, recall-iou, classes, confusion, counts, sizes, ranking, timeline"
NO_WINDOW = "--show: no window can be opened here"
LEVELS = "0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95"
TWO_CLASSES = {**TRUTH, "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]}


def result(protocol: str = "coco") -> bs.Result:
    return bs.evaluate(TWO_CLASSES, RESULTS, protocol=protocol)


def plotted(kind: str, *words: str) -> Any:
    """`boxscore plot KIND t.json r.json`, or that with --all in place of a kind."""
    return run(["plot", kind, file("t.json", TWO_CLASSES), file("r.json", RESULTS), *words])


def full() -> str:
    Path("out").mkdir()
    file("out/thesis.tex", "")
    return "out"


def refused(patch: pytest.MonkeyPatch) -> Any:
    """matplotlib looks at MPLBACKEND once, when it is imported for the first time."""

    def import_module(name: str) -> Any:
        raise ValueError("'nonsense' is not a valid value for backend")

    patch.setattr(figures.importlib, "import_module", import_module)
    return figures.need_matplotlib()


def missing(patch: pytest.MonkeyPatch) -> Any:
    patch.setitem(sys.modules, "matplotlib", None)
    return result().plot.pr()


def shown(patch: pytest.MonkeyPatch, forced: str, backend: str, toolkit: bool = True) -> Any:
    """A window, on a machine whose best backend is this one."""
    from matplotlib import pyplot

    def switch_backend(name: str) -> None:
        if not toolkit:
            raise ImportError("no module named wx")

    patch.setenv("MPLBACKEND", forced)
    patch.setattr(pyplot, "get_backend", lambda: backend)
    patch.setattr(pyplot, "switch_backend", switch_backend)
    return plotted("pr", "--show")


CASES: list[tuple[str, Callable[..., Any]]] = [
    # words of the command line
    (f"unknown figure 'prr'; did you mean 'pr'? (known: {KINDS})", lambda: plotted("prr", "-o", "a.png")),
    ("plot pr needs TRUTH and DETECTIONS", lambda: run(["plot", "pr", "t.json", "-o", "a.png"])),
    ("plot --all needs TRUTH and DETECTIONS", lambda: run(["plot", "--all", "t.json", "-o", "out"])),
    (
        "--all takes no KIND; expected TRUTH and DETECTIONS instead of 'pr'",
        lambda: run(["plot", "--all", "pr", "t.json", "r.json", "-o", "out"]),
    ),
    (
        "--score does not apply to sizes, which takes --iou",
        lambda: plotted("sizes", "-o", "a.png", "--score", "0.5"),
    ),
    (
        "--class does not apply to --all, which takes --iou, --interpolation, --format",
        lambda: plotted("--all", "-o", "out", "--class", "cat"),
    ),
    ("-o is missing; expected a file to write, or --show", lambda: plotted("pr")),
    ("-o is missing; expected a folder to write", lambda: plotted("--all")),
    ("--all cannot be combined with --show; expected -o FOLDER", lambda: plotted("--all", "--show")),
    ("-o a.gif: unknown ending '.gif'; expected .png, .svg or .pdf", lambda: plotted("pr", "-o", "a.gif")),
    ("-o a: no ending; expected .png, .svg or .pdf", lambda: plotted("pr", "-o", "a")),
    (
        "-o out: the folder is not empty; expected a new or empty one (nothing is overwritten)",
        lambda: plotted("--all", "-o", full()),
    ),
    ("-o t.json: a file; expected a folder", lambda: plotted("--all", "-o", "t.json")),
    ("-o no/out: there is no folder 'no'", lambda: plotted("--all", "-o", "no/out")),
    ("--dpi 5; expected a number from 10 to 2400", lambda: plotted("pr", "-o", "a.png", "--dpi", "5")),
    ("--limit 0; expected a whole number from 1", lambda: plotted("ranking", "-o", "a.png", "--limit", "0")),
    (
        "--protocol toolkit: a group of protocols; expected a single one",
        lambda: plotted("pr", "-o", "a.png", "--protocol", "toolkit"),
    ),
    # windows, and matplotlib itself
    (
        f"{NO_WINDOW} (MPLBACKEND=agg has no windows); write a file with -o",
        lambda patch: shown(patch, "agg", "agg"),
    ),
    (
        f"{NO_WINDOW} (no display, or no GUI toolkit); write a file with -o",
        lambda patch: shown(patch, "", "agg"),
    ),
    (
        f"{NO_WINDOW} (no module named wx); write a file with -o",
        lambda patch: shown(patch, "wxagg", "wxagg", toolkit=False),
    ),
    ('figures need matplotlib, which is not installed; install it with: pip install "boxscore[plot]"', missing),
    (
        "matplotlib refuses MPLBACKEND ('nonsense' is not a valid value for backend); unset it, or set one of these",
        refused,
    ),
    # figures in Python
    (f"unknown figure 'prr'; did you mean 'pr'? (known: {KINDS})", lambda: figures.module("prr", "views")),
    ("no results; expected at least one to draw", lambda: bs.plot.pr([])),
    (
        "this result holds only its stored numbers; a figure needs a new evaluation",
        lambda: bs.Result.from_dict(result().to_dict()).plot.pr(),
    ),
    ("unknown class 'cot'; did you mean 'cat'? (known: cat, dog)", lambda: result().plot.pr("cot")),
    ("unknown interpolation '12' (known: 11, 101, all, raw)", lambda: result().plot.pr(interpolation=12)),
    (
        "raw curves of several classes have no mean; choose one class, or interpolation 11, 101 or all",
        lambda: bs.plot.pr([result(), result()], interpolation="raw"),
    ),
    (
        f"IoU 0.42 is not among the protocol's thresholds ({LEVELS})",
        lambda: result().plot.score(iou=0.42),
    ),
    (
        "these results have different IoU thresholds; expected the same for all",
        lambda: bs.plot.recall_iou([result(), result("coco[iou=0.6,0.7]")]),
    ),
    ("width 1.5; expected 2 to 40 inches", lambda: result().plot.pr(width=1.5)),
    ("height 0.2; expected 0.5 to 40 inches", lambda: result().plot.pr(height=0.2)),
]
