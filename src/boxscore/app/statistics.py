"""What the tables hold, before any evaluation: the statistics windows of the 2021 toolkit."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from boxscore.analysis.contents import QUANTILES, contents
from boxscore.tables.model import Detections, Truth

GRID = (24, 16)  # cells across and down of the map of centres
SIZES = 8  # image sizes that are listed


def statistics(table: Truth | Detections) -> dict[str, Any]:
    """The statistics of one table, as `boxscore inspect` counts them, and where its boxes lie."""
    made = contents(table)
    return {
        "source": made.source, "format": made.format, "side": made.side, "images": made.images,
        "empty_images": made.empty_images, "boxes": made.boxes, "rejected": made.rejected, "normalized": made.relative,
        "flat": made.flat, "outside": made.outside, "holds": made.holds, "shapes": made.shapes,
        "classes": [[c.name, c.id, c.boxes, c.images, c.width, c.height] for c in made.classes],
        "quantiles": {"levels": QUANTILES, **made.quantiles},
        "histograms": [
            {"title": h.title, "edges": h.edges, "counts": h.counts, "of_images": h.of_images} for h in made.histograms
        ],
        "centres": _centres(table), "grid": GRID, "sizes": _sizes(table),
    }  # fmt: skip


def _centres(table: Truth | Detections) -> list[int] | None:
    """How many boxes have their centres in each cell of a grid over all images; None where sizes are not known."""
    images, rows = table.images, np.flatnonzero(table.image >= 0)
    centre = (table.corners[rows, :2] + table.corners[rows, 2:]) / 2
    if not table.relative:
        if images.width is None or images.height is None:
            return None
        size = np.stack([images.width, images.height], axis=1)[table.image[rows]]
        known = (size > 0).all(axis=1)
        centre, rows = centre[known] / size[known], rows[known]
    if not len(rows):
        return None
    cell = np.clip(np.nan_to_num(centre) * GRID, 0, np.array(GRID) - 1).astype(np.int64)
    counts: list[int] = np.bincount(cell[:, 1] * GRID[0] + cell[:, 0], minlength=GRID[0] * GRID[1]).tolist()
    return counts


def _sizes(table: Truth | Detections) -> list[list[float]]:
    """The most frequent image sizes: width, height, how many."""
    images = table.images
    if images.width is None or images.height is None:
        return []
    pairs = zip(images.width.tolist(), images.height.tolist(), strict=True)
    often = Counter((w, h) for w, h in pairs if w > 0 and h > 0).most_common(SIZES)
    return [[w, h, n] for (w, h), n in often]
