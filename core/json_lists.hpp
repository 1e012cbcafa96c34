// Lists of numbers in a JSON text.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "aligned.hpp"
#include "json.hpp"

namespace boxscore {

// Adds the values of a list.
inline void read_integers(JsonCursor& cursor, AlignedVector<std::int64_t>& values) {
    JsonCursor in = cursor;  // stays in registers
    in.expect('[');
    if (!in.accept(']')) {
        do {
            in.skip_space();
            values.push_back(in.integer());
        } while (in.accept(','));
        in.expect(']');
    }
    cursor = in;
}

// A number that has no sign and up to seven characters, as nearly all in polygons: one load of eight bytes shows all of
// it. Others are left to the cursor.
inline double usual_number(JsonCursor& in) {
    if constexpr (std::endian::native != std::endian::little) return in.number();
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    static constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    if (!(*in.p >= '0' && *in.p <= '9')) [[unlikely]]
        return in.number();
    std::uint64_t eight;
    std::memcpy(&eight, in.p, 8);
    eight ^= 0x30 * kOnes;  // digits become 0 to 9; the others get a flag
    const std::uint64_t others = (((eight & 0x7F * kOnes) + 0x76 * kOnes) | eight) & 0x80 * kOnes;
    if (others == 0) return in.number();
    const int whole = std::countr_zero(others) / 8;
    int size = whole, places = 0;
    if (in.p[whole] == '.') [[likely]] {
        const std::uint64_t behind = others & (others - 1);
        if (behind == 0) return in.number();
        size = std::countr_zero(behind) / 8;
        places = size - whole - 1;
        const std::uint64_t before = (std::uint64_t{1} << 8 * whole) - 1;
        eight = (eight & before) | (eight >> 8 & ~before);  // without the point
    }
    const char next = in.p[size];
    const int digits = places ? size - 1 : size;
    if ((*in.p == '0' && whole > 1) || (places == 0 && size != whole) || next == 'e' || next == 'E') return in.number();
    in.p += size;
    return static_cast<double>(eight_digits(eight << (64 - 8 * digits))) / kPowers[places];
}

// Adds the values of a list.
inline void read_numbers(JsonCursor& cursor, AlignedVector<double>& values) {
    JsonCursor in = cursor;
    in.expect('[');
    if (!in.accept(']')) {
        do {
            in.skip_space();
            values.push_back(usual_number(in));
        } while (in.accept(','));
        in.expect(']');
    }
    cursor = in;
}

}  // namespace boxscore
