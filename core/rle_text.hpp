// COCO's text of a mask's runs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxscore {

// Appends the text of runs. From the fourth on each stands as the difference to the one before the previous one, which
// is of the same colour in the column before and mostly about as long. A character holds five bits, the lowest first,
// and whether more follow; the highest bit of the last one is the sign.
template <class Text>
void append_rle_text(const std::uint32_t* counts, std::size_t n, Text& out) {
    for (std::size_t i = 0; i < n; ++i) {
        std::int64_t rest = static_cast<std::int64_t>(counts[i]) - (i > 2 ? counts[i - 2] : 0);
        for (bool more = true; more;) {
            const int five = static_cast<int>(rest & 31);
            rest >>= 5;
            more = rest != (five & 16 ? -1 : 0);
            out.push_back(static_cast<typename Text::value_type>(48 + five + (more ? 32 : 0)));
        }
    }
}

}  // namespace boxscore
