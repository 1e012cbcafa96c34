"""A data.yaml as a data set: the split that is wanted, its images, and the files of their labels.

Places are meant as Ultralytics means them: below `path`, which is absolute or relative to the file, else below the
folder of the file. Files that were written on another machine are read all the same if the ends of their places fit.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from boxscore.diagnostics.findings import Finding, finding
from boxscore.errors import InputError, first_few
from boxscore.formats.io.files import IMAGES, Files, open_files
from boxscore.formats.io.label_files import Listing
from boxscore.formats.io.number_rows import text_of
from boxscore.formats.yolo.config import Config, config_of_sheet
from boxscore.formats.yolo.pairs import Layout, paired, plain, twin_of, without_extension

_USUAL = "val"
_FOLDER = "the folder of the images, or of their labels"


class DataSet(NamedTuple):
    """The files of a split, what is said about them, and what the user should know of the choice."""

    folder: Files
    config: Config
    layout: Layout
    findings: tuple[Finding, ...] = ()


def open_data_set(sheet: Files, classes: tuple[str, ...] | None, wanted: str | None) -> DataSet:
    """The split that is asked for, or the one that people evaluate: `val`, which is told."""
    config = config_of_sheet(sheet, classes)
    if sheet.root is None:
        raise InputError(sheet.name, "a YAML file whose folder is unknown", "the path of the file, beside its data")
    split = _split(sheet.name, config, wanted)
    home = sheet.root.parent.as_posix()
    parts = [_place(sheet.name, home, config.root, split, entry) for entry in config.splits[split]]
    images, labels = [path for part in parts for path in part.images], [path for part in parts for path in part.labels]
    root = _common([path for path in (*images, *labels) if path is not None] or [part.place for part in parts])
    layout = Layout(
        tuple(key if path is None else _below(root, path) for part in parts for key, path in part.keyed()),
        tuple(None if path is None else _below(root, path) for path in labels),
        tuple(None if path is None else _below(root, path) for path in images),
    )
    if not any(layout.labels):
        places = first_few([part.place for part in parts], len(parts))
        raise InputError(sheet.name, f"no label files for {split} ({places})", "a .txt file per image")
    paths = sorted({path for path in (*layout.labels, *layout.images) if path is not None})
    folder = Files(root, tuple(paths), open_files(root).root, watch=sheet.watch)
    return DataSet(folder, config, layout, () if wanted else (_told(sheet.name, config, split, parts),))


class _Part(NamedTuple):
    """A place of a split, and the paths of its images and labels; None where one is absent."""

    place: str
    keys: tuple[str, ...]
    labels: tuple[str | None, ...]
    images: tuple[str | None, ...]

    def keyed(self) -> Iterator[tuple[str, str | None]]:
        return zip(self.keys, self.images, strict=True)


def _split(name: str, config: Config, wanted: str | None) -> str:
    there = ", ".join(config.splits)
    if not config.splits:
        raise InputError(name, "no train, val or test", "the data.yaml of a data set, with the places of its images")
    if wanted is not None:
        fitting = [key for key in config.splits if key == wanted] or [
            key for key in config.splits if plain(key) == plain(wanted)
        ]
        if not fitting:
            raise InputError(name, f"no split '{wanted}' (there is {there})", "the name of one split")
        return fitting[0]
    usual = [key for key in config.splits if plain(key) == _USUAL] or list(config.splits)
    if plain(usual[0]) != _USUAL and len(usual) > 1:
        expected = "one of them: --split NAME (split= in Python)"
        raise InputError(name, f"no val, and {len(usual)} splits ({there})", expected)
    return usual[0]


def _told(name: str, config: Config, split: str, parts: Sequence[_Part]) -> Finding:
    others = [key for key in config.splits if key != split]
    count = sum(len(part.keys) for part in parts)
    rest = f"; --split takes another of its splits ({', '.join(others)})" if others else ""
    places = first_few([part.place for part in parts], len(parts))
    return finding("SPL001", count, f"{name}: split {split} ({count:,} image{'s' * (count != 1)} in {places}){rest}")


def _place(name: str, home: str, root: str, split: str, entry: str) -> _Part:
    """The images of an entry: a folder, a list of images, or an image."""
    is_list, is_image = entry.lower().endswith(".txt"), entry.lower().endswith(IMAGES)
    tried = list(dict.fromkeys(_candidates(home, root, entry)))
    for place in tried:
        if is_list and Path(place).is_file():
            return _listed(name, split, place, home, root)
        if is_image and Path(place).is_file():
            return _of_images(place, [place])
        if not is_list and not is_image and (Path(place).is_dir() or Path(_twin(place)).is_dir()):
            return _of_folder(place)
    what = "list of images" if is_list else "image" if is_image else "folder"
    expected = "the list, with an image per line" if is_list else "the image" if is_image else _FOLDER
    raise InputError(
        name, f"{split} is {entry}, and there is no such {what}", expected,
        f"Looked for {first_few(tried, len(tried))}. Correct path or {split} in it.",
    )  # fmt: skip


def _candidates(home: str, root: str, entry: str) -> Iterator[str]:
    """Where an entry may be, the likeliest first: where it says, then below the file by the end of what it says."""
    entry = entry.strip().replace("\\", "/")
    for base in _bases(home, root):
        yield posixpath.normpath(posixpath.join(base, entry))
        if entry.startswith("../"):  # Roboflow writes places as seen from a folder beside the file
            yield posixpath.normpath(posixpath.join(base, entry[3:]))
    words = [part for part in f"{root}/{entry}".replace("\\", "/").split("/") if part not in ("", ".", "..")]
    own = [part for part in entry.split("/") if part not in ("", ".", "..")]
    absolute = entry.startswith("/") or entry[1:2] == ":"
    shortest = min(2, len(own)) if absolute else len(own)
    for start in range(len(words) - max(shortest, 1) + 1):
        yield posixpath.normpath(posixpath.join(home, *words[start:]))


def _bases(home: str, root: str) -> list[str]:
    """The folders that places may be below: `path`, as seen from the file or from here, and that of the file."""
    root = root.strip().replace("\\", "/")
    return [posixpath.join(home, root), root, home] if root else [home]


def _twin(place: str) -> str:
    """The folder of labels that belongs to one of images."""
    return twin_of(f"{place}/")[:-1]


def _of_folder(place: str) -> _Part:
    images, labels = list[str](), list[str]()
    if Path(place).is_dir():
        images = [f"{place}/{path}" for path in open_files(place).ending(*IMAGES)]
    twin = _twin(place)
    source = twin if Path(twin).is_dir() else place
    labels = [f"{source}/{path}" for path in Listing(open_files(source)).labels()]
    made = paired(images, labels, source)
    return _Part(place, made.keys, made.labels, made.images)


def _listed(name: str, split: str, place: str, home: str, root: str) -> _Part:
    listed = open_files(place)
    lines = [line.strip().replace("\\", "/") for line in text_of(listed, "").splitlines() if line.strip()]
    bases = [posixpath.dirname(place) or ".", *_bases(home, root), "."]
    images = [_image(line, bases) for line in lines]
    made = _of_images(place, images)
    if lines and not any(made.labels) and not any(made.images):
        some = first_few(lines, len(lines))
        raise InputError(name, f"{split} is {place}, and none of its {len(lines):,} images is there ({some})", _FOLDER)
    return made._replace(keys=tuple(lines))  # which absent images keep


def _image(line: str, bases: list[str]) -> str:
    """The path of an image of a list: the first that is there, or whose labels are."""
    paths = [posixpath.normpath(posixpath.join(base, line)) for base in bases]
    return next((path for path in paths if Path(path).is_file() or _label(path)), paths[0])


def _label(image: str) -> str | None:
    stem = without_extension(image)
    return next((f"{path}.txt" for path in (twin_of(stem), stem) if Path(f"{path}.txt").is_file()), None)


def _of_images(place: str, images: list[str]) -> _Part:
    there = tuple(path if Path(path).is_file() else None for path in images)
    return _Part(place, tuple(images), tuple(map(_label, images)), there)


def _common(paths: list[str]) -> str:
    """The folder that all paths are below."""
    folders = {posixpath.dirname(path) for path in paths}
    if len({posixpath.isabs(folder) for folder in folders}) > 1:
        folders = {Path(folder).absolute().as_posix() for folder in folders}
    return posixpath.commonpath(folders) or "."


def _below(root: str, path: str) -> str:
    if posixpath.isabs(root) and not posixpath.isabs(path):
        path = Path(path).absolute().as_posix()
    return posixpath.relpath(path, root)
