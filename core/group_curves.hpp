// From verdicts to precision at recall levels and to average precision, by classes or groups of classes.
// Only true positives move the envelope of a precision-recall curve, so a curve is kept as one number per true positive:
// how many false positives stand before it.
// `boxscore/_reference` holds the definition in plain Python; both must agree to the last bit.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "curve_types.hpp"
#include "ranking.hpp"

namespace boxscore {

template <class Word>
class GroupCurves {
   public:
    GroupCurves(const Verdicts& verdicts, const TieRules& ties, const Groups& groups, const std::vector<Slice>& slices,
                const CurveRules& rules, const ToFind& to_find, const CurveOutput& out)
        : v_(verdicts),
          ties_(ties),
          groups_(groups),
          slices_(slices),
          rules_(rules),
          to_find_(to_find),
          out_(out),
          all_(mask(verdicts.n_thresholds)),
          weighted_(verdicts.credits && to_find.weight != 1),
          ranking_(verdicts, ties, out.tied || ties.hits || verdicts.credits) {}

    void run(std::size_t g) {
        ranked_ = &ranking_.of(groups_, g);
        if (out_.tied) out_.tied[g] = count_tied(*ranked_);
        gather();
        for (std::size_t s = 0; s < slices_.size(); ++s) {
            walk(slices_[s]);
            for (int t = 0; t < v_.n_thresholds; ++t) {
                const std::size_t cell = (s * v_.n_thresholds + t) * groups_.n + g;
                out_.true_positives[cell] = static_cast<std::int64_t>(false_before_[t].size());
                out_.false_positives[cell] = false_[t] + plain_;
                if (out_.found) out_.found[cell] = found(t, false_before_[t].size());
            }
            const double positives = to_find(g, slices_[s].range);
            if (s < out_.n_drawn && positives > 0) draw(s, g, positives);
        }
    }

   private:
    double to_find(std::size_t g, int range) const {
        std::int64_t all = 0, absorbing = 0;
        for (std::int64_t i = groups_.first[g]; i < groups_.first[g + 1]; ++i) {
            const std::size_t cell = static_cast<std::size_t>(groups_.classes[i]) * v_.n_ranges + range;
            all += to_find_.all[cell];
            if (to_find_.absorbing) absorbing += to_find_.absorbing[cell];
        }
        return static_cast<double>(all - absorbing) + to_find_.weight * static_cast<double>(absorbing);
    }

    // Brings the verdicts into the order of the ranking, so that the walks read memory in order.
    void gather() {
        const std::size_t n = ranked_->size(), width = static_cast<std::size_t>(v_.n_ranges);
        hits_.resize(n * width);
        ignored_.resize(n * width);
        credits_.resize(v_.credits ? n * width : 0);
        rank_.resize(n);
        for (std::size_t i = 0; i < n; ++i) rank_[i] = v_.rank[(*ranked_)[i].row];
        gather(static_cast<const Word*>(v_.hits), width, hits_.data());
        gather(static_cast<const Word*>(v_.ignored), width, ignored_.data());
        if (v_.credits) gather(static_cast<const Word*>(v_.credits), width, credits_.data());
        // Most detections are false or ignored at every threshold, in each size range: these are only counted.
        const Word all = static_cast<Word>(all_);
        simple_.resize(n);
        plain_in_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const Word* const hits = hits_.data() + i * width;
            const Word* const lost = ignored_.data() + i * width;
            bool simple = true;
            std::uint64_t plain = 0;
            for (std::size_t a = 0; a < width; ++a) {
                simple &= (hits[a] == 0) & ((lost[a] == 0) | (lost[a] == all));
                plain |= static_cast<std::uint64_t>(lost[a] == 0) << a;
            }
            simple_[i] = simple;
            plain_in_[i] = plain;
        }
    }

    void gather(const Word* from, std::size_t width, Word* to) const {
        for (const Ranked& item : *ranked_) {
            const Word* words = from + item.row * width;
            for (std::size_t a = 0; a < width; ++a) *to++ = words[a];  // a few: a call of memcpy would take longer
        }
    }

    // Walks down the ranking of one slice and notes, at each threshold, the false positives before each true one.
    void walk(Slice slice) {
        const std::size_t n_t = static_cast<std::size_t>(v_.n_thresholds);
        false_before_.resize(n_t);
        places_.resize(n_t);
        sums_.resize(n_t);
        for (std::size_t t = 0; t < n_t; ++t) {
            false_before_[t].clear();
            places_[t].clear();
            sums_[t].clear();
        }
        false_.assign(n_t, 0);
        plain_ = 0;
        if (!ties_.hits && !v_.credits) {
            for (std::size_t i = 0; i < ranked_->size(); ++i) {
                if (simple_[i])
                    plain_ += static_cast<int>(plain_in_[i] >> slice.range & 1) & (rank_[i] < slice.cap);
                else
                    note(i, slice, all_);
            }
            return;
        }
        for (std::size_t begin = 0, end; begin < ranked_->size(); begin = end) {
            for (end = begin + 1; end < ranked_->size() && equal(begin, end); ++end) {
            }
            walk_equals(begin, end, slice);
        }
    }

    // Whether two neighbours of the ranking may change places: by the verdict, or because one is credited.
    bool equal(std::size_t i, std::size_t j) const {
        const Ranked &a = (*ranked_)[i], &b = (*ranked_)[j];
        return a.key == b.key && (ties_.hits || (!v_.tie && v_.image[a.row] == v_.image[b.row] && same_class(a, b)));
    }

    bool same_class(const Ranked& a, const Ranked& b) const {
        const std::int64_t low = std::min(a.row, b.row), high = std::max(a.row, b.row);
        return *std::upper_bound(v_.first, v_.first + v_.n_classes, low) > high;
    }

    void walk_equals(std::size_t begin, std::size_t end, Slice slice) {
        for (const bool first : {true, false})
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t at = i * static_cast<std::size_t>(v_.n_ranges) + static_cast<std::size_t>(slice.range);
                const std::uint64_t hit = hits_[at];
                const std::uint64_t early = ties_.hits > 0 ? hit : ties_.hits < 0 ? all_ & ~hit : credits_[at];
                note(i, slice, first ? early : all_ & ~early);
            }
    }

    // Notes what a detection is at some thresholds.
    void note(std::size_t i, Slice slice, std::uint64_t at) {
        if (rank_[i] >= slice.cap) return;
        const std::size_t cell = i * static_cast<std::size_t>(v_.n_ranges) + static_cast<std::size_t>(slice.range);
        const std::uint64_t hit = hits_[cell], ignored = ignored_[cell];
        if (!(hit | ignored) && at == all_) {
            ++plain_;  // false at every threshold
            return;
        }
        if (ignored == all_) return;
        for (std::uint64_t bits = hit & at; bits; bits &= bits - 1) {
            const int t = std::countr_zero(bits);
            false_before_[t].push_back(static_cast<std::int32_t>(false_[t] + plain_));
            if (weighted_) {
                const double worth = credits_[cell] >> t & 1 ? to_find_.weight : 1.0;
                sums_[t].push_back((sums_[t].empty() ? 0.0 : sums_[t].back()) + worth);
            }
            if (out_.level_score) places_[t].push_back(static_cast<std::uint32_t>(i));
        }
        for (std::uint64_t bits = at & ~(hit | ignored); bits; bits &= bits - 1) ++false_[std::countr_zero(bits)];
    }

    // The weight of the first n true positives.
    double found(int t, std::size_t n) const {
        return weighted_ ? (n ? sums_[t][n - 1] : 0.0) : static_cast<double>(static_cast<std::int64_t>(n));
    }

    void draw(std::size_t s, std::size_t g, double positives) {
        if (!weighted_) levels_as_counts(0, positives);
        for (int t = 0; t < v_.n_thresholds; ++t) {
            if (weighted_) levels_as_counts(t, positives);
            // Only the points within the bounds make the curve.
            std::size_t begin = 0, end = false_before_[t].size();
            while (begin < end && found(t, begin + 1) / positives < rules_.lowest_recall) ++begin;
            while (end > begin && found(t, end) / positives > rules_.highest_recall) --end;
            make_envelope(t, begin, end);
            if (out_.all_points) out_.all_points[(s * v_.n_thresholds + t) * groups_.n + g] = area(t, begin, end, positives);
            const std::size_t cell = ((g * out_.n_drawn + s) * v_.n_thresholds + t) * rules_.n_levels;
            for (int r = 0; r < rules_.n_levels && need_[r] <= end; ++r) {
                // A level that needs no true positive gets the highest precision of all.
                const std::size_t at = std::max(need_[r], begin + 1) - 1;
                if (out_.precision) out_.precision[cell + r] = at < end ? envelope_[at] : 0.0;
                if (out_.level_score) out_.level_score[cell + r] = level_score(t, need_[r], at, end, slices_[s].cap);
            }
        }
    }

    // The score of the first point that reaches a level: a true positive, or the very first where none is needed.
    double level_score(int t, std::size_t need, std::size_t at, std::size_t end, std::int32_t cap) const {
        if (need || rules_.lowest_recall > 0) return at < end ? v_.score[(*ranked_)[places_[t][at]].row] : 0;
        std::size_t i = 0;
        while (i < ranked_->size() && rank_[i] >= cap) ++i;
        const bool too_much = end == 0 && !places_[t].empty() && places_[t][0] == i;
        return i == ranked_->size() || too_much ? 0 : v_.score[(*ranked_)[i].row];
    }

    // The precision at each true positive, raised to the highest that follows.
    void make_envelope(int t, std::size_t begin, std::size_t end) {
        const std::vector<std::int32_t>& false_before = false_before_[t];
        envelope_.resize(end);
        if (weighted_) {
            for (std::size_t i = begin; i < end; ++i)
                envelope_[i] = sums_[t][i] / (static_cast<double>(false_before[i]) + sums_[t][i] + rules_.epsilon);
        } else {
            for (std::size_t i = begin; i < end; ++i) {
                const double tp = static_cast<double>(static_cast<std::int32_t>(i) + 1);
                envelope_[i] = tp / (static_cast<double>(false_before[i]) + tp + rules_.epsilon);
            }
        }
        for (std::size_t i = end; i-- > begin + 1;) envelope_[i - 1] = std::max(envelope_[i - 1], envelope_[i]);
    }

    // The smallest number of true positives whose recall reaches each level.
    void levels_as_counts(int t, double positives) {
        need_.resize(rules_.n_levels);
        const std::size_t beyond = std::numeric_limits<std::size_t>::max();
        for (int r = 0; r < rules_.n_levels; ++r) {
            std::size_t n = 0;
            if (weighted_) {
                while (n <= sums_[t].size() && !reaches(found(t, n), positives, r)) ++n;
                need_[r] = n > sums_[t].size() ? beyond : n;
            } else {
                n = static_cast<std::size_t>(rules_.levels[r] * positives);
                n = n ? n - 1 : 0;  // the product is rounded
                while (!reaches(static_cast<double>(n), positives, r)) ++n;
                need_[r] = n;
            }
        }
    }

    bool reaches(double found, double positives, int r) const {
        if (rules_.exact_levels) return found * (rules_.n_levels - 1) >= r * positives;
        return found / positives >= rules_.levels[r];
    }

    // The area under the envelope, added up from the left.
    double area(int t, std::size_t begin, std::size_t end, double positives) const {
        double sum = 0, before = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const double recall = found(t, i + 1) / positives;
            sum += (recall - before) * envelope_[i];
            before = recall;
        }
        return sum;
    }

    const Verdicts& v_;
    const TieRules& ties_;
    const Groups& groups_;
    const std::vector<Slice>& slices_;
    const CurveRules& rules_;
    const ToFind& to_find_;
    const CurveOutput& out_;
    const std::uint64_t all_;  // a bit for each threshold
    const bool weighted_;      // true positives do not all count the same
    Ranking ranking_;
    const std::vector<Ranked>* ranked_ = nullptr;
    std::vector<Word> hits_, ignored_, credits_;  // in the order of the ranking
    std::vector<std::uint8_t> simple_;            // false or ignored at every threshold, in each size range
    std::vector<std::uint64_t> plain_in_;         // and a bit for each range in which it is false
    std::vector<std::int32_t> rank_;
    // Of the slice at hand, by threshold: false positives before each true one, its place in the ranking (only where
    // scores are wanted), true positives by weight, false positives besides those that are false at every threshold.
    std::vector<std::vector<std::int32_t>> false_before_;
    std::vector<std::vector<std::uint32_t>> places_;
    std::vector<std::vector<double>> sums_;
    std::vector<std::int64_t> false_;
    std::int64_t plain_ = 0;
    std::vector<std::size_t> need_;
    std::vector<double> envelope_;
};

}  // namespace boxscore
