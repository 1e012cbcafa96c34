"""Tracks as pictures: a strip of frames side by side, or an animation, with ground truth and detection."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from boxscore.analysis.operating_point import OperatingPoint
from boxscore.evaluation.tracked import by_track
from boxscore.joining.align import Aligned
from boxscore.report.colours import INK, PAPER
from boxscore.report.drawing import STYLES, Mark, Style, drawn
from boxscore.report.words import printable

FORMS = {"strip": "png", "apng": "png", "gif": "gif"}  # what --tubes takes, and the ending of its files
PANELS = 8  # frames of a strip
STRIP, MOVING = 180, 480  # pixels: side of a strip's frames, longer side of an animation
MARGIN = 0.4  # of what is shown, on each side of it
STEP = 120  # milliseconds of a frame
TRUTH = Style("ground truth", PAPER)
MISSED = STYLES["missed"]
Box = tuple[float, ...]
Load = Callable[[int], Image.Image | None]


class Step(NamedTuple):
    """A frame of a track: the object, and the detection that found it there."""

    image: int
    frame: int
    truth: Box
    found: Box | None
    score: float


class Track(NamedTuple):
    """An object through its video."""

    video: str
    name: str
    steps: tuple[Step, ...]

    @property
    def title(self) -> str:
        """What it is, and in how many frames it is found."""
        found = [step.frame for step in self.steps if step.found is not None]
        delay = f", delay {found[0] - self.steps[0].frame:,}" if found else ""
        return f"{self.name} in {self.video}: found in {len(found):,} of {len(self.steps):,} frames{delay}"


def tracks(aligned: Aligned, point: OperatingPoint) -> list[Track]:
    """The tracks of the ground truth with what found them, frame by frame, at an operating point."""
    truth, found = aligned.truth, aligned.detections
    made = by_track(truth, "draw --tubes")
    of_object = np.full(len(truth), -1, np.int64)
    of_object[point.pairs.object] = point.pairs.detection
    tracks = []
    for k in range(len(made.video)):
        part = slice(int(made.begin[k]), int(made.begin[k + 1]))
        rows, frames = made.row[part].tolist(), made.frame[part].tolist()
        steps = []
        for row, frame in zip(rows, frames, strict=True):
            d = int(of_object[row])
            other = None if d < 0 else tuple(found.corners[d].tolist())
            score = 0.0 if d < 0 else float(found.score[d])
            steps.append(Step(int(truth.image[row]), frame, tuple(truth.corners[row].tolist()), other, score))
        assert truth.track is not None
        name = f"{truth.classes.name[truth.label[rows[0]]]} {truth.track[rows[0]]}"
        tracks.append(Track(printable(made.videos[made.video[k]]), printable(name), tuple(steps)))
    return tracks


def pictures(some: Sequence[Track], form: str, load: Load) -> Iterator[tuple[str, bytes | None]]:
    """A file for each track: its path, and the content; None where none of its images is there."""
    used: set[str] = set()
    for track in some:
        base = f"{_safe(track.video)}/{_safe(track.name)}"
        path, k = base, 2
        while path.casefold() in used:
            path, k = f"{base}_{k}", k + 1
        used.add(path.casefold())
        yield f"{path}.{FORMS[form]}", picture(track, form, load)


def picture(track: Track, form: str, load: Load) -> bytes | None:
    """One track as the bytes of a file."""
    steps = track.steps
    if form == "strip" and len(steps) > PANELS:
        steps = tuple(steps[i] for i in np.linspace(0, len(steps) - 1, PANELS).round().astype(int).tolist())
    regions = _around_boxes(steps) if form == "strip" else [_region(track)] * len(steps)
    x0, y0, x1, y1 = regions[0]
    scale = (STRIP if form == "strip" else MOVING) / max(x1 - x0, y1 - y0)
    both = zip(steps, regions, strict=True)
    panels = [panel for step, region in both if (panel := _panel(step, region, scale, load)) is not None]
    if not panels:
        return None
    content = io.BytesIO()
    if form == "strip":
        _titled(_side_by_side(panels), track.title).save(content, "PNG")
    else:
        first, *rest = (_titled(panel, track.title) for panel in panels)
        kind = "PNG" if form == "apng" else "GIF"
        first.save(content, kind, save_all=True, append_images=rest, duration=STEP, loop=0)
    return content.getvalue()


def _around_boxes(steps: Sequence[Step]) -> list[tuple[float, float, float, float]]:
    """Squares of one size around the object in each frame, so that a strip follows it."""
    boxes = np.array([step.truth for step in steps])
    side = max(float((boxes[:, 2:] - boxes[:, :2]).max()) * (1 + 2 * MARGIN), 16.0)
    low = (boxes[:, :2] + boxes[:, 2:] - side) / 2
    return [(x, y, x + side, y + side) for x, y in low.tolist()]


def _region(track: Track) -> tuple[float, float, float, float]:
    """What all boxes of a track cover, with a margin."""
    boxes = np.array([box for step in track.steps for box in (step.truth, step.found) if box is not None])
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    more = np.maximum(MARGIN * (high - low), 8)
    (x0, y0), (x1, y1) = (low - more).tolist(), (high + more).tolist()
    return x0, y0, max(x1, x0 + 16), max(y1, y0 + 16)


def _panel(step: Step, region: Box, scale: float, load: Load) -> Image.Image | None:
    """A frame cut to the region, with both boxes and the number of the frame."""
    image = load(step.image)
    if image is None:
        return None
    x0, y0, x1, y1 = region
    size = max(round((x1 - x0) * scale), 1), max(round((y1 - y0) * scale), 1)
    part = image.convert("RGB").transform(size, Image.Transform.AFFINE, (1 / scale, 0, x0, 0, 1 / scale, y0),
                                          Image.Resampling.BILINEAR)  # fmt: skip
    marks = [Mark(_moved(step.truth, region, scale), "", MISSED if step.found is None else TRUTH)]
    if step.found is not None:
        marks.append(Mark(_moved(step.found, region, scale), f"{step.score:.2f}", STYLES["true"]))
    return _below(drawn(part, marks), f"frame {step.frame}")


def _moved(box: Box, region: Box, scale: float) -> Box:
    return tuple((value - region[i % 2]) * scale for i, value in enumerate(box))


def _below(picture: Image.Image, text: str) -> Image.Image:
    return _bar(picture, text, top=False)


def _titled(picture: Image.Image, text: str) -> Image.Image:
    return _bar(picture, text, top=True)


def _bar(picture: Image.Image, text: str, top: bool) -> Image.Image:
    """The picture with a line of text above or below; letters become smaller where there is little room."""
    font, height = ImageFont.load_default(13), 20
    wide = ImageDraw.Draw(picture).textlength(text, font=font) + 8
    if wide > picture.width:
        font = ImageFont.load_default(max(7.0, 13 * picture.width / wide))
    whole = Image.new("RGB", (picture.width, picture.height + height), INK)
    whole.paste(picture, (0, height if top else 0))
    at = height / 2 if top else picture.height + height / 2
    ImageDraw.Draw(whole).text((4, at), text, fill=PAPER, font=font, anchor="lm")
    return whole


def _side_by_side(panels: Sequence[Image.Image]) -> Image.Image:
    gap = 2
    whole = Image.new("RGB", (sum(p.width for p in panels) + gap * (len(panels) - 1), panels[0].height), PAPER)
    x = 0
    for panel in panels:
        whole.paste(panel, (x, 0))
        x += panel.width + gap
    return whole


def _safe(name: str) -> str:
    """A name that files and folders may have on any system."""
    return re.sub(r"[^\w.-]+", "_", name).strip("._") or "_"
