// Bindings: keypoints.
#include "bind.hpp"
#include "keypoints.hpp"

namespace {

template <class Number>
using Points = nb::ndarray<const Number, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;

template <class Number>
boxscore::PointRows<Number> rows_of(const Points<Number>& points) {
    return {points.data(), points.shape(1)};
}

template <class Own, class Other>
void keypoint_exponents(Points<Own> d_points, Points<Other> o_points, In<std::uint8_t> o_unlabelled, Boxes o_around,
                        In<double> o_area, In<std::int64_t> o_variance, In<double> variances,
                        In<std::int64_t> detection, In<std::int64_t> object, In<std::int64_t> first,
                        Out<double> exponent, int threads) {
    nb::gil_scoped_release release;
    boxscore::keypoint_exponents<Own, Other>(
        rows_of(d_points), {rows_of(o_points), o_unlabelled.data(), o_around.data(), o_area.data(), o_variance.data()},
        variances.data(), {detection.data(), object.data(), first.data(), detection.size()}, exponent.data(), threads);
}

template <class Own, class Other>
void keypoints_near(Points<Own> d_points, Points<Other> o_points, In<std::uint8_t> o_unlabelled, Boxes o_around,
                    In<double> o_area, In<std::int64_t> o_variance, In<double> variances, In<std::int64_t> detection,
                    In<std::int64_t> object, In<std::int64_t> first, double floor, Out<std::uint8_t> near,
                    int threads) {
    nb::gil_scoped_release release;
    boxscore::keypoints_near<Own, Other>(
        rows_of(d_points), {rows_of(o_points), o_unlabelled.data(), o_around.data(), o_area.data(), o_variance.data()},
        variances.data(), {detection.data(), object.data(), first.data(), detection.size()}, floor, near.data(),
        threads);
}

template <class Number>
void point_counts(Points<Number> points, Out<std::int64_t> count, int threads) {
    nb::gil_scoped_release release;
    boxscore::point_counts(rows_of(points), points.shape(0), count.data(), threads);
}

template <class Number>
std::int64_t count_far_points(Points<Number> points, In<std::int32_t> image, In<double> width, In<double> height,
                              bool labelled_only) {
    nb::gil_scoped_release release;
    return boxscore::count_far_points(rows_of(points), image.data(), points.shape(0), width.data(), height.data(),
                                      labelled_only);
}

void keypoint_means(In<std::int64_t> first, In<double> values, Out<double> mean, int threads) {
    nb::gil_scoped_release release;
    boxscore::keypoint_means(first.data(), mean.size(), values.data(), mean.data(), threads);
}

}  // namespace

void bind_keypoints(nb::module_& m) {
    const auto exponents = [&](auto kernel) {
        m.def(
            "keypoint_exponents", kernel, "d_points"_a.noconvert(), "o_points"_a.noconvert(),
            "o_unlabelled"_a.noconvert(), "o_around"_a.noconvert(), "o_area"_a.noconvert(), "o_variance"_a.noconvert(),
            "variances"_a.noconvert(), "detection"_a.noconvert(), "object"_a.noconvert(), "first"_a.noconvert(),
            "exponent"_a.noconvert(), "threads"_a,
            "The exponents of the keypoint similarity of pairs, one for each point that counts, into the given array.");
    };
    exponents(&keypoint_exponents<double, double>);
    exponents(&keypoint_exponents<float, double>);
    exponents(&keypoint_exponents<double, float>);
    exponents(&keypoint_exponents<float, float>);
    const auto near = [&](auto kernel) {
        m.def("keypoints_near", kernel, "d_points"_a.noconvert(), "o_points"_a.noconvert(),
              "o_unlabelled"_a.noconvert(), "o_around"_a.noconvert(), "o_area"_a.noconvert(),
              "o_variance"_a.noconvert(), "variances"_a.noconvert(), "detection"_a.noconvert(), "object"_a.noconvert(),
              "first"_a.noconvert(), "floor"_a, "near"_a.noconvert(), "threads"_a,
              "Whether the keypoint similarity of each pair can reach the floor, into the given array.");
    };
    near(&keypoints_near<double, double>);
    near(&keypoints_near<float, double>);
    near(&keypoints_near<double, float>);
    near(&keypoints_near<float, float>);
    m.def("keypoint_means", &keypoint_means, "first"_a.noconvert(), "values"_a.noconvert(), "mean"_a.noconvert(),
          "threads"_a, "The mean of the values of each pair, into the given array; 0 where there are none.");
    const auto counts = [&](auto kernel) {
        m.def("point_counts", kernel, "points"_a.noconvert(), "count"_a.noconvert(), "threads"_a,
              "How many points of each row are not nan, into the given array.");
    };
    counts(&point_counts<double>);
    counts(&point_counts<float>);
    const auto far = [&](auto kernel) {
        m.def("count_far_points", kernel, "points"_a.noconvert(), "image"_a.noconvert(), "width"_a.noconvert(),
              "height"_a.noconvert(), "labelled_only"_a,
              "How many points lie more than the size of their image outside of it.");
    };
    far(&count_far_points<double>);
    far(&count_far_points<float>);
}
