"""The evaluator never looks at a protocol's name: everything that changes a number is another field."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

import boxscore
from boxscore import evaluate, protocols
from boxscore.testing import Detection, Object, Scene
from protocol_names import OF_SCENES

ROOT = Path(boxscore.__file__).parent
REPORTING = ("result.py", "figured.py", "per_class.py")  # what is shown of an evaluation has its protocol's name
EVALUATORS = [
    *(path for path in sorted((ROOT / "evaluation").glob("*.py")) if path.name not in REPORTING),
    *(ROOT / "joining" / "align.py", ROOT / "tables" / "hierarchy.py"),
    *sorted((ROOT / "overlaps").glob("*.py")),
    *sorted((ROOT / "metrics").glob("*.py")),
    *(ROOT / "analysis" / f"{name}.py" for name in ("differences", "headlines", "inert", "overlap_ties", "shapley")),
]  # fmt: skip


class Untouchable(str):
    """A name that nobody may look at; it can only be carried."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise AssertionError("the name of a protocol was consulted")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __getitem__ = __iter__ = _refuse  # type: ignore[assignment]
    __hash__ = __len__ = __add__ = __mod__ = __format__ = __str__ = _refuse  # type: ignore[assignment]
    startswith = endswith = find = index = split = partition = lower = upper = removeprefix = _refuse  # type: ignore[assignment]


SCENE = Scene(
    (3, 1, 2),
    ((1, "a"), (2, "b")),
    (
        Object(1, 1, (0.0, 0.0, 40.0, 40.0), 0, 1600.0),
        Object(1, 1, (10.0, 0.0, 40.0, 40.0), 1, 1600.0),
        Object(2, 1, (0.0, 0.0, 9.0, 9.0), 2, 81.0),
        Object(3, 2, (0.0, 0.0, 100.0, 100.0), 3, 9000.0),
    ),
    (
        Detection(1, 1, (0.0, 0.0, 40.0, 36.0), 0.9),
        Detection(1, 1, (12.0, 0.0, 40.0, 40.0), 0.9),
        Detection(2, 1, (2.0, 2.0, 9.0, 9.0), 0.7),
        Detection(3, 2, (0.0, 0.0, 100.0, 80.0), 0.0005),
        Detection(2, 2, (0.0, 0.0, 50.0, 80.0), 0.6),
    ),
)


@pytest.mark.parametrize("name", OF_SCENES)
def test_a_renamed_protocol_gives_the_same_numbers(name: str) -> None:
    protocol = protocols.get(name)
    before, after = (
        evaluate(*SCENE.tables(), protocol=p, threads=1)
        for p in (protocol, replace(protocol, name=Untouchable("renamed")))
    )
    assert list(before.metrics) == list(after.metrics)
    np.testing.assert_array_equal(list(before.metrics.values()), list(after.metrics.values()))
    assert before.reasons == after.reasons
    assert before.ledger == after.ledger
    for one, other in zip(before.per_class, after.per_class, strict=True):
        np.testing.assert_array_equal([*one.metrics.values()], [*other.metrics.values()])


def test_the_untouchable_name_would_be_noticed() -> None:
    for look in (lambda n: n == "coco", lambda n: "co" in n, lambda n: {n: 1}, lambda n: f"{n}", lambda n: n[:2]):
        with pytest.raises(AssertionError, match="consulted"):
            look(Untouchable("coco"))


@pytest.mark.parametrize("path", EVALUATORS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_evaluator_reads_the_name(path: Path) -> None:
    """By the source: nothing that is called or annotated as a protocol is asked for its name or signature."""
    tree = ast.parse(path.read_text())
    arguments = [
        a for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for a in (*f.args.args, *f.args.kwonlyargs)
    ]
    records = {a.arg for a in arguments if a.annotation is not None and ast.unparse(a.annotation) == "Protocol"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("name", "about", "source", "signature", "digest"):
            owner = ast.unparse(node.value)
            allowed = path.name == "tally.py" and node.attr == "signature"  # the words of an error
            assert allowed or not (owner.endswith("protocol") or owner in records), f"line {node.lineno}: {owner}"
