"""Class maps: which class of the detections is which of the truth, a pair on each line or a JSON object."""

from __future__ import annotations

import csv
import re
from os import PathLike

from boxscore.errors import InputError
from boxscore.formats.io.delimited import lines_of
from boxscore.formats.io.json_text import json_of
from boxscore.formats.io.source import Source, open_source

_EXPECTED = "`detections name = truth name` on each line, from,to as CSV, or a JSON object"
_HEADERS = (["from", "to"], ["detections", "truth"])
_COMMENT = re.compile(r"(^|\s)#.*")


def read_class_map(path: str | PathLike[str]) -> dict[str, str]:
    """The names of the truth by those of the detections."""
    source = open_source(path)
    pairs = _of_json(source) if source.first_character() in ("{", "[") else _of_lines(source)
    if not pairs:
        raise InputError(source.name, "no classes", _EXPECTED)
    return pairs


def _of_json(source: Source) -> dict[str, str]:
    values = json_of(source, _EXPECTED)
    if not isinstance(values, dict):
        raise InputError(source.name, "a list", "a JSON object of names")
    for name, other in values.items():
        if not isinstance(other, str) or not other.strip() or not name.strip():
            raise InputError(source.name, f"'{name}' is {other!r}", "the name of a class of the truth")
    return {name.strip(): other.strip() for name, other in values.items()}


def _of_lines(source: Source) -> dict[str, str]:
    pairs: dict[str, str] = {}
    places: dict[str, int] = {}
    for number, line in enumerate(lines_of(source), 1):
        text = _COMMENT.sub("", line).strip()
        if not text:
            continue
        parts = _parts(text)
        if not pairs and [part.lower() for part in parts] in _HEADERS:
            continue
        if len(parts) != 2 or not all(parts):
            raise InputError(f"{source.name}:{number}", f"'{line.strip()[:60]}'", _EXPECTED)
        name, other = parts
        if name in pairs:
            found = f"'{name}' stands on line {places[name]} already"
            raise InputError(f"{source.name}:{number}", found, "each class of the detections once")
        pairs[name], places[name] = other, number
    return pairs


def _parts(text: str) -> list[str]:
    """Both names of a line; what separates is the first of `->`, `=` and a comma that it has."""
    for separator in ("->", "="):
        if separator in text:
            return [part.strip() for part in text.split(separator)]
    return [part.strip() for part in next(csv.reader([text], skipinitialspace=True))]
