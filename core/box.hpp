// Intersection of two boxes given by corners.
#pragma once

namespace boxscore {

struct OverlapRule {
    double pixel;         // 1 where the last pixel belongs to the box (PASCAL VOC), else 0
    bool touching;        // with pixel = 1: boxes with a gap between them never overlap, even a gap below one pixel
    bool single = false;  // single precision at every step, with kSingleEpsilon added to what is divided by
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

constexpr float kSingleEpsilon = 1e-7f;

// An overlap is what two boxes share over the whole that it is compared with: their union, or the first box alone.
struct Parts {
    double both, whole;
};

// In single precision at every step. The quotient is still to be rounded: rounding that of doubles gives the same.
inline Parts single_parts(const double* a, const double* b, bool alone) {
    const auto f = [](double value) { return static_cast<float>(value); };
    const auto side = [&](int i) {
        const float low = f(a[i]) > f(b[i]) ? f(a[i]) : f(b[i]),
                    high = f(a[i + 2]) < f(b[i + 2]) ? f(a[i + 2]) : f(b[i + 2]);
        return high - low > 0 ? high - low : 0;
    };
    const auto whole = [&](const double* box) { return (f(box[2]) - f(box[0])) * (f(box[3]) - f(box[1])); };
    const float both = side(0) * side(1);
    return {both, (alone ? whole(a) : whole(a) + whole(b) - both) + kSingleEpsilon};
}

}  // namespace boxscore
