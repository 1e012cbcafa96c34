// A JSON reader for one purpose: long arrays of flat records, straight into columns. It knows the usual way such files
// are written; at anything else it gives up (throws Unusual), and the caller reads the file with a general parser that
// can also say what is wrong.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace boxscore {

struct Unusual {};

inline double power_of_two(int exponent) {
    const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

#ifdef __SIZEOF_INT128__
// A power of ten; its reciprocal is bits * 2^(shift - 64), cut off after 64 bits of which the highest is set.
struct Reciprocal {
    std::uint64_t of = 1, bits = 0;
    int shift = 0;
};

constexpr std::array<Reciprocal, 20> reciprocals() {
    std::array<Reciprocal, 20> made{};
    for (std::size_t places = 1; places < made.size(); ++places) {
        const std::uint64_t power = made[places - 1].of * 10;
        const int width = std::bit_width(power);  // 2^(63 + width) / power lies between 2^63 and 2^64
        const unsigned __int128 one = static_cast<unsigned __int128>(1) << (63 + width);
        made[places] = {power, static_cast<std::uint64_t>(one / power), 1 - width};
    }
    return made;
}

inline constexpr std::array<Reciprocal, 20> kReciprocals = reciprocals();

// digits / power, rounded correctly: 62 or 63 bits of quotient, the remainder kept as a sticky last bit, rounded once
// by the conversion to double.
[[gnu::noinline]] inline double divided(std::uint64_t digits, std::uint64_t power) {
    const int shift = 62 + std::countl_zero(digits) - std::countl_zero(power);
    const unsigned __int128 scaled = static_cast<unsigned __int128>(digits) << shift;
    const auto quotient = static_cast<std::uint64_t>(scaled / power);
    const bool inexact = static_cast<unsigned __int128>(quotient) * power != scaled;
    return static_cast<double>(static_cast<std::int64_t>(quotient | inexact)) * power_of_two(-shift);
}
#endif

#ifdef __SIZEOF_INT128__
// digits / 10^places, rounded correctly, for digits < 10^19 and places from 1 to 19. Multiplies by the reciprocal, of
// which 64 bits are known: the upper 64 bits of the product are at most two too low. Only where the middle between two
// doubles may lie there, it divides.
inline double long_decimal(std::uint64_t digits, int places) {
    if (digits == 0) return 0.0;
    const Reciprocal& power = kReciprocals[static_cast<std::size_t>(places)];
    const int zeros = std::countl_zero(digits);
    const auto product = static_cast<unsigned __int128>(digits << zeros) * power.bits;
    const auto half = static_cast<std::uint64_t>(product >> 64);
    const int low = 1 - static_cast<int>(half >> 63);
    const std::uint64_t upper = half << low | static_cast<std::uint64_t>(product) >> 63 >> (1 - low);
    if (((upper - 0x3FE) & 0x7FF) < 3) [[unlikely]]
        return divided(digits, power.of);
    return static_cast<double>(static_cast<std::int64_t>(upper >> 1 | 1)) * power_of_two(power.shift + 1 - zeros - low);
}
#endif

// digits / 10^places, rounded correctly, for digits < 10^19 and places <= 19.
inline double decimal(std::uint64_t digits, int places) {
    static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                         1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
    // Both operands exact: one division rounds once.
    if (digits <= std::uint64_t{1} << 53) return static_cast<double>(digits) / kPowers[places];
#ifdef __SIZEOF_INT128__
    return places == 0 ? static_cast<double>(digits) : long_decimal(digits, places);
#else
    throw Unusual{};
#endif
}

// The number of eight decimal digits, a byte each from 0 to 9, the first one lowest.
inline std::uint64_t eight_digits(std::uint64_t eight) {
    eight = eight * 10 + (eight >> 8);  // pairs, then fours, then all eight
    return ((eight & 0x000000FF000000FF) * 0x000F424000000064 +
            (eight >> 16 & 0x000000FF000000FF) * 0x0000271000000001) >>
           32;
}

// Reads the digits at p into `value` and returns where they end; eight bytes must be readable there.
inline const char* read_digits(const char* p, std::uint64_t& value) {
    if constexpr (std::endian::native == std::endian::little) {
        static constexpr std::uint64_t kPowers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
        for (;;) {
            std::uint64_t eight;
            std::memcpy(&eight, p, 8);
            eight ^= 0x3030303030303030;  // digits become 0 to 9
            const std::uint64_t others = ((eight + 0x0606060606060606) | eight) & 0xF0F0F0F0F0F0F0F0;
            const int n = others ? std::countr_zero(others) / 8 : 8;
            if (n == 0) return p;
            value = value * kPowers[n] + eight_digits(eight << (64 - 8 * n));  // as if zeros stood before them
            p += n;
            if (n < 8) return p;
        }
    }
    while (*p >= '0' && *p <= '9') value = value * 10 + static_cast<std::uint64_t>(*p++ - '0');
    return p;
}

// Where the digits at p end; eight bytes must be readable there.
inline const char* skip_digits(const char* p) {
    if constexpr (std::endian::native == std::endian::little) {
        for (;; p += 8) {
            std::uint64_t eight;
            std::memcpy(&eight, p, 8);
            eight ^= 0x3030303030303030;
            const std::uint64_t others = ((eight + 0x0606060606060606) | eight) & 0xF0F0F0F0F0F0F0F0;
            if (others) return p + std::countr_zero(others) / 8;
        }
    }
    while (*p >= '0' && *p <= '9') ++p;
    return p;
}

// Where the plain characters of a string end: at a quote, a backslash, or what is not printable ASCII. Eight bytes must
// be readable there. A byte below what is subtracted borrows and gets its highest bit; the first one that has it is
// meant.
inline const char* skip_plain(const char* p) {
    if constexpr (std::endian::native != std::endian::little) return p;
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    for (;; p += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, p, 8);
        const std::uint64_t quote = (eight ^ '"' * kOnes) - kOnes, backslash = (eight ^ '\\' * kOnes) - kOnes;
        const std::uint64_t others = (quote | backslash | (eight - 0x20 * kOnes) | eight) & 0x80 * kOnes;
        if (others) return p + std::countr_zero(others) / 8;
    }
}

// Whether bytes are UTF-8: no longer forms than needed, no surrogates, nothing beyond U+10FFFF.
inline bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = [&](std::size_t k) -> unsigned {
            return k < text.size() ? static_cast<unsigned char>(text[k]) : 0;
        };
        const unsigned first = byte(i);
        const std::size_t more = first < 0x80   ? 0
                                 : first < 0xC2 ? 4
                                 : first < 0xE0 ? 1
                                 : first < 0xF0 ? 2
                                 : first < 0xF5 ? 3
                                                : 4;
        if (more == 4) return false;
        const unsigned least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        const unsigned most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        for (std::size_t k = 1; k <= more; ++k)
            if (byte(i + k) < (k == 1 ? least : 0x80) || byte(i + k) > (k == 1 ? most : 0xBF)) return false;
        i += more + 1;
    }
    return true;
}

// Behind the text there are 32 bytes of 0, so that nothing has to ask at every step whether it is at the end: a 0 is
// no digit, no white space, and nothing that may stand in JSON.
class JsonCursor {
  public:
    static constexpr std::size_t kPadding = 32;

    JsonCursor(const char* at, const char* end) : p(at), end(end) {}

    const char* p;
    const char* end;

    void skip_space() {
        while (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t') ++p;
    }

    // Skips white space, then the given character.
    void expect(char c) {
        if (!accept(c)) throw Unusual{};
    }

    bool accept(char c) {
        skip_space();
        if (*p != c) return false;
        ++p;
        return true;
    }

    // Without white space before it.
    void expect_next(char c) {
        if (*p++ != c) throw Unusual{};
    }

    bool accept_word(std::string_view word) {
        if (std::memcmp(p, word.data(), word.size()) != 0) return false;
        p += word.size();
        return true;
    }

    bool accept_null() { return accept_word("null"); }

    // The text between the quotes, escapes as they are; `escaped` tells whether there are any. It is checked: every
    // escape is one, and what is not ASCII is UTF-8.
    std::string_view string(bool& escaped) {
        expect('"');
        const char* begin = p;
        escaped = false;
        unsigned char all = 0;
        for (;;) {
            p = skip_plain(p);
            for (; *p != '"' && *p != '\\' && static_cast<unsigned char>(*p) >= 0x20; p = skip_plain(p + 1))
                all |= static_cast<unsigned char>(*p);
            if (*p == '"') break;
            if (*p != '\\') throw Unusual{};
            p += escape_length(p);
            escaped = true;
        }
        const std::string_view text(begin, static_cast<std::size_t>(p++ - begin));
        if (all >= 0x80 && !is_utf8(text)) throw Unusual{};
        return text;
    }

    std::int64_t integer() {
        const bool negative = *p == '-';
        const char* begin = p += negative;
        std::uint64_t value = 0;
        p = read_digits(p, value);
        const auto digits = p - begin;
        if (digits == 0 || digits > 18 || (digits > 1 && *begin == '0')) throw Unusual{};
        if (*p == '.' || *p == 'e' || *p == 'E') throw Unusual{};
        return negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
    }

    double number() {
        const char* begin = p;
        const bool negative = *p == '-';
        const char* whole = p += negative;
        std::uint64_t digits = 0;
        p = read_digits(p, digits);
        const auto n_whole = p - whole;
        if (n_whole == 0 || (n_whole > 1 && *whole == '0')) throw Unusual{};
        std::ptrdiff_t places = 0;
        if (*p == '.') {
            const char* point = ++p;
            p = read_digits(p, digits);
            places = p - point;
            if (places == 0) throw Unusual{};
        }
        if (n_whole + places <= 19 && *p != 'e' && *p != 'E') {
            const double value = decimal(digits, static_cast<int>(places));
            return negative ? -value : value;
        }
        double value;
        const auto [stop, error] = std::from_chars(begin, end, value);
        if (error != std::errc{}) throw Unusual{};
        p = stop;
        return value;
    }

    // A number, checked but not converted.
    void skip_number() {
        p += *p == '-';
        const char* whole = p;
        p = skip_digits(p);
        if (p == whole || (*whole == '0' && p - whole > 1)) throw Unusual{};
        if (*p == '.') at_least_one_digit(p + 1);
        if (*p == 'e' || *p == 'E') at_least_one_digit(p + 1 + (p[1] == '+' || p[1] == '-'));
    }

    void skip_word() {
        for (const std::string_view word : {"true", "false", "null"})
            if (accept_word(word)) return;
        throw Unusual{};
    }

  private:
    void at_least_one_digit(const char* from) {
        p = skip_digits(from);
        if (p == from) throw Unusual{};
    }

    static std::ptrdiff_t escape_length(const char* at) {
        const char c = at[1];
        if (c != 0 && std::strchr("\"\\/bfnrt", c) != nullptr) return 2;
        if (c != 'u') throw Unusual{};
        for (int i = 2; i < 6; ++i)
            if (at[i] == 0 || std::strchr("0123456789abcdefABCDEF", at[i]) == nullptr) throw Unusual{};
        return 6;
    }
};

}  // namespace boxscore
