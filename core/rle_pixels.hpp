// Masks out of pixels and back. Pixels come row by row, runs go down the columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "rle.hpp"

namespace boxscore {

// Finds the borders of bitmaps: where a pixel differs from the one above it, which eight at a time seldom do.
class BitmapBorders {
  public:
    void read(const std::uint8_t* pixels, std::size_t height, std::size_t width, Borders& borders) {
        borders.clear();
        if (!height || !width) return;
        changes_.clear();
        ends_.assign(width + 1, 0);
        const std::uint8_t* const last = pixels + (height - 1) * width;
        for (std::size_t x = 0; x < width; ++x) {  // the pixel before the top of a column is the bottom of the last one
            if ((pixels[x] != 0) != (x > 0 && last[x - 1] != 0)) change(0, x);
        }
        for (std::size_t y = 1; y < height; ++y) row(pixels + y * width, width, y);
        for (std::size_t x = 1; x <= width; ++x) ends_[x] += ends_[x - 1];
        borders.resize(changes_.size());
        for (const Change& c : changes_) {
            borders[ends_[c.x]++] = static_cast<std::uint32_t>(c.x * height + c.y);
        }
    }

  private:
    struct Change {
        std::uint32_t y, x;
    };

    void change(std::size_t y, std::size_t x) {
        changes_.push_back({static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(x)});
        ++ends_[x + 1];
    }

    void row(const std::uint8_t* now, std::size_t width, std::size_t y) {
        const std::uint8_t* const above = now - width;
        std::size_t x = 0;
        for (; x + 8 <= width; x += 8) {
            if (std::memcmp(now + x, above + x, 8) == 0) continue;
            for (std::size_t i = x; i < x + 8; ++i) {
                if ((now[i] != 0) != (above[i] != 0)) change(y, i);
            }
        }
        for (; x < width; ++x) {
            if ((now[x] != 0) != (above[x] != 0)) change(y, x);
        }
    }

    std::vector<Change> changes_;
    std::vector<std::size_t> ends_;
};

// Fills a bitmap of zeros, row by row, with the pixels of a mask; runs beyond the image are cut off.
inline void fill_bitmap(const Counts& counts, std::size_t height, std::size_t width, std::uint8_t* pixels) {
    const std::uint64_t n = static_cast<std::uint64_t>(height) * width;
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < counts.size() && at < n; ++i) {
        const std::uint64_t end = std::min<std::uint64_t>(n, at + counts[i]);
        if (i % 2) {
            std::size_t x = at / height, y = at % height;
            for (std::uint64_t k = at; k < end; ++k) {
                pixels[y * width + x] = 1;
                if (++y == height) y = 0, ++x;
            }
        }
        at = end;
    }
}

// The borders of each of the ascending `ids` in a picture of labels, in one pass over it.
inline void label_borders(const std::int32_t* labels, std::size_t height, std::size_t width, const std::int32_t* ids,
                          std::size_t n_ids, std::vector<Borders>& borders) {
    borders.assign(n_ids, {});
    const auto find = [&](std::int32_t label) -> Borders* {
        const std::int32_t* const id = std::lower_bound(ids, ids + n_ids, label);
        return id != ids + n_ids && *id == label ? &borders[static_cast<std::size_t>(id - ids)] : nullptr;
    };
    Borders* inside = nullptr;
    std::int32_t before = 0;
    std::uint32_t at = 0;
    for (std::size_t x = 0; x < width; ++x) {
        for (std::size_t y = 0; y < height; ++y, ++at) {
            const std::int32_t label = labels[y * width + x];
            if (at && label == before) continue;
            if (inside) inside->push_back(at);
            inside = find(label);
            if (inside) inside->push_back(at);
            before = label;
        }
    }
    if (inside) inside->push_back(at);
}

}  // namespace boxscore
