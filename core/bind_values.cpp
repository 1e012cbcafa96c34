// Records that Python holds as dictionaries, into the columns that their JSON would give. No kernel: nothing here can
// go on without the interpreter.
#include "bind_records.hpp"
#include "bind_value_reader.hpp"

namespace {

using namespace boxscore;

// The records of one table, some at a time: what is added at once needs not be moved again and again.
class TableReader {
  public:
    TableReader(const Table& table, PyObject* floating)
        : all(table), fields_(table.fields), some_(table), values_(floating) {
        for (const Field& field : fields_) names_.push_back(nb::str(field.name.c_str()));
        some_.make_room(kSome);
    }

    void read(PyObject* records) {
        const Items rows(records);
        all.seen = true;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!PyDict_Check(rows[i])) throw Unusual{};
            record(rows[i]);
            if (some_.n == kSome || i + 1 == rows.size()) {
                all.append(some_, static_cast<double>(rows.size() - i - 1) / static_cast<double>(some_.n));
                some_.clear();
            }
        }
    }

    Records all;

  private:
    static constexpr std::size_t kSome = 1 << 12;

    void record(PyObject* row) {
        for (std::size_t f = 0; f < fields_.size(); ++f) {
            Column& column = some_.columns[f];
            const Kind kind = fields_[f].kind;
            PyObject* const value = PyDict_GetItemWithError(row, names_[f].ptr());
            if (!value && PyErr_Occurred()) unusual();
            const bool there = value && value != Py_None && values_.read(column, kind, some_.n, value);
            column.missing[some_.n] = !there;
            if (there) continue;
            column.any_missing = true;
            if (is_numeric(kind))
                std::fill_n(column.numbers.begin() + static_cast<std::ptrdiff_t>(some_.n * width_of(kind)),
                            width_of(kind), 0.0);
            else
                column.integers[some_.n] = has_ends(kind) ? column.end_of(kind) : 0;
        }
        ++some_.n;
    }

    const std::vector<Field>& fields_;
    Records some_;
    ValueReader values_;
    std::vector<nb::str> names_;
};

nb::object value_columns(const std::vector<nb::object>& lists, const Layout& layout, nb::handle floating) {
    const std::vector<Table> tables = tables_of(layout);
    std::vector<Records> records;
    try {
        for (std::size_t t = 0; t < tables.size(); ++t) {
            TableReader reader(tables[t], floating.ptr());
            reader.read(lists[t].ptr());
            records.push_back(std::move(reader.all));
        }
    } catch (const Unusual&) {
        return nb::none();
    }
    return columns_of(records, tables);
}

}  // namespace

void bind_values(nb::module_& m) {
    m.def("value_columns", &value_columns, "lists"_a, "layout"_a, "floating"_a,
          "Lists of dictionaries as the columns of their JSON; None where they are not of the usual kind.");
}
