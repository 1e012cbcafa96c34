"""The modules of the page: text never becomes markup, nothing comes from elsewhere; other commands load no server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import boxscore

PAGE = Path(boxscore.__file__).parent / "app" / "page"
MODULES = sorted(PAGE.rglob("*.js"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PAGE).as_posix())
def test_a_module_makes_no_markup_and_loads_nothing_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
    assert set(re.findall(r"https?://[^\"'` ]+", text)) <= {"http://www.w3.org/2000/svg"}
    for name in re.findall(r"^import .* from \"(.*)\";$", text, re.M):
        assert (path.parent / name).is_file()


def test_only_the_app_loads_a_server() -> None:
    script = "import sys, boxscore.cli as c; c.main(['rule', 'AP']); print({'starlette', 'uvicorn'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("set()\n")
