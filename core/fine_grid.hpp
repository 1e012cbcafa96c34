// The grid on which polygons become masks: five times as fine as the pixels.
#pragma once

#include <algorithm>
#include <cstdint>

namespace boxscore {

// A coordinate on the fine grid, cut off (towards zero) as C does. Where 32 bits cannot hold it, the nearest that they
// can; 0 where it is not a number.
inline std::int32_t on_fine_grid(double coordinate) {
    constexpr double kMost = 2147483647.0;
    const double fine = 5.0 * coordinate + 0.5;
    if (!(fine == fine)) return 0;
    return static_cast<std::int32_t>(std::min(std::max(fine, -kMost), kMost));
}

inline std::int32_t on_fine_grid(std::int32_t fine) { return fine; }

}  // namespace boxscore
