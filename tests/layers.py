"""The layers of the package, lowest first: a module imports only what stands above it in this list, and its own layer.

An entry is a module or a package without what is listed on its own. The table of ARCHITECTURE.md is made of it:
`python tests/layers.py` writes it anew, and a test demands that it is current.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ARCHITECTURE = Path(__file__).parents[1] / "ARCHITECTURE.md"
BEGIN, END = "<!-- layers: made by tests/layers.py -->\n", "<!-- end of layers -->\n"


class Layer(NamedTuple):
    """A module or package and what it holds."""

    name: str
    holds: str


LAYERS = tuple(
    Layer(*line)
    for line in (
        ("_core", "the compiled kernels"),
        ("_reference", "every kernel in plain Python: the definition"),
        ("errors", "`InputError(where, actual, expected, hint)`, `UsageError`, did-you-mean"),
        ("pickled", "records of a pickled result by name, whatever module they are in"),
        (
            "tables",
            "`Truth`, `Detections` (columns), `Images`, `Classes`, `Flag`, what is said of whole images "
            "(`ImageLabels`, `Mark`), `select`, `concatenate` (`model`); shapes of rows as flat arrays with "
            "offsets (`shapes`), runs of masks as text (`runs`) and the one mask of each row (`masks`), many strings "
            "in one piece of memory (`strings`), corners from xywh, xyxy, cxcywh (`box_forms`) and of oriented boxes "
            "(`oriented`), classes above classes (`hierarchy`), names that data sets write differently (`synonyms`); "
            "arguments of public functions, checked at the door (`arguments`)",
        ),
        (
            "diagnostics",
            "what a user can be told about the input: a record for each kind, by subject (`boxes`, `images`, …), in "
            "one `registry` by stable code and by the codes of before; `findings` of readers and evaluations, and the "
            "doctor's `diagnoses` with evidence, examples and repair",
        ),
        (
            "protocols",
            "the record `Protocol` (every rule is a field), the registered ones by family, variants from text",
        ),
        (
            "overlaps",
            "a record for each overlap: which columns it needs, how pairs are measured, what their overlap is a "
            "share of, whether the kernel does all that as it goes",
        ),
        ("formats.words", "words that files of many formats have in common: names of scores and splits, yes and no"),
        (
            "formats.record",
            "what a format says about itself: names, signs by which content is recognised, what it can hold, where its "
            "functions are",
        ),
        (
            "formats.content",
            "what recognition shows a format of tables, XML and lines of text, and what the format answers",
        ),
        (
            "formats.registry",
            "the records of all formats: those in the modules of `formats`, each found by itself, and those of other "
            "packages by entry point (`boxscore.formats`)",
        ),
        (
            "formats.io",
            "what formats are read and written with: `files` makes folders, `archives` and `pipes` alike, "
            "`options` says how to read what the content does not say, `invalid` leaves broken records out on "
            "request, `same_images` finds the images of one side on the other, `placing` puts files in place "
            "whole or not at all and deletes nothing else",
        ),
        ("formats", "a file or a folder for each format; `holding` says what a format would lose"),
        ("formats.recognise", "looks at content, a file per kind of evidence"),
        ("evaluation.ledger", "where every box went"),
        (
            "joining",
            "from paths or arrays to two tables over the same images and classes: `both` is the only way "
            "there, of `read`, `units` (brings boxes to one unit) and `align`; `read_back` says what an "
            "evaluation of written files would find changed",
        ),
        ("evaluation.keypoint_findings", "what a user should know of keypoints that are evaluated"),
        ("evaluation.memo", "a memory (`Shared`) for what several protocols use alike"),
        ("evaluation.cells", "the rows of both tables by cells (class, image, descending score)"),
        ("evaluation.maskless", "objects without a mask, where overlaps are those of masks"),
        ("evaluation.kernel_inputs", "what a protocol sees of the columns: roles, areas, thresholds by object"),
        ("evaluation.pairs", "pairs that are measured before they are matched, for overlaps that are not of boxes"),
        ("evaluation.tracked", "objects in videos by track: how much they move, how large their tracks are"),
        ("evaluation.sizes", "what is compared with size ranges, a measure per value of `size_from`"),
        ("evaluation.quantities", "ranges over several quantities: matched one by one, and put together"),
        ("evaluation.ranking", "who chooses first in a cell, who ranks before whom in a class"),
        ("evaluation.cuts", "where a protocol divides overlaps and sizes"),
        ("evaluation.verdicts", "what the matching decides"),
        ("evaluation.nearest", "unmatched detections by the nearest objects of their images"),
        ("evaluation.match", "calls the kernel; `Matching`"),
        ("evaluation.frame_findings", "what a user should know of the frames of videos"),
        ("evaluation.verified", "what image-level labels say of rows: marked classes, detections that can be judged"),
        ("evaluation.detection_roles", "what detections are for the matching: excused, or leaving their object free"),
        ("evaluation.size_ranges", "what the truth resolves: quantiles as sizes, sigmas of keypoints"),
        (
            "evaluation.prepare",
            "the rules that come before matching: who is left out, copied, relabelled or excused, and why",
        ),
        ("evaluation.pixels", "what cannot be known of normalized boxes whose image sizes are unknown"),
        ("evaluation.tally", "what remains of matched images: no boxes, merges in any order to the same bits"),
        ("evaluation.curves", "precision at recall levels, areas under curves, counts; whole curves of one class"),
        (
            "metrics",
            "`Expression` (`AP[iou=0.5,area=small]`), `Numbers` (a tally with its curves), one file per family; "
            "`ties`: what the order of equal scores can change; `summary`: the tables that protocols report, as "
            "rows of data",
        ),
        (
            "analysis",
            "operating points with the rows behind them, confusion matrices, thresholds by requirement, gates "
            "(`AP>=0.3`); "
            "`explain`: the gap between two protocols, rule by rule",
        ),
        ("evaluation.per_class", "the table of classes"),
        ("evaluation.figured", "`Result.plot`"),
        ("evaluation.thresholded", "`Result.threshold`, `sweep`"),
        ("evaluation.written", "`Result.to_latex`, `to_markdown`, `save`"),
        ("evaluation.result", "`Result`: numbers by name, classes, curves, operating points, thresholds"),
        (
            "report",
            "text, JSON, CSV, Markdown, HTML, LaTeX: values in, text out, by name or ending (`forms`); the table of a "
            "paper (`paper_table`); results in files (`stored`); what every name means (`meanings`); the "
            "figures as public functions of results (`plot`). `views` says what a figure shows, as frozen arrays "
            "without matplotlib; `figures` draws it, a file per kind",
        ),
        ("evaluation.accounts", "the accounts of the ledger, and what a user should know of a comparison"),
        ("evaluation.run", "the whole way, by one protocol or several at once"),
        (
            "checkup",
            "the doctor: a sample of images taken apart into pairs, every reading of boxes, classes and image "
            "names tried on it, mistakes undone one after the other (`search`); a repair is believed if boxes "
            "stay `sound` and the `gain` in AP50 on all images is real, else the score is unexplained (`low_scores`)",
        ),
        ("demo", "worked examples of the literature"),
        ("testing", "hypothesis strategies for scenes"),
        (
            "app",
            "the page and its server: `guard` lets in who has the token, `workspace` knows what is open, `jobs` "
            "evaluate in processes that can be ended (`work`), `numbers`, `judged` and `statistics` say what pages "
            "show, `pictures` and `folders` read nothing outside, `answers` lists all requests, `page/` is the page",
        ),
        (
            "cli",
            "one file per command, imported when it is called (`commands` is the table): its parameters say what it "
            "takes (`declared`), argparse takes words apart (`parsing`), `pages` makes help; calls, prints, returns an "
            "exit code",
        ),
        ("__main__", "`python -m boxscore`"),
    )
)
NAMES = tuple(layer.name for layer in LAYERS)


def layer_of(module: str) -> str:
    """The entry that a module (without `boxscore.`) belongs to: the longest that it begins with; "" where none does."""
    fitting = [name for name in NAMES if module == name or module.startswith(f"{name}.")]
    return max(fitting, key=len, default="")


def table() -> str:
    """The list as a table in Markdown."""
    rows = "".join(f"| `{name}` | {holds} |\n" for name, holds in LAYERS if name not in ("_core", "__main__"))
    return f"| module | what it holds |\n|---|---|\n{rows}"


def with_table(text: str) -> str:
    """ARCHITECTURE.md with the table as it is now."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}{table()}{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    ARCHITECTURE.write_text(with_table(ARCHITECTURE.read_text()))
