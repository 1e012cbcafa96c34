"""What the page can ask for and do, by name: parse, call, return plain values or columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from boxscore import __version__, protocols
from boxscore.analysis.operating_point import class_names
from boxscore.app import judged, numbers, statistics
from boxscore.app.asked import Asked
from boxscore.app.form import LETTERS, form_of
from boxscore.app.saving import save
from boxscore.app.wire import encoded
from boxscore.app.workspace import Opened, Workspace
from boxscore.formats.registry import lookup
from boxscore.formats.registry import names as format_names

TILES = 200  # images that one request may ask for


def state(asked: Asked) -> dict[str, Any]:
    """What is open, chosen and under way."""
    workspace = asked.workspace
    job, opened = workspace.job, workspace.opened
    return {
        "version": __version__,
        "form": workspace.form.to_dict(),
        "checked": workspace.checked,
        "job": None if job is None else job.to_dict(),
        "opened": None if opened is None else _about(opened),
    }


def _about(opened: Opened) -> dict[str, Any]:
    truth = opened.outcome.truth
    return {
        "number": opened.number,
        "truth": {"source": truth.source, "format": truth.format, "images": len(truth.images), "objects": len(truth)},
        "pictures": opened.pictures.folder is not None,
        "classes": len(numbers.names(opened.result(None, None))),
        "protocols": [{"name": p.name, "signature": p.signature(), "iou": p.iou} for p in opened.rules],
        "models": [
            {"letter": LETTERS[k], "name": model.name, "source": model.aligned.detections.source,
             "format": model.aligned.detections.format, "detections": len(model.aligned.detections)}
            for k, model in enumerate(opened.outcome.models)
        ],
    }  # fmt: skip


def choices(_: Asked) -> dict[str, Any]:
    """What can be chosen: formats of each side, protocols."""
    return {
        "formats": {side: [[n, lookup(n).title] for n in format_names(side)] for side in ("truth", "detections")},
        "protocols": [[p.name, p.about] for p in protocols.REGISTRY.values()],
        "groups": protocols.GROUPS,
    }


def one_image(asked: Asked) -> bytes:
    """One image: its objects, and the detections of the models asked for."""
    letters, index = asked.text("m") or "A", asked.index(asked.text("i"))
    columns, models, first = dict[str, Any](), [], None
    for letter in letters.split(","):
        made = asked.judged(letter)
        first = first or made
        both = {**judged.found(made, index), **{f"object_{k}": v for k, v in judged.objects(made, index).items()}}
        columns.update({f"{letter}.{name}": column for name, column in both.items()})
        models.append({"letter": letter, "score": asked.score(letter), "iou": made.iou})
    assert first is not None
    about = judged.described(first, index)
    has = asked.opened.pictures.has(index)
    names = numbers.names(asked.opened.result(letters[0], asked.text("p")))
    return encoded(columns, **about, models=models, names=names, picture=has)


def some_tiles(asked: Asked) -> bytes:
    """What a grid shows of some images."""
    wanted = [asked.index(text) for text in asked.text("i").split(",")[:TILES] if text]
    columns, about = judged.tiles(asked.judged(asked.text("m") or "A"), wanted)
    pictures = asked.opened.pictures
    return encoded(columns, images=[{**one, "picture": pictures.has(one["index"])} for one in about])


def listed(asked: Asked) -> bytes:
    """The images of a filter."""
    made = asked.judged(asked.text("m") or "A")
    label, verdict = asked.text("class") or None, asked.text("verdict")
    if label is not None and label not in class_names(made.truth.classes):
        raise HTTPException(404, "there is no such class")
    if verdict not in ("", "tp", "fp", "fn"):
        raise HTTPException(400, "expected tp, fp or fn as verdict")
    return judged.listed(made, label, verdict, asked.text("sort") or "worst")


def data(asked: Asked) -> dict[str, Any]:
    """The statistics of the ground truth, or of a model's detections."""
    opened, side = asked.opened, asked.text("side") or "truth"
    table = opened.outcome.truth if side == "truth" else opened.model(side)[1].aligned.detections
    return opened.once(("data", side), lambda: statistics.statistics(table))


def picture(asked: Asked) -> Response:
    """An image, whole or with its longer side at most so long."""
    size, index = asked.number("size"), asked.index(asked.text("i"))
    pictures = asked.opened.pictures
    made = pictures.whole(index) if size is None else pictures.thumbnail(index, int(size))
    return Response(made.content, media_type=made.kind, headers={"cache-control": "private, max-age=600"})


def set_form(workspace: Workspace, sent: Any) -> dict[str, Any]:
    """Keeps what is chosen, if all of it may be read."""
    form = form_of(sent)
    form.located(workspace.folders.within)
    workspace.form = form
    return form.to_dict()


def save_into(workspace: Workspace, sent: Any) -> dict[str, Any]:
    """Writes tables and plots of everything that was evaluated."""
    if not isinstance(sent, dict) or not isinstance(sent.get("folder"), str):
        raise HTTPException(400, "expected the path of a folder")
    folder, opened = workspace.folders.within(sent["folder"]), workspace.need()
    letters = LETTERS[: len(opened.outcome.models)]
    results = [opened.result(letter, p.signature()) for p in opened.rules for letter in letters]
    return {"files": save(results, folder, bool(sent.get("plots"))), "folder": str(folder)}


def cancel(workspace: Workspace, _: Any) -> dict[str, Any]:
    """Ends what is under way."""
    workspace.cancel()
    return {} if workspace.job is None else workspace.job.to_dict()


ANSWERS: dict[str, Callable[[Asked], Any]] = {
    "state": state,
    "choices": choices,
    "folder": lambda asked: asked.workspace.folders.listed(asked.text("path")),
    "overview": lambda asked: numbers.overview(asked.columns()),
    "classes": lambda asked: numbers.classes(asked.columns()),
    "curve": lambda asked: numbers.class_curves(asked.columns(), asked.text("class"), asked.number("iou")),
    "mean": lambda asked: numbers.mean_curves(asked.columns(), asked.number("iou")),
    "steps": lambda asked: numbers.steps(asked.opened.result(asked.text("m"), asked.text("p")), asked.number("iou")),
    "point": lambda asked: numbers.point(
        asked.opened.point(asked.text("m"), asked.text("p"), asked.score(asked.text("m")), asked.number("iou"))
    ),
    "images": listed,
    "tiles": some_tiles,
    "image": one_image,
    "data": data,
    "picture": picture,
}
ACTIONS: dict[str, Callable[[Workspace, Any], Any]] = {
    "form": set_form,
    "check": lambda workspace, _: workspace.start("check").to_dict(),
    "evaluate": lambda workspace, _: workspace.start("evaluate").to_dict(),
    "cancel": cancel,
    "save": save_into,
}
