"""`boxscore plot`: files, messages, and what it never does to files that are there."""

from __future__ import annotations

import sys

import pytest

from boxscore.report.figures import KINDS

TWO = ("truth.json", "found.json")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "timeline"])
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_every_kind_becomes_a_file(boxscore, folder, kind, ending):
    done = boxscore("plot", kind, *TWO, "-o", f"a.{ending}", "--dpi", "40")
    assert done.code == 0, done.err
    assert done.out == ""
    assert done.err.endswith(f"written     a.{ending}\n")
    assert (folder / f"a.{ending}").read_bytes()[:4] in (b"\x89PNG", b"<?xm", b"%PDF")
    assert sorted(p.name for p in folder.iterdir()) == sorted([f"a.{ending}", "found.json", "truth.json"])


def test_several_sets_and_options(boxscore, folder):
    (folder / "other.json").write_text((folder / "found.json").read_text())
    for words in (
        ("pr", *TWO, "other.json", "--class", "cat", "--iou", "0.75", "--interpolation", "raw"),
        ("pr", *TWO, "--iou", "0.3"),  # no threshold of COCO: a variant
        ("recall-iou", *TWO, "--iou", "0.5:0.9:0.1"),
        ("confusion", *TWO, "--score", "0.5", "--width", "3.5", "--height", "4"),
        ("ranking", *TWO, "--class", "cat", "--limit", "1", "--protocol", "voc2012"),
        ("classes", *TWO, "--set", "max_detections=1,10"),
    ):
        done = boxscore("plot", *words, "-o", "a.svg", "--quiet")
        assert (done.code, done.err) == (0, ""), words


def test_a_file_that_is_named_is_replaced_and_inputs_are_not(boxscore, folder):
    (folder / "a.png").write_text("before")
    assert boxscore("plot", "pr", *TWO, "-o", "a.png").code == 0
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG")
    (folder / "truth.svg").write_text((folder / "truth.json").read_text())
    done = boxscore("plot", "pr", "truth.svg", "found.json", "-o", "truth.svg")
    assert done.code == 2
    assert "this is an input; expected another file" in done.err


def test_all_writes_a_folder(boxscore, folder):
    done = boxscore("plot", "--all", *TWO, "-o", "out", "--protocol", "voc2012")
    assert done.code == 0, done.err
    names = ["all_classes.png", "cat.png", "class_distribution.png", "dog.png", "results.txt"]
    assert sorted(p.name for p in (folder / "out").iterdir()) == names
    assert done.err.endswith("written     out: 5 files\n")
    lines = (folder / "out" / "results.txt").read_text().splitlines()
    assert lines[4:13] == [
        "Average Precision (AP), Precision and Recall per class:",
        "",
        "Class: cat",
        "AP: 50.00%",
        "Precision: ['1.00', '0.50']",
        "Recall: ['0.50', '0.50']",
        "",
        "Class: dog",
        "AP: 50.00%",
    ]
    assert lines[-1] == "mAP: 50.00%"


def test_all_of_several_sets_has_a_folder_for_each(boxscore, folder):
    (folder / "other.json").write_text((folder / "found.json").read_text())
    done = boxscore("plot", "--all", *TWO, "other.json", "-o", "out", "--format", "svg", "--interpolation", "11")
    assert done.code == 0, done.err
    assert sorted(p.name for p in (folder / "out").iterdir()) == ["found", "other"]
    assert (folder / "out" / "other" / "all_classes.svg").exists()


def test_all_deletes_nothing(boxscore, folder):
    (folder / "out").mkdir()
    assert boxscore("plot", "--all", *TWO, "-o", "out", "-q").code == 0  # an empty folder is as good as none
    (folder / "out" / "thesis.tex").write_text("years of work")
    done = boxscore("plot", "--all", *TWO, "-o", "out")
    assert done.code == 2
    assert done.err == (
        "boxscore: -o out: the folder is not empty; expected a new or empty one (nothing is overwritten)\n"
    )
    assert (folder / "out" / "thesis.tex").read_text() == "years of work"


USAGE = {
    ("plot", "pr", *TWO): "-o is missing; expected a file to write, or --show",
    ("plot", "--all", *TWO): "-o is missing; expected a folder to write",
    ("plot", "--all", *TWO, "--show"): "--all cannot be combined with --show; expected -o FOLDER",
    ("plot", "--all", "truth.json", "-o", "out"): "plot --all needs TRUTH and DETECTIONS",
    ("plot", "--all", "pr", *TWO, "-o", "out"): ("--all takes no KIND; expected TRUTH and DETECTIONS instead of 'pr'"),
    ("plot", "--all", *TWO, "-o", "no/out"): "-o no/out: there is no folder 'no'",
    ("plot", "--all", *TWO, "-o", "truth.json"): "-o truth.json: a file; expected a folder",
    ("plot", "--all", *TWO, "-o", "out", "--format", "gif"): "unknown format 'gif' (known: png, svg, pdf)",
    ("plot", "--all", *TWO, "-o", "out", "--class", "cat"): (
        "--class does not apply to --all, which takes --iou, --interpolation, --format"
    ),
    ("plot", "pr", "truth.json", "-o", "a.png"): "plot pr needs TRUTH and DETECTIONS",
    ("plot", "prr", *TWO, "-o", "a.png"): (
        "unknown figure 'prr'; did you mean 'pr'? (known: pr, score, recall-iou, classes, confusion, counts, sizes, "
        "ranking, timeline)"
    ),
    ("plot", "pr", *TWO, "-o", "a.gif"): "-o a.gif: unknown ending '.gif'; expected .png, .svg or .pdf",
    ("plot", "sizes", *TWO, "-o", "a.png", "--class", "cat"): "--class does not apply to sizes, which takes --iou",
    ("plot", "pr", *TWO, "-o", "a.png", "--dpi", "5"): "--dpi 5; expected a number from 10 to 2400",
    ("plot", "pr", *TWO, "-o", "a.png", "--protocol", "toolkit"): (
        "--protocol toolkit: a group of protocols; expected a single one"
    ),
    ("plot", "pr", *TWO, "-o", "a.png", "--class", "cot"): "unknown class 'cot'; did you mean 'cat'? (known: cat, dog)",
    ("plot", "pr", *TWO, "-o", "a.png", "--interpolation", "5"): (
        "unknown interpolation '5' (known: 11, 101, all, raw)"
    ),
    ("plot", "pr", *TWO, "-o", "a.png", "--width", "0"): "width 0; expected 2 to 40 inches",
    ("plot", "pr", *TWO, "--show"): (
        "--show: no window can be opened here (MPLBACKEND=agg has no windows); write a file with -o"
    ),
}


@pytest.mark.parametrize("words", USAGE, ids=" ".join)
def test_usage(boxscore, folder, monkeypatch, words):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MPLBACKEND", "agg")
    done = boxscore(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1] == f"boxscore: {USAGE[words]}"
    assert sorted(p.name for p in folder.iterdir()) == ["found.json", "truth.json"]


def test_show_opens_a_window(boxscore, monkeypatch):
    import matplotlib.pyplot as plt

    from boxscore.report.figures import window

    opened = []
    monkeypatch.setattr(window, "check_display", lambda: None)
    monkeypatch.setattr(plt, "show", lambda block: opened.append(plt.get_fignums()))
    assert boxscore("plot", "score", *TWO, "--show").code == 0
    assert len(opened) == 1
    assert len(opened[0]) == 1
    assert not plt.get_fignums()


def test_without_matplotlib(boxscore, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = boxscore("plot", "pr", *TWO, "-o", "a.png")
    assert done.code == 2
    assert done.err == (
        'boxscore: figures need matplotlib, which is not installed; install it with: pip install "boxscore[plot]"\n'
    )


def test_warnings_count_under_strict(boxscore, folder):
    text = (folder / "found.json").read_text().replace('"image_id": 2', '"image_id": 77')
    (folder / "found.json").write_text(text)
    assert boxscore("plot", "pr", *TWO, "-o", "a.png", "--strict").code == 4


def test_glyphs_that_no_font_has_are_told(boxscore, folder, monkeypatch):
    monkeypatch.setattr("boxscore.report.figures.fonts._others", tuple)
    for name in ("truth.json", "found.json"):
        (folder / name).write_text((folder / name).read_text().replace('"cat"', '"猫"'))
    done = boxscore("plot", "pr", *TWO, "-o", "a.svg")
    assert done.code == 0
    assert "note        no installed font has U+732B; written as codes (Noto Sans has most scripts)\n" in done.err
