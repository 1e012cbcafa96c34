"""Azure Custom Vision: images with regions as its training API lists them, and predictions of single images."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from boxscore.formats.record import DETECTIONS, IMAGE, JSON, LIKELY, Boxes, Format, Sign

if TYPE_CHECKING:  # the record is loaded to recognise any file; the rest where this format is read
    from boxscore.diagnostics.findings import Finding
    from boxscore.formats.io.collected import Collected
    from boxscore.formats.io.files import Files
    from boxscore.formats.io.json_values import Value
    from boxscore.formats.io.options import ReadOptions
    from boxscore.tables.model import Detections, Truth

FORMATS = (
    Format(
        name="azure-custom-vision", title="Azure Custom Vision",
        looks="azure-custom-vision (JSON of images with regions, or of predictions, from Azure Custom Vision)",
        home=__name__, listed=220, kind=JSON, per=IMAGE, folder=None, before="coco",
        truth=":read_truth", detections=":read_detections",
        boxes=Boxes("xywh", "relative", "left, top, width, height, normalized"),
        signs=(
            Sign(("[].regions[].tagName",)),
            Sign(("[].regions[].tagId",)),
            Sign(("images[].regions[].tagName",)),
            Sign(("images[].regions[].tagId",)),
            Sign(("predictions[].boundingBox",), DETECTIONS),
            Sign(("[].predictions[].boundingBox",), DETECTIONS),
            Sign(("results[].predictions[].boundingBox",), DETECTIONS),
            Sign(("[].originalImageUri",), level=LIKELY, unless=("[].predictions",)),
            Sign(("images[].originalImageUri",), level=LIKELY),
            Sign(("predictions", "iteration"), DETECTIONS, LIKELY),
            Sign(("[].predictions", "[].iteration"), DETECTIONS, LIKELY),
            Sign(("results[].predictions", "results[].iteration"), DETECTIONS, LIKELY),
        ),
        lacks="images with `regions` that have a `tagName`, or `predictions` with a `boundingBox`",
    ),
)  # fmt: skip
_TRUTH = "images of Azure Custom Vision, each with `regions`"
_FOUND = "`predictions` of Azure Custom Vision"
_NAMES = ("name", "fileName")  # the service itself knows images by id only
_SIDES = ("left", "top", "width", "height")
_SWAPPED = "Ground truth comes first, then detections; were they swapped?"


def read_truth(files: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects: the regions of each image; images that are only tagged, or not at all, have none."""
    from boxscore.formats.io.collected import Collected

    how, made = how.of("truth"), Collected(relative=True)
    for path, root in _roots(files, _TRUTH):
        images = root["images"] if isinstance(root.value, dict) and "images" in root.value else root
        if not isinstance(images.value, list):
            hint = _SWAPPED if root.has("predictions") or root.has("results") else ""
            raise images.wrong("no list of images", f"{_TRUTH}, as a list or under `images`", hint)
        for image in images.items():
            index = _add_image(made, files, path, image, _name(image) or image["id"].as_text())
            regions = image.get("regions")
            for region in () if regions is None else regions.items():
                with how.invalid:
                    _add(made, index, region, region)
    return made.truth(files.name, "azure-custom-vision", how), []


def read_detections(files: Files, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Predictions: of one image a file, which is called as the image is, or a list of several images."""
    from boxscore.formats.io.collected import Collected

    how, made = how.of("detections"), Collected(relative=True)
    for path, root in _roots(files, _FOUND):
        single = root.has("predictions")
        for image in [root] if single else (root["results"] if isinstance(root.value, dict) else root).items():
            if not image.has("predictions") and image.has("regions"):
                raise image.wrong("`regions`, as of ground truth", _FOUND, _SWAPPED)
            key = _name(image) or (_of_file(files, path) if single else image["id"].as_text())
            index = _add_image(made, files, path, image, key)
            for one in image["predictions"].items():
                with how.invalid:
                    if not one.has("boundingBox"):
                        made.rejected["a tag of the whole image, without a box"] += 1
                        continue
                    score = one["probability"].number()
                    _add(made, index, one, one["boundingBox"])
                    made.score.append(score)
    return made.detections(files.name, "azure-custom-vision", how), []


def _roots(files: Files, expected: str) -> list[tuple[str, Value]]:
    """The content of all JSON files."""
    from boxscore.formats.io.files import none_of
    from boxscore.formats.io.json_values import load_value

    paths = [""] if files.is_file else files.called(".json")
    if not paths:
        raise none_of(files, "JSON files", expected)
    return [(path, load_value(files.source(path), expected)) for path in paths]


def _name(image: Value) -> str:
    """The name of an image; empty where it has none."""
    name = next((name for key in _NAMES if (name := image.get(key)) is not None), None)
    return "" if name is None else name.text().replace("\\", "/")


def _of_file(files: Files, path: str) -> str:
    """The name of the image that a file of predictions is for: its own."""
    name = path or files.name.replace("\\", "/").rpartition("/")[2]
    return name[:-5] if name.lower().endswith(".json") else name


def _add_image(made: Collected, files: Files, path: str, image: Value, key: str) -> int:
    if key in made.key:
        raise image.wrong(f"the image '{key}', which {made.places[made.key[key]]} has too", "each image once")
    width, height = image.size("width", "height")
    if math.isnan(width + height):
        width = height = math.nan
    made.places.append(files.place(path))
    return made.add_image(key, width, height)


def _add(made: Collected, image: int, record: Value, box: Value) -> None:
    left, top, width, height = box.numbers(*_SIDES)
    name = record["tagName"].text() if record.has("tagName") else record["tagId"].as_text()
    made.add(image, name, [left, top, left + width, top + height], width * height, where=box)
