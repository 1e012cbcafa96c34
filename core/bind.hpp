// What the bindings have in common: typed arrays in, typed arrays out, the interpreter free to go on meanwhile.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "aligned.hpp"

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Boxes = nb::ndarray<const double, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using AnyOut = nb::ndarray<nb::c_contig, nb::device::cpu>;
using AnyIn = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

template <class T>
T* data(std::optional<Out<T>>& array) {
    return array ? array->data() : nullptr;
}

template <class T>
const T* data(const std::optional<In<T>>& array) {
    return array ? array->data() : nullptr;
}

inline const double* data(const std::optional<Boxes>& array) { return array ? array->data() : nullptr; }

// Hands a vector over to Python, which frees it.
template <class T>
nb::object handed_over(boxscore::AlignedVector<T>&& values) {
    using Values = boxscore::AlignedVector<T>;
    auto* kept = new Values(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

void bind_columns(nb::module_& m);     // columns of tables
void bind_evaluation(nb::module_& m);  // cells, matching, curves
void bind_files(nb::module_& m);       // readers of files
void bind_rotated(nb::module_& m);     // quadrilaterals
void bind_keypoints(nb::module_& m);   // keypoints
void bind_masks(nb::module_& m);       // masks and polygons
void bind_tubes(nb::module_& m);       // tubes through frames
void bind_values(nb::module_& m);      // records in memory
