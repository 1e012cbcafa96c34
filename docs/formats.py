"""Writes docs/formats.md from the records of the formats: python docs/formats.py"""

from __future__ import annotations

from pathlib import Path

from boxscore.formats.holding import HELD
from boxscore.formats.record import FLAGS, Format
from boxscore.formats.registry import formats

PAGE = Path(__file__).parent / "formats.md"
START = """# Formats

What boxscore reads and writes. A path may be a file, a folder with all below it, or an archive of either (`.zip`,
`.tar.gz`, `.gz`); the format is recognised by content, whatever the files are called. `boxscore formats PATH` says
what a path is and why, `boxscore inspect PATH` what it holds, `boxscore convert IN OUT --to FORMAT` writes it anew
and lists what is lost.

```python
>>> import boxscore as bs
>>> truth = [{"boxes": [[10, 10, 60, 80]], "labels": ["cat"]}]
>>> table, findings = bs.read_truth(truth, bs.ReadOptions(box="xyxy"))
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     bs.write(table, f"{folder}/truth.json", "coco")
...     bs.read_truth(f"{folder}/truth.json")[0].corners.tolist()
[[10.0, 10.0, 60.0, 80.0]]

```

Nothing is rounded, flags are kept, images without boxes count, and a row that cannot become a box is counted with its
reason or refused with file and place. Where the content leaves a question open (x y width height or corners, the
place of a confidence, which split), the message asks for the option that answers it.

"""
END = """
Geometry that is no box (polygons, masks, keypoints, oriented boxes, tracks) is kept by `convert`, `inspect` and
`ReadOptions(shapes=True)`; an evaluation reads of it what its protocol compares.

Known by name and refused with advice: WIDER FACE, Supervisely, LabelMe XML, COCO panoptic, MOTS,
CrowdHuman odgt, VIA 3, keras-yolo3 lists, Excel sheets, pickles and others.

## YOLO as Ultralytics leaves it

`boxscore eval data.yaml runs/detect/predict/labels` and `boxscore eval data.yaml runs/detect/val/predictions.json` need
no option. A `data.yaml` stands for its split `val`, which is told; `--split` takes another. `path`, `train`, `val` and
`test` may be absolute, relative to the file, lists, or texts that list images; a folder that is not there is an error
that says where it was looked for. Images beside the labels give their sizes. Category ids of `predictions.json` that
count from 1, or as COCO does, are recognised by the ids themselves, else by the objects that boxes lie on.

Whether the confidence is the first or the last number is decided by odds of a thousand to one from all that is there:
boxes far outside of the image, a column that alone is sorted, boxes that lie on objects of the ground truth. Otherwise
the message asks, with both options and what was seen. Of 1,229 made-up folders of boxes, in many styles
(`tests/yolo_predictions.py`, seeds that development did not look at), 919 are read rightly, 310 refused, none wrongly;
polygons, poses and tracks always have it last:

| rows | ground truth | folder | right | refused | wrong |
|---|---|---|---:|---:|---:|
| boxes | given | more than 10 rows | 559 | 46 | 0 |
| boxes | given | up to 10 rows | 131 | 116 | 0 |
| boxes | not given | more than 10 rows | 206 | 72 | 0 |
| boxes | not given | up to 10 rows | 23 | 76 | 0 |
"""


def page() -> str:
    """The page as text."""
    rows = ["| format | what it looks like | reads | writes |", "|---|---|---|---|"]
    rows += [
        f"| `{f.name}` | {f.looks.partition('(')[2][:-1]} | {_sides(f, 'read')} | {_sides(f, 'write')} |"
        for f in formats()
    ]
    kept = [
        "",
        "## What each keeps besides boxes, class names and scores when written",
        "",
        "| format | kept |",
        "|---|---|",
    ]
    kept += [f"| `{f.name}` | {_kept(f)} |" for f in formats() if f.write_truth or f.write_detections]
    return START + "\n".join(rows + kept) + "\n" + END


def _sides(form: Format, what: str) -> str:
    has = (form.truth, form.detections) if what == "read" else (form.write_truth, form.write_detections)
    return ", ".join(side for side, there in zip(("truth", "detections"), has, strict=True) if there) or "–"


def _kept(form: Format) -> str:
    flags = {"all flags": set(FLAGS)} if set(FLAGS) <= set(form.keeps) else {}
    gathered = {name for names in flags.values() for name in names}
    texts = [
        HELD[name].text for name in HELD if name in form.keeps and name not in (*gathered, "last_bits", "corner_bits")
    ]
    bits = "boxes to the last bit" if {"last_bits", "corner_bits"} <= set(form.keeps) else ""
    return ", ".join(filter(None, [bits, *texts, *flags]))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
