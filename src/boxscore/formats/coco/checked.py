"""COCO JSON read record by record: slower than the kernel, but it knows what is wrong and where."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.coco.columns import Columns
from boxscore.formats.coco.images import by_file, image_names, written_keys
from boxscore.formats.coco.load import EXPECTED, RECORD, is_list, load, nested_results, sections
from boxscore.formats.coco.lvis import checked_frequencies, numbered
from boxscore.formats.coco.more import merged_classes, video_lists, videos_of
from boxscore.formats.coco.shapes import class_sigmas
from boxscore.formats.coco.taken import RESULTS, TRUTH, RowColumns, chosen, class_columns, image_columns, list_columns
from boxscore.formats.io.ids import Numbering, lasts
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.placed_records import Placed, Rows
from boxscore.formats.io.record_values import Values, kind, without_invalid
from boxscore.formats.io.source import Source
from boxscore.tables.model import Floats

_SWAPPED = "Truth comes first, then detections; were they swapped?"


def truth_checked(
    source: Source, form: str = "xywh", shapes: bool = False, invalid: Invalid | None = None
) -> tuple[Columns, list[Finding]]:
    """Ground truth, checked value by value; with `shapes` all that it says."""
    data = load(source, "truth")
    return without_invalid(source.name, invalid, lambda take: _truth(take, source, data, form, shapes))


def _truth(take: Values, source: Source, data: Any, form: str, shapes: bool) -> tuple[Columns, list[Finding]]:
    if is_list(data):
        found = f"a list of {len(data):,} records, as of results"
        raise InputError(source.name, found, EXPECTED["truth"], _SWAPPED)
    unnamed = isinstance(data, dict) and data.get("categories") in (None, [])  # then ids are names
    keys = ("images", "annotations") if unnamed else ("images", "categories", "annotations")
    lists_of = sections(source.name, data, keys)
    images, annotations = (take.records(lists_of[key], key) for key in ("images", "annotations"))
    categories = take.records(lists_of.get("categories", ()), "categories")
    listed = image_columns(take, images)
    class_ids, class_names = class_columns(take, categories)
    lists = list_columns(take, images) if listed.lists else video_lists(take, data, images)
    merged = merged_classes(take, categories)
    take.at("frequency")
    frequency = checked_frequencies(take, categories)
    take.at("sigmas")
    sigmas = class_sigmas(take, categories) if shapes else []
    rows = RowColumns(take, annotations, "annotations", form, TRUTH, shapes)
    last_images, last_classes = lasts(listed.ids), lasts(class_ids)
    used = chosen(images, last_images, len(listed.ids))
    videos, frames = videos_of(take, data, used()) if shapes and _any(used, "video_id") else (None, None)
    take.wrong.check()
    findings = [*take.findings(), *rows.findings("objects")]
    for what, n_all, last in (
        ("images", len(listed.ids), last_images),
        ("categories", len(class_ids), last_classes),
    ):
        if len(last) < n_all:
            findings.append(finding("ID003", n_all - len(last), what))
    if unnamed and rows.count:
        class_ids = list(dict.fromkeys(rows.label.distinct()))
        class_names, last_classes = [str(key) for key in class_ids], list(range(len(class_ids)))
        findings.append(finding("CLS010", len(class_ids)))
    numbering = Numbering(listed.ids[i] for i in last_images)
    classes = Numbering(class_ids[i] for i in last_classes)
    names = image_names(used) if numbering.plain else None
    return Columns(
        keys=[str(i) for i in numbering.ids.tolist()] if numbering.plain and names is None else names or numbering.keys,
        image_ids=numbering.ids if numbering.plain else None,
        index_ids=numbering.ids,
        image_rank=None if numbering.rank is None else np.array(numbering.rank, np.int64),
        widths=_known(listed.widths[last_images]),
        heights=_known(listed.heights[last_images]),
        videos=videos,
        frames=frames,
        class_ids=classes.ids.tolist(),
        class_names=[class_names[i] for i in last_classes],
        class_keys=None if classes.plain else classes.keys,
        class_rank=classes.rank,
        image=rows.image.numbers(numbering),
        label=rows.label.numbers(classes),
        boxes=rows.boxes,
        area=rows.numbers["area"],
        crowd=rows.numbers["iscrowd"],
        ignore=rows.numbers["ignore"],
        ids=rows.own_ids(),
        lists={name: numbered([ids[i] for i in last_images], classes) for name, ids in lists.items()},
        frequency=[frequency[i] for i in last_classes] if frequency else [],
        rejected=rows.rejected,
        shapes=rows.shapes,
        sigmas=[sigmas[i] for i in last_classes] if sigmas else [],
        labelled=rows.labelled,
        said=rows.said,
        merged={int(classes.numbers([a])[0]): int(classes.numbers([b])[0]) for a, b in merged.items()},
    ), findings


def results_checked(
    source: Source, form: str = "xywh", shapes: bool = False, invalid: Invalid | None = None
) -> tuple[Columns, list[Finding]]:
    """A results list (or a COCO file whose annotations carry scores), checked value by value."""
    data = load(source, "detections")
    return without_invalid(source.name, invalid, lambda take: _all_results(take, data, form, shapes))


def _all_results(take: Values, data: Any, form: str, shapes: bool) -> tuple[Columns, list[Finding]]:
    placed, images, categories = _results(take, data)
    class_ids, class_names = class_columns(take, categories)
    listed = image_columns(take, images)
    rows = RowColumns(take, placed, "results", form, RESULTS, shapes)
    named = bool(listed.ids)
    videos, frames = videos_of(take, data, images) if shapes and _any(lambda: images, "video_id") else (None, None)
    take.wrong.check()
    image_ids, label_ids = rows.image.distinct(), rows.label.distinct()
    numbering, classes = Numbering([*listed.ids, *image_ids]), Numbering([*class_ids, *label_ids])
    whole = set(image_ids) <= set(listed.ids) and len(set(listed.ids)) == len(listed.ids)
    names, image, ids = None, rows.image.numbers(numbering), numbering.ids if numbering.plain else None
    if named and whole and numbering.plain:
        names = image_names(lambda: images)
    elif rows.count and not named and rows.files is not None:
        names, ids, image = by_file(image, rows.files)
    listing = named and whole and len(numbering.keys) == len(listed.ids)
    return Columns(
        keys=names if numbering.plain or names else numbering.keys,
        image_ids=ids,
        written=written_keys(numbering) if numbering.plain and names is None else None,
        widths=_known(listed.widths) if listing else None,
        heights=_known(listed.heights) if listing else None,
        videos=videos if listing else None,
        frames=frames if listing else None,
        class_ids=classes.numbers(class_ids).tolist() if classes.plain else classes.ids.tolist(),
        class_names=class_names if classes.plain else _names(classes, class_ids, class_names),
        class_keys=None if classes.plain else classes.keys,
        image=image,
        label=rows.label.numbers(classes),
        boxes=rows.boxes,
        score=rows.numbers["score"],
        area=rows.extent if rows.extent is not None else rows.mask_areas(),
        rejected=rows.rejected,
        shapes=rows.shapes,
        said=rows.said,
    ), [*take.findings(), *rows.findings("detections")]


def _results(take: Values, data: Any) -> tuple[Rows, Rows, Rows]:
    """The records of results, and the images and categories that stand with them."""
    source, section = take.wrong.source, ""
    listed, categories = (take.records((), key) for key in ("images", "categories"))
    if isinstance(data, dict) and is_list(data.get("annotations")):
        if len(data["annotations"]) and not any(isinstance(r, dict) and "score" in r for r in data["annotations"]):
            found = "annotations without scores (this looks like ground truth)"
            raise InputError(source, found, f"results: {RECORD}", _SWAPPED)
        given = {key: value for key, value in data.items() if value is not None}
        lists = sections(source, {"images": [], "categories": [], **given}, ("images", "categories"))
        listed, categories = (take.records(items, key) for key, items in lists.items())
        data, section = data["annotations"], "annotations"
    elif isinstance(data, dict) and (nested := nested_results(take, data)) is not None:
        return nested, listed, categories
    if not is_list(data):
        keys = f" (its keys: {first_few(data, len(data)) or 'none'})" if isinstance(data, dict) else ""
        raise InputError(source, f"{kind(data)}{keys}", RECORD)
    return take.records(data, section), listed, categories


def _any(images: Callable[[], Iterable[Placed]], key: str) -> bool:
    return any(record.get(key) is not None for _, record in images())


def _names(classes: Numbering, ids: list[int | str], names: list[str]) -> list[str]:
    """The name of each class, its id where no name is given."""
    named = dict(zip(map(str, ids), names, strict=True))
    return [named.get(key, key) for key in classes.keys]


def _known(values: Floats) -> Floats | None:
    return None if len(values) and np.isnan(values).all() else values
