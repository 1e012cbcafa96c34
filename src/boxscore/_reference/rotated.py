"""Areas of quadrilaterals and of what two of them share, defined.

A quadrilateral is the x y of four corners in either direction. What two share is the integral of the product of their
winding numbers, each counted in the direction in which its own area is not negative; for simple quadrilaterals, convex
or not, that is the area of the intersection. One that crosses itself counts its smaller part as negative. DOTA's
polyiou sums signed triangles and so has the same.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]
Corner = tuple[float, float]
Piece = tuple[list[Corner], float, float]  # corners with the area on their left, the area, how it counts

HUGE = 2.0**500  # products of differences of larger coordinates could overflow
DOWN, UP = 2.0**-600, 2.0**600
APART, INSIDE, CROSSING = range(3)


def quad_areas(quads: Array, area: Array, threads: int = 1) -> None:
    """Areas of quadrilaterals, exactly width times height for axis-aligned rectangles."""
    for i, quad in enumerate(quads.tolist()):
        area[i] = quad_area(quad)


def quad_intersections(
    detections: Array, objects: Array, detection: Array, object: Array, shared: Array, threads: int = 1
) -> None:
    """What pairs of quadrilaterals share, each given by its rows."""
    pairs = zip(detections[detection].tolist(), objects[object].tolist(), strict=True)
    for i, (a, b) in enumerate(pairs):
        shared[i] = quad_intersection(a, b)


def quad_area(quad: list[float]) -> float:
    """The area of one quadrilateral."""
    if _is_aligned(quad):
        w, h = abs(quad[4] - quad[0]), abs(quad[5] - quad[1])
        return w * h if w > 0 and h > 0 else 0.0  # one may be infinite
    if not _is_huge(quad):
        return abs(_signed_area(quad))
    return abs(_signed_area([value * DOWN for value in quad])) * UP * UP


def quad_intersection(a: list[float], b: list[float]) -> float:
    """What two quadrilaterals share: the same bits either way round, and those of boxes where both are boxes."""
    a, b = min(a, b), max(a, b)
    if _is_aligned(a) and _is_aligned(b):
        w = min(max(a[0], a[4]), max(b[0], b[4])) - max(min(a[0], a[4]), min(b[0], b[4]))
        h = min(max(a[1], a[5]), max(b[1], b[5])) - max(min(a[1], a[5]), min(b[1], b[5]))
        return w * h if w > 0 and h > 0 else 0.0
    if not _is_huge(a) and not _is_huge(b):
        return _shared_by_quads(a, b)
    return _shared_by_quads([value * DOWN for value in a], [value * DOWN for value in b]) * UP * UP


def _is_huge(quad: list[float]) -> bool:
    return any(abs(value) > HUGE for value in quad)


def _is_aligned(q: list[float]) -> bool:
    """Whether the corners are those of an axis-aligned rectangle, one after the other."""
    return (q[0] == q[6] and q[2] == q[4] and q[1] == q[3] and q[5] == q[7]) or (
        q[0] == q[2] and q[4] == q[6] and q[3] == q[5] and q[7] == q[1]
    )


def _signed_area(q: list[float]) -> float:
    """Half the cross product of the diagonals: the same bits, but for the sign, whichever corner comes first."""
    return 0.5 * ((q[4] - q[0]) * (q[7] - q[3]) - (q[6] - q[2]) * (q[5] - q[1]))


def _shared_by_quads(a: list[float], b: list[float]) -> float:
    """What two quadrilaterals share that are neither huge nor both aligned."""
    origin = a[0], a[1]  # intersections far from zero would lose digits
    own, other = quad_area(a), quad_area(b)
    (p, p_simple), (q, q_simple) = _pieces(_placed(a, origin), own), _pieces(_placed(b, origin), other)
    total = 0.0
    for one in p:
        for another in q:
            total += one[2] * another[2] * _shared_by(one, another)
    if not p_simple or not q_simple:
        return total
    return own if a == b else min(total, own, other)


def _placed(q: list[float], origin: Corner) -> list[Corner]:
    """Corners relative to an origin, in the direction in which the area is not negative."""
    at = [(x - origin[0], y - origin[1]) for x, y in zip(q[::2], q[1::2], strict=True)]
    if _side(at[0], at[1], at[2]) + _side(at[0], at[2], at[3]) < 0:
        at[1], at[3] = at[3], at[1]
    return at


def _side(a: Corner, b: Corner, p: Corner) -> float:
    """Positive where p lies left of the line from a to b, zero at a and b themselves."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _pieces(q: list[Corner], area: float) -> tuple[list[Piece], bool]:
    """The one or two convex pieces of a quadrilateral, and whether it does not cross itself."""
    if all(_side(q[i], q[(i + 1) % 4], p) >= 0 for i in range(4) for p in q):
        return [(q, area, 1.0)], True
    first = [_triangle(q[0], q[1], q[2]), _triangle(q[0], q[2], q[3])]
    if first[0][2] == first[1][2]:
        return first, True
    other = [_triangle(q[1], q[2], q[3]), _triangle(q[1], q[3], q[0])]
    return (other, True) if other[0][2] == other[1][2] else (first, False)


def _triangle(a: Corner, b: Corner, c: Corner) -> Piece:
    doubled = _side(a, b, c)
    return ([a, c, b], -0.5 * doubled, -1.0) if doubled < 0 else ([a, b, c], 0.5 * doubled, 1.0)


def _relation(a: list[Corner], b: list[Corner]) -> int:
    """Whether a lies in b, or beyond one of its edges. Edges without length say nothing."""
    inside = True
    for i in range(len(b)):
        sides = [_side(b[i], b[(i + 1) % len(b)], p) for p in a]
        right = any(d < 0 for d in sides)
        if right and not any(d > 0 for d in sides):
            return APART
        inside = inside and not right
    return INSIDE if inside else CROSSING


def _shared_by(one: Piece, other: Piece) -> float:
    """What two convex pieces share: a cut along each edge of the other one (Sutherland and Hodgman)."""
    (a, area, _), (b, other_area, _) = one, other
    for first, second, whole in ((a, b, area), (b, a, other_area)):
        relation = _relation(first, second)
        if relation == APART:
            return 0.0
        if relation == INSIDE:
            return whole
    kept = a
    for i in range(len(b)):
        kept = _cut(kept, b[i], b[(i + 1) % len(b)])
    return max(0.0, 0.5 * _doubled_area(kept))


def _cut(polygon: list[Corner], begin: Corner, end: Corner) -> list[Corner]:
    """What of a convex polygon lies left of a line."""
    kept: list[Corner] = []
    if len(polygon) < 3:
        return kept
    last = polygon[-1]
    of_last = _side(begin, end, last)
    for corner in polygon:
        of_corner = _side(begin, end, corner)
        if of_last < 0 < of_corner or of_last > 0 > of_corner:
            t = of_last / (of_last - of_corner)
            kept.append((last[0] + (corner[0] - last[0]) * t, last[1] + (corner[1] - last[1]) * t))
        if of_corner >= 0:
            kept.append(corner)
        last, of_last = corner, of_corner
    return kept


def _doubled_area(polygon: list[Corner]) -> float:
    """Twice the area of a convex polygon; relative to a corner of it all summands have the same sign."""
    total = 0.0
    for i in range(1, len(polygon) - 1):  # `sum` would compensate for what additions round off
        total += _side(polygon[0], polygon[i], polygon[i + 1])
    return total
