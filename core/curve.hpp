// From verdicts to precision at recall levels and to average precision, class by class.
// Only true positives move the envelope of a precision-recall curve, so a curve is kept as one number per true positive:
// how many false positives stand before it.
// `boxscore/_reference` holds the definition in plain Python; both must agree to the last bit.
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
        gather();
        for (std::size_t s = 0; s < slices_.size(); ++s) {
            walk(slices_[s]);
            for (int t = 0; t < v_.n_thresholds; ++t) {
                const std::size_t cell = (s * v_.n_thresholds + t) * v_.n_classes + k;
                out_.true_positives[cell] = static_cast<std::int64_t>(false_before_[t].size());
                out_.false_positives[cell] = false_[t] + plain_;
            }
            const std::int64_t positives = to_find_[k * static_cast<std::size_t>(v_.n_ranges) + slices_[s].range];
            if (s < out_.n_drawn && positives > 0) draw(s, k, positives);
        }
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

    // Brings the verdicts into the order of the ranking, so that the walks read memory in order.
    void gather() {
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
    }

    // Walks down the ranking of one slice and notes, at each threshold, the false positives before each true one.
    void walk(Slice slice) {
        const std::size_t n_t = static_cast<std::size_t>(v_.n_thresholds), width = static_cast<std::size_t>(v_.n_ranges);
        false_before_.resize(n_t);
        places_.resize(n_t);
        for (std::size_t t = 0; t < n_t; ++t) {
            false_before_[t].clear();
            places_[t].clear();
        }
        false_.assign(n_t, 0);
        plain_ = 0;
        for (std::size_t i = 0; i < ranked_.size(); ++i) {
            if (rank_[i] >= slice.cap) continue;
            const std::uint64_t hit = hits_[i * width + static_cast<std::size_t>(slice.range)];
            const std::uint64_t ignored = ignored_[i * width + static_cast<std::size_t>(slice.range)];
            if (!(hit | ignored)) {
                ++plain_;  // false at every threshold
            } else if (ignored != all_) {
                for (std::uint64_t bits = hit; bits; bits &= bits - 1) {
                    const int t = std::countr_zero(bits);
                    false_before_[t].push_back(static_cast<std::int32_t>(false_[t] + plain_));
                    if (out_.level_score) places_[t].push_back(static_cast<std::uint32_t>(i));
                }
                for (std::uint64_t bits = all_ & ~(hit | ignored); bits; bits &= bits - 1)
                    ++false_[std::countr_zero(bits)];
            }
        }
    }

    void draw(std::size_t s, std::size_t k, std::int64_t positives) {
        levels_as_counts(positives);
        for (int t = 0; t < v_.n_thresholds; ++t) {
            make_envelope(false_before_[t]);
            if (out_.all_points)
                out_.all_points[(s * v_.n_thresholds + t) * v_.n_classes + k] = all_points(positives);
            const std::size_t cell = ((k * out_.n_drawn + s) * v_.n_thresholds + t) * rules_.n_levels;
            const auto found = static_cast<std::int64_t>(envelope_.size());
            for (int r = 0; r < rules_.n_levels && need_[r] <= found; ++r) {
                // A level that needs no true positive gets the highest precision of all.
                const auto at = static_cast<std::size_t>(std::max<std::int64_t>(need_[r], 1) - 1);
                if (out_.precision) out_.precision[cell + r] = found ? envelope_[at] : 0.0;
                if (out_.level_score)
                    out_.level_score[cell + r] = need_[r] ? v_.score[ranked_[places_[t][at]].row] : first_score(slices_[s].cap);
            }
        }
    }

    // The precision at each true positive, raised to the highest that follows.
    void make_envelope(const std::vector<std::int32_t>& false_before) {
        const std::size_t n = false_before.size();
        envelope_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double tp = static_cast<double>(static_cast<std::int32_t>(i) + 1);
            envelope_[i] = tp / (static_cast<double>(false_before[i]) + tp + rules_.epsilon);
        }
        for (std::size_t i = n; i-- > 1;) envelope_[i - 1] = std::max(envelope_[i - 1], envelope_[i]);
    }

    // The smallest number of true positives whose recall reaches each level.
    void levels_as_counts(std::int64_t positives) {
        need_.resize(rules_.n_levels);
        for (int r = 0; r < rules_.n_levels; ++r) {
            std::int64_t n = static_cast<std::int64_t>(rules_.levels[r] * static_cast<double>(positives));
            n = std::max<std::int64_t>(0, n - 1);  // the product is rounded
            while (!reaches(n, positives, r)) ++n;
            need_[r] = n;
        }
    }

    bool reaches(std::int64_t found, std::int64_t positives, int r) const {
        if (rules_.exact_levels) return found * (rules_.n_levels - 1) >= r * positives;
        return static_cast<double>(found) / static_cast<double>(positives) >= rules_.levels[r];
    }

    double first_score(std::int32_t cap) const {
        for (std::size_t i = 0; i < ranked_.size(); ++i)
            if (rank_[i] < cap) return v_.score[ranked_[i].row];
        return 0;
    }

    // The area under the envelope, added up from the left.
    double all_points(std::int64_t positives) const {
        double sum = 0, before = 0;
        for (std::size_t i = 0; i < envelope_.size(); ++i) {
            const double recall = static_cast<double>(i + 1) / static_cast<double>(positives);
            sum += (recall - before) * envelope_[i];
            before = recall;
        }
        return sum;
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
    // Of the slice at hand, by threshold: false positives before each true one, its place in the ranking (only where
    // scores are wanted), false positives besides those that are false at every threshold.
    std::vector<std::vector<std::int32_t>> false_before_;
    std::vector<std::vector<std::uint32_t>> places_;
    std::vector<std::int64_t> false_;
    std::int64_t plain_ = 0;
    std::vector<std::int64_t> need_;
    std::vector<double> envelope_;
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
