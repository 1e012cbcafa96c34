// What the matching of detections and objects works with: roles, rules, columns in and out.
#pragma once

#include <cmath>
#include <cstdint>

#include "box.hpp"

namespace boxscore {

// What an object is for the matching; the caller derives it from flags and protocol.
enum Role : std::uint8_t {
    kIgnored = 1,   // nothing to find; a detection matched to it is ignored
    kReusable = 2,  // takes any number of detections, overlap counts over the detection's own area (a crowd)
    kVoid = 4,      // can be taken, but the detection that takes it counts as unmatched (annotation id 0)
    kAbsorbs = 8,   // looked at last, by detections that have found nothing; overlap as for kReusable
    kLast = 16,     // looked at even later, nothing to find; ignores the first detection that takes it, or every one
                    // that takes it if it is kIgnored or kAbsorbs, too
};

// What a detection is.
enum DetectionRole : std::uint8_t {
    kExcused = 1,     // ignored where it finds nothing
    kLeavesFree = 2,  // the object that it finds stays free for others (track id 0)
};

struct MatchRules {
    OverlapRule overlap;
    bool by_overlap;           // pairs are taken by descending overlap instead of detections by descending score
    bool by_object;            // with that, only the best pair of each object; regions still take any number
    bool even_if_taken;        // look for the best object whether it is free or not; a taken one makes a false positive
    bool shared;               // no object is ever taken
    bool prefer_counted;       // an object that counts goes before any ignored one
    bool last_of_equals;       // which of several equal overlaps wins
    double slack;              // with that, also a later one that is at most so much lower
    bool last_first;           // which of several equal scores in a cell chooses first
    bool ignore_outside;       // unmatched detections outside of the size range are ignored
    double credit_floor;       // an absorbing object is credited only to scores above this
    std::uint32_t cap;         // detections of a cell that may find an object
    const double* thresholds;  // the least overlaps that pass
    int n_thresholds;
    const double* lowest;  // size ranges, ends included
    const double* highest;
    int n_ranges;
};

// What there is to know of the boxes of a table, asked for in the order of the cells.
struct BoxColumns {
    const double* corners;      // (n, 4)
    const double* area;         // used in the overlap; may be null, then it is that of the corners
    const double* size;         // compared with the size ranges; may be null, then it is the area of the corners
    const double* limit;        // of objects: the least overlap that passes is at most this; may be null
    const std::uint8_t* role;   // may be null: none
    const std::uint32_t* rows;  // where they stand in the columns; may be null: in the order of the cells
    std::size_t first = 0;      // the columns begin with this one; only without rows

    std::size_t row(std::size_t i) const { return rows ? rows[i] : i - first; }
    const double* box(std::size_t i) const { return corners + 4 * row(i); }
    double size_of(std::size_t i) const { return size ? size[row(i)] : boxscore::area(box(i), 0); }
    double area_of(std::size_t i, double pixel) const { return area ? area[row(i)] : boxscore::area(box(i), pixel); }
    double limit_of(std::size_t i) const { return limit ? limit[row(i)] : HUGE_VAL; }
    std::uint8_t role_of(std::size_t i) const { return role ? role[row(i)] : 0; }
};

// Overlaps that were measured before: for detection d the objects object[first[d]] .. object[first[d + 1] - 1],
// ascending, all others overlap by 0. Without `first` there are none, and boxes are measured as it goes.
struct MeasuredPairs {
    const std::int64_t* first = nullptr;  // (detections + 1)
    const std::uint32_t* object = nullptr;
    const double* shared = nullptr;   // what the two have in common, in the unit of the areas; or
    const double* overlap = nullptr;  // the overlap itself, of pairs whose object is no region; may be null
    bool direct = false;              // what they have in common is their overlap, whatever the object is

    explicit operator bool() const { return first != nullptr; }
};

inline Parts overlap_parts(const BoxColumns& detections, std::size_t d, const BoxColumns& objects, std::size_t o,
                           OverlapRule rule) {
    const bool alone = objects.role_of(o) & (kReusable | kAbsorbs);
    if (rule.single) return single_parts(detections.box(d), objects.box(o), alone);
    const double both = intersection(detections.box(d), objects.box(o), rule), area = detections.area_of(d, rule.pixel);
    return {both, alone ? area : area + objects.area_of(o, rule.pixel) - both};
}

// What the two have in common over their union, or over the detection alone; nothing in common is 0 of whatever whole.
inline double measured_overlap(const MeasuredPairs& pairs, std::size_t k, const BoxColumns& detections, std::size_t d,
                               const BoxColumns& objects) {
    const double both = pairs.shared[k];
    if (pairs.direct || !(both > 0)) return both;
    const std::size_t o = pairs.object[k];
    const bool alone = objects.role_of(o) & (kReusable | kAbsorbs);
    if (pairs.overlap && !alone) return pairs.overlap[k];
    const double area = detections.area_of(d, 0);
    return both / (alone ? area : area + objects.area_of(o, 0) - both);
}

// An overlap by the definition, step by step: infinite sides make no number of the product with a side of 0.
inline double careful_overlap(const BoxColumns& detections, std::size_t d, const BoxColumns& objects, std::size_t o,
                              OverlapRule rule) {
    const double *a = detections.box(d), *b = objects.box(o);
    const double w = lesser(a[2], b[2]) - greater(a[0], b[0]), h = lesser(a[3], b[3]) - greater(a[1], b[1]);
    if (w + rule.pixel <= 0 || h + rule.pixel <= 0 || (rule.touching && (w < 0 || h < 0))) return 0;
    const auto [both, whole] = overlap_parts(detections, d, objects, o, rule);
    if (!rule.single) return both / whole;
    const float rounded = static_cast<float>(both / whole);
    return rounded == rounded ? double{rounded} : 0;
}

// Per object: a bit for each range in which it is to be found, in bytes where they suffice.
struct CountedRanges {
    void* words;
    bool bytes;

    std::uint64_t operator[](std::size_t object) const {
        return bytes ? static_cast<const std::uint8_t*>(words)[object]
                     : static_cast<const std::uint64_t*>(words)[object];
    }
    void set(std::size_t object, std::uint64_t ranges) const {
        if (bytes)
            static_cast<std::uint8_t*>(words)[object] = static_cast<std::uint8_t>(ranges);
        else
            static_cast<std::uint64_t*>(words)[object] = ranges;
    }
};

// Where the verdicts go, in the order of the cells.
struct MatchOutput {
    void* hits;            // (n, ranges) words of n_thresholds bits, all 0
    void* ignored;         // the same; anything, if not cleared
    bool cleared;          // it is 0 already, and that is what it is in every range for who finds nothing
    void* credits;         // hits that are an absorbing object's, all 0; may be null
    std::int32_t* object;  // (n, ranges, thresholds) object or -1; may be null
    double* overlap;       // the same; may be null
    CountedRanges counted;
    std::int64_t* to_find;    // (labels, ranges) how many objects those are
    std::int64_t* absorbing;  // (labels, ranges) how many of them are absorbing; may be null
};

struct MatchTask {
    BoxColumns detections, objects;
    const double* score;  // in the order of the cells
    MeasuredPairs measured;
    MatchRules rules;
    MatchOutput out;
};

}  // namespace boxscore
