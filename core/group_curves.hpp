// From verdicts to precision at recall levels and to average precision, by classes or groups of classes.
// Only true positives move the envelope of a precision-recall curve, so a curve is kept as one number per true
// positive: how many false positives stand before it. `boxscore/_reference` holds the definition in plain Python; both
// must agree to the last bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "curve_types.hpp"
#include "pairwise_sum.hpp"
#include "ranking.hpp"
#include "walk.hpp"

namespace boxscore {

template <class Word>
class GroupCurves {
  public:
    GroupCurves(const Verdicts& verdicts, const TieRules& ties, const Groups& groups, const std::vector<Slice>& slices,
                const CurveRules& rules, const ToFind& to_find, const CurveOutput& out, int threads)
        : v_(verdicts),
          groups_(groups),
          slices_(slices),
          rules_(rules),
          to_find_(to_find),
          out_(out),
          n_cells_(out.n_drawn * static_cast<std::size_t>(verdicts.n_thresholds * rules.n_levels)),
          weighted_(verdicts.credits && to_find.weight != 1),
          ranking_(verdicts, ties, groups.n > 1 ? 1 : threads),
          walk_(verdicts, ties, slices) {
        for (const Slice& slice : slices) most_ = std::max(most_, slice.cap);
    }

    // Draws the curves of the groups [first, last).
    void run(std::size_t first, std::size_t last) {
        precision_.assign(out_.precision ? (last - first) * n_cells_ : 0, 0.0);  // 0 is what a curve does not reach
        level_score_.assign(out_.level_score ? (last - first) * n_cells_ : 0, 0.0);
        for (std::size_t g = first; g < last; ++g) run_one(g, (g - first) * n_cells_);
        if (out_.precision) hand_out(precision_, first, last, out_.precision);
        if (out_.level_score) hand_out(level_score_, first, last, out_.level_score);
    }

  private:
    // Draws the curves of one group; what it has at levels begins at `to`.
    void run_one(std::size_t g, std::size_t to) {
        rows_ = ranking_.of(groups_, g);
        if (out_.tied) out_.tied[g] = count_tied(v_, rows_, most_);
        walk_.start(rows_);
        for (std::size_t s = 0; s < slices_.size(); ++s) {
            walk_.go(s);
            const double positives = to_find(g, slices_[s].range);
            const bool drawn = s < out_.n_drawn && positives > 0;
            if (drawn && !weighted_) levels_as_counts(positives);
            for (int t = 0; t < v_.n_thresholds; ++t) {
                const std::int64_t wrong = look_at(t, slices_[s].range);
                const std::size_t cell = (s * v_.n_thresholds + t) * groups_.n + g;
                out_.true_positives[cell] = static_cast<std::int64_t>(n_true_);
                out_.false_positives[cell] = wrong;
                if (out_.found) out_.found[cell] = found(n_true_);
                if (out_.wrong) out_.wrong[cell] = v_.share ? share_ : static_cast<double>(wrong);
                if (drawn) draw(s, t, g, to, positives);
            }
        }
    }

    // Official codes average over an array in which the class is the last axis.
    void hand_out(const std::vector<double>& values, std::size_t first, std::size_t last, double* to) const {
        for (std::size_t cell = 0; cell < n_cells_; ++cell)
            for (std::size_t g = first; g < last; ++g) to[cell * groups_.n + g] = values[(g - first) * n_cells_ + cell];
    }

    double to_find(std::size_t g, int range) const {
        std::int64_t all = 0, absorbing = 0;
        for (std::int64_t i = groups_.first[g]; i < groups_.first[g + 1]; ++i) {
            const std::size_t cell = static_cast<std::size_t>(groups_.classes[i]) * v_.n_ranges + range;
            all += to_find_.all[cell];
            if (to_find_.absorbing) absorbing += to_find_.absorbing[cell];
        }
        return static_cast<double>(all - absorbing) + to_find_.weight * static_cast<double>(absorbing);
    }

    // Of the slice at hand at one threshold: the false positives before each true one, and what else is wanted of
    // these. Returns how many false positives there are. Without branches: which of its thresholds a hit reaches is
    // anybody's guess.
    std::int64_t look_at(int t, int range) {
        false_before_.resize(walk_.events.size() + 1);
        std::size_t n = 0;
        std::int64_t wrong = 0;
        for (const Event<Word>& e : walk_.events) {
            false_before_[n] = e.plain + static_cast<std::int32_t>(wrong);
            n += e.hit >> t & 1;
            wrong += e.wrong >> t & 1;
        }
        n_true_ = n;
        hit_rows_.clear();
        if (out_.level_score || weighted_)
            for (const Event<Word>& e : walk_.events)
                if (e.hit >> t & 1) hit_rows_.push_back(e.row);
        if (weighted_) add_up(t, range);
        if (v_.share) add_up_shares(t, range);
        return wrong + walk_.plain;
    }

    // The false positives before each true one, and all of them, by share.
    void add_up_shares(int t, int range) {
        shares_before_.clear();
        share_ = 0;
        for (const Event<Word>& e : walk_.events) {
            if (e.hit >> t & 1) shares_before_.push_back(share_);
            const std::size_t cell = e.row * static_cast<std::size_t>(v_.n_ranges) + static_cast<std::size_t>(range);
            if (e.wrong >> t & 1) share_ += v_.share[cell];
        }
    }

    double false_before(std::size_t i) const {
        return v_.share ? shares_before_[i] : static_cast<double>(false_before_[i]);
    }

    // The true positives by weight.
    void add_up(int t, int range) {
        sums_.clear();
        double sum = 0;
        for (const std::uint32_t row : hit_rows_) {
            const std::size_t cell = row * static_cast<std::size_t>(v_.n_ranges) + static_cast<std::size_t>(range);
            sums_.push_back(sum += static_cast<const Word*>(v_.credits)[cell] >> t & 1 ? to_find_.weight : 1.0);
        }
    }

    // The weight of the first n true positives.
    double found(std::size_t n) const {
        return weighted_ ? (n ? sums_[n - 1] : 0.0) : static_cast<double>(static_cast<std::int64_t>(n));
    }

    void draw(std::size_t s, int t, std::size_t g, std::size_t to, double positives) {
        if (weighted_) levels_as_counts(positives);
        // Only the points within the bounds make the curve.
        std::size_t begin = 0, end = n_true_;
        while (begin < end && found(begin + 1) / positives < rules_.lowest_recall) ++begin;
        while (end > begin && found(end) / positives > rules_.highest_recall) --end;
        make_envelope(begin, end);
        if (out_.all_points) out_.all_points[(s * v_.n_thresholds + t) * groups_.n + g] = area(begin, end, positives);
        const std::size_t cell = to + (s * v_.n_thresholds + t) * rules_.n_levels;
        for (int r = 0; r < rules_.n_levels && need_[r] <= end; ++r) {
            // A level that needs no true positive gets the highest precision of all.
            const std::size_t at = std::max(need_[r], begin + 1) - 1;
            if (out_.precision) precision_[cell + r] = at < end ? envelope_[at] : 0.0;
            if (out_.level_score) level_score_[cell + r] = level_score(need_[r], at, end, slices_[s].cap);
        }
    }

    // The score of the first point that reaches a level: a true positive, or the very first where none is needed.
    double level_score(std::size_t need, std::size_t at, std::size_t end, std::int32_t cap) const {
        if (need || rules_.lowest_recall > 0) return at < end ? v_.score[hit_rows_[at]] : 0;
        const std::uint32_t* const top =
            std::find_if(rows_.begin(), rows_.end(), [&](std::uint32_t row) { return v_.rank[row] < cap; });
        const bool too_much = end == 0 && !hit_rows_.empty() && top != rows_.end() && hit_rows_[0] == *top;
        return top == rows_.end() || too_much ? 0 : v_.score[*top];
    }

    // The precision at each true positive, raised to the highest that follows.
    void make_envelope(std::size_t begin, std::size_t end) {
        envelope_.resize(end);
        if (weighted_) {
            for (std::size_t i = begin; i < end; ++i)
                envelope_[i] = sums_[i] / (false_before(i) + sums_[i] + rules_.epsilon);
        } else {
            for (std::size_t i = begin; i < end; ++i) {
                const double tp = static_cast<double>(static_cast<std::int32_t>(i) + 1);
                envelope_[i] = tp / (false_before(i) + tp + rules_.epsilon);
            }
        }
        for (std::size_t i = end; i-- > begin + 1;) envelope_[i - 1] = std::max(envelope_[i - 1], envelope_[i]);
    }

    // The smallest number of true positives whose recall reaches each level.
    void levels_as_counts(double positives) {
        need_.resize(rules_.n_levels);
        const std::size_t beyond = std::numeric_limits<std::size_t>::max();
        for (int r = 0; r < rules_.n_levels; ++r) {
            std::size_t n = 0;
            if (weighted_) {
                while (n <= sums_.size() && !reaches(found(n), positives, r)) ++n;
                need_[r] = n > sums_.size() ? beyond : n;
            } else {
                n = static_cast<std::size_t>(rules_.levels[r] * positives);
                n = n ? n - 1 : 0;  // the product is rounded
                while (!reaches(static_cast<double>(n), positives, r)) ++n;
                need_[r] = n;
            }
        }
    }

    bool reaches(double found, double positives, int r) const {
        if (rules_.above_levels) return found / positives > rules_.levels[r];
        if (rules_.exact_levels) return found * (rules_.n_levels - 1) >= r * positives;
        return found / positives >= rules_.levels[r];
    }

    // The area under the envelope, added up from the left. NumPy's sum depends on how many steps there are, so that it
    // is told of those that exist: where recall grows, and to 1 at the end.
    double area(std::size_t begin, std::size_t end, double positives) {
        double sum = 0, before = 0;
        steps_.clear();
        for (std::size_t i = begin; i < end; ++i) {
            const double recall = found(i + 1) / positives, step = (recall - before) * envelope_[i];
            if (!rules_.pairwise)
                sum += step;
            else if (recall != before)
                steps_.push_back(step);
            before = recall;
        }
        if (!rules_.pairwise) return sum;
        if (before != 1) steps_.push_back(0);
        return pairwise_sum(steps_.data(), steps_.size());
    }

    const Verdicts& v_;
    const Groups& groups_;
    const std::vector<Slice>& slices_;
    const CurveRules& rules_;
    const ToFind& to_find_;
    const CurveOutput& out_;
    const std::size_t n_cells_;  // (drawn, thresholds, levels)
    std::int32_t most_ = 0;      // the largest cap
    const bool weighted_;        // true positives do not all count the same
    Ranking ranking_;
    Walk<Word> walk_;
    Rows rows_{};  // of the group, as they are ranked
    // Of the threshold at hand, by true positive: false positives before it, its row (only where scores or weights are
    // wanted), the weight of all so far.
    std::vector<std::int32_t> false_before_;
    std::vector<std::uint32_t> hit_rows_;
    std::vector<double> sums_, shares_before_;
    double share_ = 0;  // all false positives, by share
    std::size_t n_true_ = 0;
    std::vector<std::size_t> need_;
    std::vector<double> precision_, level_score_;  // (groups at hand, drawn, thresholds, levels)
    std::vector<double> envelope_, steps_;
};

}  // namespace boxscore
