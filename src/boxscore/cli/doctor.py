"""`boxscore doctor TRUTH [DETECTIONS]`: what is wrong with files, the evidence, and a corrected copy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from boxscore import __version__
from boxscore.cli import options, output
from boxscore.cli.codes import INPUT, OK, SUSPICIOUS
from boxscore.cli.declared import Argument, Option
from boxscore.cli.reading_options import Said, as_options, inputs, reading, with_reading
from boxscore.formats.registry import BY_NAME
from boxscore.joining.read import Reading
from boxscore.tables.model import Truth, select

if TYPE_CHECKING:
    from boxscore.diagnostics.diagnosis import Checkup

FORMATS = ("table", "json")


@with_reading
def command(
    truth: Annotated[str, Argument(metavar="TRUTH", help="Ground truth in any format that is read.")],
    detections: Annotated[
        str | None, Argument(metavar="DETECTIONS", help="Detections, in any format that is read.")
    ] = None,
    fix: Annotated[
        Path | None,
        Option(
            metavar="OUT",
            help="Write a corrected copy of the wrong side, in its format; OUT must not be there yet. "
            "If both sides are wrong, OUT-truth and OUT-detections (before the ending).",
        ),
    ] = None,
    train: Annotated[
        str | None, Option(metavar="PATH", help="Truth of the training set, to find images that are in both.")
    ] = None,
    form: Annotated[
        str | None,
        Option("--format", metavar="table|json", help="Output. [default: by FILE's ending, else table]"),
    ] = None,
    file: Annotated[Path | None, Option("--output", "-o", metavar="FILE", help="Write to a file.")] = None,
    strict: Annotated[bool, Option("--strict", help="Exit with 4 if there is an error or a warning.")] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="No status on standard error.")] = False,
    *,
    said: Said,
) -> int:
    """Find out what is wrong with files: misread boxes, shifted numbers, odd scores, doubtful annotations."""
    from boxscore.checkup import doctor_of
    from boxscore.report.checkup import Given, as_text, dumps

    form = output.one_of("format", form or output.by_ending(file, FORMATS), FORMATS)
    paths = (truth,) if detections is None else (truth, detections)
    options.check_once([*paths, train, *inputs(said)])
    if file is not None:
        output.check_target(file, [*paths, *inputs(said)])
    if fix is not None:
        for target in (fix, *(_target(fix, side) for side in ("truth", "detections"))):
            output.check_place(target, f"--fix {fix}: {target} is there already; expected a new path", quiet)
    how = reading(said if fix is None else {**said, "shapes": "yes"})
    made, given = doctor_of(truth, detections, how, train), Given(paths, as_options(said))
    if form == "json":
        output.deliver(dumps(made, __version__, given), file, quiet)
    elif file is not None:
        output.deliver(as_text(made, given), file, quiet)
    else:
        output.write(as_text(made, given, output.columns()))
    if fix is not None:
        _write(made, fix, how, quiet)
    if made.unreadable:
        return INPUT
    suspicious = made.at_least("warning") or any(f.severity == "warning" for f in made.findings)
    return SUSPICIOUS if strict and suspicious else OK


def _target(fix: Path, side: str) -> Path:
    """Where a side goes if both do."""
    return fix.with_name(f"{fix.stem}-{side}{fix.suffix}")


def _write(made: Checkup, fix: Path, how: Reading, quiet: bool) -> None:
    """Writes the sides that differ once mended."""
    from boxscore.formats.io.writing import Writing, write

    wrong = [side for side in ("truth", "detections") if made.fixed is not None and made.mended(side)]
    if not wrong:
        output.status("nothing to write: no diagnosis has a correction", quiet)
    for side in wrong:
        assert made.fixed is not None
        table = made.fixed.truth if side == "truth" else made.fixed.detections
        assert table is not None
        target = fix if len(wrong) == 1 else _target(fix, side)
        form = _writable(table.format, side)
        if form != table.format.removesuffix("-results"):
            output.status(f"note        {table.format} cannot be written; {form} is", quiet)
        keep = (table.image >= 0) & (table.label >= 0)  # no format can hold the others
        table = select(table, keep) if isinstance(table, Truth) else select(table, keep)  # noqa: RUF034
        stated = how.of(side)  # written as it was read
        listed = table.format == "coco-results"  # such a list stays one
        write(table, target, form, Writing(stated.box, stated.coords, stated.confidence, listed=listed))
        codes = ", ".join(dict.fromkeys(d.code for d in made if d.fix is not None and d.mends and d.side == side))
        output.status(f"written     {target} ({form}): the {side} without {codes}", quiet)


def _writable(name: str, side: str) -> str:
    """The format of a table if it can be written, else COCO's."""
    form = BY_NAME.get(name) or BY_NAME.get(name.removesuffix("-results"))
    able = form is not None and (form.write_truth if side == "truth" else form.write_detections)
    return form.name if form is not None and able else "coco"
