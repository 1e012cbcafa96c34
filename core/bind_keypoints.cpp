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

template <class Number>
void keypoint_exponents(Points<Number> d_points, Points<double> o_points, In<std::uint8_t> o_unlabelled, Boxes o_around,
                        In<double> o_area, In<std::int64_t> o_variance, In<double> variances,
                        In<std::int64_t> detection, In<std::int64_t> object, In<std::int64_t> first,
                        Out<double> exponent, int threads) {
    nb::gil_scoped_release release;
    boxscore::keypoint_exponents(
        rows_of(d_points), {rows_of(o_points), o_unlabelled.data(), o_around.data(), o_area.data(), o_variance.data()},
        variances.data(), {detection.data(), object.data(), first.data(), detection.size()}, exponent.data(), threads);
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
    exponents(&keypoint_exponents<double>);
    exponents(&keypoint_exponents<float>);
    m.def("keypoint_means", &keypoint_means, "first"_a.noconvert(), "values"_a.noconvert(), "mean"_a.noconvert(),
          "threads"_a, "The mean of the values of each pair, into the given array; 0 where there are none.");
}
