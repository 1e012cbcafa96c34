"""Files that no other test runs say what is true: workflows, hooks, Makefile, citation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

tomllib = pytest.importorskip("tomllib")  # Python 3.11
ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))


def loaded(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text())


@pytest.mark.parametrize("hook", ["ruff", "clang-format"])
def test_hooks_and_make_check_format_by_the_same_version(hook: str) -> None:
    (repository,) = [r for r in loaded(".pre-commit-config.yaml")["repos"] if hook in r["repo"]]
    assert f"{hook}=={repository['rev'].removeprefix('v')}" in PROJECT["dependency-groups"]["check"]


@pytest.mark.parametrize("path", sorted((ROOT / ".github/workflows").glob("*.yml")), ids=lambda path: path.name)
def test_workflows_run_what_there_is(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text())
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    assert all(("run" in step) != ("uses" in step) for step in steps)
    for command in (step["run"] for step in steps if "run" in step):
        if command.startswith("make "):
            assert set(command.split()[1:]) <= TARGETS
        else:
            assert (ROOT / command).exists() or command.startswith("pipx run build")


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", ".ci/run", "tests/README.md", "tests/golden/README.md"]
)
def test_pages_name_targets_that_exist(page: str) -> None:
    named = re.findall(r"^ *make ([a-z-]+)|`make ([a-z-]+)", (ROOT / page).read_text(), re.M)
    assert {a or b for a, b in named} <= TARGETS


def test_every_target_is_phony() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.M)
    assert set(phony.split()) == TARGETS


def test_the_version_stands_in_one_place() -> None:
    assert "version" in PROJECT["project"]["dynamic"]
    assert PROJECT["tool"]["scikit-build"]["metadata"]["version"]["input"] == "src/boxscore/__init__.py"


def test_the_citation_has_the_papers() -> None:
    citation = loaded("CITATION.cff")
    assert citation["license"] == PROJECT["project"]["license"]
    assert {paper["year"] for paper in citation["references"]} == {2020, 2021}


# What people in the field would not say, and would have to guess the meaning of.
RIDDLES = (
    "shares of the image size", "share of the image size", "boxes without extent", "one a line", "is no number",
    "best of its image", "share a score", "a folder with nothing", "files of labels", "project of VoTT",
    "numbers of images", "places in the list", "nobody looked at", "Insist on", "What annotators say",
    "Add between", "whose first or last", "No part, with", "would end before", "to mend", "is mended", "normalised",
    "which is not known for",
)  # fmt: skip


@pytest.mark.parametrize("words", RIDDLES)
def test_words_of_the_field(words: str) -> None:
    pages = [*(ROOT / "src").rglob("*.py"), *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert [str(p.relative_to(ROOT)) for p in pages if words in p.read_text() and p.name != "CHANGELOG.md"] == []
