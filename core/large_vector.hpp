// Memory that asks the system for large pages once it is large: filling it then takes a page fault every two megabytes
// instead of every four kilobytes. On virtual machines a fault costs microseconds, and faults were half of the time.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace boxscore {

template <class T>
struct LargePages {
    using value_type = T;
    static constexpr std::size_t kPage = std::size_t{1} << 21, kLarge = 5 * kPage / 8;

    LargePages() = default;
    template <class U>
    LargePages(const LargePages<U>&) {}

    static std::align_val_t alignment(std::size_t n) {
        return std::align_val_t{n * sizeof(T) >= kLarge ? kPage : alignof(std::max_align_t)};
    }

    T* allocate(std::size_t n) {
        std::size_t bytes = n * sizeof(T);
        if (bytes < kLarge) return static_cast<T*>(::operator new(bytes, alignment(n)));
        bytes = (bytes + kPage - 1) / kPage * kPage;  // whole pages, or the last one would be small ones
        void* memory = ::operator new(bytes, alignment(n));
#ifdef __linux__
        madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }

    void deallocate(T* memory, std::size_t n) { ::operator delete(memory, alignment(n)); }

    template <class U>
    bool operator==(const LargePages<U>&) const {
        return true;
    }
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace boxscore
