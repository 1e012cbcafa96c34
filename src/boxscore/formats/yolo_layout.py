"""Which images a folder of YOLO has, and where their labels are: all of it, or the split that is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add

from boxscore.errors import InputError
from boxscore.formats.files import IMAGES, Files, none_of
from boxscore.formats.label_files import base, label_files
from boxscore.formats.number_rows import text_of
from boxscore.formats.text_lines import as_number
from boxscore.formats.yolo_config import Config
from boxscore.formats.yolo_pairs import SPLIT, Layout, paired, split_of
from boxscore.formats.yolo_places import Places

_ALIKE = {"valid": "val", "validation": "val"}


def layout_of(folder: Files, config: Config, wanted: str | None) -> Layout:
    """The images and files of the split that is asked for, or of the only one."""
    named = {base(entry.replace("\\", "/")) for entries in config.splits.values() for entry in entries}
    lists = {path: listed for path in folder.ending(".txt") if (listed := _listed(folder, path, named)) is not None}
    images, labels = folder.ending(*IMAGES), [path for path in label_files(folder) if path not in lists]
    if not labels and not images:
        raise none_of(folder, "files of labels", "a .txt file per image")
    splits = config.splits or {split_of(base(path)[:-4]): (path,) for path in lists}
    groups = dict[str, Layout]()
    if splits:
        places = Places(images, labels, lists)
        made = {name: [places.layout(entry, config.root) for entry in entries] for name, entries in splits.items()}
        groups = {name: reduce(add, parts) for name, parts in made.items() if any(any(part.labels) for part in parts)}
    covered = {path for group in groups.values() for path in (*group.labels, *group.images)}
    rest = _by_folder(*([path for path in paths if path not in covered] for paths in (images, labels)))
    for name, group in rest.items():  # places that are not as the configuration says
        if any(group.labels) and _plain(name) not in map(_plain, groups):
            groups[name] = group
    return _chosen(folder, groups, wanted)


def _listed(folder: Files, path: str, named: set[str]) -> list[str] | None:
    """The images that a text lists; None where it is no such list but labels."""
    said = base(path) in named
    if "/labels/" in f"/{path}" or not (said or SPLIT.fullmatch(base(path)[:-4])):
        return None
    lines = [line.strip() for line in text_of(folder, path).splitlines() if line.strip()]
    numeric = all(len(words) > 4 and None not in map(as_number, words) for words in map(str.split, lines))
    is_list = all(line.lower().endswith(IMAGES) for line in lines) or (said and not numeric)
    return lines if is_list else None


def _by_folder(images: Iterable[str], labels: Iterable[str]) -> dict[str, Layout]:
    """Splits by the names of folders."""
    groups: dict[str, tuple[list[str], list[str]]] = {}
    known = dict[str, str]()  # folders are few, files are many
    for which, paths in enumerate((images, labels)):
        for path in paths:
            inside = path.rpartition("/")[0]
            if inside not in known:
                known[inside] = next(filter(None, map(split_of, inside.split("/"))), "")
            groups.setdefault(known[inside], ([], []))[which].append(path)
    return {name: paired(*groups[name]) for name in sorted(groups)}


def _chosen(folder: Files, groups: dict[str, Layout], wanted: str | None) -> Layout:
    if not groups:
        raise none_of(folder, "files of labels", "a .txt file per image")
    names = list(groups)
    if all(group == groups[names[0]] for group in groups.values()) and (wanted is None or names == [""]):
        return groups[names[0]]
    shown = ", ".join(name or "." for name in names)
    if wanted is None:
        raise InputError(folder.name, f"{len(names)} splits ({shown})", "one of them: --split NAME (split= in Python)")
    asked = _plain(wanted)
    fitting = [name for name in names if wanted == (name or ".")]
    fitting = fitting or [name for name in names if _plain(name) == asked] or [
        name for name in names if name.lower().startswith(asked)
    ]  # fmt: skip
    if len(fitting) != 1:
        raise InputError(folder.name, f"no split '{wanted}' (there is {shown})", "the name of one split")
    return groups[fitting[0]]


def _plain(split: str) -> str:
    return _ALIKE.get(split.lower(), split.lower())
