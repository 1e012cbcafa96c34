// The parser of one block of a JSON file: records of the known tables into columns, everything else skipped.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "bits.hpp"
#include "json.hpp"
#include "json_lists.hpp"
#include "json_records.hpp"
#include "json_skip.hpp"

namespace boxscore {

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

    // Whether the last block that was not read could go on behind its end: it may have been cut where no record ends.
    bool stopped_at_end() const { return in_.p + JsonCursor::kPadding >= in_.end; }

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
                skip_value(in_, open_);
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
        std::uint64_t filled = 0, met = 0;
        if (!in_.accept('}')) {
            for (std::size_t place = 0;; ++place) {
                const int field = key(table, memory_[table], place);
                if (field < 0) {
                    skip_value(in_, open_);
                } else {
                    const auto f = static_cast<std::size_t>(field);
                    if (met >> f & 1) throw Unusual{};  // the same key twice
                    met |= std::uint64_t{1} << f;
                    in_.skip_space();
                    if (!in_.accept_null()) {
                        filled |= std::uint64_t{value(out.columns[f], fields[f].kind, out.n)} << f;
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
                std::fill_n(column.numbers.begin() + static_cast<std::ptrdiff_t>(out.n * width_of(kind)),
                            width_of(kind), 0.0);
            else
                column.integers[out.n] = has_ends(kind) ? column.end_of(kind) : 0;
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

    // False where what is written stands for no value.
    bool value(Column& column, Kind kind, std::size_t at) {
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
                column.integers[at] = column.end_of(kind);
                column.any_escaped |= escaped;
                break;
            }
            case Kind::integers:
            case Kind::numbers: list(column, kind, at); break;
            case Kind::shape:
            case Kind::mask:
                if (!shapes_.read(in_, column.parts, kind == Kind::mask)) return false;
                column.integers[at] = column.end_of(kind);
                break;
        }
        return true;
    }

    // Inlined, it would make all other kinds slower.
    [[gnu::noinline]] void list(Column& column, Kind kind, std::size_t at) {
        if (kind == Kind::integers)
            read_integers(in_, column.listed);
        else
            read_numbers(in_, column.listed_numbers);
        column.integers[at] = column.end_of(kind);
    }

    const std::vector<Table>& tables_;
    JsonCursor in_{nullptr, nullptr};
    ShapeReader shapes_;
    std::vector<std::vector<KeyMemory>> memory_;
    std::vector<std::vector<std::size_t>> missing_so_far_;  // per table: columns of this block with missing values
    std::vector<char> open_;                                // brackets of a value that is passed over
    bool is_object_ = false;
};

}  // namespace boxscore
