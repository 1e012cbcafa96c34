"""Files of Open Images' relationships that cannot be used, and relations where single boxes are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boxscore import evaluate
from boxscore.formats.io.writing import write
from boxscore.joining.read import Reading, read_detections, read_truth
from small_coco import file

SIDES = "XMin1,YMin1,XMax1,YMax1,XMin2,YMin2,XMax2,YMax2"
HEAD = f"ImageID,LabelName1,LabelName2,RelationshipLabel,{SIDES}"
COLUMNS = SIDES.replace(",", ", ")
GOOD = "a,man,horse,on,0,0,1,1,0,0,1,1"


def truth(*rows: str, head: str = HEAD, **how: Any) -> Any:
    file("t.csv", "\n".join([head, *rows, ""]))
    return read_truth("t.csv", Reading(**how))


def found(*rows: str, head: str = f"{HEAD},Score") -> Any:
    file("p.csv", "\n".join([head, *rows, ""]))
    return read_detections("p.csv", Reading(detections_format="open-images-vrd"))


def both(protocol: str, **how: Any) -> Any:
    truth(GOOD)
    found(f"{GOOD},0.5")
    return evaluate("t.csv", "p.csv", protocol=protocol, **how)


def against_boxes() -> Any:
    found(f"{GOOD},0.5")
    file("b.csv", "ImageID,LabelName,XMin,XMax,YMin,YMax\na,on,0,1,0,1\n")
    return evaluate("b.csv", "p.csv", protocol="openimages-vrd-phrase")


def labels(content: str) -> Any:
    file("labels.csv", content)
    return truth(GOOD, image_labels="labels.csv")


def classes(option: str, content: str) -> Any:
    file("map.pbtxt", content)
    return truth(GOOD, **{option: "map.pbtxt"})


def boxes_as_relations() -> Any:
    file("b.csv", "ImageID,LabelName,XMin,XMax,YMin,YMax\na,on,0,1,0,1\n")
    return write(read_truth("b.csv")[0], "r.csv", "open-images-vrd")


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        f"t.csv:1: no column RelationshipLabel (columns: ImageID, LabelName1, LabelName2); expected ImageID, "
        f"LabelName1, LabelName2, RelationshipLabel, {COLUMNS}",
        lambda: truth(head="ImageID,LabelName1,LabelName2"),
    ),
    (
        f"t.csv:1: no column XMin1 (columns: ImageID, LabelName1, LabelName2, RelationshipLabel); expected ImageID, "
        f"LabelName1, LabelName2, RelationshipLabel, {COLUMNS}",
        lambda: truth(head="ImageID,LabelName1,LabelName2,RelationshipLabel"),
    ),
    (
        f"p.csv:1: no column Score or Confidence or Conf (columns: {HEAD.replace(',', ', ')}); expected ImageID, "
        f"LabelName1, LabelName2, RelationshipLabel, {COLUMNS}, Score\n  Truth comes first, then detections; were they "
        "swapped?",
        lambda: found(GOOD, head=HEAD),
    ),
    (
        "t.csv:2: an empty RelationshipLabel; expected a name as RelationshipLabel",
        lambda: truth(GOOD.replace("on", "")),
    ),
    (
        "t.csv:3: no box of the object (XMin2, YMin2, XMax2, YMax2 are empty); expected two boxes; of an attribute, "
        "that of the subject twice",
        lambda: truth(GOOD, "a,man,horse,on,0,0,1,1,,,,"),
    ),
    (
        "t.csv:2: no box of the subject (XMin1, YMin1, XMax1, YMax1 are empty); expected two boxes; of an attribute, "
        "that of the subject twice",
        lambda: truth("a,man,horse,on,,,,,0,0,1,1"),
    ),
    ("t.csv:2: YMax2 is ''; expected a finite number", lambda: truth("a,man,horse,on,0,0,1,1,0,0,1,")),
    (
        "t.csv:2: XMax1 0.25 is below XMin1 0.5; expected the larger one as maximum",
        lambda: truth("a,man,horse,on,0.5,0,0.25,1,0,0,1,1"),
    ),
    ("p.csv:2: the score is ''; expected a finite number", lambda: found(f"{GOOD},")),
    (
        "t.csv: boxes that are not normalized: numbers up to 30; expected numbers between 0 and 1, or --coords "
        "absolute (coords= in Python) for boxes in pixels",
        lambda: truth("a,man,horse,on,0,0,30,20,0,0,1,1"),
    ),
    (
        "t.csv:2: relation 'on', which classes does not list; expected one of the 1 listed relations",
        lambda: truth(GOOD, classes=["under"]),
    ),
    (
        "t.csv:2: label 'horse', which map.pbtxt does not list (1 such label in all); expected one of "
        "the 1 listed labels",
        lambda: classes("label_map", "item { name: 'man' id: 1 }"),
    ),
    (
        "labels.csv:2: an empty LabelName; expected a name as LabelName",
        lambda: labels("ImageID,LabelName,Confidence\na,,1\n"),
    ),
    (
        "t.csv: relations of two boxes; expected single boxes, for overlap=box\n  Relations have protocols of their "
        "own: --protocol openimages-vrd.",
        lambda: both("coco"),
    ),
    (
        "b.csv: no relations; expected relations, for overlap=phrase\n  Evaluate boxes instead (--protocol "
        "openimages-v2), or pass files with LabelName1, LabelName2, XMin1 etc.",
        against_boxes,
    ),
    ("b.csv: single boxes; expected relations of two boxes, for open-images-vrd", boxes_as_relations),
]
