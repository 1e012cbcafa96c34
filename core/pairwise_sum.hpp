// The sum of doubles in NumPy's order of addition, to the same last bit.
#pragma once

#include <cstddef>

namespace boxscore {

inline double pairwise_sum(const double* values, std::size_t n) {
    if (n < 8) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += values[i];
        return sum;
    }
    if (n > 128) {
        const std::size_t half = n / 2 - n / 2 % 8;
        return pairwise_sum(values, half) + pairwise_sum(values + half, n - half);
    }
    double lane[8];
    for (std::size_t k = 0; k < 8; ++k) lane[k] = values[k];
    std::size_t i = 8;
    for (; i < n - n % 8; i += 8)
        for (std::size_t k = 0; k < 8; ++k) lane[k] += values[i + k];
    double sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    for (; i < n; ++i) sum += values[i];
    return sum;
}

}  // namespace boxscore
