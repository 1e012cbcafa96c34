"""`boxscore threshold TRUTH DETECTIONS`: the score threshold that meets a requirement."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Annotated, Any

from boxscore.analysis.thresholds import Thresholds
from boxscore.cli import evaluate, options, output
from boxscore.cli.codes import GATE, OK
from boxscore.cli.common import Detections, File, Iou, MaxDetections, ProtocolName, Quiet, Sets, Strict, Truth
from boxscore.cli.declared import Option
from boxscore.cli.groups import OUTPUT
from boxscore.cli.reading_options import Said, inputs, reading, with_reading
from boxscore.errors import UsageError
from boxscore.evaluation.result import Result

FORMATS = ("table", "json", "csv", "md")
RULES = ("--precision", "--recall", "--f1", "--cost", "--fp-per-image")


@with_reading
def command(
    truth: Truth,
    detections: Detections,
    precision: Annotated[
        str | None, Option(metavar="P", help="The highest recall with at least this precision.")
    ] = None,
    recall: Annotated[str | None, Option(metavar="R", help="The highest score with at least this recall.")] = None,
    f1: Annotated[bool, Option("--f1", help="The highest F1; the default.")] = False,
    cost: Annotated[
        str | None, Option(metavar="fp=X,fn=Y", help="The lowest cost of false positives and missed objects.")
    ] = None,
    fp_per_image: Annotated[
        str | None, Option(metavar="X", help="The lowest score with at most X false positives per image.")
    ] = None,
    per_class: Annotated[bool, Option("--per-class", help="A threshold for each class, too.")] = False,
    protocol: ProtocolName = "coco",
    area: Annotated[
        str | None, Option(metavar="NAME", help="One of the protocol's size ranges. [default: the first]")
    ] = None,
    form: Annotated[
        str | None,
        Option(
            "--format",
            metavar="table|json|csv|md",
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

    Thresholds are scores that occur among the detections; at the protocol's first IoU threshold.
    """
    form = output.chosen_form(form, file, FORMATS)
    asked = _asked(precision, recall, f1, cost, fp_per_image)
    options.check_once([truth, detections, *inputs(said)])
    how = reading(said)
    if file is not None:
        output.check_target(file, [truth, detections, *inputs(said)])
    rules = options.single_protocol(protocol, sets or [], iou, max_detections)
    (result,) = evaluate.evaluated(
        truth, [detections], how, [rules], [], quiet, keep=True, named=form == "table" and file is None
    )
    output.tell_findings(result.ledger.findings)
    made = result.threshold(**asked, per_class=per_class, area=area)
    _show(made, result, form, file, quiet)
    if math.isnan(made.score) and not asked.keys() & {"f1", "cost"}:  # the best there is has nothing to meet
        output.status(f"boxscore: no threshold meets it: {made.common.reason}")
        return GATE
    return evaluate.suspicious([result]) if strict else OK


def _asked(
    precision: str | None, recall: str | None, f1: bool, cost: str | None, fp_per_image: str | None
) -> dict[str, Any]:
    """The rule as the keyword that the library takes."""
    values = (precision, recall, f1 or None, cost, fp_per_image)
    given = [option for option, value in zip(RULES, values, strict=True) if value is not None]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} cannot be combined; expected one of {', '.join(RULES)}")
    if cost is not None:
        return {"cost": _costs(cost)}
    numbers = {"precision": precision, "recall": recall, "fp_per_image": fp_per_image}
    for name, text in numbers.items():
        if text is not None:
            return {name: options.number(f"--{name.replace('_', '-')}", text)}
    return {"f1": "max"}


def _costs(text: str) -> dict[str, float]:
    parts = [part.partition("=") for part in text.split(",")]
    try:
        costs = {name.strip(): float(value) for name, _, value in parts}
    except ValueError:
        costs = {}
    if len(parts) != 2 or costs.keys() != {"fp", "fn"} or not all(map(math.isfinite, costs.values())):
        raise UsageError(f"--cost {text}; expected fp=X,fn=Y such as fp=1,fn=5")
    return costs


def _show(made: Thresholds, result: Result, form: str, file: Path | None, quiet: bool) -> None:
    from boxscore.report import thresholds
    from boxscore.report.markdown import page_markdown
    from boxscore.report.text import page_rich, page_text

    page = thresholds.page(made, result)
    if form == "table" and file is None:
        if output.coloured(sys.stdout):
            output.write_painted(page_rich(page, output.columns()))
        else:
            output.write(page_text(page, output.columns()))
        return
    if form in ("json", "csv"):
        text = (thresholds.dumps if form == "json" else thresholds.as_csv)(made, result)
    else:
        text = page_markdown(page) if form == "md" else page_text(page)
    output.deliver(text, file, quiet)
