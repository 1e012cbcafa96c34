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

#include "fine_grid.hpp"
#include "rle.hpp"

namespace boxscore {

class PolygonRaster {
  public:
    // The runs of a polygon of `n` corners (x y each, in pixels, or whole numbers on the fine grid), in an image of
    // which runs of 32 bits can cover all pixels.
    template <class Coordinate>
    void draw(const Coordinate* corners, std::size_t n, std::int64_t height, std::int64_t width, Counts& counts) {
        height_ = height;
        width_ = width;
        borders_.clear();
        if (height > 0 && width > 0 && n > 1 && make_columns(corners, n)) {
            Point before = grid(corners);
            const Point first = before;
            for (std::size_t i = 1; i < n; ++i) {
                const Point point = grid(corners + 2 * i);
                edge(before, point);
                before = point;
            }
            edge(before, first);
            sort();
        }
        counts_between(borders_, static_cast<std::uint32_t>(height * width), counts);
    }

  private:
    struct Point {
        std::int64_t x, y;
    };
    // The borders in one column of pixels, mostly two; more than there is room for are beside.
    struct Column {
        static constexpr std::uint32_t kRoom = 4;
        std::uint32_t n;
        std::uint32_t border[kRoom];
    };

    template <class Coordinate>
    static Point grid(const Coordinate* xy) {
        return {on_fine_grid(xy[0]), on_fine_grid(xy[1])};
    }

    static std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

    // The pixel columns from whose edges borders can come: those between the outermost corners. False without any.
    static std::int64_t first_column(std::int64_t x) { return std::max<std::int64_t>(0, floor_div(x + 2, 5)); }
    std::int64_t last_column(std::int64_t x) const { return std::min(width_ - 1, floor_div(x - 3, 5)); }

    template <class Coordinate>
    bool make_columns(const Coordinate* corners, std::size_t n) {
        Point least = grid(corners), most = least;
        for (std::size_t i = 1; i < n; ++i) {
            const std::int64_t x = grid(corners + 2 * i).x;
            least.x = std::min(least.x, x);
            most.x = std::max(most.x, x);
        }
        low_ = first_column(least.x);
        const std::int64_t high = last_column(most.x);
        if (low_ > high) return false;
        columns_.resize(static_cast<std::size_t>(high - low_ + 1));
        for (Column& column : columns_) column.n = 0;
        beside_.clear();
        return true;
    }

    // Row `v` of the fine grid is where the pixels of the column change.
    void cross(std::int64_t column, std::int32_t v) {
        const auto row = std::min<std::int64_t>(height_, (static_cast<std::uint32_t>(std::max(v, 0)) + 2) / 5);
        const auto border = static_cast<std::uint32_t>(column * height_ + row);
        Column& to = columns_[static_cast<std::size_t>(column - low_)];
        if (to.n < Column::kRoom) [[likely]]
            to.border[to.n++] = border;
        else
            beside_.push_back(border);
    }

    void edge(Point a, Point b) {
        const std::int64_t dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
        const bool flat = dx >= dy;
        if (flat ? a.x > b.x : a.y > b.y) std::swap(a, b);  // drawn in one direction, so that both give the same
        const std::int64_t low = first_column(std::min(a.x, b.x)), high = last_column(std::max(a.x, b.x));
        if (low > high) return;
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
            cross(column, static_cast<std::int32_t>(start + slope * static_cast<double>(step) + 0.5));
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
            auto step = static_cast<std::int64_t>((next - 0.5 - start) * rows_per_column) + 1;
            step = std::min(std::max<std::int64_t>(step, 1), last);
            while (step > 1 && passed(step - 1)) --step;
            while (step < last && !passed(step)) ++step;
            cross(column, static_cast<std::int32_t>(a.y + step - 1));
        }
    }

    // All borders, ascending, without those that meet in pairs.
    void sort() {
        std::size_t n = beside_.size();
        for (const Column& column : columns_) n += column.n;
        borders_.resize(n);
        std::uint32_t* to = borders_.data();
        for (Column& column : columns_) to = copy_sorted(column, to);
        if (!beside_.empty()) {
            std::copy(beside_.begin(), beside_.end(), to);
            std::sort(borders_.begin(), borders_.end());
        }
        drop_empty(borders_);
    }

    static std::uint32_t* copy_sorted(Column& column, std::uint32_t* to) {
        std::uint32_t* const border = column.border;
        if (column.n == 2) [[likely]] {
            to[0] = std::min(border[0], border[1]);
            to[1] = std::max(border[0], border[1]);
            return to + 2;
        }
        std::sort(border, border + column.n);
        return std::copy_n(border, column.n, to);
    }

    std::int64_t height_ = 0, width_ = 0, low_ = 0;
    std::vector<Column> columns_;  // from `low_` on
    Borders beside_, borders_;
};

}  // namespace boxscore
