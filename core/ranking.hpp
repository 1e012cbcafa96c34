// Ranks the detections of a class, or of several classes together, by descending score.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "curve_types.hpp"
#include "parallel.hpp"
#include "sorting.hpp"

namespace boxscore {

// Rows of the verdicts in some order.
struct Rows {
    const std::uint32_t* data;
    std::size_t n;
    std::size_t low, high;  // all are from low on and below high

    const std::uint32_t* begin() const { return data; }
    const std::uint32_t* end() const { return data + n; }
};

// Sorts rows by descending score; what is equal stays in its order.
class ScoreSort {
  public:
    ScoreSort(const double* score, int threads) : score_(score), threads_(threads) {}

    void run(std::vector<std::uint32_t>& rows) {
        constexpr std::size_t kFew = 512, kMany = 1 << 15;  // where digits pay, and where threads do
        const std::size_t n = rows.size();
        if (n <= kFew) {
            std::stable_sort(rows.begin(), rows.end(), [this](auto a, auto b) { return score_[a] > score_[b]; });
            return;
        }
        const std::size_t parts =
            std::max<std::size_t>(1, std::min<std::size_t>(static_cast<std::size_t>(threads_), n / kMany));
        const auto start = [&](std::size_t part) {
            return static_cast<std::ptrdiff_t>(n * std::min(part, parts) / parts);
        };
        if (n > room_) {  // not cleared: the threads are to be the first to touch it
            items_ = std::make_unique_for_overwrite<Item[]>(n);
            spare_ = std::make_unique_for_overwrite<Item[]>(n);
            room_ = n;
        }
        parallel_for(parts, threads_, [&](std::size_t part) {
            for (std::ptrdiff_t i = start(part); i < start(part + 1); ++i) items_[i] = item(rows[i]);
            sort(items_.get() + start(part), spare_.get() + start(part),
                 static_cast<std::size_t>(start(part + 1) - start(part)));
        });
        for (std::size_t width = 1; width < parts; width *= 2) {
            parallel_for((parts + 2 * width - 1) / (2 * width), threads_, [&](std::size_t pair) {
                const auto a = start(2 * width * pair), b = start(2 * width * pair + width),
                           c = start(2 * width * (pair + 1));
                const Item* const from = items_.get();
                std::merge(from + a, from + b, from + b, from + c, spare_.get() + a,
                           [this](Item x, Item y) { return before(x, y); });
            });
            items_.swap(spare_);
        }
        for (std::size_t i = 0; i < n; ++i) rows[i] = static_cast<std::uint32_t>(items_[i]);
    }

  private:
    using Item = std::uint64_t;  // the upper half of a key, which tells almost all scores apart, and a row

    Item item(std::uint32_t row) const { return descending_key(score_[row]) >> 32 << 32 | row; }
    double score(Item item) const { return score_[static_cast<std::uint32_t>(item)]; }

    bool before(Item a, Item b) const { return a >> 32 != b >> 32 ? a < b : score(a) > score(b); }

    // By the digits of the half keys, the least significant first, digits that are the same everywhere skipped; then
    // what is still equal by whole scores.
    void sort(Item* items, Item* spare, std::size_t n) const {
        constexpr int kBits = 11, kDigits = 3;
        constexpr std::size_t kBuckets = std::size_t{1} << kBits;
        std::vector<std::uint32_t> counts(kDigits * kBuckets, 0);
        const auto digit = [](Item item, int d) { return item >> (32 + d * kBits) & (kBuckets - 1); };
        for (std::size_t i = 0; i < n; ++i)
            for (int d = 0; d < kDigits; ++d) ++counts[d * kBuckets + digit(items[i], d)];
        Item *from = items, *to = spare;
        for (int d = 0; d < kDigits; ++d) {
            std::uint32_t* const count = counts.data() + d * kBuckets;
            if (count[digit(from[0], d)] == n) continue;
            for (std::uint32_t b = 0, sum = 0; b < kBuckets; ++b) {
                const std::uint32_t here = count[b];
                count[b] = sum;
                sum += here;
            }
            for (std::size_t i = 0; i < n; ++i) to[count[digit(from[i], d)]++] = from[i];
            std::swap(from, to);
        }
        if (from != items) std::copy(from, from + n, items);
        for (std::size_t begin = 0, end; begin < n; begin = end) {
            bool sorted = true;
            for (end = begin + 1; end < n && items[end] >> 32 == items[begin] >> 32; ++end)
                sorted = sorted && score(items[end - 1]) >= score(items[end]);
            if (!sorted)
                std::stable_sort(items + begin, items + end, [this](Item a, Item b) { return score(a) > score(b); });
        }
    }

    const double* const score_;
    const int threads_;
    std::unique_ptr<Item[]> items_, spare_;
    std::size_t room_ = 0;
};

// The ranking of one group of classes; memory is used again from group to group.
class Ranking {
  public:
    Ranking(const Verdicts& verdicts, const TieRules& rules, int threads)
        : v_(verdicts), rules_(rules), by_score_(verdicts.score, threads) {}

    // The rows of a group as they are ranked.
    Rows of(const Groups& groups, std::size_t g) {
        const std::int64_t from = groups.first[g], to = groups.first[g + 1];
        const bool several = to - from > 1;
        std::int64_t low = from < to ? v_.first[v_.n_classes] : 0, high = 0, n = 0;
        for (std::int64_t i = from; i < to; ++i) {
            const std::int64_t* const first = v_.first + groups.classes[i];
            low = std::min(low, first[0]);
            high = std::max(high, first[1]);
            n += first[1] - first[0];
        }
        Rows all{v_.order + low, static_cast<std::size_t>(n), static_cast<std::size_t>(low),
                 static_cast<std::size_t>(high)};
        if (v_.order && !several) return all;
        rows_.clear();
        rows_.reserve(all.n);
        for (std::int64_t i = from; i < to; ++i) {
            // Where later images go first, later classes do so too.
            const std::int32_t k = groups.classes[rules_.later_image ? to - 1 - (i - from) : i];
            for (std::int64_t r = v_.first[k]; r < v_.first[k + 1]; ++r)
                rows_.push_back(v_.order ? v_.order[r] : static_cast<std::uint32_t>(r));
        }
        by_score_.run(rows_);
        // The order of each class may be known already, with its ties broken.
        if (!v_.order || (several && v_.tie)) break_ties(several);
        all.data = rows_.data();
        return all;
    }

    // Brings a ranking of one class by other rules into this one: only equal scores may have to change places.
    void anew(std::uint32_t* rows, std::size_t n) const {
        for_each_tie(v_.score, rows, n, [&](std::size_t begin, std::size_t end) { sort(rows + begin, rows + end); });
    }

    // Calls note(begin, end) for detections that share their score, among rows by descending score.
    template <class Note>
    static void for_each_tie(const double* score, const std::uint32_t* rows, std::size_t n, const Note& note) {
        for (std::size_t begin = 0, end; begin < n; begin = end) {
            const double of_first = score[rows[begin]];
            for (end = begin + 1; end < n && score[rows[end]] == of_first; ++end) {}
            if (end - begin > 1) note(begin, end);
        }
    }

  private:
    // Rows with equal scores stand class by class, and in each class in the order of rows; the rules may want another.
    void break_ties(bool several_classes) {
        if (!v_.tie && !rules_.later_image) return;
        for_each_tie(v_.score, rows_.data(), rows_.size(), [&](std::size_t begin, std::size_t end) {
            if (!several_classes || v_.tie) return sort(&rows_[begin], &rows_[0] + end);
            for (std::size_t i = begin, j; i < end; i = j) {
                const std::int64_t last = class_end(rows_[i]);
                for (j = i + 1; j < end && class_end(rows_[j]) == last; ++j) {}
                sort(&rows_[i], &rows_[0] + j);
            }
        });
    }

    std::int64_t class_end(std::int64_t row) const { return *std::upper_bound(v_.first, v_.first + v_.n_classes, row); }

    // Sorts rows with equal scores.
    void sort(std::uint32_t* begin, std::uint32_t* end) const {
        std::sort(begin, end, [this](std::uint32_t a, std::uint32_t b) {
            const std::int32_t x = v_.image[a], y = v_.image[b];
            if (rules_.later_image && x != y) return x > y;  // what breaks ties then does so within an image
            if (v_.tie && v_.tie[a] != v_.tie[b]) return v_.tie[a] < v_.tie[b];
            return x != y ? x < y : a < b;
        });
    }

    const Verdicts& v_;
    const TieRules rules_;
    ScoreSort by_score_;
    std::vector<std::uint32_t> rows_;
};

// How many of the ranked detections, as far as their turns are below the cap, share their score with another one.
inline std::int64_t count_tied(const Verdicts& v, Rows rows, std::int32_t cap) {
    std::int64_t tied = 0;
    Ranking::for_each_tie(v.score, rows.data, rows.n, [&](std::size_t begin, std::size_t end) {
        std::int64_t n = 0;
        for (std::size_t i = begin; i < end; ++i) n += !v.rank || v.rank[rows.data[i]] < cap;
        tied += n > 1 ? n : 0;
    });
    return tied;
}

}  // namespace boxscore
