// The only file that knows Python: typed arrays in, typed arrays out, the interpreter free to go on meanwhile.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "corners.hpp"
#include "crc32c.hpp"
#include "csv_columns.hpp"
#include "curve.hpp"
#include "file_bytes.hpp"
#include "image_headers.hpp"
#include "index_of.hpp"
#include "json_columns.hpp"
#include "match.hpp"
#include "text_rows.hpp"
#include "xml_records.hpp"

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

template <class T>
T* data(std::optional<Out<T>>& array) {
    return array ? array->data() : nullptr;
}

template <class T>
const T* data(std::optional<In<T>>& array) {
    return array ? array->data() : nullptr;
}

std::unique_ptr<boxscore::Cells> make_cells(In<std::int32_t> d_label, In<std::int32_t> d_image, In<double> d_score,
                                            In<std::int32_t> o_label, In<std::int32_t> o_image, std::size_t labels,
                                            std::size_t images, int threads) {
    nb::gil_scoped_release release;
    return std::make_unique<boxscore::Cells>(
        boxscore::RowLabels{d_label.data(), d_image.data(), d_label.size()}, d_score.data(),
        boxscore::RowLabels{o_label.data(), o_image.data(), o_label.size()}, labels, images, threads);
}

std::size_t match(const boxscore::Cells& cells, In<std::int32_t> d_label, In<std::int32_t> d_image, Boxes d_corners, In<double> d_area,
                  In<double> d_size, std::optional<In<std::uint8_t>> d_role, In<double> d_score,
                  In<std::int64_t> d_position, In<std::int32_t> o_label, In<std::int32_t> o_image, Boxes o_corners,
                  In<double> o_area, In<double> o_size, In<std::uint8_t> o_role, std::optional<In<double>> o_limit,
                  double pixel, bool touching, bool by_overlap,
                  bool even_if_taken, bool shared, bool prefer_counted, bool last_of_equals,
                  bool last_first, bool strict, bool ignore_outside, bool closed_ranges, double credit_floor, std::uint32_t cap,
                  int tie_rule, In<double> thresholds, In<double> lowest, In<double> highest, Out<std::int64_t> first,
                  std::optional<Out<std::uint32_t>> row, std::optional<Out<std::int32_t>> image,
                  std::optional<Out<double>> score, std::optional<Out<std::int64_t>> tie,
                  std::optional<Out<std::int32_t>> rank, AnyOut hits, AnyOut ignored, bool cleared,
                  std::optional<AnyOut> credits, std::optional<Out<std::int32_t>> object,
                  std::optional<Out<double>> overlap, Out<std::uint64_t> counted, Out<std::int64_t> to_find,
                  std::optional<Out<std::int64_t>> absorbing, Out<std::uint8_t> cut, int threads) {
    using namespace boxscore;
    const MatchTask task{
        {d_label.data(), d_image.data(), d_corners.data(), d_area.data(), d_size.data(), data(d_role), d_label.size()},
        {o_label.data(), o_image.data(), o_corners.data(), o_area.data(), o_size.data(), o_role.data(), o_label.size()},
        d_score.data(),
        d_position.data(),
        data(o_limit),
        {{pixel, touching, 0.0},
         by_overlap,
         even_if_taken,
         shared,
         prefer_counted,
         last_of_equals,
         last_first,
         strict,
         ignore_outside,
         closed_ranges,
         credit_floor,
         cap,
         static_cast<Tie>(tie_rule),
         thresholds.data(),
         static_cast<int>(thresholds.size()),
         lowest.data(),
         highest.data(),
         static_cast<int>(lowest.size())},
        {first.data(), data(row), data(image), data(score), data(tie), data(rank), hits.data(), ignored.data(),
         cleared, credits ? credits->data() : nullptr, data(object), data(overlap), counted.data(), to_find.data(),
         data(absorbing), cut.data()}};
    std::size_t written = 0;
    nb::gil_scoped_release release;
    with_word(hits.itemsize(), [&](auto word) { written = match_all<decltype(word)>(task, cells, threads); });
    return written;
}

void curve(In<std::int64_t> first, In<double> score, std::optional<In<std::uint32_t>> order, In<std::int32_t> image, std::optional<In<std::int64_t>> tie,
           In<std::int32_t> rank, AnyIn hits, AnyIn ignored, std::optional<AnyIn> credits, int n_ranges,
           int n_thresholds, bool later_image, int hits_first, In<std::int64_t> group_first,
           In<std::int32_t> group_classes, In<std::int64_t> to_find, std::optional<In<std::int64_t>> absorbing,
           double weight, std::vector<std::pair<int, int>> slices, In<double> levels, bool exact_levels,
           std::pair<double, double> recall_bounds, double epsilon, std::size_t n_drawn,
           std::optional<Out<double>> precision, std::optional<Out<double>> level_score,
           std::optional<Out<double>> all_points, Out<std::int64_t> true_positives, Out<std::int64_t> false_positives,
           std::optional<Out<double>> found, std::optional<Out<std::int64_t>> tied, int threads) {
    using namespace boxscore;
    const Verdicts verdicts{first.data(), first.size() - 1, score.data(),
                            data(order),  image.data(),     data(tie),
                            rank.data(),  hits.data(),      ignored.data(),
                            credits ? credits->data() : nullptr, n_ranges, n_thresholds};
    const TieRules ties{later_image, hits_first};
    const Groups groups{group_first.data(), group_classes.data(), group_first.size() - 1};
    std::vector<Slice> wanted;
    for (const auto& [range, cap] : slices) wanted.push_back({range, cap});
    const ToFind aims{to_find.data(), data(absorbing), weight};
    const CurveRules rules{levels.data(), static_cast<int>(levels.size()), exact_levels,
                           recall_bounds.first, recall_bounds.second, epsilon};
    // Written group by group; official codes average over an array in which the class is the last axis.
    const std::size_t n_cells = n_drawn * static_cast<std::size_t>(n_thresholds) * levels.size();
    std::vector<double> by_group(precision ? n_cells * groups.n : 0);
    std::vector<double> scores_by_group(level_score ? n_cells * groups.n : 0);
    const CurveOutput out{n_drawn,
                          precision ? by_group.data() : nullptr,
                          level_score ? scores_by_group.data() : nullptr,
                          data(all_points),
                          true_positives.data(),
                          false_positives.data(),
                          data(found),
                          data(tied)};
    nb::gil_scoped_release release;
    with_word(hits.itemsize(), [&](auto word) {
        all_curves<decltype(word)>(verdicts, ties, groups, wanted, rules, aims, out, threads);
    });
    if (precision) transpose(by_group.data(), groups.n, n_cells, precision->data(), threads);
    if (level_score) transpose(scores_by_group.data(), groups.n, n_cells, level_score->data(), threads);
}

void rank(In<std::int64_t> first, In<double> score, In<std::int32_t> image, std::optional<In<std::int64_t>> tie,
          bool later_image, std::optional<In<std::uint32_t>> other, Out<std::uint32_t> order, Out<std::int64_t> tied,
          int threads) {
    using namespace boxscore;
    const Verdicts verdicts{first.data(), first.size() - 1, score.data(), data(other), image.data(), data(tie), nullptr,
                            nullptr,      nullptr,          nullptr,      0,           0};
    nb::gil_scoped_release release;
    rank_classes(verdicts, {later_image, 0}, order.data(), tied.data(), threads);
}

// Hands a vector over to Python, which frees it.
template <class T>
nb::object handed_over(boxscore::AlignedVector<T>&& values) {
    using Values = boxscore::AlignedVector<T>;
    auto* kept = new Values(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

// Fresh memory for the columns that Python hands to the kernels.
nb::object memory(std::size_t bytes) {
    auto* data = static_cast<std::uint8_t*>(::operator new(bytes, boxscore::kCacheLine));
    nb::capsule owner(data, [](void* p) noexcept { ::operator delete(p, boxscore::kCacheLine); });
    return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(data, {bytes}, owner));
}

// The bytes of a text, or of the file behind a descriptor.
boxscore::ReadBytes reader_of(const std::optional<nb::bytes>& text, int descriptor) {
    const char* whole = text ? text->c_str() : nullptr;
    return [whole, descriptor](std::size_t begin, std::size_t end, char* buffer) {
        if (whole) {
            std::copy(whole + begin, whole + end, buffer);
            return;
        }
#ifndef _WIN32
        while (begin < end) {
            const auto got = pread(descriptor, buffer, end - begin, static_cast<off_t>(begin));
            if (got <= 0) throw boxscore::Unusual{};
            begin += static_cast<std::size_t>(got);
            buffer += got;
        }
#else
        throw boxscore::Unusual{};
#endif
    };
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
    const ReadBytes read = reader_of(text, descriptor);
    std::vector<Records> records;
    try {
        nb::gil_scoped_release release;
        records = json_records(tables, main, read, size, block_size, threads);
    } catch (const Unusual&) {
        return nb::none();
    }
    nb::dict result;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        if (!records[t].seen) continue;
        nb::dict columns;
        for (std::size_t f = 0; f < tables[t].fields.size(); ++f) {
            const auto& [name, kind] = tables[t].fields[f];
            Column& column = records[t].columns[f];
            nb::object missing = nb::none(), values, parts = nb::none();  // parts: what the values are the ends of
            if (column.any_missing) missing = handed_over(std::move(column.missing));
            if (kind == Kind::string) {
                parts = nb::make_tuple(nb::bytes(column.text.data(), column.text.size()), column.any_escaped);
            } else if (kind == Kind::integers) {
                parts = handed_over(std::move(column.listed));
            }
            values = is_numeric(kind) ? handed_over(std::move(column.numbers)) : handed_over(std::move(column.integers));
            columns[name.c_str()] = nb::make_tuple(values, missing, parts);
        }
        result[tables[t].name.c_str()] = columns;
    }
    return result;
}

nb::list xml_columns_of(boxscore::XmlRows& rows, const std::vector<boxscore::XmlField>& fields) {
    using namespace boxscore;
    nb::list columns;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        XmlColumn& column = rows.columns[f];
        if (fields[f].kind == XmlKind::number) {
            columns.append(handed_over(std::move(column.numbers)));
            continue;
        }
        std::string text;
        AlignedVector<std::int64_t> ends;
        for (const std::string* one : column.texts.all) {
            text += *one;
            ends.push_back(static_cast<std::int64_t>(text.size()));
        }
        columns.append(nb::make_tuple(handed_over(std::move(column.codes)), nb::bytes(text.data(), text.size()),
                                      handed_over(std::move(ends))));
    }
    return columns;
}

nb::object xml_columns(nb::bytes pieces, In<std::int64_t> ends, bool on_disk, const std::string& root,
                       const std::string& record, const std::vector<std::pair<std::string, int>>& header,
                       const std::vector<std::pair<std::string, int>>& fields, int threads) {
    using namespace boxscore;
    XmlLayout layout{root, record, {}, {}};
    for (const auto& [path, kind] : header) layout.header.push_back({path, static_cast<XmlKind>(kind)});
    for (const auto& [path, kind] : fields) layout.fields.push_back({path, static_cast<XmlKind>(kind)});
    const ManyFiles files{pieces.c_str(), ends.data(), ends.size(), on_disk};
    XmlResult result;
    {
        nb::gil_scoped_release release;
        result = xml_records(files, layout, threads);
    }
    return nb::make_tuple(handed_over(std::move(result.quick)), handed_over(std::move(result.first)),
                          xml_columns_of(result.header, layout.header), xml_columns_of(result.records, layout.fields));
}

// Files below `root`, whose paths are separated by zeros; without it, files that are here already.
nb::object image_headers(std::optional<nb::bytes> root, nb::bytes paths, const std::vector<nb::bytes>& contents,
                         int threads) {
    using namespace boxscore;
    constexpr std::size_t kStart = 1 << 15, kBlock = 64;  // bytes of a file that are looked at; files at a time
    std::vector<std::string_view> files;
    for (const auto& content : contents) files.emplace_back(content.c_str(), std::min(content.size(), kStart));
    if (root && paths.size()) {
        const std::string_view all(paths.c_str(), paths.size());
        for (std::size_t at = 0; at <= all.size(); at += files.back().size() + 1) files.emplace_back(all.data() + at);
    }
    AlignedVector<std::int64_t> width(files.size()), height(files.size());
    AlignedVector<std::uint8_t> turned(files.size()), known(files.size());
    {
        const char* place = root ? root->c_str() : nullptr;
        nb::gil_scoped_release release;
        const Folder folder(place ? place : "");
        parallel_for((files.size() + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
            std::vector<char> buffer(place ? kStart : 0);
            for (std::size_t i = block * kBlock; i < std::min(files.size(), (block + 1) * kBlock); ++i) {
                std::string_view start = files[i];
                if (place && !folder.start(files[i].data(), buffer, start)) start = {};
                const ImageHeader header = HeaderReader(start).read();
                width[i] = header.known ? header.width : 0;
                height[i] = header.known ? header.height : 0;
                turned[i] = header.known ? header.turned : 0;
                known[i] = header.known;
            }
        });
    }
    return nb::make_tuple(handed_over(std::move(width)), handed_over(std::move(height)), handed_over(std::move(turned)),
                          handed_over(std::move(known)));
}

// Files below `root`, whose paths are separated by zeros; without it, files that are here already.
nb::object text_rows(std::optional<nb::bytes> root, nb::bytes paths, const std::vector<nb::bytes>& contents,
                     std::size_t tail, int threads) {
    using namespace boxscore;
    std::vector<std::string_view> files;
    for (const auto& content : contents) files.emplace_back(content.c_str(), content.size());
    if (root && paths.size()) {
        const std::string_view all(paths.c_str(), paths.size());
        for (std::size_t at = 0; at <= all.size(); at += files.back().size() + 1) files.emplace_back(all.data() + at);
    }
    AlignedVector<std::uint8_t> odd(files.size());
    TextRows rows;
    {
        const char* place = root ? root->c_str() : nullptr;
        nb::gil_scoped_release release;
        if (place) {
            const Folder folder(place);
            rows = boxscore::text_rows(files.size(), [&](std::size_t i, std::vector<char>& buffer, std::string_view& text) {
                return folder.read(files[i].data(), buffer, text);
            }, tail, odd.data(), threads);
        } else {
            rows = boxscore::text_rows(files.size(), [&](std::size_t i, std::vector<char>&, std::string_view& text) {
                text = files[i];
                return true;
            }, tail, odd.data(), threads);
        }
    }
    nb::list names;
    for (const auto& name : rows.table.names) names.append(nb::str(name.data(), name.size()));
    return nb::make_tuple(handed_over(std::move(rows.file)), handed_over(std::move(rows.name)),
                          handed_over(std::move(rows.line)), handed_over(std::move(rows.end)),
                          handed_over(std::move(rows.numbers)), names, handed_over(std::move(odd)));
}

nb::object csv_columns(std::optional<nb::bytes> text, int descriptor, std::size_t begin, std::size_t size, char delimiter,
                       std::size_t width, const std::vector<std::pair<bool, std::vector<std::size_t>>>& wanted,
                       std::size_t block_size, int threads) {
    using namespace boxscore;
    CsvLayout layout{delimiter, width, {}};
    for (const auto& [is_text, fields] : wanted) layout.columns.push_back({is_text, fields});
    const ReadBytes read = reader_of(text, descriptor);
    std::vector<CsvValues> values;
    try {
        nb::gil_scoped_release release;
        values = csv_values(layout, read, begin, size, block_size, threads);
    } catch (const Unusual&) {
        return nb::none();
    }
    nb::list result;
    for (std::size_t c = 0; c < values.size(); ++c) {
        if (layout.columns[c].is_text) {
            const std::string& texts = values[c].texts.text;
            result.append(nb::make_tuple(handed_over(std::move(values[c].codes)), nb::bytes(texts.data(), texts.size())));
        } else {
            result.append(handed_over(std::move(values[c].numbers)));
        }
    }
    return result;
}

// For each value its index in `known`, -1 where it is not there; the first of equal ones counts.
void index_of(In<std::int64_t> values, In<std::int64_t> known, Out<std::int32_t> out, int threads) {
    nb::gil_scoped_release release;
    boxscore::index_of(values.data(), values.size(), known.data(), known.size(), out.data(), threads);
}

void to_corners(Boxes boxes, int form, nb::ndarray<double, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu> corners,
                Out<double> area, int threads) {
    nb::gil_scoped_release release;
    boxscore::to_corners(boxes.data(), boxes.shape(0), static_cast<boxscore::Form>(form), corners.data(), area.data(),
                         threads);
}

std::size_t count_flat(Boxes corners, int threads) {
    nb::gil_scoped_release release;
    return boxscore::count_flat(corners.data(), corners.shape(0), threads);
}

// An array rather than `bytes`: a view of a part of a file comes without a copy.
std::uint32_t crc32c(In<std::uint8_t> bytes) {
    nb::gil_scoped_release release;
    return boxscore::crc32c(bytes.data(), bytes.size());
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "Compiled kernels of boxscore; boxscore._reference defines what they compute.";
    nb::class_<boxscore::Cells>(m, "Cells", "The rows of two tables by image and class; `cells` makes it.")
        .def_prop_ro("largest", [](const boxscore::Cells& c) { return c.largest; }, "Detections in the fullest cell.")
        .def("find_meets", [](boxscore::Cells& c, Boxes d_corners, In<double> d_area, Boxes o_corners,
                              In<double> o_area, In<double> floor, In<std::uint8_t> over, int threads) {
            nb::gil_scoped_release release;
            c.find_meets({d_corners.data(), d_area.data(), o_corners.data(), o_area.data(), floor.data(), over.data()}, threads);
        }, "d_corners"_a.noconvert(), "d_area"_a.noconvert(), "o_corners"_a.noconvert(), "o_area"_a.noconvert(),
           "floor"_a.noconvert(), "over"_a.noconvert(), "threads"_a,
           "Find the pairs that may overlap by the floor of the object, for all matchings to come.")
        .def_prop_ro("tied", [](const boxscore::Cells& c) { return c.any_tied; }, "Whether a cell has equal scores.");
    m.def("cells", &make_cells, "d_label"_a.noconvert(), "d_image"_a.noconvert(), "d_score"_a.noconvert(),
          "o_label"_a.noconvert(), "o_image"_a.noconvert(), "labels"_a, "images"_a, "threads"_a,
          "Group the rows of detections and objects by image and class.");
    m.def("match", &match, "cells"_a, "d_label"_a.noconvert(), "d_image"_a.noconvert(), "d_corners"_a.noconvert(),
          "d_area"_a.noconvert(), "d_size"_a.noconvert(), "d_role"_a.noconvert().none(), "d_score"_a.noconvert(),
          "d_position"_a.noconvert(), "o_label"_a.noconvert(), "o_image"_a.noconvert(), "o_corners"_a.noconvert(),
          "o_area"_a.noconvert(), "o_size"_a.noconvert(), "o_role"_a.noconvert(), "o_limit"_a.noconvert().none(),
          "pixel"_a, "touching"_a, "by_overlap"_a, "even_if_taken"_a, "shared"_a, "prefer_counted"_a,
          "last_of_equals"_a, "last_first"_a, "strict"_a, "ignore_outside"_a, "closed_ranges"_a, "credit_floor"_a, "cap"_a,
          "tie_rule"_a, "thresholds"_a.noconvert(), "lowest"_a.noconvert(), "highest"_a.noconvert(),
          "first"_a.noconvert(), "row"_a.noconvert().none(), "image"_a.noconvert().none(),
          "score"_a.noconvert().none(), "tie"_a.noconvert().none(), "rank"_a.noconvert().none(),
          "hits"_a.noconvert(), "ignored"_a.noconvert(), "cleared"_a, "credits"_a.noconvert().none(),
          "object"_a.noconvert().none(), "overlap"_a.noconvert().none(), "counted"_a.noconvert(),
          "to_find"_a.noconvert(), "absorbing"_a.noconvert().none(), "cut"_a.noconvert(), "threads"_a,
          "Match detections to objects; writes verdicts into the given arrays and returns how many.");
    m.def("rank", &rank, "first"_a.noconvert(), "score"_a.noconvert(), "image"_a.noconvert(),
          "tie"_a.noconvert().none(), "later_image"_a, "other"_a.noconvert().none(), "order"_a.noconvert(), "tied"_a.noconvert(), "threads"_a,
          "The rows of each class as they are ranked, and how many share their score, into the given arrays.");
    m.def("curve", &curve, "first"_a.noconvert(), "score"_a.noconvert(), "order"_a.noconvert().none(),
          "image"_a.noconvert(), "tie"_a.noconvert().none(), "rank"_a.noconvert(), "hits"_a.noconvert(),
          "ignored"_a.noconvert(), "credits"_a.noconvert().none(), "n_ranges"_a, "n_thresholds"_a, "later_image"_a,
          "hits_first"_a, "group_first"_a.noconvert(), "group_classes"_a.noconvert(),
          "to_find"_a.noconvert(), "absorbing"_a.noconvert().none(), "weight"_a, "slices"_a, "levels"_a.noconvert(),
          "exact_levels"_a, "recall_bounds"_a, "epsilon"_a, "n_drawn"_a, "precision"_a.noconvert().none(),
          "level_score"_a.noconvert().none(), "all_points"_a.noconvert().none(), "true_positives"_a.noconvert(),
          "false_positives"_a.noconvert(), "found"_a.noconvert().none(), "tied"_a.noconvert().none(), "threads"_a,
          "Precision at recall levels and counts, per slice, threshold and group of classes, into the given arrays.");
    m.def("to_corners", &to_corners, "boxes"_a.noconvert(), "form"_a, "corners"_a.noconvert(), "area"_a.noconvert(),
          "threads"_a, "Corners and areas of boxes given as xyxy (0), xywh (1) or cxcywh (2), into the given arrays.");
    m.def("count_flat", &count_flat, "corners"_a.noconvert(), "threads"_a, "How many boxes have no extent.");
    m.def("index_of", &index_of, "values"_a.noconvert(), "known"_a.noconvert(), "out"_a.noconvert(), "threads"_a,
          "The index of each value among the known ones, -1 where it is not there.");
    m.def("crc32c", &crc32c, "bytes"_a.noconvert(), "Castagnoli's cyclic redundancy check of bytes.");
    m.def("memory", &memory, "bytes"_a, "Memory whose content is anything.");
    m.def("json_columns", &json_columns, "text"_a.none(), "descriptor"_a, "size"_a, "layout"_a, "main"_a,
          "block_size"_a, "threads"_a,
          "Arrays of JSON records as columns; None where the file is not of the usual kind.");
    m.def("xml_columns", &xml_columns, "pieces"_a, "ends"_a.noconvert(), "on_disk"_a, "root"_a, "record"_a, "header"_a,
          "fields"_a, "threads"_a, "Records of many small XML files as columns.");
    m.def("image_headers", &image_headers, "root"_a.none(), "paths"_a, "contents"_a, "threads"_a,
          "Width, height and rotation of JPEG and PNG files, and which of them are not of the usual kind.");
    m.def("text_rows", &text_rows, "root"_a.none(), "paths"_a, "contents"_a, "tail"_a, "threads"_a,
          "Lines `<name> <number>…` of many small files as columns, and which files are not of the usual kind.");
    m.def("csv_columns", &csv_columns, "text"_a.none(), "descriptor"_a, "begin"_a, "size"_a, "delimiter"_a, "width"_a,
          "wanted"_a, "block_size"_a, "threads"_a,
          "Rows between delimiters as columns; None where the file is not of the usual kind.");
}
