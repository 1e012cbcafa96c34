// Sources that are read block by block: parsed in parallel, joined in their order.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include "json.hpp"
#include "parallel.hpp"

namespace boxscore {

// Puts the bytes [begin, end) of the source into the buffer.
using ReadBytes = std::function<void(std::size_t begin, std::size_t end, char* buffer)>;

// Those bytes, with the padding that cursors ask for.
inline const char* read_block(const ReadBytes& read, std::size_t begin, std::size_t end, std::vector<char>& buffer) {
    buffer.resize(end - begin + JsonCursor::kPadding);
    read(begin, end, buffer.data());
    std::fill(buffer.end() - JsonCursor::kPadding, buffer.end(), '\0');
    return buffer.data();
}

// Each thread makes a worker, which parses one block after the other (`parse(b)`, in parallel) and joins each to what
// is there (`join(b)`, one at a time, in the order of the blocks) before it goes on. Throws Unusual where a worker
// does.
template <class Make>
void in_turn(std::size_t n_blocks, int threads, const Make& make) {
    std::mutex mutex;
    std::condition_variable turn;
    std::size_t next = 0;  // block to be joined
    bool failed = false;
    std::atomic<std::size_t> taken{0};
    const auto workers = static_cast<std::size_t>(std::max(1, std::min<int>(threads, static_cast<int>(n_blocks))));
    const auto give_up = [&] {
        const std::lock_guard lock(mutex);
        failed = true;
        turn.notify_all();
    };
    parallel_for(workers, static_cast<int>(workers), [&](std::size_t) {
        try {
            auto worker = make();
            for (std::size_t b = taken.fetch_add(1); b < n_blocks; b = taken.fetch_add(1)) {
                worker.parse(b);
                std::unique_lock lock(mutex);
                turn.wait(lock, [&] { return next == b || failed; });
                if (failed) return;
                worker.join(b);
                ++next;
                turn.notify_all();
            }
        } catch (...) {
            give_up();
            throw;
        }
    });
}

}  // namespace boxscore
