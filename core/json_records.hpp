// Records of JSON tables as columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "aligned.hpp"
#include "json_shapes.hpp"
#include "reals.hpp"

namespace boxscore {

enum class Kind : std::uint8_t { integer, number, box, string, integers, numbers, shape, mask };

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
    AlignedVector<std::int64_t> integers;  // values, or where each string, list and shape ends in what follows:
    AlignedVector<double> numbers;         // four per record for boxes
    std::string text;                      // strings one after the other, escapes not resolved
    AlignedVector<std::int64_t> listed;    // lists one after the other
    Reals listed_numbers;                  // likewise
    ShapeParts parts;                      // of shapes
    AlignedVector<std::uint8_t> missing;
    bool any_missing = false;
    bool any_escaped = false;

    // Where the next string, list or shape begins.
    std::int64_t end_of(Kind kind) const {
        return static_cast<std::int64_t>(kind == Kind::string     ? text.size()
                                         : kind == Kind::integers ? listed.size()
                                         : kind == Kind::numbers  ? listed_numbers.size()
                                                                  : parts.size());
    }
};

inline std::size_t width_of(Kind kind) { return kind == Kind::box ? 4 : 1; }
inline bool is_numeric(Kind kind) { return kind == Kind::number || kind == Kind::box; }
inline bool has_ends(Kind kind) { return kind >= Kind::string; }

// Appends ends, which count from where the columns of the block begin.
inline void add_ends(AlignedVector<std::int64_t>& to, const AlignedVector<std::int64_t>& from, std::size_t n,
                     double rest, std::int64_t shift) {
    const std::size_t before = to.size();
    add(to, from, n, rest);
    for (std::size_t i = before; i < to.size(); ++i) to[i] += shift;
}

inline void add_parts(ShapeParts& to, const ShapeParts& from, double rest) {
    const std::size_t n = from.size();
    add_ends(to.value_ends, from.value_ends, n, rest, static_cast<std::int64_t>(to.n_values()));
    add_ends(to.letter_ends, from.letter_ends, n, rest, static_cast<std::int64_t>(to.letters.size()));
    add(to.kind, from.kind, n, rest);
    add(to.values, from.values, from.values.size(), rest);
    add(to.points, from.points, from.points.size(), rest);
    add(to.letters, from.letters, from.n_letters, rest);
    to.n_letters = to.letters.size();
}

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
            column.listed_numbers.clear();
            column.parts.clear();
            column.any_missing = column.any_escaped = false;
        }
    }

    // Adds the records of another block; the file goes on with `rest` times as much as that one has. Flags of missing
    // values are kept only once there are any.
    void append(const Records& more, double rest) {
        for (std::size_t f = 0; f < columns.size(); ++f) {
            const Kind kind = (*fields)[f].kind;
            Column& column = columns[f];
            const Column& other = more.columns[f];
            if (other.any_missing && !column.any_missing) column.missing.assign(n, 0);
            column.any_missing |= other.any_missing;
            column.any_escaped |= other.any_escaped;
            if (other.any_missing)
                add(column.missing, other.missing, more.n, rest);
            else if (column.any_missing)
                column.missing.resize(n + more.n, 0);  // the other one's flags are those of an earlier block
            if (is_numeric(kind)) {
                add(column.numbers, other.numbers, more.n * width_of(kind), rest);
                continue;
            }
            add_ends(column.integers, other.integers, more.n, rest, has_ends(kind) ? column.end_of(kind) : 0);
            add(column.text, other.text, other.text.size(), rest);
            add(column.listed, other.listed, other.listed.size(), rest);
            column.listed_numbers.append(other.listed_numbers, rest);
            add_parts(column.parts, other.parts, rest);
        }
        seen |= more.seen;
        n += more.n;
    }
};

}  // namespace boxscore
