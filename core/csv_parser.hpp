// The parser of one block of rows between delimiters: the wanted fields into columns, the others skipped. It knows the
// usual way such files are written; at anything else it gives up (throws Unusual), and a general reader looks at it.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "aligned.hpp"
#include "json.hpp"
#include "text_index.hpp"

namespace boxscore {

// A column is a text, or one or several numbers, of each row.
struct CsvColumn {
    bool is_text;
    std::vector<std::size_t> fields;
};

struct CsvLayout {
    char delimiter;
    std::size_t width;  // fields of every row
    std::vector<CsvColumn> columns;
};

struct CsvValues {
    AlignedVector<double> numbers;      // nan for an empty field
    AlignedVector<std::int32_t> codes;  // of texts
    TextIndex texts;
};

inline bool is_utf8(const char* at, const char* end) {
    const auto* p = reinterpret_cast<const unsigned char*>(at);
    const auto* stop = reinterpret_cast<const unsigned char*>(end);
    while (p < stop) {
        std::uint64_t eight = 0;
        if (stop - p >= 8) {
            std::memcpy(&eight, p, 8);
            if (!(eight & 0x8080808080808080)) {
                p += 8;
                continue;
            }
        }
        const unsigned char c = *p;
        if (c < 0x80) {
            ++p;
            continue;
        }
        const int more = c < 0xC2 || c > 0xF4 ? 0 : c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
        if (more == 0 || stop - p <= more) return false;
        // Neither longer than need be, nor half of a pair, nor beyond the last character.
        const unsigned char low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
        const unsigned char high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
        if (p[1] < low || p[1] > high) return false;
        for (int i = 2; i <= more; ++i)
            if ((p[i] & 0xC0) != 0x80) return false;
        p += more + 1;
    }
    return true;
}

class CsvParser {
  public:
    explicit CsvParser(const CsvLayout& layout)
        : layout_(layout), roles_(layout.width), columns(layout.columns.size()) {
        for (std::size_t c = 0; c < layout.columns.size(); ++c) {
            const CsvColumn& column = layout.columns[c];
            for (std::size_t k = 0; k < column.fields.size(); ++k)
                roles_[column.fields[k]] = {column.is_text ? Role::text : Role::number, c, k, column.fields.size()};
        }
    }

    // Parses whole rows; behind the text there are eight bytes of 0.
    void run(const char* begin, const char* end) {
        p_ = begin;
        end_ = end;
        n = 0;
        for (CsvValues& column : columns) column.texts.clear();
        if (!is_utf8(begin, end)) throw Unusual{};
        while (p_ < end_) {
            if (skip_blank()) continue;
            if (n == room_) make_room(std::max<std::size_t>(1024, 2 * room_));
            row();
            ++n;
        }
    }

  private:
    struct Role {
        enum Kind : std::uint8_t { none, number, text };
        Kind kind = none;
        std::size_t column = 0, place = 0, width = 1;
    };

    const CsvLayout& layout_;
    std::vector<Role> roles_;
    const char *p_ = nullptr, *end_ = nullptr;
    std::size_t room_ = 0;

  public:
    std::vector<CsvValues> columns;  // of the last block: `n` rows count, the vectors may be longer
    std::size_t n = 0;

  private:
    void make_room(std::size_t wanted) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (layout_.columns[c].is_text)
                columns[c].codes.resize(wanted);
            else
                columns[c].numbers.resize(wanted * layout_.columns[c].fields.size());
        }
        room_ = wanted;
    }

    // The end of a line, or of all.
    bool accept_end() {
        if (p_ == end_) return true;
        if (*p_ == '\r' && p_[1] == '\n') ++p_;
        if (*p_ != '\n') return false;
        ++p_;
        return true;
    }

    // A line that holds nothing at all.
    bool skip_blank() {
        const char* begin = p_;
        while (*p_ == ' ' || *p_ == layout_.delimiter) ++p_;
        if (accept_end()) return true;
        p_ = begin;
        return false;
    }

    void skip_spaces() {
        while (*p_ == ' ') ++p_;
    }

    void row() {
        skip_spaces();
        if (p_[0] == '"' && p_[1] == '"') throw Unusual{};  // the row may be blank
        for (std::size_t f = 0; f < layout_.width; ++f) {
            if (f && *p_++ != layout_.delimiter) throw Unusual{};
            skip_spaces();
            const Role& role = roles_[f];
            if (role.kind == Role::number) {
                columns[role.column].numbers[n * role.width + role.place] = number();
            } else {
                const std::string_view found = field();
                if (role.kind == Role::text) columns[role.column].codes[n] = columns[role.column].texts.code_of(found);
            }
        }
        if (!accept_end()) throw Unusual{};
    }

    // Goes on to a control character, a quote or the delimiter.
    void find_special() {
        if constexpr (std::endian::native == std::endian::little) {
            constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
            const std::uint64_t delimiters = kOnes * static_cast<unsigned char>(layout_.delimiter);
            for (;; p_ += 8) {  // the bytes of 0 at the end are control characters
                std::uint64_t eight;
                std::memcpy(&eight, p_, 8);
                const std::uint64_t a = eight ^ delimiters, b = eight ^ (kOnes * '"');
                const std::uint64_t hits =
                    (((a - kOnes) & ~a) | ((b - kOnes) & ~b) | ((eight - kOnes * 0x20) & ~eight)) & kHigh;
                if (hits) {
                    p_ += std::countr_zero(hits) / 8;
                    return;
                }
            }
        }
        while (*p_ != layout_.delimiter && *p_ != '"' && static_cast<unsigned char>(*p_) >= 0x20) ++p_;
    }

    // The text of a field without the spaces around it; a quote may stand only before and behind it all.
    std::string_view field() {
        if (p_[1] == layout_.delimiter && *p_ > ' ' && *p_ != '"' && *p_ != layout_.delimiter) return {p_++, 1};
        const bool quoted = *p_ == '"';
        const char* begin = p_ += quoted;
        find_special();
        if (quoted) {
            while (*p_ == layout_.delimiter && layout_.delimiter >= 0x20) {
                ++p_;
                find_special();
            }
            if (*p_ != '"') throw Unusual{};
        } else if (*p_ == '"') {
            throw Unusual{};
        }
        const char* stop = p_;
        if (quoted) {
            ++p_;
            skip_spaces();
            while (begin < stop && *begin == ' ') ++begin;
        }
        while (begin < stop && stop[-1] == ' ') --stop;
        return {begin, static_cast<std::size_t>(stop - begin)};
    }

    double number() {
        const bool quoted = *p_ == '"';
        if (quoted) {
            ++p_;
            skip_spaces();
        }
        const double value = *p_ == '"' || *p_ == layout_.delimiter || *p_ == '\n' || *p_ == '\r' || p_ == end_
                                 ? std::numeric_limits<double>::quiet_NaN()
                                 : written();
        skip_spaces();
        if (quoted) {
            if (*p_ != '"') throw Unusual{};
            ++p_;
            skip_spaces();
        }
        return value;
    }

    // As Python reads a decimal number; too large and too small ones are unusual.
    double written() {
        const bool negative = *p_ == '-';
        const char* begin = p_ += negative || *p_ == '+';
        std::uint64_t digits = 0;
        p_ = read_digits(p_, digits);
        auto n_digits = p_ - begin;
        std::ptrdiff_t places = 0;
        if (*p_ == '.') {
            const char* point = ++p_;
            p_ = read_digits(p_, digits);
            places = p_ - point;
            n_digits += places;
        }
        if (n_digits == 0) throw Unusual{};
        double value;
        if (n_digits <= 19 && *p_ != 'e' && *p_ != 'E') {
            value = decimal(digits, static_cast<int>(places));
        } else {
            const auto [stop, error] = std::from_chars(begin, end_, value);
            if (error != std::errc{}) throw Unusual{};
            p_ = stop;
        }
        return negative ? -value : value;
    }
};

}  // namespace boxscore
