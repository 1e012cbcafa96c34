"""What an evaluation shows: the cap that cuts, ties that matter, a floor under the scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from boxscore.checkup.gain import some
from boxscore.diagnostics.diagnoses import Diagnosis, Evidence, diagnosis
from boxscore.evaluation.result import Result
from boxscore.evaluation.run import evaluate_tables
from boxscore.joining.align import Aligned
from boxscore.protocols import get, variant
from boxscore.tables.model import select

CAP = 100  # detections of an image and class that COCO looks at
FLOOR = 0.02  # scores above which the lowest one is a floor rather than chance
TIES = 0.005  # what ties must be able to move AP by
_COCO = get("coco")


def faults(aligned: Aligned) -> Iterator[Diagnosis]:
    """All checks that need an evaluation; of a large set, that of a part of the images."""
    if not (aligned.detections.label >= 0).any():
        return
    part, share = some(aligned)
    where = f" (on {share:.0%} of the images)" if share < 1 else ""
    result = evaluate_tables(part, _COCO)
    ap = float(result["AP"])
    if np.isnan(ap):
        return
    yield from _cap(part, ap, where)
    yield from _ties(result, where)
    yield from _floor(part, ap, where)


def _cap(part: Aligned, ap: float, where: str) -> Iterator[Diagnosis]:
    """Detections beyond the hundred best of an image and class, and what AP is with them."""
    found = part.detections
    cell = found.image.astype(np.int64) * (len(found.classes) + 1) + found.label
    if len(found) <= CAP:
        return
    _, counts = np.unique(cell[found.label >= 0], return_counts=True)
    over = int(np.maximum(counts - CAP, 0).sum())
    if not over:
        return
    most = int(counts.max())
    free = float(evaluate_tables(part, variant(_COCO, max_detections=f"1,10,{most}"))[f"AP[max={most}]"])
    severity = "warning" if free - ap > TIES else "note"
    yield replace(
        diagnosis(
            "CAP001", over, f"{over:,} detections are over COCO's limit of {CAP} per image and class; one "
            f"has {most:,}{where}", evidence=(Evidence("AP without a limit", ap, free),),
            option=f"--max-detections 1,10,{most}" if severity == "warning" else "",
            repair="" if severity == "warning" else "nothing: they hardly change AP",
        ),
        severity=severity,
    )  # fmt: skip


def _ties(result: Result, where: str) -> Iterator[Diagnosis]:
    """Whether the order of equal scores can move AP."""
    if not result.ledger.tied:
        return
    low, high = result.tie_bounds("AP")
    if high - low > TIES:
        yield diagnosis(
            "SCR106", result.ledger.tied, f"{result.ledger.tied:,} detections share their score with another one of "
            f"their class; by their order AP is anything from {low:.4f} to {high:.4f}{where}",
            repair="write scores with all their digits; `boxscore eval --tie-bounds` shows the bounds of every AP",
        )  # fmt: skip


def _floor(part: Aligned, ap: float, where: str) -> Iterator[Diagnosis]:
    """A floor under the scores, and what raising it by as much again costs."""
    score = part.detections.score
    low, high = float(score.min()), float(score.max())
    if not (FLOOR < low < high <= 1) or len(score) < 50:
        return
    again = low + min(low, (high - low) / 2)
    less = evaluate_tables(
        replace(part, detections=select(part.detections, score >= again)), _COCO
    )["AP"]  # fmt: skip
    yield diagnosis(
        "SCR105", len(score), f"no detection scores below {low:.4g}: lower ones seem to be cut off, which never raises "
        f"AP. As an estimate of what that costs: without those below {again:.4g} too, AP falls by another "
        f"{ap - float(less):.4f}{where}",
        evidence=(Evidence(f"AP with a floor of {again:.3g}, of {low:.3g}", float(less), ap),),
        repair="export detections from a score of 0.001 on",
    )  # fmt: skip
