// COCO's `segmentation` in a JSON text: polygons, or a mask's runs as text or as a list.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "aligned.hpp"
#include "fine_grid.hpp"
#include "json.hpp"
#include "json_lists.hpp"
#include "rle_text.hpp"

namespace boxscore {

// The parts of some shapes, one after the other.
struct ShapeParts {
    static constexpr std::uint8_t kPolygon = 1, kRle = 2;

    AlignedVector<std::uint8_t> kind;
    AlignedVector<std::int64_t> value_ends, letter_ends;  // one per part
    AlignedVector<double> values;                         // coordinates of polygons; height and width of masks; or
    AlignedVector<std::int32_t> points;                   // coordinates on the fine grid; height and width
    AlignedVector<std::uint8_t> letters;                  // runs of masks as COCO's text; may be longer than
    std::size_t n_letters = 0;                            // what counts of it

    std::size_t size() const { return kind.size(); }
    std::size_t n_values() const { return values.size() + points.size(); }  // one of both is empty

    void clear() {
        kind.clear();
        value_ends.clear();
        letter_ends.clear();
        values.clear();
        points.clear();
        n_letters = 0;
    }

    void end_part(std::uint8_t of_kind) {
        kind.push_back(of_kind);
        value_ends.push_back(static_cast<std::int64_t>(n_values()));
        letter_ends.push_back(static_cast<std::int64_t>(n_letters));
    }
};

// Copies characters of COCO's text up to one that is not of its alphabet, or a backslash, which is written with an
// escape. Eight bytes must be readable there, and writable behind what is copied. A byte below what is subtracted
// borrows and gets its highest bit; the first one that has it is meant.
inline std::size_t copy_letters(const char* from, std::uint8_t* to) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    const char* p = from;
    if constexpr (std::endian::native == std::endian::little) {
        for (;; p += 8, to += 8) {
            std::uint64_t eight;
            std::memcpy(&eight, p, 8);
            std::memcpy(to, &eight, 8);
            const std::uint64_t value = eight - '0' * kOnes, backslash = (eight ^ '\\' * kOnes) - kOnes;
            const std::uint64_t others = (value | value << 1 | backslash | eight) & 0x80 * kOnes;  // 64 values
            if (others)
                return static_cast<std::size_t>(p - from) + static_cast<std::size_t>(std::countr_zero(others)) / 8;
        }
    }
    for (; *p >= '0' && *p <= 'o' && *p != '\\'; ++p) *to++ = static_cast<std::uint8_t>(*p);
    return static_cast<std::size_t>(p - from);
}

class ShapeReader {
  public:
    // Adds the parts of a shape, those of a mask on the fine grid; false where there is none. Inlined, it would make
    // all other kinds slower.
    [[gnu::noinline]] bool read(JsonCursor& cursor, ShapeParts& parts, bool fine) {
        JsonCursor in = cursor;
        fine_ = fine;
        const std::size_t before = parts.size();
        if (*in.p == '[') {
            polygons(in, parts);
        } else if (*in.p == '{') {
            mask(in, parts);
        } else {
            in.expect('"');
            in.expect_next('"');
        }
        cursor = in;
        return parts.size() > before;
    }

  private:
    void polygons(JsonCursor& in, ShapeParts& parts) {
        in.expect('[');
        if (in.accept(']')) return;
        bool alone = true;
        do {
            if (fine_) corners_.clear();
            AlignedVector<double>& corners = fine_ ? corners_ : parts.values;
            const std::size_t before = corners.size();
            read_numbers(in, corners);
            const std::size_t n = corners.size() - before;
            if (n == 0 && alone && in.accept(']')) return;  // a list of nothing: [[]]
            if (n < 6 || n % 2) throw Unusual{};
            if (fine_)
                for (const double corner : corners) parts.points.push_back(on_fine_grid(corner));
            parts.end_part(ShapeParts::kPolygon);
            alone = false;
        } while (in.accept(','));
        in.expect(']');
    }

    void mask(JsonCursor& in, ShapeParts& parts) {
        in.expect('{');
        in.skip_space();
        const bool size_first = in.accept_word("\"size\"");
        if (size_first) {
            size(in, parts);
            in.expect(',');
            in.skip_space();
        }
        if (!in.accept_word("\"counts\"")) throw Unusual{};
        in.expect(':');
        in.skip_space();
        if (*in.p == '"')
            text(in, parts);
        else
            list(in, parts);
        if (!size_first) {
            in.expect(',');
            in.skip_space();
            if (!in.accept_word("\"size\"")) throw Unusual{};
            size(in, parts);
        }
        in.expect('}');
        parts.end_part(ShapeParts::kRle);
    }

    void size(JsonCursor& in, ShapeParts& parts) {
        in.expect(':');
        in.expect('[');
        side(in, parts);
        in.expect(',');
        side(in, parts);
        in.expect(']');
    }

    void side(JsonCursor& in, ShapeParts& parts) {
        in.skip_space();
        const std::int64_t side = in.integer();
        if (side < 1 || side >= std::int64_t{1} << 31) throw Unusual{};
        if (fine_)
            parts.points.push_back(static_cast<std::int32_t>(side));
        else
            parts.values.push_back(static_cast<double>(side));
    }

    // No mask has an empty text, as each has a pixel.
    static void text(JsonCursor& in, ShapeParts& parts) {
        in.expect('"');
        // Room for the rest of the block at once: it holds for all further texts of the block, and for other blocks.
        make_room(parts, static_cast<std::size_t>(in.end - in.p));
        std::uint8_t* const begin = parts.letters.data() + parts.n_letters;
        std::uint8_t* to = begin;
        for (;;) {
            const std::size_t n = copy_letters(in.p, to);
            in.p += n;
            to += n;
            if (*in.p != '\\') break;
            if (in.p[1] != '\\') throw Unusual{};
            *to++ = '\\';
            in.p += 2;
        }
        in.expect_next('"');
        if (to == begin) throw Unusual{};
        parts.n_letters += static_cast<std::size_t>(to - begin);
    }

    void list(JsonCursor& in, ShapeParts& parts) {
        listed_.clear();
        read_integers(in, listed_);
        if (listed_.empty()) throw Unusual{};
        counts_.clear();
        for (const std::int64_t count : listed_) {
            if (count < 0 || count >> 32) throw Unusual{};
            counts_.push_back(static_cast<std::uint32_t>(count));
        }
        letters_.clear();
        append_rle_text(counts_.data(), counts_.size(), letters_);
        make_room(parts, letters_.size());
        std::memcpy(parts.letters.data() + parts.n_letters, letters_.data(), letters_.size());
        parts.n_letters += letters_.size();
    }

    static void make_room(ShapeParts& parts, std::size_t more) {
        const std::size_t wanted = parts.n_letters + more + 8;
        if (parts.letters.size() >= wanted) return;
        parts.letters.resize(std::max(wanted, parts.letters.size() + parts.letters.size() / 2));
    }

    bool fine_ = false;
    AlignedVector<double> corners_;  // of a polygon that goes on the fine grid; else none
    AlignedVector<std::int64_t> listed_;
    std::vector<std::uint32_t> counts_;
    std::string letters_;
};

}  // namespace boxscore
