// Arrays of JSON records into columns, block by block and in parallel.
//
// A file is cut into blocks at places that look like the border of two records, "}, {". Each block but the first is
// parsed on the assumption that its first byte begins a record of the main table. The block before it proves or refutes
// that: it must end exactly there, expecting such a record. So a wrong guess is noticed, never believed.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "blocks.hpp"
#include "json_parser.hpp"

namespace boxscore {

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

// What the workers of a file have in common.
struct JsonFile {
    const std::vector<Table>& tables;
    const std::size_t main;  // the table that is worth splitting
    const ReadBytes& read;
    const std::vector<std::size_t> borders;
    std::vector<Records> all;
    int state = BlockParser::kStart;  // after the blocks that are joined
};

// When a block is joined, the state in which it begins is known; if it was parsed from another one, it is parsed again.
class JsonWorker {
  public:
    explicit JsonWorker(JsonFile& file) : file_(file), parser_(file.tables) {}

    void parse(std::size_t b) {
        guess_ = b == 0 ? BlockParser::kStart : static_cast<int>(file_.main);
        text_ = read_block(file_.read, file_.borders[b], file_.borders[b + 1], buffer_);
        size_ = file_.borders[b + 1] - file_.borders[b];
        parsed_ = true;
        try {
            after_ = parser_.run(text_, text_ + size_, guess_);
        } catch (const Unusual&) {
            parsed_ = false;
        }
    }

    void join(std::size_t) {
        if (!parsed_ || guess_ != file_.state) {
            if (file_.state == BlockParser::kDone) throw Unusual{};
            after_ = parser_.run(text_, text_ + size_, file_.state);
        }
        boxscore::join(file_.all, parser_.records,
                       static_cast<double>(size_) / static_cast<double>(file_.borders.back()));
        file_.state = after_;
    }

  private:
    JsonFile& file_;
    BlockParser parser_;
    std::vector<char> buffer_;
    const char* text_ = nullptr;
    std::size_t size_ = 0;
    int guess_ = BlockParser::kStart, after_ = BlockParser::kDone;
    bool parsed_ = false;
};

// The records of all tables.
inline std::vector<Records> json_records(const std::vector<Table>& tables, std::size_t main, const ReadBytes& read,
                                         std::size_t size, std::size_t block_size, int threads) {
    JsonFile file{tables, main, read, block_borders(read, size, block_size), BlockParser(tables).records};
    in_turn(file.borders.size() - 1, threads, [&] { return JsonWorker(file); });
    if (file.state != BlockParser::kDone) throw Unusual{};
    return std::move(file.all);
}

}  // namespace boxscore
