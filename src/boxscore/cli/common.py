"""Arguments and options that several commands have, declared once: they mean the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from boxscore.cli.declared import Argument, Option
from boxscore.cli.groups import OUTPUT

ANY = "a file, a folder or an archive, in any format that `boxscore formats` lists, or - for standard input"

Truth = Annotated[str, Argument("TRUTH", f"Ground truth: {ANY}.")]
Detections = Annotated[str, Argument("DETECTIONS", "Detections, likewise.")]
MaybeDetections = Annotated[str | None, Argument("DETECTIONS", "Detections, likewise.")]
ManyDetections = Annotated[list[str], Argument("DETECTIONS", "Detections, likewise; one or several sets.")]

ProtocolName = Annotated[str, Option(metavar="NAME", help="Protocol (see `boxscore protocols`).", values="protocols")]
ProtocolNames = Annotated[
    list[str] | None,
    Option(metavar="NAME,…", help="Protocols or groups; repeatable. [default: coco]", values="protocols"),
]
MetricNames = Annotated[
    list[str] | None,
    Option(metavar="NAME", help="Further metric such as AP[iou=0.5,area=small]; repeatable.", values="metrics"),
]
Sets = Annotated[
    list[str] | None,
    Option("--set", metavar="FIELD=VALUE", help="Change a rule (see `boxscore protocols NAME`); repeatable."),
]
Iou = Annotated[str | None, Option(metavar="T", help="Short for --set iou=T.")]
MaxDetections = Annotated[str | None, Option(metavar="N,…", help="Short for --set max_detections=N,….")]
File = Annotated[Path | None, Option("--output", "-o", metavar="FILE", help="Write to a file.", group=OUTPUT)]
AllClasses = Annotated[bool, Option("--all-classes", help="Show every class.", group=OUTPUT)]
Quiet = Annotated[bool, Option("--quiet", "-q", help="No status on standard error.", group=OUTPUT)]
Strict = Annotated[bool, Option("--strict", help="Exit with 4 if there is a warning.", group=OUTPUT)]
