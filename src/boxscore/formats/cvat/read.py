"""CVAT XML 1.1 for images: all images of a task or project in one file, with shapes and tags.

Images of the same name in several subsets or tasks of a project are kept apart: their subset, or else their task, comes
before the name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.cvat.meta import Meta, meta_of, side_of
from boxscore.formats.cvat.objects import Objects, classes_of, outline_of_element, stated
from boxscore.formats.cvat.shapes import Wrong
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.formats.io.xml_parsing import children
from boxscore.tables.model import Detections, ImageLabels, Images, Mark, Truth

EXPECTED = "an XML file of CVAT (version 1.1)"


@dataclass
class _Content:
    """What a file holds; the lists have an entry per image, `tags` one per tag."""

    objects: Objects
    meta: Meta = field(default_factory=Meta)
    names: list[tuple[str, str, str]] = field(default_factory=list)  # name, subset, task
    width: list[float] = field(default_factory=list)
    height: list[float] = field(default_factory=list)
    tags: list[tuple[int, str]] = field(default_factory=list)
    subsets: set[str] = field(default_factory=set)


def read_truth(source: Source, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects and tags of all images, or of those of the stated split."""
    how = how.of("truth")
    content = _content(source, Objects(how))
    table, findings = _table(source, content, how)
    n = len(table["image"])
    labels, more = _labels(source, content, table["classes"].name)
    flags = np.array(content.objects.flags, np.uint16)
    return Truth(**table, area=np.full(n, np.nan), flags=flags, labels=labels), [*findings, *more]


def read_detections(source: Source, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Shapes that all have a score, as an attribute `score` or `confidence`."""
    how = how.of("detections")
    content = _content(source, Objects(how, scored=True))
    content.objects.rejected.update({"tag of a whole image": len(content.tags)} if content.tags else {})
    table, findings = _table(source, content, how)
    return Detections(**table, score=np.array(content.objects.score, np.float64)), findings


def _content(source: Source, objects: Objects) -> _Content:
    content = _Content(objects)
    for element in children(source, "annotations", EXPECTED):
        if element.tag == "meta":
            content.meta = meta_of(source.name, element)
        elif element.tag == "image":
            _add_image(source, content, element)
        elif element.tag == "track":
            raise InputError(source.name, "an element <track>", "CVAT for images", "Its format is cvat-video.")
    split = objects.how.split
    if split is not None and not content.names:
        found = (
            f"no image of '{split}' (there are {first_few(sorted(content.subsets), len(content.subsets)) or 'none'})"
        )
        raise InputError(source.name, found, "one of the subsets as split")
    return content


def _add_image(source: Source, content: _Content, element: Element) -> None:
    name = element.get("name", "").replace("\\", "/")
    if not name:
        raise InputError(source.name, f"image[{len(content.names)}] has no name", "the name of its file")
    task = content.meta.task(element.get("task_id"))
    subset = element.get("subset", task.subset)
    content.subsets.add(subset)
    objects, image = content.objects, len(content.names)
    if objects.how.split not in (None, subset):
        return
    size = side_of(element.get("width")), side_of(element.get("height"))
    content.names.append((name, subset, task.name))
    content.width.append(size[0])
    content.height.append(size[1])
    for k, shape in enumerate(element):
        try:
            label = shape.get("label")
            if label is None:
                raise Wrong("no label", "the name of its class")
            if shape.tag == "tag":
                content.tags.append((image, label))
                continue
            outline, _ = outline_of_element(shape, label, size, content.meta, objects.how)
            objects.add(image, label, outline, *stated(shape))
        except Wrong as error:
            place = f"image '{name}', <{shape.tag}> at [{k}]"
            with objects.how.invalid:
                raise InputError(source.name, f"{place}: {error.found}", error.expected) from None


def _table(source: Source, content: _Content, how: ReadOptions) -> tuple[dict[str, Any], list[Finding]]:
    keys, apart = keys_of(source.name, content.names)
    width, height = np.array(content.width, np.float64), np.array(content.height, np.float64)
    classes = classes_of(content.meta, [*content.objects.name, *(label for _, label in content.tags)], how)
    table = content.objects.table(classes, content.objects.image, source.name, "cvat")
    findings = [finding("TSK001", len(apart), first_few(apart, len(apart)))] if apart else []
    return {**table, "images": Images(keys, None, width, height)}, findings


def keys_of(file: str, names: Sequence[tuple[str, str, str]]) -> tuple[list[str], list[str]]:
    """The keys of images by name, subset and task; and those whose name alone would not do.

    >>> keys_of("a.xml", [("1.jpg", "train", "a"), ("1.jpg", "val", "b"), ("2.jpg", "val", "b")])
    (['train/1.jpg', 'val/1.jpg', '2.jpg'], ['train/1.jpg', 'val/1.jpg'])
    """
    keys = [name for name, _, _ in names]
    with_subset = ["/".join(filter(None, (subset, name))) for name, subset, _ in names]
    with_task = ["/".join(filter(None, (subset, task, name))) for name, subset, task in names]
    for longer in (with_subset, with_task):
        count = Counter(keys)
        keys = [more if count[key] > 1 else key for key, more in zip(keys, longer, strict=True)]
    twice = [key for key, count in Counter(keys).items() if count > 1]
    if twice:
        raise InputError(file, f"image '{twice[0]}' twice in the same task", "an image once")
    return keys, [key for key, (name, _, _) in zip(keys, names, strict=True) if key != name]


def _labels(source: Source, content: _Content, names: Sequence[str]) -> tuple[ImageLabels | None, list[Finding]]:
    if not content.tags:
        return None, []
    place = {name: k for k, name in enumerate(names)}
    rows = [(image, place[label]) for image, label in content.tags if label in place]
    image, label = np.array(rows, np.int32).reshape(-1, 2).T
    labels = ImageLabels(image, label, np.full(len(rows), int(Mark.POSITIVE), np.uint8))
    left_out = len(content.tags) - len(rows)
    return labels, [finding("LBL001", left_out, source.name)] if left_out else []
