// Many small files of lines `<name> <number>…` into columns, in parallel. A file that is written in any other way is
// left out and marked, and the caller reads it with a general reader that can also say what is wrong.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "aligned.hpp"
#include "parallel.hpp"

namespace boxscore {

// Names in the order in which they first appear.
class NameTable {
  public:
    std::vector<std::string> names;

    std::int32_t index(std::string_view name) {
        if (const auto found = place.find(name); found != place.end()) return found->second;
        place.emplace(name, static_cast<std::int32_t>(names.size()));
        names.emplace_back(name);
        return static_cast<std::int32_t>(names.size()) - 1;
    }

    // Forgets all but the first n.
    void shrink(std::size_t n) {
        for (; names.size() > n; names.pop_back()) place.erase(place.find(names.back()));
    }

  private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> place;
};

struct TextRows {
    AlignedVector<std::int32_t> file, name, line;
    AlignedVector<std::int64_t> end;  // where the numbers of a row end
    AlignedVector<double> numbers;
    NameTable table;

    void shrink(std::size_t rows, std::size_t n_numbers, std::size_t n_names) {
        for (auto* column : {&file, &name, &line}) column->resize(rows);
        end.resize(rows);
        numbers.resize(n_numbers);
        table.shrink(n_names);
    }
};

// The double nearest to a decimal number that is the whole word. What else Python takes for a number (inf, 1_0, +1) is
// not usual, nor is one too large or too small for a double.
inline bool usual_number(std::string_view word, double& value) {
    const std::size_t sign = word.front() == '-';
    if (word.size() == sign || !((word[sign] >= '0' && word[sign] <= '9') || word[sign] == '.')) return false;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && stop == word.data() + word.size();
}

class TextParser {
  public:
    static constexpr std::ptrdiff_t kLongestLine = 1 << 24;  // bytes: no row of boxes is as long

    // `tail`: how many numbers end a line, after a name of any number of words; 0 for any number after one word.
    TextParser(TextRows& rows, std::size_t tail) : rows(rows), tail(tail) {}

    // Whether the file is of the usual kind; if it is not, nothing of it is kept.
    bool run(std::string_view text, std::int32_t file) {
        const std::size_t n_rows = rows.file.size(), n_numbers = rows.numbers.size(), n_names = rows.table.names.size();
        if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
        const char *p = text.data(), *end = p + text.size();
        for (std::int32_t number = 1; p < end; ++number) {
            if (split(p, end) && (words.empty() || keep(file, number))) continue;
            rows.shrink(n_rows, n_numbers, n_names);
            return false;
        }
        return true;
    }

  private:
    TextRows& rows;
    std::size_t tail;
    std::vector<std::string_view> words;

    // The words of the line at p, which goes on to the next line; false at a character that is not usual.
    bool split(const char*& p, const char* end) {
        words.clear();
        const char* line = p;
        while (p < end) {
            const char* begin = p;
            while (p < end && is_usual(*p)) ++p;
            if (p - line > kLongestLine) return false;
            if (p > begin) words.emplace_back(begin, static_cast<std::size_t>(p - begin));
            if (p == end) break;
            const char c = *p++;
            if (c == '\n') break;
            if (c == ' ' || c == '\t') continue;
            if (c != '\r' || (p < end && *p != '\n')) return false;
        }
        return true;
    }

    static bool is_usual(char c) { return c > ' ' && c <= '~' && c != ',' && c != ';' && c != '"'; }

    bool keep(std::int32_t file, std::int32_t number) {
        const std::size_t n_words = words.size(), first = tail ? n_words - tail : 1;
        if (n_words <= tail || words.front().front() == '#') return false;
        for (std::size_t i = first; i < n_words; ++i) {
            double value;
            if (!usual_number(words[i], value)) return false;
            rows.numbers.push_back(value);
        }
        const char *begin = words.front().data(), *end = words[first - 1].data() + words[first - 1].size();
        rows.file.push_back(file);
        rows.name.push_back(rows.table.index({begin, static_cast<std::size_t>(end - begin)}));
        rows.line.push_back(number);
        rows.end.push_back(static_cast<std::int64_t>(rows.numbers.size()));
        return true;
    }
};

template <class T>
void append(AlignedVector<T>& all, const AlignedVector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

// Rows of all files in their order. `read(i, buffer, text)` gives the content of a file, inside the buffer or
// elsewhere, and tells whether that worked; `odd[i]` says whether a file was left out.
template <class Read>
TextRows text_rows(std::size_t n_files, const Read& read, std::size_t tail, std::uint8_t* odd, int threads) {
    constexpr std::size_t kBlock = 128;
    std::vector<TextRows> blocks((n_files + kBlock - 1) / kBlock);
    parallel_for(blocks.size(), threads, [&](std::size_t b) {
        TextParser parser(blocks[b], tail);
        std::vector<char> buffer;
        for (std::size_t i = b * kBlock; i < std::min(n_files, (b + 1) * kBlock); ++i) {
            std::string_view text;
            odd[i] = !(read(i, buffer, text) && parser.run(text, static_cast<std::int32_t>(i)));
        }
    });
    TextRows all;
    std::size_t n_rows = 0, n_numbers = 0;
    for (const auto& block : blocks) n_rows += block.file.size(), n_numbers += block.numbers.size();
    for (auto* column : {&all.file, &all.name, &all.line}) column->reserve(n_rows);
    all.end.reserve(n_rows);
    all.numbers.reserve(n_numbers);
    for (auto& block : blocks) {
        const auto before = static_cast<std::int64_t>(all.numbers.size());
        std::vector<std::int32_t> renamed;
        for (const auto& name : block.table.names) renamed.push_back(all.table.index(name));
        append(all.file, block.file);
        append(all.line, block.line);
        append(all.numbers, block.numbers);
        for (const auto name : block.name) all.name.push_back(renamed[static_cast<std::size_t>(name)]);
        for (const auto end : block.end) all.end.push_back(before + end);
        block = TextRows{};
    }
    return all;
}

}  // namespace boxscore
