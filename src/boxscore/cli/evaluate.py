"""`boxscore eval TRUTH DETECTIONS…`: evaluates detection sets by protocols."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from boxscore import overlaps
from boxscore.analysis.gates import Gate, Outcome, gate
from boxscore.cli import options, output, sequences, tables
from boxscore.cli.codes import GATE, INPUT, OK, SUSPICIOUS
from boxscore.cli.common import (
    AllClasses,
    File,
    Iou,
    ManyDetections,
    MaxDetections,
    MetricNames,
    ProtocolNames,
    Quiet,
    Sets,
    Strict,
    Truth,
)
from boxscore.cli.declared import Option
from boxscore.cli.doubts import Doubts
from boxscore.cli.groups import OUTPUT
from boxscore.cli.reading_options import Said, as_options, inputs, reading, watched, with_reading
from boxscore.evaluation.memo import Shared
from boxscore.evaluation.result import Result
from boxscore.evaluation.run import evaluate_tables
from boxscore.joining.both import read_beside
from boxscore.joining.read import ReadOptions, read_truth
from boxscore.protocols import Protocol

FORMATS = ("table", "json", "csv", "md", "html", "latex", "github", "junit")


@with_reading
def command(
    truth: Truth,
    detections: ManyDetections,
    protocol: ProtocolNames = None,
    metric: MetricNames = None,
    iou: Iou = None,
    score: Annotated[str | None, Option(metavar="S", help="Add TP, FP, FN, precision, recall, F1 at score S.")] = None,
    require: Annotated[
        list[str] | None,
        Option(
            metavar="GATE", help='Exit with 1 where it is not met, such as "AP>=0.3"; repeatable.', values="metrics"
        ),
    ] = None,
    max_detections: MaxDetections = None,
    sets: Sets = None,
    table: Annotated[
        str | None,
        Option(
            metavar="METRICS",
            help="Models as rows, these metrics as columns: AP,AP50,AP75; or classes as rows: classes.",
            group=OUTPUT,
            values="tables",
        ),
    ] = None,
    percent: Annotated[bool, Option("--percent", help="Numbers of --table in percent.", group=OUTPUT)] = False,
    decimals: Annotated[
        str | None,
        Option(metavar="N", help="Decimals of --table. [default: 4, in percent 1, in CSV all]", group=OUTPUT),
    ] = None,
    form: Annotated[
        str | None,
        Option(
            "--format",
            metavar="FORM",
            help=f"{', '.join(FORMATS)}. [default: by FILE's ending, else table]",
            group=OUTPUT,
            values="|".join(FORMATS),
        ),
    ] = None,
    file: File = None,
    all_classes: AllClasses = False,
    ledger: Annotated[bool, Option("--ledger", help="Show where every box went, row by row.", group=OUTPUT)] = False,
    by_sequence: Annotated[
        bool,
        Option("--sequences", help="A table of videos, each evaluated alone, instead of the report.", group=OUTPUT),
    ] = False,
    tie_bounds: Annotated[
        bool,
        Option("--tie-bounds", help="Show the range each AP can take when tied scores are reordered.", group=OUTPUT),
    ] = False,
    quiet: Quiet = False,
    strict: Strict = False,
    *,
    said: Said,
) -> int:
    """Evaluate detections against ground truth: one result per protocol and detection set."""
    form = output.chosen_form(form, file, FORMATS)
    paper = tables.wanted(table, percent, decimals, form)
    if by_sequence:
        sequences.check(form, paper is not None)
    options.check_once([truth, *detections, *inputs(said)])
    how = reading(said)
    if file is not None:
        output.check_target(file, [truth, *detections, *inputs(said)])
    some = options.chosen_protocols(protocol or ["coco"], sets or [], iou, max_detections)
    at = options.number("--score", score)
    gates = [gate(text) for text in require or []]
    shown = () if paper is None else paper.metrics
    further = options.chosen_metrics([*(metric or []), *(gate.metric for gate in gates), *shown], at, some)
    doubts = Doubts(truth, as_options(said), strict)
    results = evaluated(
        truth, detections, how, some, further, quiet,
        bounds=tie_bounds, keep=by_sequence or (paper is not None and paper.by_class),
        needs=sequences.NEEDS if by_sequence else (), doubts=doubts, score=at, named=form == "table" and file is None,
    )  # fmt: skip
    results = [replace(r, gates=tuple(_outcome(r, gate) for gate in gates)) for r in results]
    if by_sequence:
        sequences.show(results, form, file, quiet)
    elif paper is not None:
        tables.show(results, paper, form, file, quiet)
    else:
        _show(results, form, file, all_classes, ledger, quiet)
    return unknowable(results) or stopped(results, quiet) or (suspicious(results) if strict else OK)


def _outcome(result: Result, gate: Gate) -> Outcome:
    return Outcome(gate, result[gate.metric], result.reasons.get(gate.metric, ""))


def evaluated(
    truth: str,
    detections: Sequence[str],
    how: ReadOptions,
    some: Sequence[Protocol],
    further: Sequence[str],
    quiet: bool,
    *,
    bounds: bool = False,
    keep: bool = False,
    doubts: Doubts | None = None,
    score: float | None = None,
    named: bool = False,
    needs: Sequence[str] = (),
) -> list[Result]:
    """Reads each side once; results by protocol, then by detection set, with `keep` those that can tell more.

    What was read is told, unless the output is going to name it.
    """
    how = replace(how, needs=tuple(dict.fromkeys((*overlaps.needed(some), *needs))))
    with watched(how, quiet) as watching:
        objects, findings = read_truth(truth, watching)
    output.status(f"truth       {output.what_was_read(objects)}", quiet or named)
    made: dict[tuple[int, int], Result] = {}
    for d, path in enumerate(detections):
        with watched(how, quiet) as watching:
            both = read_beside((objects, findings), path, watching)
        output.status(f"detections  {output.what_was_read(both.detections)}", quiet or named)
        for option in options.unused(how, objects, both.detections):
            output.status(f"note        {option} is not used: COCO files say it themselves", quiet)
        joined = both.joined()
        with nullcontext() if doubts is None else doubts.of_join(path, joined.truth, joined.detections):
            aligned = joined.aligned
        shared = Shared(some)
        for p, protocol in enumerate(some):
            result = evaluate_tables(aligned, protocol, joined.findings, further, how.threads, shared, score)
            result = result.with_tie_bounds() if bounds else result
            made[p, d] = result if keep else result.without_numbers()  # everything that is shown is in the result
        if doubts is not None:
            looked = doubts.look(path, joined.truth, joined.detections, _of(made, d))
            made.update({(p, d): r for p, r in enumerate(looked)})
    return [made[key] for key in sorted(made)]


def _of(made: dict[tuple[int, int], Result], d: int) -> list[Result]:
    """The results of one detection set."""
    return [result for (_, column), result in sorted(made.items(), key=lambda item: item[0]) if column == d]


def _show(results: list[Result], form: str, file: Path | None, all_classes: bool, ledger: bool, quiet: bool) -> None:
    if form == "table" and file is None:
        from boxscore.report import text

        given = (output.columns(), all_classes, ledger, output.lines())
        if output.coloured(sys.stdout):
            output.write_painted(text.as_rich(results, *given))
        else:
            output.write(text.as_text(results, *given))
        return
    from boxscore.report.forms import written

    made = written(results, form, all_classes, ledger)
    if form == "csv":  # has no place for findings
        output.tell_findings(f for r in results for f in r.ledger.findings)
    output.deliver(made, file, quiet)


def unknowable(results: Sequence[Result]) -> int:
    """The exit code where a headline cannot be known from the input; everything else has been printed by then."""
    reasons = {f"{r.headline} of {r.protocol.name} is n/a ({r.unknowable})": None for r in results if r.unknowable}
    for reason in reasons:
        output.status(f"boxscore: {reason}")
    return INPUT if reasons else OK


def stopped(results: Sequence[Result], quiet: bool) -> int:
    """The exit code where a gate is not met, after saying which ones are and which are not."""
    from boxscore.report.blocks import about

    for result in results:
        for outcome in result.gates:
            output.status(f"boxscore: {about(result)}: {outcome}", quiet and outcome.met)
    return OK if all(outcome.met for result in results for outcome in result.gates) else GATE


def suspicious(results: Sequence[Result]) -> int:
    """The exit code under --strict: whether there are warnings or errors among the findings."""
    codes = sorted({f.code for r in results for f in r.ledger.findings if f.severity != "note"})
    if codes:
        output.status(f"boxscore: warnings under --strict: {', '.join(codes)}")
    return SUSPICIOUS if codes else OK
