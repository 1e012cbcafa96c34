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

// Stable sort by key. The upper half of a key tells almost all scores apart: it is sorted by digits, the least
// significant first, digits that are the same everywhere skipped; what is still equal is sorted by the whole key.
inline void radix_sort(std::vector<Ranked>& items, std::vector<Ranked>& spare) {
    constexpr int kBits = 11, kDigits = 3, kLow = 33;
    constexpr std::size_t kBuckets = std::size_t{1} << kBits;
    std::vector<std::uint32_t> counts(kDigits * kBuckets, 0);
    const auto digit = [](std::uint64_t key, int d) { return key >> (kLow + d * kBits) & (kBuckets - 1); };
    for (const Ranked& item : items)
        for (int d = 0; d < kDigits; ++d) ++counts[d * kBuckets + digit(item.key, d)];
    spare.resize(items.size());
    for (int d = 0; d < kDigits; ++d) {
        std::uint32_t* count = counts.data() + d * kBuckets;
        if (count[digit(items[0].key, d)] == items.size()) continue;
        for (std::uint32_t b = 0, sum = 0; b < kBuckets; ++b) {
            const std::uint32_t here = count[b];
            count[b] = sum;
            sum += here;
        }
        for (const Ranked& item : items) spare[count[digit(item.key, d)]++] = item;
        items.swap(spare);
    }
    const auto less = [](const Ranked& a, const Ranked& b) { return a.key < b.key; };
    for (auto begin = items.begin(); begin != items.end();) {
        auto end = begin + 1;
        bool sorted = true;
        for (; end != items.end() && end->key >> kLow == begin->key >> kLow; ++end)
            sorted = sorted && (end - 1)->key <= end->key;
        if (!sorted) std::stable_sort(begin, end, less);
        begin = end;
    }
}

// The ranking of one group of classes; memory is used again from group to group.
class Ranking {
   public:
    // Without `want_keys` the items of a class whose order is known have none.
    Ranking(const Verdicts& verdicts, const TieRules& rules, bool want_keys)
        : v_(verdicts), rules_(rules), want_keys_(want_keys) {}

    const std::vector<Ranked>& of(const Groups& groups, std::size_t g) {
        items_.clear();
        const std::int64_t from = groups.first[g], to = groups.first[g + 1];
        const bool several = to - from > 1;
        keyed_ = several || !v_.order || want_keys_;
        for (std::int64_t i = from; i < to; ++i)
            // Where later images go first, later classes do so too.
            append(groups.classes[rules_.later_image ? to - 1 - (i - from) : i]);
        // The order of each class may be known already, with its ties broken.
        if (several || !v_.order) sort_by_key();
        if (!v_.order || (several && v_.tie)) break_ties(several);
        return items_;
    }

    // The ranking of one class, from one by other rules: only equal scores may have to change places.
    const std::vector<Ranked>& anew(std::int32_t k) {
        items_.clear();
        append(k);
        for (std::size_t begin = 0, end; begin < items_.size(); begin = end) {
            for (end = begin + 1; end < items_.size() && items_[end].key == items_[begin].key; ++end) {
            }
            if (end - begin > 1) sort(begin, end);
        }
        return items_;
    }

   private:
    static constexpr std::size_t kSmall = 512;

    void append(std::int32_t k) {
        for (std::int64_t i = v_.first[k]; i < v_.first[k + 1]; ++i) {
            const std::uint32_t row = v_.order ? v_.order[i] : static_cast<std::uint32_t>(i);
            items_.push_back({keyed_ ? descending_key(v_.score[row]) : 0, row});
        }
    }

    // Rows with equal scores stand class by class, and in each class in the order of rows; the rules may want another.
    void break_ties(bool several_classes) {
        if (!v_.tie && !rules_.later_image) return;
        for (std::size_t begin = 0, end; begin < items_.size(); begin = end) {
            for (end = begin + 1; end < items_.size() && items_[end].key == items_[begin].key; ++end) {
            }
            if (end - begin == 1) continue;
            if (!several_classes || v_.tie) {
                sort(begin, end);
                continue;
            }
            for (std::size_t i = begin, j; i < end; i = j) {
                const std::int64_t last = class_end(items_[i].row);
                for (j = i + 1; j < end && class_end(items_[j].row) == last; ++j) {
                }
                sort(i, j);
            }
        }
    }

    std::int64_t class_end(std::int64_t row) const { return *std::upper_bound(v_.first, v_.first + v_.n_classes, row); }

    void sort(std::size_t begin, std::size_t end) {
        std::sort(items_.begin() + static_cast<std::ptrdiff_t>(begin), items_.begin() + static_cast<std::ptrdiff_t>(end),
                  [this](const Ranked& a, const Ranked& b) { return before(a, b); });
    }

    bool before(const Ranked& a, const Ranked& b) const {
        if (a.key != b.key) return a.key < b.key;
        if (v_.tie && v_.tie[a.row] != v_.tie[b.row]) return v_.tie[a.row] < v_.tie[b.row];
        const std::int32_t x = v_.image[a.row], y = v_.image[b.row];
        if (x != y) return rules_.later_image ? x > y : x < y;
        return a.row < b.row;
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
    const bool want_keys_;
    bool keyed_ = true;
    std::vector<Ranked> items_, spare_;
};

// How many of the ranked detections share their score with another one.
inline std::int64_t count_tied(const std::vector<Ranked>& r) {
    std::int64_t tied = 0;
    for (std::size_t i = 0; i < r.size(); ++i)
        tied += (i > 0 && r[i - 1].key == r[i].key) || (i + 1 < r.size() && r[i + 1].key == r[i].key);
    return tied;
}

}  // namespace boxscore
