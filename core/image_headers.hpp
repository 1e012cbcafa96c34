// Width, height and EXIF rotation of JPEG and PNG images, from how they begin; no pixel is decoded.
// `boxscore/_reference` holds the definition in plain Python; both must agree.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace boxscore {

struct ImageHeader {
    std::int64_t width = 0, height = 0;
    std::uint8_t turned = 0;  // shown with width and height exchanged
    std::uint8_t known = 0;   // 0 where the beginning is not of the usual kind: a general reader must look at it
};

class HeaderReader {
  public:
    explicit HeaderReader(std::string_view start) : s_(start) {}

    ImageHeader read() const {
        ImageHeader h;
        if (has(0, "\xff\xd8", 2)) h.known = jpeg(h);
        if (has(0, "\x89PNG\r\n\x1a\n", 8)) h.known = png(h);
        return h;
    }

  private:
    bool has(std::size_t at, const char* what, std::size_t n) const {
        return at + n <= s_.size() && std::memcmp(s_.data() + at, what, n) == 0;
    }
    std::uint32_t byte(std::size_t at) const { return static_cast<std::uint8_t>(s_[at]); }
    std::uint32_t big(std::size_t at, std::size_t n) const {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < n; ++i) value = value << 8 | byte(at + i);
        return value;
    }
    std::uint32_t number(std::size_t at, std::size_t n, bool little) const {
        if (!little) return big(at, n);
        std::uint32_t value = 0;
        for (std::size_t i = n; i-- > 0;) value = value << 8 | byte(at + i);
        return value;
    }

    // Segments up to the one that has the size.
    bool jpeg(ImageHeader& h) const {
        bool exif = false;
        for (std::size_t at = 2;;) {
            if (at + 4 > s_.size() || byte(at) != 0xff) return false;
            const std::uint32_t marker = byte(at + 1), length = big(at + 2, 2);
            if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda) || marker == 0xff || length < 2) return false;
            const std::size_t begin = at + 4, end = at + 2 + length;
            if (end > s_.size()) return false;
            if (marker == 0xe1 && length > 8 && has(begin, "Exif\0\0", 6)) {
                if (exif || !rotation(begin + 6, end, h.turned)) return false;
                exif = true;
            } else if (marker == 0xe1) {
                return false;  // other metadata may say how it is turned as well
            } else if (marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) {
                if (length < 8) return false;
                h.height = big(begin + 1, 2);
                h.width = big(begin + 3, 2);
                return h.width > 0 && h.height > 0;
            }
            at = end;
        }
    }

    // Chunks up to the pixels.
    bool png(ImageHeader& h) const {
        if (33 > s_.size() || big(8, 4) != 13 || !has(12, "IHDR", 4)) return false;
        h.width = big(16, 4);
        h.height = big(20, 4);
        for (std::size_t at = 33;;) {
            if (at + 8 > s_.size()) return false;
            if (has(at + 4, "IDAT", 4)) return h.width > 0 && h.height > 0;
            // Text may hold metadata, and what is no chunk of the usual ones is left to others.
            if (has(at + 4, "eXIf", 4) || has(at + 4, "iTXt", 4) || has(at + 4, "acTL", 4)) return false;
            const std::size_t end = at + 12 + static_cast<std::size_t>(big(at, 4));
            if (end > s_.size()) return false;
            at = end;
        }
    }

    // The orientation among the entries of the first directory.
    bool rotation(std::size_t begin, std::size_t end, std::uint8_t& turned) const {
        if (begin + 8 > end) return false;
        const bool little = has(begin, "II*\0", 4);
        if (!little && !has(begin, "MM\0*", 4)) return false;
        const std::size_t first = begin + number(begin + 4, 4, little);
        if (first + 2 > end) return false;
        const std::size_t entries = number(first, 2, little);
        if (first + 2 + 12 * entries > end) return false;
        bool met = false;
        for (std::size_t e = first + 2; e < first + 2 + 12 * entries; e += 12) {
            if (number(e, 2, little) != 274) continue;
            if (met || number(e + 2, 2, little) != 3 || number(e + 4, 4, little) != 1) return false;
            const std::uint32_t value = number(e + 8, 2, little);
            turned = value >= 5 && value <= 8;
            met = true;
        }
        return true;
    }

    std::string_view s_;
};

}  // namespace boxscore
