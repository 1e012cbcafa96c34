// Texts of one line by number: each different one gets the next, in the order in which they first come.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace boxscore {

class TextIndex {
  public:
    TextIndex() : slots_(64, Slot{0, -1}) { single_.fill(-1); }

    std::string text;  // the different texts, a line each

    std::size_t size() const { return ends_.size(); }

    std::string_view operator[](std::size_t code) const {
        const std::size_t begin = code ? ends_[code - 1] + 1 : 0;
        return std::string_view(text).substr(begin, ends_[code] - begin);
    }

    std::int32_t code_of(std::string_view wanted) {
        if (wanted.size() == 1) {  // most flags
            std::int32_t& code = single_[static_cast<unsigned char>(wanted[0])];
            if (code < 0) code = added(wanted);
            return code;
        }
        // Rows of an image often stand together.
        if (last_ >= 0 && (*this)[static_cast<std::size_t>(last_)] == wanted) return last_;
        return last_ = found(wanted);
    }

    void clear() {
        text.clear();
        ends_.clear();
        single_.fill(-1);
        slots_.assign(slots_.size(), Slot{0, -1});
        last_ = -1;
    }

  private:
    struct Slot {
        std::uint32_t hash;
        std::int32_t code;
    };

    static std::uint32_t hash_of(std::string_view value) {
        constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
        std::uint64_t hash = value.size() * kFactor, word = 0;
        const char* p = value.data();
        std::size_t left = value.size();
        for (; left >= 8; p += 8, left -= 8) {
            std::memcpy(&word, p, 8);
            hash = (hash ^ word) * kFactor;
            hash ^= hash >> 32;
        }
        word = 0;
        for (std::size_t i = 0; i < left; ++i) word = word << 8 | static_cast<unsigned char>(p[i]);
        hash = (hash ^ word) * kFactor;
        return static_cast<std::uint32_t>(hash >> 32);
    }

    std::int32_t found(std::string_view wanted) {
        const std::uint32_t hash = hash_of(wanted);
        std::size_t at = hash & (slots_.size() - 1);
        for (; slots_[at].code >= 0; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].hash == hash && (*this)[static_cast<std::size_t>(slots_[at].code)] == wanted)
                return slots_[at].code;
        const std::int32_t code = added(wanted);
        slots_[at] = {hash, code};
        if (2 * size() > slots_.size()) grow();
        return code;
    }

    std::int32_t added(std::string_view wanted) {
        text += wanted;
        ends_.push_back(text.size());
        text += '\n';
        return static_cast<std::int32_t>(size() - 1);
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2, Slot{0, -1});
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.code < 0) continue;
            std::size_t at = slot.hash & (slots_.size() - 1);
            while (slots_[at].code >= 0) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = slot;
        }
    }

    std::vector<std::size_t> ends_;  // where each text ends
    std::vector<Slot> slots_;        // a power of two of them, at most half of them taken
    std::array<std::int32_t, 256> single_;
    std::int32_t last_ = -1;
};

}  // namespace boxscore
