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
#include <string>
#include <vector>

#include "cells.hpp"
#include "json.hpp"
#include "large_vector.hpp"
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

// One column of some records: `n` of them count, the vectors may be longer. Absent and null values are marked, and hold
// 0 or "".
struct Column {
    LargeVector<std::int64_t> integers;  // values, or where each string ends in `text`
    LargeVector<double> numbers;         // four per record for boxes
    std::string text;                    // strings one after the other, escapes not resolved
    LargeVector<std::uint8_t> missing;
    bool any_missing = false;
    bool any_escaped = false;
};

inline std::size_t width_of(Kind kind) { return kind == Kind::box ? 4 : 1; }
inline bool is_numeric(Kind kind) { return kind == Kind::number || kind == Kind::box; }

struct Records {
    explicit Records(const Table& table) : fields(&table.fields), columns(table.fields.size()) {}

    const std::vector<Field>* fields;
    std::size_t n = 0, room = 0;
    bool seen = false;  // the table's key was there
    std::vector<Column> columns;

    void make_room(std::size_t wanted) {
        for (std::size_t f = 0; f < columns.size(); ++f) {
            const Kind kind = (*fields)[f].kind;
            if (is_numeric(kind))
                columns[f].numbers.resize(wanted * width_of(kind));
            else
                columns[f].integers.resize(wanted);
            columns[f].missing.resize(wanted);
        }
        room = wanted;
    }

    void clear() {
        n = 0;
        seen = false;
        for (Column& column : columns) {
            column.text.clear();
            column.any_missing = column.any_escaped = false;
        }
    }

    // Adds the records of another block. Flags of missing values are kept only once there are any.
    void append(const Records& more, std::size_t expected) {
        for (std::size_t f = 0; f < columns.size(); ++f) {
            const Kind kind = (*fields)[f].kind;
            Column& column = columns[f];
            const Column& other = more.columns[f];
            const auto add = [&](auto& to, const auto& from, std::size_t width) {
                if (n == 0) to.reserve(expected * width);
                to.insert(to.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(more.n * width));
            };
            if (other.any_missing && !column.any_missing) column.missing.assign(n, 0);
            column.any_missing |= other.any_missing;
            column.any_escaped |= other.any_escaped;
            if (other.any_missing)
                add(column.missing, other.missing, 1);
            else if (column.any_missing)
                column.missing.resize(n + more.n, 0);  // the other one's flags are those of an earlier block
            if (is_numeric(kind)) {
                add(column.numbers, other.numbers, width_of(kind));
                continue;
            }
            const std::size_t before = column.integers.size();
            add(column.integers, other.integers, 1);
            if (kind == Kind::string) {
                for (std::size_t i = before; i < column.integers.size(); ++i)
                    column.integers[i] += static_cast<std::int64_t>(column.text.size());
                column.text += other.text;
            }
        }
        seen |= more.seen;
        n += more.n;
    }
};

// Puts the bytes [begin, end) of the source into the buffer.
using ReadBytes = std::function<void(std::size_t begin, std::size_t end, char* buffer)>;

// Those bytes, with the padding that the cursor asks for.
inline const char* read_block(const ReadBytes& read, std::size_t begin, std::size_t end, LargeVector<char>& buffer) {
    buffer.resize(end - begin + JsonCursor::kPadding);
    read(begin, end, buffer.data());
    std::fill(buffer.end() - JsonCursor::kPadding, buffer.end(), '\0');
    return buffer.data();
}

class BlockParser {
   public:
    static constexpr int kStart = -2, kDone = -3;  // states besides "expecting a record of table i"

    explicit BlockParser(const std::vector<Table>& tables) : tables_(tables), memory_(tables.size()) {
        for (const Table& table : tables) records.emplace_back(table);
    }

    std::vector<Records> records;  // of the last block; its memory is used again for the next

    // Parses a block from the given state and returns the state at its end.
    int run(const char* begin, const char* end, int state) {
        in_ = JsonCursor(begin, end);
        for (Records& table : records) table.clear();
        missing_so_far_.assign(tables_.size(), {});
        if (state == kStart) {
            in_.skip_space();
            is_object_ = in_.accept('{');
            if (!is_object_) {
                in_.expect('[');
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
        std::string text;  // from the key to its value, as written
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
        const auto& fields = tables_[table].fields;
        if (out.n == out.room) out.make_room(std::max<std::size_t>(1024, 2 * out.room));
        in_.expect('{');
        std::uint64_t filled = 0;
        if (!in_.accept('}')) {
            for (std::size_t place = 0;; ++place) {
                const int field = key(table, memory_[table], place);
                if (field < 0) {
                    in_.skip_value();
                } else {
                    const auto f = static_cast<std::size_t>(field);
                    if (filled >> f & 1) throw Unusual{};  // the same key twice
                    in_.skip_space();
                    if (!in_.accept_null()) {
                        value(out.columns[f], fields[f].kind, out.n);
                        filled |= std::uint64_t{1} << f;
                    }
                }
                if (!in_.accept(',')) break;
            }
            in_.expect('}');
        }
        if (filled != mask(static_cast<int>(fields.size()))) mark_missing(out, filled);
        for (std::size_t f : missing_so_far_[table]) out.columns[f].missing[out.n] = !(filled >> f & 1);
        ++out.n;
    }

    void mark_missing(Records& out, std::uint64_t filled) {
        for (std::size_t f = 0; f < out.columns.size(); ++f) {
            if (filled >> f & 1) continue;
            Column& column = out.columns[f];
            const Kind kind = (*out.fields)[f].kind;
            if (is_numeric(kind))
                std::fill_n(column.numbers.begin() + static_cast<std::ptrdiff_t>(out.n * width_of(kind)), width_of(kind), 0.0);
            else
                column.integers[out.n] = kind == Kind::string ? static_cast<std::int64_t>(column.text.size()) : 0;
            if (!column.any_missing) {
                column.any_missing = true;
                std::fill_n(column.missing.begin(), out.n, 0);
                missing_so_far_[static_cast<std::size_t>(&out - records.data())].push_back(f);
            }
        }
    }

    int key(std::size_t table, std::vector<KeyMemory>& memory, std::size_t place) {
        in_.skip_space();
        if (place < memory.size()) {
            const KeyMemory& known = memory[place];
            if (starts_with(known.text)) {
                in_.p += known.text.size();
                return known.field;
            }
        }
        const char* begin = in_.p;
        bool escaped;
        const std::string_view name = in_.string(escaped);
        if (escaped) throw Unusual{};
        in_.expect(':');
        in_.skip_space();
        const auto& fields = tables_[table].fields;
        const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
        const int field = found == fields.end() ? -1 : static_cast<int>(found - fields.begin());
        if (memory.size() <= place) memory.resize(place + 1);
        memory[place] = {std::string(begin, in_.p), field};
        return field;
    }

    bool starts_with(const std::string& text) const {
        const std::size_t n = text.size();
        if (static_cast<std::size_t>(in_.end - in_.p) < n) return false;
        if (n < 8 || n > 16) return std::memcmp(in_.p, text.data(), n) == 0;
        std::uint64_t a[2], b[2];  // two loads that may share bytes
        std::memcpy(&a[0], in_.p, 8);
        std::memcpy(&a[1], in_.p + n - 8, 8);
        std::memcpy(&b[0], text.data(), 8);
        std::memcpy(&b[1], text.data() + n - 8, 8);
        return ((a[0] ^ b[0]) | (a[1] ^ b[1])) == 0;
    }

    void value(Column& column, Kind kind, std::size_t at) {
        switch (kind) {
            case Kind::integer: column.integers[at] = in_.integer(); break;
            case Kind::number: column.numbers[at] = in_.number(); break;
            case Kind::box:
                in_.expect('[');
                for (std::size_t i = 0; i < 4; ++i) {
                    if (i) in_.expect(',');
                    in_.skip_space();
                    column.numbers[4 * at + i] = in_.number();
                }
                in_.expect(']');
                break;
            case Kind::string: {
                bool escaped;
                column.text += in_.string(escaped);
                column.integers[at] = static_cast<std::int64_t>(column.text.size());
                column.any_escaped |= escaped;
                break;
            }
        }
    }

    const std::vector<Table>& tables_;
    JsonCursor in_{nullptr, nullptr};
    std::vector<std::vector<KeyMemory>> memory_;
    std::vector<std::vector<std::size_t>> missing_so_far_;  // per table: columns of this block with missing values
    bool is_object_ = false;
};

// Where a record might begin at or after `from`: the brace of "}, {". Looks no further than 64 kB.
inline std::optional<std::size_t> record_border(const ReadBytes& read, std::size_t from, std::size_t size) {
    LargeVector<char> buffer;
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
        LargeVector<char> buffer;
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
