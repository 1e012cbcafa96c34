// Tubes: the boxes of one object through the frames of a video.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "box.hpp"
#include "parallel.hpp"

namespace boxscore {

// The boxes or masks of tube i are begin[i] .. end[i] - 1 of the flat columns, by ascending frame.
struct TubeFrames {
    const std::int64_t *begin, *end, *frame;
};

struct TubeColumns {
    TubeFrames frames;
    const double* corners;  // (boxes, 4)
    const double* area;     // of each box, in the source's own arithmetic
};

// Calls work(k, l) for the places of both tubes in each frame that either has, -1 for one that does not.
template <class Work>
void for_frames(const TubeFrames& a, std::int64_t i, const TubeFrames& b, std::int64_t j, const Work& work) {
    std::int64_t at = a.begin[i], other = b.begin[j];
    while (at < a.end[i] || other < b.end[j]) {
        const bool own = other == b.end[j] || (at < a.end[i] && a.frame[at] <= b.frame[other]);
        const bool theirs = at == a.end[i] || (other < b.end[j] && b.frame[other] <= a.frame[at]);
        work(own ? at : -1, theirs ? other : -1);
        at += own;
        other += theirs;
    }
}

// What two tubes share, and what either covers: areas of boxes, added up frame by frame. Official codes add up unions,
// which in the last bits is not the sum of all areas without what is shared.
inline void tube_overlap(const TubeColumns& a, std::int64_t i, const TubeColumns& b, std::int64_t j, double& shared,
                         double& either) {
    shared = either = 0;
    for_frames(a.frames, i, b.frames, j, [&](std::int64_t at, std::int64_t other) {
        if (at < 0 || other < 0) {
            either += at < 0 ? b.area[other] : a.area[at];
            return;
        }
        const double both = intersection(a.corners + 4 * at, b.corners + 4 * other, {0, false});
        shared += both;
        either += a.area[at] + b.area[other] - both;
    });
}

// What n pairs of tubes share, and what either of them covers, each given by its rows.
inline void tube_intersections(const TubeColumns& detections, const TubeColumns& objects, const std::int64_t* detection,
                               const std::int64_t* object, std::size_t n, double* shared, double* either, int threads) {
    constexpr std::size_t kBlock = 1 << 8;
    parallel_for((n + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
        for (std::size_t i = block * kBlock; i < std::min(n, (block + 1) * kBlock); ++i)
            tube_overlap(detections, detection[i], objects, object[i], shared[i], either[i]);
    });
}

}  // namespace boxscore
