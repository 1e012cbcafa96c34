// Intersection of two boxes given by corners.
#pragma once

namespace boxscore {

struct OverlapRule {
    double pixel;   // 1 where the last pixel belongs to the box (PASCAL VOC), else 0
    bool touching;  // with pixel = 1: boxes with a gap between them never overlap, even a gap below one pixel
    double zero = 0;  // a variable: compared with the constant, g++ makes two unpredictable branches of what follows
};

// By value, so that they become one instruction each; std::min and std::max take references and may become branches.
inline double lesser(double a, double b) { return a < b ? a : b; }
inline double greater(double a, double b) { return a > b ? a : b; }

// `pixel` is added to each side.
inline double area(const double* box, double pixel) { return (box[2] - box[0] + pixel) * (box[3] - box[1] + pixel); }

// Area that two boxes share; 0 where they do not meet. Without branches: whether a pair meets is anybody's guess.
inline double intersection(const double* a, const double* b, OverlapRule rule) {
    const double w = lesser(a[2], b[2]) - greater(a[0], b[0]), h = lesser(a[3], b[3]) - greater(a[1], b[1]);
    const double both = greater(w + rule.pixel, rule.zero) * greater(h + rule.pixel, rule.zero);
    return rule.touching && (w < 0 || h < 0) ? 0 : both;
}

}  // namespace boxscore
