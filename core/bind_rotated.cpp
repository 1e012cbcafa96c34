// Quadrilaterals, for Python.
#include "bind.hpp"
#include "rotated.hpp"

namespace {

using Quads = nb::ndarray<const double, nb::shape<-1, 8>, nb::c_contig, nb::device::cpu>;

void quad_areas(Quads quads, Out<double> area, int threads) {
    nb::gil_scoped_release release;
    boxscore::quad_areas(quads.data(), quads.shape(0), area.data(), threads);
}

void quad_intersections(Quads detections, Quads objects, In<std::int64_t> detection, In<std::int64_t> object,
                        Out<double> shared, int threads) {
    nb::gil_scoped_release release;
    boxscore::quad_intersections(detections.data(), objects.data(), detection.data(), object.data(), shared.size(),
                                 shared.data(), threads);
}

}  // namespace

void bind_rotated(nb::module_& m) {
    m.def("quad_areas", &quad_areas, "quads"_a.noconvert(), "area"_a.noconvert(), "threads"_a,
          "Areas of quadrilaterals, into the given array.");
    m.def("quad_intersections", &quad_intersections, "detections"_a.noconvert(), "objects"_a.noconvert(),
          "detection"_a.noconvert(), "object"_a.noconvert(), "shared"_a.noconvert(), "threads"_a,
          "Areas that pairs of quadrilaterals share, given by their rows, into the given array.");
}
