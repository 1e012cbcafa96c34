"""Arrays in memory: a mapping of columns, or a list with one mapping per image."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from boxscore.errors import InputError, UnknownName, first_few
from boxscore.formats.reading import Reading
from boxscore.geometry import to_corners
from boxscore.ledger import Finding
from boxscore.model import Classes, Detections, Flag, Floats, Images, Indices, Truth, factorise, index_of

# Names that are understood for a column; the first one is used in messages.
_SPELLINGS = {
    "image": ("image", "image_id", "image_ids"),
    "images": ("images",),
    "labels": ("labels", "label", "category_id", "classes"),
    "boxes": ("boxes", "box", "bbox", "bboxes"),
    "scores": ("scores", "score", "confidence"),
    "area": ("area", "areas"),
    "id": ("id", "ids"),
    "crowd": ("crowd", "iscrowd"),
    **{f.name.lower(): (f.name.lower(),) for f in Flag if f is not Flag.CROWD},
}
_KNOWN = {spelling: column for column, spellings in _SPELLINGS.items() for spelling in spellings}


def read_truth(side: Mapping[str, Any] | Sequence[Any], how: Reading) -> tuple[Truth, list[Finding]]:
    """Objects from arrays."""
    columns, images, image = _columns(side, "truth", None)
    form = _form(how.truth_box or how.box, "truth", len(columns["boxes"]))
    corners, area = to_corners(columns["boxes"], form)
    classes, label = _classes(columns["labels"], how, None)
    n = len(corners)
    flags = np.zeros(n, np.uint16)
    for flag in Flag:
        if (name := str(flag.name).lower()) in columns:
            flags[columns[name] != 0] |= int(flag)
    given = columns["area"].astype(np.float64) if "area" in columns else np.full(n, np.nan)
    ids = columns["id"].astype(np.int64) if "id" in columns else None
    return Truth(
        images, classes, image, label, corners, area, np.arange(n, dtype=np.int64), "truth", "arrays",
        area=given, flags=flags, id=ids,
    ), []  # fmt: skip


def read_detections(
    side: Mapping[str, Any] | Sequence[Any], how: Reading, truth: Truth | None
) -> tuple[Detections, list[Finding]]:
    """Detections from arrays."""
    columns, images, image = _columns(side, "detections", truth)
    if "scores" not in columns:
        raise InputError("detections", f"no `scores` (columns: {', '.join(columns)})", "a score for each box")
    form = _form(how.detections_box or how.box, "detections", len(columns["boxes"]))
    corners, area = to_corners(columns["boxes"], form)
    classes, label = _classes(columns["labels"], how, truth)
    score = columns["scores"].astype(np.float64, copy=False)
    return Detections(
        images, classes, image, label, corners, area, np.arange(len(corners), dtype=np.int64), "detections", "arrays",
        score=score,
    ), []  # fmt: skip


def _form(form: str | None, side: str, n: int) -> str:
    if form is None and n:
        raise InputError(side, "the form of the boxes is not stated", "box='xywh', box='xyxy' or box='cxcywh'")
    return form or "xyxy"


def _columns(
    side: Mapping[str, Any] | Sequence[Any], name: str, truth: Truth | None
) -> tuple[dict[str, npt.NDArray[Any]], Images, Indices]:
    """Checked columns, the images, and the image of each row."""
    if isinstance(side, Mapping):
        columns = _mapping(side, name)
        if "image" not in columns:
            raise InputError(name, f"no `image` (columns: {', '.join(columns)})", "the image of each box")
        listed = columns.pop("images", None)
        images, image = _images(columns.pop("image"), listed, name, truth)
        return columns, images, image
    per_image = [_mapping(m, f"{name}[{i}]") for i, m in enumerate(side)]
    for i, m in enumerate(per_image):
        if "images" in m:
            raise InputError(f"{name}[{i}]", "`images` in a mapping of one image", "`image`, or nothing")
    names = sorted({column for m in per_image for column in m} - {"image"} | {"boxes", "labels"})
    columns = {}
    for column in names:
        lacking = [i for i, m in enumerate(per_image) if column not in m]
        if lacking and len(lacking) < len(per_image):
            where = first_few(lacking, len(lacking))
            raise InputError(f"{name}[{lacking[0]}]", f"no `{column}` (images {where})", f"`{column}` for every image")
        parts = [m[column] for m in per_image if column in m]
        columns[column] = np.concatenate(parts) if parts else _empty(column)
    counts = [len(m["boxes"]) for m in per_image]
    image = np.repeat(np.arange(len(per_image), dtype=np.int32), counts)
    if not any("image" in m for m in per_image):
        return columns, Images([str(i) for i in range(len(per_image))], np.arange(len(per_image))), image
    keys = [m["image"].tolist() if "image" in m else None for m in per_image]
    if None in keys or len(set(keys)) < len(keys):
        raise InputError(name, "`image` is missing or repeated in some mappings", "a different `image` for each")
    numbers = np.array(keys, np.int64) if all(isinstance(k, int) for k in keys) else None
    return columns, Images([str(k) for k in keys], numbers), image


def _empty(column: str) -> npt.NDArray[Any]:
    return np.zeros((0, 4)) if column == "boxes" else np.zeros(0, np.int64 if column == "labels" else np.float64)


def _mapping(side: Any, place: str) -> dict[str, npt.NDArray[Any]]:
    """The columns of one mapping as arrays of equal length."""
    if not isinstance(side, Mapping):
        raise InputError(place, f"a {type(side).__name__}", "a mapping with boxes and labels")
    columns: dict[str, npt.NDArray[Any]] = {}
    for key, value in side.items():
        if key not in _KNOWN:
            raise InputError(place, str(UnknownName("column", str(key), _SPELLINGS)))
        columns[_KNOWN[key]] = _array(value, f"{place}: {key}")
    for column in ("boxes", "labels"):
        if column not in columns:
            raise InputError(place, f"no `{column}` (columns: {', '.join(columns) or 'none'})", f"`{column}`")
    columns["boxes"] = _boxes(columns["boxes"], place)
    n = len(columns["boxes"])
    for column, values in columns.items():
        if column == "images" or (column == "image" and values.ndim == 0):
            continue
        if column != "boxes" and values.ndim != 1:
            raise InputError(f"{place}: {column}", f"an array of shape {values.shape}", f"one value per box ({n})")
        if len(values) != n:
            raise InputError(f"{place}: {column}", f"{len(values)} values", f"one per box ({n})")
        if column in ("scores", "area") or column in _FLAGS:
            _numeric(values, f"{place}: {column}", finite=column == "scores")
    return columns


_FLAGS = {str(f.name).lower() for f in Flag}


def _array(value: Any, place: str) -> npt.NDArray[Any]:
    """NumPy, anything with `__array__` or DLPack, or nested lists."""
    try:
        if not hasattr(value, "__array__") and hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
        return np.asarray(value)
    except (ValueError, TypeError, RuntimeError, BufferError) as error:
        raise InputError(place, f"cannot become an array ({error})", "an array or a list of numbers") from None


def _boxes(values: npt.NDArray[Any], place: str) -> Floats:
    if values.size == 0:
        return np.zeros((0, 4))
    if values.ndim != 2 or values.shape[1] != 4:
        raise InputError(f"{place}: boxes", f"an array of shape {values.shape}", "shape (n, 4)")
    _numeric(values, f"{place}: boxes", finite=True)
    return np.ascontiguousarray(values, np.float64)


def _numeric(values: npt.NDArray[Any], place: str, finite: bool) -> None:
    if values.dtype.kind not in "biuf":
        raise InputError(place, f"values of type {values.dtype}", "numbers")
    if finite and values.dtype.kind == "f" and not np.isfinite(values.sum()) and not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values).reshape(len(values), -1).all(axis=1)))
        count = int((~np.isfinite(values)).sum())
        raise InputError(f"{place}[{row}]", f"{values[row].tolist()} ({count:,} values are nan or infinite)", "finite numbers")


def _images(
    values: npt.NDArray[Any], listed: npt.NDArray[Any] | None, name: str, truth: Truth | None
) -> tuple[Images, Indices]:
    """The images of a table of rows: those listed, else those of the truth, else those met."""
    if values.size and values.dtype.kind not in "iuUSO":
        raise InputError(f"{name}: image", f"values of type {values.dtype}", "image ids: whole numbers or text")
    if values.dtype.kind in "iu" and (listed is None or listed.dtype.kind in "iu"):
        ids = values.astype(np.int64, copy=False)
        if listed is None and truth is not None and truth.images.id is not None:
            image = index_of(ids, truth.images.id)
            if len(image) == 0 or image.min() >= 0:
                return truth.images, image
        known = factorise(ids)[0] if listed is None else listed.astype(np.int64, copy=False)
        image = index_of(ids, known)
        if len(image) and image.min() < 0:
            raise InputError(f"{name}: image", f"{ids[image.argmin()]} is not in `images`", "images that are listed")
        return Images(_Texts(known), known), image
    keys = [str(k) for k in values.tolist()]
    all_keys = list(dict.fromkeys(keys if listed is None else map(str, listed.tolist())))
    place = {key: i for i, key in enumerate(all_keys)}
    strangers = [key for key in keys if key not in place]
    if strangers:
        raise InputError(f"{name}: image", f"{strangers[0]} is not in `images`", "images that are listed")
    return Images(all_keys), np.array([place[key] for key in keys], np.int32)


class _Texts(Sequence[str]):
    """Numbers as text, made only when somebody looks."""

    def __init__(self, values: npt.NDArray[np.int64]) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, i: Any) -> Any:
        return [str(v) for v in self._values[i].tolist()] if isinstance(i, slice) else str(self._values[i])


def _classes(values: npt.NDArray[Any], how: Reading, truth: Truth | None) -> tuple[Classes, Indices]:
    """The classes, and the class of each row: names, numbers of the given list, or ids as they come."""
    listed = how.classes
    if values.size and values.dtype.kind not in "iuUSO":
        raise InputError("labels", f"values of type {values.dtype}", "class ids or names")
    if values.dtype.kind in "iu" or not values.size:
        ids = values.astype(np.int64, copy=False)
        if listed is not None:
            if len(ids) and (ids.min() < 0 or ids.max() >= len(listed)):
                bad = ids[(ids < 0) | (ids >= len(listed))]
                raise InputError("labels", f"{bad[0]} ({len(bad):,} such)", f"numbers from 0 to {len(listed) - 1}, as in `classes`")
            own = Classes(listed, tuple(range(len(listed))))
            same = truth is not None and truth.classes == own
            return truth.classes if truth is not None and same else own, ids.astype(np.int32)
        if truth is not None and len(truth.classes) and all(isinstance(i, int) for i in truth.classes.id):
            label = index_of(ids, np.array(truth.classes.id, np.int64))
            if len(label) == 0 or label.min() >= 0:
                return truth.classes, label
        distinct, label = factorise(ids)
        return Classes(tuple(map(str, distinct.tolist())), tuple(distinct.tolist())), label
    names = [str(v) for v in values.tolist()]
    known_names: Iterable[str] = listed if listed is not None else sorted(set(names))
    place = {name: i for i, name in enumerate(known_names)}
    strangers = [name for name in names if name not in place]
    if strangers:
        raise UnknownName("class", strangers[0], place)
    return Classes(tuple(place), tuple(place)), np.array([place[name] for name in names], np.int32)
