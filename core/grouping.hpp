// Brings the rows of two tables into the order of their cells: by class, image, descending score, row.
//
// Rows are sorted image by image, because files list them so and memory is then read in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "aligned.hpp"
#include "cells.hpp"
#include "parallel.hpp"
#include "sorting.hpp"

namespace boxscore {

struct Grouped {
    Cells cells;
    AlignedVector<std::uint32_t> rows, objects;  // row numbers; rows without image or label take no part
    bool tied;                                   // whether a cell has equal scores
};

class Grouping {
  public:
    Grouping(const RowLabels& detections, const double* score, const RowLabels& objects, std::size_t labels,
             std::size_t images)
        : detections_(detections), objects_(objects), score_(score), labels_(labels), images_(images) {}

    Grouped run(int threads) {
        parallel_for(2, threads, [&](std::size_t side) {
            const RowLabels& t = side ? objects_ : detections_;
            (side ? objs_ : dets_) = by_image(t.label, t.image, t.n, images_);
        });
        const std::size_t size = std::max<std::size_t>(1, std::min<std::size_t>(512, images_ / 64));
        const std::size_t blocks = (images_ + size - 1) / size;
        const auto last = [&](std::size_t block) { return std::min(images_, (block + 1) * size); };
        std::vector<std::vector<Counts>> next(blocks);
        std::vector<std::uint8_t> tied(blocks, 0);
        parallel_for(blocks, threads, [&](std::size_t b) { tied[b] = sort(b * size, last(b), next[b]); });

        // Class by class, and in each class block by block.
        std::vector<std::int64_t> first{0}, objects_first{0};
        Counts total;
        for (std::size_t k = 0; k < labels_; ++k) {
            for (auto& block : next) block[k] = std::exchange(total, total + block[k]);
            first.push_back(total.detections);
            objects_first.push_back(total.objects);
        }
        AlignedVector<std::uint32_t> rows(total.detections), objects(total.objects);
        std::vector<Cell> cells(total.cells);
        parallel_for(blocks, threads, [&](std::size_t b) {
            for (std::size_t image = b * size; image < last(b); ++image)
                for_each_label(image, [&](const Cell& from, std::size_t label) {
                    Counts& to = next[b][label];
                    std::copy(dets_.rows.data() + from.begin, dets_.rows.data() + from.end,
                              rows.data() + to.detections);
                    std::copy(objs_.rows.data() + from.objects_begin, objs_.rows.data() + from.objects_end,
                              objects.data() + to.objects);
                    const Counts after = to + Counts::of(from);
                    if (from.begin < from.end)
                        cells[to.cells] = {to.detections, after.detections, to.objects, after.objects};
                    to = after;
                });
        });
        const bool any_tied = std::find(tied.begin(), tied.end(), 1) != tied.end();
        return {Cells(std::move(cells), std::move(first), std::move(objects_first)), std::move(rows),
                std::move(objects), any_tied};
    }

  private:
    struct Counts {
        std::uint32_t detections = 0, objects = 0, cells = 0;

        static Counts of(const Cell& cell) {
            const std::uint32_t n = cell.end - cell.begin;
            return {n, cell.objects_end - cell.objects_begin, n > 0};
        }
        Counts operator+(const Counts& other) const {
            return {detections + other.detections, objects + other.objects, cells + other.cells};
        }
    };

    // Sorts the rows of some images and counts them by class. Returns whether a cell has equal scores.
    bool sort(std::size_t first, std::size_t last, std::vector<Counts>& counts) {
        bool tied = false;
        counts.resize(labels_);
        SortScratch scratch;
        for (std::size_t image = first; image < last; ++image) {
            sort_by_label(dets_, image, detections_.label, labels_, scratch);
            sort_by_label(objs_, image, objects_.label, labels_, scratch);
            for_each_label(image, [&](const Cell& cell, std::size_t label) {
                counts[label] = counts[label] + Counts::of(cell);
                std::uint32_t* const rows = dets_.rows.data() + cell.begin;
                const std::uint32_t n = cell.end - cell.begin;
                sort_by_score(rows, n, score_);
                for (std::uint32_t i = 1; i < n; ++i) tied |= score_[rows[i]] == score_[rows[i - 1]];
            });
        }
        return tied;
    }

    // Calls visit(cell, label) for each class that an image has detections or objects of.
    template <class Visit>
    void for_each_label(std::size_t image, const Visit& visit) const {
        std::uint32_t d = dets_.start[image], o = objs_.start[image];
        const std::uint32_t d_end = dets_.start[image + 1], o_end = objs_.start[image + 1];
        while (d < d_end || o < o_end) {
            const std::int32_t of_d = d < d_end ? detections_.label[dets_.rows[d]] : kNoLabel;
            const std::int32_t of_o = o < o_end ? objects_.label[objs_.rows[o]] : kNoLabel;
            const std::int32_t label = std::min(of_d, of_o);
            Cell cell{d, d, o, o};
            while (cell.end < d_end && detections_.label[dets_.rows[cell.end]] == label) ++cell.end;
            while (cell.objects_end < o_end && objects_.label[objs_.rows[cell.objects_end]] == label)
                ++cell.objects_end;
            visit(cell, static_cast<std::size_t>(label));
            d = cell.end;
            o = cell.objects_end;
        }
    }

    static constexpr std::int32_t kNoLabel = std::numeric_limits<std::int32_t>::max();  // above all others
    const RowLabels detections_, objects_;
    const double* const score_;
    const std::size_t labels_, images_;
    RowsByImage dets_, objs_;
};

}  // namespace boxscore
