"""What names say where content says nothing: files that are empty or broken, whose reader knows best what is wrong."""

from __future__ import annotations

from boxscore.formats.io.files import Files
from boxscore.formats.recognise.answer import BOTH, POSSIBLE, TRUTH, Candidate

_FILES = (  # how a file ends, and the format that most files with such names have
    ((".json", ".json.gz"), "coco", BOTH),
    ((".csv", ".csv.gz"), "open-images", BOTH),
    ((".record", ".tfrecord", ".tfrecords"), "tfrecord", TRUTH),
)


def by_name(files: Files) -> tuple[Candidate, ...]:
    """The format that the names of files stand for, if any."""
    if files.is_file:
        for endings, name, sides in _FILES:
            if files.name.lower().endswith(endings):
                return (Candidate(name, POSSIBLE, (f"its name ends with {endings[0]}",), ("",), sides),)
        return ()
    for name, paths, sides in (
        ("text", files.ending(".txt"), BOTH),
        ("voc-xml", files.ending(".xml"), TRUTH),
    ):
        if paths:
            reason = f"{len(paths):,} file{'s' * (len(paths) != 1)} named as such, {paths[0]} first"
            return (Candidate(name, POSSIBLE, (reason,), tuple(paths), sides),)
    return ()
