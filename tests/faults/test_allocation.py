"""Memory that cannot be had: the same bits all the same, or MemoryError, which the command line tells in a sentence."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from boxscore import cli
from boxscore.formats.io.image_sizes import read_images, sizes_of
from faults.every_kernel import TASKS, prepare
from faults.preloaded import HERE, Run, python_with_faults

SAID = "boxscore: out of memory\n  Close other programs, raise the memory limit, or evaluate fewer images at a time.\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("memory")
    prepare(made)
    return made


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return python_with_faults(tmp_path_factory.mktemp("library"))


@pytest.mark.long
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("kind", ["memory", "arrays"])
def test_same_bits_or_memory_error(python: Run, folder: Path, kind: str, task: str) -> None:
    done = python(str(HERE / "every_kernel.py"), kind, str(folder), task)
    assert done.returncode == 0, done.stdout + done.stderr
    made = json.loads(done.stdout)
    assert (made["failed"] > 0) == (made["calls"] > 0)


def test_one_sentence_and_exit_code_3(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def run(_: Any) -> int:
        raise MemoryError("Unable to allocate 8 EiB")

    monkeypatch.setattr("boxscore.cli.commands.run", run)
    assert cli.main(["eval"]) == 3
    assert capfd.readouterr() == ("", SAID)


def test_an_image_that_memory_does_not_suffice_for_is_not_a_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: Any) -> Any:
        raise MemoryError

    (tmp_path / "a.bmp").write_bytes(b"BM")
    images = read_images(tmp_path)
    assert sizes_of(images, images.paths) == {}
    monkeypatch.setattr("PIL.Image.open", none)
    with pytest.raises(MemoryError):
        sizes_of(images, images.paths)


def test_no_handler_of_all_errors_takes_memory_errors_for_others() -> None:
    package = Path(cli.__file__).parent.parent
    for path in package.glob("**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for number, handler in enumerate(node.handlers if isinstance(node, ast.Try) else ()):
                kinds = "BaseException" if handler.type is None else ast.unparse(handler.type)
                raised = any(isinstance(inner, ast.Raise) and inner.exc is None for inner in ast.walk(handler))
                if kinds in ("Exception", "BaseException") and not raised:
                    before = [ast.unparse(h.type) for h in node.handlers[:number] if h.type is not None]
                    assert any("MemoryError" in kind for kind in before), f"{path}:{handler.lineno}"
