"""The options of pascalvoc.py, which many people know by heart: answered with the command that does the same."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

# Its options by their short and long names; those without a value are switches.
_NAMES = {
    "-gt": "gt", "--gtfolder": "gt", "-det": "det", "--detfolder": "det", "-t": "t", "--threshold": "t",
    "-gtformat": "gtformat", "-detformat": "detformat", "-gtcoords": "gtcoords", "-detcoords": "detcoords",
    "-imgsize": "imgsize", "-sp": "sp", "--savepath": "sp", "-np": "np", "--noplot": "np",
}  # fmt: skip
_SWITCHES = ("np",)
VERSION = "-v"
_START = "these are options of pascalvoc.py; the same in boxscore:"
_BOXES = {"xywh": "xywh", "xyrb": "xyxy"}
_SIDES = (("gt", "truth"), ("det", "detections"))


def answer(words: Sequence[str]) -> str:
    """What to type instead; nothing where the words are not those of pascalvoc.py.

    >>> answer("-gt truth -det found -t 0.3".split()).splitlines()[1].strip()
    'boxscore eval truth found --protocol toolkit-voc --iou 0.3 --box xywh'
    """
    said, others = _said(words)
    if not said:
        return f"{_START}\n  boxscore --version" if VERSION in words else ""
    same = [*_paths(said, others), "--protocol", "toolkit-voc", *_threshold(said), *_reading(said), *others]
    lines = [["eval", *same]]
    if said.get("sp"):
        lines.append(["plot", "--all", *same, "-o", said["sp"]])
    return _START + "".join(f"\n  {shlex.join(['boxscore', *line])}" for line in lines)


def _said(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The values of its options by name, and all other words."""
    said: dict[str, str] = {}
    others: list[str] = []
    left = iter(words)
    for word in left:
        flag, equals, value = word.partition("=")
        if (name := _NAMES.get(flag)) is None:
            others.append(word)
        else:
            said[name] = "" if name in _SWITCHES else value if equals else next(left, "")
    return said, [word for word in others if word != VERSION]


def _paths(said: dict[str, str], others: list[str]) -> list[str]:
    """Its folders; else the first words that are no options, which are taken away, else those that it looks for."""
    made = []
    for short, usual in (("gt", "groundtruths"), ("det", "detections")):
        placed = others.pop(0) if not said.get(short) and others and not others[0].startswith("-") else usual
        made.append(said.get(short) or placed)
    return made


def _threshold(said: dict[str, str]) -> list[str]:
    return ["--iou", said["t"]] if said.get("t") else []


def _reading(said: dict[str, str]) -> list[str]:
    """The form of boxes, xywh unless told xyrb, and their coordinates; what both sides share is said once.

    Relative ones are centres and sizes for it whatever it is told, and are rounded to whole pixels.
    """
    relative = {side: said.get(f"{short}coords", "abs").casefold() == "rel" for short, side in _SIDES}
    boxes = {
        side: "cxcywh" if relative[side] else _BOXES.get(said.get(f"{short}format", "xywh").casefold(), "xywh")
        for short, side in _SIDES
    }
    made = _stated("box", boxes)
    if any(relative.values()):
        made += _stated("coords", {side: "relative" if rel else "absolute" for side, rel in relative.items()})
        size = said.get("imgsize")
        made += ["--image-size", size] if size else ["--images", "IMAGES"]
        made += ["--relative-boxes", "whole"]
    return made


def _stated(option: str, values: dict[str, str]) -> list[str]:
    if len(set(values.values())) == 1:
        return [f"--{option}", next(iter(values.values()))]
    return [word for side, value in values.items() for word in (f"--{side}-{option}", value)]
