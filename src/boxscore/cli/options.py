"""From the texts of options to the library's values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from boxscore import metrics, protocols
from boxscore.errors import UnknownName, UsageError
from boxscore.formats.io.pipes import same_input
from boxscore.formats.registry import of_table
from boxscore.joining.read import ReadOptions
from boxscore.metrics import summary
from boxscore.metrics.expression import Expression
from boxscore.protocols import Protocol
from boxscore.tables.model import Detections, Truth

_DIGITS = 18  # that count: Python refuses to read thousands of them
OPERATING_POINT = ("TP", "FP", "FN", "precision", "recall", "F1")


def chosen_protocols(names: Sequence[str], sets: Sequence[str], iou: str | None, caps: str | None) -> list[Protocol]:
    """The protocols by name, as variants if fields are set; each once."""
    fields: dict[str, str] = {}
    for option, text in (("--iou", iou), ("--max-detections", caps)):
        if text is not None:
            fields[option[2:].replace("-", "_")] = text
    for assignment in sets:
        name, equals, value = assignment.partition("=")
        if not equals or not name:
            raise UsageError(f"--set {assignment}; expected FIELD=VALUE such as iou=0.3")
        if name in fields:
            raise UsageError(f"--set {assignment}: {name} is given twice")
        fields[name] = value
    single = [one for name in names for one in protocols.listed(name)]
    made = [protocols.variant(p, **fields) for name in single for p in protocols.expand(name)]
    return list({p.signature(): p for p in made}.values())


def single_protocol(name: str, sets: Sequence[str] = (), iou: str | None = None, caps: str | None = None) -> Protocol:
    """The one protocol of a name, as a variant if fields are set."""
    protocol, *more = chosen_protocols([name], sets, iou, caps)
    if more:
        raise UsageError(f"--protocol {name}: a group of protocols; expected a single one")
    return protocol


def chosen_metrics(texts: Sequence[str], score: float | None, some: Sequence[Protocol]) -> list[str]:
    """Metric expressions, checked as far as it can be done without data."""
    short = [row.name for p in some for row in (*summary.rows(p), *summary.class_rows(p))]
    for text in texts:
        meant = [summary.expression(protocol, text) for protocol in some]
        if not any(e.name in metrics.REGISTRY for e in meant) and meant[0].name not in short:
            raise UnknownName("metric", meant[0].name, dict.fromkeys([*metrics.REGISTRY, *short]))
        for e in meant:
            metrics.check(e)
    point = [] if score is None else [str(Expression(name, score=score)) for name in OPERATING_POINT]
    return list(dict.fromkeys([*texts, *point]))


def size(text: str | None) -> tuple[float, float] | None:
    """`W,H` as numbers."""
    if text is None:
        return None
    try:
        width, height = (float(part) for part in text.split(","))
    except ValueError:
        width = height = math.nan
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise UsageError(f"--image-size {text}; expected WIDTH,HEIGHT in pixels such as 640,480")
    return width, height


def check_once(paths: Iterable[str | None]) -> None:
    """Whether standard input and every pipe are given for one thing only: whoever came second would find nothing."""
    given = [path for path in paths if path is not None]
    for i, path in enumerate(given):
        if path == "-" and "-" in given[:i]:
            raise UsageError("'-' stands for standard input and can be given only once")
        if any(same_input(path, before) for before in given[:i]):
            raise UsageError(f"{path}: this pipe is given twice and can be read only once; expected another input")


def unused(how: ReadOptions, truth: Truth, detections: Detections) -> list[str]:
    """The options that were not needed, because the files of both sides say it themselves."""
    forms = [of_table(table.format) for table in (truth, detections)]
    said = [name for name in ("classes", "truth_classes", "image_size") if getattr(how, name) is not None]
    unneeded = [name for name in said if all(form is not None and name in form.tells for form in forms)]
    return [f"--{name.replace('_', '-')}" for name in unneeded]


def number(option: str, text: str | None) -> float | None:
    """A finite number."""
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"{option} {text}; expected a number")
    return value


def count(option: str, text: str, least: int = 0) -> int:
    """A whole number from `least` on."""
    value = int(text[:_DIGITS]) if text.isascii() and text.isdigit() else -1  # more than anybody has of anything
    if value < least:
        raise UsageError(f"{option} {text}; expected a whole number from {least}")
    return value
