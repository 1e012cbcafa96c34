"""`boxscore inspect PATH [DETECTIONS]`: what files hold, before anything is evaluated."""

from __future__ import annotations

from typing import Annotated

from boxscore import __version__
from boxscore.analysis.contents import contents
from boxscore.cli import options, output
from boxscore.cli.codes import OK
from boxscore.cli.common import AllClasses, File, MaybeDetections, Quiet
from boxscore.cli.declared import Argument, Option
from boxscore.cli.groups import OUTPUT
from boxscore.cli.reading_options import Said, inputs, reading, with_reading
from boxscore.evaluation.ledger import ImageAccount
from boxscore.joining.both import read_beside
from boxscore.joining.read import read_detections, read_truth

FORMATS = ("table", "json", "md")
SIDES = ("truth", "detections")


@with_reading
def command(
    path: Annotated[str, Argument(metavar="PATH", help="Ground truth in any format that is read.")],
    detections: MaybeDetections = None,
    side: Annotated[str, Option(metavar="truth|detections", help="What PATH is, where it stands alone.")] = "truth",
    form: Annotated[
        str | None,
        Option(
            "--format", metavar="table|json|md", help="Output. [default: by FILE's ending, else table]", group=OUTPUT
        ),
    ] = None,
    file: File = None,
    all_classes: AllClasses = False,
    quiet: Quiet = False,
    *,
    said: Said,
) -> int:
    """Show what files hold: boxes, images, classes, sizes and shapes of boxes, boxes per image, flags."""
    from boxscore.report.contents import as_markdown, as_text, dumps

    form = output.chosen_form(form, file, FORMATS)
    output.one_of("side", side, SIDES)
    sides = [path] if detections is None else [path, detections]
    options.check_once([*sides, *inputs(said)])
    if file is not None:
        output.check_target(file, [*sides, *inputs(said)])
    how = reading({**said, "shapes": "yes"})
    account: ImageAccount | None = None
    if detections is None and side == "detections":
        found, findings = read_detections(path, how)
        made = [contents(found)]
    else:
        truth, findings = read_truth(path, how)
        made = [contents(truth)]
        if detections is not None:
            both = read_beside((truth, findings), detections, how)
            findings = list(both.findings)
            made.append(contents(both.detections))
            account = both.joined().aligned.account
    output.tell_findings(findings)
    if form == "json":
        output.deliver(dumps(made, account, __version__), file, quiet)
    elif form == "md":
        output.deliver(as_markdown(made, account, all_classes), file, quiet)
    elif file is not None:
        output.deliver(as_text(made, account, every=all_classes), file, quiet)
    else:
        output.write(as_text(made, account, output.columns(), all_classes))
    return OK
