"""The classes of detections under the names that the truth has for them: by the user's list and map, never by guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few, nearest
from boxscore.formats.io.options import ReadOptions
from boxscore.tables.model import Classes, Detections, Indices, Truth
from boxscore.tables.synonyms import suggestions


def named_classes(detections: Detections, how: ReadOptions, truth: Truth | None) -> tuple[Detections, list[Finding]]:
    """The detections with class names by the list and the map that are stated, and what may still be the same."""
    findings: list[Finding] = []
    if how.detections_classes is not None and _numbered(detections):
        detections = _by_line(detections, how.detections_classes, truth)
    if how.map_classes is not None:
        from boxscore.formats.io.class_maps import read_class_map  # few need it

        detections, findings = _renamed(detections, read_class_map(how.map_classes), str(how.map_classes), truth)
    stated = how.detections_classes is not None or how.map_classes is not None
    if truth is not None and not stated and _from_zero(truth) and _numbered(detections):
        from boxscore.formats.io.class_numbers import counted  # few need it

        detections, findings = counted(detections, truth)
    if truth is not None and detections.classes is not truth.classes:
        findings += _alike(detections, truth)
    return detections, findings


def _numbered(detections: Detections) -> bool:
    """Whether classes are ids that a list can name."""
    from boxscore.formats.registry import of_table  # few need it

    form = of_table(detections.format)
    return form is not None and detections.format in form.numbered


def _from_zero(truth: Truth) -> bool:
    """Whether class ids of the truth are numbers from 0 by its format."""
    from boxscore.formats.registry import of_table  # few need it

    form = of_table(truth.format)
    return form is not None and form.from_zero


def _by_line(detections: Detections, listed: Sequence[str], truth: Truth | None) -> Detections:
    """Category ids as lines of a list, counted from 0, unless the file itself names its categories."""
    classes = detections.classes
    ids = classes.id
    numbered = all(name == str(key) for name, key in zip(classes.name, ids, strict=True))
    if not all(isinstance(key, int) for key in ids) or not (numbered or (truth and classes is truth.classes)):
        return detections
    used = np.unique(detections.label[detections.label >= 0]).tolist()
    for k in used:
        if not 0 <= int(ids[k]) < len(listed):
            expected = f"numbers from 0 to {len(listed) - 1}, as the list of classes for the detections has"
            raise InputError(detections.source or "detections", f"category_id {ids[k]}", expected)
    table = np.full(len(ids), -1, np.int32)
    table[used] = [int(ids[k]) for k in used]
    classes = Classes(tuple(listed), tuple(listed))
    return replace(detections, classes=classes, label=np.append(table, np.int32(-1))[detections.label])


def _renamed(
    detections: Detections, pairs: Mapping[str, str], source: str, truth: Truth | None
) -> tuple[Detections, list[Finding]]:
    """The detections with classes renamed; several names may become one."""
    names = [_key(detections.classes, k, pairs) for k in range(len(detections.classes))]
    met = {name for name in names if name in pairs}
    known = {*truth.classes.name} if truth is not None else {*pairs.values()}
    if not met and len(names):
        hint = ""
        if {*pairs.values()} & {*names}:
            hint = "Its second names are those of the detections; is it the other way round?"
        raise InputError(
            source, f"none of its {len(pairs):,} classes is among the detections' ({first_few(names, len(names))})",
            "`detections name = truth name` on each line", hint,
        )  # fmt: skip
    own = detections.classes.name
    changed = [name in pairs and pairs[name] != before for name, before in zip(names, own, strict=True)]
    examples = [f"{name} = {pairs[name]}" for name, is_new in zip(names, changed, strict=True) if is_new]
    rows = int(np.array([*changed, False])[detections.label].sum())
    findings = [finding("MAP001", rows, first_few(examples, len(examples)))] if examples else []
    if idle := [name for name in pairs if name not in met]:
        findings.append(finding("MAP002", len(idle), first_few(idle, len(idle))))
    if strange := [name for name in dict.fromkeys(pairs.values()) if name not in known]:
        near = nearest(strange[0], known)
        some = first_few(strange, len(strange)) + (f"; did you mean '{near}' by '{strange[0]}'?" if near else "")
        findings.append(finding("MAP003", len(strange), some))
    targets = [pairs[name] if is_new else None for name, is_new in zip(names, changed, strict=True)]
    return _moved(detections, targets, truth), findings


def _moved(detections: Detections, targets: Sequence[str | None], truth: Truth | None) -> Detections:
    """The detections with each class under its new name; None stands for the old one."""
    classes = detections.classes
    shared = truth is not None and classes is truth.classes and {*targets} - {None} <= {*classes.name}
    kept = [k for k, target in enumerate(targets) if shared or target is None]
    names, ids = [classes.name[k] for k in kept], [classes.id[k] for k in kept]
    place = {name: k for k, name in reversed(list(enumerate(names)))}
    for target in targets:
        if target is not None and target not in place:
            place[target] = len(names)
            names.append(target)
            ids.append(target)
    old = dict(zip(kept, range(len(kept)), strict=True))
    table = [old[k] if target is None else place[target] for k, target in enumerate(targets)]
    label: Indices = np.array([*table, -1], np.int32)[detections.label]
    return replace(detections, classes=classes if shared else Classes(tuple(names), tuple(ids)), label=label)


def _key(classes: Classes, k: int, pairs: Mapping[str, str]) -> str:
    """What a map may call a class: its name, else its number."""
    return classes.name[k] if classes.name[k] in pairs or str(classes.id[k]) not in pairs else str(classes.id[k])


def _alike(detections: Detections, truth: Truth) -> list[Finding]:
    """Lines of a map for names that the truth may have under another spelling."""
    used = np.unique(detections.label[detections.label >= 0]).tolist()
    pairs = suggestions([detections.classes.name[k] for k in used], truth.classes.name)
    lines = [f"{name} = {other}" for name, other in pairs]
    return [finding("CLS004", len(lines), "; ".join(lines))] if lines else []
