"""The whole way in one function: read, align, match, tally, result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from boxscore import overlaps
from boxscore.diagnostics.findings import Finding
from boxscore.evaluation.accounts import detections_account, objects_account
from boxscore.evaluation.accounts import findings as comparison_findings
from boxscore.evaluation.frame_findings import frame_findings
from boxscore.evaluation.ledger import Ledger
from boxscore.evaluation.memo import Shared
from boxscore.evaluation.pixels import unknown_ranges
from boxscore.evaluation.prepare import matched, prepare
from boxscore.evaluation.result import Result
from boxscore.evaluation.tally import Tally
from boxscore.formats.io.keywords import READING, options_from
from boxscore.joining.align import Aligned
from boxscore.joining.both import read_both
from boxscore.metrics import Numbers
from boxscore.metrics.summary import wanted
from boxscore.protocols import Protocol, get
from boxscore.tables.arguments import NAMES, WHOLE, a, checked

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from boxscore.formats.io.keywords import ReadKeywords

_PROTOCOL = a("the name of a protocol or a Protocol", str, Protocol)
_PROTOCOLS = NAMES._replace(expected="a list of protocols")


@checked(READING, protocol=_PROTOCOL, metrics=NAMES, threads=WHOLE)
def evaluate(
    truth: Any,
    detections: Any,
    *,
    protocol: str | Protocol = "coco",
    metrics: Iterable[str] = (),
    score: float | None = None,
    **reading: Unpack[ReadKeywords],
) -> Result:
    """Evaluates detections against truth by a protocol.

    Each side is a path, a table (`Truth`, `Detections`), a mapping of columns, or a list with one mapping per image
    (`boxes`, `labels`, `scores`, flags). Arrays need `box`: xywh, xyxy or cxcywh. `classes` are names by number, or
    the path of a list of them. The table of classes has P, R and F1 at `score`, else at the score of the best F1.

    >>> truth = [{"boxes": [[0, 0, 10, 10]], "labels": [1]}]
    >>> found = [{"boxes": [[0, 0, 10, 9]], "labels": [1], "scores": [0.9]}]
    >>> result = evaluate(truth, found, box="xyxy", protocol="coco-fixed")
    >>> result["AP50"], result["AP"]
    (1.0, 0.9)

    Keypoints are x, y and perhaps visibility of each point, in arrays of shape (boxes, points, 2 or 3).

    >>> truth[0]["keypoints"], found[0]["keypoints"] = [[[2, 3, 2], [7, 8, 1]]], [[[2, 3], [7, 8]]]
    >>> evaluate(truth, found, box="xyxy", protocol="coco-keypoints[sigmas=0.05,0.1]")["AR"]
    1.0
    """
    return evaluate_many(truth, detections, [protocol], metrics=metrics, score=score, **reading)[0]


@checked(READING, protocols=_PROTOCOLS, metrics=NAMES, threads=WHOLE)
def evaluate_many(
    truth: Any,
    detections: Any,
    protocols: Sequence[str | Protocol],
    *,
    metrics: Iterable[str] = (),
    score: float | None = None,
    **reading: Unpack[ReadKeywords],
) -> list[Result]:
    """Evaluates by several protocols, which share reading, grouping and sorting; arguments as for `evaluate`.

    >>> truth = [{"boxes": [[0, 0, 10, 10]], "labels": [1]}]
    >>> found = [{"boxes": [[0, 0, 10, 9]], "labels": [1], "scores": [0.9]}]
    >>> [r["mAP"] for r in evaluate_many(truth, found, ["voc2012", "tf-voc"], box="xyxy")]
    [1.0, 1.0]
    """
    rules, further = [get(protocol) for protocol in protocols], list(metrics)
    how = options_from(reading, needs=overlaps.needed(rules))
    joined, shared = read_both(truth, detections, how), Shared(rules)
    return [evaluate_tables(joined.aligned, p, joined.findings, further, how.threads, shared, score) for p in rules]


def evaluate_tables(
    aligned: Aligned,
    protocol: Protocol,
    findings: Sequence[Finding] = (),
    metrics: Iterable[str] = (),
    threads: int = 0,
    shared: Shared | None = None,
    score: float | None = None,
) -> Result:
    """Evaluates two tables that `align` has joined; `shared` remembers what further protocols can use."""
    shared = shared or Shared()
    prepared = prepare(aligned, protocol, shared, threads)
    findings = (*findings, *frame_findings(aligned, threads))
    aligned = prepared.aligned
    matching = matched(prepared, threads=threads, shared=shared)
    tally = Tally.of(matching, prepared.truth, prepared.protocol, unknown_ranges(prepared), prepared.unlisted)
    numbers = Numbers(tally, *wanted(prepared.protocol), threads=threads, prepared=prepared)
    ledger = Ledger(
        aligned.account,
        objects_account(aligned.truth, prepared, numbers),
        detections_account(aligned, prepared, matching, numbers),
        (*findings, *comparison_findings(aligned, matching, tally, shared)),
        numbers.tied(),
    )
    return Result.of(numbers, ledger, aligned.truth, aligned.detections, metrics, score)
