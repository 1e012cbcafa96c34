// Readers of files, for Python.
#ifndef _WIN32
#include <unistd.h>
#endif

#include "bind.hpp"
#include "bind_records.hpp"
#include "csv_columns.hpp"
#include "file_bytes.hpp"
#include "image_headers.hpp"
#include "json_columns.hpp"
#include "text_rows.hpp"
#include "xml_records.hpp"

namespace {

// The bytes of a text, or of the file behind a descriptor.
boxscore::ReadBytes reader_of(const std::optional<nb::bytes>& text, int descriptor) {
    const char* whole = text ? text->c_str() : nullptr;
    return [whole, descriptor](std::size_t begin, std::size_t end, char* buffer) {
        if (whole) {
            std::copy(whole + begin, whole + end, buffer);
            return;
        }
#ifndef _WIN32
        while (begin < end) {
            const auto got = pread(descriptor, buffer, end - begin, static_cast<off_t>(begin));
            if (got <= 0) throw boxscore::Unusual{};
            begin += static_cast<std::size_t>(got);
            buffer += got;
        }
#else
        throw boxscore::Unusual{};
#endif
    };
}

nb::object json_columns(std::optional<nb::bytes> text, int descriptor, std::size_t size, const Layout& layout,
                        std::size_t main, std::size_t block_size, int threads) {
    using namespace boxscore;
    const std::vector<Table> tables = tables_of(layout);
    const ReadBytes read = reader_of(text, descriptor);
    std::vector<Records> records;
    try {
        nb::gil_scoped_release release;
        records = json_records(tables, main, read, size, block_size, threads);
    } catch (const Unusual&) {
        return nb::none();
    }
    return columns_of(records, tables);
}

nb::list xml_columns_of(boxscore::XmlRows& rows, const std::vector<boxscore::XmlField>& fields) {
    using namespace boxscore;
    nb::list columns;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        XmlColumn& column = rows.columns[f];
        if (fields[f].kind == XmlKind::number) {
            columns.append(handed_over(std::move(column.numbers)));
            continue;
        }
        std::string text;
        AlignedVector<std::int64_t> ends;
        for (const std::string* one : column.texts.all) {
            text += *one;
            ends.push_back(static_cast<std::int64_t>(text.size()));
        }
        columns.append(nb::make_tuple(handed_over(std::move(column.codes)), nb::bytes(text.data(), text.size()),
                                      handed_over(std::move(ends))));
    }
    return columns;
}

nb::object xml_columns(nb::bytes pieces, In<std::int64_t> ends, bool on_disk, const std::string& root,
                       const std::string& record, const std::vector<std::pair<std::string, int>>& header,
                       const std::vector<std::pair<std::string, int>>& fields, int threads) {
    using namespace boxscore;
    XmlLayout layout{root, record, {}, {}};
    for (const auto& [path, kind] : header) layout.header.push_back({path, static_cast<XmlKind>(kind)});
    for (const auto& [path, kind] : fields) layout.fields.push_back({path, static_cast<XmlKind>(kind)});
    const ManyFiles files{pieces.c_str(), ends.data(), ends.size(), on_disk};
    XmlResult result;
    {
        nb::gil_scoped_release release;
        result = xml_records(files, layout, threads);
    }
    return nb::make_tuple(handed_over(std::move(result.quick)), handed_over(std::move(result.first)),
                          xml_columns_of(result.header, layout.header), xml_columns_of(result.records, layout.fields));
}

// A list that stays one: to make a vector of an argument, nanobind needs memory where nothing may be thrown.
using Contents = nb::typed<nb::list, nb::bytes>;

// Files below `root`, whose paths are separated by zeros, or files that are here already, from their beginning up to a
// number of bytes.
std::vector<std::string_view> listed(const std::optional<nb::bytes>& root, const nb::bytes& paths,
                                     const Contents& contents, std::size_t most = std::string_view::npos) {
    std::vector<std::string_view> files;
    for (nb::handle item : contents) {
        const auto content = nb::cast<nb::bytes>(item);  // the list keeps it
        files.emplace_back(content.c_str(), std::min(content.size(), most));
    }
    if (root && paths.size()) {
        const std::string_view all(paths.c_str(), paths.size());
        for (std::size_t at = 0; at <= all.size(); at += files.back().size() + 1) files.emplace_back(all.data() + at);
    }
    return files;
}

nb::object image_headers(std::optional<nb::bytes> root, nb::bytes paths, Contents contents, int threads) {
    using namespace boxscore;
    constexpr std::size_t kStart = 1 << 15, kBlock = 64;  // bytes of a file that are looked at; files at a time
    const auto files = listed(root, paths, contents, kStart);
    AlignedVector<std::int64_t> width(files.size()), height(files.size());
    AlignedVector<std::uint8_t> turned(files.size()), known(files.size());
    {
        const char* place = root ? root->c_str() : nullptr;
        nb::gil_scoped_release release;
        const Folder folder(place ? place : "");
        parallel_for((files.size() + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
            std::vector<char> buffer(place ? kStart : 0);
            for (std::size_t i = block * kBlock; i < std::min(files.size(), (block + 1) * kBlock); ++i) {
                std::string_view start = files[i];
                if (place && !folder.start(files[i].data(), buffer, start)) start = {};
                const ImageHeader header = HeaderReader(start).read();
                width[i] = header.known ? header.width : 0;
                height[i] = header.known ? header.height : 0;
                turned[i] = header.known ? header.turned : 0;
                known[i] = header.known;
            }
        });
    }
    return nb::make_tuple(handed_over(std::move(width)), handed_over(std::move(height)), handed_over(std::move(turned)),
                          handed_over(std::move(known)));
}

nb::object text_rows(std::optional<nb::bytes> root, nb::bytes paths, Contents contents, std::size_t tail, int threads) {
    using namespace boxscore;
    const auto files = listed(root, paths, contents);
    AlignedVector<std::uint8_t> odd(files.size());
    TextRows rows;
    {
        const char* place = root ? root->c_str() : nullptr;
        nb::gil_scoped_release release;
        if (place) {
            const Folder folder(place);
            rows = boxscore::text_rows(
                files.size(),
                [&](std::size_t i, std::vector<char>& buffer, std::string_view& text) {
                    return folder.read(files[i].data(), buffer, text);
                },
                tail, odd.data(), threads);
        } else {
            rows = boxscore::text_rows(
                files.size(),
                [&](std::size_t i, std::vector<char>&, std::string_view& text) {
                    text = files[i];
                    return true;
                },
                tail, odd.data(), threads);
        }
    }
    nb::list names;
    for (const auto& name : rows.table.names) names.append(nb::str(name.data(), name.size()));
    return nb::make_tuple(handed_over(std::move(rows.file)), handed_over(std::move(rows.name)),
                          handed_over(std::move(rows.line)), handed_over(std::move(rows.end)),
                          handed_over(std::move(rows.numbers)), names, handed_over(std::move(odd)));
}

nb::object csv_columns(std::optional<nb::bytes> text, int descriptor, std::size_t begin, std::size_t size,
                       char delimiter, std::size_t width,
                       const std::vector<std::pair<bool, std::vector<std::size_t>>>& wanted, std::size_t block_size,
                       int threads) {
    using namespace boxscore;
    CsvLayout layout{delimiter, width, {}};
    for (const auto& [is_text, fields] : wanted) layout.columns.push_back({is_text, fields});
    const ReadBytes read = reader_of(text, descriptor);
    std::vector<CsvValues> values;
    try {
        nb::gil_scoped_release release;
        values = csv_values(layout, read, begin, size, block_size, threads);
    } catch (const Unusual&) {
        return nb::none();
    }
    nb::list result;
    for (std::size_t c = 0; c < values.size(); ++c) {
        if (layout.columns[c].is_text) {
            const std::string& texts = values[c].texts.text;
            result.append(
                nb::make_tuple(handed_over(std::move(values[c].codes)), nb::bytes(texts.data(), texts.size())));
        } else {
            result.append(handed_over(std::move(values[c].numbers)));
        }
    }
    return result;
}

}  // namespace

void bind_files(nb::module_& m) {
    m.def("json_columns", &json_columns, "text"_a.none(), "descriptor"_a, "size"_a, "layout"_a, "main"_a,
          "block_size"_a, "threads"_a,
          "Arrays of JSON records as columns; None where the file is not of the usual kind.");
    m.def("xml_columns", &xml_columns, "pieces"_a, "ends"_a.noconvert(), "on_disk"_a, "root"_a, "record"_a, "header"_a,
          "fields"_a, "threads"_a, "Records of many small XML files as columns.");
    m.def("image_headers", &image_headers, "root"_a.none(), "paths"_a, "contents"_a, "threads"_a,
          "Width, height and rotation of JPEG and PNG files, and which of them are not of the usual kind.");
    m.def("text_rows", &text_rows, "root"_a.none(), "paths"_a, "contents"_a, "tail"_a, "threads"_a,
          "Lines `<name> <number>…` of many small files as columns, and which files are not of the usual kind.");
    m.def("csv_columns", &csv_columns, "text"_a.none(), "descriptor"_a, "begin"_a, "size"_a, "delimiter"_a, "width"_a,
          "wanted"_a, "block_size"_a, "threads"_a,
          "Rows between delimiters as columns; None where the file is not of the usual kind.");
}
