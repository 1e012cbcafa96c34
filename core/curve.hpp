// From verdicts to precision at recall levels and to average precision, class by class.
// Only true positives move the envelope of a precision-recall curve, so no curve is ever stored: a first walk down the
// ranking counts, a second one back up keeps the running maximum.
// `boxscore/_reference.py` holds the definition in plain Python; both must agree to the last bit.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cells.hpp"
#include "parallel.hpp"

namespace boxscore {

// Verdicts of all kept detections, grouped by class: those of class k are rows first[k] .. first[k + 1].
struct Verdicts {
    const std::int64_t* first;
    std::size_t n_classes;
    const double* score;
    const std::int64_t* tie;  // order among equal scores; may be null: then the row decides
    const std::int32_t* rank;
    const void* hits;  // (n, ranges) words of n_thresholds bits
    const void* ignored;
    int n_ranges, n_thresholds;
};

// One curve per class and threshold: a size range and a cap on detections per cell.
struct Slice {
    std::int32_t range, cap;
};

struct CurveRules {
    const double* levels;  // recall levels, ascending
    int n_levels;          // 0: all points
    bool exact_levels;     // compare integers (levels are k / (n - 1)) instead of doubles
    double epsilon;        // added to the denominator of the precision
};

// The first n_drawn slices get their curves drawn; of the others only the final counts are wanted.
struct CurveOutput {
    std::size_t n_drawn;
    double* precision;    // (classes, drawn, thresholds, levels); may be null
    double* level_score;  // the same: score of the detection that reaches the level; may be null
    double* all_points;   // (drawn, thresholds, classes) area under the envelope; may be null
    std::int64_t* true_positives;   // (slices, thresholds, classes)
    std::int64_t* false_positives;  // the same
};

struct Ranked {
    std::uint64_t key;  // ascending key = descending score
    std::uint32_t row;
};

// Stable sort by key: least significant digit first, digits that are the same everywhere skipped.
inline void radix_sort(std::vector<Ranked>& items, std::vector<Ranked>& spare) {
    constexpr int kBits = 11, kDigits = 6;
    constexpr std::size_t kBuckets = std::size_t{1} << kBits;
    std::vector<std::uint32_t> counts(kDigits * kBuckets, 0);
    for (const Ranked& item : items)
        for (int d = 0; d < kDigits; ++d) ++counts[d * kBuckets + (item.key >> (d * kBits) & (kBuckets - 1))];
    spare.resize(items.size());
    for (int d = 0; d < kDigits; ++d) {
        std::uint32_t* count = counts.data() + d * kBuckets;
        if (count[items[0].key >> (d * kBits) & (kBuckets - 1)] == items.size()) continue;
        for (std::uint32_t b = 0, sum = 0; b < kBuckets; ++b) {
            const std::uint32_t here = count[b];
            count[b] = sum;
            sum += here;
        }
        for (const Ranked& item : items) spare[count[item.key >> (d * kBits) & (kBuckets - 1)]++] = item;
        items.swap(spare);
    }
}

template <class Word>
class ClassCurves {
   public:
    ClassCurves(const Verdicts& verdicts, const std::vector<Slice>& slices, const CurveRules& rules,
                const std::int64_t* to_find, const CurveOutput& out)
        : v_(verdicts), slices_(slices), rules_(rules), to_find_(to_find), out_(out), all_(mask(verdicts.n_thresholds)) {}

    void run(std::size_t k) {
        rank_class(k);
        prepare(k);
        count();
        for (std::size_t s = 0; s < slices_.size(); ++s)
            for (int t = 0; t < v_.n_thresholds; ++t) {
                const std::size_t cell = (s * v_.n_thresholds + t) * v_.n_classes + k;
                out_.true_positives[cell] = states_[s].tp[t];
                out_.false_positives[cell] = states_[s].fp[t] + states_[s].plain;
            }
        walk_back(k);
    }

   private:
    static constexpr std::size_t kSmall = 512;

    void rank_class(std::size_t k) {
        ranked_.clear();
        for (std::int64_t row = v_.first[k]; row < v_.first[k + 1]; ++row)
            ranked_.push_back({descending_key(v_.score[row]), static_cast<std::uint32_t>(row)});
        if (v_.tie) {
            const std::int64_t* tie = v_.tie;
            std::sort(ranked_.begin(), ranked_.end(), [tie](const Ranked& a, const Ranked& b) {
                if (a.key != b.key) return a.key < b.key;
                return tie[a.row] != tie[b.row] ? tie[a.row] < tie[b.row] : a.row < b.row;
            });
        } else if (ranked_.size() > kSmall) {
            radix_sort(ranked_, spare_);
        } else {
            std::sort(ranked_.begin(), ranked_.end(), [](const Ranked& a, const Ranked& b) {
                return a.key != b.key ? a.key < b.key : a.row < b.row;
            });
        }
    }

    // One slice while the ranking is walked.
    struct State {
        int range;
        std::int32_t cap;
        std::int64_t positives;
        std::vector<std::int64_t> tp, fp;  // fp without the plain ones
        std::int64_t plain;                // false positives at every threshold
        std::vector<std::int64_t> need;    // how many true positives reach each level
        std::vector<double> best;          // running maximum of the precision
        std::vector<int> level;            // the highest level that is not yet noted
        std::vector<std::vector<double>> envelope;
    };

    // Brings the verdicts into the order of the ranking, so that the walks read memory in order.
    void prepare(std::size_t k) {
        const std::size_t n = ranked_.size(), width = static_cast<std::size_t>(v_.n_ranges);
        hits_.resize(n * width);
        ignored_.resize(n * width);
        rank_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t row = ranked_[i].row;
            std::memcpy(&hits_[i * width], static_cast<const Word*>(v_.hits) + row * width, width * sizeof(Word));
            std::memcpy(&ignored_[i * width], static_cast<const Word*>(v_.ignored) + row * width, width * sizeof(Word));
            rank_[i] = v_.rank[row];
        }
        states_.resize(slices_.size());
        for (std::size_t s = 0; s < slices_.size(); ++s) {
            State& state = states_[s];
            state.range = slices_[s].range;
            state.cap = slices_[s].cap;
            state.positives = to_find_[k * width + static_cast<std::size_t>(state.range)];
            state.tp.assign(v_.n_thresholds, 0);
            state.fp.assign(v_.n_thresholds, 0);
            state.plain = 0;
        }
    }

    // Calls plain(state) for each detection that is false at every threshold, other(state, i, hit, ignored) for each
    // that is something else at some; those ignored at every threshold are nothing at all.
    template <class Plain, class Other>
    void visit(std::size_t i, std::size_t n_states, const Plain& plain, const Other& other) {
        const std::size_t width = static_cast<std::size_t>(v_.n_ranges);
        for (std::size_t s = 0; s < n_states; ++s) {
            State& state = states_[s];
            if (rank_[i] >= state.cap) continue;
            const std::uint64_t hit = hits_[i * width + static_cast<std::size_t>(state.range)];
            const std::uint64_t ignored = ignored_[i * width + static_cast<std::size_t>(state.range)];
            if (!(hit | ignored))
                plain(state);
            else if (ignored != all_)
                other(state, hit, ignored);
        }
    }

    // Final counts of all slices.
    void count() {
        for (std::size_t i = 0; i < ranked_.size(); ++i)
            visit(
                i, states_.size(), [](State& state) { ++state.plain; },
                [&](State& state, std::uint64_t hit, std::uint64_t ignored) {
                    for (std::uint64_t bits = hit; bits; bits &= bits - 1) ++state.tp[std::countr_zero(bits)];
                    for (std::uint64_t bits = all_ & ~(hit | ignored); bits; bits &= bits - 1)
                        ++state.fp[std::countr_zero(bits)];
                });
    }

    // The smallest number of true positives whose recall reaches each level.
    void levels_as_counts(State& state) const {
        state.need.resize(rules_.n_levels);
        for (int r = 0; r < rules_.n_levels; ++r) {
            std::int64_t n = static_cast<std::int64_t>(rules_.levels[r] * static_cast<double>(state.positives));
            n = std::max<std::int64_t>(0, n - 1);  // the product is rounded
            while (!reaches(n, state.positives, r)) ++n;
            state.need[r] = n;
        }
    }

    bool reaches(std::int64_t found, std::int64_t positives, int r) const {
        if (rules_.exact_levels) return found * (rules_.n_levels - 1) >= r * positives;
        return static_cast<double>(found) / static_cast<double>(positives) >= rules_.levels[r];
    }

    void walk_back(std::size_t k) {
        for (std::size_t s = 0; s < out_.n_drawn; ++s) start_back(states_[s]);
        for (std::size_t i = ranked_.size(); i-- > 0;)
            visit(
                i, out_.n_drawn, [](State& state) { --state.plain; },
                [&](State& state, std::uint64_t hit, std::uint64_t ignored) {
                    if (state.positives == 0) return;
                    for (std::uint64_t bits = hit; bits; bits &= bits - 1)
                        true_positive(state, std::countr_zero(bits), k, i);
                    for (std::uint64_t bits = all_ & ~(hit | ignored); bits; bits &= bits - 1)
                        --state.fp[std::countr_zero(bits)];
                });
        for (std::size_t s = 0; s < out_.n_drawn; ++s) {
            State& state = states_[s];
            for (int t = 0; t < v_.n_thresholds && state.positives > 0; ++t) {
                // Level 0 needs no true positive: its precision is the highest of all.
                for (; state.level[t] >= 0; --state.level[t]) note_level(state, t, k, first_score(state.cap));
                if (out_.all_points) sum_all_points(state, s, t, k);
            }
        }
    }

    void start_back(State& state) const {
        if (state.positives == 0) return;
        state.best.assign(v_.n_thresholds, 0.0);
        state.level.assign(v_.n_thresholds, rules_.n_levels - 1);
        levels_as_counts(state);
        if (out_.all_points) state.envelope.resize(v_.n_thresholds);
        for (int t = 0; t < v_.n_thresholds; ++t) {
            while (state.level[t] >= 0 && state.need[state.level[t]] > state.tp[t]) --state.level[t];
            if (out_.all_points) state.envelope[t].resize(static_cast<std::size_t>(state.tp[t]));
        }
    }

    void true_positive(State& state, int t, std::size_t k, std::size_t i) {
        const std::int64_t found = state.tp[t]--;
        const double tp = static_cast<double>(found), fp = static_cast<double>(state.fp[t] + state.plain);
        state.best[t] = std::max(state.best[t], tp / (fp + tp + rules_.epsilon));
        if (out_.all_points) state.envelope[t][static_cast<std::size_t>(found - 1)] = state.best[t];
        while (state.level[t] >= 0 && state.need[state.level[t]] == found) {
            note_level(state, t, k, v_.score[ranked_[i].row]);
            --state.level[t];
        }
    }

    void note_level(const State& state, int t, std::size_t k, double score) {
        const std::size_t s = static_cast<std::size_t>(&state - states_.data());
        const std::size_t cell =
            ((k * out_.n_drawn + s) * v_.n_thresholds + t) * rules_.n_levels + state.level[t];
        if (out_.precision) out_.precision[cell] = state.best[t];
        if (out_.level_score) out_.level_score[cell] = score;
    }

    double first_score(std::int32_t cap) const {
        for (std::size_t i = 0; i < ranked_.size(); ++i)
            if (rank_[i] < cap) return v_.score[ranked_[i].row];
        return 0;
    }

    void sum_all_points(const State& state, std::size_t s, int t, std::size_t k) {
        double sum = 0, before = 0;
        for (std::size_t i = 0; i < state.envelope[t].size(); ++i) {
            const double recall = static_cast<double>(i + 1) / static_cast<double>(state.positives);
            sum += (recall - before) * state.envelope[t][i];
            before = recall;
        }
        out_.all_points[(s * v_.n_thresholds + t) * v_.n_classes + k] = sum;
    }

    const Verdicts& v_;
    const std::vector<Slice>& slices_;
    const CurveRules& rules_;
    const std::int64_t* to_find_;  // (classes, ranges)
    const CurveOutput& out_;
    const std::uint64_t all_;  // a bit for each threshold
    std::vector<Ranked> ranked_, spare_;
    std::vector<Word> hits_, ignored_;  // in the order of the ranking
    std::vector<std::int32_t> rank_;
    std::vector<State> states_;
};

template <class Word>
void all_curves(const Verdicts& verdicts, const std::vector<Slice>& slices, const CurveRules& rules,
                const std::int64_t* to_find, const CurveOutput& out, int threads) {
    // Large classes first, so that no thread is left alone with one at the end.
    std::vector<std::size_t> classes(verdicts.n_classes);
    for (std::size_t k = 0; k < classes.size(); ++k) classes[k] = k;
    const std::int64_t* first = verdicts.first;
    std::sort(classes.begin(), classes.end(), [first](std::size_t a, std::size_t b) {
        const auto n_a = first[a + 1] - first[a], n_b = first[b + 1] - first[b];
        return n_a != n_b ? n_a > n_b : a < b;
    });
    std::atomic<std::size_t> next{0};
    parallel_for(static_cast<std::size_t>(std::max(threads, 1)), threads, [&](std::size_t) {
        ClassCurves<Word> curves(verdicts, slices, rules, to_find, out);
        for (std::size_t i = next.fetch_add(1); i < classes.size(); i = next.fetch_add(1)) curves.run(classes[i]);
    });
}

// (rows, columns) to (columns, rows), in tiles that fit the caches.
inline void transpose(const double* from, std::size_t rows, std::size_t columns, double* to, int threads) {
    constexpr std::size_t kTile = 16;
    parallel_for((columns + kTile - 1) / kTile, threads, [&](std::size_t tile) {
        const std::size_t c_end = std::min(columns, (tile + 1) * kTile);
        for (std::size_t r0 = 0; r0 < rows; r0 += kTile)
            for (std::size_t c = tile * kTile; c < c_end; ++c)
                for (std::size_t r = r0; r < std::min(rows, r0 + kTile); ++r) to[c * rows + r] = from[r * columns + c];
    });
}

}  // namespace boxscore
