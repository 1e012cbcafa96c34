// Sorts rows by image, and those of each image by class and score.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

namespace boxscore {

// Ascending keys are descending scores; equal scores (-0.0 and 0.0 too) have equal keys.
inline std::uint64_t descending_key(double score) {
    const double plain = score + 0.0;
    std::uint64_t bits;
    std::memcpy(&bits, &plain, sizeof bits);
    return bits >> 63 ? bits : ~bits & ~(std::uint64_t{1} << 63);
}

struct RowLabels {
    const std::int32_t* label;
    const std::int32_t* image;
    std::size_t n;
};

struct RowsByImage {
    std::vector<std::uint32_t> rows;   // row numbers by (image, row); rows without image or label take no part
    std::vector<std::uint32_t> start;  // rows of image i: start[i] .. start[i + 1]
};

inline RowsByImage by_image(const std::int32_t* label, const std::int32_t* image, std::size_t n, std::size_t images) {
    RowsByImage out;
    out.start.assign(images + 1, 0);
    bool sorted = true;  // most files list their boxes image by image
    std::int32_t last = -1;
    std::size_t used = 0;
    for (std::size_t row = 0; row < n; ++row) {
        if (label[row] < 0 || image[row] < 0) continue;
        sorted = sorted && image[row] >= last;
        last = image[row];
        ++out.start[static_cast<std::size_t>(last) + 1];
        ++used;
    }
    std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
    out.rows.resize(used);
    std::vector<std::uint32_t> next;
    if (!sorted) next.assign(out.start.begin(), out.start.end() - 1);
    std::uint32_t at = 0;
    for (std::size_t row = 0; row < n; ++row) {
        if (label[row] < 0 || image[row] < 0) continue;
        out.rows[sorted ? at++ : next[static_cast<std::size_t>(image[row])]++] = static_cast<std::uint32_t>(row);
    }
    return out;
}

// What one thread needs to sort the rows of its images.
struct SortScratch {
    std::vector<std::uint32_t> counts, rows;
    std::vector<std::uint64_t> keys;
};

// Sorts the rows of one image by (label, row): by counting where there are many, else by comparing.
inline void sort_by_label(RowsByImage& all, std::size_t image, const std::int32_t* label, std::size_t labels,
                          SortScratch& scratch) {
    std::uint32_t* const rows = all.rows.data() + all.start[image];
    const std::uint32_t n = all.start[image + 1] - all.start[image];
    if (n < 2) return;
    if (n > 24 && n > labels / 8) {
        scratch.counts.assign(labels + 1, 0);
        for (std::uint32_t i = 0; i < n; ++i) ++scratch.counts[static_cast<std::size_t>(label[rows[i]]) + 1];
        std::partial_sum(scratch.counts.begin(), scratch.counts.end(), scratch.counts.begin());
        scratch.rows.assign(rows, rows + n);
        for (const std::uint32_t row : scratch.rows) rows[scratch.counts[static_cast<std::size_t>(label[row])]++] = row;
        return;
    }
    scratch.keys.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) scratch.keys[i] = static_cast<std::uint64_t>(label[rows[i]]) << 32 | rows[i];
    std::sort(scratch.keys.begin(), scratch.keys.end());
    for (std::uint32_t i = 0; i < n; ++i) rows[i] = static_cast<std::uint32_t>(scratch.keys[i]);
}

// Sorts the detections of one cell by descending score; rows decide between equal ones.
inline void sort_by_score(std::uint32_t* rows, std::uint32_t n, const double* score) {
    if (n > 32) {
        std::stable_sort(rows, rows + n, [score](auto a, auto b) { return score[a] > score[b]; });
        return;
    }
    for (std::uint32_t i = 1; i < n; ++i) {
        const std::uint32_t row = rows[i];
        std::uint32_t j = i;
        for (; j > 0 && score[rows[j - 1]] < score[row]; --j) rows[j] = rows[j - 1];
        rows[j] = row;
    }
}

}  // namespace boxscore
