// Ranks the detections of a class, or of several classes together, by descending score.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cells.hpp"
#include "curve_types.hpp"

namespace boxscore {

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

// The ranking of one group of classes; memory is used again from group to group.
class Ranking {
   public:
    Ranking(const Verdicts& verdicts, TieRules rules) : v_(verdicts), rules_(rules) {}

    const std::vector<Ranked>& of(const Groups& groups, std::size_t g) {
        items_.clear();
        std::int64_t from = groups.first[g], to = groups.first[g + 1];
        for (std::int64_t i = from; i < to; ++i) {
            // Where later images go first, later classes do so too.
            const std::int32_t k = groups.classes[rules_.later_image ? to - 1 - (i - from) : i];
            const std::size_t begin = items_.size();
            for (std::int64_t row = v_.first[k]; row < v_.first[k + 1]; ++row)
                items_.push_back({descending_key(v_.score[row]), static_cast<std::uint32_t>(row)});
            if (in_order()) continue;
            std::sort(items_.begin() + static_cast<std::ptrdiff_t>(begin), items_.end(),
                      [this](const Ranked& a, const Ranked& b) { return before(a, b); });
        }
        if (!v_.tie && (in_order() || to - from > 1)) sort_by_key();
        if (v_.tie && to - from > 1)
            std::sort(items_.begin(), items_.end(), [this](const Ranked& a, const Ranked& b) { return before(a, b); });
        return items_;
    }

   private:
    static constexpr std::size_t kSmall = 512;

    bool in_order() const { return !v_.tie && !rules_.later_image && !rules_.reverse_rank; }

    bool before(const Ranked& a, const Ranked& b) const {
        if (a.key != b.key) return a.key < b.key;
        if (v_.tie && v_.tie[a.row] != v_.tie[b.row]) return v_.tie[a.row] < v_.tie[b.row];
        const std::int32_t x = v_.image[a.row], y = v_.image[b.row];
        if (x != y) return rules_.later_image ? x > y : x < y;
        return rules_.reverse_rank ? a.row > b.row : a.row < b.row;
    }

    // Stable, so that what stands before what among equal keys stays so.
    void sort_by_key() {
        if (items_.size() > kSmall)
            radix_sort(items_, spare_);
        else
            std::stable_sort(items_.begin(), items_.end(),
                             [](const Ranked& a, const Ranked& b) { return a.key < b.key; });
    }

    const Verdicts& v_;
    const TieRules rules_;
    std::vector<Ranked> items_, spare_;
};

}  // namespace boxscore
