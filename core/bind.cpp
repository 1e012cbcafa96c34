// The only file that knows Python: typed arrays in, typed arrays out, the interpreter free to go on meanwhile.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "curve.hpp"
#include "json_columns.hpp"
#include "match.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Boxes = nb::ndarray<const double, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using AnyOut = nb::ndarray<nb::c_contig, nb::device::cpu>;
using AnyIn = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

// Calls body with a value of the unsigned type that is `bytes` wide.
template <class Body>
void with_word(std::size_t bytes, const Body& body) {
    switch (bytes) {
        case 1: body(std::uint8_t{}); break;
        case 2: body(std::uint16_t{}); break;
        case 4: body(std::uint32_t{}); break;
        default: body(std::uint64_t{});
    }
}

std::size_t match(In<std::int32_t> d_label, In<std::int32_t> d_image, Boxes d_corners, In<double> d_area,
                  In<double> d_size, In<double> d_score, In<std::int64_t> d_position, In<std::int32_t> o_label,
                  In<std::int32_t> o_image, Boxes o_corners, In<double> o_area, In<double> o_size, In<std::uint8_t> o_role, std::size_t labels,
                  std::size_t images, double pixel, bool touching, bool even_if_taken, bool prefer_counted,
                  bool last_of_equals, bool strict, bool ignore_outside, bool closed_ranges, std::uint32_t cap,
                  In<double> thresholds, In<double> lowest, In<double> highest, Out<std::int64_t> first,
                  Out<std::uint32_t> row, Out<std::int32_t> image, Out<double> score, Out<std::int64_t> position,
                  Out<std::int64_t> earliest,
                  Out<std::int32_t> rank, AnyOut hits, AnyOut ignored, std::optional<Out<std::int32_t>> object,
                  std::optional<Out<double>> overlap, Out<std::uint64_t> counted, Out<std::int64_t> to_find,
                  Out<std::uint8_t> cut, int threads) {
    using namespace boxscore;
    const MatchTask task{
        {d_label.data(), d_image.data(), d_corners.data(), d_area.data(), d_size.data(), d_label.size()},
        {o_label.data(), o_image.data(), o_corners.data(), o_area.data(), o_size.data(), o_label.size()},
        d_score.data(),
        d_position.data(),
        o_role.data(),
        {{pixel, touching},
         even_if_taken,
         prefer_counted,
         last_of_equals,
         strict,
         ignore_outside,
         closed_ranges,
         cap,
         thresholds.data(),
         static_cast<int>(thresholds.size()),
         lowest.data(),
         highest.data(),
         static_cast<int>(lowest.size())},
        {first.data(), row.data(), image.data(), score.data(), position.data(), earliest.data(), rank.data(), hits.data(),
         ignored.data(), object ? object->data() : nullptr, overlap ? overlap->data() : nullptr, counted.data(),
         to_find.data(), cut.data()}};
    std::size_t written = 0;
    nb::gil_scoped_release release;
    with_word(hits.itemsize(), [&](auto word) { written = match_all<decltype(word)>(task, labels, images, threads); });
    return written;
}

void curve(In<std::int64_t> first, In<double> score, std::optional<In<std::int64_t>> tie, In<std::int32_t> rank,
           AnyIn hits, AnyIn ignored, int n_ranges, int n_thresholds, In<std::int64_t> to_find,
           std::vector<std::pair<int, int>> slices, In<double> levels, bool exact_levels, double epsilon,
           std::size_t n_drawn, std::optional<Out<double>> precision, std::optional<Out<double>> level_score,
           std::optional<Out<double>> all_points, Out<std::int64_t> true_positives, Out<std::int64_t> false_positives,
           int threads) {
    using namespace boxscore;
    const Verdicts verdicts{first.data(), first.size() - 1, score.data(), tie ? tie->data() : nullptr, rank.data(),
                            hits.data(),  ignored.data(),   n_ranges,     n_thresholds};
    std::vector<Slice> wanted;
    for (const auto& [range, cap] : slices) wanted.push_back({range, cap});
    const CurveRules rules{levels.data(), static_cast<int>(levels.size()), exact_levels, epsilon};
    const CurveOutput out{n_drawn,
                          precision ? precision->data() : nullptr,
                          level_score ? level_score->data() : nullptr,
                          all_points ? all_points->data() : nullptr,
                          true_positives.data(),
                          false_positives.data()};
    nb::gil_scoped_release release;
    with_word(hits.itemsize(), [&](auto word) {
        all_curves<decltype(word)>(verdicts, wanted, rules, to_find.data(), out, threads);
    });
}

// Hands an array over to Python, which frees it.
template <class T>
nb::object handed_over(std::unique_ptr<T[]> values, std::size_t n) {
    T* data = values.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {n}, owner));
}

// A column of all blocks, joined; the blocks' own memory is given back on the way.
struct Joined {
    boxscore::Kind kind{};
    std::size_t n = 0, n_text = 0;
    std::unique_ptr<std::int64_t[]> integers;  // values, or the ends of strings
    std::unique_ptr<double[]> numbers;
    std::unique_ptr<std::uint8_t[]> text, missing;
    bool any_missing = false, any_escaped = false;
};

Joined join(std::vector<boxscore::Block>& blocks, std::size_t table, std::size_t field, boxscore::Kind kind) {
    using boxscore::Kind;
    Joined out;
    out.kind = kind;
    for (auto& block : blocks) {
        const auto& column = block.records[table].columns[field];
        out.n += block.records[table].n;
        out.n_text += column.text.size();
        out.any_missing |= column.any_missing;
        out.any_escaped |= column.any_escaped;
    }
    const std::size_t width = kind == Kind::box ? 4 : 1;
    const bool numeric = kind == Kind::number || kind == Kind::box;
    if (numeric) out.numbers = std::make_unique_for_overwrite<double[]>(out.n * width);
    if (!numeric) out.integers = std::make_unique_for_overwrite<std::int64_t[]>(out.n);
    if (kind == Kind::string) out.text = std::make_unique_for_overwrite<std::uint8_t[]>(out.n_text);
    if (out.any_missing) out.missing = std::make_unique<std::uint8_t[]>(out.n);
    std::size_t at = 0, text_at = 0;
    for (auto& block : blocks) {
        auto& column = block.records[table].columns[field];
        std::copy(column.numbers.begin(), column.numbers.end(), out.numbers.get() + at * width);
        std::copy(column.integers.begin(), column.integers.end(), out.integers.get() + at);
        std::copy(column.text.begin(), column.text.end(), out.text.get() + text_at);
        for (std::size_t i = 0; i < column.text_end.size(); ++i)
            out.integers[at + i] = column.text_end[i] + static_cast<std::int64_t>(text_at);
        if (column.any_missing) std::copy(column.missing.begin(), column.missing.end(), out.missing.get() + at);
        at += block.records[table].n;
        text_at += column.text.size();
        column = {};
    }
    return out;
}

nb::object json_columns(std::optional<nb::bytes> text, int descriptor, std::size_t size,
                        const std::vector<std::pair<std::string, std::vector<std::pair<std::string, int>>>>& layout,
                        std::size_t main, std::size_t block_size, int threads) {
    using namespace boxscore;
    std::vector<Table> tables;
    for (const auto& [name, fields] : layout) {
        tables.push_back({name, {}});
        for (const auto& [field, kind] : fields) tables.back().fields.push_back({field, static_cast<Kind>(kind)});
    }
    const char* whole = text ? text->c_str() : nullptr;
    const ReadBytes read = [whole, descriptor](std::size_t begin, std::size_t end, std::vector<char>& buffer) {
        if (whole) return whole + begin;
        buffer.resize(end - begin);
#ifndef _WIN32
        for (std::size_t done = 0; done < buffer.size();) {
            const auto got = pread(descriptor, buffer.data() + done, buffer.size() - done,
                                   static_cast<off_t>(begin + done));
            if (got <= 0) throw Unusual{};
            done += static_cast<std::size_t>(got);
        }
#else
        throw Unusual{};
#endif
        return static_cast<const char*>(buffer.data());
    };
    std::vector<std::vector<Joined>> joined(tables.size());
    std::vector<std::uint8_t> seen(tables.size(), 0);
    try {
        nb::gil_scoped_release release;
        std::vector<Block> blocks = json_blocks(tables, main, read, size, block_size, threads);
        for (std::size_t t = 0; t < tables.size(); ++t) {
            for (const Block& block : blocks) {
                if (block.records[t].seen && seen[t]) throw Unusual{};
                seen[t] |= block.records[t].seen;
            }
            joined[t].resize(tables[t].fields.size());
            parallel_for(joined[t].size(), threads,
                         [&](std::size_t f) { joined[t][f] = join(blocks, t, f, tables[t].fields[f].kind); });
        }
    } catch (const Unusual&) {
        return nb::none();
    }
    nb::dict result;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        if (!seen[t]) continue;
        nb::dict columns;
        for (std::size_t f = 0; f < joined[t].size(); ++f) {
            Joined& column = joined[t][f];
            nb::object missing = nb::none(), values, extra = nb::none();
            if (column.any_missing) missing = handed_over(std::move(column.missing), column.n);
            if (column.kind == Kind::string) {
                extra = nb::bytes(column.text.get(), column.n_text);
                values = handed_over(std::move(column.integers), column.n);
                extra = nb::make_tuple(extra, column.any_escaped);
            } else if (column.kind == Kind::integer) {
                values = handed_over(std::move(column.integers), column.n);
            } else {
                values = handed_over(std::move(column.numbers), column.n * (column.kind == Kind::box ? 4 : 1));
            }
            columns[tables[t].fields[f].name.c_str()] = nb::make_tuple(values, missing, extra);
        }
        result[tables[t].name.c_str()] = columns;
    }
    return result;
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "Compiled kernels of boxscore; boxscore._reference defines what they compute.";
    m.def("match", &match, "d_label"_a.noconvert(), "d_image"_a.noconvert(), "d_corners"_a.noconvert(),
          "d_area"_a.noconvert(), "d_size"_a.noconvert(), "d_score"_a.noconvert(), "d_position"_a.noconvert(),
          "o_label"_a.noconvert(),
          "o_image"_a.noconvert(), "o_corners"_a.noconvert(), "o_area"_a.noconvert(), "o_size"_a.noconvert(),
          "o_role"_a.noconvert(), "labels"_a, "images"_a, "pixel"_a, "touching"_a, "even_if_taken"_a,
          "prefer_counted"_a, "last_of_equals"_a, "strict"_a, "ignore_outside"_a, "closed_ranges"_a, "cap"_a,
          "thresholds"_a.noconvert(), "lowest"_a.noconvert(), "highest"_a.noconvert(), "first"_a.noconvert(),
          "row"_a.noconvert(), "image"_a.noconvert(), "score"_a.noconvert(), "position"_a.noconvert(),
          "earliest"_a.noconvert(), "rank"_a.noconvert(), "hits"_a.noconvert(), "ignored"_a.noconvert(), "object"_a.noconvert().none(),
          "overlap"_a.noconvert().none(), "counted"_a.noconvert(), "to_find"_a.noconvert(), "cut"_a.noconvert(), "threads"_a,
          "Match detections to objects; writes verdicts into the given arrays and returns how many.");
    m.def("curve", &curve, "first"_a.noconvert(), "score"_a.noconvert(), "tie"_a.noconvert().none(),
          "rank"_a.noconvert(), "hits"_a.noconvert(), "ignored"_a.noconvert(), "n_ranges"_a, "n_thresholds"_a,
          "to_find"_a.noconvert(), "slices"_a, "levels"_a.noconvert(), "exact_levels"_a, "epsilon"_a, "n_drawn"_a,
          "precision"_a.noconvert().none(), "level_score"_a.noconvert().none(), "all_points"_a.noconvert().none(),
          "true_positives"_a.noconvert(), "false_positives"_a.noconvert(), "threads"_a,
          "Precision at recall levels and counts, per slice, threshold and class, into the given arrays.");
    m.def("json_columns", &json_columns, "text"_a.none(), "descriptor"_a, "size"_a, "layout"_a, "main"_a,
          "block_size"_a, "threads"_a,
          "Arrays of JSON records as columns; None where the file is not of the usual kind.");
}
