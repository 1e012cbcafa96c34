// What two masks have in common, for pairs of detections and objects.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "parallel.hpp"
#include "rle_walk.hpp"

namespace boxscore {

// Goes through two stretches of borders side by side; no branch depends on where they are.
struct BorderWalk {
    const std::uint32_t *p, *p_end, *q, *q_end;
    std::int64_t shared = 0;

    bool left() const { return p < p_end && q < q_end; }
    void step() {
        const std::int64_t p_last = p[1], q_last = q[1];
        const std::int64_t both = std::min(p_last, q_last) - std::max<std::int64_t>(p[0], q[0]);
        shared += both > 0 ? both : 0;
        const std::ptrdiff_t first_ends = p_last <= q_last;
        p += 2 * first_ends;
        q += 2 - 2 * first_ends;
    }
};

// The pixels between borders of both: only where their first and last pixels leave room for any. A step waits for the
// one before it, so long masks are gone through in two halves at once.
inline std::int64_t shared_pixels(const Borders& a, const Borders& b) {
    if (a.empty() || b.empty()) return 0;
    const std::uint32_t low = std::max(a.front(), b.front()), high = std::min(a.back(), b.back());
    if (low >= high) return 0;
    // From the pair of borders that ends after `x`, or to the one that begins before it.
    const auto from = [](const std::uint32_t* begin, const std::uint32_t* end, std::uint32_t x) {
        return begin + ((std::upper_bound(begin, end, x) - begin) & ~std::ptrdiff_t{1});
    };
    const auto to = [](const std::uint32_t* begin, const std::uint32_t* end, std::uint32_t x) {
        return begin + ((std::lower_bound(begin, end, x) - begin + 1) & ~std::ptrdiff_t{1});
    };
    const std::uint32_t *a_end = a.data() + a.size(), *b_end = b.data() + b.size();
    const std::uint32_t *a_begin = from(a.data(), a_end, low), *b_begin = from(b.data(), b_end, low);
    a_end = to(a_begin, a_end, high);
    b_end = to(b_begin, b_end, high);
    // Nothing of `a` lies on both sides of the border in its middle; what does of `b` is in both halves.
    const std::uint32_t* const middle = a_begin + ((a_end - a_begin) / 4) * 2;
    const bool halves = middle != a_begin && middle != a_end;
    BorderWalk first{a_begin, a_end, b_begin, b_end}, second{a_end, a_end, b_end, b_end};
    if (halves) {
        first = {a_begin, middle, b_begin, to(b_begin, b_end, *middle)};
        second = {middle, a_end, from(b_begin, b_end, *middle), b_end};
    }
    while (first.left() && second.left()) {
        first.step();
        second.step();
    }
    while (first.left()) first.step();
    while (second.left()) second.step();
    return first.shared + second.shared;
}

// Detections and objects of pairs, decoded by `read` when first needed. Pairs come by cells: a detection is that of the
// pair before, an object one of the last few.
template <class Runs, RleFault (*read)(const RleMask&, Runs&)>
class DecodedPairs {
  public:
    DecodedPairs(const RleMasks& detections, const RleMasks& objects) : detections_(detections), objects_(objects) {}

    const Runs& detection(std::int64_t i) { return decoded(detection_, detections_, i); }
    const Runs& object(std::int64_t i) {
        return decoded(recent_[static_cast<std::size_t>(i) % recent_.size()], objects_, i);
    }

  private:
    struct Decoded {
        std::int64_t index = -1;
        Runs runs;
    };

    static const Runs& decoded(Decoded& kept, const RleMasks& masks, std::int64_t i) {
        if (kept.index != i) {
            kept.index = -1;  // should reading fail
            if (read(masks[i], kept.runs) != RleFault::none) kept.runs.clear();
            kept.index = i;
        }
        return kept.runs;
    }

    const RleMasks detections_, objects_;
    Decoded detection_;
    std::array<Decoded, 64> recent_;
};

// The runs of a mask without faults; those that do not add up are one.
inline RleFault read_whole(const RleMask& mask, Counts& counts) {
    const RleFault fault = read_counts(mask, counts);
    if (fault != RleFault::none) return fault;
    std::uint64_t sum = 0;
    for (const std::uint32_t count : counts) sum += count;
    return static_cast<std::int64_t>(sum) == mask.pixels() ? RleFault::none : RleFault::size;
}

// Pairs k of masks: detection[k] and object[k].
struct MaskPairs {
    RleMasks detections, objects;
    const std::int64_t* detection;
    const std::int64_t* object;
    std::size_t n;

    bool same_size(std::size_t k) const {
        const RleMask d = detections[detection[k]], o = objects[object[k]];
        return d.height == o.height && d.width == o.width;
    }
};

// Calls work(k, detection, object) for the pairs of one size, in parallel blocks of neighbours.
template <class Runs, RleFault (*read)(const RleMask&, Runs&), class Work>
void for_pairs(const MaskPairs& pairs, int threads, const Work& work) {
    constexpr std::size_t kBlock = 1 << 10;
    const std::size_t blocks = (pairs.n + kBlock - 1) / kBlock;
    const std::size_t workers = std::min<std::size_t>(threads > 1 ? threads : 1, blocks);
    std::atomic<std::size_t> next{0};
    parallel_for(workers, threads, [&](std::size_t) {
        DecodedPairs<Runs, read> decoded(pairs.detections, pairs.objects);
        for (std::size_t block = next.fetch_add(1); block < blocks; block = next.fetch_add(1)) {
            for (std::size_t k = block * kBlock; k < std::min(pairs.n, (block + 1) * kBlock); ++k) {
                if (pairs.same_size(k)) {
                    work(k, decoded.detection(pairs.detection[k]), decoded.object(pairs.object[k]));
                }
            }
        }
    });
}

// Fills `shared`, and where `either` is given also that, with what pycocotools' walk counts; 0 where sizes differ or a
// text is at fault.
inline void mask_intersections(const MaskPairs& pairs, double* shared, double* either, int threads) {
    std::fill(shared, shared + pairs.n, 0.0);
    if (!either) {
        for_pairs<Borders, read_borders>(pairs, threads, [&](std::size_t k, const Borders& d, const Borders& o) {
            shared[k] = static_cast<double>(shared_pixels(d, o));
        });
        return;
    }
    std::fill(either, either + pairs.n, 0.0);
    for_pairs<Counts, read_whole>(pairs, threads, [&](std::size_t k, const Counts& d, const Counts& o) {
        if (d.empty() || o.empty()) return;
        const RunOverlap made = walk_overlap(d, o);
        shared[k] = made.shared;
        either[k] = made.either;
    });
}

}  // namespace boxscore
