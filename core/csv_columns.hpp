// Rows between delimiters into columns, block by block and in parallel.
//
// A file is cut into blocks behind ends of lines. A quoted field that goes over several lines is unusual, so that a
// line always ends a row.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "blocks.hpp"
#include "csv_parser.hpp"

namespace boxscore {

// Where the blocks begin; the last entry is the end of the source.
inline std::vector<std::size_t> line_borders(const ReadBytes& read, std::size_t begin, std::size_t size,
                                             std::size_t block_size) {
    std::vector<std::size_t> borders{begin};
    std::vector<char> buffer;
    for (std::size_t from = begin + block_size; from < size; from += block_size) {
        std::size_t window = 1 << 8;
        for (std::size_t at = std::max(from, borders.back()); at < size; at += window) {
            if (at > from) window = 1 << 16;
            const std::size_t to = std::min(size, at + window);
            const std::string_view view(read_block(read, at, to, buffer), to - at);
            if (const std::size_t line = view.find('\n'); line != view.npos) {
                if (at + line + 1 < size) borders.push_back(at + line + 1);
                break;
            }
        }
    }
    borders.push_back(size);
    return borders;
}

struct CsvFile {
    const CsvLayout& layout;
    const ReadBytes& read;
    const std::vector<std::size_t> borders;
    std::vector<CsvValues> all;
    std::size_t n = 0;  // rows of the blocks that are joined
};

class CsvWorker {
  public:
    explicit CsvWorker(CsvFile& file) : file_(file), parser_(file.layout) {}

    void parse(std::size_t b) {
        size_ = file_.borders[b + 1] - file_.borders[b];
        const char* text = read_block(file_.read, file_.borders[b], file_.borders[b + 1], buffer_);
        parser_.run(text, text + size_);
    }

    void join(std::size_t) {
        if (parser_.n == 0) return;
        const std::size_t whole = file_.borders.back() - file_.borders.front();
        const auto rows = static_cast<double>(parser_.n) * static_cast<double>(whole) / static_cast<double>(size_);
        const std::size_t expected = static_cast<std::size_t>(rows * 1.02) + 16;
        for (std::size_t c = 0; c < file_.all.size(); ++c) {
            CsvValues& to = file_.all[c];
            CsvValues& from = parser_.columns[c];
            const auto width = file_.layout.columns[c].fields.size();
            if (!file_.layout.columns[c].is_text) {
                if (file_.n == 0) to.numbers.reserve(expected * width);
                const auto end = from.numbers.begin() + static_cast<std::ptrdiff_t>(parser_.n * width);
                to.numbers.insert(to.numbers.end(), from.numbers.begin(), end);
                continue;
            }
            if (file_.n == 0) to.codes.reserve(expected);
            code_.resize(from.texts.size());
            for (std::size_t k = 0; k < code_.size(); ++k) code_[k] = to.texts.code_of(from.texts[k]);
            const auto end = from.codes.begin() + static_cast<std::ptrdiff_t>(parser_.n);
            std::transform(from.codes.begin(), end, from.codes.begin(),
                           [&](std::int32_t code) { return code_[static_cast<std::size_t>(code)]; });
            to.codes.insert(to.codes.end(), from.codes.begin(), end);
        }
        file_.n += parser_.n;
    }

  private:
    CsvFile& file_;
    CsvParser parser_;
    std::vector<char> buffer_;
    std::vector<std::int32_t> code_;  // of each text of the block, in the file
    std::size_t size_ = 0;
};

// The columns of all rows from `begin` on.
inline std::vector<CsvValues> csv_values(const CsvLayout& layout, const ReadBytes& read, std::size_t begin,
                                         std::size_t size, std::size_t block_size, int threads) {
    CsvFile file{layout, read, line_borders(read, begin, size, block_size),
                 std::vector<CsvValues>(layout.columns.size())};
    in_turn(file.borders.size() - 1, threads, [&] { return CsvWorker(file); });
    return std::move(file.all);
}

}  // namespace boxscore
