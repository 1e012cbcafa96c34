// The contents of many small files, one after the other, in memory that is used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#ifdef _WIN32
#include <cstdio>
#else
#include <fcntl.h>

#include "descriptor.hpp"
#endif

namespace boxscore {

// Texts that stand one after the other, piece i before `ends[i]`; on a disk, the pieces are the paths of the files.
struct ManyFiles {
    const char* pieces;
    const std::int64_t* ends;
    std::size_t n;
    bool on_disk;

    // The content of a file; a file that cannot be read has none. `memory` is where it may be put.
    std::optional<std::string_view> content(std::size_t i, std::string& memory) const {
        const std::int64_t begin = i ? ends[i - 1] : 0;
        const std::string_view piece(pieces + begin, static_cast<std::size_t>(ends[i] - begin));
        if (!on_disk) return piece;
        return read(std::string(piece), memory);
    }

  private:
    static constexpr std::size_t kRoom = std::size_t{1} << 14;

#ifdef _WIN32
    static std::optional<std::string_view> read(const std::string& path, std::string& memory) {
        std::FILE* file = std::fopen(path.c_str(), "rb");
        if (!file) return std::nullopt;
        std::size_t size = 0;
        for (;;) {
            if (memory.size() < size + kRoom) memory.resize(2 * (size + kRoom));
            const std::size_t got = std::fread(memory.data() + size, 1, memory.size() - size, file);
            if (got == 0) break;
            size += got;
        }
        const bool failed = std::ferror(file) != 0;
        std::fclose(file);
        if (failed) return std::nullopt;
        return std::string_view(memory.data(), size);
    }
#else
    static std::optional<std::string_view> read(const std::string& path, std::string& memory) {
        const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
        if (file.number < 0) return std::nullopt;
        std::size_t size = 0;
        ssize_t got;
        do {
            if (memory.size() < size + kRoom) memory.resize(2 * (size + kRoom));
            got = ::read(file.number, memory.data() + size, memory.size() - size);
            if (got > 0) size += static_cast<std::size_t>(got);
        } while (got > 0);
        if (got < 0) return std::nullopt;  // a folder, a disk that fails
        return std::string_view(memory.data(), size);
    }
#endif
};

}  // namespace boxscore
