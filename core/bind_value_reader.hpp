// Values that Python holds, into columns of records.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "bind.hpp"
#include "json_records.hpp"

namespace boxscore {

// Whatever Python raises means that somebody else must look.
[[noreturn]] inline void unusual() {
    PyErr_Clear();
    throw Unusual{};
}

// The items of a list or tuple, or of anything else that goes on: an array of NumPy, but no text and no dictionary.
class Items {
  public:
    explicit Items(PyObject* value) {
        if (PyUnicode_Check(value) || PyBytes_Check(value) || PyDict_Check(value)) throw Unusual{};
        fast_ = PySequence_Fast(value, "");
        if (!fast_) unusual();
    }
    Items(const Items&) = delete;
    Items& operator=(const Items&) = delete;
    ~Items() { Py_DECREF(fast_); }

    std::size_t size() const { return static_cast<std::size_t>(PySequence_Fast_GET_SIZE(fast_)); }
    PyObject* operator[](std::size_t i) const { return PySequence_Fast_GET_ITEM(fast_, static_cast<Py_ssize_t>(i)); }

  private:
    PyObject* fast_;
};

class ValueReader {
  public:
    // `floating`: the type of NumPy's numbers that are not whole.
    explicit ValueReader(PyObject* floating) : floating_(floating) {}

    // False where a value stands for none.
    bool read(Column& column, Kind kind, std::size_t at, PyObject* value) {
        switch (kind) {
            case Kind::integer: column.integers[at] = integer(value); return true;
            case Kind::number: column.numbers[at] = number(value); return true;
            case Kind::box: {
                const Items box(value);
                if (box.size() != 4) throw Unusual{};
                for (std::size_t i = 0; i < 4; ++i) column.numbers[4 * at + i] = number(box[i]);
                return true;
            }
            case Kind::string: {
                Py_ssize_t n = 0;
                const char* const text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, &n) : nullptr;
                if (!text) unusual();
                column.text.append(text, static_cast<std::size_t>(n));
                break;
            }
            case Kind::integers: {
                const Items items(value);
                for (std::size_t i = 0; i < items.size(); ++i) column.listed.push_back(integer(items[i]));
                break;
            }
            case Kind::numbers: {
                const Items items(value);
                const std::size_t n = items.size();
                some_.resize(n);
                for (std::size_t i = 0; i < n; ++i) some_[i] = number(items[i]);
                add_some(column.listed_numbers, some_.data(), n);
                break;
            }
            case Kind::shape:
            case Kind::mask: {
                const std::size_t before = column.parts.size();
                fine_ = kind == Kind::mask;
                shape(value, column.parts);
                if (column.parts.size() == before) return false;
                break;
            }
        }
        column.integers[at] = column.end_of(kind);
        return true;
    }

  private:
    // At most 18 digits, as in a file.
    std::int64_t integer(PyObject* value) const {
        if (!PyLong_CheckExact(value)) return other_integer(value);
        int beyond = 0;
        const long long number = PyLong_AsLongLongAndOverflow(value, &beyond);
        constexpr long long kMost = 999'999'999'999'999'999;
        if (beyond || number > kMost || number < -kMost) throw Unusual{};
        return number;
    }

    std::int64_t other_integer(PyObject* value) const {
        if (PyBool_Check(value) || PyFloat_Check(value)) throw Unusual{};
        PyObject* const whole = PyNumber_Index(value);
        if (!whole) unusual();
        const nb::object owner = nb::steal(whole);
        if (!PyLong_CheckExact(whole)) throw Unusual{};
        return integer(whole);
    }

    double number(PyObject* value) const {
        if (!PyFloat_CheckExact(value)) return other_number(value);
        const double number = PyFloat_AS_DOUBLE(value);
        if (!std::isfinite(number)) throw Unusual{};
        return number;
    }

    double other_number(PyObject* value) const {
        double number;
        if (PyLong_CheckExact(value)) {
            number = PyLong_AsDouble(value);
        } else if (PyFloat_Check(value) || PyObject_IsInstance(value, floating_) == 1) {
            number = PyFloat_AsDouble(value);
        } else {
            return static_cast<double>(other_integer(value));
        }
        if (number == -1.0 && PyErr_Occurred()) unusual();
        if (!std::isfinite(number)) throw Unusual{};
        return number;
    }

    void shape(PyObject* value, ShapeParts& parts) {
        if (PyDict_Check(value)) {
            mask(value, parts);
            return;
        }
        if (PyUnicode_Check(value) && PyUnicode_GET_LENGTH(value) == 0) return;
        if (!PyList_Check(value) && !PyTuple_Check(value)) throw Unusual{};
        const Items polygons(value);
        for (std::size_t i = 0; i < polygons.size(); ++i) {
            const Items corners(polygons[i]);
            const std::size_t n = corners.size();
            if (n == 0 && polygons.size() == 1) return;  // a list of nothing: [[]]
            if (n < 6 || n % 2) throw Unusual{};
            if (fine_) {
                const std::size_t before = parts.points.size();
                parts.points.resize(before + n);
                for (std::size_t k = 0; k < n; ++k) parts.points[before + k] = on_fine_grid(number(corners[k]));
            } else {
                const std::size_t before = parts.values.size();
                parts.values.resize(before + n);
                for (std::size_t k = 0; k < n; ++k) parts.values[before + k] = number(corners[k]);
            }
            parts.end_part(ShapeParts::kPolygon);
        }
    }

    void mask(PyObject* value, ShapeParts& parts) {
        PyObject* const size = PyDict_GetItemWithError(value, size_.ptr());
        PyObject* const counts = PyDict_GetItemWithError(value, counts_key_.ptr());
        if (PyErr_Occurred()) unusual();
        if (!size || !counts || PyDict_GET_SIZE(value) != 2) throw Unusual{};
        const Items sides(size);
        if (sides.size() != 2) throw Unusual{};
        for (std::size_t i = 0; i < 2; ++i) {
            const std::int64_t side = integer(sides[i]);
            if (side < 1 || side > std::numeric_limits<std::int32_t>::max()) throw Unusual{};
            if (fine_)
                parts.points.push_back(static_cast<std::int32_t>(side));
            else
                parts.values.push_back(static_cast<double>(side));
        }
        if (PyBytes_Check(counts)) {  // as pycocotools encodes masks
            letters(PyBytes_AS_STRING(counts), PyBytes_GET_SIZE(counts), parts);
        } else if (PyUnicode_Check(counts)) {
            Py_ssize_t n = 0;
            const char* const text = PyUnicode_AsUTF8AndSize(counts, &n);
            if (!text) unusual();
            letters(text, n, parts);
        } else {
            listed(Items(counts), parts);
        }
        parts.end_part(ShapeParts::kRle);
    }

    void listed(const Items& counts, ShapeParts& parts) {
        counts_.clear();
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const std::int64_t count = integer(counts[i]);
            if (count < 0 || count >> 32) throw Unusual{};
            counts_.push_back(static_cast<std::uint32_t>(count));
        }
        text_.clear();
        append_rle_text(counts_.data(), counts_.size(), text_);
        letters(text_.data(), static_cast<Py_ssize_t>(text_.size()), parts);
    }

    static void letters(const char* text, Py_ssize_t length, ShapeParts& parts) {
        const auto n = static_cast<std::size_t>(length);
        if (!n) throw Unusual{};
        unsigned outside = 0;  // gathered, so that many characters are looked at together
        for (std::size_t i = 0; i < n; ++i) outside |= static_cast<std::uint8_t>(text[i] - '0') > 'o' - '0';
        if (outside) throw Unusual{};
        if (parts.letters.size() < parts.n_letters + n)
            parts.letters.resize(parts.n_letters + n + parts.letters.size() / 2);
        std::memcpy(parts.letters.data() + parts.n_letters, text, n);
        parts.n_letters += n;
    }

    PyObject* const floating_;
    const nb::str size_{"size"}, counts_key_{"counts"};
    bool fine_ = false;
    std::vector<std::uint32_t> counts_;
    std::string text_;
    std::vector<double> some_;
};

}  // namespace boxscore
