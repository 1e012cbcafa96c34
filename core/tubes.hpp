// Tubes: the boxes of one object through the frames of a video.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "box.hpp"
#include "parallel.hpp"

namespace boxscore {

// The boxes of tube i are begin[i] .. end[i] - 1 of the flat columns, by ascending frame.
struct TubeColumns {
    const std::int64_t *begin, *end, *frame;
    const double* corners;  // (boxes, 4)
};

// What two tubes share: the areas that their boxes share, added up over the frames that both have.
inline double tube_intersection(const TubeColumns& a, std::int64_t i, const TubeColumns& b, std::int64_t j) {
    double shared = 0;
    std::int64_t at = a.begin[i], other = b.begin[j];
    while (at < a.end[i] && other < b.end[j]) {
        const std::int64_t frame = a.frame[at], theirs = b.frame[other];
        if (frame == theirs) shared += intersection(a.corners + 4 * at, b.corners + 4 * other, {0, false});
        at += frame <= theirs;
        other += theirs <= frame;
    }
    return shared;
}

// What n pairs of tubes share, each given by its rows.
inline void tube_intersections(const TubeColumns& detections, const TubeColumns& objects, const std::int64_t* detection,
                               const std::int64_t* object, std::size_t n, double* shared, int threads) {
    constexpr std::size_t kBlock = 1 << 8;
    parallel_for((n + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
        for (std::size_t i = block * kBlock; i < std::min(n, (block + 1) * kBlock); ++i)
            shared[i] = tube_intersection(detections, detection[i], objects, object[i]);
    });
}

}  // namespace boxscore
