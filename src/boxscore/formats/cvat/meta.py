"""What a CVAT file says at its beginning: the labels, and the tasks with their frames."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from boxscore.errors import InputError

MOST_FRAMES = 5_000_000  # of a video: what has more is a mistake or an attack


@dataclass(frozen=True)
class Task:
    """A task or job: a set of images, or a video with its frames from `start` to `stop`."""

    id: str = ""
    name: str = ""  # of the video's file, else of the task
    subset: str = ""
    start: int | None = None
    stop: int | None = None
    step: int = 1
    width: float = math.nan
    height: float = math.nan

    @property
    def frames(self) -> range:
        """The numbers of its frames; none where the file does not say."""
        known = self.start is not None and self.stop is not None
        return range(self.start or 0, (self.stop or 0) + 1, self.step) if known else range(0)


@dataclass(frozen=True)
class Meta:
    """The classes in order, the points of those that are skeletons, and the tasks by their id."""

    labels: tuple[str, ...] = ()
    points: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tasks: dict[str, Task] = field(default_factory=dict)

    def task(self, key: str | None) -> Task:
        """The task of an image or track; those of a file with a single one need not say it."""
        if not key and len(self.tasks) == 1:
            return next(iter(self.tasks.values()))
        return self.tasks.get(key or "", Task(key or "", key or ""))


def meta_of(file: str, meta: Element) -> Meta:
    """What the element `meta` says."""
    labels, points = dict[str, None](), dict[str, list[str]]()
    for label in meta.iterfind("*/labels/label"):
        name, parent = label.findtext("name") or "", label.findtext("parent") or ""
        if parent:
            points.setdefault(parent, []).append(name)
        elif name:
            labels[name] = None
    found = [*meta.iterfind("task"), *meta.iterfind("job"), *meta.iterfind("project/tasks/task")]
    tasks: dict[str, Task] = {}
    for element in found:
        task = _task(file, element, meta if len(found) == 1 else None)
        if task.id in tasks:
            raise InputError(file, f"two tasks with the id '{task.id}'", "an id of its own for each")
        tasks[task.id] = task
    return Meta(tuple(labels), {name: tuple(of) for name, of in points.items()}, tasks)


def _task(file: str, task: Element, meta: Element | None) -> Task:
    def text(name: str) -> str:
        return task.findtext(name) or ("" if meta is None else meta.findtext(name)) or ""

    start, stop = (_whole(file, name, text(name)) for name in ("start_frame", "stop_frame"))
    step = re.fullmatch(r"step\s*=\s*([1-9]\d{0,8})", text("frame_filter").strip() or "step=1")
    if not step:
        raise InputError(file, f"frame_filter is '{text('frame_filter')}'", "a step, such as step=5")
    made = Task(
        text("id"), text("source") or text("name") or text("id"), text("subset"), start, stop,
        int(step[1]), side_of(text("original_size/width")), side_of(text("original_size/height")),
    )  # fmt: skip
    if len(made.frames) > MOST_FRAMES:
        found = f"frames from {start} to {stop}"
        raise InputError(file, f"task '{made.name}' has {found}", f"at most {MOST_FRAMES:,} frames")
    return made


def _whole(file: str, name: str, text: str) -> int | None:
    if not text.strip():
        return None
    if not re.fullmatch(r"\s*\d{1,18}\s*", text):
        raise InputError(file, f"{name} is '{text}'", "the number of a frame")
    return int(text)


def side_of(text: str | None) -> float:
    """A width or height; nan where the file does not know it."""
    try:
        value = float(text or 0)
    except ValueError:
        return math.nan
    return value if value > 0 and math.isfinite(value) else math.nan
