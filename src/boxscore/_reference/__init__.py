"""Every kernel of `_core` in plain Python: the definition that the compiled one must equal to the last bit.

The functions take the same arguments as their namesakes and fill the same arrays, so either can stand in for the other.
"""

from __future__ import annotations

from boxscore._reference.cells import Cells, cells
from boxscore._reference.corners import box_areas, count_flat, margin_overlaps, to_corners
from boxscore._reference.crc32c import crc32c
from boxscore._reference.csv_columns import csv_columns
from boxscore._reference.curve import curve, rank
from boxscore._reference.image_headers import image_headers
from boxscore._reference.index_of import index_of
from boxscore._reference.json_columns import json_columns
from boxscore._reference.keypoints import (
    count_far_points,
    keypoint_exponents,
    keypoint_means,
    keypoints_near,
    point_counts,
)
from boxscore._reference.masks import mask_boundaries, mask_intersections, rle_join
from boxscore._reference.match import match
from boxscore._reference.memory import memory
from boxscore._reference.rle import rle_bitmap, rle_check, rle_counts, rle_of_bitmaps, rle_of_labels, rle_texts
from boxscore._reference.rotated import quad_areas, quad_intersections
from boxscore._reference.take import take
from boxscore._reference.text_rows import text_rows
from boxscore._reference.tubes import mask_tube_intersections, tube_intersections
from boxscore._reference.xml_columns import xml_columns

__all__ = [
    "Cells",
    "box_areas",
    "cells",
    "count_far_points",
    "count_flat",
    "crc32c",
    "csv_columns",
    "curve",
    "image_headers",
    "index_of",
    "json_columns",
    "keypoint_exponents",
    "keypoint_means",
    "keypoints_near",
    "margin_overlaps",
    "mask_boundaries",
    "mask_intersections",
    "mask_tube_intersections",
    "match",
    "memory",
    "point_counts",
    "quad_areas",
    "quad_intersections",
    "rank",
    "rle_bitmap",
    "rle_check",
    "rle_counts",
    "rle_join",
    "rle_of_bitmaps",
    "rle_of_labels",
    "rle_texts",
    "take",
    "text_rows",
    "to_corners",
    "tube_intersections",
    "xml_columns",
]
