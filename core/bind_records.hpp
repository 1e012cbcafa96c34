// Columns of records for Python, whether they come from a JSON text or from values in memory.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "json_records.hpp"

using Layout = std::vector<std::pair<std::string, std::vector<std::pair<std::string, int>>>>;

inline std::vector<boxscore::Table> tables_of(const Layout& layout) {
    std::vector<boxscore::Table> tables;
    for (const auto& [name, fields] : layout) {
        tables.push_back({name, {}});
        for (const auto& [field, kind] : fields)
            tables.back().fields.push_back({field, static_cast<boxscore::Kind>(kind)});
    }
    return tables;
}

// What the values of a column are the ends of, if they are ends.
inline nb::object parts_of(boxscore::Column& column, boxscore::Kind kind) {
    using boxscore::Kind;
    switch (kind) {
        case Kind::string: return nb::make_tuple(nb::bytes(column.text.data(), column.text.size()), column.any_escaped);
        case Kind::integers: return handed_over(std::move(column.listed));
        case Kind::numbers: {
            boxscore::Reals& all = column.listed_numbers;
            return all.wide ? handed_over(std::move(all.doubles)) : handed_over(std::move(all.singles));
        }
        case Kind::shape:
        case Kind::mask: {
            boxscore::ShapeParts& all = column.parts;
            nb::object numbers =
                kind == Kind::mask ? handed_over(std::move(all.points)) : handed_over(std::move(all.values));
            return nb::make_tuple(handed_over(std::move(all.kind)), handed_over(std::move(all.value_ends)), numbers,
                                  handed_over(std::move(all.letter_ends)), handed_over(std::move(all.letters)));
        }
        default: return nb::none();
    }
}

inline nb::dict columns_of(std::vector<boxscore::Records>& records, const std::vector<boxscore::Table>& tables) {
    nb::dict result;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        if (!records[t].seen) continue;
        nb::dict columns;
        for (std::size_t f = 0; f < tables[t].fields.size(); ++f) {
            const auto& [name, kind] = tables[t].fields[f];
            boxscore::Column& column = records[t].columns[f];
            nb::object missing = nb::none(), parts = parts_of(column, kind);
            if (column.any_missing) missing = handed_over(std::move(column.missing));
            nb::object values = boxscore::is_numeric(kind) ? handed_over(std::move(column.numbers))
                                                           : handed_over(std::move(column.integers));
            columns[name.c_str()] = nb::make_tuple(values, missing, parts);
        }
        result[tables[t].name.c_str()] = columns;
    }
    return result;
}
