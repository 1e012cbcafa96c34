"""Which files of a folder are TFRecords of one set: shards, or all that are called so."""

from __future__ import annotations

import re

from boxscore.errors import InputError, first_few
from boxscore.formats.io.files import Files, none_of

_SHARD = re.compile(r"(.*)-(\d{5,})-of-(\d{5,})(?:\.[^/]*)?")
_ENDINGS = (".record", ".records", ".tfrecord", ".tfrecords", ".tfrec")


def record_files(files: Files, split: str | None) -> list[str]:
    """The paths of the files to read: of one split, if one is stated; no shard may be missing."""
    if files.is_file:
        return [""]
    packed = tuple(f"{ending}.gz" for ending in _ENDINGS)
    named = {*files.ending(*_ENDINGS, *packed)}
    paths = [path for path in files.paths if path in named or _SHARD.fullmatch(path)]
    if not paths:
        raise none_of(files, "TFRecord files", "files such as train.record or train.record-00000-of-00010")
    if split is not None:
        chosen = [path for path in paths if split in re.split(r"[/._-]", path)]
        if not chosen:
            found = f"no TFRecord file of '{split}' (it holds {first_few(paths, len(paths))})"
            raise InputError(files.name, found, f"a file such as {split}.record, or a folder {split}")
        paths = chosen
    _no_shard_missing(files, paths)
    return paths


def _no_shard_missing(files: Files, paths: list[str]) -> None:
    shards: dict[tuple[str, str], set[int]] = {}
    for path in paths:
        if shard := _SHARD.fullmatch(path):
            shards.setdefault((shard[1], shard[3]), set()).add(int(shard[2]))
    for (name, count), found in shards.items():
        if len(found) < int(count):
            missing = (f"{name}-{k:05}-of-{count}" for k in range(int(count)) if k not in found)
            few = first_few(missing, int(count) - len(found))
            raise InputError(files.name, f"{len(found)} of {int(count)} shards; {few} missing", "all shards of a set")
