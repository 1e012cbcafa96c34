// Cells: all detections and objects of one class in one image, and who may meet whom in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "aligned.hpp"
#include "box.hpp"
#include "parallel.hpp"

namespace boxscore {

struct Cell {
    std::uint32_t begin, end;                  // detections
    std::uint32_t objects_begin, objects_end;  // objects of the same class and image
};

// A detection and an object of a cell.
struct Pair {
    std::uint32_t detection, object;
};

// Which pairs can reach the lowest threshold that anybody asks for.
struct MayMeet {
    const double* d_corners;
    const double* d_area;  // w * h as the source has it
    const double* o_corners;
    const double* o_area;
    const double* floor;       // per object: the lowest threshold
    const std::uint8_t* over;  // per object: the overlap may be taken over the detection's own area

    // No overlap exceeds the shared area over the larger of the two, nor does a pixel more on each side lower that.
    // Areas of the source may be off by the rounding of the corners, so that they are looked at as well.
    bool overlap(std::size_t d, std::size_t o) const {
        const double* const a = d_corners + 4 * d;
        const double* const b = o_corners + 4 * o;
        const double w = lesser(a[2], b[2]) - greater(a[0], b[0]), h = lesser(a[3], b[3]) - greater(a[1], b[1]);
        const double wider = greater(w + 1, zero), higher = greater(h + 1, zero);
        const double both = wider * higher;
        if (!(both > 0)) return false;
        const double least = floor[o] * (1 - 1e-9);
        const double d_whole = (a[2] - a[0] + 1) * (a[3] - a[1] + 1), o_whole = (b[2] - b[0] + 1) * (b[3] - b[1] + 1);
        if (both >= least * (over[o] ? d_whole : greater(d_whole, o_whole))) return true;
        const double inner = greater(w, zero) * greater(h, zero);
        return inner >= least * (over[o] ? d_area[d] : greater(d_area[d], o_area[o])) ||
               inner > lesser(d_area[d], o_area[o]);
    }

    double zero = 0;  // a variable, see OverlapRule
};

// One side of pairs that are to be measured: boxes around, and areas of what is in them.
struct PairSide {
    const double* corners;      // none: nothing is known
    const double* area;         // none where it bounds nothing
    const std::uint32_t* rows;  // where a row of the cells stands in the columns; none: at its own place

    std::size_t row(std::size_t i) const { return rows ? rows[i] : i; }
};

// Which pairs may overlap by the floor of the object, and be it in a point where there is none.
struct PairBounds {
    PairSide detections, objects;
    const double* floor;       // per object; none: any overlap counts
    const std::uint8_t* over;  // per object: the overlap may be taken over the detection's own area

    bool may_overlap(std::size_t d, std::size_t o) const {
        if (!detections.corners) return true;
        d = detections.row(d);
        o = objects.row(o);
        const double *const a = detections.corners + 4 * d, *const b = objects.corners + 4 * o;
        const double left = greater(a[0], b[0]), right = lesser(a[2], b[2]);
        const double top = greater(a[1], b[1]), bottom = lesser(a[3], b[3]);
        if (!(right >= left && bottom >= top)) return false;
        if (!floor) return true;
        // What two have in common is in both boxes and in both of them.
        const double own = detections.area[d], other = objects.area[o];
        const double both = lesser((right - left) * (bottom - top), lesser(own, other));
        return both >= floor[o] * (1 - 1e-9) * (over[o] ? own : own + other - both);
    }
};

// The cells that have detections, in the order (class, image), and who may meet whom in them.
class Cells {
  public:
    // Detections and objects of class k are rows first[k] .. first[k + 1] - 1 of columns in the order of the cells.
    Cells(std::vector<Cell>&& all, std::vector<std::int64_t>&& first, std::vector<std::int64_t>&& objects_first)
        : first(std::move(first)), objects_first(std::move(objects_first)), cells_(std::move(all)) {
        for (const Cell& cell : cells_) largest = std::max(largest, cell.end - cell.begin);
        // What one thread works on at a time.
        constexpr std::uint32_t kBlock = 1 << 13;
        for (std::size_t c = 0; c < cells_.size(); ++c)
            if (c == 0 || cells_[c].end - cells_[starts_.back()].begin > kBlock) starts_.push_back(c);
        starts_.push_back(cells_.size());
    }

    // Finds the pairs of boxes that may overlap by the floor of the object, whatever the rule: once for all protocols
    // with no threshold below the floor.
    void find_meets(const MayMeet& may, int threads) {
        meeting_.assign(n_blocks(), {});
        parallel_for(n_blocks(), threads, [&](std::size_t b) {
            for (std::size_t c = starts_[b]; c < starts_[b + 1]; ++c) meeting_[b].add(cells_[c], may);
        });
    }

    // Calls work(worker, cell, pairs, last) for every cell, or for those with pairs where these are known and asked
    // for; else both are null. Each block of neighbours has a worker of its own, made for all of its rows.
    template <class Make, class Work>
    void for_each(int threads, bool meeting, const Make& make, const Work& work) const {
        parallel_for(n_blocks(), threads, [&](std::size_t b) {
            const Cell &one = cells_[starts_[b]], &last = cells_[starts_[b + 1] - 1];
            auto worker = make(Cell{one.begin, last.end, one.objects_begin, last.objects_end});
            if (!meeting || meeting_.empty()) {
                for (std::size_t c = starts_[b]; c < starts_[b + 1]; ++c) work(worker, cells_[c], nullptr, nullptr);
                return;
            }
            const Pair* pair = meeting_[b].pairs.data();
            for (const auto& [cell, n] : meeting_[b].cells) {
                work(worker, cell, pair, pair + n);
                pair += n;
            }
        });
    }

    // The objects of its cell that each detection has to be measured with: first (detections + 1) and the objects
    // themselves, ascending. With bounds only those that may overlap.
    std::pair<AlignedVector<std::int64_t>, AlignedVector<std::uint32_t>> find_pairs(const PairBounds& bounds,
                                                                                    int threads) const {
        AlignedVector<std::int64_t> first(total() + 1, 0);
        for_each(threads, [&](const Cell& cell) {
            for (std::uint32_t d = cell.begin; d < cell.end; ++d)
                for (std::uint32_t o = cell.objects_begin; o < cell.objects_end; ++o)
                    first[d + 1] += bounds.may_overlap(d, o);
        });
        std::partial_sum(first.begin(), first.end(), first.begin());
        AlignedVector<std::uint32_t> objects(static_cast<std::size_t>(first.back()));
        for_each(threads, [&](const Cell& cell) {
            for (std::uint32_t d = cell.begin; d < cell.end; ++d) {
                std::uint32_t* to = objects.data() + first[d];
                if (first[d] == first[d + 1]) continue;
                for (std::uint32_t o = cell.objects_begin; o < cell.objects_end; ++o)
                    if (bounds.may_overlap(d, o)) *to++ = o;
            }
        });
        return {std::move(first), std::move(objects)};
    }

    // Calls work(cell) for every cell.
    template <class Work>
    void for_each(int threads, const Work& work) const {
        parallel_for(n_blocks(), threads, [&](std::size_t b) {
            for (std::size_t c = starts_[b]; c < starts_[b + 1]; ++c) work(cells_[c]);
        });
    }

    std::size_t total() const { return static_cast<std::size_t>(first.back()); }
    std::size_t total_objects() const { return static_cast<std::size_t>(objects_first.back()); }
    std::size_t n_labels() const { return first.size() - 1; }

    std::vector<std::int64_t> first, objects_first;  // (labels + 1)
    std::uint32_t largest = 0;                       // detections in a cell

  private:
    // Pairs of some cells, and how many each of these cells has.
    struct Meeting {
        void add(const Cell& cell, const MayMeet& may) {
            const std::size_t before = pairs.size();
            for (std::uint32_t d = cell.begin; d < cell.end; ++d)
                for (std::uint32_t o = cell.objects_begin; o < cell.objects_end; ++o)
                    if (may.overlap(d, o)) pairs.push_back({d, o});
            if (pairs.size() > before) cells.emplace_back(cell, static_cast<std::uint32_t>(pairs.size() - before));
        }

        std::vector<std::pair<Cell, std::uint32_t>> cells;
        std::vector<Pair> pairs;
    };

    std::size_t n_blocks() const { return starts_.size() - 1; }

    std::vector<Cell> cells_;
    std::vector<std::size_t> starts_;  // the cells of block b: starts_[b] .. starts_[b + 1] - 1
    std::vector<Meeting> meeting_;     // by block; empty where pairs are not known
};

}  // namespace boxscore
