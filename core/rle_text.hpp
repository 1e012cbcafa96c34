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

// Reads the runs of one text. Texts are cut into pieces of 64 characters: where the numbers end is known for all of a
// piece at once, so that no number has to wait for the one before it. Anything unusual is read character by character.
class RleReader {
  public:
    RleReader(const std::uint8_t* text, std::size_t length, std::uint32_t* counts)
        : p_(text), end_(text + length), counts_(counts), out_(counts) {}

    // Fills `counts`, which has room for a run per character, with the runs up to the first fault, which it returns.
    RleFault read() {
        if constexpr (std::endian::native == std::endian::little) {
            const RleFault fault = next();
            if (fault != RleFault::none) return fault;
            while (p_ != end_ && piece()) {}
        }
        while (p_ != end_) {
            const RleFault fault = next();
            if (fault != RleFault::none) return fault;
        }
        return RleFault::none;
    }

    std::size_t size() const { return static_cast<std::size_t>(out_ - counts_); }

  private:
    static constexpr std::ptrdiff_t kPiece = 64;
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

    // For each of 64 characters the number that it would end, if that has up to three of them.
    static void numbers(const std::uint8_t* characters, std::int16_t* number) {
        std::int16_t digit[kPiece + 2] = {}, more[kPiece + 2] = {};  // two before the first
        for (std::ptrdiff_t i = 0; i < kPiece; ++i) {
            const auto six = static_cast<std::int16_t>(characters[i] - 48);
            digit[i + 2] = six & 31;
            more[i + 2] = static_cast<std::int16_t>(-((six >> 5) & 1));
        }
        for (std::ptrdiff_t i = 0; i < kPiece; ++i) {
            const auto one = static_cast<std::int16_t>((digit[i + 2] ^ 16) - 16);
            const auto two = static_cast<std::int16_t>(digit[i + 1] + one * 32);
            const auto three = static_cast<std::int16_t>(digit[i] + two * 32);
            const std::int16_t last = static_cast<std::int16_t>((two & ~more[i]) | (three & more[i]));
            number[i] = static_cast<std::int16_t>((one & ~more[i + 1]) | (last & more[i + 1]));
        }
    }

    // The numbers that end in the next piece; false where the next one has to be read character by character.
    bool piece() {
        const std::ptrdiff_t left = end_ - p_;
        const std::uint8_t* from = p_;
        std::uint8_t padded[kPiece];
        if (left < kPiece) {
            std::memset(padded, '0', sizeof padded);
            std::memcpy(padded, p_, static_cast<std::size_t>(left));
            from = padded;
        }
        std::uint64_t more = 0, odd = 0;
        for (int k = 0; k < 8; ++k) more |= goes_on(load(from + 8 * k), odd) << (8 * k);
        if (odd) return false;
        std::uint64_t ends = ~more;
        if (left < kPiece) ends &= (std::uint64_t{1} << left) - 1;
        const std::uint64_t longer = ends & (more << 1) & (more << 2) & (more << 3);  // numbers of four and more
        if (longer) ends &= (longer & -longer) - 1;
        std::int16_t number[kPiece];
        numbers(from, number);
        std::int64_t before = before_, two_before = two_before_, any = 0;
        std::uint32_t* out = out_;
        const int read = 64 - std::countl_zero(ends);  // characters
        for (; ends; ends &= ends - 1) {
            const std::int64_t count = number[std::countr_zero(ends)] + two_before;
            any |= count;
            two_before = before;
            before = count;
            *out++ = static_cast<std::uint32_t>(count);
        }
        if (static_cast<std::uint64_t>(any) >> 32) return false;  // at fault somewhere: read again, carefully
        before_ = before;
        two_before_ = two_before;
        out_ = out;
        p_ += read;
        return longer ? next() == RleFault::none : read > 0;
    }

    // One number, character by character. Stays where it is at a fault.
    RleFault next() {
        std::int64_t number = 0;
        const std::uint8_t* p = p_;
        for (int length = 1;; ++length, ++p) {
            if (p == end_) return length == 1 ? RleFault::none : RleFault::unfinished;
            if (*p < 48 || *p > 111) return RleFault::character;
            if (length > kLongest) return RleFault::too_large;
            const std::int64_t digit = *p - 48;
            number |= (digit & 31) << (5 * (length - 1));
            if (digit & 32) continue;
            if (digit & 16) number -= std::int64_t{1} << (5 * length);
            break;
        }
        number += two_before_;
        if (static_cast<std::uint64_t>(number) >> 32) return number < 0 ? RleFault::negative : RleFault::too_large;
        two_before_ = before_;
        before_ = out_ == counts_ ? 0 : number;  // the third run stands as it is
        *out_++ = static_cast<std::uint32_t>(number);
        p_ = p + 1;
        return RleFault::none;
    }

    const std::uint8_t* p_;
    const std::uint8_t* const end_;
    std::uint32_t* const counts_;
    std::uint32_t* out_;
    std::int64_t before_ = 0, two_before_ = 0;
};

}  // namespace boxscore
