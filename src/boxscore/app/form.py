"""What the page asks to be opened: paths, how to read them, protocols; from JSON, checked at the door."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from boxscore import protocols
from boxscore.joining.read import ReadOptions
from boxscore.protocols import Protocol

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
COMMON = (
    "images", "classes", "truth_format", "truth_box", "truth_classes", "coords", "confidence", "image_size", "sizes",
    "split", "map_classes", "image_list", "class_list", "label_map", "hierarchy", "image_labels", "blacklist", "box",
    "detections_format", "detections_box", "detections_classes", "rows", "relative_boxes", "skip_invalid", "masks",
    "threads",
)  # fmt: skip
OF_MODELS = ("detections_format", "detections_box", "detections_classes")
PATHS = (
    "images", "classes", "truth_classes", "detections_classes", "sizes", "map_classes", "image_list", "class_list",
    "label_map", "hierarchy", "image_labels", "blacklist", "masks",
)  # fmt: skip


@dataclass(frozen=True)
class Model:
    """One detection set, and how to read it."""

    path: str
    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Form:
    """Everything that an evaluation needs; empty where nothing is chosen yet."""

    truth: str = ""
    models: tuple[Model, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)  # of `ReadOptions`
    protocols: tuple[str, ...] = ("coco",)
    iou: str = ""
    metrics: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def read_options(self, model: Model | None = None) -> ReadOptions:
        """How to read the ground truth, or a detection set beside it."""
        return ReadOptions(**self.options, **({} if model is None else _own(self.options, model)))

    def rules(self) -> list[Protocol]:
        """The protocols, each once; as variants where an IoU is stated."""
        made = [p for text in self.protocols for one in protocols.listed(text) for p in protocols.expand(one)]
        if self.iou:
            made = [protocols.variant(p, iou=self.iou) for p in made]
        return list({p.signature(): p for p in made}.values())

    def located(self, within: Callable[[str], Path]) -> Form:
        """The same with every path resolved, if all of them may be read; raises otherwise."""
        return replace(
            self,
            truth=self.truth and str(within(self.truth)),
            options=_located(self.options, within),
            models=tuple(Model(str(within(m.path)), m.name, _located(m.options, within)) for m in self.models),
        )


def _own(common: Mapping[str, Any], model: Model) -> dict[str, Any]:
    return {name: value for name, value in model.options.items() if name not in common or common[name] != value}


def _located(options: Mapping[str, Any], within: Callable[[str], Path]) -> dict[str, Any]:
    return {name: str(within(value)) if name in PATHS else value for name, value in options.items()}


def form_of(data: Any) -> Form:
    """A form from what the page sends; raises for anything else."""
    if not isinstance(data, dict):
        raise HTTPException(400, "expected an object")
    models = data.get("models", [])
    if not isinstance(models, list) or len(models) > len(LETTERS):
        raise HTTPException(400, f"expected a list of at most {len(LETTERS)} models")
    named = data.get("protocols", ["coco"])
    metrics = data.get("metrics", [])
    if not all(isinstance(some, list) and all(isinstance(one, str) for one in some) for some in (named, metrics)):
        raise HTTPException(400, "expected lists of names as protocols and metrics")
    return Form(
        _text(data, "truth"),
        tuple(_model(one) for one in models),
        dict(_options(data.get("options", {}), COMMON)),
        tuple(named),
        _text(data, "iou"),
        tuple(metrics),
    )


def _model(data: Any) -> Model:
    if not isinstance(data, dict):
        raise HTTPException(400, "expected an object for each model")
    return Model(_text(data, "path"), _text(data, "name"), dict(_options(data.get("options", {}), OF_MODELS)))


def _options(data: Any, known: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    if not isinstance(data, dict):
        raise HTTPException(400, "expected an object of options")
    for name, value in data.items():
        if name not in known:
            raise HTTPException(400, "unknown option")
        if name == "image_size" and isinstance(value, (list, tuple)):
            yield name, tuple(value)
        elif (name == "skip_invalid" and isinstance(value, bool)) or (name == "threads" and isinstance(value, int)):
            yield name, value
        elif isinstance(value, str):
            if value:  # an empty field of the page states nothing
                yield name, value
        elif value is not None:
            raise HTTPException(400, f"expected a text as {name}")


def _text(data: dict[str, Any], name: str) -> str:
    value = data.get(name) or ""
    if not isinstance(value, str):
        raise HTTPException(400, f"expected a text as {name}")
    return value
