// Pairs of a cell that overlap enough for any threshold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "cells.hpp"
#include "match_types.hpp"

namespace boxscore {

struct Candidate {
    std::uint32_t detection, object;
    double overlap;
    std::uint64_t passed;   // a bit for each threshold that the overlap passes
    std::uint64_t counted;  // a bit for each size range in which the object is to be found
    std::uint8_t role;      // of the object
};

// Calls note(i, turn) for each detection of a cell: when its turn comes, if the last of equal scores goes first or not.
template <class Note>
void for_each_turn(const double* score, std::uint32_t n, bool last_first, const Note& note) {
    for (std::uint32_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && score[end] == score[begin]; ++end) {}
        for (std::uint32_t i = begin; i < end; ++i) note(i, last_first ? begin + (end - 1 - i) : i);
    }
}

class Candidates {
  public:
    explicit Candidates(const MatchTask& task)
        : task_(task),
          rules_(task.rules),
          well_below_(rules_.overlap.single ? 1 - 1e-6 : 1 - 1e-9),
          least_(*std::min_element(rules_.thresholds, rules_.thresholds + rules_.n_thresholds)) {}

    // Those of a cell, by detection as their turns come. Without pairs, every one is looked at.
    std::vector<Candidate>& of(const Cell& cell, const Pair* pair, const Pair* last) {
        found_.clear();
        undefined_ = false;
        if (rules_.last_first || cell.end - cell.begin > rules_.cap) take_turns(cell);
        if (task_.measured) {
            for (std::uint32_t d = cell.begin; d < cell.end; ++d) consider_measured(d);
        } else if (pair) {
            for (; pair < last; ++pair) consider(pair->detection, pair->object);
        } else {
            for (std::uint32_t d = cell.begin; d < cell.end; ++d)
                for (std::uint32_t o = cell.objects_begin; o < cell.objects_end; ++o) consider(d, o);
        }
        const auto turn = [&](const Candidate& c) { return turn_[c.detection - cell.begin]; };
        if (cell.end - cell.begin > rules_.cap)
            found_.erase(std::remove_if(found_.begin(), found_.end(), [&](auto& c) { return turn(c) >= rules_.cap; }),
                         found_.end());
        if (rules_.last_first)
            std::stable_sort(found_.begin(), found_.end(), [&](auto& a, auto& b) { return turn(a) < turn(b); });
        return found_;
    }

    // Whether an overlap of the cell is no number: areas may be infinite.
    bool undefined() const { return undefined_; }

  private:
    void take_turns(const Cell& cell) {
        turn_.resize(cell.end - cell.begin);
        for_each_turn(task_.score + cell.begin, cell.end - cell.begin, rules_.last_first,
                      [&](std::uint32_t i, std::uint32_t turn) { turn_[i] = turn; });
    }

    void consider(std::uint32_t d, std::uint32_t o) {
        const auto [both, whole] = overlap_parts(task_.detections, d, task_.objects, o, rules_.overlap);
        const double limit = task_.objects.limit_of(o), least = lesser(least_, limit);
        if (both < least * well_below_ * whole) return;  // spares the division
        const double overlap = rules_.overlap.single ? static_cast<float>(both / whole) : both / whole;
        if (overlap >= least)
            found_.push_back(
                {d, o, overlap, thresholds_passed(overlap, limit), task_.out.counted[o], task_.objects.role_of(o)});
        else if (overlap != overlap && !rules_.overlap.single)  // there it is compared as it is, and matches nothing
            undefined_ |= std::isnan(careful_overlap(task_.detections, d, task_.objects, o, rules_.overlap));
    }

    void consider_measured(std::uint32_t d) {
        for (std::int64_t k = task_.measured.first[d]; k < task_.measured.first[d + 1]; ++k) {
            const std::uint32_t o = task_.measured.object[k];
            const double limit = task_.objects.limit_of(o);
            const double overlap =
                measured_overlap(task_.measured, static_cast<std::size_t>(k), task_.detections, d, task_.objects);
            if (overlap >= lesser(least_, limit))
                found_.push_back(
                    {d, o, overlap, thresholds_passed(overlap, limit), task_.out.counted[o], task_.objects.role_of(o)});
            else
                undefined_ |= std::isnan(overlap);
        }
    }

    std::uint64_t thresholds_passed(double overlap, double limit) const {
        std::uint64_t bits = 0;
        for (int t = 0; t < rules_.n_thresholds; ++t)
            bits |= static_cast<std::uint64_t>(overlap >= lesser(rules_.thresholds[t], limit)) << t;
        return bits;
    }

    const MatchTask& task_;
    const MatchRules& rules_;
    const double well_below_;  // an overlap that is less than this part of its threshold cannot reach it by rounding
    const double least_;       // threshold
    std::vector<Candidate> found_;
    bool undefined_ = false;
    std::vector<std::uint32_t> turn_;  // of each detection of the cell
};

}  // namespace boxscore
