"""JSON files that are COCO or stand near it: loaded, and refused by name where they are something else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeGuard

from boxscore.errors import InputError, first_few
from boxscore.formats.io.json_once import loads_records
from boxscore.formats.io.json_records import Records
from boxscore.formats.io.placed_records import Rows
from boxscore.formats.io.record_values import Values, kind
from boxscore.formats.io.source import Source

RECORD = 'a list of {"image_id", "category_id", "bbox", "score"}'
EXPECTED = {"truth": "ground truth: an object with images, annotations and categories", "detections": RECORD}
_FIRST = re.compile(r"\S")
_SECTIONS = (b'"images"', b'"annotations"', b'"categories"')


class Other(NamedTuple):
    """A kind of JSON that is not COCO's boxes: where it has which keys, what it is, and what to do."""

    inside: str  # "" for the file itself, "[]" for a list, else the section whose first record has the keys
    keys: tuple[str, ...]
    name: str
    hint: str


_STATED = "State its format with truth_format or detections_format."
_ONLY_BOXES = "boxscore evaluates boxes; convert it to COCO with a `bbox` for each object."
OTHERS = (
    Other("annotations", ("segments_info",), "COCO panoptic segmentation (`segments_info`)", _ONLY_BOXES),
    Other("annotations", ("caption",), "COCO captions (`caption`)", "Captions have no boxes."),
    Other("annotations", ("bboxes",), "tracks of whole videos as of YouTube-VIS (`bboxes`)",
          "State the format youtube-vis."),
    Other("annotations", ("segmentations",), "tracks of whole videos as of YouTube-VIS (`segmentations`)",
          "State the format youtube-vis."),
    Other("[]", ("video_id", "segmentations"), "tracks of whole videos as of YouTube-VIS (`segmentations`)",
          "State the format youtube-vis."),
    Other("[]", ("video_id", "bboxes"), "tracks of whole videos as of YouTube-VIS (`bboxes`)",
          "State the format youtube-vis."),
    Other("annotations", ("video_id", "track"), "tubes of videos as of STT-AP (`track`)", "State the format stt."),
    Other("[]", ("video_id", "track"), "tubes of videos as of STT-AP (`track`)", "State the format stt."),
    Other("[]", ("image", "annotations"), "CreateML (`image` with `annotations`)", _ONLY_BOXES),
    Other("", ("image", "annotations"), "Segment Anything (`image` with `annotations`)", _ONLY_BOXES),
    Other("[]", ("data", "annotations"), "an export of Label Studio", "Export it from there as COCO."),
    Other("[]", ("data", "completions"), "an export of Label Studio", "Export it from there as COCO."),
    Other("", ("items", "categories"), "a file of Datumaro", "Export it from there as COCO."),
    Other("", ("shapes", "imagePath"), "a file of LabelMe", _STATED),
    Other("", ("assets", "tags"), "an export of VoTT", _STATED),
    Other("", ("_via_img_metadata",), "a project of VIA", _STATED),
    Other("[]", ("ID", "gtboxes"), "CrowdHuman's odgt (`gtboxes`)", _ONLY_BOXES),
)  # fmt: skip


def load(source: Source, side: str) -> Any:
    """The file as Python values, its lists as `Records`.

    An InputError has line and column if it is no JSON, and a name if it is no COCO.
    """
    try:
        text = source.bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(source.name, f"byte {error.start} is not UTF-8", "a JSON file in UTF-8") from None
    if (first := _FIRST.search(text)) is None:
        raise InputError(source.name, "the file is empty", "a JSON file")
    if (start := first[0]) not in '{["-0123456789tfnNI':
        expected = "a COCO file (JSON), or a folder with one text file per image"
        raise InputError(source.name, f"it begins with {start!r}, which is no JSON", expected)
    try:
        data = loads_records(text, source.name)
    except json.JSONDecodeError as error:
        cut = not text[error.pos :].strip() or "Unterminated" in error.msg
        found = "the JSON ends too early, as in a truncated file" if cut else f"invalid JSON ({error.msg})"
        hint = "Records that stand one on a line must be put into a list." if error.msg == "Extra data" else ""
        raise InputError(f"{source.name}:{error.lineno}:{error.colno}", found, "complete JSON", hint) from None
    except ValueError:  # whole numbers of thousands of digits
        raise InputError(source.name, "a number with thousands of digits", "a COCO file") from None
    except RecursionError:
        raise InputError(source.name, "JSON nested too deeply", "a COCO file") from None
    _refuse(source.name, data, side)
    return data


def as_list(source: Source) -> Source:
    """A file with one record on each line as a list of them; lines keep their numbers. Other files as they are."""
    content = source.bytes().removeprefix(b"\xef\xbb\xbf")
    first, _, rest = content.strip().partition(b"\n")
    if (
        not first.rstrip().endswith(b"}")
        or any(key in first for key in _SECTIONS)
        or rest.lstrip()[:1] not in (b"{", b"")
    ):
        return source
    if not rest and b'"image_id"' not in first:
        return source
    lines = content.rstrip().split(b"\n")
    separated = [line.rstrip() + b"," if line.strip() else line for line in lines[:-1]]
    return replace(source, path=None, content=b"[" + b"\n".join([*separated, lines[-1]]) + b"]")


def is_list(value: Any) -> TypeGuard[list[Any] | Records]:
    """Whether a value of a file is a list."""
    return isinstance(value, (list, Records))


def sections(source: str, data: Any, keys: tuple[str, ...]) -> dict[str, list[Any] | Records]:
    """The lists under the keys of an object; all must be there."""
    if not isinstance(data, dict):
        raise InputError(source, kind(data), f"an object with {', '.join(keys)}")
    for key in keys:
        if key not in data:
            found = f"no `{key}` (its keys: {first_few(data, len(data)) or 'none'})"
            raise InputError(source, found, f"`{key}`: a list")
        if not is_list(data[key]):
            raise InputError(f"{source}: {key}", kind(data[key]), "a list")
    return {key: data[key] for key in keys}


def nested_results(take: Values, data: dict[str, Any]) -> Rows | None:
    """The detections of a file that lists them below their images, as YOLACT writes; None for other files."""
    images: Any = data.get("images")
    if "annotations" in data or not _has(images, ("image_id", "dets")):
        return None
    listed = take.records(images, "images")
    for place, image in listed:
        if not isinstance(rows := image.get("dets") or [], list):
            take.wrong.add(place, f"`dets` is {kind(rows)}", "a list of detections as `dets`")

    def placed() -> Iterator[tuple[str, Any]]:
        for place, image in listed:
            rows = image.get("dets")
            for j, row in enumerate(rows if isinstance(rows, list) else []):
                yield f"{place}.dets[{j}]", _flat(image, row)

    return take.placed(placed)


def _flat(image: dict[str, Any], row: Any) -> Any:
    if not isinstance(row, dict):
        return row
    more = {"segmentation": row["mask"]} if "mask" in row else {}
    return {**row, "image_id": image.get("image_id"), "category_id": row.get("category"), **more}


def _has(records: Any, keys: tuple[str, ...]) -> bool:
    return is_list(records) and len(records) > 0 and isinstance(records[0], dict) and {*keys} <= {*records[0]}


def _refuse(source: str, data: Any, side: str) -> None:
    places: dict[str, Any] = {"[]": data}
    if isinstance(data, dict):
        places = {**data, "": None if "images" in data else [data]}
    for other in OTHERS:
        if _has(places.get(other.inside), other.keys):
            raise InputError(source, other.name, EXPECTED[side], other.hint)
    first = next(iter(data.values()), None) if isinstance(data, dict) else None
    if isinstance(first, dict) and {"filename", "regions"} <= {*first}:
        raise InputError(source, "an export of VIA (`regions`)", EXPECTED[side], _STATED)
