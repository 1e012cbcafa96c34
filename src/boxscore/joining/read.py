"""Reading of both sides: paths by format, COCO as Python values, tables as they are, arrays through `arrays`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, UsageError, first_few
from boxscore.formats.arrays import read as arrays
from boxscore.formats.arrays.columns import is_sheet
from boxscore.formats.arrays.results import is_array
from boxscore.formats.io.class_names import named_classes
from boxscore.formats.io.keywords import READING, options_from
from boxscore.formats.io.options import Numbered, Reading, ReadOptions
from boxscore.formats.io.source import Source
from boxscore.formats.record import Format
from boxscore.formats.registry import each, lookup
from boxscore.joining.units import in_one_unit, sized
from boxscore.joining.unused import OF_BOTH, OF_TRUTH, unused_boxes, unused_files
from boxscore.tables.arguments import a, checked, maybe
from boxscore.tables.model import Classes, Detections, Table, Truth

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from boxscore.formats.io.files import Files
    from boxscore.formats.io.keywords import ReadKeywords

__all__ = ["READING", "ReadOptions", "Reading", "read_detections", "read_truth"]

_EXPECTED = "a path, a table, a mapping of columns, a data frame, or a list with one mapping per image"


_HOW = maybe(a("ReadOptions", ReadOptions))


@checked(READING, how=_HOW)
def read_truth(
    side: Any, how: ReadOptions | None = None, **reading: Unpack[ReadKeywords]
) -> tuple[Truth, list[Finding]]:
    """The truth behind a path, a table, COCO values or arrays, and what is odd about it.

    How to read what the content does not say is in `how`, or in keywords of the same names.
    """
    how = options_from(reading, how).fresh()
    if isinstance(side, Detections):
        raise InputError("truth", "a table of detections", "a table of objects (Truth)")
    files, form, noted = _files(side, "truth", how)
    if files is not None:
        _from_0(how.of("truth"), form)
        truth, findings = lookup(form).reader("truth")(_as_read(files, form), how.of("truth"))
        findings = [*noted, *findings, *unused_boxes(how, "truth", form, truth.source)]
    elif isinstance(side, Truth):
        truth, findings = side, []
    else:
        truth, findings = arrays.read_truth(side, how.of("truth"))
    truth, findings = _without_invalid(truth, how, findings)
    if form and lookup(form).after:
        truth = lookup(form).function(lookup(form).after)(truth, how)
    if how.blacklist is not None:
        from boxscore.formats.io.blacklist import read_blacklist
        from boxscore.formats.io.image_classes import with_labels

        truth = with_labels(truth, read_blacklist(how.blacklist, truth))
    if side is not truth:
        findings += _repeated_names(truth)
    truth, more = sized(truth, how)
    return truth, [*findings, *more, *unused_files(how, OF_TRUTH, form)]


@checked(READING, how=_HOW, truth=maybe(a("a table of objects (Truth)", Truth)))
def read_detections(
    side: Any, how: ReadOptions | None = None, truth: Truth | None = None, **reading: Unpack[ReadKeywords]
) -> tuple[Detections, list[Finding]]:
    """The detections behind a path, a table, COCO values or arrays, and what is odd about them.

    `truth` is a help, not a condition: with it, images and classes that are all its own are joined at once. How to read
    what the content does not say is in `how`, or in keywords of the same names.
    """
    how = options_from(reading, how).fresh()
    if isinstance(side, Truth):
        raise InputError("detections", "a table of objects", "a table of detections (Detections)")
    findings: list[Finding] = []
    if isinstance(side, Detections):
        detections = side
    else:
        detections, findings = _read_detections(side, how, truth)
    more: list[Finding] = []
    if truth is not None and detections.images is not truth.images:
        from boxscore.formats.io.same_images import joined  # not needed for most tables

        detections, more = joined(detections, truth)
    detections, named = named_classes(detections, how, truth)
    findings += [*more, *named]
    if truth is None:
        detections, more = sized(detections, how)
    else:
        detections = _with_used_classes(detections, truth)
        if detections.relative and not truth.relative:
            _, detections, more = in_one_unit(truth, detections, how)
            findings += more
    return detections, findings


def _read_detections(side: Any, how: ReadOptions, truth: Truth | None) -> tuple[Detections, list[Finding]]:
    files, form, noted = _files(side, "detections", how)
    if files is not None:
        _from_0(how.of("detections"), form)
        read = lookup(form).reader("detections")
        detections, findings = read(_as_read(files, form), how.of("detections"), truth)
        findings = [*noted, *findings, *unused_boxes(how, "detections", form, detections.source)]
    else:
        detections, findings = arrays.read_detections(side, how.of("detections"), truth)
    detections, findings = _without_invalid(detections, how, findings)
    return detections, [*findings, *unused_files(how, OF_BOTH, form, "" if truth is None else truth.format)]


def _files(side: Any, name: str, how: ReadOptions) -> tuple[Files | Source | None, str, tuple[Finding, ...]]:
    """What to read, and in which format: a file, a folder, COCO values, or (None) a table or arrays."""
    stated = how.truth_format if name == "truth" else how.detections_format
    if isinstance(side, (str, os.PathLike)):
        from boxscore.formats.io.files import open_files, skipped  # not needed for tables and arrays
        from boxscore.formats.recognise import misfit, recognise

        path = os.fspath(side)
        if "\0" in path or not path:
            raise InputError(name, f"the path {path!r}", "the path of a file or folder")
        if path == "-" and stated is not None and lookup(stated).folder:
            raise misfit("standard input", "a file", stated)  # before anything waits for it
        files = open_files(side, how.tell)
        taken = recognise(files, name, stated, how.split)
        return taken.files, taken.form, (*skipped(files), *taken.findings)
    if isinstance(side, Truth):
        return None, "", ()
    for form in each():
        if isinstance(form, Format) and form.values and (values := form.function(form.values)(name, side)) is not None:
            return values, form.name, ()
    if is_array(side) or is_sheet(side) or (isinstance(side, Sequence) and not isinstance(side, (bytes, bytearray))):
        return None, "", ()
    raise InputError(name, f"a value of type {type(side).__name__}", _EXPECTED)


def _from_0(how: ReadOptions, form: str) -> None:
    """Raises where class numbers do not count from 0, and are of files, which only have a list of names."""
    if isinstance(how.classes, Numbered):
        found = f"classes has the numbers {first_few(how.classes.ids, len(how.classes))}"
        raise UsageError(f"{found}; expected the numbers from 0 on for files ({form})")


def _without_invalid(table: Table, how: ReadOptions, findings: list[Finding]) -> tuple[Table, list[Finding]]:
    """The table with an account of the records that its reader has left out; an error if there are no others."""
    if not how.invalid.errors:
        return table, findings
    if not len(table):
        raise how.invalid.nothing_left()
    return replace(table, rejected=(*table.rejected, *how.invalid.rejected())), [*findings, *how.invalid.findings()]


def _as_read(files: Files | Source, form: str) -> Files | Source:
    """As the reader of the format wants it: those of a single file get that."""
    if isinstance(files, Source):
        return files
    return files.source() if lookup(form).folder is False else files


def _with_used_classes(detections: Detections, truth: Truth) -> Detections:
    """The detections without listed classes that none of them has: only what is there can be unknown to the truth."""
    if detections.classes is truth.classes:
        return detections
    names, keys = detections.classes.name, detections.classes.id
    used = np.zeros(len(names), np.bool_)
    used[detections.label[detections.label >= 0]] = True
    kept = np.flatnonzero(used).tolist()
    classes = Classes(tuple(names[k] for k in kept), tuple(keys[k] for k in kept))
    label = np.append(np.cumsum(used) - 1, -1).astype(np.int32)[detections.label]
    return replace(detections, classes=classes, label=label)


def _repeated_names(truth: Truth) -> list[Finding]:
    names = truth.classes.name
    if len(set(names)) == len(names):
        return []
    repeated = sorted({name for name in names if names.count(name) > 1})
    return [finding("CLS002", len(names) - len(set(names)), first_few(repeated, len(repeated)))]
