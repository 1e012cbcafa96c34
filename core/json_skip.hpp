// Values of a JSON text that nobody asked for: passed over, but checked as a general parser would.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "json.hpp"

namespace boxscore {

inline bool begins_number(char c) { return c == '-' || (c >= '0' && c <= '9'); }

// From the beginning of a number to that of the last one that can be reached through numbers of up to seven characters
// with a comma behind them: polygons have millions, and eight bytes at a time show where such a number ends. The
// branches are foreseen, so that the next number is begun before all is known of this one.
inline const char* skip_usual_numbers(const char* p) {
    if constexpr (std::endian::native != std::endian::little) return p;
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    for (;;) {
        const char* begin = p;
        if (*p == '-') [[unlikely]]
            ++begin;
        std::uint64_t eight;
        std::memcpy(&eight, begin, 8);
        eight ^= 0x30 * kOnes;  // digits become 0 to 9; the others get a flag
        const std::uint64_t others = (((eight & 0x7F * kOnes) + 0x76 * kOnes) | eight) & 0x80 * kOnes;
        const std::uint64_t behind = others & (others - 1);  // the second of them: behind the digits after a point
        if (behind == 0) return p;
        const int whole = std::countr_zero(others) / 8;
        int size = std::countr_zero(behind) / 8;
        if (begin[whole] != '.') [[unlikely]]
            size = whole;
        else if (size == whole + 1)
            return p;
        if (whole == 0 || (*begin == '0' && whole > 1)) return p;
        const char* next = begin + size;
        if (*next != ',') return p;
        if (next[1] == ' ') [[likely]]
            next += 2;
        else
            next += 1;
        if (!begins_number(*next)) return p;
        p = next;
    }
}

// Goes behind a value of any kind. `open` is memory for the brackets that are still to be closed.
inline void skip_value(JsonCursor& in, std::vector<char>& open) {
    bool escaped;
    open.clear();
    for (;;) {
        in.skip_space();
        const char c = *in.p;
        if (c == '[' || c == '{') {
            const char close = static_cast<char>(c + 2);  // in ASCII
            ++in.p;
            if (!in.accept(close)) {
                open.push_back(close);
                if (close == '}') {
                    in.string(escaped);
                    in.expect(':');
                }
                continue;
            }
        } else if (c == '"') {
            in.string(escaped);
        } else if (begins_number(c)) {
            if (!open.empty() && open.back() == ']') in.p = skip_usual_numbers(in.p);
            in.skip_number();
        } else {
            in.skip_word();
        }
        for (;;) {  // behind a value: another one, or the end of what holds it
            if (open.empty()) return;
            in.skip_space();
            const char next = *in.p++;
            if (next == ',') break;
            if (next != open.back()) throw Unusual{};
            open.pop_back();
        }
        if (open.back() == '}') {
            in.string(escaped);
            in.expect(':');
        }
    }
}

}  // namespace boxscore
