// Matching of detections and objects, cell by cell, for all thresholds and size ranges over the same overlaps.
// `boxscore/_reference.py` holds the definition in plain Python; both must agree to the last bit.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "box.hpp"
#include "cells.hpp"
#include "parallel.hpp"

namespace boxscore {

// What an object is for the matching; the caller derives it from flags and protocol.
enum Role : std::uint8_t {
    kIgnored = 1,   // nothing to find; a detection matched to it is ignored
    kReusable = 2,  // takes any number of detections, overlap counts over the detection's own area (a crowd)
    kVoid = 4,      // can be taken, but the detection that takes it counts as unmatched (annotation id 0)
};

// What decides between detections of a class with equal scores, ascending.
enum class Tie : std::uint8_t {
    order,     // the order of the verdicts: image, then place in the source
    position,  // place in the source
    earliest,  // where the image first appears among the detections of the class, then place in the source
};

struct MatchRules {
    OverlapRule overlap;
    bool even_if_taken;   // look for the best object whether it is free or not; a taken one makes a false positive
    bool prefer_counted;  // an object that counts goes before any ignored one
    bool last_of_equals;  // which of several equal overlaps wins
    bool strict;          // overlap > threshold instead of >=
    bool ignore_outside;  // unmatched detections outside of the size range are ignored
    bool closed_ranges;   // both ends belong to a size range
    std::uint32_t cap;    // detections kept per cell
    Tie tie;
    const double* thresholds;
    int n_thresholds;
    const double* lowest;  // size ranges
    const double* highest;
    int n_ranges;
};

struct BoxColumns {
    const std::int32_t* label;
    const std::int32_t* image;
    const double* corners;  // (n, 4)
    const double* area;     // used in the overlap
    const double* size;     // compared with the size ranges
    std::size_t n;
};

// Where the verdicts go: one row per kept detection, in the order (label, image, descending score, row).
struct MatchOutput {
    std::int64_t* first;     // (labels + 1) where the verdicts of each class begin
    std::uint32_t* row;      // detection row
    std::int32_t* image;     // its image
    double* score;           // its score
    std::int64_t* tie;       // what decides between equal scores of a class, see Tie; may be null
    std::int32_t* rank;      // its place in the cell
    void* hits;              // (n, ranges) words of n_thresholds bits
    void* ignored;           // the same
    std::int32_t* object;    // (n, ranges, thresholds) object row or -1; may be null
    double* overlap;         // the same; may be null
    std::uint64_t* counted;  // per object: a bit for each range in which it is to be found
    std::int64_t* to_find;   // (labels, ranges) how many objects those are
    std::uint8_t* cut;       // per detection row: 1 where the cap cut it off
};

struct Candidate {
    std::uint32_t object;  // position in the cell
    double overlap;
    std::uint64_t passed;  // a bit for each threshold that the overlap passes
};

struct MatchTask {
    BoxColumns detections, objects;
    const double* score;
    const std::int64_t* position;
    const std::uint8_t* role;
    MatchRules rules;
    MatchOutput out;
};

// What one thread needs while it works through its cells.
struct Scratch {
    std::vector<Candidate> candidates;
    std::vector<std::uint32_t> first;      // candidates of detection i: first[i] .. first[i + 1]
    std::vector<std::uint64_t> taken;      // (objects, ranges) bit per threshold
    std::vector<std::uint64_t> outside;    // per object: bit for each range in which it is ignored
};

template <class Word>
class CellMatcher {
   public:
    CellMatcher(const MatchTask& task, Scratch& scratch)
        : task_(task),
          rules_(task.rules),
          s_(scratch),
          all_(mask(rules_.n_thresholds)),
          least_(*std::min_element(rules_.thresholds, rules_.thresholds + rules_.n_thresholds)),
          well_below_(least_ * (1 - 1e-9)) {
        // The last double below an end that does not belong to its range.
        for (int a = 0; a < rules_.n_ranges; ++a)
            highest_[a] = rules_.closed_ranges ? rules_.highest[a] : std::nextafter(rules_.highest[a], -HUGE_VAL);
    }

    // Matches one cell; `rows` are its detections by descending score, `object_rows` its objects in their order.
    void run(const Cell& cell, const std::uint32_t* rows, const std::uint32_t* object_rows) {
        rows_ = rows + cell.begin;
        objects_ = object_rows + cell.objects_begin;
        const std::uint32_t n = cell.end - cell.begin, n_objects = cell.objects_end - cell.objects_begin;
        const std::uint32_t kept = std::min(n, rules_.cap);
        for (std::uint32_t i = kept; i < n; ++i) task_.out.cut[rows_[i]] = 1;
        if (n_objects) find_candidates(kept, n_objects);
        std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
        if (rules_.tie == Tie::earliest)
            for (std::uint32_t i = 0; i < n; ++i) earliest = std::min(earliest, task_.position[rows_[i]]);
        for (std::uint32_t i = 0; i < kept; ++i) {
            const std::size_t at = cell.out + i, row = rows_[i];
            task_.out.row[at] = rows_[i];
            task_.out.image[at] = task_.detections.image[row];
            task_.out.score[at] = task_.score[row];
            if (rules_.tie != Tie::order)
                task_.out.tie[at] = rules_.tie == Tie::earliest ? earliest : task_.position[row];
            task_.out.rank[at] = static_cast<std::int32_t>(i);
            if (n_objects && s_.first[i + 1] > s_.first[i])
                decide(i, at);
            else
                unmatched(row, at);
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
    void find_candidates(std::uint32_t kept, std::uint32_t n_objects) {
        s_.candidates.clear();
        s_.first.resize(kept + 1);
        s_.first[0] = 0;
        const OverlapRule rule = rules_.overlap;
        for (std::uint32_t i = 0; i < kept; ++i) {
            const double* box = task_.detections.corners + 4 * static_cast<std::size_t>(rows_[i]);
            const double area = task_.detections.area[rows_[i]];
            for (std::uint32_t g = 0; g < n_objects; ++g) {
                const std::size_t row = objects_[g];
                const double both = intersection(box, task_.objects.corners + 4 * row, rule);
                const double whole = task_.role[row] & kReusable ? area : area + task_.objects.area[row] - both;
                if (both < well_below_ * whole) continue;  // spares the division
                const double overlap = both / whole;
                if (passes(overlap, least_)) s_.candidates.push_back({g, overlap, thresholds_passed(overlap)});
            }
            s_.first[i + 1] = static_cast<std::uint32_t>(s_.candidates.size());
        }
        if (s_.candidates.empty()) return;
        s_.outside.resize(n_objects);
        for (std::uint32_t g = 0; g < n_objects; ++g) {
            const std::uint32_t row = objects_[g];
            s_.outside[g] = task_.role[row] & kIgnored ? ~std::uint64_t{0} : ranges_without(task_.objects.size[row]);
        }
        s_.taken.assign(static_cast<std::size_t>(n_objects) * rules_.n_ranges, 0);
    }

    bool passes(double overlap, double threshold) const {
        return rules_.strict ? overlap > threshold : overlap >= threshold;
    }

    std::uint64_t thresholds_passed(double overlap) const {
        std::uint64_t bits = 0;
        for (int t = 0; t < rules_.n_thresholds; ++t)
            bits |= static_cast<std::uint64_t>(passes(overlap, rules_.thresholds[t])) << t;
        return bits;
    }

    std::uint64_t ranges_missed(std::size_t row) const {
        return rules_.ignore_outside ? ranges_without(task_.detections.size[row]) : 0;
    }

    // Most detections overlap nothing.
    void unmatched(std::size_t row, std::size_t at) {
        const std::uint64_t outside = ranges_missed(row);
        for (int a = 0; a < rules_.n_ranges; ++a) write(at, a, 0, outside >> a & 1 ? all_ : 0);
    }

    // The detection goes through its candidates, best first; each takes the thresholds that it passes, that are still
    // open, and at which its object may be looked at.
    void decide(std::uint32_t i, std::size_t at) {
        Candidate* const begin = s_.candidates.data() + s_.first[i];
        Candidate* const end = s_.candidates.data() + s_.first[i + 1];
        if (end - begin > 1) sort_by_preference(begin, end);
        const std::uint64_t outside = ranges_missed(rows_[i]);
        for (int a = 0; a < rules_.n_ranges; ++a) {
            Verdict verdict{all_, 0, 0, 0};
            for (const Candidate* c = begin; c < end; ++c)
                if (!rules_.prefer_counted || !is_ignored(*c, a)) settle(*c, a, at, verdict);
            if (rules_.prefer_counted)
                for (const Candidate* c = begin; c < end; ++c)
                    if (is_ignored(*c, a)) settle(*c, a, at, verdict);
            if (outside >> a & 1) verdict.ignored |= all_ & ~verdict.matched;
            write(at, a, verdict.hit, verdict.ignored);
        }
    }

    void sort_by_preference(Candidate* begin, Candidate* end) const {
        const bool last = rules_.last_of_equals;
        std::sort(begin, end, [last](const Candidate& a, const Candidate& b) {
            if (a.overlap != b.overlap) return a.overlap > b.overlap;
            return last ? a.object > b.object : a.object < b.object;
        });
    }

    bool is_ignored(const Candidate& c, int a) const { return s_.outside[c.object] >> a & 1; }

    void write(std::size_t at, int a, std::uint64_t hit, std::uint64_t ignored) {
        static_cast<Word*>(task_.out.hits)[at * rules_.n_ranges + a] = static_cast<Word>(hit);
        static_cast<Word*>(task_.out.ignored)[at * rules_.n_ranges + a] = static_cast<Word>(ignored);
    }

    // The bits of one detection in one size range, a bit per threshold.
    struct Verdict {
        std::uint64_t open;  // nothing chosen yet
        std::uint64_t hit, ignored, matched;
    };

    void settle(const Candidate& c, int a, std::size_t at, Verdict& verdict) {
        const std::uint8_t role = task_.role[objects_[c.object]];
        std::uint64_t& taken = s_.taken[static_cast<std::size_t>(c.object) * rules_.n_ranges + a];
        const std::uint64_t chosen = verdict.open & c.passed & (rules_.even_if_taken ? all_ : ~taken);
        if (!chosen) return;
        const bool ignored = is_ignored(c, a);
        // A taken object can only be chosen where the rules look at taken objects; it makes a false positive.
        const std::uint64_t claimed = role & kVoid ? 0 : ignored ? chosen : chosen & ~taken;
        verdict.open &= ~chosen;
        verdict.matched |= claimed;
        (ignored ? verdict.ignored : verdict.hit) |= ignored ? chosen : claimed;
        if (!(role & kReusable)) taken |= chosen;
        if (task_.out.object) note_pair(c, a, claimed, at);
    }

    void note_pair(const Candidate& candidate, int a, std::uint64_t bits, std::size_t at) {
        const std::size_t base = (at * rules_.n_ranges + a) * rules_.n_thresholds;
        for (; bits; bits &= bits - 1) {
            const int t = std::countr_zero(bits);
            task_.out.object[base + t] = static_cast<std::int32_t>(objects_[candidate.object]);
            task_.out.overlap[base + t] = candidate.overlap;
        }
    }

    const MatchTask& task_;
    const MatchRules& rules_;
    Scratch& s_;
    const std::uint64_t all_;  // a bit for each threshold
    const double least_;       // threshold
    const double well_below_;  // an overlap that cannot reach it
    double highest_[64];       // the largest size of each range
    const std::uint32_t* rows_ = nullptr;
    const std::uint32_t* objects_ = nullptr;
};

// Which objects are to be found, in which size ranges, and how many of each class.
template <class Word>
void count_objects(const MatchTask& task, std::size_t labels, int threads) {
    const int n_ranges = task.rules.n_ranges;
    constexpr std::size_t kBlock = 1 << 16;
    parallel_for((task.objects.n + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
        Scratch scratch;
        const CellMatcher<Word> matcher(task, scratch);
        const std::size_t end = std::min(task.objects.n, (block + 1) * kBlock);
        for (std::size_t g = block * kBlock; g < end; ++g) {
            const bool counts = task.objects.label[g] >= 0 && task.objects.image[g] >= 0 && !(task.role[g] & kIgnored);
            task.out.counted[g] = counts ? mask(n_ranges) & ~matcher.ranges_without(task.objects.size[g]) : 0;
        }
    });
    std::fill(task.out.to_find, task.out.to_find + labels * static_cast<std::size_t>(n_ranges), 0);
    for (std::size_t g = 0; g < task.objects.n; ++g)
        for (std::uint64_t bits = task.out.counted[g]; bits; bits &= bits - 1)
            ++task.out.to_find[task.objects.label[g] * n_ranges + std::countr_zero(bits)];
}

// Matches everything and returns how many verdicts were written.
template <class Word>
std::size_t match_all(const MatchTask& task, std::size_t labels, std::size_t images, int threads) {
    const BoxColumns &d = task.detections, &o = task.objects;
    RowsByImage dets, objs;
    parallel_for(2, threads, [&](std::size_t side) {
        (side ? objs : dets) = side ? by_image(o.label, o.image, o.n, images) : by_image(d.label, d.image, d.n, images);
    });
    const std::size_t block_size = std::max<std::size_t>(1, std::min<std::size_t>(512, images / 64));
    const std::size_t n_blocks = (images + block_size - 1) / block_size;
    std::vector<std::vector<Cell>> blocks(n_blocks);
    parallel_for(n_blocks, threads, [&](std::size_t b) {
        blocks[b] = cells_of(dets, objs, d.label, task.score, o.label, labels, b * block_size,
                             std::min(images, (b + 1) * block_size));
    });
    const std::size_t total = place_by_label(blocks, labels, task.rules.cap, task.out.first);
    parallel_for(n_blocks, threads, [&](std::size_t b) {
        Scratch scratch;
        CellMatcher<Word> matcher(task, scratch);
        for (const Cell& cell : blocks[b]) matcher.run(cell, dets.rows.data(), objs.rows.data());
    });
    count_objects<Word>(task, labels, threads);
    return total;
}

}  // namespace boxscore
