// Runs independent tasks on a few threads. Tasks write to places of their own, so the result does not depend on the
// number of threads or on the order in which the tasks happen to run.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace boxscore {

// Calls task(i) for every i below `count`, on at most `threads` threads; the calling thread works too.
template <class Task>
void parallel_for(std::size_t count, int threads, const Task& task) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;
    auto work = [&] {
        try {
            for (std::size_t i = next.fetch_add(1); i < count && !failed; i = next.fetch_add(1)) task(i);
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    std::vector<std::thread> helpers;
    const std::size_t wanted = std::min<std::size_t>(threads > 1 ? threads - 1 : 0, count > 1 ? count - 1 : 0);
    for (std::size_t i = 0; i < wanted; ++i) helpers.emplace_back(work);
    work();
    for (auto& helper : helpers) helper.join();
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
