"""What a pickled result holds: records by name with their fields, and no module's place.

So modules may move and records gain fields: `PLACES` says where a record is today, a field that is not stored gets its
default. A result that does not fit any more is refused with the reason. This module itself must stay where it is.
"""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from typing import Any

from boxscore.errors import UsageError

FORM = 1  # goes up when records alone cannot say what has changed
PLACES = {
    "Account": "evaluation.ledger",
    "Area": "protocols",
    "ClassRow": "evaluation.per_class",
    "Classes": "tables.model",
    "Deviation": "protocols",
    "Entry": "evaluation.ledger",
    "Finding": "diagnostics.findings",
    "ImageAccount": "evaluation.ledger",
    "Ledger": "evaluation.ledger",
    "Protocol": "protocols",
    "ReportedPoint": "analysis.thresholds",
    "Result": "evaluation.result",
    "Side": "evaluation.result",
    "Tally": "evaluation.tally",
}
_NAME = ""  # the key that holds a record's name; no field and no metric has it


def stored(value: Any) -> Any:
    """A value with its records as dictionaries; arrays stay as they are."""
    kind = type(value)
    if kind.__module__.partition(".")[0] == "boxscore":
        assert PLACES.get(kind.__name__), f"{kind.__name__} has no place among the records of a pickled result"
        return record(kind.__name__, {name: getattr(value, name) for name in _fields(kind)})
    if kind is dict:
        return {key: stored(one) for key, one in value.items()}
    return kind(map(stored, value)) if kind in (tuple, list) else value


def record(name: str, values: dict[str, Any]) -> dict[str, Any]:
    """A record of that name with these fields, which may hold records."""
    return {_NAME: name, **{field: stored(value) for field, value in values.items()}}


def restored(form: int, version: str, value: Any) -> Any:
    """What `stored` was given, in a process that may know other fields; pickles call this by its name."""
    if form != FORM:
        raise _unfit(version, f"its form is {form}; expected {FORM}")
    return _restored(version, value)


def _restored(version: str, value: Any) -> Any:
    if type(value) in (tuple, list):
        return type(value)(_restored(version, one) for one in value)
    if type(value) is not dict:
        return value
    values = {key: _restored(version, one) for key, one in value.items() if key != _NAME}
    if _NAME not in value:
        return values
    name = value[_NAME]
    if name not in PLACES:
        raise _unfit(version, f"it holds the record '{name}', which is unknown here")
    kind = getattr(import_module(f"boxscore.{PLACES[name]}"), name)
    known = _fields(kind)
    for unknown in values.keys() - known.keys():
        raise _unfit(version, f"its {name} has the field '{unknown}', which is unknown here")
    for missing in (field for field, optional in known.items() if not optional and field not in values):
        raise _unfit(version, f"its {name} lacks the field '{missing}'")
    return getattr(kind, "_of_fields", kind)(**values)


def _fields(kind: type) -> dict[str, bool]:
    """The fields of a record, and whether each has a default."""
    if is_dataclass(kind):
        return {f.name: f.default is not MISSING or f.default_factory is not MISSING for f in fields(kind) if f.init}
    names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    return {name: name in kind._field_defaults for name in names}  # type: ignore[attr-defined]


def _unfit(version: str, why: str) -> UsageError:
    from boxscore import __version__

    return UsageError(
        f"a result pickled by boxscore {version} cannot be loaded by boxscore {__version__}: {why}\n"
        f"  Load it with boxscore {version} and store its to_dict(), which Result.from_dict reads."
    )
