"""Which format a path has, by what is in it."""

from __future__ import annotations

import re

from boxscore.errors import InputError
from boxscore.formats.files import Files
from boxscore.formats.registry import BY_NAME, OF_SIDE
from boxscore.formats.source import Source

_LINES = 50  # that are looked at


def recognise(files: Files, side: str, stated: str | None) -> str:
    """The format of one side, as stated or by content; an error says what was looked for."""
    form = stated or (_of_file(files.source(), side) if files.is_file else _of_folder(files, side))
    if form not in OF_SIDE[side]:
        hint = "Truth comes first, then detections; were they swapped?"
        raise InputError(files.name, f"what looks like {BY_NAME[form].looks}", looked_for(side), hint)
    if BY_NAME[form].folder == files.is_file:
        raise misfit(files.name, "a file" if files.is_file else "a folder", form)
    return form


def misfit(name: str, found: str, stated: str) -> InputError:
    """What to say where a folder was found and a file stated, or the other way round."""
    return InputError(name, f"{found}, stated as {stated}", BY_NAME[stated].looks)


def looked_for(side: str) -> str:
    """The formats of a side, as messages list them."""
    *most, last = (BY_NAME[form].looks for form in OF_SIDE[side])
    return f"{', '.join(most)} or {last}"


def _of_folder(files: Files, side: str) -> str:
    from boxscore.formats.voc_results import NAMED  # not needed for files

    top = files.only(path for path in files.paths if "/" not in path)
    if any(NAMED.fullmatch(name) for name in top.paths):
        return "voc-results"
    texts = bool(top.ending(".txt"))
    if texts and side == "detections":
        return "text"
    flat = bool(top.ending(".xml")) or any(path.startswith("Annotations/") for path in files.paths)
    return "voc-xml" if flat or (not texts and files.ending(".xml")) else "text"


def _of_file(source: Source, side: str) -> str:
    start = source.beginning()
    if start.lstrip()[:1] in ("{", "[") or source.name.lower().endswith((".json", ".json.gz")):
        return "coco"
    lines = [line for line in start.splitlines(keepends=True) if line.strip()][:_LINES]
    names = {name.strip(' \t\r\n"').casefold() for name in re.split("[,;\t]", lines[0])} if lines else set()
    named = {"imageid", "labelname"} <= names or "predictionstring" in names
    if named or source.name.lower().endswith((".csv", ".csv.gz")):
        return "open-images"
    if len(lines) > 1 and not lines[-1].endswith(("\n", "\r")):
        lines.pop()  # it may go on
    rows = [line.split() for line in lines]
    if rows and all(_are_numbers(row) for row in rows):
        if all(len(row) == 7 for row in rows):
            return "imagenet-det"
        if all(len(row) % 5 == 0 and all(word.isdecimal() for word in row[::5]) for row in rows):
            return "imagenet-loc"
    found = f"it begins with '{lines[0].strip()[:40]}'" if lines else "the file is empty"
    raise InputError(source.name, found, looked_for(side), f"State it with {side}_format.")


def _are_numbers(words: list[str]) -> bool:
    try:
        return len([float(word) for word in words]) > 0
    except ValueError:
        return False
