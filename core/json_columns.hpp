// Arrays of JSON records into columns, block by block and in parallel.
//
// A file is cut into blocks at places that look like the border of two records, "}, {". Each block but the first is
// parsed on the assumption that its first byte begins a record of the main table. The block before it proves or refutes
// that: it must end exactly there, expecting such a record. So a wrong guess is noticed, never believed.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "json_parser.hpp"
#include "parallel.hpp"

namespace boxscore {

// Puts the bytes [begin, end) of the source into the buffer.
using ReadBytes = std::function<void(std::size_t begin, std::size_t end, char* buffer)>;

// Those bytes, with the padding that the cursor asks for.
inline const char* read_block(const ReadBytes& read, std::size_t begin, std::size_t end, std::vector<char>& buffer) {
    buffer.resize(end - begin + JsonCursor::kPadding);
    read(begin, end, buffer.data());
    std::fill(buffer.end() - JsonCursor::kPadding, buffer.end(), '\0');
    return buffer.data();
}

// Where a record might begin at or after `from`: the brace of "}, {". Looks no further than 64 kB.
inline std::optional<std::size_t> record_border(const ReadBytes& read, std::size_t from, std::size_t size) {
    std::vector<char> buffer;
    for (std::size_t window = 1 << 10; window <= 1 << 16; window *= 8) {
        const std::size_t to = std::min(size, from + window);
        const std::string_view view(read_block(read, from, to, buffer), to - from);
        for (std::size_t i = view.find('}'); i != view.npos; i = view.find('}', i + 1)) {
            std::size_t j = view.find_first_not_of(" \n\r\t", i + 1);
            if (j == view.npos || view[j] != ',') continue;
            j = view.find_first_not_of(" \n\r\t", j + 1);
            if (j != view.npos && view[j] == '{') return from + j;
        }
    }
    return std::nullopt;
}

// `share` is how much of the file the records to be added are: room is made for the rest, too.
inline void join(std::vector<Records>& all, const std::vector<Records>& more, double share) {
    for (std::size_t t = 0; t < all.size(); ++t) {
        if (all[t].seen && more[t].seen) throw Unusual{};  // the same table twice
        all[t].append(more[t], static_cast<std::size_t>(static_cast<double>(more[t].n) * 1.02 / share) + 16);
    }
}

// Where the blocks begin; the last entry is the end of the source.
inline std::vector<std::size_t> block_borders(const ReadBytes& read, std::size_t size, std::size_t block_size) {
    std::vector<std::size_t> borders{0};
    for (std::size_t from = block_size; from < size; from += block_size) {
        const auto border = record_border(read, from, size);
        if (border && *border > borders.back()) borders.push_back(*border);
    }
    borders.push_back(size);
    return borders;
}

// The records of all tables. Blocks are parsed in parallel, but joined one after the other in the order of the file; at
// that moment the state in which a block begins is known, and a block that was parsed from another one is parsed again.
// `main` is the table that is worth splitting.
inline std::vector<Records> json_records(const std::vector<Table>& tables, std::size_t main, const ReadBytes& read,
                                         std::size_t size, std::size_t block_size, int threads) {
    const std::vector<std::size_t> borders = block_borders(read, size, block_size);
    const std::size_t n_blocks = borders.size() - 1;
    std::vector<Records> all = BlockParser(tables).records;
    std::mutex mutex;
    std::condition_variable turn;
    std::size_t next = 0;  // block to be joined
    int state = BlockParser::kStart;
    bool failed = false;
    const auto workers = static_cast<std::size_t>(std::max(1, std::min<int>(threads, static_cast<int>(n_blocks))));
    std::atomic<std::size_t> taken{0};

    auto work = [&](std::size_t) {
        BlockParser parser(tables);
        std::vector<char> buffer;
        for (std::size_t b = taken.fetch_add(1); b < n_blocks; b = taken.fetch_add(1)) {
            const int guess = b == 0 ? BlockParser::kStart : static_cast<int>(main);
            const char *text = nullptr, *end = nullptr;
            int after = BlockParser::kDone;
            bool parsed = true;
            try {
                text = read_block(read, borders[b], borders[b + 1], buffer);
                end = text + (borders[b + 1] - borders[b]);
                after = parser.run(text, end, guess);
            } catch (const Unusual&) {
                parsed = false;
            }
            std::unique_lock lock(mutex);
            turn.wait(lock, [&] { return next == b || failed; });
            if (failed) return;
            try {
                if (!parsed || guess != state) {
                    if (!text || state == BlockParser::kDone) throw Unusual{};
                    after = parser.run(text, end, state);
                }
                join(all, parser.records,
                     static_cast<double>(borders[b + 1] - borders[b]) / static_cast<double>(size));
                state = after;
            } catch (const Unusual&) {
                failed = true;
            }
            ++next;
            turn.notify_all();
        }
    };
    parallel_for(workers, static_cast<int>(workers), work);
    if (failed || state != BlockParser::kDone) throw Unusual{};
    return all;
}

}  // namespace boxscore
