// Polygons as masks, to the pixel as pycocotools makes them. It draws the outline on a grid five times as fine, rounds
// every point of it, and keeps the points at which the outline passes from the grid column 5 x + 2 to the next: there
// the pixel column x begins or ceases to be inside. Here only those points are computed, so that neither the fineness
// of the grid nor what lies beside the image costs anything.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rle.hpp"

namespace boxscore {

class PolygonRaster {
  public:
    // The runs of a polygon of `n` corners (x y each), in an image of which runs of 32 bits can cover all pixels.
    void draw(const double* corners, std::size_t n, std::int64_t height, std::int64_t width, Counts& counts) {
        height_ = height;
        width_ = width;
        crossings_.clear();
        low_ = width;
        high_ = -1;
        if (height > 0 && width > 0 && n > 1) {
            Point before = grid(corners);
            const Point first = before;
            for (std::size_t i = 1; i < n; ++i) {
                const Point point = grid(corners + 2 * i);
                edge(before, point);
                before = point;
            }
            edge(before, first);
        }
        sort();
        counts_between(borders_, static_cast<std::uint32_t>(height * width), counts);
    }

  private:
    struct Point {
        std::int64_t x, y;
    };
    struct Crossing {
        std::uint32_t column, border;
    };

    // A coordinate on the fine grid, cut off (towards zero) as C does. Where 32 bits cannot hold it, the nearest that
    // they can; 0 where it is not a number.
    static std::int64_t grid(double coordinate) {
        constexpr double kMost = 2147483647.0;
        const double fine = 5.0 * coordinate + 0.5;
        if (!(fine == fine)) return 0;
        return static_cast<std::int64_t>(std::min(std::max(fine, -kMost), kMost));
    }
    static Point grid(const double* xy) { return {grid(xy[0]), grid(xy[1])}; }

    static std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

    // Row `v` of the fine grid is where the pixels of the column change.
    void cross(std::int64_t column, std::int64_t v) {
        const std::int64_t row = v <= 2 ? 0 : std::min(height_, (v + 2) / 5);
        crossings_.push_back({static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(column * height_ + row)});
    }

    void edge(Point a, Point b) {
        const std::int64_t dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
        const bool flat = dx >= dy;
        if (flat ? a.x > b.x : a.y > b.y) std::swap(a, b);  // drawn in one direction, so that both give the same
        const std::int64_t low = std::max<std::int64_t>(0, floor_div(std::min(a.x, b.x) + 2, 5));
        const std::int64_t high = std::min(width_ - 1, floor_div(std::max(a.x, b.x) - 3, 5));
        if (low > high) return;
        low_ = std::min(low_, low);
        high_ = std::max(high_, high);
        if (flat) {
            flat_edge(a, b, low, high);
        } else {
            steep_edge(a, b, low, high);
        }
    }

    // One grid point per grid column; the upper one of the two on either side counts.
    void flat_edge(const Point& a, const Point& b, std::int64_t low, std::int64_t high) {
        const double slope = static_cast<double>(b.y - a.y) / static_cast<double>(b.x - a.x);
        const double start = static_cast<double>(a.y);
        std::int64_t step = 5 * low + 2 - a.x + (slope < 0 ? 1 : 0);
        for (std::int64_t column = low; column <= high; ++column, step += 5) {
            cross(column, static_cast<std::int64_t>(start + slope * static_cast<double>(step) + 0.5));
        }
    }

    // One grid point per grid row: the row at which the rounded column changes is estimated, then made exact.
    void steep_edge(const Point& a, const Point& b, std::int64_t low, std::int64_t high) {
        const double slope = static_cast<double>(b.x - a.x) / static_cast<double>(b.y - a.y);
        const double rows_per_column = static_cast<double>(b.y - a.y) / static_cast<double>(b.x - a.x);
        const double start = static_cast<double>(a.x);
        const std::int64_t last = b.y - a.y;
        for (std::int64_t column = low; column <= high; ++column) {
            const double next = static_cast<double>(5 * column + 3);
            const auto passed = [&](std::int64_t step) {
                const double x = start + slope * static_cast<double>(step) + 0.5;
                return slope > 0 ? x >= next : x < next;
            };
            auto step = static_cast<std::int64_t>((next - 0.5 - start) * rows_per_column);
            step = std::min(std::max<std::int64_t>(step, 1), last);
            while (step > 1 && passed(step - 1)) --step;
            while (step < last && !passed(step)) ++step;
            cross(column, a.y + step - 1);
        }
    }

    // Crossings by column, then by row, without those that meet in pairs.
    void sort() {
        borders_.clear();
        if (crossings_.empty()) return;
        const auto columns = static_cast<std::size_t>(high_ - low_ + 1);
        ends_.assign(columns + 1, 0);
        for (const Crossing& c : crossings_) ++ends_[c.column - static_cast<std::size_t>(low_) + 1];
        for (std::size_t i = 1; i <= columns; ++i) ends_[i] += ends_[i - 1];
        sorted_.resize(crossings_.size());
        for (const Crossing& c : crossings_) sorted_[ends_[c.column - static_cast<std::size_t>(low_)]++] = c.border;
        std::size_t begin = 0;
        for (std::size_t i = 0; i < columns; ++i) {
            sort_column(sorted_.data() + begin, sorted_.data() + ends_[i]);
            begin = ends_[i];
        }
        borders_.swap(sorted_);
        drop_empty(borders_);
    }

    static void sort_column(std::uint32_t* begin, std::uint32_t* end) {
        if (end - begin > 32) {
            std::sort(begin, end);
            return;
        }
        for (std::uint32_t* p = begin; p < end; ++p) {
            const std::uint32_t border = *p;
            std::uint32_t* q = p;
            for (; q > begin && q[-1] > border; --q) *q = q[-1];
            *q = border;
        }
    }

    std::int64_t height_ = 0, width_ = 0, low_ = 0, high_ = -1;
    std::vector<Crossing> crossings_;
    std::vector<std::size_t> ends_;
    Borders sorted_, borders_;
};

}  // namespace boxscore
