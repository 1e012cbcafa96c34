"""`boxscore formats [PATH]`: which format a path has and why, or all formats."""

from __future__ import annotations

from typing import Annotated

from boxscore.cli.codes import INPUT, OK
from boxscore.cli.declared import Argument, Option
from boxscore.cli.groups import OUTPUT
from boxscore.cli.output import columns, one_of, write, write_bytes


def command(
    path: Annotated[
        str | None, Argument(metavar="[PATH]", help="A file, a folder, an archive, or -; none lists the formats.")
    ] = None,
    side: Annotated[
        str | None, Option(metavar="truth|detections", help="What it is meant to be. [default: either]")
    ] = None,
    form: Annotated[str, Option("--format", metavar="table|json", help="How to write it.", group=OUTPUT)] = "table",
) -> int:
    """Say which format a path has, why, what else was considered, and what its content leaves open."""
    from boxscore.report import formats

    one_of("format", form, ("table", "json"))
    if side is not None:
        one_of("side", side, ("truth", "detections"))
    if path is None:
        write_bytes(formats.formats_json()) if form == "json" else write(formats.format_list(columns()))
        return OK
    from boxscore.formats.io.files import open_files
    from boxscore.formats.recognise.evidence import recognised

    answer = recognised(open_files(path))
    if form == "json":
        write_bytes(formats.answer_json(answer))
    else:
        write(formats.answer_text(answer, side, columns()))
    fits = any(formats.readable(c) if side is None else side in formats.readable(c) for c in answer.candidates)
    return OK if fits else INPUT
