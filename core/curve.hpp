// From verdicts to precision at recall levels and to average precision, class by class.
// Only true positives move the envelope of a precision-recall curve, so no curve is ever stored: a first walk down the
// ranking counts, a second one back up keeps the running maximum.
// `boxscore/_reference.py` holds the definition in plain Python; both must agree to the last bit.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

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
    double* precision;    // (drawn, thresholds, levels, classes); may be null
    double* level_score;  // the same: score of the detection that reaches the level; may be null
    double* all_points;   // (drawn, thresholds, classes) area under the envelope; may be null
    std::int64_t* true_positives;   // (slices, thresholds, classes)
    std::int64_t* false_positives;  // the same
};

struct Ranked {
    std::uint64_t key;  // ascending key = descending score
    std::uint32_t row;
};

inline std::uint64_t descending_key(double score) {
    const double plain = score + 0.0;  // -0.0 and 0.0 are equal scores
    std::uint64_t bits;
    std::memcpy(&bits, &plain, sizeof bits);
    return bits >> 63 ? bits : ~bits & ~(std::uint64_t{1} << 63);
}

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
        : v_(verdicts), slices_(slices), rules_(rules), to_find_(to_find), out_(out) {}

    void run(std::size_t k) {
        rank_class(k);
        for (std::size_t s = 0; s < slices_.size(); ++s) {
            const std::int64_t positives = to_find_[k * v_.n_ranges + slices_[s].range];
            count(s);
            for (int t = 0; t < v_.n_thresholds; ++t) {
                const std::size_t cell = (s * v_.n_thresholds + t) * v_.n_classes + k;
                out_.true_positives[cell] = tp_[t];
                out_.false_positives[cell] = fp_[t];
            }
            if (positives > 0 && s < out_.n_drawn) walk_back(s, k, positives);
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

    Word word(const void* words, std::uint32_t row, int range) const {
        return static_cast<const Word*>(words)[static_cast<std::size_t>(row) * v_.n_ranges + range];
    }

    // Final counts of one slice, per threshold.
    void count(std::size_t s) {
        const auto [range, cap] = slices_[s];
        tp_.assign(v_.n_thresholds, 0);
        fp_.assign(v_.n_thresholds, 0);
        std::int64_t plain = 0;  // false positives at every threshold
        for (const Ranked& item : ranked_) {
            if (v_.rank[item.row] >= cap) continue;
            const Word hit = word(v_.hits, item.row, range), ignored = word(v_.ignored, item.row, range);
            if (!(hit | ignored)) {
                ++plain;
                continue;
            }
            for (int t = 0; t < v_.n_thresholds; ++t) {
                tp_[t] += hit >> t & 1;
                fp_[t] += !((hit | ignored) >> t & 1);
            }
        }
        for (auto& fp : fp_) fp += plain;
    }

    // The smallest number of true positives whose recall reaches each level.
    void levels_as_counts(std::int64_t positives) {
        need_.resize(rules_.n_levels);
        for (int r = 0; r < rules_.n_levels; ++r) {
            std::int64_t n = static_cast<std::int64_t>(rules_.levels[r] * static_cast<double>(positives));
            n = std::max<std::int64_t>(0, n - 2);
            while (!reaches(n, positives, r)) ++n;
            need_[r] = n;
        }
    }

    bool reaches(std::int64_t found, std::int64_t positives, int r) const {
        if (rules_.exact_levels) return found * (rules_.n_levels - 1) >= r * positives;
        return static_cast<double>(found) / static_cast<double>(positives) >= rules_.levels[r];
    }

    void walk_back(std::size_t s, std::size_t k, std::int64_t positives) {
        const auto [range, cap] = slices_[s];
        const int n_t = v_.n_thresholds;
        best_.assign(n_t, 0.0);
        level_.assign(n_t, rules_.n_levels - 1);
        levels_as_counts(positives);
        if (out_.all_points) envelope_.resize(n_t);
        for (int t = 0; t < n_t; ++t) {
            while (level_[t] >= 0 && need_[level_[t]] > tp_[t]) --level_[t];
            if (out_.all_points) envelope_[t].resize(static_cast<std::size_t>(tp_[t]));
        }
        std::int64_t plain = 0;  // false positives at every threshold, from the end of the ranking
        for (std::size_t i = ranked_.size(); i-- > 0;) {
            const std::uint32_t row = ranked_[i].row;
            if (v_.rank[row] >= cap) continue;
            const std::uint64_t hit = word(v_.hits, row, range), ignored = word(v_.ignored, row, range);
            if (!(hit | ignored)) {
                ++plain;
                continue;
            }
            for (std::uint64_t bits = hit; bits; bits &= bits - 1)
                true_positive(std::countr_zero(bits), plain, s, k, v_.score[row]);
            for (int t = 0; t < n_t; ++t) fp_[t] -= !((hit | ignored) >> t & 1);
        }
        for (int t = 0; t < n_t; ++t) {
            // Level 0 needs no true positive: its precision is the highest of all.
            for (; level_[t] >= 0; --level_[t]) note_level(s, t, k, first_score(cap));
            if (out_.all_points) sum_all_points(s, t, k, positives);
        }
    }

    void true_positive(int t, std::int64_t plain, std::size_t s, std::size_t k, double score) {
        const std::int64_t found = tp_[t]--;
        const double tp = static_cast<double>(found), fp = static_cast<double>(fp_[t] - plain);
        best_[t] = std::max(best_[t], tp / (fp + tp + rules_.epsilon));
        for (; level_[t] >= 0 && need_[level_[t]] == found; --level_[t]) note_level(s, t, k, score);
        if (out_.all_points) envelope_[t][static_cast<std::size_t>(found - 1)] = best_[t];
    }

    void note_level(std::size_t s, int t, std::size_t k, double score) {
        const std::size_t cell =
            ((s * v_.n_thresholds + t) * rules_.n_levels + level_[t]) * v_.n_classes + k;
        if (out_.precision) out_.precision[cell] = best_[t];
        if (out_.level_score) out_.level_score[cell] = score;
    }

    double first_score(std::int32_t cap) const {
        for (const Ranked& item : ranked_)
            if (v_.rank[item.row] < cap) return v_.score[item.row];
        return 0;
    }

    void sum_all_points(std::size_t s, int t, std::size_t k, std::int64_t positives) {
        double sum = 0, before = 0;
        for (std::size_t i = 0; i < envelope_[t].size(); ++i) {
            const double recall = static_cast<double>(i + 1) / static_cast<double>(positives);
            sum += (recall - before) * envelope_[t][i];
            before = recall;
        }
        out_.all_points[(s * v_.n_thresholds + t) * v_.n_classes + k] = sum;
    }

    const Verdicts& v_;
    const std::vector<Slice>& slices_;
    const CurveRules& rules_;
    const std::int64_t* to_find_;  // (classes, ranges)
    const CurveOutput& out_;
    std::vector<Ranked> ranked_, spare_;
    std::vector<std::int64_t> tp_, fp_, need_;
    std::vector<double> best_;
    std::vector<int> level_;
    std::vector<std::vector<double>> envelope_;
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
    parallel_for(classes.size(), threads, [&](std::size_t i) {
        ClassCurves<Word>(verdicts, slices, rules, to_find, out).run(classes[i]);
    });
}

}  // namespace boxscore
