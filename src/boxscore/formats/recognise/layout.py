"""Which of the files of a folder are meant: one file, one split, the folder that holds those of each image."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from boxscore.errors import InputError, first_few
from boxscore.formats.content import Candidate
from boxscore.formats.io.files import Files
from boxscore.formats.record import CLASS, FILE, PARTS, Format
from boxscore.formats.registry import find, lookup
from boxscore.formats.words import SAME_SPLIT, SPLITS

_SPLIT = re.compile(rf"(?:^|[^a-z])({'|'.join(SPLITS)})(?=[^a-z]|$)", re.IGNORECASE)
_SHARD = re.compile(r"-\d{5}-of-\d{5}")
_FOLDERS = re.compile(rf"({'|'.join(SPLITS)})[\d_\-]*", re.IGNORECASE)


def narrowed(files: Files, candidate: Candidate, split: str | None) -> Files:
    """The files that a format is to be read from."""
    form = None if files.is_file else find(candidate.name)
    if form is None:
        return files
    if form.per == FILE and form.folder is None:
        return files  # its reader chooses the file, and may want what lies beside it
    if form.per in (FILE, PARTS):
        return _whole_sets(files, candidate, form, split)
    return files if form.splits else _folder(files, candidate, split)


def split_of(path: str) -> str:
    """The split that a path names, the last one if there are several.

    >>> split_of("annotations/instances_val2017.json"), split_of("valid/_annotations.coco.json"), split_of("a.json")
    ('val', 'val', '')
    """
    found = _SPLIT.findall(path.replace("/", " / "))
    return SAME_SPLIT.get(found[-1].lower(), found[-1].lower()) if found else ""


def _whole_sets(files: Files, candidate: Candidate, form: Format, split: str | None) -> Files:
    """Of files that each hold a whole set, one; or the parts of one, also those that were not looked into."""
    known = {_set(path, form.parts) for path in candidate.paths}
    sets: dict[str, list[str]] = {}
    for path in files.paths:
        if (name := _set(path, form.parts)) in known:
            sets.setdefault(name, []).append(path)
    chosen = _chosen(files.name, candidate.name, sets, split)
    return files.one(chosen[0]) if len(chosen) == 1 else files.only(chosen)


def _set(path: str, parts: tuple[str, ...] = ()) -> str:
    """What the parts of a set have in common: the name of shards, the folder of files that end as parts do.

    >>> _set("a/train.record-00001-of-00010"), _set("b/0f3a-asset.json", ("-asset.json",)), _set("c.json")
    ('a/train.record', 'b/', 'c.json')
    """
    if path.endswith(parts):
        return path[: path.rfind("/") + 1]
    return _SHARD.sub("", path)


def _chosen(name: str, form: str, sets: dict[str, list[str]], split: str | None) -> list[str]:
    keys = list(sets)
    if (split is not None and len(keys) > 1) or (split is not None and any(map(split_of, keys))):
        wanted = SAME_SPLIT.get(split.lower(), split.lower())
        keys = [key for key in keys if split_of(key) == wanted] or [key for key in keys if split in _parts(key)]
        if not keys:
            known = sorted({split_of(key) or key for key in sets})
            raise InputError(name, f"no part '{split}' in {form}", f"one of {', '.join(known)}")
    if len(keys) > 1:
        keys = [key for key in keys if key.rpartition("/")[2].startswith("instances")] or keys
    if len(keys) > 1:
        splits = sorted({split_of(key) for key in keys})
        if all(splits) and len(splits) == len(keys):
            found = f"{len(keys)} parts in {form}: {', '.join(splits)}"
            raise InputError(name, found, "one of them", f"State it with split, such as --split {splits[-1]}.")
        found = f"{len(keys)} files in {form}: {first_few(keys, len(keys), 6)}"
        raise InputError(name, found, "one of them", "Give the path of the one that is meant.")
    return sets[keys[0]]


def _parts(path: str) -> list[str]:
    """What a split may be called by: folders, the file, its stem."""
    *folders, name = path.split("/")
    return [*folders, name, name.partition(".")[0], path]


def _folder(files: Files, candidate: Candidate, split: str | None) -> Files:
    """The folder whose files are meant, where a file is of one image or class."""
    homes = sorted({path.rpartition("/")[0] for path in candidate.paths})
    parts = sorted({_part(home) for home in homes} - {""})
    if any("ImageSets/" in path for path in files.paths) or any(
        path.startswith("Annotations/") for path in files.paths
    ):
        parts = []  # lists tell what belongs to a split, or the reader of the kit knows its folders
    if split is not None and parts:
        wanted = SAME_SPLIT.get(split.lower(), split.lower())
        named = [part for part in parts if split_of(part) == wanted or split in part.split("/")]
        if len(named) != 1:
            found = f"{'no' if not named else len(named)} part{'s' * (len(named) > 1)} '{split}'"
            raise InputError(files.name, found, f"one of {', '.join(parts)}")
        return _folder(files.below(named[0]), _below(candidate, named[0]), None) if len(parts) > 1 else files
    if len(parts) > 1:
        raise _which(files.name, candidate.name, parts)
    if lookup(candidate.name).per == CLASS:  # the only folder that has files is the one that is meant
        return files.below(homes[0]) if len(homes) == 1 else files
    kits = {home.rpartition("/Annotations")[0] for home in homes if home.endswith("/Annotations")}
    return files.below(kits.pop()) if len(kits) == 1 and len(homes) == 1 else files


def _below(candidate: Candidate, part: str) -> Candidate:
    start = f"{part}/"
    return replace(candidate, paths=tuple(p[len(start) :] for p in candidate.paths if p.startswith(start)))


def _which(name: str, form: str, folders: Sequence[str]) -> InputError:
    parts = first_few(folders, len(folders), 6)
    hint = f"State it with split, such as --split {folders[-1].rpartition('/')[2]}."
    return InputError(name, f"{len(folders)} folders of {form}: {parts}", "one of them", hint)


def _part(folder: str) -> str:
    """A path up to the folder that is named as a part of a data set; empty if none is.

    >>> _part("data/train/labels"), _part("labels/val2017"), _part("labels")
    ('data/train', 'labels/val2017', '')
    """
    steps = folder.split("/")
    last = max((i for i, step in enumerate(steps, 1) if _FOLDERS.fullmatch(step)), default=0)
    return "/".join(steps[:last])
