// Cells, matching and curves, for Python.
#include "bind.hpp"
#include "curve.hpp"
#include "grouping.hpp"
#include "match.hpp"

namespace {

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

nb::tuple cells(In<std::int32_t> d_label, In<std::int32_t> d_image, In<double> d_score, In<std::int32_t> o_label,
                In<std::int32_t> o_image, std::size_t labels, std::size_t images, int threads) {
    using namespace boxscore;
    std::optional<Grouped> made;
    {
        nb::gil_scoped_release release;
        made = Grouping({d_label.data(), d_image.data(), d_label.size()}, d_score.data(),
                        {o_label.data(), o_image.data(), o_label.size()}, labels, images)
                   .run(threads);
    }
    AlignedVector<std::int64_t> first(made->cells.first.begin(), made->cells.first.end());
    return nb::make_tuple(std::move(made->cells), handed_over(std::move(made->rows)),
                          handed_over(std::move(made->objects)), made->tied, handed_over(std::move(first)));
}

void find_meets(boxscore::Cells& cells, Boxes d_corners, In<double> d_area, Boxes o_corners, In<double> o_area,
                In<double> floor, In<std::uint8_t> over, int threads) {
    nb::gil_scoped_release release;
    cells.find_meets({d_corners.data(), d_area.data(), o_corners.data(), o_area.data(), floor.data(), over.data()},
                     threads);
}

nb::tuple find_pairs(const boxscore::Cells& cells, std::optional<Boxes> d_corners, std::optional<Boxes> o_corners,
                     std::optional<In<std::uint32_t>> d_rows, std::optional<In<std::uint32_t>> o_rows,
                     std::optional<In<double>> d_area, std::optional<In<double>> o_area,
                     std::optional<In<double>> floor, std::optional<In<std::uint8_t>> over, int threads) {
    std::pair<boxscore::AlignedVector<std::int64_t>, boxscore::AlignedVector<std::uint32_t>> made;
    const boxscore::PairBounds bounds{{data(d_corners), data(d_area), data(d_rows)},
                                      {data(o_corners), data(o_area), data(o_rows)},
                                      data(floor),
                                      data(over)};
    {
        nb::gil_scoped_release release;
        made = cells.find_pairs(bounds, threads);
    }
    return nb::make_tuple(handed_over(std::move(made.first)), handed_over(std::move(made.second)));
}

boxscore::MeasuredPairs measured(const std::optional<In<std::int64_t>>& first,
                                 const std::optional<In<std::uint32_t>>& object,
                                 const std::optional<In<double>>& shared, const std::optional<In<double>>& overlap,
                                 bool direct) {
    return {data(first), data(object), data(shared), data(overlap), direct};
}

using Ends = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

bool none_within(const boxscore::Cells& cells, Boxes d_corners, std::optional<In<double>> d_area,
                 std::optional<In<double>> d_size, Boxes o_corners, std::optional<In<double>> o_area,
                 std::optional<In<double>> o_size, In<std::uint8_t> o_role, std::optional<In<std::int64_t>> pair_first,
                 std::optional<In<std::uint32_t>> pair_object, std::optional<In<double>> pair_shared,
                 std::optional<In<double>> pair_overlap, bool direct, double pixel, bool touching, Ends overlaps,
                 Ends sizes, int threads) {
    nb::gil_scoped_release release;
    return boxscore::none_within(cells, {d_corners.data(), data(d_area), data(d_size), nullptr, nullptr, nullptr},
                                 {o_corners.data(), data(o_area), data(o_size), nullptr, o_role.data(), nullptr},
                                 {pixel, touching},
                                 measured(pair_first, pair_object, pair_shared, pair_overlap, direct),
                                 {overlaps.data(), overlaps.shape(0)}, {sizes.data(), sizes.shape(0)}, threads);
}

void turns(const boxscore::Cells& cells, In<double> score, bool last_first, Out<std::int32_t> rank, int threads) {
    nb::gil_scoped_release release;
    boxscore::turns(cells, score.data(), last_first, rank.data(), threads);
}

void earliest(const boxscore::Cells& cells, In<std::int64_t> position, Out<std::int64_t> least, int threads) {
    nb::gil_scoped_release release;
    boxscore::earliest(cells, position.data(), least.data(), threads);
}

void match(const boxscore::Cells& cells, Boxes d_corners, std::optional<In<double>> d_area,
           std::optional<In<double>> d_size, std::optional<In<std::uint8_t>> d_role,
           std::optional<In<std::uint32_t>> d_rows, In<double> d_score, Boxes o_corners,
           std::optional<In<double>> o_area, std::optional<In<double>> o_size, In<std::uint8_t> o_role,
           std::optional<In<double>> o_limit, std::optional<In<std::uint32_t>> o_rows,
           std::optional<In<std::int64_t>> pair_first, std::optional<In<std::uint32_t>> pair_object,
           std::optional<In<double>> pair_shared, std::optional<In<double>> pair_overlap, bool direct, double pixel,
           bool touching, bool single, bool by_overlap, bool by_object, bool even_if_taken, bool shared,
           bool prefer_counted, bool last_of_equals, double slack, bool last_first, bool ignore_outside,
           double credit_floor, std::uint32_t cap, In<double> thresholds, In<double> lowest, In<double> highest,
           AnyOut hits, AnyOut ignored, bool cleared, std::optional<AnyOut> credits,
           std::optional<Out<std::int32_t>> object, std::optional<Out<double>> overlap, AnyOut counted,
           Out<std::int64_t> to_find, std::optional<Out<std::int64_t>> absorbing, int threads) {
    using namespace boxscore;
    const MatchTask task{{d_corners.data(), data(d_area), data(d_size), nullptr, data(d_role), data(d_rows)},
                         {o_corners.data(), data(o_area), data(o_size), data(o_limit), o_role.data(), data(o_rows)},
                         d_score.data(),
                         measured(pair_first, pair_object, pair_shared, pair_overlap, direct),
                         {{pixel, touching, single},
                          by_overlap,
                          by_object,
                          even_if_taken,
                          shared,
                          prefer_counted,
                          last_of_equals,
                          slack,
                          last_first,
                          ignore_outside,
                          credit_floor,
                          cap,
                          thresholds.data(),
                          static_cast<int>(thresholds.size()),
                          lowest.data(),
                          highest.data(),
                          static_cast<int>(lowest.size())},
                         {hits.data(),
                          ignored.data(),
                          cleared,
                          credits ? credits->data() : nullptr,
                          data(object),
                          data(overlap),
                          {counted.data(), counted.itemsize() == 1},
                          to_find.data(),
                          data(absorbing)}};
    nb::gil_scoped_release release;
    with_word(hits.itemsize(), [&](auto word) { match_all<decltype(word)>(task, cells, threads); });
}

void curve(In<std::int64_t> first, In<double> score, std::optional<In<std::uint32_t>> order, In<std::int32_t> image,
           std::optional<In<std::int64_t>> tie, In<std::int32_t> rank, AnyIn hits, AnyIn ignored,
           std::optional<AnyIn> credits, std::optional<In<double>> share, int n_ranges, int n_thresholds,
           bool later_image, int hits_first, In<std::int64_t> group_first, In<std::int32_t> group_classes,
           In<std::int64_t> to_find, std::optional<In<std::int64_t>> absorbing, double weight,
           std::vector<std::pair<int, int>> slices, In<double> levels, bool exact_levels, bool above_levels,
           std::pair<double, double> recall_bounds, double epsilon, bool pairwise, std::size_t n_drawn,
           std::optional<Out<double>> precision, std::optional<Out<double>> level_score,
           std::optional<Out<double>> all_points, Out<std::int64_t> true_positives, Out<std::int64_t> false_positives,
           std::optional<Out<double>> found, std::optional<Out<double>> wrong, std::optional<Out<std::int64_t>> tied,
           int threads) {
    using namespace boxscore;
    const Verdicts verdicts{
        first.data(), first.size() - 1, score.data(), data(order),    image.data(),
        data(tie),    rank.data(),      hits.data(),  ignored.data(), credits ? credits->data() : nullptr,
        data(share),  n_ranges,         n_thresholds};
    const TieRules ties{later_image, hits_first};
    const Groups groups{group_first.data(), group_classes.data(), group_first.size() - 1};
    std::vector<Slice> wanted;
    for (const auto& [range, cap] : slices) wanted.push_back({range, cap});
    const ToFind aims{to_find.data(), data(absorbing), weight};
    const CurveRules rules{levels.data(),
                           static_cast<int>(levels.size()),
                           above_levels,
                           exact_levels,
                           recall_bounds.first,
                           recall_bounds.second,
                           epsilon,
                           pairwise};
    const CurveOutput out{n_drawn,          data(precision),       data(level_score),
                          data(all_points), true_positives.data(), false_positives.data(),
                          data(found),      data(wrong),           data(tied)};
    nb::gil_scoped_release release;
    with_word(hits.itemsize(), [&](auto word) {
        all_curves<decltype(word)>(verdicts, ties, groups, wanted, rules, aims, out, threads);
    });
}

void rank(In<std::int64_t> first, In<double> score, In<std::int32_t> image, std::optional<In<std::int64_t>> tie,
          bool later_image, std::optional<In<std::uint32_t>> other, Out<std::uint32_t> order, Out<std::int64_t> tied,
          int threads) {
    using namespace boxscore;
    const Verdicts verdicts{first.data(),
                            first.size() - 1,
                            score.data(),
                            data(other),
                            image.data(),
                            data(tie),
                            nullptr,
                            nullptr,
                            nullptr,
                            nullptr,
                            nullptr,
                            0,
                            0};
    nb::gil_scoped_release release;
    rank_classes(verdicts, {later_image, 0}, order.data(), tied.data(), threads);
}

}  // namespace

void bind_evaluation(nb::module_& m) {
    using boxscore::Cells;
    nb::class_<Cells>(m, "Cells", "Where the rows of each class and image are; `cells` makes it.")
        .def_prop_ro(
            "largest", [](const Cells& c) { return c.largest; }, "Detections in the fullest cell.")
        .def("find_meets", &find_meets, "d_corners"_a.noconvert(), "d_area"_a.noconvert(), "o_corners"_a.noconvert(),
             "o_area"_a.noconvert(), "floor"_a.noconvert(), "over"_a.noconvert(), "threads"_a,
             "Find the pairs that may overlap by the floor of the object, for all matchings to come.")
        .def(
            "find_pairs", &find_pairs, "d_corners"_a.noconvert().none(), "o_corners"_a.noconvert().none(),
            "d_rows"_a.noconvert().none(), "o_rows"_a.noconvert().none(), "d_area"_a.noconvert().none(),
            "o_area"_a.noconvert().none(), "floor"_a.noconvert().none(), "over"_a.noconvert().none(), "threads"_a,
            "Where the objects of each detection begin, and these: all of its cell, those whose boxes meet its own, or "
            "those that may overlap it by their floor, judged by boxes and areas.")
        .def("none_within", &none_within, "d_corners"_a.noconvert(), "d_area"_a.noconvert().none(),
             "d_size"_a.noconvert().none(), "o_corners"_a.noconvert(), "o_area"_a.noconvert().none(),
             "o_size"_a.noconvert().none(), "o_role"_a.noconvert(), "pair_first"_a.noconvert().none(),
             "pair_object"_a.noconvert().none(), "pair_shared"_a.noconvert().none(),
             "pair_overlap"_a.noconvert().none(), "direct"_a, "pixel"_a, "touching"_a, "overlaps"_a.noconvert(),
             "sizes"_a.noconvert(), "threads"_a, "Whether no overlap of a pair and no size lies in these intervals.")
        .def("turns", &turns, "score"_a.noconvert(), "last_first"_a, "rank"_a.noconvert(), "threads"_a,
             "When the turn of each detection in its cell comes, into the given array.")
        .def("earliest", &earliest, "position"_a.noconvert(), "least"_a.noconvert(), "threads"_a,
             "The least of the positions in the cell of each detection, into the given array.");
    m.def("cells", &cells, "d_label"_a.noconvert(), "d_image"_a.noconvert(), "d_score"_a.noconvert(),
          "o_label"_a.noconvert(), "o_image"_a.noconvert(), "labels"_a, "images"_a, "threads"_a,
          "Cells, the rows of detections and objects in their order, whether a cell has equal scores, where classes "
          "begin.");
    m.def("match", &match, "cells"_a, "d_corners"_a.noconvert(), "d_area"_a.noconvert().none(),
          "d_size"_a.noconvert().none(), "d_role"_a.noconvert().none(), "d_rows"_a.noconvert().none(),
          "d_score"_a.noconvert(), "o_corners"_a.noconvert(), "o_area"_a.noconvert().none(),
          "o_size"_a.noconvert().none(), "o_role"_a.noconvert(), "o_limit"_a.noconvert().none(),
          "o_rows"_a.noconvert().none(), "pair_first"_a.noconvert().none(), "pair_object"_a.noconvert().none(),
          "pair_shared"_a.noconvert().none(), "pair_overlap"_a.noconvert().none(), "direct"_a, "pixel"_a, "touching"_a,
          "single"_a, "by_overlap"_a, "by_object"_a, "even_if_taken"_a, "shared"_a, "prefer_counted"_a,
          "last_of_equals"_a, "slack"_a, "last_first"_a, "ignore_outside"_a, "credit_floor"_a, "cap"_a,
          "thresholds"_a.noconvert(), "lowest"_a.noconvert(), "highest"_a.noconvert(), "hits"_a.noconvert(),
          "ignored"_a.noconvert(), "cleared"_a, "credits"_a.noconvert().none(), "object"_a.noconvert().none(),
          "overlap"_a.noconvert().none(), "counted"_a.noconvert(), "to_find"_a.noconvert(),
          "absorbing"_a.noconvert().none(), "threads"_a,
          "Match detections to objects; verdicts go into the given arrays, in the order of the cells.");
    m.def("rank", &rank, "first"_a.noconvert(), "score"_a.noconvert(), "image"_a.noconvert(),
          "tie"_a.noconvert().none(), "later_image"_a, "other"_a.noconvert().none(), "order"_a.noconvert(),
          "tied"_a.noconvert(), "threads"_a,
          "The rows of each class as they are ranked, and how many share their score, into the given arrays.");
    m.def("curve", &curve, "first"_a.noconvert(), "score"_a.noconvert(), "order"_a.noconvert().none(),
          "image"_a.noconvert(), "tie"_a.noconvert().none(), "rank"_a.noconvert(), "hits"_a.noconvert(),
          "ignored"_a.noconvert(), "credits"_a.noconvert().none(), "share"_a.noconvert().none(), "n_ranges"_a,
          "n_thresholds"_a, "later_image"_a, "hits_first"_a, "group_first"_a.noconvert(), "group_classes"_a.noconvert(),
          "to_find"_a.noconvert(), "absorbing"_a.noconvert().none(), "weight"_a, "slices"_a, "levels"_a.noconvert(),
          "exact_levels"_a, "above_levels"_a, "recall_bounds"_a, "epsilon"_a, "pairwise"_a, "n_drawn"_a,
          "precision"_a.noconvert().none(), "level_score"_a.noconvert().none(), "all_points"_a.noconvert().none(),
          "true_positives"_a.noconvert(), "false_positives"_a.noconvert(), "found"_a.noconvert().none(),
          "wrong"_a.noconvert().none(), "tied"_a.noconvert().none(), "threads"_a,
          "Precision at recall levels and counts, per slice, threshold and group of classes, into the given arrays.");
}
