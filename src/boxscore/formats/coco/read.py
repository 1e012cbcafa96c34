"""COCO JSON: ground truth (images, annotations, categories; also what LVIS adds) and results lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import first_few
from boxscore.formats.coco.columns import Columns
from boxscore.formats.coco.images import named_images
from boxscore.formats.coco.lvis import image_labels, in_order, merged_indices
from boxscore.formats.coco.quick import results_layout, truth_layout, usual_results, usual_truth
from boxscore.formats.io.invalid import Invalid
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.tables.box_forms import to_corners
from boxscore.tables.model import (
    Classes,
    Detections,
    Flag,
    Floats,
    Images,
    Indices,
    Truth,
    factorise,
    index_of,
    row_numbers,
)
from boxscore.tables.strings import Names


def read_truth(
    source: Source,
    threads: int = 0,
    form: str = "xywh",
    shapes: bool = False,
    invalid: Invalid | None = None,
    needs: tuple[str, ...] = (),
    draw: bool | None = None,
) -> tuple[Truth, list[Finding]]:
    """Ground truth, and what is odd about it; `form` is for files that do not write x y width height.

    With `shapes` also polygons, masks, keypoints, attributes with the flags among them, tracks and videos; of these,
    `needs` asks for no more than overlaps are made of, with `draw` for masks in place of the shapes they are made of.
    """
    # Tracks and videos are left to the careful reader, and with these what is said of whole videos.
    quick = not shapes and "tubes" not in needs and source.first_character() == "{"
    columns = usual_truth(source.json_columns(truth_layout(needs, draw), 1, threads), threads) if quick else None
    findings: list[Finding] = []
    if columns is None:
        from boxscore.formats.coco.checked import truth_checked  # usual files do without it

        columns, findings = truth_checked(source, form, shapes or bool(needs), invalid)
    assert columns.keys is not None
    sizes = _extents(columns.widths), _extents(columns.heights)
    images = Images(columns.keys, columns.image_ids, *sizes, columns.videos, columns.frames, columns.image_rank)
    # pycocotools reports classes by ascending id, and the last bit of a mean depends on the order.
    order = sorted(range(len(columns.class_ids)), key=(columns.class_rank or columns.class_ids).__getitem__)
    class_ids = np.array([columns.class_ids[i] for i in order], np.int64)
    classes = Classes(
        tuple(columns.class_names[i] for i in order),
        tuple(class_ids.tolist() if columns.class_keys is None else [columns.class_keys[i] for i in order]),
        in_order(columns.frequency, order),
        sigmas=tuple(columns.sigmas[i] for i in order) if columns.sigmas else None,
        merged=merged_indices(columns.merged, class_ids.tolist()),
    )
    labels, more = image_labels(columns.lists, class_ids, images.key)
    sides = columns.boxes[:, 2:].copy() if columns.labelled is not None and form == "xywh" else None
    corners, box_area = to_corners(columns.boxes, form, in_place=True, threads=threads)
    flags = np.zeros(len(corners), np.uint16) if columns.said is None else columns.said.flags
    for values, flag in ((columns.crowd, Flag.CROWD), (columns.ignore, Flag.IGNORE)):
        if values is not None and values.any():
            flags[values != 0] |= int(flag)
    n = len(corners)
    truth = Truth(
        images,
        classes,
        index_of(columns.image, columns.index_ids),
        index_of(columns.label, class_ids),
        corners,
        box_area,
        row_numbers(n),
        source.name,
        "lvis" if columns.lists or columns.frequency else "coco",
        shapes=columns.shapes,
        masks=columns.masks,
        track=None if columns.said is None else columns.said.track,
        attributes=None if columns.said is None else columns.said.attributes,
        rejected=columns.rejected,
        area=np.full(n, np.nan) if columns.area is None else columns.area,
        flags=flags,
        id=columns.ids,
        sides=sides,
        labelled=columns.labelled,
        labels=labels,
    )
    return truth, [*findings, *more, *_repeated_files(images.key)]


def read_results(
    source: Source,
    truth: Truth | None = None,
    threads: int = 0,
    form: str = "xywh",
    shapes: bool = False,
    invalid: Invalid | None = None,
    needs: tuple[str, ...] = (),
    draw: bool | None = None,
) -> tuple[Detections, list[Finding]]:
    """A results list, or a COCO file whose annotations carry scores, and what is odd about it.

    With `truth`, ids that are all its own are joined at once. Files that list images and categories have their own
    numbers: their images and classes are known by name.
    """
    beginning = source.beginning()
    if beginning.lstrip()[:1] == "{":
        from boxscore.formats.coco.load import as_list

        source = as_list(source)
    columns = None
    # Keypoints of results that have masks but no boxes: their size is that of the masks.
    unboxed = '"segmentation"' in beginning and '"bbox"' not in beginning
    other = unboxed and "keypoints" in needs and "masks" not in needs
    if not shapes and not other and "tubes" not in needs and source.first_character() == "[":
        columns = usual_results(source.json_columns(results_layout(needs, beginning, draw), 0, threads), threads)
    findings: list[Finding] = []
    if columns is None:
        from boxscore.formats.coco.checked import results_checked

        columns, findings = results_checked(source, form, shapes or bool(needs), invalid)
    elif columns.boxes_made:
        findings = [finding("BOX010", columns.boxes_made, "detections")]
    images, image = _images(columns, truth)
    classes, label = _classes(columns, truth)
    corners, box_area = to_corners(columns.boxes, form, in_place=True, threads=threads)
    assert columns.score is not None
    detections = Detections(
        images,
        classes,
        image,
        label,
        corners,
        box_area,
        row_numbers(len(corners)),
        source.name,
        "coco-results",
        shapes=columns.shapes,
        masks=columns.masks,
        track=None if columns.said is None else columns.said.track,
        attributes=None if columns.said is None else columns.said.attributes,
        rejected=columns.rejected,
        score=columns.score,
        area=columns.area,
    )
    return detections, findings


def _images(columns: Columns, truth: Truth | None) -> tuple[Images, Indices]:
    """The images of a results list, and the image of each row."""
    if columns.keys is not None:
        more = (_extents(columns.widths), _extents(columns.heights), columns.videos, columns.frames)
        return named_images(list(columns.keys), columns.image_ids, columns.image, truth, more)
    if truth is not None and truth.images.id is not None:
        if columns.written is not None:
            return named_images(columns.written, columns.image_ids, columns.image, truth)
        image = index_of(columns.image, truth.images.id)
        if len(image) == 0 or image.min() >= 0:
            return truth.images, image
    ids, image = factorise(columns.image)
    return Images([str(i) for i in ids.tolist()], ids), image


def _classes(columns: Columns, truth: Truth | None) -> tuple[Classes, Indices]:
    """The classes of a results list, and the class of each row."""
    if truth is not None and not columns.class_names and all(isinstance(i, int) for i in truth.classes.id):
        label = index_of(columns.label, np.array(truth.classes.id, np.int64))
        if len(label) == 0 or label.min() >= 0:
            return truth.classes, label
    ids, label = factorise(np.append(columns.label, np.array(columns.class_ids, np.int64)))
    named = dict(zip(columns.class_ids, columns.class_names, strict=True))
    keys: list[int | str] = ids.tolist() if columns.class_keys is None else [columns.class_keys[k] for k in ids]
    return Classes(tuple(named.get(k, str(k)) for k in ids.tolist()), tuple(keys)), label[: len(columns.label)]


def _extents(sides: Floats | None) -> Floats | None:
    """Widths or heights; what is not above 0 is unknown, as where VIA writes -1."""
    if sides is None or not len(sides) or sides.min() > 0:  # nan is not above 0 either
        return sides
    known = np.where(sides > 0, sides, np.nan)
    return None if np.isnan(known).all() else known


def _repeated_files(keys: Sequence[str]) -> list[Finding]:
    """Whether a file stands under several ids."""
    texts = keys.parts() if isinstance(keys, Names) else keys
    again = len(keys) - len(set(texts))
    if not again:
        return []
    counts = Counter(keys)
    repeated = [key for key, count in counts.items() if count > 1]
    return [finding("IMG010", again, first_few(repeated, len(repeated)))]


def truth_of(source: Source, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """As `read_truth`, in the way that is stated."""
    return read_truth(source, how.threads, how.truth_box or "xywh", how.everything, how.invalid, how.needs, how.draw)


def results_of(source: Source, how: ReadOptions, truth: Truth | None) -> tuple[Detections, list[Finding]]:
    """As `read_results`, in the way that is stated."""
    return read_results(
        source, truth, how.threads, how.detections_box or "xywh", how.everything, how.invalid, how.needs, how.draw
    )


__all__ = ["read_results", "read_truth", "results_of", "truth_of"]
