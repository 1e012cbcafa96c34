"""What pascalvoc.py and the 2021 window save: a curve per class, all in one, the class distribution, numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from matplotlib.figure import Figure

from boxscore import overlaps
from boxscore.evaluation.result import Result
from boxscore.report.figures.fonts import ALWAYS
from boxscore.report.figures.making import made, made_in_turn
from boxscore.report.figures.saving import as_bytes
from boxscore.report.figures.style import styled
from boxscore.report.views.common import numbers_of, set_names
from boxscore.report.views.counts import view as counts_view
from boxscore.report.views.pr import PrCurve, PrView, class_curves, ranked_points
from boxscore.report.views.pr import view as pr_view
from boxscore.report.words import printable

DPI = 150
OWN = ("all_classes", "class_distribution", "results")  # no class may take their files
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # no file may be called so on Windows


def files(
    results: Sequence[Result],
    form: str = "png",
    iou: float | None = None,
    interpolation: str | int | None = None,
    width: float | None = None,
    height: float | None = None,
    dpi: float = DPI,
    tell: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[str, bytes]]:
    """The files, each with its path and content; in a folder for each detection set where there are several."""
    folders = file_names(set_names(results)) if len(results) > 1 else [""]
    whole = sum(len(r.per_class) + 3 for r in results)
    done = 0
    with styled((ALWAYS,)):  # once for all of them
        for folder, result in zip(folders, results, strict=True):
            for name, figure in _figures(result, iou, interpolation, width, height):
                done += 1
                if tell is not None:
                    tell(done, whole)
                ending, content = ("txt", figure) if isinstance(figure, bytes) else (form, as_bytes(figure, form, dpi))
                yield f"{folder}/{name}.{ending}" if folder else f"{name}.{ending}", content


def _figures(
    result: Result, iou: float | None, interpolation: str | int | None, width: float | None, height: float | None
) -> Iterator[tuple[str, Figure | bytes]]:
    """The figures of one detection set by name, and the text of its numbers."""
    together = pr_view([result], iou=iou, interpolation=interpolation)
    numbers = numbers_of(result)
    curves = class_curves(numbers, together.iou, together.interpolation)
    about = f"{overlaps.get(result.protocol).called} {together.iou:.4g}" + {"raw": "", "all": ", all points"}.get(
        together.interpolation, f", {together.interpolation} points"
    )
    views = (
        PrView("class", curve.name, together.number, together.interpolation, together.iou, (curve,), None, (about,))
        for curve in curves
    )
    names = file_names([c.name for c in curves], OWN)
    for name, drawn in zip(names, made_in_turn("pr", views, width, height), strict=True):
        yield name, drawn.figure
    yield OWN[0], made("pr", together, width, height).figure
    yield OWN[1], made("counts", counts_view([result]), width).figure  # as high as its rows are
    yield OWN[2], as_text(result, together, curves).encode("utf-8", "backslashreplace")


def as_text(result: Result, view: PrView, curves: Sequence[PrCurve]) -> str:
    """`results.txt` in the form of pascalvoc.py: AP, precisions and recalls of each class that has objects, mAP."""
    iou = f"{overlaps.get(result.protocol).called} {view.iou:.4g}"
    lines = [
        f"boxscore {result.version}, {result.protocol.signature()}, {iou}",
        f"{printable(result.truth.path)} | {printable(result.detections.path)}",
        "",
        "",
        "Average Precision (AP), Precision and Recall per class:",
    ]
    for k, curve in enumerate(curves):
        if curve.objects:
            ranked = ranked_points(numbers_of(result), k, view.iou)  # all points, however many
            lines += [
                "",
                f"Class: {curve.name}",
                f"AP: {100 * curve.ap:.2f}%",
                f"Precision: {[f'{p:.2f}' for p in ranked.precision.tolist()]}",
                f"Recall: {[f'{r:.2f}' for r in ranked.recall.tolist()]}",
            ]
    mean = view.mean.ap if view.mean is not None else view.curves[0].ap
    lines += ["", "", f"mAP: {'n/a' if mean != mean else f'{100 * mean:.2f}%'}"]
    return "\n".join(lines) + "\n"


def file_names(names: Sequence[str], taken: Sequence[str] = ()) -> list[str]:
    """Names as files may be called, on any system, no two alike.

    >>> file_names(["cat", "Cat", "traffic light/red", "results", "..", ""], OWN)
    ['cat', 'Cat_2', 'traffic light_red', 'results_2', '_', '_2']
    """
    used = {name.casefold() for name in taken}
    made = []
    for name in names:
        base = re.sub(r'[<>:"/\\|?*\x00-\x1f\x7f]', "_", name).strip(" .")
        base = f"{base}_" if not base or RESERVED.fullmatch(base) else base
        while len(base.encode("utf-8", "backslashreplace")) > 180:
            base = base[:-1]
        chosen, k = base, 2
        while chosen.casefold() in used:
            chosen, k = f"{base.rstrip('_')}_{k}", k + 1
        used.add(chosen.casefold())
        made.append(chosen)
    return made
