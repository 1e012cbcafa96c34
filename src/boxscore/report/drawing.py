"""Boxes and shapes on images: objects by class, or what detections are, each in its own line and colour."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from boxscore.report.colours import BLACK, INK, ON_IMAGES, PAPER, ink_on
from boxscore.report.contours import Path
from boxscore.report.outlines import Figure

_LEAST = 1e-3  # pixels of a dash
_FILLED = 90  # of 255: how much of the image a filled shape covers


class Style(NamedTuple):
    """How a kind of box is drawn; no two kinds have the same line."""

    title: str
    colour: str
    dash: tuple[int, ...] = ()  # lengths of strokes and gaps in line widths; none for a solid line


DASHES = {"true": (), "false": (5, 3), "missed": (1, 2), "ignored": (8, 3, 1, 3)}
STYLES = {kind: Style(kind, colour, DASHES[kind]) for kind, colour in ON_IMAGES.items()}


class Mark(NamedTuple):
    """A box to draw: corners in pixels, its text, and how; and what stands in its place, or besides it."""

    box: tuple[float, ...]
    text: str
    style: Style
    figure: Figure | None = None

    @property
    def paths(self) -> list[Path]:
        """The closed lines to draw."""
        x0, y0, x1, y1 = self.box
        around = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        if self.figure is None or not self.figure.paths:
            return [around] if self.figure is None or self.figure.boxed else []
        return [*self.figure.paths, around] if self.figure.boxed else list(self.figure.paths)


def drawn(image: Image.Image, marks: Sequence[Mark], legend: Sequence[Style] = ()) -> Image.Image:
    """The image with the boxes on it, and below it what the styles mean and how many boxes have each."""
    picture = image.convert("RGB")
    canvas = ImageDraw.Draw(picture)
    line = max(2, round(max(picture.size) / 400))
    font = ImageFont.load_default(max(11, round(max(picture.size) / 55)))
    for mark in marks:
        _fill(picture, mark)
    for mark in marks:
        _outline(canvas, mark, line)
        _skeleton(canvas, mark, line)
    for mark in marks:  # texts last, so that no box covers them
        _label(canvas, mark, line, font, picture.size)
    return _with_legend(picture, marks, legend, font) if legend else picture


def _fill(picture: Image.Image, mark: Mark) -> None:
    """The inside in the mark's colour, through which the image is seen."""
    figure = mark.figure
    if figure is None or not figure.filled:
        return
    if figure.pixels is not None:
        layer = Image.fromarray(figure.pixels.inside.astype("uint8") * _FILLED)
        picture.paste(mark.style.colour, (figure.pixels.left, figure.pixels.top), layer)
        return
    xs, ys = ([point[axis] for path in figure.paths for point in path] for axis in (0, 1))
    left, top = max(math.floor(min(xs)), 0), max(math.floor(min(ys)), 0)
    right, bottom = min(math.ceil(max(xs)) + 1, picture.width), min(math.ceil(max(ys)) + 1, picture.height)
    if right <= left or bottom <= top:
        return
    layer = Image.new("L", (right - left, bottom - top))
    for path in figure.paths:
        ImageDraw.Draw(layer).polygon([(x - left, y - top) for x, y in path], fill=_FILLED)
    picture.paste(mark.style.colour, (left, top), layer)


def _outline(canvas: ImageDraw.ImageDraw, mark: Mark, line: int) -> None:
    # A dark edge below the colour keeps light lines visible on light images.
    for colour, width in ((BLACK, line + 2), (mark.style.colour, line)):
        for path in mark.paths:
            for piece in _strokes((*path, path[0]), [part * line for part in mark.style.dash]):
                canvas.line(piece, fill=colour, width=width)


def _skeleton(canvas: ImageDraw.ImageDraw, mark: Mark, line: int) -> None:
    """Limbs, and points: filled where they are seen, hollow where something hides them."""
    if mark.figure is None:
        return
    for colour, width in ((BLACK, line + 2), (mark.style.colour, line)):
        for limb in mark.figure.limbs:
            canvas.line(limb, fill=colour, width=width)
    for x, y, seen in mark.figure.points:
        if seen > 0:
            r = 1.5 * line
            inside = BLACK if seen == 1 else mark.style.colour
            edge = mark.style.colour if seen == 1 else BLACK
            canvas.ellipse((x - r, y - r, x + r, y + r), fill=inside, outline=edge, width=max(line // 2, 1))


def _strokes(path: Path, dash: Sequence[float]) -> Iterator[Any]:
    """The pieces of a path that are drawn; a dash goes on behind a corner."""
    if not dash:
        yield from pairwise(path)
        return
    k, left = 0, dash[0]
    for start, end in pairwise(path):
        length, along = math.dist(start, end), 0.0
        if length == 0:
            yield start, end
        while along < length:
            until = min(along + left, length)
            if k % 2 == 0:
                shares = (along / length, until / length)
                yield tuple(tuple(a + (b - a) * at for a, b in zip(start, end, strict=True)) for at in shares)
            left -= until - along
            along = until
            if left < _LEAST:  # so small a rest would never be added to a place
                k = (k + 1) % len(dash)
                left = dash[k]


def _label(canvas: ImageDraw.ImageDraw, mark: Mark, line: int, font: Any, size: tuple[int, int]) -> None:
    """The text above the highest point, or inside where there is no room."""
    if not mark.text:
        return
    left, top, right, bottom = canvas.textbbox((0, 0), mark.text, font=font)
    width, height = right - left + 2 * line, bottom - top + 2 * line
    x, y = min(((x, y) for path in mark.paths for x, y in path), key=lambda at: (at[1], at[0]), default=mark.box[:2])
    x = min(max(x, 0), max(size[0] - width, 0))
    y = y - height if y >= height else min(max(y, 0), size[1] - height)
    canvas.rectangle((x, y, x + width, y + height), fill=mark.style.colour, outline=BLACK)
    canvas.text((x + line - left, y + line - top), mark.text, fill=ink_on(mark.style.colour), font=font)


def _with_legend(picture: Image.Image, marks: Sequence[Mark], legend: Sequence[Style], font: Any) -> Image.Image:
    height = round(font.size * 1.8)
    whole = Image.new("RGB", (picture.width, picture.height + height), INK)
    whole.paste(picture)
    canvas = ImageDraw.Draw(whole)
    x, middle = height / 2, picture.height + height / 2
    for style in legend:
        count = sum(mark.style == style for mark in marks)
        for piece in _strokes(((x, middle), (x + 2 * height, middle)), [3.0 * part for part in style.dash]):
            canvas.line(piece, fill=style.colour, width=3)
        text = f"{style.title} {count:,}"
        canvas.text((x + 2.3 * height, middle), text, fill=PAPER, font=font, anchor="lm")
        x += 3 * height + canvas.textlength(text, font=font)
    return whole
