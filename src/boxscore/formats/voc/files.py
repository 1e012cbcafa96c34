"""Which XML files are annotations, and of which images: development kits, folders below, splits, lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from boxscore.errors import InputError, first_few
from boxscore.formats.io.files import Files, none_of
from boxscore.formats.io.lists import ImageList, image_list_of, read_image_list
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.words import SPLITS
from boxscore.tables.model import Ints

_FOLDER = "annotations"
_OTHER_TASKS = ("action", "layout", "segmentation")  # lists of PASCAL VOC that are not of detection


class Annotations(NamedTuple):
    """XML files with the names of their images, which lack the extension; `number` is that of a list, if it has one."""

    names: list[str]
    paths: list[str]
    number: Ints | None = None


def annotation_files(files: Files, how: ReadOptions) -> Annotations:
    """All XML files, or those of the split or of the list that the user states."""
    if files.is_file:
        name = files.name.replace("\\", "/").rpartition("/")[2]
        for extension in (".gz", ".xml"):
            name = name[: -len(extension)] if name.lower().endswith(extension) else name
        return Annotations([name], [""])
    path_of = _by_name(files)
    if how.image_list is not None:
        return _listed(files, path_of, read_image_list(how.image_list))
    return Annotations(list(path_of), list(path_of.values())) if how.split is None else _of_split(files, path_of, how)


def _by_name(files: Files) -> dict[str, str]:
    """The paths of all XML files by the names of their images; where some are in Annotations, only those.

    Where there is more than one such folder (VOC2007/Annotations, VOC2012/Annotations), names tell which.
    """
    paths = files.called(".xml")
    folders = {folder: _inside(folder) for folder in dict.fromkeys(path.rpartition("/")[0] for path in paths)}
    kits = {kit for kit, _ in filter(None, folders.values())}
    start: dict[str, str] = {}  # of the names in each folder
    for folder, found in folders.items():
        if found is None:
            start |= {} if kits else {folder: f"{folder}/" if folder else ""}
        else:
            parts = [part for part in (found[0] if len(kits) > 1 else "", found[1]) if part]
            start[folder] = "".join(f"{part}/" for part in parts)
    named: dict[str, str] = {}
    for path in paths:
        folder, _, file = path.rpartition("/")
        if folder in start:
            name = start[folder] + (file[:-4] if file.lower().endswith(".xml") else file)
            if name in named:
                found_twice = f"{named[name]} and {path} are both of image '{name}'"
                raise InputError(files.name, found_twice, "one XML file per image")
            named[name] = path
    if not named:
        raise none_of(files, "XML files", "an XML file per image, in it or in its folder Annotations")
    return named


def _inside(folder: str) -> tuple[str, str] | None:
    """The folders above and below Annotations; None for a folder that is not in one."""
    parts = folder.split("/")
    at = next((i for i, part in enumerate(parts) if part.lower() == _FOLDER), None)
    return None if at is None else ("/".join(parts[:at]), "/".join(parts[at + 1 :]))


def _of_split(files: Files, path_of: Mapping[str, str], how: ReadOptions) -> Annotations:
    """By the lists of the split, else by the folder of its name; a data set without splits is taken as it is."""
    lists = [path for path in files.ending(".txt") if "imagesets" in path.lower().split("/")[:-1]]
    own = _of_detection([path for path in lists if path.rpartition("/")[2] == f"{how.split}.txt"])
    if own:
        found = [_listed(files, path_of, image_list_of(files.source(path))) for path in own]
        if len(found) == 1:
            return found[0]
        return Annotations([name for one in found for name in one.names], [path for one in found for path in one.paths])
    folder_of = {name: path.split("/")[:-1] for name, path in path_of.items()}
    names = [name for name, folders in folder_of.items() if how.split in folders]
    others = {path.rpartition("/")[2][:-4] for path in _of_detection(lists)}
    others |= {folder for folders in folder_of.values() for folder in folders}
    others &= {*SPLITS, "training", "testing"}
    if not names and others:
        raise InputError(files.name, f"no split '{how.split}'", f"one of {', '.join(sorted(others))}")
    names = names or list(path_of)
    return Annotations(names, [path_of[name] for name in names])


def _of_detection(lists: Sequence[str]) -> list[str]:
    """Lists of PASCAL VOC's main task, else those that are not of its others."""
    tasks = [path.lower().split("/")[-2] for path in lists]
    main = [path for path, task in zip(lists, tasks, strict=True) if task == "main"]
    return main or [path for path, task in zip(lists, tasks, strict=True) if task not in _OTHER_TASKS]


def _listed(files: Files, path_of: Mapping[str, str], listed: ImageList) -> Annotations:
    """The files of a list; its names may leave out the folders that all of them are in, as ImageNet's do."""
    start = "" if listed.name[0] in path_of else _common_start(path_of, listed.name)
    missing = [name for name in listed.name if start + name not in path_of]
    if missing:
        found = f"no XML file for {first_few(missing, len(missing))}"
        raise InputError(files.name, found, f"one for each of the {len(listed.name):,} images of {listed.source}")
    paths = [path_of[start + name] for name in listed.name]
    return Annotations(list(listed.name), paths, listed.number if listed.numbered else None)


def _common_start(path_of: Mapping[str, str], names: Sequence[str]) -> str:
    """What stands before all names of a list; nothing where that is not clear."""
    first = f"/{names[0]}"
    starts = [name[: 1 - len(first)] for name in path_of if name.endswith(first)]
    fitting = [start for start in starts if all(start + name in path_of for name in names)]
    return fitting[0] if len(fitting) == 1 else ""
