"""What a process of its own does for the app: look at files before anything is run, and evaluate them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from boxscore.app.form import LETTERS, Form, Model
from boxscore.errors import BoxscoreError, InputError
from boxscore.evaluation.result import Result
from boxscore.joining.align import Aligned
from boxscore.tables.model import Detections, Truth

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Tell = Callable[[str, int, int], None]  # what is being done, how much of it, of how much


@dataclass(frozen=True, eq=False)
class Evaluated:
    """One detection set with its results, a protocol each."""

    name: str
    aligned: Aligned
    results: tuple[Result, ...]
    diagnoses: tuple[dict[str, Any], ...]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What an evaluation leaves."""

    form: Form
    truth: Truth
    models: tuple[Evaluated, ...]


def work(connection: Connection, kind: str, form: Form) -> None:
    """Does one kind of work and sends what it has to say: progress, then a value or an error."""

    def tell(stage: str, done: int = 0, whole: int = 0) -> None:
        connection.send(("progress", (stage, done, whole)))

    try:
        connection.send(("done", KINDS[kind](form, tell)))
    except BoxscoreError as error:
        hint = " --skip-invalid leaves such records out." if isinstance(error, InputError) and error.of_record else ""
        connection.send(("failed", f"{error}{hint}"))
    except MemoryError:
        connection.send(("failed", "out of memory: close other programs, or evaluate fewer images at a time"))
    except Exception as error:  # the page shows it; the process ends
        connection.send(("failed", f"this is a bug in boxscore, not yours: {type(error).__name__}: {error}"))
    finally:
        connection.close()


def evaluate(form: Form, tell: Tell) -> Outcome:
    """Reads both sides and evaluates every model by every protocol."""
    from boxscore import overlaps
    from boxscore.evaluation.memo import Shared
    from boxscore.evaluation.run import evaluate_tables
    from boxscore.joining.both import read_beside
    from boxscore.joining.read import read_truth

    rules = form.rules()
    needs = overlaps.needed(rules)
    reading = "reading the ground truth"
    tell(reading, 0, 0)
    truth = read_truth(form.truth, replace(form.read_options(), needs=needs, tell=partial(tell, reading)))
    models = []
    for model, name in zip(form.models, names(form), strict=True):
        reading = f"reading {name}"
        tell(reading, 0, 0)
        how = replace(form.read_options(model), needs=needs, tell=partial(tell, reading))
        joined = read_beside(truth, model.path, how).joined()
        aligned, shared, results = joined.aligned, Shared(rules), []
        for number, protocol in enumerate(rules):
            tell(f"evaluating {name} by {protocol.name}", number, len(rules))
            results.append(evaluate_tables(aligned, protocol, joined.findings, form.metrics, how.threads, shared))
        tell(f"asking the doctor about {name}", 0, 0)
        models.append(Evaluated(name, aligned, tuple(results), tuple(_diagnosed(joined.truth, joined.detections))))
    tell("handing over", 0, 0)
    return Outcome(form, truth[0], tuple(models))


def check(form: Form, tell: Tell) -> dict[str, Any]:
    """What was recognised on each side, and the doctor's first words; what cannot be read says why."""
    from boxscore.joining.read import read_truth

    made: dict[str, Any] = {"truth": None, "models": [], "diagnoses": []}
    objects = None
    if form.truth:
        tell("looking at the ground truth", 0, 0)
        made["truth"], objects = _looked(lambda: read_truth(form.truth, form.read_options()))
    for letter, model, name in zip(LETTERS, form.models, names(form), strict=False):
        tell(f"looking at {name}", 0, 0)
        seen, found = _looked(partial(_detections, form, model, objects))
        made["models"].append(seen)
        if objects is not None and found is not None:
            tell(f"asking the doctor about {name}", 0, 0)
            made["diagnoses"] += [{**one, "letter": letter} for one in _joined_diagnoses(form, model, objects, found)]
    if objects is not None and not form.models:
        made["diagnoses"] = _diagnosed(objects, None)
    return made


def names(form: Form) -> list[str]:
    """What the models are called: as the user says, else as short as they can be told apart."""
    from boxscore.report.blocks import short_names

    short = short_names([model.path for model in form.models])
    return [model.name or name for model, name in zip(form.models, short, strict=True)]


def _detections(form: Form, model: Model, truth: Truth | None) -> tuple[Detections, list[Any]]:
    from boxscore.joining.read import read_detections

    return read_detections(model.path, form.read_options(model), truth)


def _looked(read: Callable[[], tuple[Any, list[Any]]]) -> tuple[dict[str, Any], Any]:
    try:
        table, findings = read()
    except BoxscoreError as error:
        return {"error": str(error)}, None
    used = len(set(table.image[table.image >= 0].tolist()))
    return {
        "format": table.format,
        "images": len(table.images) if isinstance(table, Truth) else used,
        "boxes": len(table),
        "classes": len(table.classes),
        "normalized": table.relative,
        "findings": [{"code": f.code, "severity": f.severity, "text": f.text} for f in findings],
    }, table


def _joined_diagnoses(form: Form, model: Model, truth: Truth, found: Detections) -> list[dict[str, Any]]:
    from boxscore.joining.both import Both

    try:
        joined = Both(truth, found, (), form.read_options(model)).joined()
    except BoxscoreError as error:
        return [{"code": "", "severity": "error", "title": "cannot be compared", "text": str(error)}]
    return _diagnosed(joined.truth, joined.detections)


def _diagnosed(truth: Truth, detections: Detections | None) -> list[dict[str, Any]]:
    from boxscore.checkup import examine
    from boxscore.diagnostics.diagnoses import Tables

    found = None if detections is None else replace(detections, shapes=None, masks=None)
    tables = Tables(replace(truth, shapes=None, masks=None), found)
    return [diagnosis.to_dict() for diagnosis in examine(tables)]


KINDS: dict[str, Callable[[Form, Tell], Any]] = {"evaluate": evaluate, "check": check}
