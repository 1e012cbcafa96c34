// Matching within one cell: candidates, their order, and who takes whom at which thresholds.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "cells.hpp"
#include "match_types.hpp"

namespace boxscore {

struct Candidate {
    std::uint32_t detection, object;  // whose turn it is; position in the cell
    double overlap;
    std::uint64_t passed;  // a bit for each threshold that the overlap passes
};

// The bits of one detection in one size range, a bit per threshold.
struct Verdict {
    std::uint64_t open;  // nothing chosen yet
    std::uint64_t hit, ignored, matched, credit;
};

// What one thread needs while it works through its cells.
struct Scratch {
    std::vector<Candidate> candidates;
    std::vector<std::uint32_t> first;    // candidates of detection i: first[i] .. first[i + 1]
    std::vector<std::uint64_t> taken;    // (objects, ranges) bit per threshold
    std::vector<std::uint64_t> outside;  // per object: bit for each range in which it is ignored
    std::vector<const Candidate*> pairs;
    std::vector<std::uint32_t> turn, slot;  // see CellMatcher::take_turns
    std::vector<Verdict> verdicts;
};

template <class Word>
class CellMatcher {
   public:
    CellMatcher(const MatchTask& task, const Cells& cells, Scratch& scratch)
        : task_(task),
          cells_(cells),
          rules_(task.rules),
          s_(scratch),
          all_(mask(rules_.n_thresholds)),
          least_(*std::min_element(rules_.thresholds, rules_.thresholds + rules_.n_thresholds)) {
        // The last double below an end that does not belong to its range.
        for (int a = 0; a < rules_.n_ranges; ++a)
            highest_[a] = rules_.closed_ranges ? rules_.highest[a] : std::nextafter(rules_.highest[a], -HUGE_VAL);
    }

    // Matches one cell.
    void run(const Cell& cell) {
        rows_ = cells_.dets.rows.data() + cell.begin;
        objects_ = cells_.objs.rows.data() + cell.objects_begin;
        out_ = cell.out;
        const std::uint32_t n = cell.end - cell.begin, n_objects = cell.objects_end - cell.objects_begin;
        const std::uint32_t kept = std::min(n, rules_.cap);
        turn_ = slot_ = nullptr;
        if (rules_.last_first) take_turns(n, kept);
        for (std::uint32_t i = kept; i < n; ++i) task_.out.cut[row(i)] = 1;
        if (n_objects) find_candidates(cell.place, kept, n_objects);
        if (task_.out.row || task_.out.rank) describe(kept);
        if (task_.out.tie) break_ties(n, kept);
        if (n_objects && rules_.by_overlap) return decide_by_overlap(kept);
        for (std::uint32_t i = 0; i < kept; ++i) {
            if (n_objects && s_.first[i + 1] > s_.first[i])
                decide(i);
            else
                unmatched(i);
        }
    }

    // A bit for each size range that the size is outside of.
    std::uint64_t ranges_without(double size) const {
        std::uint64_t bits = 0;
        for (int a = 0; a < rules_.n_ranges; ++a)
            bits |= static_cast<std::uint64_t>(!((size >= rules_.lowest[a]) & (size <= highest_[a]))) << a;
        return bits;
    }

   private:
    // Detections take their turns by descending score; verdicts stand in the order of scores and rows. The two differ
    // where the last of equal scores chooses first: then turn_ says whose turn it is, slot_ where the verdict goes.
    void take_turns(std::uint32_t n, std::uint32_t kept) {
        bool tied = false;
        for (std::uint32_t i = 1; i < n; ++i) tied |= task_.score[rows_[i]] == task_.score[rows_[i - 1]];
        if (!tied) return;
        s_.turn.resize(n);
        for (std::uint32_t begin = 0, end; begin < n; begin = end) {
            for (end = begin + 1; end < n && task_.score[rows_[end]] == task_.score[rows_[begin]]; ++end) {
            }
            for (std::uint32_t i = begin; i < end; ++i) s_.turn[i] = begin + (end - 1 - i);
        }
        s_.slot.assign(n, 0);
        for (std::uint32_t i = 0; i < kept; ++i) s_.slot[s_.turn[i]] = 1;
        std::exclusive_scan(s_.slot.begin(), s_.slot.end(), s_.slot.begin(), 0U);
        turn_ = s_.turn.data();
        slot_ = s_.slot.data();
    }

    // Of the detection whose turn is the i-th: its place among the sorted rows, its row, where its verdict goes.
    std::uint32_t place(std::uint32_t i) const { return turn_ ? turn_[i] : i; }
    std::uint32_t row(std::uint32_t i) const { return rows_[place(i)]; }
    std::size_t at(std::uint32_t i) const { return out_ + (slot_ ? slot_[turn_[i]] : i); }

    void describe(std::uint32_t kept) {
        for (std::uint32_t i = 0; i < kept; ++i) {
            if (task_.out.rank) task_.out.rank[at(i)] = static_cast<std::int32_t>(i);
            if (!task_.out.row) continue;
            task_.out.row[at(i)] = row(i);
            task_.out.image[at(i)] = task_.detections.image[row(i)];
            task_.out.score[at(i)] = task_.score[row(i)];
        }
    }

    void break_ties(std::uint32_t n, std::uint32_t kept) {
        std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
        for (std::uint32_t i = 0; i < n; ++i) earliest = std::min(earliest, task_.position[rows_[i]]);
        for (std::uint32_t i = 0; i < kept; ++i)
            task_.out.tie[at(i)] = rules_.tie == Tie::earliest ? earliest : task_.position[row(i)];
    }

    void find_candidates(std::size_t begin, std::uint32_t kept, std::uint32_t n_objects) {
        s_.candidates.clear();
        s_.first.resize(kept + 1);
        s_.first[0] = 0;
        const bool known = !cells_.meets_first.empty();
        for (std::uint32_t i = 0; i < kept; ++i) {
            if (known) {
                const std::uint32_t* const first = cells_.meets_first.data() + begin + place(i);
                for (std::uint32_t m = first[0]; m < first[1]; ++m) consider(i, cells_.meets[m]);
            } else {
                for (std::uint32_t g = 0; g < n_objects; ++g) consider(i, g);
            }
            s_.first[i + 1] = static_cast<std::uint32_t>(s_.candidates.size());
        }
        if (s_.candidates.empty()) return;
        s_.outside.resize(n_objects);
        for (std::uint32_t g = 0; g < n_objects; ++g) {
            const std::uint32_t row = objects_[g];
            const bool never = task_.objects.role[row] & kIgnored;
            s_.outside[g] = never ? ~std::uint64_t{0} : ranges_without(task_.objects.size[row]);
        }
        s_.taken.assign(static_cast<std::size_t>(n_objects) * rules_.n_ranges, 0);
    }

    // Makes a pair a candidate if it overlaps enough for any threshold.
    void consider(std::uint32_t i, std::uint32_t g) {
        const std::size_t d = row(i), o = objects_[g];
        const double both = intersection(task_.detections.corners + 4 * d, task_.objects.corners + 4 * o, rules_.overlap);
        const double area = task_.detections.area[d];
        const bool over_detection = task_.objects.role[o] & (kReusable | kAbsorbs);
        const double whole = over_detection ? area : area + task_.objects.area[o] - both;
        const double limit = task_.limit ? task_.limit[o] : HUGE_VAL;
        const double least = lesser(least_, limit);
        if (both < least * kWellBelow * whole) return;  // spares the division
        const double overlap = both / whole;
        if (passes(overlap, least)) s_.candidates.push_back({i, g, overlap, thresholds_passed(overlap, limit)});
    }

    bool passes(double overlap, double threshold) const {
        return rules_.strict ? overlap > threshold : overlap >= threshold;
    }

    std::uint64_t thresholds_passed(double overlap, double limit) const {
        std::uint64_t bits = 0;
        for (int t = 0; t < rules_.n_thresholds; ++t)
            bits |= static_cast<std::uint64_t>(passes(overlap, lesser(rules_.thresholds[t], limit))) << t;
        return bits;
    }

    // A bit for each size range in which the detection is ignored if it finds nothing.
    std::uint64_t ranges_missed(std::size_t row) const {
        if (task_.detections.role && task_.detections.role[row] & kExcused) return ~std::uint64_t{0};
        return rules_.ignore_outside ? ranges_without(task_.detections.size[row]) : 0;
    }

    // Most detections overlap nothing.
    void unmatched(std::uint32_t i) {
        if (task_.out.cleared) return;
        const std::uint64_t missed = ranges_missed(row(i));
        for (int a = 0; a < rules_.n_ranges; ++a) write(i, a, 0, missed >> a & 1 ? all_ : 0, 0);
    }

    // The detection goes through its candidates, best first; each takes the thresholds that it passes, that are still
    // open, and at which its object may be looked at.
    void decide(std::uint32_t i) {
        Candidate* const begin = s_.candidates.data() + s_.first[i];
        Candidate* const end = s_.candidates.data() + s_.first[i + 1];
        if (end - begin > 1) sort_by_preference(begin, end);
        const std::uint64_t missed = ranges_missed(row(i));
        for (int a = 0; a < rules_.n_ranges; ++a) {
            Verdict verdict{all_, 0, 0, 0, 0};
            for (const Candidate* c = begin; c < end; ++c)
                if (!absorbs(*c) && (!rules_.prefer_counted || !is_ignored(*c, a))) settle(*c, a, verdict);
            if (rules_.prefer_counted)
                for (const Candidate* c = begin; c < end; ++c)
                    if (!absorbs(*c) && is_ignored(*c, a)) settle(*c, a, verdict);
            finish(i, a, missed, verdict);
        }
    }

    // The same for all detections of the cell at once: the pair with the largest overlap goes first.
    void decide_by_overlap(std::uint32_t kept) {
        for (std::uint32_t i = 0; i < kept; ++i)
            sort_by_preference(s_.candidates.data() + s_.first[i], s_.candidates.data() + s_.first[i + 1]);
        for (int a = 0; a < rules_.n_ranges; ++a) {
            s_.verdicts.assign(kept, Verdict{all_, 0, 0, 0, 0});
            s_.pairs.clear();
            for (const Candidate& c : s_.candidates)
                if (!absorbs(c)) s_.pairs.push_back(&c);
            std::stable_sort(s_.pairs.begin(), s_.pairs.end(), [&](const Candidate* x, const Candidate* y) {
                if (rules_.prefer_counted && is_ignored(*x, a) != is_ignored(*y, a)) return is_ignored(*y, a);
                return x->overlap > y->overlap;
            });
            for (const Candidate* c : s_.pairs) settle(*c, a, s_.verdicts[c->detection]);
            for (std::uint32_t i = 0; i < kept; ++i) finish(i, a, ranges_missed(row(i)), s_.verdicts[i]);
        }
    }

    // What has found nothing looks at absorbing objects; what is still unmatched may be ignored.
    void finish(std::uint32_t i, int a, std::uint64_t missed, Verdict& verdict) {
        if (s_.first[i + 1] > s_.first[i]) absorb(i, a, verdict);
        if (missed >> a & 1) verdict.ignored |= all_ & ~verdict.matched;
        write(i, a, verdict.hit, verdict.ignored, verdict.credit);
    }

    void sort_by_preference(Candidate* begin, Candidate* end) const {
        const bool last = rules_.last_of_equals;
        std::sort(begin, end, [last](const Candidate& a, const Candidate& b) {
            if (a.overlap != b.overlap) return a.overlap > b.overlap;
            return last ? a.object > b.object : a.object < b.object;
        });
    }

    std::uint8_t role(const Candidate& c) const { return task_.objects.role[objects_[c.object]]; }
    bool absorbs(const Candidate& c) const { return role(c) & kAbsorbs; }
    bool is_ignored(const Candidate& c, int a) const { return s_.outside[c.object] >> a & 1; }

    void write(std::uint32_t i, int a, std::uint64_t hit, std::uint64_t ignored, std::uint64_t credit) {
        const std::size_t to = at(i) * rules_.n_ranges + a;
        static_cast<Word*>(task_.out.hits)[to] = static_cast<Word>(hit);
        static_cast<Word*>(task_.out.ignored)[to] = static_cast<Word>(ignored);
        if (task_.out.credits) static_cast<Word*>(task_.out.credits)[to] = static_cast<Word>(credit);
    }

    std::uint64_t& taken(const Candidate& c, int a) {
        return s_.taken[static_cast<std::size_t>(c.object) * rules_.n_ranges + a];
    }

    void settle(const Candidate& c, int a, Verdict& verdict) {
        std::uint64_t& taken_at = taken(c, a);
        const std::uint64_t chosen = verdict.open & c.passed & (rules_.even_if_taken ? all_ : ~taken_at);
        if (!chosen) return;
        const bool ignored = is_ignored(c, a);
        // A taken object can only be chosen where the rules look at taken objects; it makes a false positive.
        const std::uint64_t claimed = role(c) & kVoid ? 0 : ignored ? chosen : chosen & ~taken_at;
        verdict.open &= ~chosen;
        verdict.matched |= claimed;
        (ignored ? verdict.ignored : verdict.hit) |= ignored ? chosen : claimed;
        if (!(role(c) & kReusable) && !rules_.shared) taken_at |= chosen;
        if (task_.out.object) note_pair(c, a, claimed);
    }

    // An absorbing object takes everything; the first that it takes is credited, the others are ignored.
    void absorb(std::uint32_t i, int a, Verdict& verdict) {
        std::uint64_t open = all_ & ~(verdict.hit | verdict.ignored);
        const Candidate* const end = s_.candidates.data() + s_.first[i + 1];
        for (const Candidate* c = s_.candidates.data() + s_.first[i]; c < end; ++c) {
            const std::uint64_t chosen = absorbs(*c) ? open & c->passed : 0;
            if (!chosen) continue;
            const bool worthy = !is_ignored(*c, a) && task_.score[row(i)] > rules_.credit_floor;
            const std::uint64_t credit = worthy ? chosen & ~taken(*c, a) : 0;
            taken(*c, a) |= credit;
            open &= ~chosen;
            verdict.matched |= chosen;
            verdict.hit |= credit;
            verdict.credit |= credit;
            verdict.ignored |= chosen & ~credit;
            if (task_.out.object) note_pair(*c, a, chosen);
        }
    }

    void note_pair(const Candidate& candidate, int a, std::uint64_t bits) {
        const std::size_t base = (at(candidate.detection) * rules_.n_ranges + a) * rules_.n_thresholds;
        for (; bits; bits &= bits - 1) {
            const int t = std::countr_zero(bits);
            task_.out.object[base + t] = static_cast<std::int32_t>(objects_[candidate.object]);
            task_.out.overlap[base + t] = candidate.overlap;
        }
    }

    static constexpr double kWellBelow = 1 - 1e-9;  // an overlap so much below its threshold cannot reach it
    const MatchTask& task_;
    const Cells& cells_;
    const MatchRules& rules_;
    Scratch& s_;
    const std::uint64_t all_;  // a bit for each threshold
    const double least_;       // threshold
    double highest_[64];       // the largest size of each range
    const std::uint32_t* rows_ = nullptr;
    const std::uint32_t* objects_ = nullptr;
    const std::uint32_t* turn_ = nullptr;
    const std::uint32_t* slot_ = nullptr;
    std::size_t out_ = 0;  // where the verdicts of the cell begin
};

}  // namespace boxscore
