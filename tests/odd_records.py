"""COCO files with ids as text and with records that repeat an id, made from plain ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

# How ids are written. Sorted as text they have another order than as numbers, and than in the file.
SPELLINGS: dict[str, Callable[[int], int | str]] = {
    "numbers": lambda i: i,
    "digits": str,
    "names": lambda i: f"{'zyx'[i % 3]}{i}",
    "letter cases": lambda i: f"{'aBé'[i % 3]}{i}",
    "zeros in front": lambda i: f"{i % 100:02d}{i}",
}


def spelled(
    truth: dict[str, Any], results: list[dict[str, Any]], images: str = "numbers", classes: str = "numbers"
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Both sides with the ids of images and classes in another spelling."""
    image, label = SPELLINGS[images], SPELLINGS[classes]
    lists = ("neg_category_ids", "not_exhaustive_category_ids")

    def pointing(record: dict[str, Any]) -> dict[str, Any]:
        return {**record, "image_id": image(record["image_id"]), "category_id": label(record["category_id"])}

    made = {
        "images": [
            {**r, "id": image(r["id"]), **{key: [label(k) for k in r[key]] for key in lists if key in r}}
            for r in truth["images"]
        ],
        "annotations": [pointing(r) for r in truth["annotations"]],
        "categories": [{**r, "id": label(r["id"])} for r in truth["categories"]],
    }
    return made, [pointing(r) for r in results]


@st.composite
def repeats(draw: st.DrawFn, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records and some of them again, with the values of others but their own ids."""
    pairs = st.tuples(*(st.integers(0, len(records) - 1) for _ in range(2)))
    again = [{**records[other], "id": records[own]["id"]} for own, other in draw(st.lists(pairs, max_size=4))]
    return draw(st.permutations([*records, *again]))
