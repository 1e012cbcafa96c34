"""What lies beside YOLO labels and says what they are: data.yaml, obj.data, lists of classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from reprlib import repr as short
from typing import Any

from boxscore.errors import InputError, first_few
from boxscore.formats.io.files import Files
from boxscore.formats.io.label_files import Listing
from boxscore.formats.io.number_rows import text_of
from boxscore.formats.words import SPLITS

_SPLITS = tuple(name for name in SPLITS if name not in ("trainval", "dev"))  # keys that name a part of the data


@dataclass(frozen=True)
class Config:
    """What was said; `splits` are places as written, each a folder, a list of images, or an image."""

    names: tuple[str, ...] | None = None
    named_by: str = ""  # the file that lists the classes
    splits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    root: str = ""  # the folder that places are below, as written
    keypoints: tuple[int, int] | None = None  # how many, and numbers for each


def read_config(listing: Listing, classes: tuple[str, ...] | None) -> Config:
    """What the files beside the labels say; classes that the user lists stand before theirs."""
    folder = listing.folder
    splits, root, keypoints = dict[str, tuple[str, ...]](), "", None
    lists = dict[str, tuple[str, ...]]()
    for path in listing.ending("data"):
        splits.update(_of_darknet(folder, path))
    for path, values in _sheets(listing):
        if not splits:
            splits, root = _splits(folder.place(path), values)
        if values.get("kpt_shape"):
            keypoints = _keypoints(folder.place(path), values["kpt_shape"])
        if values.get("names"):
            lists[path] = _names(folder.place(path), values)
    for path in listing.class_lists():
        lists[path] = tuple(_lines(text_of(folder, path)))
    if classes is not None:
        return Config(classes, "", splits, root, keypoints)
    first, names = next(iter(lists.items()), ("", None))
    if other := next((path for path, listed in lists.items() if listed != names), None):
        found = f"two lists of classes that differ, {first} and {other}"
        raise InputError(folder.name, found, "one, or --classes (classes= in Python)")
    return Config(names, folder.place(first), splits, root, keypoints)


def config_of_sheet(sheet: Files, classes: tuple[str, ...] | None) -> Config:
    """What a YAML file on its own says: the data set that it describes."""
    values = _values(sheet, "")
    if values is None:
        raise InputError(
            sheet.name, "a YAML file without names, train, val or test", "the data.yaml of a YOLO data set"
        )
    names = _names(sheet.name, values) if values.get("names") and classes is None else classes
    keypoints = _keypoints(sheet.name, values["kpt_shape"]) if values.get("kpt_shape") else None
    return Config(names, sheet.name if classes is None else "", *_splits(sheet.name, values), keypoints)


def _lines(text: str) -> Iterator[str]:
    """Lines without those that are blank at the end: a class has the number of its line."""
    return (line.strip() for line in text.rstrip().splitlines())


def _sheets(listing: Listing) -> Iterator[tuple[str, dict[str, Any]]]:
    """The YAML files that describe data; those nearest to the top come first."""
    folder = listing.folder
    for path in sorted(listing.ending("yaml", "yml"), key=lambda path: (path.count("/"), path)):
        if (values := _values(folder, path)) is not None:
            yield path, values


def _values(folder: Files, path: str) -> dict[str, Any] | None:
    """What a YAML file holds, if it describes data."""
    import yaml  # most folders have none

    try:
        values = yaml.load(text_of(folder, path), yaml.BaseLoader)  # which leaves a class called `no` as it is
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = folder.place(path) if mark is None else f"{folder.place(path)}:{mark.line + 1}"
        raise InputError(place, "invalid YAML", "names and places of the data") from None
    return values if isinstance(values, dict) and any(values.get(key) for key in ("names", *_SPLITS)) else None


def _splits(file: str, values: dict[str, Any]) -> tuple[dict[str, tuple[str, ...]], str]:
    """The places of each split, and the folder that they are below."""
    root = values["path"] if isinstance(values.get("path"), str) else ""
    return {key: _places(file, key, values[key]) for key in _SPLITS if values.get(key)}, root


def _of_darknet(folder: Files, path: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in text_of(folder, path).splitlines():
        key, _, value = (part.strip() for part in line.partition("="))
        if key in _SPLITS and value:
            yield key, (value,)


def _places(file: str, key: str, value: Any) -> tuple[str, ...]:
    places = value if isinstance(value, list) else [value]
    if not all(isinstance(place, str) for place in places):
        raise InputError(file, f"{key} is {short(value)[:60]}", "a folder, a list of images, or several of them")
    return tuple(places)


def _names(file: str, values: dict[str, Any]) -> tuple[str, ...]:
    """Class names by number: a list, or a record whose keys are the numbers."""
    names = values["names"]
    if isinstance(names, dict):
        expected = [str(k) for k in range(len(names))]
        if wrong := sorted({*names} - {*expected}):
            found = f"names has the number{'s' * (len(wrong) > 1)} {first_few(wrong, len(wrong))}"
            raise InputError(file, found, f"the numbers from 0 to {len(names) - 1}")
        names = [names[key] for key in expected]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(file, f"names is {short(names)[:60]}", "a list of names, or a name for each number")
    if values.get("nc") and values["nc"] != str(len(names)):
        raise InputError(file, f"nc is {values['nc']}, and there are {len(names)} names", "a name for each class")
    return tuple(names)


def _keypoints(file: str, value: Any) -> tuple[int, int]:
    match value:
        case [str(count), str(size)] if count.isdecimal() and int(count) > 0 and size in ("2", "3"):
            return int(count), int(size)
    raise InputError(file, f"kpt_shape is {short(value)[:60]}", "how many keypoints, and 2 or 3 numbers for each")
