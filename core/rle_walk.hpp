// Two masks gone through run by run, as pycocotools does: it ends where both sides are at an empty run at once, before
// the end of the image if such runs are inside it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rle.hpp"

namespace boxscore {

// Where a walk is in the runs of one mask.
struct RunWalk {
    explicit RunWalk(const Counts& counts)
        : next(counts.data()), end(next + counts.size()), rest(next != end ? *next++ : 0) {}

    void go_on(std::uint32_t by) {
        rest -= by;
        if (!rest && next != end) {
            rest = *next++;
            inside = !inside;
        }
    }

    bool over() const { return !rest && next == end; }

    const std::uint32_t* next;
    const std::uint32_t* end;
    std::uint32_t rest;  // of the run that it is in
    bool inside = false;
};

// Pixels of both masks and of either, as the walk counts them.
struct RunOverlap {
    std::uint32_t shared = 0, either = 0;
};

// The masks are of one size and without faults.
inline RunOverlap walk_overlap(const Counts& one, const Counts& other) {
    RunOverlap made;
    RunWalk a(one), b(other);
    do {
        const std::uint32_t both = std::min(a.rest, b.rest);
        if (a.inside || b.inside) made.either += both;
        if (a.inside && b.inside) made.shared += both;
        a.go_on(both);
        b.go_on(both);
    } while (a.rest || b.rest);
    return made;
}

// The union of masks of one size without faults, two at a time; a single one stays as it is.
class RleUnion {
  public:
    void clear() { n_ = 0; }
    std::size_t size() const { return n_; }
    const Counts& counts() const { return made_; }

    void add(const Counts& mask) {
        if (n_++ == 0) {
            made_ = mask;
            return;
        }
        before_.swap(made_);
        made_.clear();
        RunWalk a(before_), b(mask);
        bool inside = false;
        std::uint32_t run = 0;
        for (bool left = true; left;) {
            // pycocotools would go on for ever after a union that has ended early; here nothing more is in it.
            const std::uint32_t both = a.over() ? b.rest : b.over() ? a.rest : std::min(a.rest, b.rest);
            run += both;
            if (!a.over()) a.go_on(both);
            if (!b.over()) b.go_on(both);
            left = a.rest || b.rest;
            const bool now = (a.inside && !a.over()) || (b.inside && !b.over());
            if (now != inside || !left) {
                made_.push_back(run);
                run = 0;
            }
            inside = now;
        }
    }

  private:
    Counts made_, before_;
    std::size_t n_ = 0;
};

}  // namespace boxscore
