"""`boxscore convert IN OUT --to FORMAT`: annotations or detections in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from boxscore.cli import options, output
from boxscore.cli.codes import OK, SUSPICIOUS
from boxscore.cli.common import Quiet
from boxscore.cli.declared import Argument, Option
from boxscore.cli.reading_options import Said, inputs, reading, watched, with_reading
from boxscore.errors import UsageError
from boxscore.formats.holding import losses
from boxscore.formats.io.placing import place
from boxscore.formats.io.writing import Writing, made
from boxscore.formats.registry import formats, lookup
from boxscore.joining.read import read_detections, read_truth
from boxscore.joining.read_back import changes
from boxscore.tables.model import Detections, Truth

SIDES = ("truth", "detections")


@with_reading
def command(
    path: Annotated[str, Argument(metavar="IN", help="Annotations or detections in any format that is read.")],
    target: Annotated[Path, Argument(metavar="OUT", help="The file or folder to write; it must not be there yet.")],
    to: Annotated[
        str,
        Option(
            "--to", metavar="FORMAT", help="The format to write (see `boxscore formats`).", values="written-formats"
        ),
    ],
    side: Annotated[
        str, Option(metavar="truth|detections", help="What IN holds: objects, or detections with scores.")
    ] = "truth",
    truth: Annotated[
        str | None,
        Option(metavar="TRUTH", help="Ground truth that knows the images and classes of detections."),
    ] = None,
    write_box: Annotated[
        str | None,
        Option(metavar="xywh|xyxy|cxcywh", help="How to write boxes, where the format leaves it open."),
    ] = None,
    write_coords: Annotated[
        str | None, Option(metavar="absolute|relative", help="Pixels or shares, where the format leaves it open.")
    ] = None,
    write_confidence: Annotated[
        str | None, Option(metavar="first|last", help="Where YOLO's confidence goes. [default: last]")
    ] = None,
    write_split: Annotated[str | None, Option(metavar="NAME", help="The split to write, where there are any.")] = None,
    write_rows: Annotated[
        str | None,
        Option(
            metavar="box|polygon|pose",
            help="What rows of YOLO hold. [default: polygons where they give the box, else boxes; poses where there "
            "are keypoints and no polygons]",
        ),
    ] = None,
    overwrite: Annotated[
        bool, Option("--overwrite", help="Replace OUT; a folder only if it holds nothing else.")
    ] = False,
    strict: Annotated[
        bool, Option("--strict", help="Write nothing and exit with 4 if anything would be lost.")
    ] = False,
    quiet: Quiet = False,
    *,
    said: Said,
) -> int:
    """Write annotations in another format; what it cannot hold is listed before anything is written."""
    output.one_of("side", side, SIDES)
    field = "write_truth" if side == "truth" else "write_detections"
    kind = "ground-truth format" if side == "truth" else "detections format"
    output.one_of(kind, to, [form.name for form in formats() if getattr(form, field)], "--to")
    how = Writing(write_box, write_coords, write_confidence, write_split, write_rows)
    if truth is not None and side == "truth":
        raise UsageError("--truth applies only with --side detections")
    refusal = "" if overwrite else f"{target}: already exists; expected a new path, or --overwrite"
    output.check_place(target, refusal, quiet)
    if overwrite:
        for name in (path, truth, *inputs(said)):
            if name not in (None, "-") and target.exists() and Path(str(name)).exists() and target.samefile(str(name)):
                raise UsageError(f"{target}: this is an input; expected another path")
    options.check_once([path, truth, *inputs(said)])
    table = _read(path, side, truth, said, quiet)
    lost = losses(table, lookup(to), measured=True)
    _say(lost)

    def check(written: Path) -> None:
        more = changes(table, written, to, how)
        _say(more)
        if (lost or more) and strict:
            raise _LossError

    try:
        place(made(table, to, how), target, overwrite, check, output.note(quiet))
    except _LossError:
        output.status(f"boxscore: {to} cannot hold everything; nothing was written (--strict)")
        return SUSPICIOUS
    boxes = "objects" if side == "truth" else "detections"
    output.status(f"written     {target} ({to}): {len(table.images):,} images, {len(table):,} {boxes}", quiet)
    return OK


class _LossError(Exception):
    """Something would be lost, and the user does not want that."""


def _say(lost: list[tuple[str, int]]) -> None:
    """Losses are findings: --quiet does not silence them."""
    for text, count in lost:
        output.status(f"dropped     {text} ({count:,})")


def _read(path: str, side: str, truth: str | None, said: Said, quiet: bool) -> Truth | Detections:
    table: Truth | Detections
    with watched(reading({**said, "shapes": "yes"}), quiet) as how:
        if side == "truth":
            table, findings = read_truth(path, how)
        else:
            known, first = (None, []) if truth is None else read_truth(truth, how)
            table, findings = read_detections(path, how, known)
            findings = [*first, *findings]
    output.status(f"read        {output.what_was_read(table)}", quiet)
    output.tell_findings(findings)
    return table
