"""Names of classes that data sets write differently: for suggestions, never applied unasked."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What PASCAL VOC, COCO, Open Images, Objects365 and others call the same kind of thing, as `plain` writes it.
SYNONYMS = (
    ("airplane", "aeroplane", "plane"),
    ("motorcycle", "motorbike"),
    ("bicycle", "bike", "cycle"),
    ("couch", "sofa", "sofabed"),
    ("tv", "tvmonitor", "television", "monitor", "tvset"),
    ("diningtable", "kitchendiningroomtable", "table"),
    ("pottedplant", "houseplant"),
    ("person", "pedestrian", "people", "human"),
    ("cellphone", "mobilephone", "phone"),
    ("doughnut", "donut"),
    ("sportsball", "ball"),
    ("hairdrier", "hairdryer"),
    ("refrigerator", "fridge"),
    ("microwave", "microwaveoven"),
    ("mouse", "computermouse"),
    ("keyboard", "computerkeyboard"),
    ("remote", "remotecontrol"),
    ("skis", "ski"),
    ("cow", "cattle"),
    ("car", "automobile"),
    ("frisbee", "flyingdisc"),
    ("teddybear", "teddy"),
    ("wineglass", "wineglasses"),
    ("handbag", "handbagsatchel"),
    ("stopsign", "stop"),
    ("trafficlight", "trafficsignal"),
    ("suitcase", "luggage"),
)
_GROUP = {name: k for k, names in enumerate(SYNONYMS) for name in names}


def plain(name: str) -> str:
    """A name without what writers differ in: case, and whatever is no letter or digit.

    >>> plain("Dining-Table"), plain("dining table")
    ('diningtable', 'diningtable')
    """
    return re.sub(r"[\W_]+", "", name.casefold())


def suggestions(theirs: Sequence[str], ours: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of names that may mean the same, for those of the one list that are not in the other.

    A name that has several likely partners gets none, and none is suggested that is taken already.

    >>> suggestions(["tv", "aeroplane", "cat"], ["tvmonitor", "airplane", "cat"])
    [('tv', 'tvmonitor'), ('aeroplane', 'airplane')]
    """
    same = {*theirs} & {*ours}
    strange, open_ = ([name for name in dict.fromkeys(names) if name not in same] for names in (theirs, ours))
    pairs: dict[str, str] = {}
    for form in (plain, _meant):
        partners: dict[str, list[str]] = {}
        for name in open_:
            if name not in pairs.values():
                partners.setdefault(form(name), []).append(name)
        for name in strange:
            likely = partners.get(form(name), []) if form(name) else []
            if name not in pairs and len(likely) == 1:
                pairs[name] = likely[0]
    return [(name, pairs[name]) for name in strange if name in pairs]


def _meant(name: str) -> str:
    word = plain(name)
    return f"synonym {_GROUP[word]}" if word in _GROUP else word
