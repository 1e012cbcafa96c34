// Matching of detections and objects, cell by cell, for all thresholds and size ranges over the same overlaps.
// `boxscore/_reference.py` holds the definition in plain Python; both must agree to the last bit.
#pragma once

#include <bit>
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

struct MatchRules {
    OverlapRule overlap;
    bool even_if_taken;   // look for the best object whether it is free or not; a taken one makes a false positive
    bool prefer_counted;  // an object that counts goes before any ignored one
    bool last_of_equals;  // which of several equal overlaps wins
    bool strict;          // overlap > threshold instead of >=
    bool ignore_outside;  // unmatched detections outside of the size range are ignored
    bool closed_ranges;   // both ends belong to a size range
    std::uint32_t cap;    // detections kept per cell
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
    std::int64_t* position;  // its place in the source
    std::int64_t* earliest;  // where its cell, detections beyond the cap included, first appears in the source
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
    std::vector<std::uint32_t> order;
    std::vector<Candidate> candidates;
    std::vector<std::uint32_t> first;      // candidates of detection i: first[i] .. first[i + 1]
    std::vector<std::uint32_t> rivals;     // per object: how many detections could take it
    std::vector<std::uint64_t> taken;      // (objects, ranges) bit per threshold
    std::vector<std::uint64_t> outside;    // per object: bit for each range in which it is ignored
};

template <class Word>
class CellMatcher {
   public:
    CellMatcher(const MatchTask& task, Scratch& scratch)
        : task_(task), rules_(task.rules), s_(scratch), all_(mask(rules_.n_thresholds)) {}

    // Matches one cell: its detections are rows[d.begin..d.end), its objects object_rows[o.begin..o.end).
    // `first_out` is where the cell's first verdict goes.
    void run(const std::uint32_t* rows, std::uint32_t n, const std::uint32_t* object_rows, std::uint32_t n_objects,
             std::size_t first_out) {
        sort_by_score(rows, n);
        const std::uint32_t kept = std::min(n, rules_.cap);
        for (std::uint32_t i = kept; i < n; ++i) task_.out.cut[s_.order[i]] = 1;
        if (n_objects) find_candidates(kept, object_rows, n_objects);
        for (std::uint32_t i = 0; i < kept; ++i) {
            const std::size_t at = first_out + i;
            const std::uint32_t row = s_.order[i];
            task_.out.row[at] = row;
            task_.out.image[at] = task_.detections.image[row];
            task_.out.score[at] = task_.score[row];
            task_.out.position[at] = task_.position[row];
            task_.out.earliest[at] = task_.position[rows[0]];
            task_.out.rank[at] = static_cast<std::int32_t>(i);
            decide(i, at, object_rows, n_objects);
        }
    }

    std::uint64_t ranges_without(double size) const {
        std::uint64_t bits = 0;
        for (int a = 0; a < rules_.n_ranges; ++a) {
            const bool above = rules_.closed_ranges ? size > rules_.highest[a] : size >= rules_.highest[a];
            bits |= static_cast<std::uint64_t>(size < rules_.lowest[a] || above) << a;
        }
        return bits;
    }

   private:
    static std::uint64_t mask(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

    void sort_by_score(const std::uint32_t* rows, std::uint32_t n) {
        s_.order.assign(rows, rows + n);
        const double* score = task_.score;
        auto* order = s_.order.data();
        if (n > 24) {
            std::stable_sort(order, order + n, [score](auto a, auto b) { return score[a] > score[b]; });
            return;
        }
        for (std::uint32_t i = 1; i < n; ++i) {
            const std::uint32_t row = order[i];
            std::uint32_t j = i;
            for (; j > 0 && score[order[j - 1]] < score[row]; --j) order[j] = order[j - 1];
            order[j] = row;
        }
    }

    void find_candidates(std::uint32_t kept, const std::uint32_t* object_rows, std::uint32_t n_objects) {
        s_.candidates.clear();
        s_.first.assign(kept + 1, 0);
        s_.rivals.assign(n_objects, 0);
        s_.outside.resize(n_objects);
        s_.taken.assign(static_cast<std::size_t>(n_objects) * rules_.n_ranges, 0);
        for (std::uint32_t g = 0; g < n_objects; ++g) {
            const std::uint32_t row = object_rows[g];
            s_.outside[g] = task_.role[row] & kIgnored ? ~std::uint64_t{0} : ranges_without(task_.objects.size[row]);
        }
        double least = std::numeric_limits<double>::infinity();
        for (int t = 0; t < rules_.n_thresholds; ++t) least = std::min(least, rules_.thresholds[t]);
        for (std::uint32_t i = 0; i < kept; ++i) {
            const double* box = task_.detections.corners + 4 * static_cast<std::size_t>(s_.order[i]);
            const double area = task_.detections.area[s_.order[i]];
            for (std::uint32_t g = 0; g < n_objects; ++g) {
                const std::size_t row = object_rows[g];
                const double both = intersection(box, task_.objects.corners + 4 * row, rules_.overlap);
                if (both <= 0) continue;
                const double whole = task_.role[row] & kReusable ? area : area + task_.objects.area[row] - both;
                const double overlap = both / whole;
                if (!passes(overlap, least)) continue;
                s_.candidates.push_back({g, overlap});
                ++s_.rivals[g];
            }
            s_.first[i + 1] = static_cast<std::uint32_t>(s_.candidates.size());
        }
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

    void decide(std::uint32_t i, std::size_t at, const std::uint32_t* object_rows, std::uint32_t n_objects) {
        const std::uint64_t outside =
            rules_.ignore_outside ? ranges_without(task_.detections.size[s_.order[i]]) : 0;
        const std::uint32_t begin = n_objects ? s_.first[i] : 0, end = n_objects ? s_.first[i + 1] : 0;
        const bool alone = end == begin + 1 && s_.rivals[s_.candidates[begin].object] == 1;
        const std::uint64_t passed = alone ? thresholds_passed(s_.candidates[begin].overlap) : 0;
        for (int a = 0; a < rules_.n_ranges; ++a) {
            // Most detections overlap nothing, and most others compete with nobody: no search for those.
            std::uint64_t hit = 0, ignored = 0, matched = 0;
            if (alone) {
                settle(s_.candidates[begin], a, passed, at, object_rows, hit, ignored, matched);
            } else if (end > begin) {
                for (int t = 0; t < rules_.n_thresholds; ++t) {
                    const int best = best_candidate(begin, end, a, t);
                    if (best >= 0)
                        settle(s_.candidates[best], a, std::uint64_t{1} << t, at, object_rows, hit, ignored, matched);
                }
            }
            if (outside >> a & 1) ignored |= all_ & ~matched;
            static_cast<Word*>(task_.out.hits)[at * rules_.n_ranges + a] = static_cast<Word>(hit);
            static_cast<Word*>(task_.out.ignored)[at * rules_.n_ranges + a] = static_cast<Word>(ignored);
        }
    }

    int best_candidate(std::uint32_t begin, std::uint32_t end, int a, int t) const {
        int best = -1;
        bool best_ignored = false;
        for (std::uint32_t c = begin; c < end; ++c) {
            const auto [g, overlap] = s_.candidates[c];
            if (!passes(overlap, rules_.thresholds[t])) continue;
            const bool ignored = s_.outside[g] >> a & 1;
            if (!rules_.even_if_taken && is_taken(g, a, t)) continue;
            if (best >= 0) {
                if (rules_.prefer_counted && ignored != best_ignored) {
                    if (ignored) continue;
                } else {
                    const double held = s_.candidates[best].overlap;
                    if (overlap < held || (overlap == held && !rules_.last_of_equals)) continue;
                }
            }
            best = static_cast<int>(c);
            best_ignored = ignored;
        }
        return best;
    }

    bool is_taken(std::uint32_t g, int a, int t) const {
        return s_.taken[static_cast<std::size_t>(g) * rules_.n_ranges + a] >> t & 1;
    }

    // The detection takes the candidate's object at the thresholds in `bits`.
    void settle(const Candidate& candidate, int a, std::uint64_t bits, std::size_t at, const std::uint32_t* object_rows,
                std::uint64_t& hit, std::uint64_t& ignored, std::uint64_t& matched) {
        const std::uint32_t g = candidate.object;
        const std::uint8_t role = task_.role[object_rows[g]];
        std::uint64_t& taken = s_.taken[static_cast<std::size_t>(g) * rules_.n_ranges + a];
        const bool is_ignored = s_.outside[g] >> a & 1;
        // A taken object can only be met here where the rules look at taken objects; it makes a false positive.
        const std::uint64_t claimed = role & kVoid ? 0 : is_ignored ? bits : bits & ~taken;
        (is_ignored ? ignored : hit) |= is_ignored ? bits : claimed;
        matched |= claimed;
        if (!(role & kReusable)) taken |= bits;
        if (task_.out.object) note_pair(candidate, a, claimed, at, object_rows);
    }

    void note_pair(const Candidate& candidate, int a, std::uint64_t bits, std::size_t at,
                   const std::uint32_t* object_rows) {
        const std::size_t base = (at * rules_.n_ranges + a) * rules_.n_thresholds;
        for (; bits; bits &= bits - 1) {
            const int t = std::countr_zero(bits);
            task_.out.object[base + t] = static_cast<std::int32_t>(object_rows[candidate.object]);
            task_.out.overlap[base + t] = candidate.overlap;
        }
    }

    const MatchTask& task_;
    const MatchRules& rules_;
    Scratch& s_;
    const std::uint64_t all_;
};

// Matches everything and returns how many verdicts were written.
template <class Word>
std::size_t match_all(const MatchTask& task, std::size_t labels, std::size_t images, int threads) {
    Grouped dets, objs;
    parallel_for(2, threads, [&](std::size_t side) {
        const BoxColumns& c = side ? task.objects : task.detections;
        (side ? objs : dets) = group(c.label, c.image, c.n, labels, images);
    });

    // Each cell of detections gets the objects of the same class and image, and a place for its verdicts.
    struct Job {
        std::uint32_t cell, objects_begin, objects_end;
        std::size_t out;
    };
    std::vector<Job> jobs(dets.cells.size());
    std::size_t total = 0, o = 0, started = 0;
    for (std::uint32_t i = 0; i < dets.cells.size(); ++i) {
        const Cell& d = dets.cells[i];
        for (; started <= static_cast<std::size_t>(d.label); ++started)
            task.out.first[started] = static_cast<std::int64_t>(total);
        auto before = [&](const Cell& c) { return c.label != d.label ? c.label < d.label : c.image < d.image; };
        while (o < objs.cells.size() && before(objs.cells[o])) ++o;
        const bool met = o < objs.cells.size() && objs.cells[o].label == d.label && objs.cells[o].image == d.image;
        jobs[i] = {i, met ? objs.cells[o].begin : 0, met ? objs.cells[o].end : 0, total};
        total += std::min(d.end - d.begin, task.rules.cap);
    }

    for (; started <= labels; ++started) task.out.first[started] = static_cast<std::int64_t>(total);

    constexpr std::size_t kBlock = 512;
    parallel_for((jobs.size() + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
        Scratch scratch;
        CellMatcher<Word> matcher(task, scratch);
        const std::size_t end = std::min(jobs.size(), (block + 1) * kBlock);
        for (std::size_t i = block * kBlock; i < end; ++i) {
            const Cell& cell = dets.cells[jobs[i].cell];
            matcher.run(dets.rows.data() + cell.begin, cell.end - cell.begin, objs.rows.data() + jobs[i].objects_begin,
                        jobs[i].objects_end - jobs[i].objects_begin, jobs[i].out);
        }
    });

    constexpr std::size_t kObjects = 1 << 16;
    parallel_for((task.objects.n + kObjects - 1) / kObjects, threads, [&](std::size_t block) {
        Scratch scratch;
        CellMatcher<Word> matcher(task, scratch);
        const std::uint64_t every = task.rules.n_ranges >= 64 ? ~std::uint64_t{0}
                                                              : (std::uint64_t{1} << task.rules.n_ranges) - 1;
        const std::size_t end = std::min(task.objects.n, (block + 1) * kObjects);
        for (std::size_t g = block * kObjects; g < end; ++g) {
            const bool counts = task.objects.label[g] >= 0 && task.objects.image[g] >= 0 && !(task.role[g] & kIgnored);
            task.out.counted[g] = counts ? every & ~matcher.ranges_without(task.objects.size[g]) : 0;
        }
    });
    std::fill(task.out.to_find, task.out.to_find + labels * static_cast<std::size_t>(task.rules.n_ranges), 0);
    for (std::size_t g = 0; g < task.objects.n; ++g)
        for (std::uint64_t bits = task.out.counted[g]; bits; bits &= bits - 1)
            ++task.out.to_find[task.objects.label[g] * task.rules.n_ranges + std::countr_zero(bits)];
    return total;
}

}  // namespace boxscore
