"""`boxscore plot KIND TRUTH DETECTIONS… -o FILE`: figures of evaluations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from boxscore.cli import evaluate, options, output
from boxscore.cli.codes import OK
from boxscore.cli.common import ProtocolName, Quiet, Sets, Strict
from boxscore.cli.declared import Argument, Option
from boxscore.cli.groups import OUTPUT
from boxscore.cli.reading_options import Said, inputs, reading, with_reading
from boxscore.errors import UsageError
from boxscore.evaluation.result import Result
from boxscore.formats.io.placing import place
from boxscore.protocols import Protocol
from boxscore.report.figures import KINDS, module, need_matplotlib

ENDINGS = ("png", "svg", "pdf")
TAKES = {  # which options each kind obeys; the others say so
    "pr": ("--class", "--iou", "--interpolation"),
    "score": ("--class", "--iou"),
    "recall-iou": ("--class", "--iou"),
    "classes": ("--iou",),
    "confusion": ("--iou", "--score"),
    "counts": ("--iou",),
    "sizes": ("--iou",),
    "timeline": ("--class", "--iou", "--score", "--limit"),
    "ranking": ("--class", "--iou", "--limit"),
    "--all": ("--iou", "--interpolation", "--format"),
}


@with_reading
def command(
    words: Annotated[
        list[str],
        Argument(metavar="KIND TRUTH DETECTIONS…", help=f"KIND is one of {', '.join(KINDS)}.", values="figures"),
    ],
    target: Annotated[
        Path | None,
        Option("--output", "-o", metavar="FILE", help="Write .png, .svg or .pdf; a folder with --all."),
    ] = None,
    everything: Annotated[
        bool,
        Option("--all", help="No KIND: a curve per class, all classes, class distribution, results.txt in a folder."),
    ] = False,
    label: Annotated[str | None, Option("--class", metavar="NAME", help="One class instead of all.")] = None,
    iou: Annotated[str | None, Option(metavar="T", help="IoU threshold. [default: the protocol's first]")] = None,
    interpolation: Annotated[
        str | None, Option(metavar="11|101|all|raw", help="Of pr. [default: the protocol's]")
    ] = None,
    score: Annotated[
        str | None,
        Option(metavar="S", help="Score threshold of confusion and timeline. [default: that of the best F1]"),
    ] = None,
    limit: Annotated[
        str | None, Option(metavar="N", help="Detections that ranking lists, tracks of timeline. [default: 24; 80]")
    ] = None,
    protocol: ProtocolName = "coco",
    sets: Sets = None,
    width: Annotated[
        str | None, Option(metavar="INCHES", help="3.5 for a column, 7 for a page. [default: as it needs]")
    ] = None,
    height: Annotated[str | None, Option(metavar="INCHES", help="[default: as it needs]")] = None,
    dpi: Annotated[str | None, Option(metavar="N", help="Resolution of PNG. [default: 300; with --all 150]")] = None,
    form: Annotated[
        str | None,
        Option("--format", metavar="png|svg|pdf", help="Files that --all writes. [default: png]", group=OUTPUT),
    ] = None,
    window: Annotated[bool, Option("--show", help="Open a window, where there is a display.")] = False,
    quiet: Quiet = False,
    strict: Strict = False,
    *,
    said: Said,
) -> int:
    """Draw figures of evaluations: precision-recall curves, scores, recall, classes, confusion, sizes, rankings.

    Numbers in figures are those of `boxscore eval` with the same protocol.
    """
    kind, truth, detections = _arguments(words, everything)
    given = {"--class": label, "--iou": iou, "--interpolation": interpolation, "--score": score, "--limit": limit,
             "--format": form}  # fmt: skip
    for option, value in given.items():
        if value is not None and option not in TAKES[kind]:
            raise UsageError(f"{option} does not apply to {kind}, which takes {', '.join(TAKES[kind])}")
    need_matplotlib()
    options.check_once([truth, *detections, *inputs(said)])
    if target is None and not window:
        raise UsageError(f"-o is missing; expected a {'folder to write' if everything else 'file to write, or --show'}")
    if everything:
        output.one_of("format", form or "png", ENDINGS)
        _check_folder(target, window)
    elif target is not None:
        _check_file(target, [truth, *detections, *inputs(said)])
    chosen, at = _protocol(protocol, sets or [], iou, kind)
    asked = _asked(kind, label, at, interpolation, options.number("--score", score), limit)
    inches = {"width": options.number("--width", width), "height": options.number("--height", height)}
    dots = options.number("--dpi", dpi) or 300.0
    if not 10 <= dots <= 2400:
        raise UsageError(f"--dpi {dpi}; expected a number from 10 to 2400")
    if window:
        from boxscore.report.figures.window import check_display

        check_display()
    needs = ("tubes",) if kind == "timeline" else ()  # so that videos and tracks are read
    results = evaluate.evaluated(truth, detections, reading(said), [chosen], [], quiet, keep=True, needs=needs)
    output.tell_findings(f for r in results for f in r.ledger.findings)
    if everything:
        assert target is not None
        _write_all(results, target, form or "png", asked, inches, options.number("--dpi", dpi), quiet)
    else:
        _one(kind, results, target, window, asked, inches, dots, quiet)
    return evaluate.suspicious(results) if strict else OK


def _arguments(words: list[str], everything: bool) -> tuple[str, str, list[str]]:
    """The kind, the ground truth and the detection sets."""
    if everything:
        if words[0] in KINDS and not Path(words[0]).exists():
            raise UsageError(f"--all takes no KIND; expected TRUTH and DETECTIONS instead of '{words[0]}'")
        if len(words) < 2:
            raise UsageError("plot --all needs TRUTH and DETECTIONS")
        return "--all", words[0], words[1:]
    kind = output.one_of("figure", words[0], list(KINDS))
    if len(words) < 3:
        raise UsageError(f"plot {kind} needs TRUTH and DETECTIONS")
    return kind, words[1], words[2:]


def _check_file(target: Path, others: list[str]) -> None:
    if target.suffix.lower().removeprefix(".") not in ENDINGS:
        ending = f"unknown ending '{target.suffix}'" if target.suffix else "no ending"
        raise UsageError(f"-o {target}: {ending}; expected .png, .svg or .pdf")
    output.check_target(target, others)


def _check_folder(target: Path | None, window: bool) -> None:
    """Refuses a folder that holds anything: nothing is ever deleted or replaced."""
    if target is None or window:
        raise UsageError("--all cannot be combined with --show; expected -o FOLDER")
    if target.is_dir() and any(target.iterdir()):
        raise UsageError(f"-o {target}: the folder is not empty; expected a new or empty one (nothing is overwritten)")
    if target.exists() and not target.is_dir():
        raise UsageError(f"-o {target}: a file; expected a folder")
    if not target.absolute().parent.is_dir():
        raise UsageError(f"-o {target}: there is no folder '{target.parent}'")


def _protocol(name: str, sets: list[str], iou: str | None, kind: str) -> tuple[Protocol, float | None]:
    """The protocol, and the threshold to look at: one of its own, or one that makes it a variant."""
    own = options.single_protocol(name, sets)
    if iou is None:
        return own, None
    try:
        at = float(iou)
    except ValueError:
        at = -1.0
    if kind != "recall-iou" and any(abs(t - at) < 1e-9 for t in own.iou):
        return own, at
    return options.single_protocol(name, sets, iou), None


def _asked(
    kind: str, label: str | None, iou: float | None, interpolation: str | None, score: float | None, limit: str | None
) -> dict[str, Any]:
    """The options as the view of a kind takes them."""
    values = {"--class": ("label", label), "--iou": ("iou", iou), "--interpolation": ("interpolation", interpolation),
              "--score": ("score", score)}  # fmt: skip
    if kind in ("recall-iou", "counts", "sizes"):
        del values["--iou"]  # it is in the protocol
    asked = {key: value for option, (key, value) in values.items() if option in TAKES[kind]}
    if limit is not None:
        asked["rows"] = options.count("--limit", limit, least=1)
    return asked


def _one(
    kind: str, results: list[Result], target: Path | None, window: bool, asked: dict[str, Any],
    inches: dict[str, float | None], dpi: float, quiet: bool,
) -> None:  # fmt: skip
    if target is not None:
        from boxscore.report.figures.making import made
        from boxscore.report.figures.saving import as_bytes

        figure = made(kind, module(kind, "views").view(results, **asked), **inches)
        _note_missing(figure.fonts.missing, quiet)
        output.write_file(as_bytes(figure.figure, target.suffix.lower()[1:], dpi), target)
        output.status(f"written     {target}", quiet)
    if window:
        from boxscore.report.figures.window import show

        show(kind, results, **inches, **asked)


def _write_all(
    results: list[Result], target: Path, form: str, asked: dict[str, Any], inches: dict[str, float | None],
    dpi: float | None, quiet: bool,
) -> None:  # fmt: skip
    from boxscore.report.figures.everything import DPI, files
    from boxscore.report.figures.fonts import fonts_for

    _note_missing(fonts_for(row.name for r in results for row in r.per_class).missing, quiet)
    with output.progress("drawing", quiet) as tell:
        drawn = files(results, form, dpi=dpi or DPI, tell=tell, **{**asked, **inches})
        count = place(drawn, target, overwrite=True)  # of an empty folder, which was checked
    output.status(f"written     {target}: {count:,} files", quiet)


def _note_missing(missing: frozenset[str], quiet: bool) -> None:
    if missing:
        codes = ", ".join(sorted(f"U+{ord(c):04X}" for c in missing)[:5]) + (", …" if len(missing) > 5 else "")
        output.status(
            f"note        no installed font has {codes}; written as codes (Noto Sans has most scripts)", quiet
        )
