"""`boxscore draw TRUTH DETECTIONS --images DIR -o OUT --tubes FORM`: a picture of each track."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from boxscore.analysis.operating_point import OperatingPoint
from boxscore.cli import output
from boxscore.errors import InputError, UsageError
from boxscore.formats.io.files import Files
from boxscore.formats.io.placing import place
from boxscore.joining.align import Aligned

FORMS = ("strip", "apng", "gif")
NEEDS = ("tubes",)  # so that videos and tracks are read


def check(form: str, detections: str | None) -> None:
    """Refuses forms that are not there, and tracks without detections."""
    output.one_of("form of --tubes", form, FORMS)
    if detections is None:
        raise UsageError("--tubes shows what finds a track; expected DETECTIONS, too")


def write(
    aligned: Aligned, point: OperatingPoint, form: str, images: Files, target: Path, most: int | None, quiet: bool
) -> int:
    """Writes a file for each track, and returns how many."""
    if aligned.truth.relative:
        raise UsageError("--tubes with normalized coordinates; expected pixels (--images also gives the sizes)")
    from boxscore.report import drawings, tubes  # which import Pillow

    some = tubes.tracks(aligned, point)[:most]
    pictures = drawings.Pictures(aligned.truth, images)
    missing = list[str]()

    def made(tell: Callable[[int, int], None] | None) -> Iterator[tuple[str, bytes]]:
        for done, (path, content) in enumerate(tubes.pictures(some, form, pictures.get), 1):
            if tell is not None:
                tell(done, len(some))
            if content is None:
                missing.append(path)
            else:
                yield path, content

    with output.progress("drawing", quiet) as tell:
        drawn = place(made(tell), target, tell=output.note(quiet))
    if not drawn:
        raise InputError(images.place(""), "none of the frames of the ground truth", "at least one")
    if missing:
        output.status(f"note        {len(missing):,} tracks without any image: {missing[0]}, …")
    output.status(f"written     {target}: {drawn:,} tracks", quiet)
    return drawn
