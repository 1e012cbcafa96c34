"""KITTI, written: label_2 with a file per image, or label_02 with a file per sequence where images are frames."""

from __future__ import annotations

from boxscore.errors import InputError
from boxscore.formats.io.same_images import without_extension
from boxscore.formats.io.table_rows import Table, rows_by_image, whole
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.kitti.read import NOWHERE
from boxscore.tables.model import Detections, Flag


def write(table: Table, options: Writing) -> Made:
    """Lines without a place in space; detections end with their score."""
    images, rows = table.images, rows_by_image(table)
    files: dict[str, list[str]] = {}
    for i, own in enumerate(rows):
        if images.video is None or images.frame is None:
            name, start = f"label_2/{_name(table, without_extension(images.key[i]))}.txt", None
            if name in files:
                raise InputError(
                    table.source, f"several images named '{name[8:-4]}'", "names without extensions that differ"
                )
        else:
            name, start = f"label_02/{_name(table, images.video[i].replace('/', '_'))}.txt", int(images.frame[i])
        lines = files.setdefault(name, [])
        for row in own:
            track = -1 if table.track is None else int(table.track[row])
            lines.append(("" if start is None else f"{start} {track} ") + _line(table, row))
    for name, lines in files.items():
        yield name, "".join(f"{line}\n" for line in lines).encode()


def _name(table: Table, key: str) -> str:
    """A path below the folder of labels."""
    parts = [part for part in key.split("/") if part not in ("", ".", "..")]
    if not parts or any(part.startswith(".") for part in parts):
        found = f"the image name {key!r}, whose file would be hidden"
        raise InputError(table.source, found, "names that do not begin with a point, nor their folders")
    return "/".join(parts)


def _line(table: Table, row: int) -> str:
    name = table.classes.name[table.label[row]]
    words = name.split()
    if not words or words != name.split(" ") or any(_is_number(word) for word in words):
        found = f"the class {name!r}, which would not be read again"
        raise InputError(table.source, found, "names without numbers and double spaces")
    box = " ".join(str(whole(float(value))) for value in table.corners[row])
    alpha, _, space = NOWHERE.partition(" ")
    if isinstance(table, Detections):
        return f"{name} -1 -1 {alpha} {box} {space} {float(table.score[row])!r}"
    flags = int(table.flags[row])
    return f"{name} {int(bool(flags & Flag.TRUNCATED))} {int(bool(flags & Flag.OCCLUDED))} {alpha} {box} {space}"


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
