"""JSON of small files beside the boxes: values, or a message with line and column."""

from __future__ import annotations

import json
from typing import Any

from boxscore.errors import InputError
from boxscore.formats.io.delimited import text_of
from boxscore.formats.io.json_once import loads
from boxscore.formats.io.source import Source


def json_of(source: Source, expected: str) -> Any:
    """The values of a file; a name that an object has twice is an error, as nobody could say which one counts."""
    with text_of(source) as file:
        text = file.read()
    try:
        return loads(text, source.name)
    except RecursionError:
        raise InputError(source.name, "JSON nested too deeply", expected) from None
    except json.JSONDecodeError as error:
        found = f"invalid JSON ({error.msg})"
        raise InputError(f"{source.name}:{error.lineno}:{error.colno}", found, expected) from None
    except ValueError:
        raise InputError(source.name, "a number with thousands of digits", expected) from None
