"""
Compiled kernels of boxscore; boxscore._reference defines what they compute.
"""

from collections.abc import Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


def to_corners(boxes: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], form: int, corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu')], area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """
    Corners and areas of boxes given as xyxy (0), xywh (1) or cxcywh (2), into the given arrays.
    """

def box_areas(corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], pixel: float, area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """
    Areas of boxes, a pixel more on each side or not, into the given array.
    """

def margin_overlaps(corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], pixel: float, margin: float, overlap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """Overlaps of boxes with larger ones around them, into the given array."""

def count_flat(corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], threads: int) -> int:
    """How many boxes have no extent."""

def index_of(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], known: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """
    The index of each value among the known ones, -1 where it is not there.
    """

def crc32c(bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
    """Castagnoli's cyclic redundancy check of bytes."""

def memory(bytes: int) -> object:
    """Memory whose content is anything."""

def take(column: Annotated[NDArray, dict(order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray, dict(order='C', device='cpu')], threads: int) -> None:
    """The given rows of a column, into another one."""

class Cells:
    """Where the rows of each class and image are; `cells` makes it."""

    @property
    def largest(self) -> int:
        """Detections in the fullest cell."""

    def find_meets(self, d_corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], d_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], floor: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], over: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> None:
        """
        Find the pairs that may overlap by the floor of the object, for all matchings to come.
        """

    def find_pairs(self, d_corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)] | None, o_corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)] | None, d_rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, o_rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, d_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, floor: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, over: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, threads: int) -> tuple:
        """
        Where the objects of each detection begin, and these: all of its cell, those whose boxes meet its own, or those that may overlap it by their floor, judged by boxes and areas.
        """

    def none_within(self, d_corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], d_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, d_size: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, o_corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, o_size: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, o_role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], pair_first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, pair_object: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, pair_shared: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, pair_overlap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, direct: bool, pixel: float, touching: bool, overlaps: Annotated[NDArray[numpy.float64], dict(shape=(None, 2), order='C', device='cpu', writable=False)], sizes: Annotated[NDArray[numpy.float64], dict(shape=(None, 2), order='C', device='cpu', writable=False)], threads: int) -> bool:
        """Whether no overlap of a pair and no size lies in these intervals."""

    def turns(self, score: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], last_first: bool, rank: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
        """
        When the turn of each detection in its cell comes, into the given array.
        """

    def earliest(self, position: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], least: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
        """
        The least of the positions in the cell of each detection, into the given array.
        """

def cells(d_label: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], d_image: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], d_score: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_label: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], o_image: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: int, images: int, threads: int) -> tuple:
    """
    Cells, the rows of detections and objects in their order, whether a cell has equal scores, where classes begin.
    """

def match(cells: Cells, d_corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], d_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, d_size: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, d_role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, d_rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, d_score: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, o_size: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, o_role: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], o_limit: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, o_rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, pair_first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, pair_object: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, pair_shared: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, pair_overlap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, direct: bool, pixel: float, touching: bool, single: bool, by_overlap: bool, by_object: bool, even_if_taken: bool, shared: bool, prefer_counted: bool, last_of_equals: bool, slack: float, last_first: bool, ignore_outside: bool, credit_floor: float, cap: int, thresholds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], lowest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], highest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], hits: Annotated[NDArray, dict(order='C', device='cpu')], ignored: Annotated[NDArray, dict(order='C', device='cpu')], cleared: bool, credits: Annotated[NDArray, dict(order='C', device='cpu')] | None, object: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')] | None, overlap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None, counted: Annotated[NDArray, dict(order='C', device='cpu')], to_find: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], absorbing: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')] | None, threads: int) -> None:
    """
    Match detections to objects; verdicts go into the given arrays, in the order of the cells.
    """

def rank(first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], score: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], image: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tie: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, later_image: bool, other: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu')], tied: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """
    The rows of each class as they are ranked, and how many share their score, into the given arrays.
    """

def curve(first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], score: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, image: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tie: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, rank: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hits: Annotated[NDArray, dict(order='C', device='cpu', writable=False)], ignored: Annotated[NDArray, dict(order='C', device='cpu', writable=False)], credits: Annotated[NDArray, dict(order='C', device='cpu', writable=False)] | None, share: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_ranges: int, n_thresholds: int, later_image: bool, hits_first: int, group_first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], group_classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to_find: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], absorbing: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weight: float, slices: Sequence[tuple[int, int]], levels: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], exact_levels: bool, above_levels: bool, recall_bounds: tuple[float, float], epsilon: float, pairwise: bool, n_drawn: int, precision: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None, level_score: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None, all_points: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None, true_positives: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], false_positives: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], found: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None, wrong: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None, tied: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')] | None, threads: int) -> None:
    """
    Precision at recall levels and counts, per slice, threshold and group of classes, into the given arrays.
    """

def json_columns(text: bytes | None, descriptor: int, size: int, layout: Sequence[tuple[str, Sequence[tuple[str, int]]]], main: int, block_size: int, threads: int) -> object:
    """
    Arrays of JSON records as columns; None where the file is not of the usual kind.
    """

def xml_columns(pieces: bytes, ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], on_disk: bool, root: str, record: str, header: Sequence[tuple[str, int]], fields: Sequence[tuple[str, int]], threads: int) -> object:
    """Records of many small XML files as columns."""

def image_headers(root: bytes | None, paths: bytes, contents: list[bytes], threads: int) -> object:
    """
    Width, height and rotation of JPEG and PNG files, and which of them are not of the usual kind.
    """

def text_rows(root: bytes | None, paths: bytes, contents: list[bytes], tail: int, threads: int) -> object:
    """
    Lines `<name> <number>…` of many small files as columns, and which files are not of the usual kind.
    """

def csv_columns(text: bytes | None, descriptor: int, begin: int, size: int, delimiter: str, width: int, wanted: Sequence[tuple[bool, Sequence[int]]], block_size: int, threads: int) -> object:
    """
    Rows between delimiters as columns; None where the file is not of the usual kind.
    """

def quad_areas(quads: Annotated[NDArray[numpy.float64], dict(shape=(None, 8), order='C', device='cpu', writable=False)], area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """Areas of quadrilaterals, into the given array."""

def quad_intersections(detections: Annotated[NDArray[numpy.float64], dict(shape=(None, 8), order='C', device='cpu', writable=False)], objects: Annotated[NDArray[numpy.float64], dict(shape=(None, 8), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], shared: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """
    Areas that pairs of quadrilaterals share, given by their rows, into the given array.
    """

@overload
def keypoint_exponents(d_points: Annotated[NDArray[numpy.float64], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_points: Annotated[NDArray[numpy.float64], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_unlabelled: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], o_around: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_variance: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], variances: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], exponent: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None: ...

@overload
def keypoint_exponents(d_points: Annotated[NDArray[numpy.float32], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_points: Annotated[NDArray[numpy.float64], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_unlabelled: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], o_around: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_variance: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], variances: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], exponent: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None: ...

@overload
def keypoint_exponents(d_points: Annotated[NDArray[numpy.float64], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_points: Annotated[NDArray[numpy.float32], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_unlabelled: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], o_around: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_variance: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], variances: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], exponent: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None: ...

@overload
def keypoint_exponents(d_points: Annotated[NDArray[numpy.float32], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_points: Annotated[NDArray[numpy.float32], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_unlabelled: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], o_around: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_variance: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], variances: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], exponent: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """
    The exponents of the keypoint similarity of pairs, one for each point that counts, into the given array.
    """

@overload
def keypoints_near(d_points: Annotated[NDArray[numpy.float64], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_points: Annotated[NDArray[numpy.float64], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_unlabelled: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], o_around: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_variance: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], variances: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], floor: float, near: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None: ...

@overload
def keypoints_near(d_points: Annotated[NDArray[numpy.float32], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_points: Annotated[NDArray[numpy.float64], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_unlabelled: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], o_around: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_variance: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], variances: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], floor: float, near: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None: ...

@overload
def keypoints_near(d_points: Annotated[NDArray[numpy.float64], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_points: Annotated[NDArray[numpy.float32], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_unlabelled: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], o_around: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_variance: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], variances: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], floor: float, near: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None: ...

@overload
def keypoints_near(d_points: Annotated[NDArray[numpy.float32], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_points: Annotated[NDArray[numpy.float32], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], o_unlabelled: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], o_around: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_variance: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], variances: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], floor: float, near: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """
    Whether the keypoint similarity of each pair can reach the floor, into the given array.
    """

def keypoint_means(first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], mean: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """
    The mean of the values of each pair, into the given array; 0 where there are none.
    """

@overload
def point_counts(points: Annotated[NDArray[numpy.float64], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], count: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None: ...

@overload
def point_counts(points: Annotated[NDArray[numpy.float32], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], count: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """How many points of each row are not nan, into the given array."""

@overload
def count_far_points(points: Annotated[NDArray[numpy.float64], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], image: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], width: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], height: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], labelled_only: bool) -> int: ...

@overload
def count_far_points(points: Annotated[NDArray[numpy.float32], dict(shape=(None, None, 3), order='C', device='cpu', writable=False)], image: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], width: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], height: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], labelled_only: bool) -> int:
    """How many points lie more than the size of their image outside of it."""

def tube_intersections(d_begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], d_end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], d_frame: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], d_corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], d_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_frame: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], o_area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], shared: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], either: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """
    Areas that pairs of tubes share, and that either covers, over all frames, into given arrays.
    """

def mask_tube_intersections(d_begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], d_end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], d_frame: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], d_letters: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], d_first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], d_last: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], d_size: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], o_begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_frame: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_letters: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], o_first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_last: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_size: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], shared: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """
    Pixels that pairs of tubes of masks share over the frames that both have, into the given array.
    """

def rle_check(letters: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], size: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], area: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], box: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu')], fault: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """
    Area and bounding box of each mask, and what is wrong with it, into the given arrays.
    """

def rle_join(part: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], kind: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, points: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], letters: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], size: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], threads: int) -> tuple:
    """
    One mask per row out of its polygons (values in pixels, or points on the fine grid) and masks: all texts, and where each ends.
    """

def mask_intersections(d_letters: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], d_begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], d_end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_letters: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], o_begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], o_end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], d_size: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], o_size: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], detection: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], object: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], shared: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], union: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None, threads: int) -> None:
    """
    Pixels that the masks of each pair have in common, and if asked also those of either, as pycocotools counts them, into the given arrays.
    """

def mask_boundaries(letters: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], size: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], ratio: float, threads: int) -> tuple:
    """The boundary of each mask: all texts, and where each ends."""

def rle_texts(counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
    """The runs of masks as text: all texts, and where each ends."""

def rle_counts(letters: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
    """
    The runs of each mask up to the first fault: all runs, and where each mask ends.
    """

def rle_of_bitmaps(pixels: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], threads: int) -> tuple:
    """Bitmaps as masks: all texts, and where each ends."""

def rle_bitmap(letters: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], height: int, width: int) -> object:
    """The pixels of one mask."""

def rle_of_labels(labels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
    """
    The pixels of each of the ascending ids as masks: all texts, and where each ends.
    """

def value_columns(lists: Sequence[object], layout: Sequence[tuple[str, Sequence[tuple[str, int]]]], floating: object) -> object:
    """
    Lists of dictionaries as the columns of their JSON; None where they are not of the usual kind.
    """
