"""Segmentations of PASCAL VOC that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from boxscore.joining.read import ReadOptions, read_truth
from small_coco import file

XML = "<annotation><size><width>3</width><height>2</height></size></annotation>"


def kit(objects: str, of_class: str | None = None, xml: str | None = None, **how: Any) -> Any:
    """Pictures `a.png`, a digit per pixel and a line per row, and what is beside them."""
    from PIL import Image

    for folder, rows in (("SegmentationObject", objects), ("SegmentationClass", of_class)):
        if rows is not None:
            Path("t", folder).mkdir(parents=True, exist_ok=True)
            lines = rows.split()
            content = bytes(int(digit) for line in lines for digit in line)
            Image.frombytes("L", (len(lines[0]), len(lines)), content).save(f"t/{folder}/a.png")
    if xml is not None:
        Path("t/Annotations").mkdir(parents=True, exist_ok=True)
        file("t/Annotations/a.xml" if xml != "other" else "t/Annotations/b.xml", XML)
    return read_truth("t", ReadOptions(needs=("masks",), **how))


def empty() -> Any:
    Path("t").mkdir()
    file("t/a.jpg", "")
    return read_truth("t", ReadOptions(truth_format="voc-masks"))


def listed() -> Any:
    file("l.txt", "a\nb\n")
    return kit("000 011", "000 022", image_list="l.txt")


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "t: no pictures in SegmentationObject (it holds a.jpg); expected a PNG file per image in its folder "
        "SegmentationObject",
        empty,
    ),
    (
        "t: no picture in SegmentationObject for b; expected one for each of the 2 images of l.txt",
        listed,
    ),
    (
        "t/SegmentationObject/a.png: an object 1; expected numbers up to that of its XML file's objects, 0",
        lambda: kit("000 011", xml=XML),
    ),
    (
        "t/SegmentationObject/a.png: a picture of 2×2; expected the size of its image, 3×2",
        lambda: kit("00 00", xml=XML),
    ),
    (
        "t: pictures in SegmentationObject, and no XML file for a; expected an XML file for each of them",
        lambda: kit("00 00", xml="other"),
    ),
    (
        "t/SegmentationObject/a.png: no picture of that name in SegmentationClass; expected one, which tells the "
        "classes",
        lambda: kit("000 011"),
    ),
    (
        "t/SegmentationClass/a.png: a picture of 2×2; expected the size of t/SegmentationObject/a.png, 3×2",
        lambda: kit("000 011", "00 02"),
    ),
    (
        "t/SegmentationClass/a.png: no class of object 1; expected a number from 1 to 20, that of a class",
        lambda: kit("000 011", "000 000"),
    ),
    (
        "t/SegmentationClass/a.png: class 3 of object 1; expected a number from 1 to 2, that of a class",
        lambda: kit("000 011", "000 033", classes=("cat", "dog")),
    ),
]
