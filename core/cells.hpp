// Groups rows into cells: all rows of one class in one image. Rows keep their order inside a cell.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace boxscore {

struct Cell {
    std::int32_t label, image;
    std::uint32_t begin, end;  // positions in Grouped::rows
};

struct Grouped {
    std::vector<std::uint32_t> rows;  // row numbers by (label, image, row)
    std::vector<Cell> cells;          // in the order of rows
};

// One stable counting pass: `rows` reordered by key[row], where 0 <= key[row] < buckets.
inline void counting_pass(const std::int32_t* key, std::size_t buckets, std::vector<std::uint32_t>& rows) {
    std::vector<std::uint32_t> start(buckets + 1, 0);
    for (std::uint32_t row : rows) ++start[key[row] + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::uint32_t> sorted(rows.size());
    for (std::uint32_t row : rows) sorted[start[key[row]]++] = row;
    rows.swap(sorted);
}

// Rows with label < 0 or image < 0 take no part.
inline Grouped group(const std::int32_t* label, const std::int32_t* image, std::size_t n, std::size_t labels,
                     std::size_t images) {
    Grouped out;
    out.rows.reserve(n);
    bool by_image = true;  // most files list their boxes image by image: one pass less
    std::int32_t last = -1;
    for (std::size_t row = 0; row < n; ++row) {
        if (label[row] < 0 || image[row] < 0) continue;
        by_image = by_image && image[row] >= last;
        last = image[row];
        out.rows.push_back(static_cast<std::uint32_t>(row));
    }
    if (!by_image) counting_pass(image, images, out.rows);
    counting_pass(label, labels, out.rows);
    const auto& rows = out.rows;
    for (std::uint32_t i = 0, j; i < rows.size(); i = j) {
        const std::int32_t l = label[rows[i]], m = image[rows[i]];
        for (j = i + 1; j < rows.size() && label[rows[j]] == l && image[rows[j]] == m; ++j) {
        }
        out.cells.push_back({l, m, i, j});
    }
    return out;
}

}  // namespace boxscore
