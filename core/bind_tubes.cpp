// Bindings: tubes.
#include "bind.hpp"
#include "mask_tubes.hpp"
#include "tubes.hpp"

namespace {

using Sizes = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Integers = In<std::int64_t>;
using Bytes = In<std::uint8_t>;

void tube_intersections(Integers d_begin, Integers d_end, Integers d_frame, Boxes d_corners, In<double> d_area,
                        Integers o_begin, Integers o_end, Integers o_frame, Boxes o_corners, In<double> o_area,
                        Integers detection, Integers object, Out<double> shared, Out<double> either, int threads) {
    nb::gil_scoped_release release;
    boxscore::tube_intersections({{d_begin.data(), d_end.data(), d_frame.data()}, d_corners.data(), d_area.data()},
                                 {{o_begin.data(), o_end.data(), o_frame.data()}, o_corners.data(), o_area.data()},
                                 detection.data(), object.data(), shared.size(), shared.data(), either.data(), threads);
}

void mask_tube_intersections(Integers d_begin, Integers d_end, Integers d_frame, Bytes d_letters, Integers d_first,
                             Integers d_last, Sizes d_size, Integers o_begin, Integers o_end, Integers o_frame,
                             Bytes o_letters, Integers o_first, Integers o_last, Sizes o_size, Integers detection,
                             Integers object, Out<double> shared, int threads) {
    nb::gil_scoped_release release;
    boxscore::mask_tube_intersections({{d_begin.data(), d_end.data(), d_frame.data()},
                                       {d_letters.data(), d_first.data(), d_last.data(), d_size.data()}},
                                      {{o_begin.data(), o_end.data(), o_frame.data()},
                                       {o_letters.data(), o_first.data(), o_last.data(), o_size.data()}},
                                      detection.data(), object.data(), shared.size(), shared.data(), threads);
}

}  // namespace

void bind_tubes(nb::module_& m) {
    m.def("tube_intersections", &tube_intersections, "d_begin"_a.noconvert(), "d_end"_a.noconvert(),
          "d_frame"_a.noconvert(), "d_corners"_a.noconvert(), "d_area"_a.noconvert(), "o_begin"_a.noconvert(),
          "o_end"_a.noconvert(), "o_frame"_a.noconvert(), "o_corners"_a.noconvert(), "o_area"_a.noconvert(),
          "detection"_a.noconvert(), "object"_a.noconvert(), "shared"_a.noconvert(), "either"_a.noconvert(),
          "threads"_a, "Areas that pairs of tubes share, and that either covers, over all frames, into given arrays.");
    m.def("mask_tube_intersections", &mask_tube_intersections, "d_begin"_a.noconvert(), "d_end"_a.noconvert(),
          "d_frame"_a.noconvert(), "d_letters"_a.noconvert(), "d_first"_a.noconvert(), "d_last"_a.noconvert(),
          "d_size"_a.noconvert(), "o_begin"_a.noconvert(), "o_end"_a.noconvert(), "o_frame"_a.noconvert(),
          "o_letters"_a.noconvert(), "o_first"_a.noconvert(), "o_last"_a.noconvert(), "o_size"_a.noconvert(),
          "detection"_a.noconvert(), "object"_a.noconvert(), "shared"_a.noconvert(), "threads"_a,
          "Pixels that pairs of tubes of masks share over the frames that both have, into the given array.");
}
