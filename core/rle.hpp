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

// Many masks: mask i is letters[begin[i] : end[i]] of an image of height[stride * i] rows and width[stride * i]
// columns.
struct RleMasks {
    const std::uint8_t* letters;
    const std::int64_t* begin;
    const std::int64_t* end;
    const std::int64_t* height;
    const std::int64_t* width;
    std::int64_t stride = 1;

    RleMask operator[](std::int64_t i) const {
        return {letters + begin[i], static_cast<std::size_t>(end[i] - begin[i]), height[stride * i], width[stride * i]};
    }
};

struct RleMeasures {
    double area = 0;
    double box[4] = {0, 0, 0, 0};  // x0 y0 x1 y1
    RleFault fault = RleFault::none;
};

// The runs of a text, up to the first fault.
inline RleFault read_counts(const RleMask& mask, Counts& counts) {
    counts.resize(mask.length);
    RleReader reader(mask.text, mask.length, counts.data());
    const RleFault fault = reader.read();
    counts.resize(reader.size());
    return fault;
}

// Area and tight box of a mask, and what is wrong with it; both are 0 where something is.
inline RleMeasures measure_rle(const RleMask& mask, Counts& counts) {
    RleMeasures made;
    made.fault = read_counts(mask, counts);
    if (made.fault != RleFault::none) return made;
    const std::int64_t pixels = mask.pixels();
    const std::int64_t height = pixels > 0 ? mask.height : 1;
    const double columns_per_pixel = 1.0 / static_cast<double>(height);
    std::int64_t at = 0;  // where the next run begins
    std::int64_t area = 0, first = 0, last = 0, top = height, bottom = 0;
    bool empty_run = false;
    const std::size_t n = counts.size();
    for (std::size_t i = 0; i + 1 < n; i += 2) {
        const std::int64_t outside = counts[i], inside = counts[i + 1];
        at += outside;
        empty_run |= outside == 0 && i > 0;
        if (inside == 0) {
            empty_run = true;
            continue;
        }
        if (area == 0) first = at;
        // Half a pixel keeps away from whole columns, so that the product is on the right side of them.
        const auto column = static_cast<std::int64_t>((static_cast<double>(at) + 0.5) * columns_per_pixel);
        const std::int64_t row = at - column * height;
        area += inside;
        at += inside;
        last = at;
        top = std::min(top, row);
        bottom = std::max(bottom, row + inside);  // beyond the height where the run goes on in the next column
    }
    if (n % 2) {
        at += counts[n - 1];
        empty_run |= counts[n - 1] == 0 && n > 1;
    }
    if (pixels < 0 || at != pixels) {
        made.fault = RleFault::size;
        return made;
    }
    if (empty_run) made.fault = RleFault::empty_run;
    if (!area) return made;
    if (bottom > height) top = 0, bottom = height;  // such a run has the top and the bottom of the image
    made.area = static_cast<double>(area);
    made.box[0] = static_cast<double>(first / height);
    made.box[1] = static_cast<double>(top);
    made.box[2] = static_cast<double>((last - 1) / height + 1);
    made.box[3] = static_cast<double>(bottom);
    return made;
}

// The borders of a mask, ascending, an even number of them; none where the text is at fault. Borders that meet (empty
// runs) stay: they enclose nothing.
inline RleFault read_borders(const RleMask& mask, Borders& borders) {
    RleFault fault = read_counts(mask, borders);
    std::uint64_t at = 0;
    for (std::uint32_t& run : borders) {
        at += run;
        run = static_cast<std::uint32_t>(at);  // wraps only where the sum is wrong
    }
    if (fault == RleFault::none && static_cast<std::int64_t>(at) != mask.pixels()) fault = RleFault::size;
    // The end of the image is no border.
    borders.resize(fault == RleFault::none ? borders.size() & ~std::size_t{1} : 0);
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
