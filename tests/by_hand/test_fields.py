"""Fields of protocols: each is written once, a new one changes no signature, a new value is right in company too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import pytest

import boxscore as bs
from boxscore import protocols
from boxscore.evaluation import sizes
from boxscore.evaluation.sizes import Measure
from boxscore.protocols import Area, Protocol
from boxscore.protocols.rules import Rules, names_of, rule, rule_fields
from boxscore.tables.model import Detections, Floats, Truth

ROOT = Path(bs.__file__).parent


@dataclass(frozen=True)
class Wider(Protocol):
    """A protocol with one more rule, whose neutral value is what was always done."""

    anew: str = rule("whether anything is new", "no", "yes", default="no")


@pytest.mark.parametrize("name", protocols.names())
def test_a_new_field_changes_no_digest(name: str) -> None:
    old = protocols.get(name)
    wider = Wider(**{f.name: getattr(old, f.name) for f in fields(Protocol)})
    assert wider.signature() == old.signature()
    assert replace(wider, anew="yes").digest() != old.digest()


def test_an_older_full_signature_is_understood_by_its_digest() -> None:
    coco = protocols.get("coco")
    lacking = "|".join(text for text in coco.signature_full().split("|") if not text.startswith("blacklist:"))
    assert protocols.from_signature(coco.signature(), lacking) == coco
    with pytest.raises(bs.UsageError, match="does not state all rules"):
        protocols.from_signature("coco", lacking)
    other = "|".join(text for text in coco.signature_full().split("|") if not text.startswith("crowd:"))
    with pytest.raises(bs.UsageError, match="does not state all rules"):
        protocols.from_signature(coco.signature(), other)


def test_the_order_of_fields_is_no_part_of_the_digest() -> None:
    @dataclass(frozen=True)
    class One(Rules):
        a: int = rule("a", default=0)
        b: int = rule("b", default=0)

    @dataclass(frozen=True)
    class Other(Rules):
        b: int = rule("b", default=0)
        a: int = rule("a", default=0)

    assert One("x", a=1, b=2).signature() == Other("x", a=1, b=2).signature()
    assert One("x", a=1).signature() != One("x", b=1).signature()


def test_other_kinds_of_protocols_have_variants_and_documentation_too() -> None:
    @dataclass(frozen=True)
    class Tracking(Rules):
        frames: int = rule("frames that a track may miss", default=0)
        assignment: str = rule("how tracks are assigned", "optimal", "greedy", default="optimal")

    made = protocols.variant(Tracking("mine"), frames="3")
    assert (made.name, made.frames) == ("mine[frames=3]", 3)
    assert made.rules() == {"frames": "3", "assignment": "optimal"}
    with pytest.raises(bs.UsageError, match="assignment='random'; expected one of optimal, greedy"):
        protocols.variant(Tracking("mine"), assignment="random")
    with pytest.raises(bs.UsageError, match="unknown protocol field 'frame'; did you mean 'frames'"):
        protocols.variant(Tracking("mine"), frame="3")


def _lists(path: Path) -> Iterator[tuple[int, set[str]]]:
    """The literals of a source that hold texts, with the texts."""
    for node in ast.walk(ast.parse(path.read_text())):
        parts: list[ast.expr | None] = []
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            parts = list(node.elts)
        elif isinstance(node, ast.Dict):
            parts = list(node.keys)
        texts = {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
        if isinstance(node, ast.expr):
            yield node.lineno, texts


# Proofs by rule, where a missing one costs time only; values to draw from, where a missing one is an error; what the
# page tells of a protocol in a few words, beside the signature, which has all rules; and records of protocols, which
# choose rules.
TABLES = {"analysis/inert.py", "testing/strategies.py", "app/numbers.py"}
RECORDS = "protocols"


def test_no_list_of_fields_is_kept_by_hand() -> None:
    names = set(names_of(Protocol))
    own = {name for name in names if "_" in name} - {
        "max_detections",
        "group_of",
        "box_area",
    }  # words without other uses
    kept = {
        f"{path.relative_to(ROOT)}:{line}": texts & names
        for path in ROOT.rglob("*.py")
        if path.relative_to(ROOT).as_posix() not in TABLES and path.parent.name != RECORDS
        for line, texts in _lists(path)
        if texts & own and len(texts & names) > 1
    }
    assert not kept


# A new value of a field, as CONTRIBUTING.md says: a value of `size_from`, and its measure.
def _height(table: Truth | Detections, _: Floats) -> Floats:
    heights: Floats = np.ascontiguousarray(table.corners[:, 3] - table.corners[:, 1])
    return heights


@pytest.fixture
def height() -> Iterator[None]:
    allowed = next(f.metadata["values"] for f in rule_fields(Protocol) if f.name == "size_from")
    before = list(allowed)
    sizes.register("height", Measure(_height, _height))
    yield
    del sizes.MEASURES["height"]  # from the registry itself, which other modules hold, too
    allowed[:] = before


@pytest.mark.usefixtures("height")
@pytest.mark.parametrize("base", ["coco-fixed", "tf-voc", "voc2012", "coco[box_area=corners]"])
def test_a_new_value_of_a_field_is_right_alone_and_in_company(base: str) -> None:
    """A wide box (90 x 10) and a high one (20 x 40): by area the first is the large one, by height the second.

    Only the wide one is found: recall of the large is 1 by area, 0 by height.
    """
    truth = {"image": [0, 0], "label": [0, 0], "boxes": [[0, 0, 90, 10], [100, 0, 120, 40]]}
    found = {"image": [0], "label": [0], "boxes": [[0, 0, 90, 10]], "scores": [0.9]}
    edge = {"height": 25.0, "box": 850.0, "annotation": 850.0}
    protocol = protocols.get(base)
    some = [
        replace(protocol, size_from=how, areas=(Area("all", 0, 1e9), Area("large", edge[how], 1e9)))
        for how in ("box", "height", "annotation", "height")
    ]
    together = bs.evaluate_many(truth, found, some, box="xyxy")
    alone = [bs.evaluate(truth, found, box="xyxy", protocol=p) for p in some]
    for results in (together, alone):
        assert [r["AR[area=large]"] for r in results] == [1.0, 0.0, 1.0, 0.0]
