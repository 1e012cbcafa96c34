// Numbers in as few bytes as lose nothing: those of networks are singles, and there are millions of them.
#pragma once

#include <algorithm>
#include <cstddef>

#include "aligned.hpp"

namespace boxscore {

// Appends the first values of a column of a block. Where that needs more memory, it asks for as much as all will need
// if the rest of the file, `rest` times as large as the block, is like the block: to move a column again and again
// takes time, and while it moves it is there twice. Memory that is asked for in vain is never touched.
template <class Values>
void add(Values& to, const Values& from, std::size_t n, double rest) {
    const std::size_t wanted = to.size() + n;
    if (wanted > to.capacity())
        to.reserve(std::max(wanted + static_cast<std::size_t>(1.1 * rest * static_cast<double>(n)) + 16,
                            to.size() + to.size() / 4));
    to.insert(to.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(n));
}

inline void add_some(AlignedVector<double>& to, const double* some, std::size_t n) {
    to.insert(to.end(), some, some + n);
}

// Singles as long as every number is one, from then on all of them as doubles.
struct Reals {
    AlignedVector<float> singles;
    AlignedVector<double> doubles;
    bool wide = false;  // which of both counts

    std::size_t size() const { return wide ? doubles.size() : singles.size(); }

    void clear() {
        singles.clear();
        doubles.clear();
        wide = false;
    }

    void widen() {
        if (wide) return;
        doubles.assign(singles.begin(), singles.end());
        singles = {};
        wide = true;
    }

    void append(const Reals& more, double rest) {
        if (more.wide) widen();
        if (!wide)
            add(singles, more.singles, more.singles.size(), rest);
        else if (more.wide)
            add(doubles, more.doubles, more.doubles.size(), rest);
        else
            doubles.insert(doubles.end(), more.singles.begin(), more.singles.end());
    }
};

inline void add_some(Reals& to, const double* some, std::size_t n) {
    if (!to.wide) {
        const std::size_t before = to.singles.size();
        to.singles.resize(before + n);
        float* const out = to.singles.data() + before;
        bool exact = true;
        for (std::size_t i = 0; i < n; ++i) {
            out[i] = static_cast<float>(some[i]);
            exact &= static_cast<double>(out[i]) == some[i];
        }
        if (exact) return;
        to.singles.resize(before);
        to.widen();
    }
    add_some(to.doubles, some, n);
}

}  // namespace boxscore
