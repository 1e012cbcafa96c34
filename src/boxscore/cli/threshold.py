"""`boxscore threshold TRUTH DETECTIONS`: the score threshold that meets a requirement."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from boxscore.cli import evaluate, options, output
from boxscore.cli.codes import GATE, OK
from boxscore.cli.common import File, Iou, ManyDetections, MaxDetections, ProtocolName, Quiet, Sets, Strict, Truth
from boxscore.cli.declared import Option
from boxscore.cli.groups import OUTPUT
from boxscore.cli.reading_options import Said, inputs, reading, with_reading
from boxscore.errors import UsageError
from boxscore.evaluation.result import Result

if TYPE_CHECKING:
    from boxscore.analysis.sweep import Sweep
    from boxscore.analysis.thresholds import Thresholds
    from boxscore.report.table import Page

FORMATS = ("table", "json", "yaml", "csv", "md")
SWEEPS = ("table", "json", "csv", "md")
BEST = ("f1", "cost")  # the best there is has nothing to meet


@with_reading
def command(
    truth: Truth,
    detections: ManyDetections,
    precision: Annotated[
        list[str] | None, Option(metavar="P", help="The highest recall with at least this precision.")
    ] = None,
    recall: Annotated[
        list[str] | None, Option(metavar="R", help="The highest score with at least this recall.")
    ] = None,
    f1: Annotated[bool, Option("--f1", help="The highest F1; the default.")] = False,
    cost: Annotated[
        list[str] | None, Option(metavar="fp=X,fn=Y", help="The lowest cost of false positives and missed objects.")
    ] = None,
    fp_per_image: Annotated[
        list[str] | None, Option(metavar="X", help="The lowest score with at most X false positives per image.")
    ] = None,
    per_class: Annotated[bool, Option("--per-class", help="A threshold for each class, too.")] = False,
    sweep: Annotated[
        bool, Option("--sweep", help="What every score trades: precision, recall, F1, false positives, cost.")
    ] = False,
    protocol: ProtocolName = "coco",
    area: Annotated[
        str | None, Option(metavar="NAME", help="One of the protocol's size ranges. [default: the first]")
    ] = None,
    form: Annotated[
        str | None,
        Option(
            "--format",
            metavar="table|json|yaml|csv|md",
            help="Output. [default: by FILE's ending, else table]",
            group=OUTPUT,
        ),
    ] = None,
    file: File = None,
    sets: Sets = None,
    iou: Iou = None,
    max_detections: MaxDetections = None,
    quiet: Quiet = False,
    strict: Strict = False,
    *,
    said: Said,
) -> int:
    """Find the score threshold that meets a requirement, over all classes or class by class.

    Several requirements and detection sets have a row each; requirements can be repeated.

    Thresholds are scores that occur among the detections; at the protocol's first IoU threshold.
    """
    form = output.chosen_form(form, file, FORMATS)
    asked = _asked(precision or [], recall or [], f1, cost or [], fp_per_image or [])
    if sweep and form not in SWEEPS:
        raise UsageError(f"--sweep cannot be written as {form}; expected one of {', '.join(SWEEPS)}")
    options.check_once([truth, *detections, *inputs(said)])
    how = reading(said)
    if file is not None:
        output.check_target(file, [truth, *detections, *inputs(said)])
    rules = options.single_protocol(protocol, sets or [], iou, max_detections)
    results = evaluate.evaluated(
        truth, detections, how, [rules], [], quiet, keep=True, named=form == "table" and file is None
    )
    output.tell_findings(f for result in results for f in result.ledger.findings)
    if sweep:
        costs = next((one["cost"] for one in asked if "cost" in one), None)
        _show_sweep([(result.sweep(cost=costs, area=area), result) for result in results], form, file, quiet)
        return evaluate.suspicious(results) if strict else OK
    made = [(result.threshold(**one, per_class=per_class, area=area), result) for result in results for one in asked]
    _show(made, form, file, quiet)
    missed = [one for one, _ in made if math.isnan(one.score) and one.requirement.name not in BEST]
    for one, result in made:
        if one in missed:
            about = "" if len(made) == 1 else f"{result.detections.name}, {one.requirement.short}: "
            output.status(f"boxscore: {about}no threshold meets it: {one.common.reason}")
    return GATE if missed else evaluate.suspicious(results) if strict else OK


def _asked(
    precision: list[str], recall: list[str], f1: bool, cost: list[str], fp_per_image: list[str]
) -> list[dict[str, Any]]:
    """The rules as the keywords that the library takes, in the order of help."""
    numbers = {"precision": precision, "recall": recall}
    asked: list[dict[str, Any]] = [{name: _number(name, text)} for name, texts in numbers.items() for text in texts]
    asked += [{"f1": "max"}] * f1 + [{"cost": _costs(text)} for text in cost]
    asked += [{"fp_per_image": _number("fp_per_image", text)} for text in fp_per_image]
    return asked or [{"f1": "max"}]


def _number(name: str, text: str) -> float | None:
    return options.number(f"--{name.replace('_', '-')}", text)


def _costs(text: str) -> dict[str, float]:
    parts = [part.partition("=") for part in text.split(",")]
    try:
        costs = {name.strip(): float(value) for name, _, value in parts}
    except ValueError:
        costs = {}
    if len(parts) != 2 or costs.keys() != {"fp", "fn"} or not all(map(math.isfinite, costs.values())):
        raise UsageError(f"--cost {text}; expected fp=X,fn=Y such as fp=1,fn=5")
    return costs


def _show(made: Sequence[tuple[Thresholds, Result]], form: str, file: Path | None, quiet: bool) -> None:
    from boxscore.report import thresholds

    written = {"json": thresholds.dumps, "csv": thresholds.as_csv, "yaml": thresholds.as_yaml}
    if form in written:
        output.deliver(written[form](made), file, quiet)
    else:
        _show_page(thresholds.page(made), form, file, quiet)


def _show_sweep(made: Sequence[tuple[Sweep, Result]], form: str, file: Path | None, quiet: bool) -> None:
    from boxscore.report import thresholds

    if form == "json":
        output.deliver(thresholds.sweep_dumps(made), file, quiet)
    else:
        _show_page(thresholds.sweep_page(made), form, file, quiet)


def _show_page(page: Page, form: str, file: Path | None, quiet: bool) -> None:
    from boxscore.report.forms import page_written
    from boxscore.report.text import page_rich, page_text

    if form != "table" or file is not None:
        output.deliver(page_written(page, form), file, quiet)
    elif output.coloured(sys.stdout):
        output.write_painted(page_rich(page, output.columns()))
    else:
        output.write(page_text(page, output.columns()))
