// A text for each of many rows, made in parallel blocks of rows and joined in their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "aligned.hpp"
#include "blocks.hpp"
#include "boundary.hpp"
#include "mask_pairs.hpp"
#include "polygon.hpp"
#include "rle_pixels.hpp"
#include "rle_walk.hpp"

namespace boxscore {

// The text of row r ends at ends[r], where that of the next begins.
struct RleTexts {
    AlignedVector<std::uint8_t> letters;
    AlignedVector<std::int64_t> ends;
};

// Makes the texts of one block of rows after the other, and joins each to those before it.
template <class Worker>
class TextBlocks {
  public:
    TextBlocks(RleTexts& made, std::size_t block, Worker&& worker)
        : made_(made), block_(block), worker_(std::move(worker)) {}

    void parse(std::size_t b) {
        letters_.clear();
        for (std::size_t row = b * block_; row < last(b); ++row) {
            worker_(row, letters_);
            made_.ends[row] = static_cast<std::int64_t>(letters_.size());
        }
    }

    // Where more memory is needed, as much as all will need if the others are like those so far.
    void join(std::size_t b) {
        const std::size_t before = made_.letters.size(), wanted = before + letters_.size();
        if (wanted > made_.letters.capacity()) {
            const double all = static_cast<double>(made_.ends.size()) / static_cast<double>(last(b));
            made_.letters.reserve(static_cast<std::size_t>(1.1 * all * static_cast<double>(wanted)) + 16);
        }
        made_.letters.insert(made_.letters.end(), letters_.begin(), letters_.end());
        for (std::size_t row = b * block_; row < last(b); ++row) made_.ends[row] += static_cast<std::int64_t>(before);
    }

  private:
    std::size_t last(std::size_t b) const { return std::min(made_.ends.size(), (b + 1) * block_); }

    RleTexts& made_;
    const std::size_t block_;
    Worker worker_;
    Letters letters_;
};

// Each thread makes a worker, which appends the text of one row after the other: worker(row, letters).
template <class Make>
RleTexts texts_of_rows(std::size_t n, std::size_t block, int threads, const Make& make) {
    RleTexts made;
    made.ends.resize(n);
    in_turn((n + block - 1) / block, threads, [&] { return TextBlocks(made, block, make()); });
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
