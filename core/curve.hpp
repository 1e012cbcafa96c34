// Draws the curves of all groups of classes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "group_curves.hpp"
#include "parallel.hpp"

namespace boxscore {

template <class Word>
void all_curves(const Verdicts& verdicts, const TieRules& ties, const Groups& groups, const std::vector<Slice>& slices,
                const CurveRules& rules, const ToFind& to_find, const CurveOutput& out, int threads) {
    // Some neighbours at a time, whose values fill whole cache lines; the largest first, so that no thread is left
    // alone with them at the end.
    const std::size_t at_once =
        std::clamp<std::size_t>(groups.n / (4 * static_cast<std::size_t>(std::max(threads, 1))), 1, 8);
    std::vector<std::pair<std::int64_t, std::size_t>> blocks;  // minus its detections, the first group
    for (std::size_t g = 0; g < groups.n; ++g) {
        if (g % at_once == 0) blocks.emplace_back(0, g);
        for (std::int64_t i = groups.first[g]; i < groups.first[g + 1]; ++i)
            blocks.back().first -= verdicts.first[groups.classes[i] + 1] - verdicts.first[groups.classes[i]];
    }
    std::sort(blocks.begin(), blocks.end());
    std::atomic<std::size_t> next{0};
    const int workers =
        std::max(1, static_cast<int>(std::min(blocks.size(), static_cast<std::size_t>(std::max(threads, 1)))));
    parallel_for(static_cast<std::size_t>(workers), workers, [&](std::size_t) {
        // Workers share the threads, so that there are never more of them than were asked for.
        GroupCurves<Word> curves(verdicts, ties, groups, slices, rules, to_find, out, std::max(1, threads / workers));
        for (std::size_t b = next.fetch_add(1); b < blocks.size(); b = next.fetch_add(1))
            curves.run(blocks[b].second, std::min(groups.n, blocks[b].second + at_once));
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
        tied[k] = count_tied(verdicts, {to, n, 0, 0}, 0);
    });
}

}  // namespace boxscore
