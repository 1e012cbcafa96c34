// Bindings: keypoints.
#include "bind.hpp"
#include "keypoints.hpp"

namespace {

using Points = nb::ndarray<const double, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;

boxscore::PointRows rows_of(const Points& points) { return {points.data(), points.shape(1)}; }

void keypoint_exponents(Points d_points, Points o_points, In<std::uint8_t> o_unlabelled, Boxes o_around,
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
    m.def("keypoint_exponents", &keypoint_exponents, "d_points"_a.noconvert(), "o_points"_a.noconvert(),
          "o_unlabelled"_a.noconvert(), "o_around"_a.noconvert(), "o_area"_a.noconvert(), "o_variance"_a.noconvert(),
          "variances"_a.noconvert(), "detection"_a.noconvert(), "object"_a.noconvert(), "first"_a.noconvert(),
          "exponent"_a.noconvert(), "threads"_a,
          "The exponents of the keypoint similarity of pairs, one for each point that counts, into the given array.");
    m.def("keypoint_means", &keypoint_means, "first"_a.noconvert(), "values"_a.noconvert(), "mean"_a.noconvert(),
          "threads"_a, "The mean of the values of each pair, into the given array; 0 where there are none.");
}
