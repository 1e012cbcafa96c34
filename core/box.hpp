// Intersection of two boxes given by corners.
#pragma once

#include <algorithm>

namespace boxscore {

struct OverlapRule {
    double pixel;   // 1 where the last pixel belongs to the box (PASCAL VOC), else 0
    bool touching;  // with pixel = 1: boxes with a gap between them never overlap, even a gap below one pixel
};

// Area that two boxes share; 0 where they do not meet. Without branches: whether a pair meets is anybody's guess.
inline double intersection(const double* a, const double* b, OverlapRule rule) {
    const double w = std::min(a[2], b[2]) - std::max(a[0], b[0]), h = std::min(a[3], b[3]) - std::max(a[1], b[1]);
    const double both = std::max(w + rule.pixel, 0.0) * std::max(h + rule.pixel, 0.0);
    return rule.touching && (w < 0 || h < 0) ? 0 : both;
}

}  // namespace boxscore
