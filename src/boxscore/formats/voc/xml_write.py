"""VOC XML, written: a file per image, named as the image; numbers in the shortest text that gives them back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from boxscore.errors import InputError
from boxscore.formats.io.same_images import without_extension
from boxscore.formats.io.writing import Made, Writing
from boxscore.formats.voc.element import CORNERS, FLAGS, ORIENTED, class_name
from boxscore.tables.model import Detections, Images, Truth
from boxscore.tables.shapes import Shape

Table = Truth | Detections
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REFERENCES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_POSE, _UNSPECIFIED = "pose", "Unspecified"
_FOLDER = "annotations"  # readers take what is in it, and only that


def write_truth(truth: Truth, how: Writing) -> Made:
    """Objects with their flags, tracks, polygons, oriented boxes and attributes."""
    return _files(truth)


def write_detections(detections: Detections, how: Writing) -> Made:
    """Detections as objects that have a score."""
    return _files(detections)


def _files(table: Table) -> Made:
    if table.relative:
        found = "normalized boxes, and the image size is unknown"
        raise InputError(table.source, found, "image sizes, for boxes in pixels")
    for name in table.classes.name:
        if class_name(name) != name or not name:
            expected = "a name with single spaces, and none around it"
            raise InputError(table.source, f"the class {name!r}, which XML would change", expected)
    rows = np.flatnonzero((table.image >= 0) & (table.label >= 0))
    rows = rows[np.argsort(table.image[rows], kind="stable")]
    ends = np.cumsum(np.bincount(table.image[rows], minlength=len(table.images)))
    said = _attributes(table)
    made: dict[str, str] = {}
    for i, key in enumerate(table.images.key):
        path = f"{without_extension(key)}.xml"
        *folders, file = key.split("/")
        if any(not part or part.startswith(".") for part in (*folders, file)) or _FOLDER in map(str.lower, folders):
            expected = "names of files that are not hidden and not in a folder Annotations"
            raise InputError(table.source, f"the image name {key!r}", expected)
        if made.setdefault(path, key) != key:
            found = f"the images {made[path]!r} and {key!r}, which differ in the extension only"
            raise InputError(table.source, found, "images whose files have names of their own")
        objects = (_object(table, int(row), said.get(int(row), [])) for row in rows[ends[i - 1] if i else 0 : ends[i]])
        yield path, _document(table.images, i, "".join(objects), table.source)


def _document(images: Images, i: int, objects: str, source: str) -> bytes:
    folder, _, file = images.key[i].rpartition("/")
    sizes = [("width", images.width), ("height", images.height)]
    known = [_leaf(name, _number(side[i])) for name, side in sizes if side is not None and np.isfinite(side[i])]
    size = f"\t<size>\n{_indented(known)}\t\t<depth>3</depth>\n\t</size>\n" if known else ""
    head = "".join(f"\t{line}\n" for line in (_leaf("folder", folder), _leaf("filename", file)))
    text = f"<annotation>\n{head}{size}{objects}</annotation>\n"
    if wrong := _NOT_XML.search(text):
        raise InputError(source, f"the character {wrong[0]!r} at image {images.key[i]!r}", "characters that XML has")
    return text.encode()


def _object(table: Table, row: int, said: list[tuple[str, str]]) -> str:
    poses = [value for name, value in said if name == _POSE and value.strip() == value != _UNSPECIFIED]
    pose = poses[0] if len(poses) == 1 and poses[0] else _UNSPECIFIED
    said = [(name, value) for name, value in said if (name, value) != (_POSE, pose)]
    parts = [_leaf("name", table.classes.name[table.label[row]]), _leaf(_POSE, pose)]
    flags = int(table.flags[row]) if isinstance(table, Truth) else 0
    for name, flag in FLAGS.items():
        if flags & flag or name in ("difficult", "truncated"):  # those two always stand there
            parts.append(_leaf(name, str(int(bool(flags & flag)))))
    if table.track is not None and table.track[row] >= 0:
        parts.append(_leaf("trackid", str(int(table.track[row]))))
    parts.append(_group("bndbox", CORNERS, table.corners[row].tolist()))
    if isinstance(table, Detections):
        parts.append(_leaf("score", _number(float(table.score[row]))))
    parts += _shapes(table, row)
    listed = [f"<attribute>{_leaf('name', n)}{_leaf('value', v)}</attribute>" for n, v in said]
    if listed:
        parts.append(f"<attributes>{''.join(listed)}</attributes>")
    return f"\t<object>\n{_indented(parts)}\t</object>\n"


def _shapes(table: Table, row: int) -> Iterator[str]:
    """Polygons and oriented boxes; one that is given by its corners is written as a polygon."""
    for kind, values in table.shapes.of(row) if table.shapes is not None else []:
        if kind in (Shape.POLYGON, Shape.QUAD):
            yield _group("polygon", [f"{axis}{k // 2 + 1}" for k, axis in enumerate("xy" * (len(values) // 2))], values)
        elif kind == Shape.ORIENTED:
            yield _group("robndbox", ORIENTED, values)


def _attributes(table: Table) -> dict[int, list[tuple[str, str]]]:
    """What else is said of each row."""
    said: dict[int, list[tuple[str, str]]] = {}
    if table.attributes is not None:
        for row, *pair in zip(
            table.attributes.row.tolist(), table.attributes.name, table.attributes.value, strict=True
        ):
            said.setdefault(row, []).append((pair[0], pair[1]))
    return said


def _leaf(name: str, text: str) -> str:
    return f"<{name}>{text.translate(_REFERENCES)}</{name}>"


def _group(name: str, parts: tuple[str, ...] | list[str], values: list[float]) -> str:
    inner = "".join(_leaf(part, _number(value)) for part, value in zip(parts, values, strict=True))
    return f"<{name}>{inner}</{name}>"


def _indented(lines: list[str]) -> str:
    return "".join(f"\t\t{line}\n" for line in lines)


def _number(value: float) -> str:
    """The shortest text of a number; whole ones without a point.

    >>> _number(3.0), _number(0.1), _number(1e300)
    ('3', '0.1', '1e+300')
    """
    return repr(float(value)).removesuffix(".0")
