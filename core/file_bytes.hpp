// The contents of small files, one after the other, with the system's own calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#ifndef _WIN32
#include <fcntl.h>
#include <cerrno>

#include "descriptor.hpp"
#endif

namespace boxscore {

// A folder whose files are opened by their path below it; the system looks up the way to the folder once.
class Folder {
  public:
#ifndef _WIN32
    explicit Folder(const char* path) : folder(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}
#else
    explicit Folder(const char*) {}
#endif

    // Whether the file could be read; `text` is then its content, inside `buffer`.
    bool read(const char* path, std::vector<char>& buffer, std::string_view& text) const {
#ifndef _WIN32
        const Descriptor file(folder.number < 0 ? -1 : ::openat(folder.number, path, O_RDONLY | O_CLOEXEC));
        if (file.number < 0) return false;
        if (buffer.empty()) buffer.resize(1 << 14);
        std::size_t size = 0;
        bool good = true;
        for (;;) {
            const auto got = ::read(file.number, buffer.data() + size, buffer.size() - size);
            if (got < 0 && errno == EINTR) continue;
            good = got >= 0;
            if (got <= 0) break;
            size += static_cast<std::size_t>(got);
            if (size == buffer.size()) buffer.resize(2 * size);
        }
        text = {buffer.data(), size};
        return good;
#else
        (void)path, (void)buffer, (void)text;
        return false;
#endif
    }

    // Whether the file could be read; `text` is then how it begins, at most as much as `buffer` takes.
    bool start(const char* path, std::vector<char>& buffer, std::string_view& text) const {
#ifndef _WIN32
        const Descriptor file(folder.number < 0 ? -1 : ::openat(folder.number, path, O_RDONLY | O_CLOEXEC));
        if (file.number < 0) return false;
        std::size_t size = 0;
        ssize_t got = 1;
        while (size < buffer.size() && got != 0) {
            got = ::read(file.number, buffer.data() + size, buffer.size() - size);
            if (got < 0 && errno != EINTR) break;
            if (got > 0) size += static_cast<std::size_t>(got);
        }
        text = {buffer.data(), size};
        return got >= 0;
#else
        (void)path, (void)buffer, (void)text;
        return false;
#endif
    }

  private:
#ifndef _WIN32
    const Descriptor folder;
#endif
};

}  // namespace boxscore
