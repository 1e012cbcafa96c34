"""`boxscore plot --show` with a real window: on a display of its own where Xvfb is installed, and without any."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

COMMAND = (sys.executable, "-m", "boxscore", "plot")
FILES = ("truth.json", "found.json")
NO_WINDOW = "boxscore: --show: no window can be opened here"

# matplotlib calls this for each figure of pyplot: it looks at the window that is there, and closes it as a user does.
HOOK = """
from PIL import ImageGrab

def seen(figure):
    window = figure.canvas.manager.window
    def look():
        window.update()
        at = window.winfo_rootx(), window.winfo_rooty()
        whole = (*at, at[0] + window.winfo_width(), at[1] + window.winfo_height())
        ImageGrab.grab(bbox=whole, xdisplay="").save("seen.png")
        print(window.title(), window.winfo_width(), window.winfo_height())
        window.tk.call(window.protocol("WM_DELETE_WINDOW"))
    window.after(500, look)
"""


@pytest.fixture
def display() -> Iterator[str]:
    """A display of its own."""
    if shutil.which("Xvfb") is None or importlib.util.find_spec("_tkinter") is None:
        pytest.skip("no Xvfb, or no Tk: a window cannot be opened here")
    reading, writing = os.pipe()
    words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    server = subprocess.Popen(words, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as stream:
        number = stream.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait()


def run(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with these settings and no others of a display."""
    plain = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND")}
    return subprocess.run(
        [*COMMAND, *words], env=plain | settings, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("kind", ["pr", "confusion"])
def test_the_window_shows_the_figure_and_closes(display: str, folder: Path, kind: str) -> None:
    (folder / "hook.py").write_text(HOOK)
    (folder / "matplotlibrc").write_text("figure.hooks: hook:seen\n")
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    done = run(
        kind, *FILES, "--show", "--quiet", "--height", "9",
        DISPLAY=display, MPLBACKEND="TkAgg", MATPLOTLIBRC=str(folder), PYTHONPATH=path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    *title, width, height = done.stdout.split()
    assert title == ["boxscore", "plot", kind]
    assert int(width) <= 1400
    assert 800 < int(height) < 1000  # a figure that is higher than a screen is made smaller
    seen = Image.open(folder / "seen.png").convert("RGB")
    assert len(seen.getcolors(1 << 24)) > 50  # the figure, not an empty window


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, "no display, or no GUI toolkit"),
        ({"DISPLAY": ":4093"}, "no display, or no GUI toolkit"),
        ({"MPLBACKEND": "agg"}, "MPLBACKEND=agg has no windows"),
        ({"MPLBACKEND": "pdf"}, "MPLBACKEND=pdf has no windows"),
    ],
    ids=str,
)
@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_without_a_display_it_says_so(folder: Path, settings: dict[str, str], reason: str) -> None:
    done = run("pr", *FILES, "--show", **settings)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{NO_WINDOW} ({reason}); write a file with -o\n"


def test_a_backend_whose_toolkit_is_missing(folder: Path) -> None:
    if importlib.util.find_spec("wx") is not None:
        pytest.skip("wx is installed")
    done = run("pr", *FILES, "--show", MPLBACKEND="wxagg")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{NO_WINDOW} (")
    assert done.stderr.endswith("); write a file with -o\n")


def test_a_backend_that_does_not_exist(folder: Path) -> None:
    done = run("pr", *FILES, "-o", "a.png", MPLBACKEND="nonsense")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("boxscore: matplotlib refuses MPLBACKEND (")
    assert done.stderr.endswith("); unset it, or set one of these\n")
    assert not (folder / "a.png").exists()
