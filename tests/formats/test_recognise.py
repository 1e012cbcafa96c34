"""Recognition by content: every real file set by its right name, with and without extensions."""

from __future__ import annotations

from pathlib import Path

import pytest

from boxscore.formats.io.files import Files
from boxscore.formats.recognise.evidence import recognised
from real_files import DATUMARO, REAL, files_of

NOTHING = [  # neither read nor known by name
    ("detectron2_logged_ap/Fruit/output_metrics.json", ""),
    ("ultralytics_txl_pbc/results.csv", ""),
    ("bccd/LICENSE", ""),
    (DATUMARO, "rise"),
    (DATUMARO, "tabular_dataset"),
    (DATUMARO, "mnist_csv_dataset"),
]


def bare(files: Files) -> Files:
    """The same files without their extensions, and the archive or file without its own; no name tells anything."""
    if "[Content_Types].xml" in files.paths:  # what is inside of a sheet has no names that a user gives
        return files
    names: dict[str, bytes] = {}
    for path in files.paths:
        folder, _, name = path.rpartition("/")
        stem = f"{folder}/{name.partition('.')[0]}" if folder else name.partition(".")[0]
        while stem in names:
            stem += "_"
        names[stem] = files.source(path).bytes()
    return Files("x", tuple(sorted(names)), None, names)


@pytest.mark.parametrize(("path", "inside", "name"), REAL, ids=lambda value: str(value).rpartition("/")[2])
def test_real_files_are_recognised(data: Path, path: str, inside: str, name: str) -> None:
    found = recognised(files_of(data, path, inside)).candidates
    assert found
    assert found[0].name == name


@pytest.mark.parametrize(("path", "inside", "name"), REAL, ids=lambda value: str(value).rpartition("/")[2])
def test_real_files_are_recognised_without_extensions(data: Path, path: str, inside: str, name: str) -> None:
    found = recognised(bare(files_of(data, path, inside))).candidates
    assert found
    assert found[0].name == name


@pytest.mark.parametrize(("path", "inside"), NOTHING)
def test_what_is_no_annotation_fits_nothing(data: Path, path: str, inside: str) -> None:
    assert recognised(files_of(data, path, inside)).candidates == ()
