"""Statements about the input that do not hold for the formats that were read."""

from __future__ import annotations

from collections.abc import Sequence

from boxscore.diagnostics.findings import Finding, finding
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.registry import find, formats

OF_TRUTH = ("image_labels", "masks", "hierarchy")
OF_BOTH = ("label_map", "image_list", "class_list")


def unused_boxes(how: ReadOptions, side: str, form: str, source: str) -> list[Finding]:
    """What was said of boxes in general, and does not hold for a file that says it itself."""
    known = find(form) if form else None
    written = None if known is None else known.boxes
    if known is None or written is None:
        return []
    own = getattr(how, f"{side}_box")
    said = [f"box={how.box}"] if own is None and how.box not in (None, written.form) else []
    if own not in (None, written.form) and not written.stated:
        said.append(f"{side}_box={own}")
    if written.coords and how.coords not in (None, written.coords):
        said.append(f"coords={how.coords}")
    if not said:
        return []
    detail = f"{source} is {known.title}, whose boxes are {written.text}; {' and '.join(said)} was not used for it"
    return [finding("BOX004", len(said), detail)]


def unused_files(how: ReadOptions, options: Sequence[str], *read: str) -> list[Finding]:
    """Files that belong to formats which neither side has, and masks where boxes are compared."""
    found = []
    if "masks" in options and how.masks is not None and not how.shapes and "masks" not in how.needs:
        options = [name for name in options if name != "masks"]
        found.append(finding("OPT001", 1, f"masks={how.masks} was not used: this compares boxes, not masks"))
    for name in options:
        if getattr(how, name) is None:
            continue
        fitting = [form.name for form in formats() if name in form.options]
        if not {*read} & {*fitting}:
            detail = f"{name}={getattr(how, name)} was not used: it belongs to {' or '.join(fitting)}"
            found.append(finding("OPT001", 1, detail))
    return found
