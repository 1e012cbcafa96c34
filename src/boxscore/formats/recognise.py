"""Which format a path has, by what is in it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from boxscore.errors import InputError
from boxscore.formats.reading import DETECTIONS_FORMATS, TRUTH_FORMATS
from boxscore.formats.source import Source

FOLDERS = ("text", "voc-xml", "voc-results")
KNOWN = {"truth": TRUTH_FORMATS, "detections": DETECTIONS_FORMATS}
LOOKS = {
    "coco": "COCO (a JSON file)",
    "text": "text (a folder with a text file per image)",
    "open-images": "open-images (a CSV file with ImageID and LabelName)",
    "voc-xml": "voc-xml (a folder of XML files)",
    "voc-results": "voc-results (a folder with a text file per class, comp4_det_test_cat.txt)",
    "imagenet-det": "imagenet-det (lines of 7 numbers)",
    "imagenet-loc": "imagenet-loc (lines of groups of 5 numbers)",
}
_LINES = 50  # that are looked at


def recognise(source: Source | Path, side: str, stated: str | None) -> str:
    """The format of one side, as stated or by content; an error says what was looked for."""
    form = stated or (_of_folder(source, side) if isinstance(source, Path) else _of_file(source, side))
    name = str(source) if isinstance(source, Path) else source.name
    if form not in KNOWN[side]:
        hint = "Truth comes first, then detections; were they swapped?"
        raise InputError(name, f"what looks like {LOOKS[form]}", looked_for(side), hint)
    if (form in FOLDERS) != isinstance(source, Path):
        raise misfit(name, "a folder" if isinstance(source, Path) else "a file", form)
    return form


def misfit(name: str, found: str, stated: str) -> InputError:
    """What to say where a folder was found and a file stated, or the other way round."""
    return InputError(name, f"{found}, stated as {stated}", LOOKS[stated])


def looked_for(side: str) -> str:
    """The formats of a side, as messages list them."""
    *most, last = (LOOKS[form] for form in KNOWN[side])
    return f"{', '.join(most)} or {last}"


def _of_folder(folder: Path, side: str) -> str:
    from boxscore.formats.voc_results import NAMED  # not needed for files
    from boxscore.formats.voc_xml import xml_files

    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if not entry.name.startswith(".")]
    except OSError as error:
        raise InputError(str(folder), f"cannot be read ({error.strerror})") from None
    if any(NAMED.fullmatch(name) for name in names):
        return "voc-results"
    texts = any(name.lower().endswith(".txt") for name in names)
    if texts and side == "detections":
        return "text"
    flat = "Annotations" in names or any(name.lower().endswith(".xml") for name in names)
    return "voc-xml" if flat or (not texts and xml_files(folder, first=True)) else "text"


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
