"""Which images a folder of YOLO has, and where their labels are: all of it, or the split that is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import reduce
from operator import add

from boxscore.errors import InputError
from boxscore.formats.io.files import IMAGES, Files, none_of
from boxscore.formats.io.label_files import Listing, base, named
from boxscore.formats.io.number_rows import text_of
from boxscore.formats.words import as_number
from boxscore.formats.yolo.config import Config
from boxscore.formats.yolo.pairs import SPLIT, Layout, by_folder, paired, plain, split_of
from boxscore.formats.yolo.places import Places

_IMAGES = tuple(extension[1:] for extension in IMAGES)


def layout_of(listing: Listing, config: Config, wanted: str | None) -> Layout:
    """The images and files of the split that is asked for, or of the only one."""
    folder = listing.folder
    images, labels, lists = listing.ending(*_IMAGES), listing.labels(), _lists(listing, config)
    if lists:
        labels = [path for path in labels if path not in lists]
    splits = config.splits or {split_of(base(path)[:-4]): (path,) for path in lists}
    groups = dict[str, Layout]()
    if splits:
        places = Places(images, labels, lists)
        made = {name: [places.layout(entry, config.root) for entry in entries] for name, entries in splits.items()}
        groups = {name: reduce(add, parts) for name, parts in made.items() if any(any(part.labels) for part in parts)}
    if groups:
        covered = {path for group in groups.values() for path in (*group.labels, *group.images)}
        images, labels = ([path for path in paths if path not in covered] for paths in (images, labels))
    for name, group in _by_folder(images, labels).items():  # what is not where the configuration says
        if any(group.labels) and plain(name) not in map(plain, groups):
            groups[name] = group
    return _chosen(folder, groups, wanted)


def _lists(listing: Listing, config: Config) -> dict[str, list[str]]:
    """The texts that list images, with what they list: those that are said to, and those that look like it."""
    said = {base(entry.replace("\\", "/")) for entries in config.splits.values() for entry in entries}
    pattern = "|".join([rf"(?:{SPLIT.pattern})\.txt", *(re.escape(name) for name in said if name.endswith(".txt"))])
    lists = {}
    for path in named(listing.ending("txt"), pattern):
        if "/labels/" not in f"/{path}":
            lines = [line.strip() for line in text_of(listing.folder, path).splitlines() if line.strip()]
            numeric = all(len(words) > 4 and None not in map(as_number, words) for words in map(str.split, lines))
            if all(line.lower().endswith(IMAGES) for line in lines) or (base(path) in said and not numeric):
                lists[path] = lines
    return lists


def _by_folder(images: Iterable[str], labels: Iterable[str]) -> dict[str, Layout]:
    """Splits by the names of folders."""
    groups: dict[str, tuple[list[str], list[str]]] = {}
    for which, paths in enumerate((images, labels)):
        for inside, found in by_folder(paths).items():
            split = next(filter(None, map(split_of, inside.split("/"))), "")
            groups.setdefault(split, ([], []))[which].extend(found)
    return {name: paired(*groups[name]) for name in sorted(groups)}


def _chosen(folder: Files, groups: dict[str, Layout], wanted: str | None) -> Layout:
    if not groups:
        raise none_of(folder, "label files", "a .txt file per image")
    names = list(groups)
    if all(group == groups[names[0]] for group in groups.values()) and (wanted is None or names == [""]):
        return groups[names[0]]
    shown = ", ".join(name or "." for name in names)
    if wanted is None:
        raise InputError(folder.name, f"{len(names)} splits ({shown})", "one of them: --split NAME (split= in Python)")
    asked = plain(wanted)
    fitting = [name for name in names if wanted == (name or ".")]
    fitting = fitting or [name for name in names if plain(name) == asked] or [
        name for name in names if name.lower().startswith(asked)
    ]  # fmt: skip
    if len(fitting) != 1:
        raise InputError(folder.name, f"no split '{wanted}' (there is {shown})", "the name of one split")
    return groups[fitting[0]]
