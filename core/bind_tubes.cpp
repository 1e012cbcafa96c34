// Bindings: tubes.
#include "bind.hpp"
#include "tubes.hpp"

namespace {

void tube_intersections(In<std::int64_t> d_begin, In<std::int64_t> d_end, In<std::int64_t> d_frame, Boxes d_corners,
                        In<std::int64_t> o_begin, In<std::int64_t> o_end, In<std::int64_t> o_frame, Boxes o_corners,
                        In<std::int64_t> detection, In<std::int64_t> object, Out<double> shared, int threads) {
    nb::gil_scoped_release release;
    boxscore::tube_intersections({d_begin.data(), d_end.data(), d_frame.data(), d_corners.data()},
                                 {o_begin.data(), o_end.data(), o_frame.data(), o_corners.data()}, detection.data(),
                                 object.data(), shared.size(), shared.data(), threads);
}

}  // namespace

void bind_tubes(nb::module_& m) {
    m.def("tube_intersections", &tube_intersections, "d_begin"_a.noconvert(), "d_end"_a.noconvert(),
          "d_frame"_a.noconvert(), "d_corners"_a.noconvert(), "o_begin"_a.noconvert(), "o_end"_a.noconvert(),
          "o_frame"_a.noconvert(), "o_corners"_a.noconvert(), "detection"_a.noconvert(), "object"_a.noconvert(),
          "shared"_a.noconvert(), "threads"_a,
          "Areas that pairs of tubes share over the frames that both have, into the given array.");
}
