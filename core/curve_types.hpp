// What the drawing of curves works with.
#pragma once

#include <cstdint>
#include <vector>

namespace boxscore {

// Verdicts of all detections, grouped by class: those of class k are rows first[k] .. first[k + 1].
struct Verdicts {
    const std::int64_t* first;
    std::size_t n_classes;
    const double* score;
    const std::uint32_t* order;  // rows of each class as they are ranked; may be null
    const std::int32_t* image;
    const std::int64_t* tie;  // order among equal scores; may be null
    const std::int32_t* rank;
    const void* hits;  // (n, ranges) words of n_thresholds bits
    const void* ignored;
    const void* credits;  // hits that count with a weight of their own, and go first among equals; may be null
    const double* share;  // (n, ranges) what each counts where it is false; may be null: 1
    int n_ranges, n_thresholds;
};

// How detections with equal scores are ranked.
struct TieRules {
    bool later_image;  // later images first
    int hits;          // 1: hits before all others, -1: after them, 0: as ranked
};

// One curve per group of classes and threshold: a size range and a cap on detections per cell.
struct Slice {
    std::int32_t range, cap;
};

// Classes that are ranked together; those of group g are classes[first[g]] .. classes[first[g + 1] - 1].
struct Groups {
    const std::int64_t* first;
    const std::int32_t* classes;
    std::size_t n;
};

// What there is to find, by (class, range).
struct ToFind {
    const std::int64_t* all;
    const std::int64_t* absorbing;  // how many of them have the weight; may be null
    double weight;
};

struct CurveRules {
    const double* levels;                  // recall levels, ascending
    int n_levels;                          // 0: all points
    bool above_levels;                     // a recall reaches a level only from above
    bool exact_levels;                     // compare integers (levels are k / (n - 1)) instead of doubles
    double lowest_recall, highest_recall;  // points outside are left out
    double epsilon;                        // added to the denominator of the precision
    bool pairwise;                         // steps of all points are added up as NumPy does, else one after the other
};

// The first n_drawn slices get their curves drawn; of the others only the final counts are wanted.
struct CurveOutput {
    std::size_t n_drawn;
    double* precision;              // (drawn, thresholds, levels, groups); may be null
    double* level_score;            // the same: score of the detection that reaches the level; may be null
    double* all_points;             // (drawn, thresholds, groups) area under the envelope; may be null
    std::int64_t* true_positives;   // (slices, thresholds, groups)
    std::int64_t* false_positives;  // the same
    double* found;                  // the same: the true positives by weight; may be null
    double* wrong;                  // the same: the false positives by share; may be null
    std::int64_t* tied;             // (groups) detections that share their score with another one; may be null
};

}  // namespace boxscore
