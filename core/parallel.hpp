// Runs independent tasks on a few threads. Tasks write to places of their own, so the result does not depend on the
// number of threads or on the order in which the tasks happen to run.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace boxscore {

// Threads that are joined whatever happens, because one that is not would end the process.
class Helpers {
  public:
    Helpers() = default;
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;
    ~Helpers() {
        for (auto& helper : threads_) helper.join();
    }

    // Starts up to `wanted` threads on the same work: as many as the system allows, perhaps none.
    template <class Work>
    void start(std::size_t wanted, const Work& work) {
        try {
            threads_.reserve(wanted);
            while (threads_.size() < wanted) threads_.emplace_back(std::cref(work));
        } catch (const std::system_error&) {  // a limit on threads is reached, or there is no memory for another stack
        } catch (const std::bad_alloc&) {}
    }

  private:
    std::vector<std::thread> threads_;
};

// Calls task(i) for every i below `count`, on at most `threads` threads; the calling thread works too, and alone where
// no other can be started. What the first task that fails throws is thrown here.
template <class Task>
void parallel_for(std::size_t count, int threads, const Task& task) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            for (std::size_t i = next.fetch_add(1); i < count && !failed; i = next.fetch_add(1)) task(i);
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    {
        Helpers helpers;
        helpers.start(std::min<std::size_t>(threads > 1 ? threads - 1 : 0, count > 1 ? count - 1 : 0), work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

// Calls work(begin, end) for rows 0 .. n - 1, some neighbours at a time.
template <class Work>
void parallel_rows(std::size_t n, int threads, const Work& work) {
    constexpr std::size_t kBlock = 1 << 16;  // fewer rows take less time than starting a thread
    parallel_for((n + kBlock - 1) / kBlock, threads,
                 [&](std::size_t block) { work(block * kBlock, std::min(n, (block + 1) * kBlock)); });
}

}  // namespace boxscore
