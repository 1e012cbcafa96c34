// Object keypoint similarity of pairs, in two halves: exponents, and the mean of what the caller made of them. The
// exponential between the two is the caller's, because the last bit of it is not the same in all libraries.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "pairwise_sum.hpp"
#include "parallel.hpp"

namespace boxscore {

constexpr std::size_t kPairsAtOnce = 4096;  // fewer pairs take less time than starting a thread

// Points of rows: x, y and visibility of each, `stride` points per row.
template <class Number>
struct PointRows {
    const Number* points;
    std::size_t stride;

    const Number* row(std::int64_t r) const { return points + static_cast<std::size_t>(r) * stride * 3; }
};

// What is known of objects besides their points.
template <class Number>
struct PosedObjects {
    PointRows<Number> rows;
    const std::uint8_t* unlabelled;  // whether no point of it is labelled, so that its box stands for it
    const double* around;            // corners of its box, doubled about its centre
    const double* area;              // not 0
    const std::int64_t* variance;    // where those of its points begin
};

// Pairs by rows of both tables; the exponents of pair p are those from first[p] to before first[p + 1].
struct PosedPairs {
    const std::int64_t* detection;
    const std::int64_t* object;
    const std::int64_t* first;
    std::size_t count;
};

inline double beyond(double low, double value, double high) {
    return std::max(0.0, low - value) + std::max(0.0, value - high);
}

// Calls each(squared distance, k) for `count` points of a pair: the labelled ones of the object, or the first ones, if
// none is labelled. Distances to the doubled box are those from its nearest edge.
template <class Own, class Other, class Each>
void each_distance(const PointRows<Own>& detections, const PosedObjects<Other>& objects, std::int64_t detection,
                   std::int64_t object, std::int64_t count, const Each& each) {
    const Own* d = detections.row(detection);
    if (objects.unlabelled[object]) {
        const double* box = objects.around + 4 * object;
        for (std::size_t k = 0; count > 0; ++k, --count, d += 3) {
            const double dx = beyond(box[0], double{d[0]}, box[2]), dy = beyond(box[1], double{d[1]}, box[3]);
            each(dx * dx + dy * dy, k);
        }
        return;
    }
    const Other* g = objects.rows.row(object);
    for (std::size_t k = 0; count > 0; ++k, d += 3, g += 3) {
        if (!(g[2] > 0)) continue;
        const double dx = double{d[0]} - double{g[0]}, dy = double{d[1]} - double{g[1]};
        each(dx * dx + dy * dy, k);
        --count;
    }
}

template <class Each>
void each_block(std::size_t count, int threads, const Each& each) {
    parallel_for((count + kPairsAtOnce - 1) / kPairsAtOnce, threads, [&](std::size_t block) {
        const std::size_t last = std::min(count, (block + 1) * kPairsAtOnce);
        for (std::size_t i = block * kPairsAtOnce; i < last; ++i) each(i);
    });
}

// For each point that counts minus the squared distance in units of twice the point's variance and the object's area.
template <class Own, class Other>
void keypoint_exponents(const PointRows<Own>& detections, const PosedObjects<Other>& objects, const double* variances,
                        const PosedPairs& pairs, double* exponent, int threads) {
    each_block(pairs.count, threads, [&](std::size_t p) {
        const auto o = pairs.object[p];
        const double* variance = variances + objects.variance[o];
        const double area = objects.area[o];
        double* out = exponent + pairs.first[p];
        each_distance(detections, objects, pairs.detection[p], o, pairs.first[p + 1] - pairs.first[p],
                      [&](double square, std::size_t k) { *out++ = -(square / variance[k] / area * 0.5); });
    });
}

// Whether the similarity of each pair can reach the floor: not if too few of its points have an exponent of -4 or more,
// because exp(-4) < 0.0184 is the most that each of the others adds. The margin is far above all rounding.
template <class Own, class Other>
void keypoints_near(const PointRows<Own>& detections, const PosedObjects<Other>& objects, const double* variances,
                    const PosedPairs& pairs, double floor, std::uint8_t* near, int threads) {
    constexpr double kMost = 0.0184;
    each_block(pairs.count, threads, [&](std::size_t p) {
        const auto o = pairs.object[p];
        const double* variance = variances + objects.variance[o];
        const double limit = 8 * objects.area[o];
        const auto n = pairs.first[p + 1] - pairs.first[p];
        std::int64_t close = 0;
        if (objects.unlabelled[o]) {
            each_distance(detections, objects, pairs.detection[p], o, n,
                          [&](double square, std::size_t k) { close += !(square > limit * variance[k]); });
        } else {  // without a branch for each point: which are labelled cannot be foreseen
            const Own* d = detections.row(pairs.detection[p]);
            const Other* g = objects.rows.row(o);
            for (std::int64_t rest = n; rest > 0; d += 3, g += 3, ++variance) {
                const double dx = double{d[0]} - double{g[0]}, dy = double{d[1]} - double{g[1]};
                const bool labelled = g[2] > 0;
                close += labelled & !(dx * dx + dy * dy > limit * *variance);
                rest -= labelled;
            }
        }
        const double most = static_cast<double>(close) + kMost * static_cast<double>(n - close);
        near[p] = !(limit > 0) || most >= floor * static_cast<double>(n);
    });
}

// How many points each row has: the others are nan.
template <class Number>
void point_counts(const PointRows<Number>& rows, std::size_t n, std::int64_t* count, int threads) {
    each_block(n, threads, [&](std::size_t r) {
        const Number* const points = rows.row(static_cast<std::int64_t>(r));
        std::int64_t there = 0;
        for (std::size_t k = 0; k < rows.stride; ++k) there += points[3 * k] == points[3 * k];
        count[r] = there;
    });
}

// How many points lie more than the width or height of their image outside of it; of labelled points only, if so asked.
// Images of unknown size have sides of nan, rows without an image have a negative one.
template <class Number>
std::int64_t count_far_points(const PointRows<Number>& rows, const std::int32_t* image, std::size_t n,
                              const double* width, const double* height, bool labelled_only) {
    std::int64_t far = 0;
    for (std::size_t r = 0; r < n; ++r) {
        if (image[r] < 0) continue;
        const double w = width[image[r]], h = height[image[r]];
        const Number* const points = rows.row(static_cast<std::int64_t>(r));
        for (std::size_t k = 0; k < rows.stride; ++k) {
            const double x = points[3 * k], y = points[3 * k + 1];
            const bool outside = (x < -w) | (x > 2 * w) | (y < -h) | (y > 2 * h);
            far += outside & (!labelled_only | (points[3 * k + 2] > 0));
        }
    }
    return far;
}

// The mean of the values of each pair, added up as NumPy does; 0 where there are none.
inline void keypoint_means(const std::int64_t* first, std::size_t count, const double* values, double* mean,
                           int threads) {
    each_block(count, threads, [&](std::size_t p) {
        const auto n = static_cast<std::size_t>(first[p + 1] - first[p]);
        mean[p] = n ? pairwise_sum(values + first[p], n) / static_cast<double>(n) : 0.0;
    });
}

}  // namespace boxscore
