// Vectors that begin on a cache line, so that no box (four doubles) lies on two lines; those of malloc begin 16 bytes
// on.
#pragma once

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <cstddef>
#include <new>
#include <vector>

namespace boxscore {

inline constexpr std::align_val_t kCacheLine{64};

// Large pieces come from the system and go back to it at once. The allocator of glibc keeps what is freed, up to twice
// the largest piece so far: columns that are no longer needed would stay in memory beside those that follow.
inline constexpr std::size_t kLarge = std::size_t{1} << 20;

inline void* aligned_memory(std::size_t size) {
#ifdef __linux__
    if (size >= kLarge) {
        void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        return memory;
    }
#endif
    return ::operator new(size, kCacheLine);
}

inline void free_aligned(void* memory, std::size_t size) {
#ifdef __linux__
    if (size >= kLarge) {
        munmap(memory, size);
        return;
    }
#endif
    ::operator delete(memory, kCacheLine);
    static_cast<void>(size);
}

template <class T>
struct OnCacheLine {
    using value_type = T;

    OnCacheLine() = default;
    template <class U>
    OnCacheLine(const OnCacheLine<U>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(aligned_memory(n * sizeof(T))); }
    void deallocate(T* memory, std::size_t n) { free_aligned(memory, n * sizeof(T)); }

    template <class U>
    bool operator==(const OnCacheLine<U>&) const {
        return true;
    }
};

template <class T>
using AlignedVector = std::vector<T, OnCacheLine<T>>;

}  // namespace boxscore
