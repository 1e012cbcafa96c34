// The boundary of a mask: its pixels that an erosion by d pixels removes, that is those with a pixel outside of the
// mask or of the image at most d rows and d columns away. Columns are eroded run by run; then a pixel stays if 2 d + 1
// columns around it have it, which a counter per row knows. So it takes the same time for any d, and memory for a few
// columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "rle.hpp"

namespace boxscore {

// d of an image: a share of its diagonal, half of a pixel rounded to even, at least 1.
inline std::int64_t boundary_width(std::int64_t height, std::int64_t width, double ratio) {
    const auto h = static_cast<double>(height), w = static_cast<double>(width);
    const double wanted = std::nearbyint(ratio * std::sqrt(h * h + w * w));
    if (!(wanted > 1)) return 1;
    return static_cast<std::int64_t>(std::min(wanted, 4294967295.0));  // wider than any image
}

class BoundaryMaker {
  public:
    // Makes borders (none that meet) of a mask those of its boundary.
    void make(Borders& borders, std::int64_t height, std::int64_t d) {
        if (borders.empty() || !crop(borders, static_cast<std::uint64_t>(height), static_cast<std::uint64_t>(d)))
            return;
        if (2 * d + 1 < 256) {
            scan<std::uint8_t>(borders);
        } else {
            scan<std::uint32_t>(borders);
        }
        borders.swap(made_);
    }

  private:
    // The rows and columns that the mask has pixels in; false where the erosion leaves nothing.
    bool crop(const Borders& borders, std::uint64_t height, std::uint64_t d) {
        height_ = height;
        d_ = d;
        left_ = borders.front() / height;
        right_ = (borders.back() - 1) / height + 1;
        top_ = height;
        bottom_ = 0;
        for (std::size_t i = 0; i < borders.size(); i += 2) {
            const std::uint64_t row = borders[i] % height, end = row + (borders[i + 1] - borders[i]);
            top_ = std::min(top_, end > height ? 0 : row);
            bottom_ = std::max(bottom_, std::min(end, height));
        }
        return 2 * d + 1 <= right_ - left_ && 2 * d + 1 <= bottom_ - top_;
    }

    // Goes through the columns of a mask.
    struct Columns {
        const Borders& borders;
        std::size_t next = 0;

        // Sets the pixels of column x in `out`, without `off` at the ends of its runs.
        void fill(std::uint64_t x, std::uint64_t height, std::uint64_t top, std::uint64_t off, std::uint8_t* out) {
            const std::uint64_t first = x * height, last = first + height;
            while (next < borders.size()) {
                const std::uint64_t begin = std::max<std::uint64_t>(borders[next], first);
                const std::uint64_t end = std::min<std::uint64_t>(borders[next + 1], last);
                if (begin < end && end - begin > 2 * off) {
                    std::memset(out + (begin + off - first - top), 1, end - begin - 2 * off);
                }
                if (borders[next + 1] > last) break;  // goes on in the next column
                next += 2;
            }
        }
    };

    template <class Counter>
    void scan(const Borders& borders) {
        const std::size_t rows = bottom_ - top_;
        const auto full = static_cast<Counter>(2 * d_ + 1);
        column_.resize(rows);
        counters_.assign(rows * sizeof(Counter), 0);
        auto* const counter = reinterpret_cast<Counter*>(counters_.data());
        made_.clear();
        Columns eroded{borders}, whole{borders};
        for (std::uint64_t x = left_; x < right_ + d_; ++x) {
            std::uint8_t* const pixel = column_.data();
            std::memset(pixel, 0, rows);
            if (x < right_) eroded.fill(x, height_, top_, d_, pixel);
            for (std::size_t y = 0; y < rows; ++y) {
                const Counter more = counter[y] < full ? static_cast<Counter>(counter[y] + 1) : full;
                counter[y] = pixel[y] ? more : Counter{0};
            }
            if (x < left_ + d_) continue;
            std::memset(pixel, 0, rows);
            whole.fill(x - d_, height_, top_, 0, pixel);
            for (std::size_t y = 0; y < rows; ++y) pixel[y] = pixel[y] & static_cast<std::uint8_t>(counter[y] < full);
            append((x - d_) * height_ + top_, rows);
        }
    }

    // Adds the borders of the column that begins at pixel `start`.
    void append(std::uint64_t start, std::size_t rows) {
        const std::uint8_t* const pixel = column_.data();
        std::size_t y = 0;
        while (y < rows) {
            const void* const begin = std::memchr(pixel + y, 1, rows - y);
            if (!begin) return;
            y = static_cast<std::size_t>(static_cast<const std::uint8_t*>(begin) - pixel);
            const auto from = static_cast<std::uint32_t>(start + y);
            const void* const end = std::memchr(pixel + y, 0, rows - y);
            y = end ? static_cast<std::size_t>(static_cast<const std::uint8_t*>(end) - pixel) : rows;
            if (!made_.empty() && made_.back() == from) {
                made_.pop_back();  // goes on from the column before
            } else {
                made_.push_back(from);
            }
            made_.push_back(static_cast<std::uint32_t>(start + y));
        }
    }

    std::uint64_t height_ = 0, d_ = 0, left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
    std::vector<std::uint8_t> column_, counters_;
    Borders made_;
};

}  // namespace boxscore
