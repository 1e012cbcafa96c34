// The boxes of a block of cells, next to each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "aligned.hpp"
#include "match_types.hpp"

namespace boxscore {

// Boxes stand anywhere in their columns. Fetched a block at a time, and all at once, they cost much less time than one
// by one while their cells are matched, and much less memory than columns in another order.
class BlockColumns {
  public:
    // Without sizes where nobody will ask for them.
    BlockColumns(const BoxColumns& all, std::size_t begin, std::size_t end, bool sizes) : columns_(all) {
        if (!all.rows) return;
        const auto fetch = [&](const auto* from, auto& to, std::size_t width) {
            if (!from) return;
            to.resize((end - begin) * width);
            for (std::size_t i = begin; i < end; ++i)
                std::copy_n(from + all.rows[i] * width, width, to.data() + (i - begin) * width);
        };
        fetch(all.corners, corners_, 4);
        fetch(all.area, area_, 1);
        const bool apart = sizes && all.size != all.area;  // often both are the same column
        fetch(apart ? all.size : nullptr, size_, 1);
        fetch(all.limit, limit_, 1);
        fetch(all.role, role_, 1);
        const auto data = [](const auto& column) { return column.empty() ? nullptr : column.data(); };
        columns_ = {data(corners_), data(area_), data(apart ? size_ : area_), data(limit_), data(role_),
                    nullptr,        begin};
    }
    BlockColumns(const BlockColumns&) = delete;

    const BoxColumns& columns() const { return columns_; }

  private:
    AlignedVector<double> corners_, area_, size_, limit_;
    std::vector<std::uint8_t> role_;
    BoxColumns columns_;
};

}  // namespace boxscore
