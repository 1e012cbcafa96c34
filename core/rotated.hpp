// Areas of quadrilaterals and of what two of them share.
//
// A quadrilateral is the x y of four corners in either direction. What two share is the integral of the product of
// their winding numbers, each counted in the direction in which its own area is not negative; for simple
// quadrilaterals, convex or not, that is the area of the intersection. One that crosses itself counts its smaller part
// as negative. DOTA's polyiou sums signed triangles and so has the same.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "parallel.hpp"

namespace boxscore {

struct Corner {
    double x, y;
};

// Up to four corners that bound a convex area on their left; `sign` is how it counts.
struct Convex {
    std::array<Corner, 4> at;
    int size;
    double area, sign;
};

constexpr double kHuge = 0x1p500;  // products of differences of larger coordinates could overflow
constexpr double kUp = 0x1p600, kDown = 0x1p-600;

inline bool is_huge(const double* quad) {
    return std::any_of(quad, quad + 8, [](double value) { return std::abs(value) > kHuge; });
}

// Whether the corners are those of an axis-aligned rectangle, one after the other.
inline bool is_aligned(const double* q) {
    return (q[0] == q[6] && q[2] == q[4] && q[1] == q[3] && q[5] == q[7]) ||
           (q[0] == q[2] && q[4] == q[6] && q[3] == q[5] && q[7] == q[1]);
}

// Half the cross product of the diagonals: the same bits, but for the sign, whichever corner comes first.
inline double signed_area(const double* q) {
    return 0.5 * ((q[4] - q[0]) * (q[7] - q[3]) - (q[6] - q[2]) * (q[5] - q[1]));
}

inline double quad_area(const double* q) {
    if (is_aligned(q)) {
        const double w = std::abs(q[4] - q[0]), h = std::abs(q[5] - q[1]);
        return w > 0 && h > 0 ? w * h : 0.0;  // one may be infinite
    }
    if (!is_huge(q)) return std::abs(signed_area(q));
    double small[8];
    for (int i = 0; i < 8; ++i) small[i] = q[i] * kDown;
    return std::abs(signed_area(small)) * kUp * kUp;
}

// Positive where p lies left of the line from a to b, zero at a and b themselves.
inline double side(const Corner& a, const Corner& b, const Corner& p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

inline bool is_convex(const std::array<Corner, 4>& at) {
    for (int i = 0; i < 4; ++i)
        for (const Corner& p : at)
            if (side(at[i], at[(i + 1) % 4], p) < 0) return false;
    return true;
}

inline Convex triangle(const Corner& a, const Corner& b, const Corner& c) {
    const double doubled = side(a, b, c);
    if (doubled < 0) return {{a, c, b, a}, 3, -0.5 * doubled, -1.0};
    return {{a, b, c, a}, 3, 0.5 * doubled, 1.0};
}

// The one or two convex pieces of a quadrilateral whose corners are given in the direction in which its area counts.
struct Pieces {
    std::array<Convex, 2> at;
    int size;
    bool simple;  // it does not cross itself

    Pieces(const std::array<Corner, 4>& q, double area) {
        if (is_convex(q)) {
            at[0] = {q, 4, area, 1.0};
            size = 1;
            simple = true;
            return;
        }
        size = 2;
        at = {triangle(q[0], q[1], q[2]), triangle(q[0], q[2], q[3])};
        simple = at[0].sign == at[1].sign;
        if (simple) return;
        const std::array<Convex, 2> other{triangle(q[1], q[2], q[3]), triangle(q[1], q[3], q[0])};
        simple = other[0].sign == other[1].sign;
        if (simple) at = other;
    }
};

enum class Relation : std::uint8_t { apart, inside, crossing };

// Whether a lies in b, or beyond one of its edges. Edges without length say nothing.
inline Relation relation(const Convex& a, const Convex& b) {
    bool inside = true;
    for (int i = 0; i < b.size; ++i) {
        bool left = false, right = false;
        for (int k = 0; k < a.size; ++k) {
            const double d = side(b.at[i], b.at[(i + 1) % b.size], a.at[k]);
            left |= d > 0;
            right |= d < 0;
        }
        if (right && !left) return Relation::apart;
        inside &= !right;
    }
    return inside ? Relation::inside : Relation::crossing;
}

// Twice the area of a convex polygon; relative to a corner of it all summands have the same sign.
inline double doubled_area(const Corner* at, int size) {
    double sum = 0;
    for (int i = 1; i + 1 < size; ++i) sum += side(at[0], at[i], at[i + 1]);
    return sum;
}

// What two convex pieces share: a cut along each edge of b (Sutherland and Hodgman).
inline double shared_by(const Convex& a, const Convex& b) {
    const Relation of_a = relation(a, b);
    if (of_a == Relation::apart) return 0;
    if (of_a == Relation::inside) return a.area;
    const Relation of_b = relation(b, a);
    if (of_b == Relation::apart) return 0;
    if (of_b == Relation::inside) return b.area;
    constexpr int kMost = 32;  // four cuts make at most 19 corners of four, each by half as many more
    Corner one[kMost], other[kMost];
    Corner *from = one, *to = other;
    std::copy_n(a.at.begin(), a.size, from);
    int size = a.size;
    for (int i = 0; i < b.size && size > 2; ++i) {
        const Corner &begin = b.at[i], &end = b.at[(i + 1) % b.size];
        int kept = 0;
        const Corner* last = from + size - 1;
        double of_last = side(begin, end, *last);
        for (int k = 0; k < size; ++k) {
            const Corner* next = from + k;
            const double of_next = side(begin, end, *next);
            if ((of_last < 0 && of_next > 0) || (of_last > 0 && of_next < 0)) {
                const double t = of_last / (of_last - of_next);
                to[kept++] = {last->x + (next->x - last->x) * t, last->y + (next->y - last->y) * t};
            }
            if (of_next >= 0) to[kept++] = *next;
            last = next;
            of_last = of_next;
        }
        std::swap(from, to);
        size = kept;
    }
    return std::max(0.0, 0.5 * doubled_area(from, size));
}

// Corners relative to an origin, in the direction in which the area is not negative.
inline std::array<Corner, 4> placed(const double* q, const Corner& origin) {
    std::array<Corner, 4> at;
    for (int i = 0; i < 4; ++i) at[i] = {q[2 * i] - origin.x, q[2 * i + 1] - origin.y};
    if (side(at[0], at[1], at[2]) + side(at[0], at[2], at[3]) < 0) std::swap(at[1], at[3]);
    return at;
}

// What two quadrilaterals share that are neither huge nor both aligned.
inline double shared_by_quads(const double* a, const double* b) {
    const Corner origin{a[0], a[1]};  // intersections far from zero would lose digits
    const double own = quad_area(a), other = quad_area(b);
    const Pieces p(placed(a, origin), own), q(placed(b, origin), other);
    double sum = 0;
    for (int i = 0; i < p.size; ++i)
        for (int k = 0; k < q.size; ++k) sum += p.at[i].sign * q.at[k].sign * shared_by(p.at[i], q.at[k]);
    if (!p.simple || !q.simple) return sum;
    if (std::equal(a, a + 8, b)) return own;
    return std::min({sum, own, other});
}

inline double quad_intersection(const double* a, const double* b) {
    if (std::lexicographical_compare(b, b + 8, a, a + 8)) std::swap(a, b);  // the same bits either way round
    if (is_aligned(a) && is_aligned(b)) {
        const double w =
            std::min(std::max(a[0], a[4]), std::max(b[0], b[4])) - std::max(std::min(a[0], a[4]), std::min(b[0], b[4]));
        const double h =
            std::min(std::max(a[1], a[5]), std::max(b[1], b[5])) - std::max(std::min(a[1], a[5]), std::min(b[1], b[5]));
        return w > 0 && h > 0 ? w * h : 0.0;
    }
    if (!is_huge(a) && !is_huge(b)) return shared_by_quads(a, b);
    double small[16];
    for (int i = 0; i < 8; ++i) {
        small[i] = a[i] * kDown;
        small[8 + i] = b[i] * kDown;
    }
    return shared_by_quads(small, small + 8) * kUp * kUp;
}

// Areas of n quadrilaterals; exactly width times height for axis-aligned rectangles.
inline void quad_areas(const double* quads, std::size_t n, double* area, int threads) {
    parallel_rows(n, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) area[i] = quad_area(quads + 8 * i);
    });
}

// What n pairs of quadrilaterals share, each given by its rows.
inline void quad_intersections(const double* detections, const double* objects, const std::int64_t* detection,
                               const std::int64_t* object, std::size_t n, double* shared, int threads) {
    constexpr std::size_t kBlock = 1 << 12;
    parallel_for((n + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
        for (std::size_t i = block * kBlock; i < std::min(n, (block + 1) * kBlock); ++i)
            shared[i] = quad_intersection(detections + 8 * detection[i], objects + 8 * object[i]);
    });
}

}  // namespace boxscore
