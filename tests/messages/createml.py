"""Files of CreateML, and formats of other packages, that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any

from boxscore.formats.registry import GROUP, loaded
from boxscore.joining.read import Reading, read_truth
from small_coco import file

IMAGE = {"image": "a.jpg", "annotations": []}


def read(content: Any, **how: Any) -> Any:
    return read_truth(file("c.json", content), Reading(truth_format="createml", **how))


def listed() -> Any:
    one = {"label": "cat", "coordinates": {"x": 5, "y": 5, "width": 2, "height": 2}}
    return read([{"image": "a.jpg", "annotations": [one]}], classes=("dog",))


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "c.json: image 'a.jpg': class 'cat'; expected one of the 1 listed classes",
        listed,
    ),
    (
        "boxscore.formats: the entry point 'odd' does not load (No module named 'no_such_module'); expected a module "
        "with FORMATS\n  Repair or uninstall its package.",
        lambda: loaded(EntryPoint("odd", "no_such_module:FORMATS", GROUP)),
    ),
    (
        "c.json: $[1]: the image 'a.jpg' again; expected each image once, with all of its annotations",
        lambda: read([IMAGE, IMAGE]),
    ),
]
