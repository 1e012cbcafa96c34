// Matching of detections and objects, cell by cell, for all thresholds and size ranges over the same overlaps.
// `boxscore/_reference` holds the definition in plain Python; both must agree to the last bit.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>

#include "block_columns.hpp"
#include "cell_matcher.hpp"
#include "cells.hpp"
#include "match_types.hpp"
#include "parallel.hpp"

namespace boxscore {

// Which objects are to be found, in which size ranges, and how many of each class.
template <class Word>
void count_objects(const MatchTask& task, const Cells& cells, int threads) {
    const std::size_t n_ranges = static_cast<std::size_t>(task.rules.n_ranges);
    parallel_for(cells.n_labels(), threads, [&](std::size_t label) {
        const CellMatcher<Word> matcher(task);
        std::int64_t* const to_find = task.out.to_find + label * n_ranges;
        std::int64_t* const absorbing = task.out.absorbing ? task.out.absorbing + label * n_ranges : nullptr;
        std::fill(to_find, to_find + n_ranges, 0);
        if (absorbing) std::fill(absorbing, absorbing + n_ranges, 0);
        for (std::int64_t g = cells.objects_first[label]; g < cells.objects_first[label + 1]; ++g) {
            std::uint64_t bits = matcher.counted(static_cast<std::size_t>(g));
            task.out.counted.set(static_cast<std::size_t>(g), bits);
            for (; bits; bits &= bits - 1) {
                ++to_find[std::countr_zero(bits)];
                if (absorbing && task.objects.role_of(static_cast<std::size_t>(g)) & kAbsorbs)
                    ++absorbing[std::countr_zero(bits)];
            }
        }
    });
}

// Matches the cells of a block, whose boxes are first brought next to each other if they stand elsewhere.
template <class Word>
struct BlockMatcher {
    BlockMatcher(const MatchTask& all, const Cell& block)
        : detections(all.detections, block.begin, block.end, true),
          objects(all.objects, block.objects_begin, block.objects_end, false),
          task{detections.columns(), objects.columns(), all.score, all.measured, all.rules, all.out},
          matcher(task) {
        if (!all.out.cleared) matcher.find_nothing(block.begin, block.end);
    }
    BlockMatcher(const BlockMatcher&) = delete;  // the matcher looks at this very task

    const BlockColumns detections, objects;
    const MatchTask task;
    CellMatcher<Word> matcher;
};

template <class Word>
void match_all(const MatchTask& task, const Cells& cells, int threads) {
    count_objects<Word>(task, cells, threads);
    cells.for_each(
        threads, !task.measured, [&](const Cell& block) { return BlockMatcher<Word>(task, block); },
        [](BlockMatcher<Word>& block, const Cell& cell, const Pair* pairs, const Pair* last) {
            block.matcher.run(cell, pairs, last);
        });
}

// Values from the first of a pair on and below the second; a second one that is no number is above everything.
struct Intervals {
    const double* ends;  // (n, 2)
    std::size_t n;

    bool have(double value) const {
        bool any = false;
        for (std::size_t i = 0; i < n; ++i) any |= (value >= ends[2 * i]) & !(value >= ends[2 * i + 1]);
        return any;
    }
};

// Whether no overlap of a pair and no size lies in some intervals: then thresholds and ends of ranges may be anywhere
// in them without a change of any verdict. Only pairs that are known to meet are looked at, if these are known.
inline bool none_within(const Cells& cells, const BoxColumns& detections, const BoxColumns& objects, OverlapRule rule,
                        const MeasuredPairs& measured, Intervals overlaps, Intervals sizes, int threads) {
    std::atomic<bool> any{false};
    for (const auto& [table, n] : {std::pair(&detections, cells.total()), std::pair(&objects, cells.total_objects())}) {
        if (sizes.n == 0) break;
        parallel_rows(n, threads, [&, table = table](std::size_t begin, std::size_t end) {
            for (std::size_t row = begin; row < end && !any; ++row)
                if (sizes.have(table->size_of(row))) any = true;
        });
    }
    if (any || overlaps.n == 0) return !any;
    if (measured) {
        parallel_rows(cells.total(), threads, [&](std::size_t begin, std::size_t end) {
            for (std::size_t d = begin; d < end && !any; ++d)
                for (std::int64_t k = measured.first[d]; k < measured.first[d + 1]; ++k)
                    if (overlaps.have(measured_overlap(measured, static_cast<std::size_t>(k), detections, d, objects)))
                        any = true;
        });
        return !any;
    }
    cells.for_each(
        threads, true, [](const Cell&) { return 0; },
        [&](int, const Cell& cell, const Pair* pair, const Pair* last) {
            if (any) return;
            const auto look = [&](std::uint32_t d, std::uint32_t o) {
                const auto [both, whole] = overlap_parts(detections, d, objects, o, rule);
                if (overlaps.have(both > 0 ? both / whole : 0.0)) any = true;
            };
            for (; pair < last; ++pair) look(pair->detection, pair->object);
            for (std::uint32_t d = cell.begin; !last && d < cell.end; ++d)
                for (std::uint32_t o = cell.objects_begin; o < cell.objects_end; ++o) look(d, o);
        });
    return !any;
}

// When the turn of each detection in its cell comes.
inline void turns(const Cells& cells, const double* score, bool last_first, std::int32_t* rank, int threads) {
    cells.for_each(threads, [&](const Cell& cell) {
        for_each_turn(score + cell.begin, cell.end - cell.begin, last_first, [&](std::uint32_t i, std::uint32_t turn) {
            rank[cell.begin + i] = static_cast<std::int32_t>(turn);
        });
    });
}

// The least of the positions in each cell, for every detection.
inline void earliest(const Cells& cells, const std::int64_t* position, std::int64_t* least, int threads) {
    cells.for_each(threads, [&](const Cell& cell) {
        std::fill(least + cell.begin, least + cell.end, *std::min_element(position + cell.begin, position + cell.end));
    });
}

}  // namespace boxscore
