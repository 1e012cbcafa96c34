// Records of JSON tables as columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aligned.hpp"

namespace boxscore {

enum class Kind : std::uint8_t { integer, number, box, string, integers };

struct Field {
    std::string name;
    Kind kind;
};

struct Table {
    std::string name;  // key of the array in the outermost object; empty: the file itself is the array
    std::vector<Field> fields;
};

// One column of some records: `n` of them count, the vectors may be longer. Absent and null values are marked, and hold
// 0 or nothing.
struct Column {
    AlignedVector<std::int64_t> integers;  // values, or where each string ends in `text` and each list in `listed`
    AlignedVector<double> numbers;         // four per record for boxes
    std::string text;                      // strings one after the other, escapes not resolved
    AlignedVector<std::int64_t> listed;    // lists one after the other
    AlignedVector<std::uint8_t> missing;
    bool any_missing = false;
    bool any_escaped = false;

    // Where the next string or list begins.
    std::int64_t end_of(Kind kind) const {
        return static_cast<std::int64_t>(kind == Kind::string ? text.size() : listed.size());
    }
};

inline std::size_t width_of(Kind kind) { return kind == Kind::box ? 4 : 1; }
inline bool is_numeric(Kind kind) { return kind == Kind::number || kind == Kind::box; }
inline bool has_ends(Kind kind) { return kind == Kind::string || kind == Kind::integers; }

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
            column.listed.clear();
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
            if (!has_ends(kind)) continue;
            const std::int64_t shift = column.end_of(kind);
            for (std::size_t i = before; i < column.integers.size(); ++i) column.integers[i] += shift;
            column.text += other.text;
            column.listed.insert(column.listed.end(), other.listed.begin(), other.listed.end());
        }
        seen |= more.seen;
        n += more.n;
    }
};

}  // namespace boxscore
