"""When the objects of videos exist and when they are found."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from boxscore.report.colours import FALSE, INK, INK_2, LINE, TRUE
from boxscore.report.figures.sheet import EDGE, LINE_HEIGHT, PAD, Margins, Sheet, empty, foot_room, head_room
from boxscore.report.figures.style import ONE, SMALL, TEXT, TWO
from boxscore.report.views.timeline import TimelineView, TrackLine

ROW = LINE_HEIGHT * SMALL + 1.5  # points of each track
NAMES = 0.3  # share of the width that names may take
FEW = 8  # tracks that fit a column of a paper
LEGEND = (("exists", LINE), ("until found", FALSE), ("found", TRUE))


def size(view: TimelineView, width: float | None) -> tuple[float, float]:
    """The size in inches: a row for each track, and for each video where there are several."""
    wide = width or (ONE if view.tracks <= FEW else TWO)
    return wide, (max(_rows(view), 1) * ROW + head_room() + foot_room() + 2 * EDGE) / 72


def draw(sheet: Sheet, view: TimelineView) -> Axes:
    """A bar for each track: grey where it exists, red up to where it is first found, blue where it is found."""
    lines = [line for video in view.videos for line in video.tracks]
    delays = [_delay(line) for line in lines]
    heading = "delay"
    left = min(sheet.widest([line.name for line in lines]), NAMES * sheet.width) + PAD
    right = sheet.widest([*delays, heading]) + 2 * PAD
    ax = sheet.axes(Margins(left, right, foot_room(), head_room()))
    n = max(_rows(view), 1)
    ax.set(xlim=(view.first - 0.5, view.last + 0.5), ylim=(n, 0))
    ax.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10], integer=True))
    ax.set_xlabel(sheet.fitted("frame", sheet.size(ax)[0]))
    ax.set_yticks([])
    ax.grid(axis="x", visible=True)
    ax.grid(axis="y", visible=False)
    width = sheet.size(ax)[0]
    row = 0
    for video in view.videos:
        if len(view.videos) > 1:
            name = sheet.fitted(video.name, left + width, SMALL, bold=True)
            sheet.write(ax, 0, 1 - (row + 0.5) / n, name, dx=-left, fontweight="bold", va="center", color=INK)
            row += 1
        for line in video.tracks:
            _bars(ax, line, row)
            y = 1 - (row + 0.5) / n
            sheet.write(ax, 0, y, sheet.fitted(line.name, left - PAD), dx=-PAD, ha="right", va="center", color=INK)
            sheet.write(ax, 1, y, _delay(line), dx=right - PAD, ha="right", va="center",
                        color=FALSE if line.delay is None else INK)  # fmt: skip
            row += 1
    sheet.write(ax, 1, 1, heading, dx=right - PAD, dy=PAD, ha="right", va="bottom", color=INK_2)
    _head(sheet, ax, view, left, right, sheet.measured(heading))
    if not lines:
        empty(sheet, ax, "no tracks")
    return ax


def _bars(ax: Axes, line: TrackLine, row: int) -> None:
    thin, thick = (row + 0.38, 0.24), (row + 0.2, 0.6)
    start = line.exists[0][0]
    ax.broken_barh(_spans(line.exists), thin, color=LINE, zorder=2)
    until = math.inf if line.delay is None else start + line.delay
    before = [(a, min(b, until - 1)) for a, b in line.exists if a < until]
    ax.broken_barh(_spans(before), thin, color=FALSE, zorder=3)
    ax.broken_barh(_spans(line.found), thick, color=TRUE, zorder=4)


def _spans(runs: object) -> list[tuple[float, float]]:
    assert isinstance(runs, (tuple, list))
    return [(a - 0.5, b - a + 1) for a, b in runs]


def _head(sheet: Sheet, ax: Axes, view: TimelineView, left: float, right: float, taken: float) -> None:
    """What is shown at which threshold, and what the colours mean."""
    room = left + sheet.size(ax)[0] + right - 2 * PAD
    at = "all detections" if view.score == -math.inf else f"score >= {view.score:.4g}"
    only = "" if len(view.videos) > 1 or not view.videos else f"{view.videos[0].name}: "
    mean = "" if math.isnan(view.mean) else f", mean delay {view.mean:.3g}"
    missed = f", {view.missed:,} never found" if view.missed else ""
    hidden = f", {view.hidden:,} not shown" if view.hidden else ""
    title = f"{only}{view.tracks:,} track{'s' * (view.tracks != 1)}{mean}{missed}{hidden}"
    above = PAD + LINE_HEIGHT * SMALL + 2
    sheet.write(ax, 0, 1, sheet.fitted(title, room, TEXT, bold=True), dx=-left, dy=above, fontsize=TEXT,
                fontweight="bold", va="bottom")  # fmt: skip
    x, wide = -left, sheet.size(ax)[0]
    y = 1 + (PAD + LINE_HEIGHT * SMALL / 2) / sheet.size(ax)[1]
    for name, colour in LEGEND:
        thick = 4.5 if colour == TRUE else 2.0
        sheet.stroke(ax, [x / wide, (x + 10) / wide], [y, y], color=colour, lw=thick)
        sheet.write(ax, 0, y, name, dx=x + 10 + PAD / 2, va="center", color=INK_2)
        x += 10 + PAD / 2 + sheet.measured(name) + 2 * PAD
    rest = wide + right - PAD - taken - 2 * PAD - x
    about = f"{at}, {view.called} {view.iou:g}"
    if rest > sheet.measured(about):
        sheet.write(ax, 0, y, about, dx=x, va="center", color=INK_2)


def _rows(view: TimelineView) -> int:
    return sum(len(video.tracks) for video in view.videos) + (len(view.videos) if len(view.videos) > 1 else 0)


def _delay(line: TrackLine) -> str:
    return "never" if line.delay is None else f"{line.delay:,}"
