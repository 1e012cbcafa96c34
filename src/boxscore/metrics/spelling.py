"""Metrics as the field writes them: mAP50, mAP@0.5, AP50-95, mAP@[.5:.95], ap75."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from boxscore.errors import UsageError
from boxscore.protocols import Protocol

_NUMBER = r"(?:0?\.\d+|\d{2})"
_KEYS = r"(?P<keys>\[.*=.*\])?"
_RANGE = re.compile(rf"m?ap[_@]?\[?(?P<low>{_NUMBER})(?:[:,-]0?\.05)?[:,-](?P<high>{_NUMBER})\]?{_KEYS}", re.I)
_AT = re.compile(rf"m?ap[_@]?(?P<iou>{_NUMBER}){_KEYS}", re.I)


def in_our_words(protocol: Protocol, text: str, known: Iterable[str]) -> str:
    """The text with the name that we have for the metric; as it is where nothing says what else it could be.

    >>> from boxscore import protocols
    >>> in_our_words(protocols.get("coco"), "mAP@0.5", ["AP"])
    'AP[iou=0.5]'
    >>> in_our_words(protocols.get("coco"), "mAP50-95[class=cat]", ["AP"])
    'AP[class=cat]'
    """
    text = text.strip()
    if span := _RANGE.fullmatch(text):
        low, high = _iou(span["low"]), _iou(span["high"])
        if (low, high) != (0.5, 0.95):
            raise UsageError(f"metric '{text}'; expected AP50-95, or AP with --iou {low!r}:{high!r}:0.05")
        if not _is_coco_range(protocol.iou):
            raise UsageError(
                f"metric '{text}' is the mean over IoU 0.5:0.95:0.05, which this protocol does not evaluate; add "
                "--iou 0.5:0.95:0.05 (iou= in Python) or take a protocol such as coco"
            )
        return f"AP{span['keys'] or ''}"
    if at := _AT.fullmatch(text):
        if "iou=" in (at["keys"] or ""):
            raise UsageError(f"metric '{text}': the IoU is stated twice; expected AP[iou={_iou(at['iou'])!r}]")
        keys = f"iou={_iou(at['iou'])!r}" + (f",{at['keys'][1:-1]}" if at["keys"] else "")
        return f"AP[{keys}]"
    name, bracket, keys = text.partition("[")
    same = [one for one in dict.fromkeys(known) if one.casefold() == name.casefold()]
    return f"{same[0]}{bracket}{keys}" if len(same) == 1 else text


def _is_coco_range(thresholds: Sequence[float]) -> bool:
    """Whether these are 0.5, 0.55, … 0.95, up to the last bits in which ways of counting them differ."""
    return len(thresholds) == 10 and all(abs(t - (50 + 5 * i) / 100) < 1e-12 for i, t in enumerate(thresholds))


def _iou(text: str) -> float:
    return float(text) if "." in text else int(text) / 100
