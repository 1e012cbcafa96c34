// Masks and polygons, for Python.
#include "bind.hpp"
#include "rle_rows.hpp"

namespace {

using Sizes = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using BoxesOut = nb::ndarray<double, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Bitmaps = nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Integers = In<std::int64_t>;
using Bytes = In<std::uint8_t>;

nb::tuple texts_and_ends(boxscore::RleTexts&& texts) {
    return nb::make_tuple(handed_over(std::move(texts.letters)), handed_over(std::move(texts.ends)));
}

boxscore::RleMasks masks_of(const Bytes& letters, const Integers& begin, const Integers& end, const Sizes& size) {
    return {letters.data(), begin.data(), end.data(), size.data()};
}

void rle_check(Bytes letters, Integers begin, Integers end, Sizes size, Out<double> area, BoxesOut box,
               Out<std::uint8_t> fault, int threads) {
    using namespace boxscore;
    const RleMasks masks = masks_of(letters, begin, end, size);
    double *const areas = area.data(), *const boxes = box.data();
    std::uint8_t* const faults = fault.data();
    constexpr std::size_t kBlock = 1 << 11;
    const std::size_t n = begin.size();
    nb::gil_scoped_release release;
    parallel_for((n + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
        for (std::size_t i = block * kBlock; i < std::min(n, (block + 1) * kBlock); ++i) {
            const RleMeasures made = measure_rle(masks[static_cast<std::int64_t>(i)]);
            areas[i] = made.area;
            std::copy(made.box, made.box + 4, boxes + 4 * i);
            faults[i] = static_cast<std::uint8_t>(made.fault);
        }
    });
}

nb::tuple rle_join(Integers part, Bytes kind, Integers value, std::optional<In<double>> values,
                   std::optional<In<std::int32_t>> points, Integers begin, Integers end, Bytes letters, Sizes size,
                   int threads) {
    using namespace boxscore;
    const MaskParts parts{part.data(),  kind.data(), value.data(),   data(values), data(points),
                          begin.data(), end.data(),  letters.data(), size.data()};
    RleTexts made;
    {
        nb::gil_scoped_release release;
        made = texts_of_rows(size.shape(0), 512, threads, [&] { return PartsJoiner(parts); });
    }
    return texts_and_ends(std::move(made));
}

void mask_intersections(Bytes d_letters, Integers d_begin, Integers d_end, Bytes o_letters, Integers o_begin,
                        Integers o_end, Sizes d_size, Sizes o_size, Integers detection, Integers object,
                        Out<double> shared, std::optional<Out<double>> either, int threads) {
    const boxscore::MaskPairs pairs{masks_of(d_letters, d_begin, d_end, d_size),
                                    masks_of(o_letters, o_begin, o_end, o_size), detection.data(), object.data(),
                                    detection.size()};
    double *const shared_out = shared.data(), *const either_out = data(either);
    nb::gil_scoped_release release;
    boxscore::mask_intersections(pairs, shared_out, either_out, threads);
}

nb::tuple mask_boundaries(Bytes letters, Integers begin, Integers end, Sizes size, double ratio, int threads) {
    using namespace boxscore;
    const RleMasks masks = masks_of(letters, begin, end, size);
    RleTexts made;
    {
        nb::gil_scoped_release release;
        made = texts_of_rows(begin.size(), 64, threads, [&] { return BoundaryTexts(masks, ratio); });
    }
    return texts_and_ends(std::move(made));
}

nb::tuple rle_texts(In<std::uint32_t> counts, Integers ends) {
    using namespace boxscore;
    const std::uint32_t* const all = counts.data();
    const std::int64_t* const end = ends.data();
    RleTexts made;
    {
        nb::gil_scoped_release release;
        made = texts_of_rows(ends.size(), 4096, 1, [&] {
            return [&](std::size_t row, Letters& out) {
                const std::int64_t begin = row ? end[row - 1] : 0;
                append_rle_text(all + begin, static_cast<std::size_t>(end[row] - begin), out);
            };
        });
    }
    return texts_and_ends(std::move(made));
}

nb::tuple rle_counts(Bytes letters, Integers begin, Integers end) {
    using namespace boxscore;
    AlignedVector<std::uint32_t> counts;
    AlignedVector<std::int64_t> ends;
    {
        nb::gil_scoped_release release;
        Counts one;
        counts.reserve(letters.size());
        ends.reserve(begin.size());
        for (std::size_t i = 0; i < begin.size(); ++i) {
            const std::int64_t from = begin.data()[i], to = end.data()[i];
            read_counts({letters.data() + from, static_cast<std::size_t>(to - from), 0, 0}, one);  // of any size
            counts.insert(counts.end(), one.begin(), one.end());
            ends.push_back(static_cast<std::int64_t>(counts.size()));
        }
    }
    return nb::make_tuple(handed_over(std::move(counts)), handed_over(std::move(ends)));
}

nb::tuple rle_of_bitmaps(Bitmaps pixels, int threads) {
    using namespace boxscore;
    const std::size_t height = pixels.shape(1), width = pixels.shape(2);
    if (static_cast<std::uint64_t>(height) * width > 0xffffffff) throw nb::value_error("masks of 2^32 pixels or more");
    const std::uint8_t* const all = pixels.data();
    RleTexts made;
    {
        nb::gil_scoped_release release;
        made = texts_of_rows(pixels.shape(0), 8, threads, [&] {
            return [&, find = BitmapBorders(), borders = Borders(), text = BordersText()](std::size_t i,
                                                                                          Letters& out) mutable {
                find.read(all + i * height * width, height, width, borders);
                text.append(borders, static_cast<std::uint32_t>(height * width), out);
            };
        });
    }
    return texts_and_ends(std::move(made));
}

nb::object rle_bitmap(Bytes letters, std::size_t height, std::size_t width) {
    using namespace boxscore;
    if (height && width > std::size_t{0xffffffff} / height) throw nb::value_error("a mask of 2^32 pixels or more");
    auto* const kept = new AlignedVector<std::uint8_t>();
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<AlignedVector<std::uint8_t>*>(p); });
    const RleMask mask{letters.data(), letters.size(), 0, 0};
    {
        nb::gil_scoped_release release;
        Counts counts;
        read_counts(mask, counts);
        kept->assign(height * width, 0);
        fill_bitmap(counts, height, width, kept->data());
    }
    return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>>(kept->data(), {height, width}, owner));
}

nb::tuple rle_of_labels(Labels labels, In<std::int32_t> ids) {
    using namespace boxscore;
    const std::size_t height = labels.shape(0), width = labels.shape(1);
    if (static_cast<std::uint64_t>(height) * width > 0xffffffff) throw nb::value_error("masks of 2^32 pixels or more");
    const std::int32_t* const pixels = labels.data();
    RleTexts made;
    {
        nb::gil_scoped_release release;
        std::vector<Borders> borders;
        label_borders(pixels, height, width, ids.data(), ids.size(), borders);
        made = texts_of_rows(ids.size(), 4096, 1, [&] {
            return [&, text = BordersText()](std::size_t i, Letters& out) mutable {
                text.append(borders[i], static_cast<std::uint32_t>(height * width), out);
            };
        });
    }
    return texts_and_ends(std::move(made));
}

}  // namespace

void bind_masks(nb::module_& m) {
    m.def("rle_check", &rle_check, "letters"_a.noconvert(), "begin"_a.noconvert(), "end"_a.noconvert(),
          "size"_a.noconvert(), "area"_a.noconvert(), "box"_a.noconvert(), "fault"_a.noconvert(), "threads"_a,
          "Area and bounding box of each mask, and what is wrong with it, into the given arrays.");
    m.def(
        "rle_join", &rle_join, "part"_a.noconvert(), "kind"_a.noconvert(), "value"_a.noconvert(),
        "values"_a.noconvert().none(), "points"_a.noconvert().none(), "begin"_a.noconvert(), "end"_a.noconvert(),
        "letters"_a.noconvert(), "size"_a.noconvert(), "threads"_a,
        "One mask per row out of its polygons (values in pixels, or points on the fine grid) and masks: all texts, and "
        "where each ends.");
    m.def("mask_intersections", &mask_intersections, "d_letters"_a.noconvert(), "d_begin"_a.noconvert(),
          "d_end"_a.noconvert(), "o_letters"_a.noconvert(), "o_begin"_a.noconvert(), "o_end"_a.noconvert(),
          "d_size"_a.noconvert(), "o_size"_a.noconvert(), "detection"_a.noconvert(), "object"_a.noconvert(),
          "shared"_a.noconvert(), "union"_a.noconvert().none(), "threads"_a,
          "Pixels that the masks of each pair have in common, and if asked also those of either, as pycocotools counts "
          "them, into the given arrays.");
    m.def("mask_boundaries", &mask_boundaries, "letters"_a.noconvert(), "begin"_a.noconvert(), "end"_a.noconvert(),
          "size"_a.noconvert(), "ratio"_a, "threads"_a, "The boundary of each mask: all texts, and where each ends.");
    m.def("rle_texts", &rle_texts, "counts"_a.noconvert(), "ends"_a.noconvert(),
          "The runs of masks as text: all texts, and where each ends.");
    m.def("rle_counts", &rle_counts, "letters"_a.noconvert(), "begin"_a.noconvert(), "end"_a.noconvert(),
          "The runs of each mask up to the first fault: all runs, and where each mask ends.");
    m.def("rle_of_bitmaps", &rle_of_bitmaps, "pixels"_a.noconvert(), "threads"_a,
          "Bitmaps as masks: all texts, and where each ends.");
    m.def("rle_bitmap", &rle_bitmap, "letters"_a.noconvert(), "height"_a, "width"_a, "The pixels of one mask.");
    m.def("rle_of_labels", &rle_of_labels, "labels"_a.noconvert(), "ids"_a.noconvert(),
          "The pixels of each of the ascending ids as masks: all texts, and where each ends.");
}
