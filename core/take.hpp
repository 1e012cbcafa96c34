// Rows of a column in another order.
#pragma once

#include <cstdint>
#include <cstring>

#include "parallel.hpp"

namespace boxscore {

template <std::size_t kWidth>
void take_rows(const char* from, const std::uint32_t* rows, std::size_t n, char* to, int threads) {
    parallel_rows(n, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) std::memcpy(to + i * kWidth, from + rows[i] * kWidth, kWidth);
    });
}

// Rows are `width` bytes wide; those of plain columns and of boxes go fast.
inline void take(const void* column, std::size_t width, const std::uint32_t* rows, std::size_t n, void* out,
                 int threads) {
    const char* const from = static_cast<const char*>(column);
    char* const to = static_cast<char*>(out);
    switch (width) {
        case 1: return take_rows<1>(from, rows, n, to, threads);
        case 2: return take_rows<2>(from, rows, n, to, threads);
        case 4: return take_rows<4>(from, rows, n, to, threads);
        case 8: return take_rows<8>(from, rows, n, to, threads);
        case 32: return take_rows<32>(from, rows, n, to, threads);
        default:
            return parallel_rows(n, threads, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) std::memcpy(to + i * width, from + rows[i] * width, width);
            });
    }
}

}  // namespace boxscore
