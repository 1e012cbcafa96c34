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
struct PosedObjects {
    PointRows<double> rows;
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

// For each labelled point of the object (for every point, if none is labelled) minus the squared distance in units of
// twice the point's variance and the object's area. Distances to the doubled box are those from its nearest edge.
template <class Number>
void keypoint_exponents(const PointRows<Number>& detections, const PosedObjects& objects, const double* variances,
                        const PosedPairs& pairs, double* exponent, int threads) {
    const auto of_pair = [&](std::size_t p) {
        const Number* d = detections.row(pairs.detection[p]);
        const auto o = pairs.object[p];
        const double* variance = variances + objects.variance[o];
        const double area = objects.area[o];
        double* out = exponent + pairs.first[p];
        const double* const end = exponent + pairs.first[p + 1];
        const auto put = [&](double dx, double dy, std::size_t k) {
            *out++ = -((dx * dx + dy * dy) / variance[k] / area * 0.5);
        };
        if (objects.unlabelled[o]) {
            const double* box = objects.around + 4 * o;
            for (std::size_t k = 0; out != end; ++k, d += 3) {
                put(beyond(box[0], double{d[0]}, box[2]), beyond(box[1], double{d[1]}, box[3]), k);
            }
            return;
        }
        const double* g = objects.rows.row(o);
        for (std::size_t k = 0; out != end; ++k, d += 3, g += 3) {
            if (g[2] > 0) put(d[0] - g[0], d[1] - g[1], k);
        }
    };
    parallel_for((pairs.count + kPairsAtOnce - 1) / kPairsAtOnce, threads, [&](std::size_t block) {
        const std::size_t last = std::min(pairs.count, (block + 1) * kPairsAtOnce);
        for (std::size_t p = block * kPairsAtOnce; p < last; ++p) of_pair(p);
    });
}

// The mean of the values of each pair, added up as NumPy does; 0 where there are none.
inline void keypoint_means(const std::int64_t* first, std::size_t count, const double* values, double* mean,
                           int threads) {
    parallel_for((count + kPairsAtOnce - 1) / kPairsAtOnce, threads, [&](std::size_t block) {
        const std::size_t last = std::min(count, (block + 1) * kPairsAtOnce);
        for (std::size_t p = block * kPairsAtOnce; p < last; ++p) {
            const auto n = static_cast<std::size_t>(first[p + 1] - first[p]);
            mean[p] = n ? pairwise_sum(values + first[p], n) / static_cast<double>(n) : 0.0;
        }
    });
}

}  // namespace boxscore
