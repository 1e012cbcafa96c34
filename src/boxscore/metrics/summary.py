"""The named tables that protocols report, as rows of data."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from boxscore.errors import UsageError
from boxscore.evaluation.curves import Slice, largest_cap
from boxscore.metrics import REGISTRY, Expression, parse
from boxscore.metrics.numbers import FREQUENCIES
from boxscore.metrics.spelling import in_our_words
from boxscore.protocols import Protocol


class Row(NamedTuple):
    """A short name and the expression that it stands for."""

    name: str
    expression: Expression


_SIZES = (("s", "small"), ("m", "medium"), ("l", "large"))


def rows(protocol: Protocol) -> list[Row]:
    """What the protocol reports, in the official order."""
    return _TABLES[protocol.summary](protocol)


def class_rows(protocol: Protocol) -> list[Row]:
    """What the protocol reports of each class."""
    return _CLASS_TABLES[protocol.summary](protocol)


def _coco(protocol: Protocol) -> list[Row]:
    further = [a.name for a in protocol.areas[1:] if a.name not in dict(_SIZES).values()]
    return [
        Row("AP", Expression("AP", cap=protocol.headline_max or None)),
        Row("AP50", Expression("AP", iou=0.5)),
        Row("AP75", Expression("AP", iou=0.75)),
        *(Row(f"AP{letter}", Expression("AP", area=size)) for letter, size in _SIZES),
        *(Row(f"AR{cap or ''}", Expression("AR", cap=cap)) for cap in protocol.max_detections or (None,)),
        *(Row(f"AR{letter}", Expression("AR", area=size)) for letter, size in _SIZES),
        *(
            Row(str(Expression(name, area=size)), Expression(name, area=size))
            for size in further
            for name in ("AP", "AR")
        ),
    ]


def _coco_classes(protocol: Protocol) -> list[Row]:
    cap = max(protocol.max_detections, default=None)
    return [*_coco(protocol)[:3], Row(f"AR{cap or ''}", Expression("AR", cap=cap))]


def _voc(protocol: Protocol) -> list[Row]:
    further = [a.name for a in protocol.areas[1:]]
    return [
        Row("mAP", Expression("AP")),
        *(Row(str(Expression("AP", area=size)), Expression("AP", area=size)) for size in further),
    ]


def _voc_classes(protocol: Protocol) -> list[Row]:
    return [Row("AP", Expression("AP"))]


def _lvis(protocol: Protocol) -> list[Row]:
    cap = max(protocol.max_detections, default=None)
    suffix = "" if cap is None else f"@{cap}"
    return [
        *_coco(protocol)[:6],
        *(Row(f"AP{name[0]}", Expression("AP", frequency=name)) for name in FREQUENCIES),
        Row(f"AR{suffix}", Expression("AR")),
        *(Row(f"AR{letter}{suffix}", Expression("AR", area=size)) for letter, size in _SIZES),
    ]


def _imagenet(protocol: Protocol) -> list[Row]:
    return [*_voc(protocol), Row("medianAP", Expression("medianAP"))]


def _localisation(protocol: Protocol) -> list[Row]:
    return [
        Row(f"top{cap or ''}_{name}", Expression(metric, cap=cap))
        for name, metric in (("error", "LocError"), ("class_error", "ClassError"))
        for cap in protocol.max_detections or (None,)
    ]


def _ultralytics(protocol: Protocol) -> list[Row]:
    points = ("F1smooth.precision", "F1smooth.recall")
    return [*_coco(protocol)[:3], *(Row(name, Expression(name)) for name in points)]


def _keypoints(protocol: Protocol) -> list[Row]:
    cap = protocol.headline_max or None
    return [
        row
        for name in ("AP", "AR")
        for row in (
            Row(name, Expression(name, cap=cap)),
            *(Row(f"{name}{round(100 * iou)}", Expression(name, iou=iou, cap=cap)) for iou in (0.5, 0.75)),
            *(Row(f"{name}{letter}", Expression(name, area=size, cap=cap)) for letter, size in _SIZES[1:]),
        )
    ]


def _keypoint_classes(protocol: Protocol) -> list[Row]:
    return _keypoints(protocol)[:1]


_RECALLS = tuple(Row(f"Recall@{k}", Expression("topRecall", cap=k)) for k in (50, 100))


def _relations(protocol: Protocol) -> list[Row]:
    return [Row("mAP", Expression("AP")), Row("weightedAP", Expression("weightedAP")), *_RECALLS]


def _relations_score(protocol: Protocol) -> list[Row]:
    return [
        Row("score", Expression("VRDscore")),
        Row("mAP.relation", Expression("AP")),
        _RECALLS[0],
        Row("mAP.phrase", Expression("phraseAP")),
    ]


def _relations_score_classes(protocol: Protocol) -> list[Row]:
    return [Row("AP.relation", Expression("AP")), Row("AP.phrase", Expression("phraseAP"))]


def _stt(protocol: Protocol) -> list[Row]:
    return [Row("mSTT-AP", Expression("AP")), *_voc(protocol)[1:]]


def _stt_classes(protocol: Protocol) -> list[Row]:
    return [Row("STT-AP", Expression("AP"))]


def _motion(protocol: Protocol) -> list[Row]:
    further = [Row(f"mAP.{a.name}", Expression("AP", area=a.name)) for a in protocol.areas[1:]]
    return [Row("mAP", Expression("AP")), *further]


def _delay(protocol: Protocol) -> list[Row]:
    further = [Row(f"AD.{a.name}", Expression("AD", area=a.name)) for a in protocol.areas[1:]]
    return [Row("AD", Expression("AD")), *further, Row("mAP", Expression("AP"))]


def _tracks(protocol: Protocol) -> list[Row]:
    letters = {size: letter for letter, size in _SIZES}
    ranges = [(letters.get(a.name, f".{a.name}"), a.name) for a in protocol.areas[1:]]
    caps = protocol.max_detections[:-1]
    return [
        *_coco(protocol)[:3],
        *(Row(f"AP{letter}", Expression("AP", area=size)) for letter, size in ranges),
        *(Row(f"AR{cap}", Expression("AR", cap=cap)) for cap in caps),
        Row("AR", Expression("AR")),
        *(Row(f"AR{letter}", Expression("AR", area=size)) for letter, size in ranges),
    ]


def _none(protocol: Protocol) -> list[Row]:
    return []


_TABLES = {
    "coco": _coco,
    "voc": _voc,
    "lvis": _lvis,
    "imagenet": _imagenet,
    "localisation": _localisation,
    "ultralytics": _ultralytics,
    "keypoints": _keypoints,
    "relations": _relations,
    "relations-score": _relations_score,
    "stt": _stt,
    "motion": _motion,
    "delay": _delay,
    "tracks": _tracks,
}
_CLASS_TABLES = {
    "coco": _coco_classes,
    "voc": _voc_classes,
    "lvis": _voc_classes,
    "imagenet": _voc_classes,
    "localisation": _none,
    "ultralytics": _ultralytics,
    "keypoints": _keypoint_classes,
    "relations": _voc_classes,
    "relations-score": _relations_score_classes,
    "stt": _stt_classes,
    "motion": _motion,
    "delay": _none,
    "tracks": _voc_classes,
}


def wanted(protocol: Protocol) -> tuple[list[Slice], list[Slice]]:
    """The slices that the tables need: with curves, and with counts only."""
    drawn: list[Slice] = []
    counted: list[Slice] = []
    names = [area.name for area in protocol.areas]
    for _, e in (*rows(protocol), *class_rows(protocol)):
        if (e.area is None or e.area in names) and (e.cap is None or e.cap in protocol.max_detections):
            part = Slice(names.index(e.area) if e.area else 0, e.cap or largest_cap(protocol))
            (drawn if e.name == "AP" else counted).append(part)
    return drawn, counted


def named(protocol: Protocol, text: str) -> Expression | None:
    """The expression behind a short name such as AP50, if the protocol reports it."""
    table = {row.name: row.expression for row in (*class_rows(protocol), *rows(protocol))}
    return table.get(text)


def expression(protocol: Protocol, text: str) -> Expression:
    """A short name of the protocol (AP50), a short name narrowed down (AP50[class=cat]), or any expression."""
    if not isinstance(text, str):
        raise UsageError(f"metric {text!r}; expected its name as text, such as 'AP50'")
    direct = named(protocol, text)
    if direct is not None:
        return direct
    reported = [row.name for row in (*rows(protocol), *class_rows(protocol))]
    if text.partition("[")[0].strip() not in {*REGISTRY, *reported}:
        text = in_our_words(protocol, text, [*REGISTRY, *reported])
        if (direct := named(protocol, text)) is not None:
            return direct
    e = parse(text)
    short = named(protocol, e.name)
    if short is None:
        return e
    for key, value in e.given.items() if e.name not in REGISTRY else ():
        if short.given.get(key, value) != value:
            raise UsageError(f"metric '{text}': {e.name} is {short}, so {key}={value} does not fit")
    given = {k: v for k, v in e.__dict__.items() if v is not None and k != "name"}
    return replace(short, **given)


__all__ = ["Row", "class_rows", "expression", "named", "rows", "wanted"]
