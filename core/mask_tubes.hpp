// Tubes of masks: the pixels of one object through the frames of a video.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mask_pairs.hpp"
#include "parallel.hpp"
#include "tubes.hpp"

namespace boxscore {

struct MaskTubes {
    TubeFrames frames;
    RleMasks masks;  // one per frame of a tube
};

// Decoded masks, as many as there are slots: pairs come by detection, so those of a few tubes are asked for again.
class DecodedMasks {
  public:
    explicit DecodedMasks(const RleMasks& masks) : masks_(masks), slots_(kSlots) {}

    const Borders& operator[](std::int64_t i) {
        Slot& slot = slots_[static_cast<std::size_t>(i) % kSlots];
        if (slot.index != i) {
            slot.index = -1;  // should reading fail
            if (read_borders(masks_[i], slot.borders) != RleFault::none) slot.borders.clear();
            slot.index = i;
        }
        return slot.borders;
    }

  private:
    static constexpr std::size_t kSlots = 1 << 10;
    struct Slot {
        std::int64_t index = -1;
        Borders borders;
    };

    const RleMasks masks_;
    std::vector<Slot> slots_;
};

// The pixels that n pairs of tubes share, added up over the frames that both have; masks of different sizes, or whose
// text is at fault, share none.
inline void mask_tube_intersections(const MaskTubes& detections, const MaskTubes& objects,
                                    const std::int64_t* detection, const std::int64_t* object, std::size_t n,
                                    double* shared, int threads) {
    constexpr std::size_t kBlock = 1 << 6;
    const std::size_t blocks = (n + kBlock - 1) / kBlock;
    const std::size_t workers = std::min<std::size_t>(threads > 1 ? threads : 1, blocks);
    std::atomic<std::size_t> next{0};
    parallel_for(workers, threads, [&](std::size_t) {
        DecodedMasks own(detections.masks), other(objects.masks);
        for (std::size_t block = next.fetch_add(1); block < blocks; block = next.fetch_add(1)) {
            for (std::size_t k = block * kBlock; k < std::min(n, (block + 1) * kBlock); ++k) {
                std::int64_t pixels = 0;
                for_frames(detections.frames, detection[k], objects.frames, object[k],
                           [&](std::int64_t i, std::int64_t j) {
                               if (i < 0 || j < 0) return;
                               const RleMask a = detections.masks[i], b = objects.masks[j];
                               if (a.height == b.height && a.width == b.width)
                                   pixels += shared_pixels(own[i], other[j]);
                           });
                shared[k] = static_cast<double>(pixels);
            }
        }
    });
}

}  // namespace boxscore
