"""`boxscore draw TRUTH [DETECTIONS] --images DIR -o OUT`: boxes on the images."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from boxscore import overlaps
from boxscore.cli import draw_tubes, options, output
from boxscore.cli.codes import OK
from boxscore.cli.common import Quiet, Truth
from boxscore.cli.declared import Argument, Option
from boxscore.cli.reading_options import Said, inputs, reading, watched, with_reading
from boxscore.errors import InputError, UsageError, first_few
from boxscore.evaluation.run import evaluate_tables
from boxscore.formats.io.files import open_files
from boxscore.formats.io.placing import place
from boxscore.joining.both import read_beside
from boxscore.joining.read import read_truth


@with_reading
def command(
    truth: Truth,
    detections: Annotated[
        str | None, Argument("DETECTIONS", "Detections, likewise: true, false and missed are then told apart.")
    ] = None,
    target: Annotated[
        Path | None,
        Option("--output", "-o", metavar="OUT", help="The folder to write; it must not be there yet."),
    ] = None,
    score: Annotated[
        str | None, Option(metavar="S", help="Detections from this score on. [default: that of the best F1]")
    ] = None,
    protocol: Annotated[
        str, Option(metavar="NAME", help="What decides which detection is true.", values="protocols")
    ] = "coco",
    iou: Annotated[str | None, Option(metavar="T", help="Short for another IoU threshold.")] = None,
    tracks: Annotated[
        str | None, Option("--tubes", metavar="strip|apng|gif", help="A picture of each track instead of each image.")
    ] = None,
    boxes: Annotated[bool, Option("--boxes", help="Draw boxes only, where there are masks or keypoints.")] = False,
    limit: Annotated[str | None, Option(metavar="N", help="Draw the first N images, or tracks, only.")] = None,
    quiet: Quiet = False,
    *,
    said: Said,
) -> int:
    """Draw boxes, masks, keypoints and oriented boxes with classes and scores on the images.

    With detections: true ones solid blue, false ones dashed red, missed objects dotted yellow, ignored ones grey, as
    the shapes that the protocol compares.
    """
    if "images" not in said:
        raise UsageError("--images is missing; expected the folder with the images")
    if target is None:
        raise UsageError("-o is missing; expected the folder to write the drawings to")
    output.check_place(target, f"-o {target}: already exists; expected a new folder", quiet)
    most = None if limit is None else options.count("--limit", limit, least=1)
    options.check_once([truth, detections, *inputs(said)])
    if tracks is not None:
        draw_tubes.check(tracks, detections)
    how = reading(said if boxes or detections is not None else {**said, "shapes": "yes"})
    assert how.images is not None
    images = open_files(how.images)
    rules = options.single_protocol(protocol, iou=iou)
    if detections is not None:
        how = replace(how, needs=(*overlaps.needed([rules]), *(draw_tubes.NEEDS if tracks is not None else ())))
    least = options.number("--score", score)

    from boxscore.report import drawings

    with watched(how, quiet) as watching:
        objects, findings = read_truth(truth, watching)
    output.status(f"truth       {output.what_was_read(objects)}", quiet)
    if detections is None:
        marks = drawings.marks_of_truth(objects, boxes)
    else:
        with watched(how, quiet) as watching:
            both = read_beside((objects, findings), detections, watching)
        output.status(f"detections  {output.what_was_read(both.detections)}", quiet)
        joined = both.joined()
        objects, aligned = joined.truth, joined.aligned
        result = evaluate_tables(aligned, rules, joined.findings, threads=how.threads)
        findings = list(result.ledger.findings)
        if least is None:
            least = result.threshold(f1="max").common.score
            output.status(f"score       from {least!r} on, where F1 is best (--score changes it)", quiet)
        point = result.at(least)
        marks = drawings.marks_of_point(aligned, point, boxes)
        output.status(
            f"{rules.name:10}  {point.true_positives:,} true, {point.false_positives:,} false, "
            f"{point.false_negatives:,} missed at {overlaps.get(rules).called} {point.iou:g}", quiet,
        )  # fmt: skip
    output.tell_findings(findings)
    if tracks is not None:
        draw_tubes.write(aligned, point, tracks, images, target, most, quiet)
        return OK
    missing = list[str]()

    whole = len(objects.images) if most is None else min(most, len(objects.images))

    def made(tell: Callable[[int, int], None] | None) -> Iterator[tuple[str, bytes]]:
        for done, drawing in enumerate(drawings.drawings(objects, marks, images, detections is not None, most), 1):
            if tell is not None:
                tell(done, whole)
            if drawing.content is None:
                missing.append(drawing.path)
            else:
                yield drawing.path, drawing.content

    with output.progress("drawing", quiet) as tell:
        drawn = place(made(tell), target, tell=output.note(quiet))
    if not drawn:
        which = f" ({first_few(missing, len(missing))})" if missing else ""
        raise InputError(said["images"], f"none of the images of the ground truth{which}", "at least one")
    if missing:
        output.status(f"note        not in {said['images']}: {first_few(missing, len(missing))}")
    output.status(f"written     {target}: {drawn:,} images", quiet)
    return OK
