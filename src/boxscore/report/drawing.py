"""Boxes on images: objects by class, or what detections are, in colours and lines that everybody can tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from boxscore.report.colours import BLACK, INK, ON_IMAGES, PAPER, ink_on


class Style(NamedTuple):
    """How a kind of box is drawn; no two kinds have the same line."""

    title: str
    colour: str
    dash: tuple[int, ...] = ()  # lengths of strokes and gaps in line widths; none for a solid line


DASHES = {"true": (), "false": (5, 3), "missed": (1, 2), "ignored": (8, 3, 1, 3)}
STYLES = {kind: Style(kind, colour, DASHES[kind]) for kind, colour in ON_IMAGES.items()}


class Mark(NamedTuple):
    """A box to draw: corners in pixels, its text, and how."""

    box: tuple[float, ...]
    text: str
    style: Style


def drawn(image: Image.Image, marks: Sequence[Mark], legend: Sequence[Style] = ()) -> Image.Image:
    """The image with the boxes on it, and below it what the styles mean and how many boxes have each."""
    picture = image.convert("RGB")
    canvas = ImageDraw.Draw(picture)
    line = max(2, round(max(picture.size) / 400))
    font = ImageFont.load_default(max(11, round(max(picture.size) / 55)))
    for mark in marks:
        _outline(canvas, mark, line)
    for mark in marks:  # texts last, so that no box covers them
        _label(canvas, mark, line, font, picture.size)
    return _with_legend(picture, marks, legend, font) if legend else picture


def _outline(canvas: ImageDraw.ImageDraw, mark: Mark, line: int) -> None:
    x0, y0, x1, y1 = mark.box
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0))
    # A dark edge below the colour keeps light lines visible on light images.
    for colour, width in ((BLACK, line + 2), (mark.style.colour, line)):
        for start, end in pairwise(corners):
            for piece in _strokes(start, end, [part * line for part in mark.style.dash]):
                canvas.line(piece, fill=colour, width=width)


def _strokes(start: tuple[float, float], end: tuple[float, float], dash: Sequence[float]) -> Iterator[Any]:
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    if not dash or length == 0:
        yield (start, end)
        return
    along, k = 0.0, 0
    while along < length:
        until = min(along + dash[k % len(dash)], length)
        if k % 2 == 0:
            yield tuple(
                tuple(a + (b - a) * at / length for a, b in zip(start, end, strict=True)) for at in (along, until)
            )
        along, k = until, k + 1


def _label(canvas: ImageDraw.ImageDraw, mark: Mark, line: int, font: Any, size: tuple[int, int]) -> None:
    """The text above the box, or inside where there is no room."""
    if not mark.text:
        return
    left, top, right, bottom = canvas.textbbox((0, 0), mark.text, font=font)
    width, height = right - left + 2 * line, bottom - top + 2 * line
    x = min(max(mark.box[0], 0), max(size[0] - width, 0))
    y = mark.box[1] - height if mark.box[1] >= height else min(max(mark.box[1], 0), size[1] - height)
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
        for piece in _strokes((x, middle), (x + 2 * height, middle), [3.0 * part for part in style.dash]):
            canvas.line(piece, fill=style.colour, width=3)
        text = f"{style.title} {count:,}"
        canvas.text((x + 2.3 * height, middle), text, fill=PAPER, font=font, anchor="lm")
        x += 3 * height + canvas.textlength(text, font=font)
    return whole
