"""COCO files that are JSON, but not what they should be."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from small_coco import IMAGES, OBJECTS, RESULTS, TRUTH, results, truth


def objects(**changes: Any) -> Any:
    """The truth with its second object changed."""
    return truth(annotations=[OBJECTS[0], {k: v for k, v in {**OBJECTS[1], **changes}.items() if v is not ...}])


def image(**changes: Any) -> Any:
    """The truth with its first image changed."""
    return truth(images=[{**IMAGES[0], **changes}, IMAGES[1]])


def result(**changes: Any) -> Any:
    """Results with the second one changed; `...` deletes."""
    return results([RESULTS[0], {k: v for k, v in {**RESULTS[1], **changes}.items() if v is not ...}])


CASES: list[tuple[str, Callable[..., Any]]] = [
    (
        "t.json: annotations[1]: 'bbox' twice; expected each name once",
        lambda: truth(
            json.dumps(TRUTH)
            .replace('"bbox": ', '"bbox": [0, 0, 9, 9], "bbox": ', 2)
            .replace('"bbox": [0, 0, 9, 9], ', "", 1)
        ),
    ),
    ("t.json: 'images' twice; expected each name once", lambda: truth('{"images": [], ' + json.dumps(TRUTH)[1:])),
    (
        "r.json: [1]: 'score' twice; expected each name once",
        lambda: results(json.dumps(RESULTS)[:-2] + ', "score": null}]'),
    ),
    # COCO truth
    (
        "t.json: a list of 2 records, as of results; expected ground truth: an object with images, "
        "annotations and categories\n  Truth comes first, then detections; were they swapped?",
        lambda: truth(RESULTS),
    ),
    ("t.json: a number; expected an object with images, categories, annotations", lambda: truth("5")),
    ("t.json: categories: an object; expected a list", lambda: truth(categories={"1": "cat"})),
    ("t.json: null; expected an object with images, categories, annotations", lambda: truth("null")),
    ("t.json: no `images` (its keys: none); expected `images`: a list", lambda: truth({})),
    (
        "t.json: no `annotations` (its keys: images, categories, info and 2 more); expected `annotations`: a list",
        lambda: truth({"images": [], "categories": [], "info": 1, "licenses": 2, "type": 3}),
    ),
    ("t.json: images: an object; expected a list", lambda: truth(images={"1": "a.jpg"})),
    (
        "t.json: images[0]: a number (2 such places: images[0], images[1]); expected an object",
        lambda: truth(images=[1, 2]),
    ),
    ("t.json: annotations[0]: null; expected an object", lambda: truth(annotations=[None])),
    (
        "t.json: images[0]: `id` is 9007199254740992.0; expected a whole number as `id`, without a decimal point or "
        "exponent from 2^53 on",
        lambda: image(id=9007199254740993.0),
    ),
    ("t.json: images[0]: no `id`; expected a whole number as `id`", lambda: truth(images=[{"file_name": "a.jpg"}])),
    ("t.json: images[0]: `id` is true; expected a whole number as `id`", lambda: truth(images=[{"id": True}])),
    (
        't.json: images[0]: `width` is "wide"; expected a number as `width`',
        lambda: truth(images=[{"id": 1, "width": "wide"}]),
    ),
    ("t.json: categories[0]: no `name`; expected text as `name`", lambda: truth(categories=[{"id": 1}])),
    ("t.json: categories[0]: `name` is 7; expected text as `name`", lambda: truth(categories=[{"id": 1, "name": 7}])),
    ("t.json: annotations[1]: no `image_id`; expected a whole number as `image_id`", lambda: objects(image_id=...)),
    (
        "t.json: annotations[1]: `image_id` is 1.5; expected a whole number as `image_id`",
        lambda: objects(image_id=1.5),
    ),
    (
        't.json: annotations[1]: `image_id` is " "; expected a whole number as `image_id`',
        lambda: objects(image_id=" "),
    ),
    (
        "t.json: annotations[1]: `category_id` is 9223372036854775808; expected a number below 2^63",
        lambda: objects(category_id=2**63),
    ),
    (
        "t.json: annotations[1]: `category_id` is [1]; expected a whole number as `category_id`",
        lambda: objects(category_id=[1]),
    ),
    ('t.json: annotations[1]: `id` is {"a": 1}; expected a whole number as `id`', lambda: objects(id={"a": 1})),
    ('t.json: annotations[1]: `iscrowd` is "no"; expected 0 or 1 as `iscrowd`', lambda: objects(iscrowd="no")),
    ("t.json: annotations[1]: `iscrowd` is 0.5; expected 0 or 1 as `iscrowd`", lambda: objects(iscrowd=0.5)),
    ('t.json: annotations[1]: `area` is "large"; expected a number as `area`', lambda: objects(area="large")),
    ("t.json: annotations[1]: `area` is NaN; expected a finite number", lambda: objects(area=float("nan"))),
    (
        "t.json: none of the 5 annotations has a `bbox` (keys of the first: id, image_id, category_id, bbox); "
        "expected [x, y, width, height] as `bbox`",
        lambda: truth(annotations=[{**a, "bbox": None} for a in OBJECTS]),
    ),
    # what LVIS adds
    (
        't.json: images[0]: `neg_category_ids` is "1"; expected a list of whole numbers as `neg_category_ids`',
        lambda: image(neg_category_ids="1"),
    ),
    (
        "t.json: images[0]: `neg_category_ids[1]` is 1.5; expected a whole number as `neg_category_ids[1]`",
        lambda: image(neg_category_ids=[1, 1.5]),
    ),
    (
        "t.json: images[0]: `not_exhaustive_category_ids[0]` is [1]; "
        "expected a whole number as `not_exhaustive_category_ids[0]`",
        lambda: image(not_exhaustive_category_ids=[[1], 1]),
    ),
    (
        "t.json: images[0]: no `neg_category_ids[2]`; expected a whole number as `neg_category_ids[2]`",
        lambda: image(neg_category_ids=[1, 1, None]),
    ),
    (
        "t.json: images[0]: `neg_category_ids[0]` is 9223372036854775808; expected a number below 2^63",
        lambda: image(neg_category_ids=[2**63]),
    ),
    (
        't.json: categories[0]: `frequency` is "rare"; expected one of r, c, f as `frequency`',
        lambda: truth(categories=[{"id": 1, "name": "cat", "frequency": "rare"}]),
    ),
    (
        't.json: categories[0]: `frequency` is ""; expected one of r, c, f as `frequency`',
        lambda: truth(categories=[{"id": 1, "name": "cat", "frequency": ""}]),
    ),
    (
        "t.json: categories[1]: `frequency` is 12; expected one of r, c, f as `frequency`",
        lambda: truth(categories=[{"id": 1, "name": "cat"}, {"id": 2, "name": "dog", "frequency": 12}]),
    ),
    # COCO results
    (
        'r.json: an object (its keys: results, version); expected a list of {"image_id", '
        '"category_id", "bbox", "score"}',
        lambda: results({"results": [], "version": 1}),
    ),
    (
        'r.json: a number; expected a list of {"image_id", "category_id", "bbox", "score"}',
        lambda: results("5"),
    ),
    (
        "r.json: annotations without scores (this looks like ground truth); expected results: a list "
        'of {"image_id", "category_id", "bbox", "score"}\n  Truth comes first, then detections; were '
        "they swapped?",
        lambda: results(TRUTH),
    ),
    ("r.json: categories: a number; expected a list", lambda: results({"annotations": RESULTS, "categories": 5})),
    ("r.json: [1]: no `score`; expected a number as `score`", lambda: result(score=...)),
    (
        "r.json: [0]: no `score` (5 such places: [0], [1], [2] and 2 more); expected a number as `score`",
        lambda: results([{k: v for k, v in RESULTS[0].items() if k != "score"}] * 5),
    ),
    ('r.json: [1]: `score` is "0.9"; expected a number as `score`', lambda: result(score="0.9")),
    ("r.json: [1]: `score` is Infinity; expected a finite number", lambda: result(score=float("inf"))),
    (
        "r.json: [0]: `bbox` is [1, 1, 5, Infinity]; expected finite numbers, [x, y, width, height]",
        lambda: results('[{"image_id": 1, "category_id": 1, "bbox": [1, 1, 5, 1e999], "score": 1}]'),
    ),
    (
        "r.json: [1]: `bbox` is [1, 1, 5, 100000000000000000000000000...; expected finite numbers, [x, "
        "y, width, height]",
        lambda: result(bbox=[1, 1, 5, 10**400]),
    ),
    (
        "r.json: [1]: `bbox` has 5 values; expected [x, y, width, height]; a fifth value is often a score or an angle",
        lambda: result(bbox=[1, 1, 5, 5, 0.9]),
    ),
    ('r.json: [1]: `bbox` is {"x": 1}; expected [x, y, width, height]', lambda: result(bbox={"x": 1})),
    (
        'r.json: [1]: `bbox` is [1, 1, "5", 5]; expected four numbers, [x, y, width, height]',
        lambda: result(bbox=[1, 1, "5", 5]),
    ),
    ("r.json: [1]: `bbox` has 1 values; expected [x, y, width, height]", lambda: result(bbox=[[1, 1, 5, 5]])),
    ("r.json: [0]: a list; expected an object", lambda: results([[1, 2, 3]])),
    (
        "r.json: none of the 2 results has a `bbox` (keys of the first: image_id, category_id, score, segmentation); "
        "expected [x, y, width, height] as `bbox`",
        lambda: results([{k: v for k, v in r.items() if k != "bbox"} | {"segmentation": []} for r in RESULTS]),
    ),
]
