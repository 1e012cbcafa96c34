// Matching within one cell: who takes whom at which thresholds.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "candidates.hpp"
#include "cells.hpp"
#include "match_types.hpp"

namespace boxscore {

template <class Word>
class CellMatcher {
  public:
    explicit CellMatcher(const MatchTask& task)
        : task_(task), rules_(task.rules), all_(mask(rules_.n_thresholds)), candidates_(task) {}

    // Matches one cell: the pairs that may overlap enough, or all of them where these are not known.
    void run(const Cell& cell, const Pair* pairs, const Pair* last) {
        std::vector<Candidate>& found = candidates_.of(cell, pairs, last);
        const bool sequential = rules_.last_of_equals && !rules_.by_overlap;
        if (found.empty() && !(candidates_.undefined() && sequential)) return;
        const bool in_order = sequential && (candidates_.undefined() || rules_.slack > 0);
        objects_ = cell.objects_begin;
        taken_.assign(static_cast<std::size_t>(cell.objects_end - objects_) * rules_.n_ranges, 0);
        groups_.clear();
        for (Candidate *c = found.data(), *const end = c + found.size(); c < end; c = groups_.back().end) {
            groups_.push_back({c, c + 1});
            while (groups_.back().end < end && groups_.back().end->detection == c->detection) ++groups_.back().end;
            sort_by_preference(groups_.back());
        }
        if (in_order)
            decide_in_order(cell);
        else if (rules_.by_overlap)
            decide_by_overlap();
        else
            for (const Group& group : groups_) decide(group);
    }

    // A bit for each size range in which an object is to be found.
    std::uint64_t counted(std::size_t object) const {
        if (task_.objects.role_of(object) & (kIgnored | kLast)) return 0;
        return mask(rules_.n_ranges) & ~ranges_without(task_.objects, object);
    }

    // The verdict on some detections as long as they find nothing: most overlap nothing.
    void find_nothing(std::size_t begin, std::size_t end) {
        Word* to = static_cast<Word*>(task_.out.ignored) + begin * static_cast<std::size_t>(rules_.n_ranges);
        for (std::size_t row = begin; row < end; ++row) {
            const std::uint64_t missed = ranges_missed(row);
            for (int a = 0; a < rules_.n_ranges; ++a) *to++ = static_cast<Word>(missed >> a & 1 ? all_ : 0);
        }
    }

  private:
    // The candidates of one detection.
    struct Group {
        Candidate *begin, *end;
    };

    // The bits of one detection in one size range, a bit per threshold.
    struct Verdict {
        std::uint64_t open;  // nothing chosen yet
        std::uint64_t hit = 0, ignored = 0, matched = 0, credit = 0;
    };

    // A bit for each size range that a box is outside of.
    std::uint64_t ranges_without(const BoxColumns& table, std::size_t row) const {
        const double size = table.size_of(row);
        std::uint64_t bits = 0;
        for (int a = 0; a < rules_.n_ranges; ++a)
            bits |= static_cast<std::uint64_t>(!((size >= rules_.lowest[a]) & (size <= rules_.highest[a]))) << a;
        return bits;
    }

    // A bit for each size range in which the detection is ignored if it finds nothing.
    std::uint64_t ranges_missed(std::size_t row) const {
        if (task_.detections.role_of(row) & kExcused) return ~std::uint64_t{0};
        return rules_.ignore_outside ? ranges_without(task_.detections, row) : 0;
    }

    void sort_by_preference(const Group& group) const {
        if (group.end - group.begin == 1) return;
        const bool last = rules_.last_of_equals;
        std::sort(group.begin, group.end, [last](const Candidate& a, const Candidate& b) {
            if (a.overlap != b.overlap) return a.overlap > b.overlap;
            return last ? a.object > b.object : a.object < b.object;
        });
    }

    // The detection goes through its candidates, best first; each takes the thresholds that it passes, that are still
    // open, and at which its object may be looked at.
    void decide(const Group& group) {
        const std::uint64_t missed = ranges_missed(group.begin->detection);
        for (int a = 0; a < rules_.n_ranges; ++a) {
            Verdict verdict{all_};
            for (const Candidate* c = group.begin; c < group.end; ++c)
                if (!is_later(*c) && (!rules_.prefer_counted || !is_ignored(*c, a))) settle(*c, a, verdict);
            if (rules_.prefer_counted)
                for (const Candidate* c = group.begin; c < group.end; ++c)
                    if (!is_later(*c) && is_ignored(*c, a)) settle(*c, a, verdict);
            finish(group.begin->detection, group, a, missed, verdict);
        }
    }

    // The same where an overlap is no number, or where there is slack. Who takes the last of equals takes whatever does
    // not overlap less than the best so far (by more than the slack), and nothing overlaps less than what is no number:
    // who comes after it is taken in its place.
    void decide_in_order(const Cell& cell) {
        turns_.resize(cell.end - cell.begin);
        for_each_turn(task_.score + cell.begin, cell.end - cell.begin, rules_.last_first,
                      [&](std::uint32_t i, std::uint32_t turn) { turns_[turn] = cell.begin + i; });
        for (const std::uint32_t d : turns_) {
            const auto own = std::find_if(groups_.begin(), groups_.end(),
                                          [&](const Group& group) { return group.begin->detection == d; });
            const Group group = own == groups_.end() ? Group{nullptr, nullptr} : *own;
            measure(cell, d);
            for (int a = 0; a < rules_.n_ranges; ++a) {
                Verdict verdict{all_};
                for (int t = 0; t < rules_.n_thresholds; ++t) {
                    Candidate best{d, 0, 0, 0, 0, 0};
                    look(cell, a, t, rules_.prefer_counted ? 1 : 0, best);
                    if (rules_.prefer_counted && !best.passed) look(cell, a, t, -1, best);
                    if (best.passed) settle(best, a, verdict);
                }
                finish(d, group, a, ranges_missed(d), verdict);
            }
        }
    }

    // The overlaps of one detection with all objects of its cell.
    void measure(const Cell& cell, std::uint32_t d) {
        overlaps_.assign(cell.objects_end - cell.objects_begin, 0);
        const MeasuredPairs& pairs = task_.measured;
        if (pairs)
            for (std::int64_t k = pairs.first[d]; k < pairs.first[d + 1]; ++k)
                overlaps_[pairs.object[k] - cell.objects_begin] =
                    measured_overlap(pairs, static_cast<std::size_t>(k), task_.detections, d, task_.objects);
        else
            for (std::uint32_t o = cell.objects_begin; o < cell.objects_end; ++o)
                overlaps_[o - cell.objects_begin] =
                    careful_overlap(task_.detections, d, task_.objects, o, rules_.overlap);
    }

    // The objects of a cell one after the other: counted ones (1), ignored ones (-1) or all (0).
    void look(const Cell& cell, int a, int t, int which, Candidate& best) {
        for (std::uint32_t o = cell.objects_begin; o < cell.objects_end; ++o) {
            const Candidate c{best.detection,
                              o,
                              overlaps_[o - cell.objects_begin],
                              std::uint64_t{1} << t,
                              task_.out.counted[o],
                              task_.objects.role_of(o)};
            const bool other = which && is_ignored(c, a) == (which > 0);
            if (other || is_later(c) || (!rules_.even_if_taken && taken(c, a) >> t & 1)) continue;
            const double least =
                best.passed ? best.overlap - rules_.slack : lesser(rules_.thresholds[t], task_.objects.limit_of(o));
            if (!(c.overlap < least)) best = c;
        }
    }

    // The same for all detections of the cell at once: the pair with the largest overlap goes first.
    void decide_by_overlap() {
        for (int a = 0; a < rules_.n_ranges; ++a) {
            verdicts_.assign(groups_.size(), Verdict{all_});
            pairs_.clear();
            for (std::size_t i = 0; i < groups_.size(); ++i)
                for (const Candidate* c = groups_[i].begin; c < groups_[i].end; ++c)
                    if (!is_later(*c)) pairs_.emplace_back(c, i);
            if (rules_.by_object) keep_best_of_objects();
            std::stable_sort(pairs_.begin(), pairs_.end(), [&](const auto& x, const auto& y) {
                const bool last = is_ignored(*x.first, a);
                if (rules_.prefer_counted && last != is_ignored(*y.first, a)) return !last;
                return x.first->overlap > y.first->overlap;
            });
            for (const auto& [c, i] : pairs_) settle(*c, a, verdicts_[i]);
            for (std::size_t i = 0; i < groups_.size(); ++i)
                finish(groups_[i].begin->detection, groups_[i], a, ranges_missed(groups_[i].begin->detection),
                       verdicts_[i]);
        }
    }

    // Every object chooses: of its pairs the one that overlaps most stays, the earliest of equals.
    void keep_best_of_objects() {
        best_.assign(taken_.size() / rules_.n_ranges, nullptr);
        for (const auto& [c, i] : pairs_) {
            const Candidate*& best = best_[c->object - objects_];
            if (!best || c->overlap > best->overlap) best = c;
        }
        std::erase_if(pairs_, [&](const auto& pair) {
            return !(pair.first->role & kReusable) && best_[pair.first->object - objects_] != pair.first;
        });
    }

    // What has found nothing looks at absorbing objects, then at those that come last, absorbing ones after the others;
    // what is still unmatched may be ignored.
    void finish(std::size_t detection, const Group& group, int a, std::uint64_t missed, Verdict& verdict) {
        bool any_last = false;
        for (const Candidate* c = group.begin; c < group.end; ++c) {
            any_last |= (c->role & kLast) != 0;
            if ((c->role & (kAbsorbs | kLast)) == kAbsorbs) absorb(*c, a, verdict);
        }
        if (any_last) {
            verdict.open = all_ & ~(verdict.hit | verdict.ignored);
            for (const Candidate* c = group.begin; c < group.end; ++c)
                if ((c->role & (kAbsorbs | kLast)) == kLast) settle(*c, a, verdict);
            for (const Candidate* c = group.begin; c < group.end; ++c)
                if ((c->role & (kAbsorbs | kLast)) == (kAbsorbs | kLast)) absorb(*c, a, verdict);
        }
        if (missed >> a & 1) verdict.ignored |= all_ & ~verdict.matched;
        const std::size_t to = detection * static_cast<std::size_t>(rules_.n_ranges) + a;
        static_cast<Word*>(task_.out.hits)[to] = static_cast<Word>(verdict.hit);
        static_cast<Word*>(task_.out.ignored)[to] = static_cast<Word>(verdict.ignored);
        if (task_.out.credits) static_cast<Word*>(task_.out.credits)[to] = static_cast<Word>(verdict.credit);
    }

    bool leaves_free(std::size_t detection) const { return task_.detections.role_of(detection) & kLeavesFree; }
    static bool is_later(const Candidate& c) { return c.role & (kAbsorbs | kLast); }
    static bool is_ignored(const Candidate& c, int a) { return !(c.counted >> a & 1); }

    std::uint64_t& taken(const Candidate& c, int a) {
        return taken_[static_cast<std::size_t>(c.object - objects_) * rules_.n_ranges + a];
    }

    void settle(const Candidate& c, int a, Verdict& verdict) {
        std::uint64_t& taken_at = taken(c, a);
        const std::uint64_t chosen = verdict.open & c.passed & (rules_.even_if_taken ? all_ : ~taken_at);
        if (!chosen) return;
        const bool ignored = is_ignored(c, a);
        const bool any_number = c.role & kLast ? (c.role & kIgnored) != 0 : ignored;
        // A taken object can only be chosen where the rules look at taken objects; it makes a false positive.
        const std::uint64_t claimed = c.role & kVoid ? 0 : any_number ? chosen : chosen & ~taken_at;
        verdict.open &= ~chosen;
        verdict.matched |= claimed;
        (ignored ? verdict.ignored : verdict.hit) |= any_number ? chosen : claimed;
        if (!(c.role & kReusable) && !rules_.shared && !leaves_free(c.detection)) taken_at |= chosen;
        if (task_.out.object) note_pair(c, a, claimed);
    }

    // An absorbing object takes everything; the first that it takes is credited, the others are ignored.
    void absorb(const Candidate& c, int a, Verdict& verdict) {
        const std::uint64_t chosen = all_ & ~(verdict.hit | verdict.ignored) & c.passed;
        if (!chosen) return;
        const bool worthy = !is_ignored(c, a) && task_.score[c.detection] > rules_.credit_floor;
        const std::uint64_t credit = worthy ? chosen & ~taken(c, a) : 0;
        taken(c, a) |= credit;
        verdict.matched |= chosen;
        verdict.hit |= credit;
        verdict.credit |= credit;
        verdict.ignored |= chosen & ~credit;
        if (task_.out.object) note_pair(c, a, chosen);
    }

    void note_pair(const Candidate& c, int a, std::uint64_t bits) {
        const std::size_t cell = c.detection * static_cast<std::size_t>(rules_.n_ranges) + a;
        for (; bits; bits &= bits - 1) {
            const std::size_t to = cell * rules_.n_thresholds + std::countr_zero(bits);
            task_.out.object[to] = static_cast<std::int32_t>(c.object);
            task_.out.overlap[to] = c.overlap;
        }
    }

    const MatchTask& task_;
    const MatchRules& rules_;
    const std::uint64_t all_;  // a bit for each threshold
    Candidates candidates_;
    std::uint32_t objects_ = 0;  // the first of the cell
    std::vector<Group> groups_;
    std::vector<std::uint64_t> taken_;  // (objects, ranges) bit per threshold
    std::vector<std::pair<const Candidate*, std::size_t>> pairs_;
    std::vector<const Candidate*> best_;  // of each object of the cell
    std::vector<Verdict> verdicts_;
    std::vector<std::uint32_t> turns_;  // detections of a cell as they choose
    std::vector<double> overlaps_;      // of one detection with the objects of its cell
};

}  // namespace boxscore
