"""Figures of one or several results: `bs.plot.pr([a, b])`, each returning matplotlib axes.

They need matplotlib: `pip install "boxscore[plot]"`. docs/figures.md shows all of them.
"""

from __future__ import annotations

from boxscore.report.figures.plots import classes, confusion, counts, pr, ranking, recall_iou, score, sizes, timeline

__all__ = ["classes", "confusion", "counts", "pr", "ranking", "recall_iou", "score", "sizes", "timeline"]
