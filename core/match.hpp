// Matching of detections and objects, cell by cell, for all thresholds and size ranges over the same overlaps.
// `boxscore/_reference` holds the definition in plain Python; both must agree to the last bit.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "cell_matcher.hpp"
#include "cells.hpp"
#include "match_types.hpp"
#include "parallel.hpp"

namespace boxscore {

// Which objects are to be found, in which size ranges, and how many of each class.
template <class Word>
void count_objects(const MatchTask& task, const Cells& cells, int threads) {
    const int n_ranges = task.rules.n_ranges;
    constexpr std::size_t kBlock = 1 << 16;
    parallel_for((task.objects.n + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
        Scratch scratch;
        const CellMatcher<Word> matcher(task, cells, scratch);
        const std::size_t end = std::min(task.objects.n, (block + 1) * kBlock);
        for (std::size_t g = block * kBlock; g < end; ++g) {
            const bool listed = task.objects.label[g] >= 0 && task.objects.image[g] >= 0;
            const bool counts = listed && !(task.objects.role[g] & kIgnored);
            task.out.counted[g] = counts ? mask(n_ranges) & ~matcher.ranges_without(task.objects.size[g]) : 0;
        }
    });
    const std::size_t n = cells.n_labels * static_cast<std::size_t>(n_ranges);
    std::fill(task.out.to_find, task.out.to_find + n, 0);
    if (task.out.absorbing) std::fill(task.out.absorbing, task.out.absorbing + n, 0);
    for (std::size_t g = 0; g < task.objects.n; ++g)
        for (std::uint64_t bits = task.out.counted[g]; bits; bits &= bits - 1) {
            const int cell = task.objects.label[g] * n_ranges + std::countr_zero(bits);
            ++task.out.to_find[cell];
            if (task.out.absorbing && task.objects.role[g] & kAbsorbs) ++task.out.absorbing[cell];
        }
}

// Matches everything and returns how many verdicts were written.
template <class Word>
std::size_t match_all(const MatchTask& task, const Cells& cells, int threads) {
    // Where the cap cuts nothing, verdicts stand where the cells have their places already.
    const bool whole = task.rules.cap >= cells.largest;
    std::vector<std::vector<Cell>> placed;
    std::size_t total = cells.total();
    if (whole) {
        std::copy(cells.first.begin(), cells.first.end(), task.out.first);
    } else {
        placed = cells.blocks;
        total = place_by_label(placed, cells.n_labels, task.rules.cap, task.out.first);
    }
    const auto& blocks = whole ? cells.blocks : placed;
    // Where nothing needs to be written of a detection that meets nothing, only cells with pairs are visited.
    const bool few = whole && !cells.meets_first.empty() && task.out.cleared && !task.out.row && !task.out.rank && !task.out.tie;
    parallel_for(blocks.size(), threads, [&](std::size_t b) {
        Scratch scratch;
        CellMatcher<Word> matcher(task, cells, scratch);
        if (few)
            for (const std::uint32_t c : cells.meeting[b]) matcher.run(blocks[b][c]);
        else
            for (const Cell& cell : blocks[b]) matcher.run(cell);
    });
    count_objects<Word>(task, cells, threads);
    return total;
}

}  // namespace boxscore
