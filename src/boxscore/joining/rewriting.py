"""A corrected table in the kind of container that it was read from: the same files, layout, columns and packing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from boxscore.errors import InputError, first_few
from boxscore.formats.io.correction import Correction, Edited, Table, correction, path_in, sibling
from boxscore.formats.io.files import Files, open_files
from boxscore.formats.io.packing import Container, container_of, packed
from boxscore.formats.io.placing import Made
from boxscore.formats.io.same_images import stem
from boxscore.formats.io.writing import Writing, made
from boxscore.formats.recognise import recognise
from boxscore.formats.registry import find, lookup
from boxscore.joining.read import ReadOptions, read_detections, read_truth
from boxscore.joining.units import in_one_unit
from boxscore.tables.common_images import same_images
from boxscore.tables.model import Detections, Floats, Truth, select

_NEAR = 1e-6  # of a side of the box, by which rounding may move it


@dataclass(frozen=True, eq=False)
class Rewritten:
    """The files of a corrected table, and what the user should know of them."""

    files: Made
    form: str
    container: Container
    notes: tuple[str, ...]


def rewritten(
    path: str | os.PathLike[str], side: str, how: ReadOptions, before: Table, after: Table, truth: Truth
) -> Rewritten:
    """The container at a path with a corrected table in place of the one that was read from it.

    `truth` is the ground truth that the detections were read with, or the corrected one itself.
    """
    files, container = open_files(path), container_of(path)
    stated = how.truth_format if side == "truth" else how.detections_format
    taken = recognise(files, side, stated, how.split)
    form = lookup(taken.form)
    if not (form.write_truth if side == "truth" else form.write_detections):
        actual = f"{form.title} can be read but not written"
        raise InputError(str(path), actual, "a copy in another format (`boxscore convert`), then --fix")
    change = correction(before, after, truth.images)
    if form.edit:
        edited = form.editor()(taken.files, how, side, change, truth if side == "detections" else None)
    else:
        edited = _written(taken.files, form.name, how.of(side), change)
    inside = "" if taken.files is files or taken.files.name == files.name else path_in(files, taken.files.name)
    if inside:
        edited = _below(edited, inside)
    return Rewritten(packed(files, container, edited), form.name, container, edited.notes)


def _below(edited: Edited, inside: str) -> Edited:
    """The same, where the files are those of a folder below, or of a file there."""

    def moved(path: str) -> str:
        return f"{inside}/{path}" if path else inside

    return Edited(frozenset(map(moved, edited.gone)), {moved(p): c for p, c in edited.made.items()}, edited.notes)


def _written(files: Files, form: str, how: ReadOptions, change: Correction) -> Edited:
    """The files that the writer of a format makes, under the names of those that were read."""
    after, before = change.after, change.before
    keep = (after.image >= 0) & (after.label >= 0)  # no format can hold the others
    table: Table = select(after, keep) if isinstance(after, Truth) else select(after, keep)  # noqa: RUF034
    writing = Writing(how.box, how.coords, how.confidence, as_read=table.format)
    if before.places is None or files.is_file:
        written = dict(made(table, form, writing))
        if len(written) == 1 and (files.is_file or "" in written):
            path = "" if files.is_file else path_in(files, table.source)
            if path not in files.paths:
                raise _as_one(files, form)
            return Edited(frozenset(), {path: next(iter(written.values()))}, (*change.notes, *_named(files, before)))
        endings = {name.rpartition(".")[2] for name in written}
        gone = frozenset(path for path in files.paths if path.rpartition(".")[2] in endings)
        note = f"its files have the names that are usual for {lookup(form).title}: {first_few(written, len(written))}"
        return Edited(gone, written, (*change.notes, *([] if gone == {*written} else [note])))
    paths = [path_in(files, place) for place in before.places]
    own = {int(i): path for i, path in zip(change.image_of, paths, strict=True) if i >= 0}
    kept = sorted({*own, *np.unique(table.image).tolist()})
    path_of = {i: own.get(i) or sibling(paths[0], table.images.key[i]) for i in kept}
    groups: dict[str, list[int]] = {}
    for i, path in path_of.items():
        groups.setdefault(path, []).append(i)
    by_image = len(groups) == len(kept)  # else files hold several images each, as shards do
    parts = [kept] if by_image else list(groups.values())
    contents = [content for part in parts for _, content in made(_of_images(table, part), form, writing)]
    if len(contents) != len(groups):
        raise _as_one(files, form)
    files_made = dict(zip(groups, contents, strict=True))
    return Edited(frozenset({*paths} - {*files_made}), files_made, change.notes)


def _named(files: Files, table: Table) -> list[str]:
    """What to say where an image is called by the name of its file."""
    name = files.name.replace("\\", "/").rpartition("/")[2]
    if not files.is_file or table.places is None or stem(table.images.key[0]) != stem(name.removesuffix(".gz")):
        return []
    return [f"its image is called by the name of the file; keep that ({name}, in another folder)"]


def _as_one(files: Files, form: str) -> InputError:
    actual = f"{len(files.paths):,} files of {lookup(form).title}, which would be written as one"
    return InputError(files.name, actual, "a copy in one file (`boxscore convert`), then --fix")


def _of_images(table: Table, kept: Sequence[int]) -> Table:
    """Some of the images of a table, and their rows."""
    images = table.images
    columns = {name: getattr(images, name) for name in ("id", "width", "height", "frame", "rank")}
    cut = {name: None if column is None else column[kept] for name, column in columns.items()}
    video = None if images.video is None else [images.video[i] for i in kept]
    place = np.full(len(images) + 1, -1, np.int32)
    place[kept] = np.arange(len(kept))
    rows = place[table.image] >= 0
    table = select(table, rows) if isinstance(table, Truth) else select(table, rows)  # noqa: RUF034
    images = replace(images, key=[images.key[i] for i in kept], video=video, **cut)
    return replace(table, images=images, image=place[table.image], places=None)


def check_read_back(path: Path, side: str, how: ReadOptions, after: Table, other: Table | None) -> None:
    """Raises where a corrected copy, read with the options of the original, is another table than the corrected one.

    `other` is the other side, whose images, classes and unit count.
    """
    try:
        back = _read(path, side, how, other)
    except InputError as error:
        first = str(error).splitlines()[0].replace(str(path), "OUT")
        actual = f"the corrected copy could not be read with the same options ({first})"
        raise InputError(
            after.source, actual, "options that fit, or a copy in another format (`boxscore convert`)"
        ) from None
    ours, theirs = _rows(after, after), _rows(back, after)
    same = len(ours) == len(theirs) and bool((ours[:, :3] == theirs[:, :3]).all())
    sides = np.maximum(np.abs(ours[:, 5:] - ours[:, 3:5]).max(axis=1, initial=0), 1e-9)
    if not same or bool((np.abs(ours[:, 3:] - theirs[:, 3:]).max(axis=1, initial=0) > _NEAR * sides).any()):
        actual = f"{lookup(_form(after)).title} files with this layout cannot hold all corrections"
        raise InputError(after.source, actual, "a copy in another format (`boxscore convert`), then --fix")


def _form(table: Table) -> str:
    return table.format if find(table.format) else table.format.removesuffix("-results")


def _read(path: Path, side: str, how: ReadOptions, other: Table | None) -> Table:
    if side == "truth":
        truth, _ = read_truth(path, how)
        return in_one_unit(truth, other, how)[0] if isinstance(other, Detections) else truth
    assert isinstance(other, Truth)
    detections, _ = read_detections(path, how, other)
    return in_one_unit(other, detections, how)[1]


def _rows(table: Table, like: Table) -> Floats:
    """Image, class, score and box of the rows whose image and class another table lists, in a common order."""
    place = same_images(like.images, table.images)
    if len(like.images) == len(table.images) == 1:
        place = np.zeros(1, np.int32)  # one file may be all that names its image
    by_name = {name: k for k, name in reversed(list(enumerate(like.classes.name)))}
    by_id = {str(key): k for k, key in reversed(list(enumerate(like.classes.id)))}
    labels = [by_name.get(name, by_id.get(name, -1)) for name in table.classes.name]
    image, label = np.append(place, -1)[table.image], np.array([*labels, -1])[table.label]
    score = table.score if isinstance(table, Detections) else np.zeros(len(table))
    rows = np.column_stack([image, label, score, table.corners])[(image >= 0) & (label >= 0)]
    made: Floats = rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))]
    return made
