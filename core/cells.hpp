// Groups rows into cells: all rows of one class in one image.
//
// Cells are worked on image by image, because files list their boxes so and memory is then read in order. Verdicts are
// handed out class by class; each cell knows its place there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "box.hpp"
#include "parallel.hpp"

namespace boxscore {

// The lowest bits.
inline std::uint64_t mask(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

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

struct Cell {
    std::int32_t label;
    std::uint32_t begin, end;                  // detections: positions in rows
    std::uint32_t objects_begin, objects_end;  // objects of the same class and image
    std::size_t place;                         // of the first detection in the order (label, image)
    std::size_t out;                           // where the verdicts go: the same, unless a cap cuts some off
};

// What one thread needs to sort the rows of its images.
struct SortScratch {
    std::vector<std::uint32_t> counts, rows;
    std::vector<std::uint64_t> keys;
};

// Sorts the rows of one image by (label, row): by counting where there are many, else by comparing.
inline void sort_by_label(std::uint32_t* rows, std::uint32_t n, const std::int32_t* label, std::size_t labels,
                          SortScratch& scratch) {
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
    for (std::uint32_t i = 0; i < n; ++i)
        scratch.keys[i] = static_cast<std::uint64_t>(label[rows[i]]) << 32 | rows[i];
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

// The cells that have detections, of the images [first, last), in the order (image, label).
inline std::vector<Cell> cells_of(RowsByImage& dets, RowsByImage& objs, const std::int32_t* d_label,
                                  const double* score, const std::int32_t* o_label, std::size_t labels,
                                  std::size_t first, std::size_t last) {
    std::vector<Cell> cells;
    SortScratch scratch;
    for (std::size_t image = first; image < last; ++image) {
        const std::uint32_t d0 = dets.start[image], d1 = dets.start[image + 1];
        std::uint32_t o = objs.start[image];
        const std::uint32_t o1 = objs.start[image + 1];
        sort_by_label(dets.rows.data() + d0, d1 - d0, d_label, labels, scratch);
        sort_by_label(objs.rows.data() + o, o1 - o, o_label, labels, scratch);
        for (std::uint32_t i = d0, j; i < d1; i = j) {
            const std::int32_t label = d_label[dets.rows[i]];
            for (j = i + 1; j < d1 && d_label[dets.rows[j]] == label; ++j) {
            }
            sort_by_score(dets.rows.data() + i, j - i, score);
            while (o < o1 && o_label[objs.rows[o]] < label) ++o;
            const std::uint32_t begin = o;
            while (o < o1 && o_label[objs.rows[o]] == label) ++o;
            cells.push_back({label, i, j, begin, o, 0, 0});
        }
    }
    return cells;
}

// Gives every cell its place in the order (label, image), and says where each label begins. Returns the total.
inline std::size_t place_by_label(std::vector<std::vector<Cell>>& blocks, std::size_t labels, std::uint32_t cap,
                                  std::int64_t* first) {
    std::fill(first, first + labels + 1, 0);
    for (const auto& block : blocks)
        for (const Cell& cell : block) first[cell.label + 1] += std::min(cell.end - cell.begin, cap);
    std::partial_sum(first, first + labels + 1, first);
    std::vector<std::int64_t> next(first, first + labels);
    for (auto& block : blocks)
        for (Cell& cell : block) {
            cell.out = static_cast<std::size_t>(next[static_cast<std::size_t>(cell.label)]);
            next[static_cast<std::size_t>(cell.label)] += std::min(cell.end - cell.begin, cap);
        }
    return static_cast<std::size_t>(first[labels]);
}

// Which pairs can reach the lowest threshold that anybody asks for.
struct MayMeet {
    const double* d_corners;
    const double* d_area;  // w * h as the source has it
    const double* o_corners;
    const double* o_area;
    const double* floor;       // per object: the lowest threshold
    const std::uint8_t* over;  // per object: the overlap may be taken over the detection's own area

    // No overlap exceeds the shared area over the larger of the two, nor does a pixel more on each side lower that.
    // Areas of the source may be off by the rounding of the corners, so that they are looked at as well.
    bool overlap(std::size_t d, std::size_t o) const {
        const double* const a = d_corners + 4 * d;
        const double* const b = o_corners + 4 * o;
        const double w = lesser(a[2], b[2]) - greater(a[0], b[0]), h = lesser(a[3], b[3]) - greater(a[1], b[1]);
        const double wider = greater(w + 1, zero), higher = greater(h + 1, zero);
        const double both = wider * higher;
        if (!(both > 0)) return false;
        const double least = floor[o] * (1 - 1e-9);
        const double d_whole = (a[2] - a[0] + 1) * (a[3] - a[1] + 1), o_whole = (b[2] - b[0] + 1) * (b[3] - b[1] + 1);
        if (both >= least * (over[o] ? d_whole : greater(d_whole, o_whole))) return true;
        const double inner = greater(w, zero) * greater(h, zero);
        return inner >= least * (over[o] ? d_area[d] : greater(d_area[d], o_area[o])) ||
               inner > lesser(d_area[d], o_area[o]);
    }

    double zero = 0;  // a variable, see OverlapRule
};

// All cells of two tables. Protocols that leave the same rows in share them.
class Cells {
   public:
    Cells(const RowLabels& detections, const double* score, const RowLabels& objects, std::size_t labels,
          std::size_t images, int threads)
        : n_labels(labels), first(labels + 1) {
        parallel_for(2, threads, [&](std::size_t side) {
            const RowLabels& t = side ? objects : detections;
            (side ? objs : dets) = by_image(t.label, t.image, t.n, images);
        });
        const std::size_t size = std::max<std::size_t>(1, std::min<std::size_t>(512, images / 64));
        blocks.resize((images + size - 1) / size);
        std::vector<std::uint8_t> tied(blocks.size(), 0);
        parallel_for(blocks.size(), threads, [&](std::size_t b) {
            blocks[b] = cells_of(dets, objs, detections.label, score, objects.label, labels, b * size,
                                 std::min(images, (b + 1) * size));
            for (const Cell& cell : blocks[b])
                for (std::uint32_t i = cell.begin + 1; i < cell.end; ++i)
                    tied[b] |= score[dets.rows[i]] == score[dets.rows[i - 1]];
        });
        for (const auto& block : blocks)
            for (const Cell& cell : block) largest = std::max(largest, cell.end - cell.begin);
        any_tied = std::find(tied.begin(), tied.end(), 1) != tied.end();
        place_by_label(blocks, labels, largest, first.data());
        for (auto& block : blocks)
            for (Cell& cell : block) cell.place = cell.out;
    }

    // Pairs of boxes that may overlap by the floor of the object, whatever the rule, of detections that stand in the order
    // of the verdicts: those of detection i are meets[meets_first[i]] .. meets[meets_first[i + 1] - 1]. Found once for all
    // protocols with no threshold below the floor.
    void find_meets(const MayMeet& may, int threads) {
        std::vector<std::vector<std::uint32_t>> found(blocks.size());
        meeting.assign(blocks.size(), {});
        meets_first.assign(total() + 1, 0);
        parallel_for(blocks.size(), threads, [&](std::size_t b) {
            for (std::size_t c = 0; c < blocks[b].size(); ++c) {
                const Cell& cell = blocks[b][c];
                const std::size_t start = found[b].size();
                for (std::uint32_t i = cell.begin; i < cell.end && cell.objects_end > cell.objects_begin; ++i) {
                    const std::size_t before = found[b].size();
                    for (std::uint32_t g = cell.objects_begin; g < cell.objects_end; ++g)
                        if (may.overlap(dets.rows[i], objs.rows[g])) found[b].push_back(g - cell.objects_begin);
                    meets_first[cell.place + (i - cell.begin) + 1] = static_cast<std::uint32_t>(found[b].size() - before);
                }
                if (found[b].size() > start) meeting[b].push_back(static_cast<std::uint32_t>(c));
            }
        });
        std::partial_sum(meets_first.begin(), meets_first.end(), meets_first.begin());
        meets.resize(meets_first.back());
        parallel_for(blocks.size(), threads, [&](std::size_t b) {
            const std::uint32_t* next = found[b].data();
            for (const Cell& cell : blocks[b])
                for (std::size_t i = cell.place; i < cell.place + (cell.end - cell.begin); ++i)
                    for (std::uint32_t m = meets_first[i]; m < meets_first[i + 1]; ++m) meets[m] = *next++;
        });
    }

    std::size_t total() const { return static_cast<std::size_t>(first[n_labels]); }

    std::size_t n_labels;
    RowsByImage dets, objs;
    std::vector<std::vector<Cell>> blocks;
    std::vector<std::int64_t> first;  // (labels + 1) where the detections of each class begin
    std::vector<std::uint32_t> meets, meets_first;
    std::vector<std::vector<std::uint32_t>> meeting;  // by block: the cells that have such pairs
    std::uint32_t largest = 0;        // detections in a cell
    bool any_tied = false;            // whether a cell has equal scores
};

}  // namespace boxscore
