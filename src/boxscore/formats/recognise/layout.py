"""Which of the files of a folder are meant: one file, one split, the folder that holds those of each image."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from boxscore.errors import InputError, first_few
from boxscore.formats.files import Files
from boxscore.formats.recognise.answer import Candidate
from boxscore.formats.recognise.known import CLASS, FILE, IMAGE, PARTS, PER

_SPLIT = re.compile(r"(?:^|[^a-z])(train|trainval|valid|validation|val|test|dev|minival)(?=[^a-z]|$)", re.IGNORECASE)
_ALIKE = {"valid": "val", "validation": "val"}
_SHARD = re.compile(r"-\d{5}-of-\d{5}")
_FOLDERS = re.compile(r"(train|trainval|valid|validation|val|test|dev|minival)[\d_\-]*", re.IGNORECASE)


def narrowed(files: Files, candidate: Candidate, split: str | None) -> Files:
    """The files that a format is to be read from."""
    if files.is_file:
        return files
    per = PER.get(candidate.name, FILE)
    if per in (FILE, PARTS):
        return _whole_sets(files, candidate, split)
    return files if candidate.name == "yolo" else _folder(files, candidate, split, per)


def split_of(path: str) -> str:
    """The split that a path names, the last one if there are several.

    >>> split_of("annotations/instances_val2017.json"), split_of("valid/_annotations.coco.json"), split_of("a.json")
    ('val', 'val', '')
    """
    found = _SPLIT.findall(path.replace("/", " / "))
    return _ALIKE.get(found[-1].lower(), found[-1].lower()) if found else ""


def _whole_sets(files: Files, candidate: Candidate, split: str | None) -> Files:
    """Of files that each hold a whole set, one; or the shards of one."""
    sets: dict[str, list[str]] = {}
    for path in candidate.paths:
        sets.setdefault(_SHARD.sub("", path), []).append(path)
    if (
        len(sets) > 1
        and candidate.name == "vott-json"
        and all(path.endswith("-asset.json") for path in candidate.paths)
    ):
        sets = {"": list(candidate.paths)}
    chosen = _chosen(files.name, candidate.name, sets, split)
    return files.one(chosen[0]) if len(chosen) == 1 else files.only(chosen)


def _chosen(name: str, form: str, sets: dict[str, list[str]], split: str | None) -> list[str]:
    keys = list(sets)
    if (split is not None and len(keys) > 1) or (split is not None and any(map(split_of, keys))):
        wanted = _ALIKE.get(split.lower(), split.lower())
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


def _folder(files: Files, candidate: Candidate, split: str | None, per: str) -> Files:
    """The folder whose files are meant, where a file is of one image or class."""
    folders = _homes(candidate.paths)
    if split is not None and len(folders) + (folders != [""]) > 1:
        wanted = _ALIKE.get(split.lower(), split.lower())
        named = [folder for folder in folders if split_of(folder) == wanted or split in folder.split("/")]
        if named:
            folders = named
        elif any(map(split_of, folders)):
            known = sorted({split_of(folder) or folder or "." for folder in folders})
            raise InputError(files.name, f"no part '{split}'", f"one of {', '.join(known)}")
    if len(folders) == 1:
        return files.below(folders[0])
    if per == IMAGE and candidate.name != "text" and not _are_splits(folders):
        return files  # images by folder: each key says where it is
    if "" in folders and not _are_splits(folders):
        return files
    parts = ", ".join(folder or "." for folder in folders[:6]) + ", …" * (len(folders) > 6)
    hint = f"State it with split, such as --split {folders[-1].rpartition('/')[2]}, or give the path of one."
    raise InputError(files.name, f"{len(folders)} folders in {candidate.name}: {parts}", "one of them", hint)


def _homes(paths: Iterable[str]) -> list[str]:
    """The folders that hold files, without the `Annotations` that PASCAL VOC has below each."""
    found = {path.rpartition("/")[0] for path in paths}
    return sorted({_above(folder) for folder in found})


def _above(folder: str) -> str:
    head, _, last = folder.rpartition("/")
    return head if last == "Annotations" else folder


def _are_splits(folders: Sequence[str]) -> bool:
    """Whether folders are parts of a data set, which are not to be read as one."""
    last = [next((part for part in reversed(folder.split("/")) if _FOLDERS.fullmatch(part)), "") for folder in folders]
    return len(set(filter(None, last))) > 1


__all__ = ["CLASS", "narrowed", "split_of"]
