"""The images of a table with its boxes on them, one after the other."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from PIL import Image, ImageOps, UnidentifiedImageError

from boxscore.analysis.operating_point import OperatingPoint
from boxscore.errors import InputError
from boxscore.formats.io.files import IMAGES, Files
from boxscore.formats.io.same_images import known_names
from boxscore.joining.align import Aligned
from boxscore.report.colours import CLASSES
from boxscore.report.drawing import STYLES, Mark, Style, drawn
from boxscore.report.outlines import figure_of
from boxscore.tables.model import Detections, Flag, Truth

Marks = Mapping[int, Sequence[Mark]]  # by image


class Drawing(NamedTuple):
    """An image with boxes: the path of its file, and the content; None where the image is not there."""

    path: str
    content: bytes | None


def marks_of_truth(truth: Truth, boxes: bool = False) -> Marks:
    """Every object, in the colour of its class; only as a box if asked for."""
    made: dict[int, list[Mark]] = {}
    for row in range(len(truth)):
        label = int(truth.label[row])
        name = truth.classes.name[label] if label >= 0 else "?"
        style = Style(name, CLASSES[label % len(CLASSES)], () if label < len(CLASSES) else (4, 2))
        text = f"{name} (crowd)" if truth.flags[row] & Flag.CROWD else name
        made.setdefault(int(truth.image[row]), []).append(_mark(truth, row, text, style, boxes))
    return made


def marks_of_point(aligned: Aligned, point: OperatingPoint, boxes: bool = False) -> Marks:
    """Detections from a score on and missed objects, by what they are; only as boxes if asked for."""
    made: dict[int, list[Mark]] = {}
    sides: dict[str, tuple[str, Truth | Detections]] = {
        "missed": ("FN", aligned.truth), "ignored": ("ignored", aligned.detections),
        "false": ("FP", aligned.detections), "true": ("TP", aligned.detections),
    }  # fmt: skip
    for kind, (verdict, table) in sides.items():
        for row in point.rows(verdict).tolist():
            name = table.classes.name[table.label[row]]
            text = f"{name} {table.score[row]:.2f}" if isinstance(table, Detections) else name
            made.setdefault(int(table.image[row]), []).append(_mark(table, row, text, STYLES[kind], boxes))
    return made


def drawings(truth: Truth, marks: Marks, images: Files, legend: bool, most: int | None = None) -> Iterator[Drawing]:
    """The images of the truth in its order, each as a file of its own kind."""
    files = {path: path for path in images.ending(*IMAGES)}
    names = known_names(truth.images.key, list(files))
    for image in range(min(len(names), len(names) if most is None else most)):
        path = files.get(names[image])
        yield (
            Drawing(names[image], None) if path is None else _drawing(truth, marks.get(image, ()), images, path, legend)
        )


def _drawing(truth: Truth, marks: Sequence[Mark], images: Files, path: str, legend: bool) -> Drawing:
    picture, form = _opened(images, path)
    scale = picture.size if truth.relative else (1, 1)
    scaled = [
        m._replace(
            box=tuple(v * scale[i % 2] for i, v in enumerate(m.box)),
            figure=m.figure.scaled(*scale) if truth.relative and m.figure is not None else m.figure,
        )
        for m in marks
    ]
    made, content = drawn(picture, scaled, tuple(STYLES.values()) if legend else ()), io.BytesIO()
    jpeg = form == "JPEG"
    made.save(content, "JPEG" if jpeg else "PNG", **({"quality": 92} if jpeg else {}))
    ending = path if jpeg or path.lower().endswith(".png") else f"{path}.png"
    return Drawing(ending, content.getvalue())


def _opened(images: Files, path: str) -> tuple[Image.Image, str | None]:
    """The picture of a file, and its kind."""
    try:
        with Image.open(io.BytesIO(images.bytes(path))) as opened:
            form = opened.format
            picture = ImageOps.exif_transpose(opened)  # annotators saw it so
            picture.load()
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        why = "unknown kind" if isinstance(error, UnidentifiedImageError) else error  # which names an object in memory
        raise InputError(images.place(path), f"an image that cannot be read ({why})", "a complete image") from None
    return picture, form


class Pictures:
    """The pictures of a table's images by number."""

    def __init__(self, truth: Truth, images: Files) -> None:
        self._files = {path: path for path in images.ending(*IMAGES)}
        self._names, self._images = known_names(truth.images.key, list(self._files)), images

    def get(self, image: int) -> Image.Image | None:
        """The picture of an image; None where it is not there."""
        path = self._files.get(self._names[image])
        return None if path is None else _opened(self._images, path)[0]


def _mark(table: Truth | Detections, row: int, text: str, style: Style, boxes: bool) -> Mark:
    return Mark(_box(table, row), text, style, None if boxes else figure_of(table, row))


def _box(table: Truth | Detections, row: int) -> tuple[float, ...]:
    x0, y0, x1, y1 = table.corners[row].tolist()
    return x0, y0, max(x1, x0), max(y1, y0)
