// Kernels that make columns, for Python.
#include "bind.hpp"
#include "corners.hpp"
#include "crc32c.hpp"
#include "index_of.hpp"
#include "take.hpp"

namespace {

// Fresh memory for the columns that Python hands to the kernels.
nb::object memory(std::size_t bytes) {
    auto* data = static_cast<std::uint8_t*>(::operator new(bytes, boxscore::kCacheLine));
    nb::capsule owner(data, [](void* p) noexcept { ::operator delete(p, boxscore::kCacheLine); });
    return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(data, {bytes}, owner));
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

void box_areas(Boxes corners, double pixel, Out<double> area, int threads) {
    nb::gil_scoped_release release;
    boxscore::box_areas(corners.data(), corners.shape(0), pixel, area.data(), threads);
}

void margin_overlaps(Boxes corners, double pixel, double margin, Out<double> overlap, int threads) {
    nb::gil_scoped_release release;
    boxscore::margin_overlaps(corners.data(), corners.shape(0), pixel, margin, overlap.data(), threads);
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

void take(AnyIn column, In<std::uint32_t> rows, AnyOut out, int threads) {
    nb::gil_scoped_release release;
    std::size_t width = column.itemsize();
    for (std::size_t axis = 1; axis < column.ndim(); ++axis) width *= column.shape(axis);
    boxscore::take(column.data(), width, rows.data(), rows.size(), out.data(), threads);
}

}  // namespace

void bind_columns(nb::module_& m) {
    m.def("to_corners", &to_corners, "boxes"_a.noconvert(), "form"_a, "corners"_a.noconvert(), "area"_a.noconvert(),
          "threads"_a, "Corners and areas of boxes given as xyxy (0), xywh (1) or cxcywh (2), into the given arrays.");
    m.def("box_areas", &box_areas, "corners"_a.noconvert(), "pixel"_a, "area"_a.noconvert(), "threads"_a,
          "Areas of boxes, a pixel more on each side or not, into the given array.");
    m.def("margin_overlaps", &margin_overlaps, "corners"_a.noconvert(), "pixel"_a, "margin"_a, "overlap"_a.noconvert(),
          "threads"_a, "Overlaps of boxes with larger ones around them, into the given array.");
    m.def("count_flat", &count_flat, "corners"_a.noconvert(), "threads"_a, "How many boxes have no extent.");
    m.def("index_of", &index_of, "values"_a.noconvert(), "known"_a.noconvert(), "out"_a.noconvert(), "threads"_a,
          "The index of each value among the known ones, -1 where it is not there.");
    m.def("crc32c", &crc32c, "bytes"_a.noconvert(), "Castagnoli's cyclic redundancy check of bytes.");
    m.def("memory", &memory, "bytes"_a, "Memory whose content is anything.");
    m.def("take", &take, "column"_a.noconvert(), "rows"_a.noconvert(), "out"_a.noconvert(), "threads"_a,
          "The given rows of a column, into another one.");
}
