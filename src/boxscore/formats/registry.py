"""The formats: the records of all modules beside this one, and of other packages by entry point."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from boxscore.errors import InputError
from boxscore.formats.record import Foreign, Format, Known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_HERE = "boxscore.formats"
GROUP = _HERE  # of entry points, each `module:FORMATS`
_SHARED = {
    "arrays",
    "content",
    "holding",
    "io",
    "recognise",
    "record",
    "registry",
    "words",
}  # of `boxscore.formats`, what is no format


def each() -> Iterator[Known]:
    """All records of this package, in no special order; a module is imported when its turn comes."""
    for module in _modules():
        yield from _records(module)


@cache
def known(everything: bool = True) -> tuple[Known, ...]:
    """All records in the order in which lists name them; those of other packages, slow to find, at the end."""
    own = tuple(sorted(each(), key=_place))
    if not everything:
        return own
    names = {record.name for record in own}
    return (*own, *(record for record in of_others() if record.name not in names))


@cache
def formats(everything: bool = True) -> tuple[Format, ...]:
    """The formats that are read or written."""
    return tuple(record for record in known(everything) if isinstance(record, Format))


def described(name: str, is_file: bool = True) -> str:
    """The format of the folder that a file describes and is given for, such as a data.yaml; empty where it is none."""
    lower = name.lower()
    fitting = (form.name for form in formats(everything=False) if form.sheets and lower.endswith(form.sheets))
    return next(fitting, "") if is_file else ""


@cache
def foreign() -> dict[str, Foreign]:
    """What is known by name and refused."""
    return {record.name: record for record in known(everything=False) if isinstance(record, Foreign)}


@cache
def names(side: str) -> tuple[str, ...]:
    """The formats that can be read as one side."""
    return tuple(form.name for form in formats() if getattr(form, side))


@cache
def asked(kind: str, everything: bool = True) -> tuple[Known, ...]:
    """Records whose files are of a kind, in the order in which their signs are asked."""
    of_kind = [record for record in known(everything) if record.kind == kind]
    return tuple(sorted(of_kind, key=lambda record: -_depth(record)))


def find(name: str) -> Format | None:
    """The format of a name, if there is one."""
    for record in _guessed(name):  # mostly: then nothing else is imported
        if record.name == name:
            return record
    for everything in (False, True):
        for form in formats(everything):
            if form.name == name:
                return form
    return None


def of_table(table: str) -> Format | None:
    """The format that a table says it was read from; None for arrays. Who read a table has been imported already."""
    loaded = [record for module in _modules() if f"{_HERE}.{module}" in sys.modules for record in _records(module)]
    others = of_others() if of_others.cache_info().currsize else ()
    for record in (*_guessed(table), *loaded, *others):
        if isinstance(record, Format) and table in (record.tables or (record.name,)):
            return record
    return None


def lookup(name: str) -> Format:
    """The format of a name that is known."""
    form = find(name)
    if form is None:
        raise KeyError(name)
    return form


@cache
def of_others() -> tuple[Known, ...]:
    """The records of other packages."""
    from importlib.metadata import entry_points  # takes as long as all the rest of a small evaluation

    found: dict[str, Known] = {}
    for point in sorted(entry_points(group=GROUP)):
        for record in loaded(point):
            found.setdefault(record.name, record)
    return tuple(sorted(found.values(), key=_place))


def loaded(point: EntryPoint) -> tuple[Known, ...]:
    """The records of an entry point."""
    try:
        records: tuple[Known, ...] = point.load()
    except MemoryError:
        raise
    except Exception as error:
        found = f"the entry point '{point.name}' does not load ({error})"
        raise InputError(GROUP, found, "a module with FORMATS", "Repair or uninstall its package.") from error
    return records


def _depth(record: Known) -> int:
    """How many formats a record goes before, one after the other."""
    depth = 0
    while record.before:
        depth, record = depth + 1, next(one for one in known(everything=False) if one.name == record.before)
    return depth


def _place(record: Known) -> tuple[int, str]:
    return record.listed, record.name


def _guessed(name: str) -> Iterator[Format]:
    """The formats of the module that a name stands for, if there is one."""
    module = name.replace("-", "_")
    for guess in (module, module.partition("_")[0]):
        if guess in _modules():
            yield from (record for record in _records(guess) if isinstance(record, Format))


@cache
def _modules() -> tuple[str, ...]:
    """Modules of formats, folders first."""
    listed = iter_modules([str(Path(__file__).parent)])
    return tuple(m.name for m in sorted(listed, key=lambda m: (not m.ispkg, m.name)) if m.name not in _SHARED)


@cache
def _records(module: str) -> tuple[Known, ...]:
    records: tuple[Known, ...] = import_module(f"{_HERE}.{module}").FORMATS
    return records
