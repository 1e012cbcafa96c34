// A text for each of many rows, made in parallel blocks of rows and joined in their order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "aligned.hpp"
#include "boundary.hpp"
#include "mask_pairs.hpp"
#include "parallel.hpp"
#include "polygon.hpp"
#include "rle_pixels.hpp"
#include "rle_walk.hpp"

namespace boxscore {

// The text of row r ends at ends[r], where that of the next begins.
struct RleTexts {
    AlignedVector<std::uint8_t> letters;
    AlignedVector<std::int64_t> ends;
};

// Each thread makes a worker, which appends the text of one row after the other: worker(row, letters).
template <class Make>
RleTexts texts_of_rows(std::size_t n, std::size_t block, int threads, const Make& make) {
    RleTexts made;
    made.ends.resize(n);
    const std::size_t blocks = (n + block - 1) / block;
    std::vector<Letters> texts(blocks);
    std::atomic<std::size_t> next{0};
    parallel_for(std::min<std::size_t>(threads > 1 ? threads : 1, blocks), threads, [&](std::size_t) {
        auto worker = make();
        for (std::size_t b = next.fetch_add(1); b < blocks; b = next.fetch_add(1)) {
            for (std::size_t row = b * block; row < std::min(n, (b + 1) * block); ++row) {
                worker(row, texts[b]);
                made.ends[row] = static_cast<std::int64_t>(texts[b].size());
            }
        }
    });
    std::vector<std::size_t> starts(blocks + 1, 0);
    for (std::size_t b = 0; b < blocks; ++b) starts[b + 1] = starts[b] + texts[b].size();
    made.letters.resize(starts[blocks]);
    parallel_for(blocks, threads, [&](std::size_t b) {
        std::copy(texts[b].begin(), texts[b].end(), made.letters.begin() + static_cast<std::ptrdiff_t>(starts[b]));
        for (std::size_t row = b * block; row < std::min(n, (b + 1) * block); ++row) {
            made.ends[row] += static_cast<std::int64_t>(starts[b]);
        }
        Letters().swap(texts[b]);
    });
    return made;
}

// Appends the text of a mask by its borders (none that meet).
class BordersText {
  public:
    void append(const Borders& borders, std::uint32_t pixels, Letters& out) {
        counts_between(borders, pixels, counts_);
        append_rle_text(counts_.data(), counts_.size(), out);
    }

  private:
    Counts counts_;
};

// Row r has the parts part[r] .. part[r + 1]: polygons with their values (or points on the fine grid instead), masks
// with their letters, other kinds.
struct MaskParts {
    const std::int64_t* part;
    const std::uint8_t* kind;
    const std::int64_t* value;
    const double* values;
    const std::int32_t* points;
    const std::int64_t* begin;
    const std::int64_t* end;
    const std::uint8_t* letters;
    const std::int32_t* size;

    static constexpr std::uint8_t kPolygon = 1, kRle = 2;

    RleMask image(std::size_t row) const { return {nullptr, 0, size[2 * row], size[2 * row + 1]}; }

    RleMask mask(std::size_t row, std::int64_t p) const {
        return {letters + begin[p], static_cast<std::size_t>(end[p] - begin[p]), size[2 * row], size[2 * row + 1]};
    }
};

// Makes one mask of the parts of a row. A single mask stays as it is; of several, those at fault are left out.
class PartsJoiner {
  public:
    explicit PartsJoiner(const MaskParts& parts) : parts_(parts) {}

    void operator()(std::size_t row, Letters& out) {
        if (parts_.image(row).pixels() < 0) return;
        std::int64_t n = 0, last = 0;
        for (std::int64_t p = parts_.part[row]; p < parts_.part[row + 1]; ++p) {
            if (parts_.kind[p] == MaskParts::kPolygon || parts_.kind[p] == MaskParts::kRle) ++n, last = p;
        }
        if (n == 0) return;
        if (n == 1) {
            one(row, last, out);
            return;
        }
        union_.clear();
        for (std::int64_t p = parts_.part[row]; p <= last; ++p) {
            if (read(row, p)) union_.add(counts_);
        }
        append_rle_text(union_.counts().data(), union_.size() ? union_.counts().size() : 0, out);
    }

  private:
    void one(std::size_t row, std::int64_t p, Letters& out) {
        if (parts_.kind[p] == MaskParts::kRle) {
            const RleMask mask = parts_.mask(row, p);
            out.insert(out.end(), mask.text, mask.text + mask.length);
        } else if (read(row, p)) {
            append_rle_text(counts_.data(), counts_.size(), out);
        }
    }

    // The runs of a part; false where it has none.
    bool read(std::size_t row, std::int64_t p) {
        if (parts_.kind[p] == MaskParts::kRle) return read_whole(parts_.mask(row, p), counts_) == RleFault::none;
        if (parts_.kind[p] != MaskParts::kPolygon) return false;
        const std::int64_t begin = parts_.value[p];
        const auto n = static_cast<std::size_t>(parts_.value[p + 1] - begin) / 2;
        const RleMask image = parts_.image(row);
        if (parts_.points)
            raster_.draw(parts_.points + begin, n, image.height, image.width, counts_);
        else
            raster_.draw(parts_.values + begin, n, image.height, image.width, counts_);
        return true;
    }

    const MaskParts parts_;
    PolygonRaster raster_;
    Counts counts_;
    RleUnion union_;
};

// Makes the boundaries of masks; nothing of those at fault.
class BoundaryTexts {
  public:
    BoundaryTexts(const RleMasks& masks, double ratio) : masks_(masks), ratio_(ratio) {}

    void operator()(std::size_t row, Letters& out) {
        const RleMask mask = masks_[static_cast<std::int64_t>(row)];
        if (read_borders(mask, borders_) != RleFault::none) return;
        drop_empty(borders_);
        maker_.make(borders_, mask.height, boundary_width(mask.height, mask.width, ratio_));
        text_.append(borders_, static_cast<std::uint32_t>(mask.pixels()), out);
    }

  private:
    const RleMasks masks_;
    const double ratio_;
    Borders borders_;
    BoundaryMaker maker_;
    BordersText text_;
};

}  // namespace boxscore
