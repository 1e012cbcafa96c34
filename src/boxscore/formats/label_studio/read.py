"""Label Studio: tasks with annotations of people and predictions of models, as a full export or as JSON-MIN.

Of several annotations of a task one is read: that marked as ground truth, else the first; cancelled ones never are.
A task that nobody has annotated is left out; one whose annotation is empty has no objects.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import first_few
from boxscore.formats.io.collected import Collected
from boxscore.formats.io.json_values import Value, load_value
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.formats.label_studio.images import image_names, own_name, page_of
from boxscore.formats.label_studio.regions import Region, regions_of
from boxscore.tables.model import Detections, Truth

_EXPECTED = "an export of Label Studio: a list of tasks"
_PEOPLE = ("annotations", "completions")  # the second before version 1.0
_SWAPPED = "Ground truth comes first, then detections; were they swapped?"


class Task(NamedTuple):
    """The images of a task, and what one annotation or prediction says of them."""

    names: list[str]
    size: tuple[float, float]  # that its data state
    results: list[Value]
    score: Value | None = None  # of the whole prediction


def read_truth(source: Source, options: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects: what people drew."""
    options, made, unseen = options.of("truth"), Collected(), list[str]()
    tasks = []
    for one in load_value(source, _EXPECTED).items():
        annotations = _annotations(one)
        chosen = _chosen(annotations, made)
        if chosen is None:
            unseen += image_names(one)
        else:
            tasks.append(Task(image_names(one), _size(one), chosen))
    _add(made, source.name, tasks, options, scored=False)
    findings = [finding("IMG020", len(unseen), first_few(unseen, len(unseen)))] if unseen else []
    return made.truth(source.name, "label-studio", options), findings


def read_detections(
    source: Source, options: ReadOptions, truth: Truth | None = None
) -> tuple[Detections, list[Finding]]:
    """Detections: what a model predicted; the score is that of the region, else of the prediction."""
    options, made, tasks = options.of("detections"), Collected(), []
    root = load_value(source, _EXPECTED)
    for one in root.items():
        stated = one.get("predictions")
        predictions = [] if stated is None else [p for p in stated.items() if isinstance(p.value, dict)]
        if len(predictions) > 1 and stated is not None:
            found = f"{len(predictions)} predictions of one task"
            raise stated.wrong(found, "one", "Export the predictions of a single model version.")
        results = [result for p in predictions for result in p["result"].items()]
        score = predictions[0].get("score") if predictions else None
        tasks.append(Task(image_names(one), _size(one), results, score))
    if root.items() and not any(one.value.get("predictions") for one in root.items()):
        raise root.wrong("no `predictions`", "tasks with the predictions of a model", _SWAPPED)
    _add(made, source.name, tasks, options, scored=True)
    return made.detections(source.name, "label-studio", options), []


def _annotations(task: Value) -> list[Value]:
    """The annotations of a task; a record of JSON-MIN is one itself."""
    key = next((key for key in _PEOPLE if task.has(key)), None)
    if key is None:
        return [task] if not task.has("data") else []
    return task[key].items()


def _chosen(annotations: list[Value], made: Collected) -> list[Value] | None:
    """The results of the one annotation that counts; those of the others are counted as rejected."""
    valid = [one for one in annotations if not (one.get("was_cancelled") is not None and one["was_cancelled"].truth())]
    best = next((one for one in valid if one.get("ground_truth") is not None and one["ground_truth"].truth()), None)
    best = best or (valid[0] if valid else None)
    for one in annotations:
        if one is not best and (count := len(_results(one))):
            cancelled = one not in valid
            reason = "of a cancelled annotation" if cancelled else "of another annotation of the same task"
            made.rejected[reason] += count
    return None if best is None else _results(best)


def _results(annotation: Value) -> list[Value]:
    """The results of an annotation; in JSON-MIN they stand in lists under the names of controls."""
    if annotation.has("result"):
        return annotation["result"].items()
    if "data" in annotation.object() or "result" in annotation.object():
        return []
    lists = [value for _, value in annotation.entries() if isinstance(value.value, list)]
    return [one for each in lists for one in each.items() if isinstance(one.value, dict) and "x" in one.value]


def _size(task: Value) -> tuple[float, float]:
    """Width and height that the data of a task state, or any region of its annotations: predictions often do not."""
    data = task.get("data")
    places = [] if data is None else [(data, "width", "height")]
    places += [(one, "original_width", "original_height") for each in _annotations(task) for one in _results(each)]
    for place, *sides in places:
        if all(type(place.object().get(side)) in (int, float) for side in sides):
            return place.size(*sides)
    return math.nan, math.nan


def _add(made: Collected, source: str, tasks: Iterable[Task], options: ReadOptions, scored: bool) -> None:
    tasks = list(tasks)
    names = own_name(source, [name for task in tasks for name in task.names])
    for task in tasks:
        places = [made.add_image(names[name], *task.size) for name in task.names]
        for region in _regions(task, options, made):
            with options.invalid:
                image = places[min(page_of(region.where), len(places) - 1)]
                score = _score(region, task) if scored else 0.0
                size = region.size if region.size is not None else (made.width[image], made.height[image])
                corners, area, parts = region.placed(size, options.shapes)
                if math.isnan(made.width[image]):
                    made.width[image], made.height[image] = size
                for name in region.names:
                    made.add(image, name, corners, area, region.flags, parts, region.said, region.where)
                    made.score += [score] if scored else []


def _regions(task: Task, options: ReadOptions, made: Collected) -> Iterator[Region]:
    for region in regions_of(task.results, options, made.rejected):
        if region.names:
            yield region
        else:
            made.rejected["no class"] += 1


def _score(region: Region, task: Task) -> float:
    stated = region.where.get("score") or task.score
    if stated is None:
        raise region.where.wrong("no `score`", "a number as `score` of the region or of the prediction")
    return stated.number()
