"""How to read both sides: the options that every command with a truth and detections has, declared once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import Annotated, Any, NamedTuple

from boxscore.cli import options, output
from boxscore.cli.declared import Option
from boxscore.cli.groups import BOXES, CLASSES, EXTRA, FILES
from boxscore.joining.read import ReadOptions

FORMS, COORDS = "xywh|xyxy|cxcywh", "absolute|relative"


class Declared(NamedTuple):
    """An option: the name of the value that it says of the reading, what stands for it (nothing for a switch), what it
    means, where help has it, and what completion offers.
    """

    name: str
    metavar: str
    help: str
    group: str
    values: str = ""


OPTIONS = (
    Declared("truth_format", "NAME", "Force the ground-truth format.", FILES, "truth-formats"),
    Declared("detections_format", "NAME", "Force the detections format.", FILES, "detections-formats"),
    Declared("split", "NAME", "The split of the data set: train, val, test.", FILES, "train|val|test"),
    Declared("image_list", "FILE", "The ground-truth images, with their ids where they have any.", FILES),
    Declared("skip_invalid", "", "Leave invalid records out, each accounted for, instead of refusing the file.", FILES),
    Declared("threads", "N", "0 for all cores. [default: 0]", FILES),
    Declared("box", "xywh|xyxy|cxcywh", "Form of the boxes, where files do not state it.", BOXES),
    Declared("coords", "absolute|relative", "Pixels (absolute) or normalized (relative) coordinates.", BOXES),
    Declared("image_size", "W,H", "The size of all images, for normalized boxes.", BOXES),
    Declared("images", "DIR", "The images (folder or archive), for their sizes.", BOXES),
    Declared("sizes", "FILE", "Image sizes: JSON {name: [width, height]} or CSV name,width,height.", BOXES),
    Declared("truth_box", "FORM", "Form of the ground-truth boxes, whatever the files say.", BOXES, FORMS),
    Declared("detections_box", "FORM", "Form of the detection boxes.", BOXES, FORMS),
    Declared("truth_coords", "COORDS", "Coordinates of the ground truth alone.", BOXES, COORDS),
    Declared("detections_coords", "COORDS", "Coordinates of the detections alone.", BOXES, COORDS),
    Declared("confidence", "first|last", "Where YOLO rows have the confidence.", BOXES),
    Declared("rows", "box|polygon|oriented|pose", "What YOLO or DOTA rows hold, where it is ambiguous.", BOXES),
    Declared(
        "relative_boxes", "exact|whole", "Round normalized boxes to whole pixels, as the 2021 toolkit does.", BOXES
    ),
    Declared(
        "classes",
        "FILE",
        "Class names by number from 0: one per line, `names` of a data.yaml, or a label map.",
        CLASSES,
    ),
    Declared("truth_classes", "FILE", "Class names of the ground truth alone.", CLASSES),
    Declared("detections_classes", "FILE", "Class names of the detections alone.", CLASSES),
    Declared(
        "map_classes",
        "FILE",
        "Rename classes of the detections: `detections name = ground-truth name` per line.",
        CLASSES,
    ),
    Declared("class_list", "FILE", "The ground-truth classes, with their ids where they have any.", CLASSES),
    Declared("label_map", "FILE", "Class names and ids (TensorFlow).", CLASSES),
    Declared("image_labels", "FILE", "Image-level labels (Open Images, ImageNet).", EXTRA),
    Declared("hierarchy", "FILE", "The class hierarchy (Open Images).", EXTRA),
    Declared("masks", "FILE", "The masks of boxes (Open Images), beside their pictures or with run lengths.", EXTRA),
    Declared("blacklist", "FILE", "Images and classes that are not evaluated (ImageNet).", EXTRA),
)
Said = Mapping[str, str]  # what was said, by name; what was not said is not there
_PARSERS: dict[str, Callable[[str], Any]] = {
    "image_size": options.size,
    "shapes": lambda text: text == "yes",
    "skip_invalid": lambda text: text == "yes",
    "threads": lambda text: options.count("--threads", text),
}


def with_reading(command: Callable[..., int]) -> Callable[..., int]:
    """Adds the options to a command; it gets what was said as `said`."""
    own = inspect.signature(command, eval_str=True)
    added = [
        inspect.Parameter(
            o.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None if o.metavar else False,
            annotation=_annotation(o),
        )
        for o in OPTIONS
    ]

    @wraps(command)
    def with_options(**given: Any) -> int:
        values = {o.name: given.pop(o.name) for o in OPTIONS}
        said = {name: "yes" if value is True else value for name, value in values.items() if value not in (None, False)}
        return command(**given, said=said)

    kept = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own.parameters.values() if p.name != "said"]
    whole = own.replace(parameters=[*kept, *added])
    with_options.__signature__ = whole  # type: ignore[attr-defined]
    with_options.__annotations__ = {p.name: p.annotation for p in whole.parameters.values()}
    return with_options


def _annotation(option: Declared) -> Any:
    if not option.metavar:
        flag = f"--{option.name.replace('_', '-')}"
        return Annotated[bool, Option(flag, help=option.help, group=option.group)]
    made = Option(metavar=option.metavar, help=option.help, group=option.group, values=option.values)
    return Annotated[str | None, made]


def reading(said: Said) -> ReadOptions:
    """What was said of both sides, checked as far as it can be without reading."""
    values: dict[str, Any] = {name: _PARSERS.get(name, str)(text) for name, text in said.items()}
    return ReadOptions(**values)


def as_options(said: Said) -> tuple[str, ...]:
    """What was said, as it stands on a command line."""
    switches = {o.name for o in OPTIONS if not o.metavar}
    pairs = ((f"--{name.replace('_', '-')}", *(() if name in switches else (text,))) for name, text in said.items())
    return tuple(word for pair in pairs for word in pair)


@contextmanager
def watched(how: ReadOptions, quiet: bool = False) -> Iterator[ReadOptions]:
    """The same reading, with its progress on terminals."""
    with output.progress("reading", quiet) as tell:
        yield replace(how, tell=tell)


def inputs(said: Said) -> list[str]:
    """The files that options name: none of them may be written to."""
    named = {o.name for o in OPTIONS if o.metavar in ("FILE", "DIR")}
    return [path for name, path in said.items() if name in named]
