// Lists of numbers in a JSON text.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <bit>
#include <cstdint>
#include <cstring>

#include "aligned.hpp"
#include "json.hpp"
#include "reals.hpp"

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

inline std::uint64_t eight_at(const char* p) {
    std::uint64_t eight;
    std::memcpy(&eight, p, 8);
    return eight;
}

// A bit for each of the 32 characters at p that is no digit.
inline std::uint32_t no_digits(const char* p) {
#ifdef __SSE2__
    const auto sixteen = [](const char* at) {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i value = _mm_sub_epi8(text, _mm_set1_epi8('0'));
        const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
        return ~static_cast<std::uint32_t>(_mm_movemask_epi8(digits)) & 0xFFFF;
    };
    return sixteen(p) | sixteen(p + 16) << 16;
#else
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    std::uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) {
        const std::uint64_t eight = eight_at(p + 8 * i) ^ 0x30 * kOnes;  // digits become 0 to 9
        const std::uint64_t others = (((eight & 0x7F * kOnes) + 0x76 * kOnes) | eight) >> 7 & kOnes;
        bits |= static_cast<std::uint32_t>(others * 0x0102040810204080 >> 56) << 8 * i;
    }
    return bits;
#endif
}

// The first `n` of eight characters, all of them digits, as a number; the others are anything.
inline std::uint64_t first_digits(std::uint64_t eight, int n) {
    const int rest = 4 * (8 - n);                                       // in two steps, because all may go
    return eight_digits((eight ^ 0x3030303030303030) << rest << rest);  // as if zeros stood before them
}

// A number, and where the text goes on: both in registers.
struct ListedNumber {
    double value;
    const char* behind;
};

inline ListedNumber any_number(const char* at, const char* end) {
    JsonCursor in(at, end);
    const double value = in.number();
    return {value, in.p};
}

// A number in a list, most often one of three kinds: whole; of up to eight characters, as in polygons; or with as many
// digits as a float has, as in keypoints. Where it ends is found at once, not piece by piece, because the next number
// cannot be begun before. All others are left to the cursor.
inline ListedNumber listed_number(const char* at, const char* end) {
#ifdef __SIZEOF_INT128__
    if constexpr (std::endian::native != std::endian::little) return any_number(at, end);
    static constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13};
    static constexpr std::uint64_t kIntegers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    constexpr std::uint64_t kZeros = 0x3030303030303030;
    if (*at == '-') [[unlikely]] {  // a branch, so that nothing waits for it
        if (at[1] == '-') throw Unusual{};
        const ListedNumber positive = listed_number(at + 1, end);
        return {-positive.value, positive.behind};
    }
    const std::uint32_t others = no_digits(at), behind = others & (others - 1);
    if (behind == 0) return any_number(at, end);
    const int whole = std::countr_zero(others);
    if (whole == 0 || whole > 7 || (*at == '0' && whole > 1)) return any_number(at, end);
    int size = whole;
    double value;
    if (at[whole] != '.') {
        value = static_cast<double>(first_digits(eight_at(at), whole));
    } else {
        size = std::countr_zero(behind);
        const int places = size - whole - 1;
        if (places == 0) return any_number(at, end);
        // All digits of the first eight characters, or of the first sixteen, next to each other.
        const std::uint64_t before = (std::uint64_t{1} << 8 * whole) - 1;
        if (size <= 8) {
            const std::uint64_t eight = eight_at(at);
            value = static_cast<double>(first_digits((eight & before) | (eight >> 8 & ~before), size - 1)) /
                    kPowers[places];
        } else {
            if (size > 20) return any_number(at, end);
            const std::uint64_t first = eight_at(at) ^ kZeros, second = eight_at(at + 8) ^ kZeros;
            const std::uint64_t eight = (first & before) | ((first >> 8 | second << 56) & ~before);
            if (size < 16) {                       // at most 14 digits: both operands are exact
                const int rest = 4 * (17 - size);  // in two steps, because all may go
                const std::uint64_t digits =
                    eight_digits(eight) * kIntegers[size - 9] + eight_digits(second >> 8 << rest << rest);
                value = static_cast<double>(digits) / kPowers[places];
            } else {
                const int more = size - 16;
                const std::uint64_t digits =
                    eight_digits(eight) * 10000000 + eight_digits(second & ~std::uint64_t{0xFF});
                value = long_decimal(digits * kIntegers[more] + first_digits(eight_at(at + 16), more), places);
            }
        }
    }
    if (at[size] == 'e' || at[size] == 'E') return any_number(at, end);
    return {value, at + size};
#else
    return any_number(at, end);
#endif
}

// Adds the values of a list.
template <class Values>
void read_numbers(JsonCursor& cursor, Values& values) {
    constexpr std::size_t kSome = 64;
    double some[kSome];
    std::size_t n = 0;
    JsonCursor in = cursor;
    in.expect('[');
    if (!in.accept(']')) {
        for (;;) {
            if (*in.p == ' ') ++in.p;  // as mostly
            in.skip_space();
            if (n == kSome) {
                add_some(values, some, n);
                n = 0;
            }
            const ListedNumber number = listed_number(in.p, in.end);
            some[n++] = number.value;
            in.p = number.behind;
            if (*in.p == ',') [[likely]]
                ++in.p;
            else if (!in.accept(','))
                break;
        }
        in.expect(']');
        add_some(values, some, n);
    }
    cursor = in;
}

}  // namespace boxscore
