// Finds many ids in a list of known ones.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "parallel.hpp"

namespace boxscore {

// For each value its index in `known`, -1 where it is not there; the first of equal ones counts. A table of open
// addresses: ids may be anywhere in the range of 64 bits. Files list boxes image by image, so the last answer is kept.
inline void index_of(const std::int64_t* values, std::size_t n, const std::int64_t* known, std::size_t n_known,
                     std::int32_t* out, int threads) {
    const std::size_t slots = std::bit_ceil(2 * n_known + 2);
    const int shift = 64 - std::countr_zero(slots);
    const auto start = [shift](std::int64_t id) {
        return static_cast<std::size_t>(static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15u >> shift);
    };
    std::vector<std::int32_t> table(slots, -1);
    for (std::size_t i = 0; i < n_known; ++i) {
        std::size_t slot = start(known[i]);
        while (table[slot] >= 0 && known[table[slot]] != known[i]) slot = (slot + 1) & (slots - 1);
        if (table[slot] < 0) table[slot] = static_cast<std::int32_t>(i);
    }
    parallel_rows(n, threads, [&](std::size_t begin, std::size_t end) {
        std::int32_t found = -1;
        for (std::size_t i = begin; i < end; ++i) {
            if (i == begin || values[i] != values[i - 1]) {
                std::size_t slot = start(values[i]);
                while (table[slot] >= 0 && known[table[slot]] != values[i]) slot = (slot + 1) & (slots - 1);
                found = table[slot];
            }
            out[i] = found;
        }
    });
}

}  // namespace boxscore
