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
from boxscore.joining.read import ReadOptions


class Declared(NamedTuple):
    """An option: the name of the value that it says of the reading, what stands for it (nothing for a switch), and
    what it means.
    """

    name: str
    metavar: str
    help: str


OPTIONS = (
    Declared("classes", "FILE", "Class names by number from 0: one per line, `names` of a data.yaml, or a label map."),
    Declared("truth_classes", "FILE", "Class names of the ground truth alone."),
    Declared("detections_classes", "FILE", "Class names of the detections alone."),
    Declared(
        "map_classes", "FILE", "Rename classes of the detections: `detections name = ground-truth name` per line."
    ),
    Declared("box", "xywh|xyxy|cxcywh", "Form of the boxes, where files do not state it."),
    Declared("truth_box", "FORM", "Form of the ground-truth boxes, whatever the files say."),
    Declared("detections_box", "FORM", "Form of the detection boxes."),
    Declared("coords", "absolute|relative", "Pixels (absolute) or normalized (relative) coordinates."),
    Declared("images", "DIR", "The images (folder or archive), for their sizes."),
    Declared("sizes", "FILE", "Image sizes: JSON {name: [width, height]} or CSV name,width,height."),
    Declared("image_size", "W,H", "The size of all images, for normalized boxes."),
    Declared("confidence", "first|last", "Where YOLO rows have the confidence."),
    Declared("relative_boxes", "exact|whole", "Round normalized boxes to whole pixels, as the 2021 toolkit does."),
    Declared("rows", "box|polygon|oriented|pose", "What YOLO or DOTA rows hold, where it is ambiguous."),
    Declared("split", "NAME", "The split of the data set: train, val, test."),
    Declared("truth_format", "NAME", "Force the ground-truth format."),
    Declared("detections_format", "NAME", "Force the detections format."),
    Declared("image_labels", "FILE", "Image-level labels (Open Images, ImageNet)."),
    Declared("masks", "FILE", "The masks of boxes (Open Images), beside their pictures or with run lengths."),
    Declared("hierarchy", "FILE", "The class hierarchy (Open Images)."),
    Declared("label_map", "FILE", "Class names and ids (TensorFlow)."),
    Declared("blacklist", "FILE", "Images and classes that are not evaluated (ImageNet)."),
    Declared("image_list", "FILE", "The ground-truth images, with their ids where they have any."),
    Declared("class_list", "FILE", "The ground-truth classes, with their ids where they have any."),
    Declared("skip_invalid", "", "Leave invalid records out, each accounted for, instead of refusing the file."),
    Declared("threads", "N", "0 for all cores. [default: 0]"),
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
        return Annotated[bool, Option(f"--{option.name.replace('_', '-')}", help=option.help)]
    return Annotated[str | None, Option(metavar=option.metavar, help=option.help)]


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
