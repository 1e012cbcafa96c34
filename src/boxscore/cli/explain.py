"""`boxscore explain TRUTH DETECTIONS --from P --to Q`: the gap between two protocols, rule by rule."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from boxscore import overlaps, protocols
from boxscore.analysis.explain import Explanation, explain_tables
from boxscore.cli import options, output
from boxscore.cli.codes import OK
from boxscore.cli.common import AllClasses, Detections, File, Quiet, Truth
from boxscore.cli.declared import Option
from boxscore.cli.groups import OUTPUT
from boxscore.cli.reading_options import Said, inputs, reading, with_reading
from boxscore.joining.both import read_beside
from boxscore.joining.read import read_truth

FORMATS = ("table", "json", "csv", "md")


@with_reading
def command(
    truth: Truth,
    detections: Detections,
    from_: Annotated[
        str, Option("--from", metavar="NAME", help="Protocol, or a variant such as coco[iou=0.5].", values="protocols")
    ] = "coco",
    to: Annotated[
        str, Option("--to", metavar="NAME", help="The protocol whose number differs.", values="protocols")
    ] = "voc2012",
    per_class: Annotated[
        bool, Option("--per-class", help="Show the parts of the classes with the largest gaps, too.")
    ] = False,
    all_classes: AllClasses = False,
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
    quiet: Quiet = False,
    *,
    said: Said,
) -> int:
    """Explain why two protocols give different numbers: the gap, shared out among single rules."""
    form = output.chosen_form(form, file, FORMATS)
    options.check_once([truth, detections, *inputs(said)])
    how = reading(said)
    if file is not None:
        output.check_target(file, [truth, detections, *inputs(said)])
    first, second = protocols.get(from_), protocols.get(to)
    how = replace(how, needs=overlaps.needed([first, second]))
    objects, findings = read_truth(truth, how)
    output.status(f"truth       {output.what_was_read(objects)}", quiet)
    joined = read_beside((objects, findings), detections, how).joined()
    output.tell_findings(joined.findings)
    output.status(f"detections  {output.what_was_read(joined.detections)}", quiet)
    for option in options.unused(how, joined.truth, joined.detections):
        output.status(f"note        {option} is not used: COCO files say it themselves", quiet)
    with output.progress("mixtures", quiet) as progress:
        made = explain_tables(joined.aligned, first, second, how.threads, progress)
    _show(made, form, file, per_class or all_classes, all_classes, quiet)
    return OK


def _show(made: Explanation, form: str, file: Path | None, classes: bool, every: bool, quiet: bool) -> None:
    from boxscore.report import explanation

    if form == "table" and file is None:
        if output.coloured(sys.stdout):
            output.write_painted(explanation.as_rich(made, output.columns(), classes, every))
        else:
            output.write(explanation.as_text(made, output.columns(), classes, every))
        return
    text = {
        "json": lambda: explanation.dumps(made),
        "csv": lambda: explanation.as_csv(made, classes),
        "md": lambda: explanation.as_markdown(made, classes, every),
        "table": lambda: explanation.as_text(made, classes=classes, every=every),
    }[form]()
    output.deliver(text, file, quiet)
