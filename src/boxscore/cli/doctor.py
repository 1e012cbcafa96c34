"""`boxscore doctor TRUTH [DETECTIONS]`: what is wrong with files, the evidence, and a corrected copy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from boxscore import __version__
from boxscore.cli import options, output
from boxscore.cli.codes import GATE, INPUT, OK, SUSPICIOUS
from boxscore.cli.common import File, MaybeDetections, Quiet, Truth
from boxscore.cli.declared import Option
from boxscore.cli.groups import OUTPUT
from boxscore.cli.reading_options import Said, as_options, inputs, reading, with_reading
from boxscore.joining.read import ReadOptions

if TYPE_CHECKING:
    from boxscore.diagnostics.diagnoses import Checkup

FORMATS = ("table", "json")
ENDINGS = {".zip": "zip", ".tar": "tar", ".json": "file", ".csv": "file", ".xml": "file", ".txt": "file"}
SIDES = ("truth", "detections")


@with_reading
def command(
    truth: Truth,
    detections: MaybeDetections = None,
    fix: Annotated[
        Path | None,
        Option(
            metavar="OUT",
            help="Write a corrected copy of the wrong side, in its format and layout; OUT must not be there yet. "
            "If both sides are wrong, OUT-truth and OUT-detections (before the ending).",
        ),
    ] = None,
    train: Annotated[
        str | None, Option(metavar="PATH", help="Truth of the training set, to find images that are in both.")
    ] = None,
    form: Annotated[
        str | None,
        Option("--format", metavar="table|json", help="Output. [default: by FILE's ending, else table]", group=OUTPUT),
    ] = None,
    file: File = None,
    strict: Annotated[bool, Option("--strict", help="Exit with 4 if there is a warning (1 if an error).")] = False,
    quiet: Quiet = False,
    *,
    said: Said,
) -> int:
    """Find out what is wrong with files: misread boxes, shifted numbers, odd scores, doubtful annotations."""
    from boxscore.checkup import doctor_of
    from boxscore.checkup.files import at_hand
    from boxscore.report.checkup import Given, as_text, dumps

    form = output.chosen_form(form, file, FORMATS)
    paths = (truth,) if detections is None else (truth, detections)
    options.check_once([*paths, train, *inputs(said)])
    if file is not None:
        output.check_target(file, [*paths, *inputs(said)])
    if fix is not None:
        for target in (fix, *(_target(fix, side) for side in SIDES)):
            output.check_place(target, f"--fix {fix}: {target} already exists; expected a new path", quiet)
    how = reading(said if fix is None else {**said, "shapes": "yes"})
    sides = [at_hand(path) for path in paths]  # read again for --fix, and a pipe is empty after one
    made, given = (
        doctor_of(sides[0], sides[1] if detections is not None else None, how, train),
        Given(paths, as_options(said)),
    )
    if form == "json":
        output.deliver(dumps(made, __version__, given), file, quiet)
    elif file is not None:
        output.deliver(as_text(made, given), file, quiet)
    else:
        output.write(as_text(made, given, output.columns()))
    if fix is not None:
        _write(made, fix, sides, how, quiet)
    if made.unreadable:
        return INPUT
    if made.at_least("error"):
        return GATE
    suspicious = made.at_least("warning") or any(f.severity == "warning" for f in made.findings)
    return SUSPICIOUS if strict and suspicious else OK


def _target(fix: Path, side: str) -> Path:
    """Where a side goes if both do."""
    return fix.with_name(f"{fix.stem}-{side}{fix.suffix}")


def _write(made: Checkup, fix: Path, paths: Sequence[Any], how: ReadOptions, quiet: bool) -> None:
    """Writes the sides that differ once corrected, each in the kind of container that it was read from."""
    from boxscore.formats.io.placing import place
    from boxscore.joining.rewriting import check_read_back, rewritten

    wrong = [side for side in SIDES if made.fixed is not None and made.mended(side)]
    if not wrong:
        output.status("nothing to write: no diagnosis has a correction", quiet)
    for side in wrong:
        assert made.fixed is not None
        assert made.tables is not None
        at = SIDES.index(side)
        before, after, other = made.tables[at], made.fixed[at], made.fixed[1 - at]
        assert before is not None
        assert after is not None
        target = fix if len(wrong) == 1 else _target(fix, side)
        stated = _as_read(side, paths[at], how, made)
        copy = rewritten(paths[at], side, stated, before, after, made.fixed.truth)
        check = partial(check_read_back, side=side, how=stated, after=after, other=other)
        place(copy.files, target, check=check, tell=output.note(quiet))
        kind = ENDINGS.get(target.suffix.lower(), copy.container.kind)
        if kind != copy.container.kind:
            output.note(quiet)(f"{target} is a {copy.container.kind}, as {paths[at]} is, whatever its name says")
        for text in copy.notes:
            output.status(f"note        {target}: {text}")
        codes = ", ".join(dict.fromkeys(d.code for d in made if d.fix is not None and d.mends and d.side == side))
        output.status(f"written     {target} ({copy.form}{copy.container}): the {side} without {codes}", quiet)


def _as_read(side: str, path: Any, how: ReadOptions, made: Checkup) -> ReadOptions:
    """How a side was read in the end: under a statement of the doctor's, where it cannot be read without."""
    from boxscore.checkup.files import attempt

    if not made.unreadable or made.tables is None:
        return how
    return attempt(side, path, how, made.tables.truth if side == "detections" else None)[2]
