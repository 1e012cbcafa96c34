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

// Whether records seem to begin at a brace: objects follow each other from there on, at least one of them whole, as far
// as the text goes. A list of objects inside of a record ends before.
inline bool seems_a_record(const char* at, const char* end, std::vector<char>& open) {
    JsonCursor in(at, end);
    bool any = false;
    try {
        for (;; any = true) {
            if (*in.p != '{') return any && in.p >= end;
            skip_value(in, open);
            const bool more = in.accept(',');
            if (!more) in.accept(']');  // the file may end so
            in.skip_space();
            if (!more) return in.p >= end;
        }
    } catch (const Unusual&) {
        return any && in.p + JsonCursor::kPadding >= end;  // cut off
    }
}

// Where a record might begin at or after `from`: the brace of "}, {", the first one that seems to be such a place, or
// else the first of all. Looks no further than 64 kB.
inline std::optional<std::size_t> record_border(const ReadBytes& read, std::size_t from, std::size_t size) {
    std::vector<char> buffer, open;
    std::optional<std::size_t> first;
    for (std::size_t window = 1 << 13; window <= 1 << 16; window *= 8) {
        const std::size_t to = std::min(size, from + window);
        const std::string_view view(read_block(read, from, to, buffer), to - from);
        for (std::size_t i = view.find('}'), tried = 0; i != view.npos && tried < 64; i = view.find('}', i + 1)) {
            std::size_t j = view.find_first_not_of(" \n\r\t", i + 1);
            if (j == view.npos || view[j] != ',') continue;
            j = view.find_first_not_of(" \n\r\t", j + 1);
            if (j == view.npos || view[j] != '{') continue;
            if (seems_a_record(view.data() + j, view.data() + view.size(), open)) return from + j;
            if (!first) first = from + j;
            ++tried;
        }
        if (to == size) break;
    }
    return first;
}

// `rest`: how many times as much as the records to be added the file still has.
inline void join(std::vector<Records>& all, const std::vector<Records>& more, double rest) {
    for (std::size_t t = 0; t < all.size(); ++t) {
        if (all[t].seen && more[t].seen) throw Unusual{};  // the same table twice
        all[t].append(more[t], rest);
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
    std::size_t joined = 0;           // where they end
    int put_off = 0;                  // how many blocks behind them were not
};

// When a block is joined, the state in which it begins is known; if it was parsed from another one, it is parsed again.
// If the border behind it proves to be none, it is put off, and parsed again together with the next one.
class JsonWorker {
  public:
    explicit JsonWorker(JsonFile& file) : file_(file), parser_(file.tables) {}

    void parse(std::size_t b) {
        state_ = b == 0 ? BlockParser::kStart : static_cast<int>(file_.main);
        read(file_.borders[b], file_.borders[b + 1]);
        run(state_);
    }

    void join(std::size_t b) {
        const std::size_t end = file_.borders[b + 1];
        if (file_.state == BlockParser::kDone) throw Unusual{};
        if (file_.put_off) read(file_.joined, end);
        if (file_.put_off || state_ != file_.state) run(file_.state);
        if (!parsed_) {
            const bool last = b + 2 == file_.borders.size();
            if (last || !parser_.stopped_at_end() || ++file_.put_off > kMostPutOff) throw Unusual{};
            return;
        }
        boxscore::join(file_.all, parser_.records,
                       static_cast<double>(file_.borders.back() - end) / static_cast<double>(size_));
        file_.state = after_;
        file_.joined = end;
        file_.put_off = 0;
    }

  private:
    static constexpr int kMostPutOff = 3;  // a value of many blocks would be parsed too often

    void read(std::size_t begin, std::size_t end) {
        text_ = read_block(file_.read, begin, end, buffer_);
        size_ = end - begin;
    }

    void run(int state) {
        state_ = state;
        try {
            after_ = parser_.run(text_, text_ + size_, state);
            parsed_ = true;
        } catch (const Unusual&) {
            parsed_ = false;
        }
    }

    JsonFile& file_;
    BlockParser parser_;
    std::vector<char> buffer_;
    const char* text_ = nullptr;
    std::size_t size_ = 0;
    int state_ = BlockParser::kStart, after_ = BlockParser::kDone;  // before and after the block
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
