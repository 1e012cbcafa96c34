"""VoTT 1 JSON: frames with regions, whose corners are in pixels of the image as it was displayed."""

from __future__ import annotations

from boxscore.formats.io.collected import Collected
from boxscore.formats.io.json_values import Value
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.vott.json import decoded, listed
from boxscore.tables.model import Truth


def read_v1(root: Value, source: str, how: ReadOptions) -> Truth:
    """Objects; boxes are normalized unless that is stated."""
    made, size = Collected(), how.image_size
    made.relative = size is None
    stated = root.get("inputTags")
    tags = [] if stated is None or stated.value == "" else [tag.strip() for tag in stated.text().split(",")]
    for name, frame in root["frames"].entries():
        key = decoded(name)
        if key in made.key:
            raise frame.wrong(f"the image '{key}' again", "a name of its own for every frame")
        image = made.add_image(key) if size is None else made.add_image(key, *size)
        for region in frame.items():
            corners = _corners(region)
            if size is not None:
                corners = [value * side for value, side in zip(corners, (*size, *size), strict=True)]
            of_region = [] if (named := region.get("tags")) is None else [tag.text() for tag in named.items()]
            if not of_region:
                made.rejected["no tag"] += 1
            for tag in dict.fromkeys(of_region):
                made.add(image, tag, corners, where=region)
    return made.truth(source, "vott-json", how, listed([tag for tag in tags if tag]))


def _corners(region: Value) -> list[float]:
    """Corners as shares of the width and height at which the image was displayed."""
    sides = [region[name] for name in ("width", "height")]
    for side in sides:
        if side.number() <= 0:
            raise side.wrong(side.shown, "a number above 0: the size at which the image was displayed")
    width, height = (side.number() for side in sides)
    inside = region if region.has("x1") else region["box"]
    x0, y0, x1, y1 = inside.numbers("x1", "y1", "x2", "y2")
    return [x0 / width, y0 / height, x1 / width, y1 / height]
