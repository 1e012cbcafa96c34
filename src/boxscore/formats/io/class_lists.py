"""Lists of class names by number: a name on each line, `names` of a data.yaml, or a label map (pbtxt)."""

from __future__ import annotations

import re
from os import PathLike
from typing import Any

from boxscore.errors import InputError
from boxscore.formats.io.delimited import lines_of
from boxscore.formats.io.label_map import read_label_map
from boxscore.formats.io.source import open_source

_EXPECTED = "a class name on each line"
_NAMES = "`names` as a list or by number"
_YAML = re.compile(r"^['\"]?names['\"]?\s*:", re.MULTILINE)
_LABEL_MAP = re.compile(r"^\s*item\s*:?\s*\{", re.MULTILINE)


def read_class_names(path: str | PathLike[str]) -> tuple[str, ...]:
    """The classes of a file in the order of their numbers: the first is number 0.

    Label maps number from 1 and leave gaps; their classes count here by ascending number.
    """
    source = open_source(path)
    lines = lines_of(source)
    text = "\n".join(lines)
    if _LABEL_MAP.search(text):
        return read_label_map(path).name
    if _YAML.search(text):
        return _different(source.name, _of_yaml(source.name, text))
    names = [line.strip() for line in text.rstrip().split("\n")]
    if names == [""]:
        raise InputError(source.name, "no class names", _EXPECTED)
    first: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        place = f"{source.name}:{number}"
        if not name:
            raise InputError(place, "an empty line", _EXPECTED)
        if name in first:
            raise InputError(place, f"'{name}' stands on line {first[name]} already", "each class once")
        first[name] = number
    return tuple(names)


def _of_yaml(source: str, text: str) -> list[str]:
    import yaml  # only such lists need it

    try:
        values: Any = yaml.load(text, Loader=yaml.BaseLoader)  # makes texts only: a class may be called `no`
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        place = source if mark is None else f"{source}:{mark.line + 1}"
        raise InputError(place, f"invalid YAML ({problem or 'odd characters'})", _NAMES) from None
    names = values.get("names") if isinstance(values, dict) else None
    if isinstance(names, dict):
        if {*names} != {str(number) for number in range(len(names))}:
            wrong = next(key for key in names if key not in {str(number) for number in range(len(names))})
            raise InputError(source, f"names has the number '{wrong}'", f"the numbers 0 to {len(names) - 1}")
        names = [names[str(number)] for number in range(len(names))]
    if not isinstance(names, list) or not names or not all(isinstance(name, str) and name.strip() for name in names):
        raise InputError(source, "`names` without class names", _NAMES)
    return [name.strip() for name in names]


def _different(source: str, names: list[str]) -> tuple[str, ...]:
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(source, f"names has '{twice}' twice", "each class once")
    return tuple(names)
