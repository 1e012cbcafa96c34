"""The images of detections under the names that the truth has for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import first_few
from boxscore.formats.io.image_names import match_names, stem, without_extension
from boxscore.tables.model import Detections, Truth, index_of

__all__ = ["joined", "known_names", "stem", "without_extension"]


def known_names(keys: Sequence[str], known: Sequence[str]) -> list[str]:
    """Each key under the name that `known` has for it; as it is where none or several would do.

    >>> known_names(["a", "b.png", "c"], ["x/a.jpg", "b.jpg", "d.jpg"])
    ['x/a.jpg', 'b.jpg', 'c']
    """
    places = match_names(keys, known).place
    return [known[place] if place >= 0 else key for key, place in zip(keys, places, strict=True)]


def joined(detections: Detections, truth: Truth | None) -> tuple[Detections, list[Finding]]:
    """The detections with the truth's image names, as far as rules make theirs of them, and which rules did.

    Numbers go before names where both sides have them, unless names join more: results are often numbered by what
    their images are called, whatever numbers the truth gives them.
    """
    if truth is None or detections.images is truth.images:
        return detections, []
    ours, theirs = detections.images, truth.images
    by_id = -1
    if ours.id is not None and theirs.id is not None:
        by_id = int((index_of(ours.id, theirs.id) >= 0).sum())
        if by_id == len(ours):
            return detections, []
    matched = match_names(ours.key, theirs.key, theirs.id if ours.id is None else None)
    if matched.count() <= by_id:
        return detections, []
    keys = [theirs.key[p] if p >= 0 else key for key, p in zip(ours.key, matched.place, strict=True)]
    findings = _repeated(truth) if len(set(theirs.key)) < len(theirs) else []
    findings += [finding("IMG002", n, f"{rule} ({ours.key[i]} = {keys[i]})") for rule, n, i in matched.rules]
    for code, doubts in (("IMG003", matched.refused), ("IMG005", matched.elsewhere)):
        if doubts:
            first, places = next(iter(doubts.items()))
            some = first_few((theirs.key[p] for p in places), len(places), 2)
            findings.append(finding(code, len(doubts), f"{ours.key[first]}: {some}"))
    if not matched.rules and by_id < 0:
        return detections, findings
    return replace(detections, images=replace(ours, key=keys, id=None)), findings


def _repeated(truth: Truth) -> list[Finding]:
    often = {key: n for key, n in Counter(truth.images.key).items() if n > 1}
    return [finding("IMG004", sum(often.values()) - len(often), first_few(often, len(often)))]
