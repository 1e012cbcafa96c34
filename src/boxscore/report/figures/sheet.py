"""Where things stand in a figure: everything is measured before it is placed, so that no text meets another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation, Transform

from boxscore.report.colours import INK, INK_2
from boxscore.report.figures.fonts import Fonts
from boxscore.report.figures.style import SMALL, TEXT

LINE_HEIGHT = 1.3  # of the size of letters
PAD = 4.0  # points between things
EDGE = 2.0  # points around everything
WORD_AT_START, WORD_AT_END = re.compile(r"^[^\W_]+"), re.compile(r"[^\W_]+$")
TICKS = (0, 0.2, 0.4, 0.6, 0.8, 1)


class Margins(NamedTuple):
    """Room around axes, in points."""

    left: float
    right: float
    bottom: float
    top: float


class Sheet:
    """A rectangle of a figure to draw into; sizes in points."""

    def __init__(self, figure: Figure, fonts: Fonts, area: tuple[float, float, float, float] = (0, 0, 1, 1)) -> None:
        self.figure, self.fonts = figure, fonts
        width, height = (72 * float(side) for side in figure.get_size_inches())
        self.left, self.bottom = area[0] * width + EDGE, area[1] * height + EDGE / 2
        self.width, self.height = area[2] * width - 2 * EDGE, area[3] * height - EDGE
        self._whole = width, height
        renderer: Any = RendererAgg  # matplotlib does not say its types
        self._renderer = renderer(8, 8, figure.dpi)
        self._widths: dict[tuple[str, float, bool], float] = {}

    def measured(self, text: str, size: float = SMALL, bold: bool = False) -> float:
        """How wide a text is."""
        key = text, size, bold
        if key not in self._widths:
            font = FontProperties(family=list(self.fonts.families), size=size, weight="bold" if bold else "normal")
            pixels: float = self._renderer.get_text_width_height_descent(self.fonts.written(text), font, False)[0]
            # Vector formats lay letters out without the grid of dots: they may come out a little wider.
            self._widths[key] = 1.02 * pixels * 72 / self.figure.dpi + 0.5
        return self._widths[key]

    def widest(self, texts: Sequence[str], size: float = SMALL, bold: bool = False) -> float:
        """How wide the widest of some texts is."""
        return max((self.measured(text, size, bold) for text in texts), default=0.0)

    def fitted(self, text: str, width: float, size: float = SMALL, bold: bool = False) -> str:
        """Text that is at most so wide; what does not fit is missing in the middle."""
        if self.measured(text, size, bold) <= width:
            return text
        low, high = 0, len(text)
        while low < high:
            n = (low + high + 1) // 2
            low, high = (n, high) if self.measured(_shortened(text, n), size, bold) <= width else (low, n - 1)
        return _shortened(text, low)

    def all_fitted(self, texts: Sequence[str], width: float, size: float = SMALL) -> list[str]:
        """Texts that are at most so wide; those that this makes alike keep the part by which they differ."""
        shown = {text: self.fitted(text, width, size) for text in texts}
        alike: dict[str, list[str]] = {}
        for text, cut in shown.items():
            alike.setdefault(cut, []).append(text)
        for some in alike.values():
            if len(some) > 1:
                shown.update((text, self._distinct(text, *_common(some), width, size)) for text in some)
        return [shown[text] for text in texts]

    def _distinct(self, text: str, begin: int, end: int, width: float, size: float) -> str:
        """Text without what others begin and end with, but for as much of its beginning as there is room for."""
        rest = text[begin : len(text) - end] + ("…" if end else "")
        low, high = 0, begin
        while low < high:
            n = (low + high + 1) // 2
            low, high = (n, high) if self.measured(f"{text[:n]}…{rest}", size) <= width else (low, n - 1)
        return self.fitted(f"{text[:low]}{'…' if low < begin else ''}{rest}", width, size)

    def axes(self, margins: Margins, within: tuple[float, float, float, float] = (0, 0, 1, 1)) -> Axes:
        """Axes with so much room around them, in a part of the sheet given by left, bottom, width, height as shares."""
        x0 = self.left + within[0] * self.width + margins.left
        y0 = self.bottom + within[1] * self.height + margins.bottom
        width = max(within[2] * self.width - margins.left - margins.right, 8.0)
        height = max(within[3] * self.height - margins.bottom - margins.top, 8.0)
        whole_width, whole_height = self._whole
        return self.figure.add_axes((x0 / whole_width, y0 / whole_height, width / whole_width, height / whole_height))

    def size(self, ax: Axes) -> tuple[float, float]:
        """The width and height of axes."""
        box = ax.get_position(original=True)
        return box.width * self._whole[0], box.height * self._whole[1]

    def beside(self, ax: Axes, x: float = 0.0, y: float = 0.0) -> Transform:
        """Shares of the axes, moved by points."""
        return ax.transAxes + ScaledTranslation(x / 72, y / 72, self.figure.dpi_scale_trans)

    def write(self, ax: Axes, x: float, y: float, text: str, dx: float = 0.0, dy: float = 0.0, **style: Any) -> None:
        """Text at a place of the axes, given in shares and points."""
        style.setdefault("fontsize", SMALL)
        style.setdefault("color", INK)
        ax.text(x, y, self.fonts.written(text), transform=self.beside(ax, dx, dy), clip_on=False, **style)

    def stroke(self, ax: Axes, x: Sequence[float], y: Sequence[float], dx: float = 0.0, **style: Any) -> None:
        """A line given in shares of the axes, and points beside them."""
        ax.add_artist(Line2D(x, y, transform=self.beside(ax, dx), clip_on=False, **style))

    def heading(
        self, ax: Axes, title: str, name: str = "", left: float = 0.0, right: float = 0.0, number: str = ""
    ) -> None:
        """The title over everything, a number after it, and below it the name of the y axis, read horizontally."""
        room = self.size(ax)[0] + left + right - self.measured(number, TEXT, bold=True)
        if name:
            self.write(ax, 0, 1, self.fitted(name, self.size(ax)[0] + right), dy=PAD, color=INK_2, va="bottom")
        shown = self.fitted(title, room, TEXT, bold=True) + number
        above = PAD + (LINE_HEIGHT * SMALL + 2 if name else 0)
        self.write(ax, 0, 1, shown, dx=-left, dy=above, fontsize=TEXT, fontweight="bold", va="bottom")


def head_room(name: bool = True) -> float:
    """How much room a heading takes above axes."""
    return PAD + LINE_HEIGHT * TEXT + (LINE_HEIGHT * SMALL + 2 if name else 0) + PAD


def foot_room(name: bool = True) -> float:
    """How much room ticks, and the name of the x axis, take below axes."""
    return 6 + LINE_HEIGHT * SMALL + (LINE_HEIGHT * SMALL if name else 0) + PAD


def unit(sheet: Sheet, ax: Axes, x: str = "recall") -> None:
    """Axes of rates: 0 to 1, ticks at fifths, or at halves where there is little room."""
    width, height = sheet.size(ax)
    ax.set(xlim=(0, 1), ylim=(0, 1.02), xlabel=sheet.fitted(x, width + 2 * PAD))
    for axis, room in ((ax.xaxis, width / 16), (ax.yaxis, height / (LINE_HEIGHT * SMALL))):
        ticks = TICKS if room >= len(TICKS) else TICKS[:: len(TICKS) - 1] if room < 3 else (0, 0.5, 1)
        axis.set_ticks(ticks, labels=[f"{t:g}" for t in ticks])


def empty(sheet: Sheet, ax: Axes, reason: str) -> None:
    """Why there is nothing to see, in the middle of the axes."""
    shown = sheet.fitted(reason, sheet.size(ax)[0] - PAD)
    sheet.write(
        ax, 0.5, 0.5, shown, color=INK_2, ha="center", va="center", bbox={"fc": "white", "ec": "none", "pad": 2}
    )


def _common(texts: Sequence[str]) -> tuple[int, int]:
    """How many characters all texts begin and end with, in whole words.

    >>> _common(["boat number 12 of them", "boat number 13 of them"])
    (12, 8)
    """
    begin = _prefix(texts)
    end = _prefix([text[len(begin) :][::-1] for text in texts])[::-1]
    return len(WORD_AT_END.sub("", begin)), len(WORD_AT_START.sub("", end))


def _prefix(texts: Sequence[str]) -> str:
    low, high = min(texts), max(texts)
    return low[: next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))]


def _shortened(text: str, n: int) -> str:
    """Text with at most so many of its characters, those in the middle missing."""
    if n >= len(text):
        return text
    return f"{text[: (n + 1) // 2]}…{text[len(text) - n // 2 :]}"
