// Draws the curves of all groups of classes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "group_curves.hpp"
#include "parallel.hpp"

namespace boxscore {

template <class Word>
void all_curves(const Verdicts& verdicts, const TieRules& ties, const Groups& groups, const std::vector<Slice>& slices,
                const CurveRules& rules, const ToFind& to_find, const CurveOutput& out, int threads) {
    // Large groups first, so that no thread is left alone with one at the end.
    std::vector<std::size_t> order(groups.n);
    std::vector<std::int64_t> size(groups.n, 0);
    for (std::size_t g = 0; g < groups.n; ++g) {
        order[g] = g;
        for (std::int64_t i = groups.first[g]; i < groups.first[g + 1]; ++i)
            size[g] += verdicts.first[groups.classes[i] + 1] - verdicts.first[groups.classes[i]];
    }
    std::sort(order.begin(), order.end(), [&size](std::size_t a, std::size_t b) {
        return size[a] != size[b] ? size[a] > size[b] : a < b;
    });
    std::atomic<std::size_t> next{0};
    parallel_for(static_cast<std::size_t>(std::max(threads, 1)), threads, [&](std::size_t) {
        GroupCurves<Word> curves(verdicts, ties, groups, slices, rules, to_find, out, threads);
        for (std::size_t i = next.fetch_add(1); i < order.size(); i = next.fetch_add(1)) curves.run(order[i]);
    });
}

// The rows of each class as they are ranked, and how many of them share their score with another one.
inline void rank_classes(const Verdicts& verdicts, const TieRules& ties, std::uint32_t* order, std::int64_t* tied,
                         int threads) {
    parallel_for(verdicts.n_classes, threads, [&](std::size_t k) {
        std::uint32_t* const to = order + verdicts.first[k];
        const std::size_t n = static_cast<std::size_t>(verdicts.first[k + 1] - verdicts.first[k]);
        Ranking ranking(verdicts, ties, 1);
        if (verdicts.order) {
            std::copy_n(verdicts.order + verdicts.first[k], n, to);
            ranking.anew(to, n);
        } else {
            const std::int64_t first[] = {0, 1};
            const std::int32_t label[] = {static_cast<std::int32_t>(k)};
            std::copy_n(ranking.of({first, label, 1}, 0).data, n, to);
        }
        tied[k] = count_tied(verdicts.score, to, n);
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
