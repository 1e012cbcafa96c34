// Boxes in any form to corners and areas.
#pragma once

#include <cstdint>
#include <limits>

#include "box.hpp"
#include "parallel.hpp"

namespace boxscore {

enum class Form : std::uint8_t { xyxy, xywh, cxcywh };

// Corners x0 y0 x1 y1 and areas of n boxes; areas are width times height as far as the form gives them. `corners` may
// be the boxes themselves.
inline void to_corners(const double* boxes, std::size_t n, Form form, double* corners, double* area, int threads) {
    parallel_rows(n, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const double a = boxes[4 * i], b = boxes[4 * i + 1], c = boxes[4 * i + 2], d = boxes[4 * i + 3];
            double* out = corners + 4 * i;
            area[i] = form == Form::xyxy ? (c - a) * (d - b) : c * d;
            out[0] = form == Form::cxcywh ? a - c / 2 : a;
            out[1] = form == Form::cxcywh ? b - d / 2 : b;
            out[2] = form == Form::xyxy ? c : form == Form::xywh ? a + c : a + c / 2;
            out[3] = form == Form::xyxy ? d : form == Form::xywh ? b + d : b + d / 2;
        }
    });
}

// Areas of n boxes given by corners; `pixel` is added to each side.
inline void box_areas(const double* corners, std::size_t n, double pixel, double* areas, int threads) {
    parallel_rows(n, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) areas[i] = area(corners + 4 * i, pixel);
    });
}

// The overlap of n boxes with boxes that are larger by a margin on each axis; infinite for boxes without area.
inline void margin_overlaps(const double* corners, std::size_t n, double pixel, double margin, double* overlap,
                            int threads) {
    parallel_rows(n, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const double* const box = corners + 4 * i;
            const double w = box[2] - box[0] + pixel, h = box[3] - box[1] + pixel;
            const double share = w * h / ((w + margin) * (h + margin));
            overlap[i] = share > 0 ? share : std::numeric_limits<double>::infinity();
        }
    });
}

// How many of n boxes have no extent: a right or bottom edge that is not beyond the left or top one.
inline std::size_t count_flat(const double* corners, std::size_t n, int threads) {
    std::atomic<std::size_t> total{0};
    parallel_rows(n, threads, [&](std::size_t begin, std::size_t end) {
        std::size_t flat = 0;
        for (std::size_t i = begin; i < end; ++i)
            flat += (corners[4 * i + 2] <= corners[4 * i]) | (corners[4 * i + 3] <= corners[4 * i + 1]);
        total += flat;
    });
    return total;
}

}  // namespace boxscore
