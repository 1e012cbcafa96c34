// Masks as borders: the pixels, counted down the columns, at which a mask begins and ends in turn. Areas, bounding
// boxes and runs of masks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "rle_text.hpp"

namespace boxscore {

// Leaves new elements unset: they are about to be written.
template <class T>
struct Unset : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = Unset<U>;
    };
    template <class U>
    void construct(U* p) {
        ::new (static_cast<void*>(p)) U;
    }
    template <class U, class... Values>
    void construct(U* p, Values&&... values) {
        ::new (static_cast<void*>(p)) U(std::forward<Values>(values)...);
    }
};

using Counts = std::vector<std::uint32_t, Unset<std::uint32_t>>;
using Borders = Counts;
using Letters = std::vector<char>;

// A compressed mask and the image that it is of.
struct RleMask {
    const std::uint8_t* text;
    std::size_t length;
    std::int64_t height, width;

    // Pixels of the image; -1 where it is none that runs of 32 bits can cover.
    std::int64_t pixels() const {
        constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
        if (height < 0 || width < 0 || height > kMost || width > kMost) return -1;
        const std::uint64_t n = static_cast<std::uint64_t>(height) * static_cast<std::uint64_t>(width);
        return n > kMost ? -1 : static_cast<std::int64_t>(n);
    }
};

// Many masks: mask i is letters[begin[i] : end[i]] of an image of size[2 * i] rows and size[2 * i + 1] columns.
struct RleMasks {
    const std::uint8_t* letters;
    const std::int64_t* begin;
    const std::int64_t* end;
    const std::int32_t* size;

    RleMask operator[](std::int64_t i) const {
        return {letters + begin[i], static_cast<std::size_t>(end[i] - begin[i]), size[2 * i], size[2 * i + 1]};
    }
};

struct RleMeasures {
    double area = 0;
    double box[4] = {0, 0, 0, 0};  // x0 y0 x1 y1
    RleFault fault = RleFault::none;
};

// Area and tight box of a mask, and what is wrong with it; both are 0 where something is.
inline RleMeasures measure_rle(const RleMask& mask) {
    RleMeasures made;
    const std::int64_t pixels = mask.pixels();
    const std::uint64_t height = pixels > 0 ? static_cast<std::uint64_t>(mask.height) : 1;
    std::uint64_t at = 0, row = 0;  // where the next run begins, and its place in the column
    std::uint64_t area = 0, first = ~std::uint64_t{0}, last = 0, top = height, bottom = 0;
    bool empty_run = false;
    RleReader reader(mask.text, mask.length);
    made.fault = reader.each_run([&](std::uint32_t run, bool inside) {
        if (inside) {
            if (run) [[likely]] {
                first = std::min(first, at);
                last = at + run;
                area += run;
                // A run that goes on in the next column has its top and bottom.
                const bool crosses = row + run > height;
                top = std::min(top, crosses ? 0 : row);
                bottom = std::max(bottom, crosses ? height : row + run);
            } else {
                empty_run = true;
            }
        } else {
            empty_run |= run == 0 && at > 0;
        }
        at += run;
        row += run;
        row -= row >= height ? height : 0;  // mostly in the same column or in the next: no division
        if (row >= height) [[unlikely]]
            row %= height;
    });
    if (made.fault != RleFault::none) return made;
    if (pixels < 0 || at != static_cast<std::uint64_t>(pixels)) {
        made.fault = RleFault::size;
        return made;
    }
    if (empty_run) made.fault = RleFault::empty_run;
    if (!area) return made;
    made.area = static_cast<double>(area);
    made.box[0] = static_cast<double>(first / height);
    made.box[1] = static_cast<double>(top);
    made.box[2] = static_cast<double>((last - 1) / height + 1);
    made.box[3] = static_cast<double>(bottom);
    return made;
}

// The runs of a text, up to the first fault.
inline RleFault read_counts(const RleMask& mask, Counts& counts) {
    counts.resize(mask.length);
    std::uint32_t* out = counts.data();
    const RleFault fault = RleReader(mask.text, mask.length).each_run([&](std::uint32_t run, bool) { *out++ = run; });
    counts.resize(static_cast<std::size_t>(out - counts.data()));
    return fault;
}

// The borders of a mask, ascending, an even number of them; none where the text is at fault. Borders that meet (empty
// runs) stay: they enclose nothing.
inline RleFault read_borders(const RleMask& mask, Borders& borders) {
    borders.resize(mask.length + 1);
    std::uint32_t* out = borders.data();
    std::uint64_t at = 0;
    RleFault fault = RleReader(mask.text, mask.length).each_run([&](std::uint32_t run, bool) {
        at += run;
        *out++ = static_cast<std::uint32_t>(at);  // wraps only where the sum is wrong
    });
    auto n = static_cast<std::size_t>(out - borders.data());
    if (fault == RleFault::none && static_cast<std::int64_t>(at) != mask.pixels()) fault = RleFault::size;
    borders.resize(fault == RleFault::none ? n & ~std::size_t{1} : 0);  // the end of the image is no border
    return fault;
}

// Removes borders that meet.
inline void drop_empty(Borders& borders) {
    std::size_t n = 0;
    for (const std::uint32_t border : borders) {
        if (n && borders[n - 1] == border) {
            --n;
        } else {
            borders[n++] = border;
        }
    }
    borders.resize(n);
}

// The runs between ascending borders that do not meet, as encoders write them: nothing follows a mask that ends with
// the image.
inline void counts_between(const Borders& borders, std::uint32_t pixels, Counts& counts) {
    counts.clear();
    std::uint32_t before = 0;
    for (const std::uint32_t border : borders) {
        counts.push_back(border - before);
        before = border;
    }
    if (before < pixels || counts.empty()) counts.push_back(pixels - before);
}

}  // namespace boxscore
