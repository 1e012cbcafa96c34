"""VoTT JSON: an exported project, a folder of single assets, or a file of VoTT 1."""

from __future__ import annotations

from collections import Counter
from urllib.parse import unquote

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import first_few
from boxscore.formats.io.collected import Collected, flat, hull
from boxscore.formats.io.files import Files, none_of
from boxscore.formats.io.json_values import Value, load_value
from boxscore.formats.io.options import ReadOptions
from boxscore.tables.model import Classes, Truth
from boxscore.tables.shapes import Shape

_EXPECTED = "a JSON export of VoTT, with `assets` and `tags`"
_WITHOUT_AREA = ("POLYLINE", "POINT")
_KNOWN = ("RECTANGLE", "SQUARE", "POLYGON", *_WITHOUT_AREA)
_NOT_VISITED, _VIDEO, _FRAME = 0, 2, 3  # a state, and two types of assets


def read_truth(files: Files, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects: a region with several tags is one of each; unannotated images are left out."""
    singles = [] if files.is_file else files.ending("-asset.json")
    if singles:
        assets = [load_value(files.source(path), "an asset of VoTT") for path in singles]
        projects = files.ending(".vott")
        tags = _tags(load_value(files.source(projects[0]), "a VoTT project")) if len(projects) == 1 else []
    else:
        root = load_value(files.source(_only(files)), _EXPECTED)
        if root.has("frames"):
            from boxscore.formats.vott.v1 import read_v1

            return read_v1(root, files.name, how), []
        assets = [root] if root.has("asset") else [one for _, one in root["assets"].entries()]
        tags = _tags(root)
    made, unseen, kept = Collected(), list[str](), list[Value]()
    for asset, key in zip(assets, _keys(assets), strict=True):
        if _read_asset(asset, key, how, made, unseen):
            kept.append(asset["asset"])
    _set_frames(kept, made)
    findings = [finding("IMG020", len(unseen), first_few(unseen, len(unseen)))] if unseen else []
    return made.truth(files.name, "vott-json", how, listed(tags)), findings


def _only(files: Files) -> str:
    """The one JSON file of a folder."""
    paths = files.paths if files.is_file else files.called(".json")
    if len(paths) != 1:
        raise none_of(files, "single JSON file", "one JSON export of VoTT, or assets in *-asset.json")
    return paths[0]


def _tags(root: Value) -> list[str]:
    stated = root.get("tags")
    return [] if stated is None else [tag["name"].text() for tag in stated.items()]


def listed(tags: list[str]) -> Classes | None:
    """Tags as classes; None without any."""
    names = tuple(dict.fromkeys(tags))
    return Classes(names, names) if names else None


def decoded(name: str) -> str:
    """A name without percent signs for characters that addresses cannot hold.

    >>> decoded("9k_%20(1).jpg"), decoded("100%.jpg"), decoded("caf%E9.jpg")
    ('9k_ (1).jpg', '100%.jpg', 'caf%E9.jpg')
    """
    try:
        return unquote(name, errors="strict").replace("\\", "/")
    except UnicodeDecodeError:  # written by another rule
        return name.replace("\\", "/")


def _keys(assets: list[Value]) -> list[str]:
    """The names of the assets; those that several share become paths."""
    names = [decoded(asset["asset"]["name"].text()) for asset in assets]
    shared = Counter(names)
    return [
        name if shared[name] == 1 else decoded(asset["asset"]["path"].text()).removeprefix("file:")
        for asset, name in zip(assets, names, strict=True)
    ]


def _read_asset(asset: Value, key: str, how: ReadOptions, made: Collected, unseen: list[str]) -> bool:
    """Adds an asset with its regions; false where it is no image that somebody looked at."""
    about = asset["asset"]
    regions = [] if (stated := asset.get("regions")) is None else stated.items()
    kind, state = (None if (number := about.get(name)) is None else number.whole() for name in ("type", "state"))
    if not regions and kind == _VIDEO:
        return False  # its frames are assets of their own
    if not regions and state == _NOT_VISITED:
        unseen.append(key)
        return False
    if key in made.key:
        raise about.wrong(f"the image '{key}' again", "a path of its own for every asset")
    size = about.get("size")
    image = made.add_image(key, *(() if size is None else size.size("width", "height")))
    for region in regions:
        with how.invalid:
            _read_region(region, image, how, made)
    return True


def _read_region(region: Value, image: int, how: ReadOptions, made: Collected) -> None:
    form = "RECTANGLE" if (stated := region.get("type")) is None else stated.text().upper()
    if form not in _KNOWN:
        raise region.wrong(f"the type '{form}'", f"one of {', '.join(_KNOWN)}")
    tags = [] if (named := region.get("tags")) is None else [tag.text() for tag in named.items()]
    if form in _WITHOUT_AREA or not tags:
        made.rejected[f"no area: {form.lower()}" if form in _WITHOUT_AREA else "no tag"] += 1
        return
    area, parts = None, list[tuple[Shape, list[float]]]()
    box = region.get("boundingBox")
    points = []
    if form == "POLYGON" or box is None:
        points = [point.numbers("x", "y") for point in region["points"].items()]
        if len(points) < 3:
            raise region["points"].wrong(f"{len(points)} point{'s' * (len(points) != 1)}", "3 or more")
    if box is None:
        corners = hull(points)
    else:
        x, y, width, height = box.numbers("left", "top", "width", "height")
        corners, area = [x, y, x + width, y + height], width * height
    if form == "POLYGON":
        parts = [(Shape.POLYGON, flat(points))]
    for tag in dict.fromkeys(tags):
        made.add(image, tag, corners, area, 0, parts if how.shapes else (), None, region)


def _set_frames(assets: list[Value], made: Collected) -> None:
    """Video and number of each image, if all are frames; VoTT gives times, so that numbers count the frames it has."""
    if not all(about.has("parent") and about.has("type") and about["type"].value == _FRAME for about in assets):
        return
    at = [(decoded(about["parent"]["name"].text()), about["timestamp"].number()) for about in assets]
    times: dict[str, set[float]] = {}
    for video, time in at:
        times.setdefault(video, set()).add(time)
    order = {video: {time: i for i, time in enumerate(sorted(of_video))} for video, of_video in times.items()}
    made.video = [video for video, _ in at]
    made.frame = [order[video][time] for video, time in at]
