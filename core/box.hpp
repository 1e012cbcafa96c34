// Overlap of two boxes given by corners, with areas that the caller chose (the source's w*h, or from the corners).
#pragma once

#include <algorithm>

namespace boxscore {

struct OverlapRule {
    double pixel;   // 1 where the last pixel belongs to the box (PASCAL VOC), else 0
    bool touching;  // with pixel = 1: boxes with a gap between them never overlap, even a gap below one pixel
};

// Area that two boxes share; 0 where they do not meet.
inline double intersection(const double* a, const double* b, OverlapRule rule) {
    const double w = std::min(a[2], b[2]) - std::max(a[0], b[0]);
    const double h = std::min(a[3], b[3]) - std::max(a[1], b[1]);
    if (rule.touching && (w < 0 || h < 0)) return 0;
    const double wide = w + rule.pixel, high = h + rule.pixel;
    return wide <= 0 || high <= 0 ? 0 : wide * high;
}

}  // namespace boxscore
