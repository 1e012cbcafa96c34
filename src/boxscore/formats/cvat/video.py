"""CVAT XML 1.1 for video: tracks with a shape for each frame, or for keyframes only.

Images are the frames of the video, all that the file says there are; a shape that is outside of the picture is no row.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.cvat.meta import MOST_FRAMES, Meta, Task, meta_of
from boxscore.formats.cvat.objects import Objects, Said, classes_of, outline_of_element, stated
from boxscore.formats.cvat.read import EXPECTED
from boxscore.formats.cvat.shapes import TURNED, Wrong, outline_of
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.formats.io.xml_parsing import children
from boxscore.tables.model import Detections, Flag, Images, Truth


class _Shape(NamedTuple):
    """A visible shape of a track, with what is needed to make those up to the next keyframe."""

    task: Task
    frame: int
    track: int
    label: str
    kind: str
    values: list[float] | None
    flags: int
    said: Said


@dataclass
class _Content:
    """What a file holds."""

    objects: Objects
    meta: Meta = field(default_factory=Meta)
    gaps: list[tuple[_Shape, _Shape]] = field(default_factory=list)
    frames: dict[str, set[int]] = field(default_factory=dict)  # of each task, in which something is visible
    tasks: dict[str, Task] = field(default_factory=dict)  # by id: those of the file, and others that tracks name
    only_keyframes: bool = True


def read_truth(source: Source, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects of all tracks; where a file has keyframes only, those between are made by linear interpolation."""
    how = how.of("truth")
    content = _content(source, Objects(how))
    made, open_gaps = _interpolate(source, content) if content.only_keyframes else (0, 0)
    table = _table(source, content, how)
    findings = [finding(code, count) for code, count in (("TRK001", made), ("TRK002", open_gaps)) if count]
    flags = np.array(content.objects.flags, np.uint16)
    added = (("interpolated between keyframes", made),) if made else ()
    return Truth(**table, area=np.full(len(flags), np.nan), flags=flags, added=added), findings


def read_detections(source: Source, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Shapes that all have a score, as an attribute `score` or `confidence`; nothing is interpolated."""
    how = how.of("detections")
    content = _content(source, Objects(how, scored=True))
    return Detections(**_table(source, content, how), score=np.array(content.objects.score, np.float64)), []


def _content(source: Source, objects: Objects) -> _Content:
    content = _Content(objects)
    for number, element in enumerate(children(source, "annotations", EXPECTED)):
        if element.tag == "meta":
            content.meta = meta_of(source.name, element)
        elif element.tag == "track":
            _add_track(source, content, element, number)
        elif element.tag == "image":
            raise InputError(source.name, "an element <image>", "CVAT for video", "Its format is cvat.")
    split, tasks = objects.how.split, {**content.meta.tasks, **content.tasks}
    content.tasks = {key: task for key, task in tasks.items() if split in (None, task.subset)}
    if split is not None and not content.tasks:
        subsets = sorted({task.subset for task in tasks.values()})
        found = f"no video of '{split}' (there are {first_few(subsets, len(subsets)) or 'none'})"
        raise InputError(source.name, found, "one of the subsets as split")
    return content


def _add_track(source: Source, content: _Content, track: Element, number: int) -> None:
    task = content.meta.task(track.get("task_id"))
    content.tasks.setdefault(task.id, task)
    if content.objects.how.split not in (None, task.subset):
        return
    last, before = -1, None  # the frame that came last, and its shape if it is visible
    place = f"track {track.get('id', f'[{number}]')}"
    try:
        key, label = _whole(track, "id"), track.get("label")
        if label is None:
            raise Wrong("no label", "the name of its class")
        for element in track:
            if element.tag == "attribute":  # of the whole track, which every shape gets
                continue
            place = f"track {key}, <{element.tag}> of frame {element.get('frame', '?')}"
            try:
                shape = _add_shape(content, task, track, element, key, label, last)
            except Wrong as error:
                with content.objects.how.invalid:
                    raise InputError(source.name, f"{place}: {error.found}", error.expected) from None
                continue
            if before is not None and shape.frame > last + task.step:
                content.gaps.append((before, shape))
            last, before = shape.frame, None if element.get("outside", "0") == "1" else shape
    except Wrong as error:
        raise InputError(source.name, f"{place}: {error.found}", error.expected) from None


def _add_shape(
    content: _Content, task: Task, track: Element, element: Element, key: int, label: str, last: int
) -> _Shape:
    """One more shape of a track, after the last frame; if it is outside, it can still be the end of a gap."""
    frame, objects = _whole(element, "frame"), content.objects
    outline, values = outline_of_element(element, label, (task.width, task.height), content.meta, objects.how)
    flags, said = stated(element, track)
    generated = element.get("keyframe", "1") == "0"
    if frame <= last:
        raise Wrong(f"it comes after frame {last}", "ascending frames")
    if element.get("outside", "0") == "1":
        objects.rejected["outside"] += 1
    else:
        flags |= Flag.GENERATED if generated else 0
        objects.add((task.id, frame), label, outline, int(flags), said, key)
        content.frames.setdefault(task.id, set()).add(frame)
    content.only_keyframes &= not generated
    return _Shape(task, frame, key, label, element.tag, values, int(flags), said)


def _whole(element: Element, name: str) -> int:
    text = element.get(name, "")
    if not re.fullmatch(r"\d{1,18}", text):
        raise Wrong(f"{name} is '{text}'" if name in element.attrib else f"no {name}", "a whole number")
    return int(text)


def _interpolate(source: Source, content: _Content) -> tuple[int, int]:
    """Rows between keyframes of the same kind; how many were made, and how many frames of gaps have none."""
    made, left = 0, 0
    for start, end in content.gaps:
        between = range(start.frame + start.task.step, end.frame, start.task.step)
        fits = start.kind == end.kind and start.values is not None and end.values is not None
        if not fits or len(start.values or ()) != len(end.values or ()):
            left += len(between)
            continue
        if made + len(between) > MOST_FRAMES:
            found = f"track {start.track}: nothing between the frames {start.frame} and {end.frame}"
            raise InputError(source.name, found, f"at most {MOST_FRAMES:,} shapes to interpolate")
        for frame in between:
            share = (frame - start.frame) / (end.frame - start.frame)
            outline = outline_of(start.kind, _between(start, end, share))
            flags = start.flags | Flag.GENERATED
            content.objects.add((start.task.id, frame), start.label, outline, flags, start.said, start.track)
        content.frames[start.task.id].update(between)
        made += len(between)
    return made, left


def _between(start: _Shape, end: _Shape, share: float) -> list[float]:
    """The numbers of a shape at a share of the way; a rotation goes the shorter way round."""
    pairs = list(zip(start.values or (), end.values or (), strict=True))
    values = [a + (b - a) * share for a, b in pairs]
    if start.kind in TURNED:
        a, b = pairs[-1]
        values[-1] = (a + ((b - a + 180) % 360 - 180) * share) % 360
    return values


def _table(source: Source, content: _Content, how: ReadOptions) -> dict[str, Any]:
    count = Counter(task.name for task in content.tasks.values())
    videos = {key: task.name if count[task.name] == 1 else f"{task.name}/{key}" for key, task in content.tasks.items()}
    listed = [
        (key, frame)
        for key, task in content.tasks.items()
        for frame in sorted({*task.frames, *content.frames.get(key, ())})
    ]
    place = {key: k for k, key in enumerate(listed)}
    names = [f"{videos[key]}/frame_{n:06d}" if len(videos) > 1 else f"frame_{n:06d}" for key, n in listed]
    classes = classes_of(content.meta, content.objects.name, how)
    table = content.objects.table(classes, [place[key] for key in content.objects.image], source.name, "cvat-video")
    sizes = ([getattr(content.tasks[key], side) for key, _ in listed] for side in ("width", "height"))
    width, height = (np.array(side, np.float64) for side in sizes)
    frames = np.array([frame for _, frame in listed], np.int64)
    return {**table, "images": Images(names, None, width, height, [videos[key] for key, _ in listed], frames)}
