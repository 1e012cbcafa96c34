// What the matching of detections and objects works with: roles, rules, columns in and out.
#pragma once

#include <cstdint>

#include "box.hpp"

namespace boxscore {

// What an object is for the matching; the caller derives it from flags and protocol.
enum Role : std::uint8_t {
    kIgnored = 1,   // nothing to find; a detection matched to it is ignored
    kReusable = 2,  // takes any number of detections, overlap counts over the detection's own area (a crowd)
    kVoid = 4,      // can be taken, but the detection that takes it counts as unmatched (annotation id 0)
    kAbsorbs = 8,   // looked at last, by detections that have found nothing; overlap as for kReusable
};

// What a detection is: excused ones are ignored where they find nothing.
enum DetectionRole : std::uint8_t { kExcused = 1 };

// What decides between detections of a class with equal scores, ascending; written where `tie` is.
enum class Tie : std::uint8_t {
    order,     // the order of the verdicts: image, then place in the source
    position,  // place in the source
    earliest,  // where the image first appears among the detections of the class, then place in the source
};

struct MatchRules {
    OverlapRule overlap;
    bool by_overlap;      // pairs are taken by descending overlap instead of detections by descending score
    bool even_if_taken;   // look for the best object whether it is free or not; a taken one makes a false positive
    bool shared;          // no object is ever taken
    bool prefer_counted;  // an object that counts goes before any ignored one
    bool last_of_equals;  // which of several equal overlaps wins
    bool last_first;      // which of several equal scores in a cell chooses first
    bool strict;          // overlap > threshold instead of >=
    bool ignore_outside;  // unmatched detections outside of the size range are ignored
    bool closed_ranges;   // both ends belong to a size range
    double credit_floor;  // an absorbing object is credited only to scores above this
    std::uint32_t cap;    // detections kept per cell
    Tie tie;
    const double* thresholds;
    int n_thresholds;
    const double* lowest;  // size ranges
    const double* highest;
    int n_ranges;
};

struct BoxColumns {
    const std::int32_t* label;
    const std::int32_t* image;
    const double* corners;  // (n, 4)
    const double* area;     // used in the overlap
    const double* size;     // compared with the size ranges
    const std::uint8_t* role;
    std::size_t n;
};

// Where the verdicts go: one row per kept detection, in the order (label, image, descending score, row).
struct MatchOutput {
    std::int64_t* first;     // (labels + 1) where the verdicts of each class begin
    std::uint32_t* row;      // detection row; may be null, then image and score are too
    std::int32_t* image;     // its image
    double* score;           // its score
    std::int64_t* tie;       // what decides between equal scores of a class, see Tie; may be null
    std::int32_t* rank;      // when its turn comes in the cell; may be null
    void* hits;              // (n, ranges) words of n_thresholds bits
    void* ignored;           // the same
    bool cleared;            // both are 0 already, and that is what an unmatched detection is in every range
    void* credits;           // the same: hits that are an absorbing object's; may be null
    std::int32_t* object;    // (n, ranges, thresholds) object row or -1; may be null
    double* overlap;         // the same; may be null
    std::uint64_t* counted;  // per object: a bit for each range in which it is to be found
    std::int64_t* to_find;   // (labels, ranges) how many objects those are
    std::int64_t* absorbing; // (labels, ranges) how many of them are absorbing; may be null
    std::uint8_t* cut;       // per detection row: 1 where the cap cut it off
};

struct MatchTask {
    BoxColumns detections, objects;
    const double* score;
    const std::int64_t* position;
    const double* limit;  // per object: a threshold above it is lowered to it; may be null
    MatchRules rules;
    MatchOutput out;
};

}  // namespace boxscore
