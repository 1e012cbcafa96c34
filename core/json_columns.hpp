// Arrays of JSON records into columns, block by block and in parallel.
//
// A file is cut into blocks at places that look like the border of two records, "}, {". Each block but the first is
// parsed on the assumption that its first byte begins a record of the main table. The block before it proves or refutes
// that: it must end exactly there, expecting such a record. So a wrong guess is noticed, never believed.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "parallel.hpp"

namespace boxscore {

enum class Kind : std::uint8_t { integer, number, box, string };

struct Field {
    std::string name;
    Kind kind;
};

struct Table {
    std::string name;  // key of the array in the outermost object; empty: the file itself is the array
    std::vector<Field> fields;
};

// One column of one block (later: of all blocks). Absent and null values are marked, and hold 0 or "".
struct Column {
    std::vector<std::int64_t> integers;
    std::vector<double> numbers;            // four per record for boxes
    std::string text;                       // strings one after the other, escapes not resolved
    std::vector<std::int64_t> text_end;     // where each string ends
    std::vector<std::uint8_t> missing;      // one per record, only if `any_missing`
    bool any_missing = false;
    bool any_escaped = false;
};

struct Records {
    std::size_t n = 0;
    bool seen = false;  // the table's key was there
    std::vector<Column> columns;
};

// Gives the bytes [begin, end) of the source; may copy them into the buffer.
using ReadBytes = std::function<const char*(std::size_t begin, std::size_t end, std::vector<char>& buffer)>;

class BlockParser {
   public:
    static constexpr int kStart = -2, kDone = -3;  // states besides "expecting a record of table i"

    BlockParser(const std::vector<Table>& tables, const char* begin, const char* end)
        : tables_(tables), in_(begin, end), memory_(tables.size()) {
        for (const Table& table : tables) records.push_back({0, false, std::vector<Column>(table.fields.size())});
    }

    std::vector<Records> records;

    // Parses the block from the given state and returns the state at its end.
    int run(int state) {
        if (state == kStart) {
            in_.skip_space();
            is_object_ = in_.peek() == '{';
            ++in_.p;
            if (in_.p[-1] != '{' && in_.p[-1] != '[') throw Unusual{};
            if (!is_object_) {
                if (tables_.size() != 1 || !tables_[0].name.empty()) throw Unusual{};
                state = open_table(0);
            } else {
                state = next_key(true);
            }
        } else {
            is_object_ = !tables_[static_cast<std::size_t>(state)].name.empty();
        }
        while (state >= 0) {
            record(static_cast<std::size_t>(state));
            if (in_.accept(',')) {
                in_.skip_space();
                if (in_.p == in_.end) return state;  // the next block goes on
                continue;
            }
            in_.expect(']');
            state = is_object_ ? next_key(false) : kDone;
        }
        in_.skip_space();
        if (in_.p != in_.end) throw Unusual{};
        return state;
    }

   private:
    // How the records of a table have looked so far: the keys come in the same order nearly always.
    struct KeyMemory {
        std::string text;  // key with quotes and colon, as written
        int field;
    };

    int open_table(std::size_t table) {
        if (records[table].seen) throw Unusual{};
        records[table].seen = true;
        if (!in_.accept(']')) {
            in_.skip_space();
            return static_cast<int>(table);
        }
        return is_object_ ? next_key(false) : kDone;
    }

    // In the outermost object: goes on to the next table, or to the end.
    int next_key(bool first) {
        for (;; first = false) {
            if (in_.accept('}')) return kDone;
            if (!first) in_.expect(',');
            bool escaped;
            const std::string_view key = in_.string(escaped);
            if (escaped) throw Unusual{};
            in_.expect(':');
            in_.skip_space();
            std::size_t table = 0;
            while (table < tables_.size() && tables_[table].name != key) ++table;
            if (table == tables_.size()) {
                in_.skip_value();
                continue;
            }
            in_.expect('[');
            return open_table(table);
        }
    }

    void record(std::size_t table) {
        Records& out = records[table];
        auto& memory = memory_[table];
        in_.expect('{');
        std::uint64_t filled = 0;
        if (!in_.accept('}')) {
            for (std::size_t place = 0;; ++place) {
                const int field = key(table, memory, place);
                if (field < 0) {
                    in_.skip_value();
                } else {
                    if (filled >> field & 1) throw Unusual{};  // the same key twice
                    in_.skip_space();
                    if (!in_.accept_null()) {
                        value(out.columns[static_cast<std::size_t>(field)],
                              tables_[table].fields[static_cast<std::size_t>(field)].kind);
                        filled |= std::uint64_t{1} << field;
                    }
                }
                if (!in_.accept(',')) break;
            }
            in_.expect('}');
        }
        for (std::size_t f = 0; f < out.columns.size(); ++f) {
            Column& column = out.columns[f];
            const bool absent = !(filled >> f & 1);
            if (absent) fill(column, tables_[table].fields[f].kind);
            if (absent && !column.any_missing) {
                column.any_missing = true;
                column.missing.assign(out.n, 0);
            }
            if (column.any_missing) column.missing.push_back(absent);
        }
        ++out.n;
    }

    int key(std::size_t table, std::vector<KeyMemory>& memory, std::size_t place) {
        in_.skip_space();
        if (place < memory.size()) {
            const KeyMemory& known = memory[place];
            if (static_cast<std::size_t>(in_.end - in_.p) >= known.text.size() &&
                std::memcmp(in_.p, known.text.data(), known.text.size()) == 0) {
                in_.p += known.text.size();
                return known.field;
            }
        }
        const char* begin = in_.p;
        bool escaped;
        const std::string_view name = in_.string(escaped);
        if (escaped) throw Unusual{};
        in_.expect(':');
        const auto& fields = tables_[table].fields;
        const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
        const int field = found == fields.end() ? -1 : static_cast<int>(found - fields.begin());
        if (memory.size() <= place) memory.resize(place + 1);
        memory[place] = {std::string(begin, in_.p), field};
        return field;
    }

    void value(Column& column, Kind kind) {
        switch (kind) {
            case Kind::integer: column.integers.push_back(in_.integer()); break;
            case Kind::number: column.numbers.push_back(in_.number()); break;
            case Kind::box: {
                in_.expect('[');
                double box[4];
                for (int i = 0; i < 4; ++i) {
                    if (i) in_.expect(',');
                    in_.skip_space();
                    box[i] = in_.number();
                }
                in_.expect(']');
                column.numbers.insert(column.numbers.end(), box, box + 4);
                break;
            }
            case Kind::string: {
                bool escaped;
                column.text += in_.string(escaped);
                column.text_end.push_back(static_cast<std::int64_t>(column.text.size()));
                column.any_escaped |= escaped;
                break;
            }
        }
    }

    static void fill(Column& column, Kind kind) {
        switch (kind) {
            case Kind::integer: column.integers.push_back(0); break;
            case Kind::number: column.numbers.push_back(0); break;
            case Kind::box: column.numbers.insert(column.numbers.end(), 4, 0.0); break;
            case Kind::string: column.text_end.push_back(static_cast<std::int64_t>(column.text.size())); break;
        }
    }

    const std::vector<Table>& tables_;
    JsonCursor in_;
    std::vector<std::vector<KeyMemory>> memory_;
    bool is_object_ = false;
};

// Where a record might begin at or after `from`: the brace of "}, {". Looks no further than a window.
inline std::optional<std::size_t> record_border(const ReadBytes& read, std::size_t from, std::size_t size) {
    constexpr std::size_t kWindow = 1 << 16;
    std::vector<char> buffer;
    const std::size_t to = std::min(size, from + kWindow);
    const char* text = read(from, to, buffer);
    const std::string_view view(text, to - from);
    for (std::size_t i = view.find('}'); i != view.npos; i = view.find('}', i + 1)) {
        std::size_t j = view.find_first_not_of(" \n\r\t", i + 1);
        if (j == view.npos || view[j] != ',') continue;
        j = view.find_first_not_of(" \n\r\t", j + 1);
        if (j != view.npos && view[j] == '{') return from + j;
    }
    return std::nullopt;
}

struct Block {
    std::size_t begin, end;
    int state_in, state_out = 0;
    std::vector<Records> records;
};

inline void parse_block(const std::vector<Table>& tables, const ReadBytes& read, Block& block) {
    std::vector<char> buffer;
    const char* text = read(block.begin, block.end, buffer);
    BlockParser parser(tables, text, text + (block.end - block.begin));
    block.state_out = parser.run(block.state_in);
    block.records = std::move(parser.records);
}

// The records of all tables as columns, one list of blocks in file order. `main` is the table that is worth splitting.
inline std::vector<Block> json_blocks(const std::vector<Table>& tables, std::size_t main, const ReadBytes& read,
                                      std::size_t size, std::size_t block_size, int threads) {
    std::vector<Block> blocks;
    std::size_t begin = 0;
    for (std::size_t from = block_size; from < size; from += block_size) {
        const auto border = record_border(read, from, size);
        if (!border || *border <= begin) continue;
        blocks.push_back({begin, *border, begin ? static_cast<int>(main) : BlockParser::kStart, 0, {}});
        begin = *border;
    }
    blocks.push_back({begin, size, begin ? static_cast<int>(main) : BlockParser::kStart, 0, {}});
    std::vector<std::uint8_t> failed(blocks.size(), 0);
    parallel_for(blocks.size(), threads, [&](std::size_t i) {
        try {
            parse_block(tables, read, blocks[i]);
        } catch (const Unusual&) {
            failed[i] = 1;
        }
    });
    int state = BlockParser::kStart;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].state_in != state || failed[i]) {
            if (state == BlockParser::kDone) throw Unusual{};
            blocks[i].state_in = state;
            parse_block(tables, read, blocks[i]);
        }
        state = blocks[i].state_out;
    }
    if (state != BlockParser::kDone) throw Unusual{};
    return blocks;
}

}  // namespace boxscore
