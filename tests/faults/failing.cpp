// Preloaded into a Python of its own: threads that cannot be started, memory that cannot be had.
//
// Calls of a kind are counted from 1, and those from `first` to `last` fail. Python sets these numbers through ctypes;
// those of threads can also stand in the environment of a process (FAIL_THREADS_FIRST=3, FAIL_THREADS_LAST=9).
#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <cstdlib>
#include <new>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

#define KIND(kind) long kind##_first = 0, kind##_last = 0, kind##_count = 0
KIND(threads);  // pthread_create
KIND(memory);   // operator new: the kernels
KIND(arrays);   // malloc and its like: columns of NumPy, contents of files
// Smaller pieces do not count. NumPy goes on with the buffers of its iterators (up to 128 KiB) where it got none, and
// nanobind ends the process where a few bytes for an argument are missing; neither is ours.
long memory_bytes = 1 << 10, arrays_bytes = 1 << 18;
}

namespace {

long number(const char* name) {
    const char* text = std::getenv(name);
    return text ? std::atol(text) : 0;
}

__attribute__((constructor)) void from_environment() {
    threads_first = number("FAIL_THREADS_FIRST"), threads_last = number("FAIL_THREADS_LAST");
}

bool fails(long& count, long first, long last) {
    const long n = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    return n >= first && n <= last;
}

void* of_kernel(std::size_t align, std::size_t bytes) {
    const bool none = static_cast<long>(bytes) >= memory_bytes && fails(memory_count, memory_first, memory_last);
    void* const made = none ? nullptr : __libc_memalign(align, bytes ? bytes : 1);
    if (!made) throw std::bad_alloc();
    return made;
}

bool no_array(std::size_t bytes) {
    if (static_cast<long>(bytes) < arrays_bytes || !fails(arrays_count, arrays_first, arrays_last)) return false;
    errno = ENOMEM;
    return true;
}

}  // namespace

void* operator new(std::size_t bytes) { return of_kernel(16, bytes); }
void* operator new[](std::size_t bytes) { return of_kernel(16, bytes); }
void* operator new(std::size_t bytes, std::align_val_t to) { return of_kernel(static_cast<std::size_t>(to), bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }

extern "C" {
void* malloc(std::size_t bytes) { return no_array(bytes) ? nullptr : __libc_malloc(bytes); }
void* calloc(std::size_t n, std::size_t each) { return no_array(n * each) ? nullptr : __libc_calloc(n, each); }
void* realloc(void* memory, std::size_t bytes) { return no_array(bytes) ? nullptr : __libc_realloc(memory, bytes); }

int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*start)(void*), void* with) {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    return fails(threads_count, threads_first, threads_last) ? EAGAIN : real(thread, how, start, with);
}
}
