// COCO's compressed masks: the lengths of runs as text and back. A run is a number of 5 bits per character (48 .. 111),
// lowest first; the bit of 32 says that it goes on, the bit of 16 of its last character is its sign. From the fourth
// run on the number is the difference to the run before the previous one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace boxscore {

// What can be wrong with a mask; the numbers are those that Python sees.
enum class RleFault : std::uint8_t {
    none = 0,
    character = 1,   // outside of COCO's 64
    unfinished = 2,  // the text ends in the middle of a number
    too_large = 3,   // a number of more than 12 characters, or a run that 32 bits cannot count
    negative = 4,    // a run of negative length
    size = 5,        // the runs do not add up to height * width
    empty_run = 6,   // not wrong, but pycocotools' overlap may stop at a run of length 0 after the first
};

template <class Text>
void append_rle_text(const std::uint32_t* counts, std::size_t n, Text& out) {
    for (std::size_t i = 0; i < n; ++i) {
        std::int64_t rest = counts[i];
        if (i > 2) rest -= counts[i - 2];
        bool more = true;
        while (more) {
            const int digit = static_cast<int>(rest & 31);
            rest >>= 5;
            more = rest != ((digit & 16) ? -1 : 0);
            out.push_back(static_cast<char>(48 + digit + (more ? 32 : 0)));
        }
    }
}

// Takes the runs of one text in turn. Texts are cut into pieces of 64 characters: where the numbers end is known for
// all of a piece at once, so that no number has to wait for the one before it.
class RleReader {
  public:
    RleReader(const std::uint8_t* text, std::size_t n) : p_(text), end_(text + n) {}

    // Calls each(run, inside) for the runs up to the first fault, which it returns; the first one is outside.
    template <class Each>
    RleFault each_run(const Each& each) {
        if constexpr (std::endian::native == std::endian::little) {
            while (p_ != end_) {
                const std::uint8_t* const before = p_;
                RleFault fault = RleFault::none;
                if (!piece(each, fault)) break;
                if (fault != RleFault::none) return fault;
                if (p_ == before) break;  // a number that ends in no piece
            }
        }
        return carefully(each);
    }

  private:
    static constexpr std::ptrdiff_t kPiece = 64, kLoad = 8;
    static constexpr int kLongest = 12;  // characters of a number: more do not fit into 64 bits
    static constexpr std::uint64_t kOnes = 0x0101010101010101;

    static std::uint64_t load(const std::uint8_t* p) {
        std::uint64_t eight;
        std::memcpy(&eight, p, sizeof eight);
        return eight;
    }

    // The bits of 32 of eight characters, in order; `odd` gets bits where a character is none of the 64.
    static std::uint64_t goes_on(std::uint64_t eight, std::uint64_t& odd) {
        const std::uint64_t digits = eight + 0x10 * kOnes;  // 48 .. 111 become 64 .. 127
        odd |= (eight | digits | ~(digits << 1)) & (0x80 * kOnes);
        return (((digits >> 5) & kOnes) * 0x0102040810204080) >> 56;
    }

    // The number that `length` <= 8 characters spell.
    static std::int64_t number(std::uint64_t eight, int length) {
        std::uint64_t bits = ((eight + 0x10 * kOnes) & (0x1f * kOnes)) & (~std::uint64_t{0} >> (64 - 8 * length));
        bits = (bits & 0x001f001f001f001f) | ((bits & 0x1f001f001f001f00) >> 3);
        bits = (bits & 0x000003ff000003ff) | ((bits & 0x03ff000003ff0000) >> 6);
        bits = (bits & 0x00000000000fffff) | ((bits & 0x000fffff00000000) >> 12);
        const int unused = 64 - 5 * length;
        return static_cast<std::int64_t>(bits << unused) >> unused;
    }

    // The number that one character spells.
    static std::int64_t digit(std::uint8_t character) {
        return static_cast<std::int8_t>(static_cast<std::uint8_t>(character << 3) ^ 0x80) >> 3;
    }

    // Hands out one run; returns what is wrong with it.
    template <class Each>
    RleFault run(std::int64_t number, const Each& each) {
        std::int64_t& before = inside_ ? before_inside_ : before_outside_;
        const std::int64_t count = number + before;
        if (static_cast<std::uint64_t>(count) >> 32) return count < 0 ? RleFault::negative : RleFault::too_large;
        before = first_ ? 0 : count;  // the third run stands as it is
        first_ = false;
        each(static_cast<std::uint32_t>(count), inside_);
        inside_ = !inside_;
        return RleFault::none;
    }

    // Hands out runs of one character each, up to `last` or to a fault. Mostly two by two, so that what is done with a
    // run needs not ask on which side it is.
    template <class Each>
    RleFault singles(const std::uint8_t* p, const std::uint8_t* last, const Each& each) {
        while (p != last && (first_ || inside_)) {
            if (const RleFault fault = run(digit(*p++), each); fault != RleFault::none) return fault;
        }
        std::int64_t outside = before_outside_, inside = before_inside_;
        for (; last - p >= 2; p += 2) {
            const std::int64_t next_outside = outside + digit(p[0]), next_inside = inside + digit(p[1]);
            if (static_cast<std::uint64_t>(next_outside | next_inside) >> 32) break;
            outside = next_outside;
            inside = next_inside;
            each(static_cast<std::uint32_t>(outside), false);
            each(static_cast<std::uint32_t>(inside), true);
        }
        before_outside_ = outside;
        before_inside_ = inside;
        while (p != last) {
            if (const RleFault fault = run(digit(*p++), each); fault != RleFault::none) return fault;
        }
        return RleFault::none;
    }

    // The numbers that end in the next piece; false where it has to be looked at character by character.
    template <class Each>
    bool piece(const Each& each, RleFault& fault) {
        const std::ptrdiff_t n = end_ - p_ < kPiece ? end_ - p_ : kPiece;
        const std::uint8_t* from = p_;
        std::uint8_t padded[kPiece + kLoad];
        if (end_ - p_ < kPiece + kLoad) {
            std::memset(padded, '0', sizeof padded);
            std::memcpy(padded, p_, static_cast<std::size_t>(end_ - p_ < kPiece + kLoad ? end_ - p_ : kPiece + kLoad));
            from = padded;
        }
        std::uint64_t ends = 0, odd = 0;
        for (int k = 0; k < 8; ++k) ends |= (goes_on(load(from + 8 * k), odd) ^ 0xff) << (8 * k);
        if (odd) return false;
        if (n < kPiece) ends &= (std::uint64_t{1} << n) - 1;
        int start = 0;
        while (ends) {  // shifted: its lowest bit is that of the character at `start`
            // Nearly all numbers have one character, many of them in a row.
            const int single = std::countr_one(ends);
            fault = singles(from + start, from + start + single, each);
            if (fault != RleFault::none) return true;
            start += single;
            ends = single < 64 ? ends >> single : 0;
            if (!ends) break;
            const int length = std::countr_zero(ends) + 1;
            if (length > kLoad) break;
            fault = run(number(load(from + start), length), each);
            if (fault != RleFault::none) return true;
            start += length;
            ends = length < 64 ? ends >> length : 0;
        }
        p_ += start;
        return !ends;
    }

    template <class Each>
    RleFault carefully(const Each& each) {
        while (p_ != end_) {
            std::int64_t number = 0;
            for (int length = 0;; ++length, ++p_) {
                if (p_ == end_) return RleFault::unfinished;
                if (*p_ < 48 || *p_ > 111) return RleFault::character;
                if (length == kLongest) return RleFault::too_large;
                const std::int64_t digit = *p_ - 48;
                number |= (digit & 31) << (5 * length);
                if (digit & 32) continue;
                if (digit & 16) number -= std::int64_t{1} << (5 * (length + 1));
                ++p_;
                break;
            }
            const RleFault fault = run(number, each);
            if (fault != RleFault::none) return fault;
        }
        return RleFault::none;
    }

    const std::uint8_t* p_;
    const std::uint8_t* end_;
    std::int64_t before_outside_ = 0, before_inside_ = 0;  // the last run of either side, to which the next is added
    bool first_ = true, inside_ = false;
};

}  // namespace boxscore
