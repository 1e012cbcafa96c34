"""Which class stands above which: the hierarchy of Open Images, a JSON tree of `LabelName` and `Subcategory`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from typing import Any

from boxscore.errors import InputError
from boxscore.formats.io.delimited import text_of
from boxscore.formats.io.source import open_source

Hierarchy = dict[str, tuple[str, ...]]  # a label: the labels directly above it
_EXPECTED = "a tree of objects with LabelName and, where there is more below, a list Subcategory"


def read_hierarchy(path: str | PathLike[str]) -> Hierarchy:
    """The labels of a hierarchy, each with what stands directly above it.

    The root is a word for everything: it is no label and stands above none. Parts (`Part`) are no subcategories. A
    label may stand at several places and then has several parents.
    """
    source = open_source(path)
    try:
        with text_of(source) as file:
            tree = json.load(file)
    except RecursionError:
        raise InputError(source.name, "JSON nested too deeply", _EXPECTED) from None
    except ValueError as error:
        raise InputError(source.name, f"invalid JSON ({error})", _EXPECTED) from None
    parents: dict[str, dict[str, None]] = {}
    waiting = [(child, None, f"Subcategory[{i}]") for i, child in enumerate(_below(tree, source.name, "the root"))]
    while waiting:
        node, above, place = waiting.pop()
        if not isinstance(node, dict) or not isinstance(node.get("LabelName"), str):
            raise InputError(source.name, f"{place} has no LabelName", _EXPECTED)
        label = node["LabelName"]
        known = parents.setdefault(label, {})
        if above is not None:
            known[above] = None
        children = _below(node, source.name, place)
        waiting += [(child, label, f"{place}.Subcategory[{i}]") for i, child in enumerate(children)]
    return {label: tuple(above) for label, above in parents.items()}


def _below(node: Any, source: str, place: str) -> list[Any]:
    children = node.get("Subcategory", []) if isinstance(node, dict) else None
    if not isinstance(children, list) or (place == "the root" and not children):
        raise InputError(source, f"{place} has no list Subcategory", _EXPECTED)
    return children


def parents_within(names: Sequence[str], hierarchy: Hierarchy) -> tuple[tuple[int, ...], ...]:
    """For each name the places of its nearest listed ancestors; what is not listed is passed over.

    >>> parents_within(["cat", "thing"], {"cat": ("animal",), "animal": ("thing",), "thing": ()})
    ((1,), ())
    """
    place = {name: k for k, name in enumerate(names)}

    def nearest(label: str) -> tuple[int, ...]:
        found, seen, waiting = set[int](), {label}, list(hierarchy.get(label, ()))
        while waiting:
            above = waiting.pop()
            if above in seen:
                continue
            seen.add(above)
            if above in place:
                found.add(place[above])
            else:
                waiting += hierarchy.get(above, ())
        return tuple(sorted(found))

    return tuple(nearest(name) for name in names)
