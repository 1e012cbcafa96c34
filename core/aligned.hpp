// Vectors that begin on a cache line, so that no box (four doubles) lies on two lines; those of malloc begin 16 bytes
// on.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace boxscore {

inline constexpr std::align_val_t kCacheLine{64};

template <class T>
struct OnCacheLine {
    using value_type = T;

    OnCacheLine() = default;
    template <class U>
    OnCacheLine(const OnCacheLine<U>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kCacheLine)); }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, kCacheLine); }

    template <class U>
    bool operator==(const OnCacheLine<U>&) const {
        return true;
    }
};

template <class T>
using AlignedVector = std::vector<T, OnCacheLine<T>>;

}  // namespace boxscore
