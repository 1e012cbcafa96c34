// Records of many small XML files as columns: each file has some texts and numbers of its own (its header), and any
// number of records, which are elements of one name directly below the outermost one.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "aligned.hpp"
#include "many_files.hpp"
#include "parallel.hpp"
#include "xml.hpp"

namespace boxscore {

enum class XmlKind : std::uint8_t { number, text };

struct XmlField {
    std::string path;  // names with slashes between them
    XmlKind kind;
};

struct XmlLayout {
    std::string root, record;
    std::vector<XmlField> header, fields;
};

struct HashText {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

// Texts by number, in the order in which they came.
class Texts {
  public:
    std::int32_t number(std::string_view text) {
        if (auto found = known_.find(text); found != known_.end()) return found->second;
        const auto next = static_cast<std::int32_t>(all.size());
        const auto [entry, _] = known_.emplace(std::string(text), next);
        all.push_back(&entry->first);
        return next;
    }

    std::vector<const std::string*> all;

  private:
    std::unordered_map<std::string, std::int32_t, HashText, std::equal_to<>> known_;
};

// Numbers (nan where there is none), or the numbers of texts (-1 where there is none).
struct XmlColumn {
    AlignedVector<double> numbers;
    AlignedVector<std::int32_t> codes;
    Texts texts;

    void resize(XmlKind kind, std::size_t n) {
        if (kind == XmlKind::number)
            numbers.resize(n, std::numeric_limits<double>::quiet_NaN());
        else
            codes.resize(n, -1);
    }
};

struct XmlRows {
    std::size_t n = 0;
    std::vector<XmlColumn> columns;

    void resize(const std::vector<XmlField>& fields, std::size_t rows) {
        n = rows;
        for (std::size_t f = 0; f < fields.size(); ++f) columns[f].resize(fields[f].kind, rows);
    }
};

// The wanted names as a tree; node 0 is the outermost element.
struct XmlTree {
    struct Node {
        std::string name;
        int field = -1;  // of the header or of the record
        bool in_record = false;
        std::vector<int> children;
    };
    std::vector<Node> nodes;
    int record;

    explicit XmlTree(const XmlLayout& layout) : nodes{{layout.root, -1, false, {}}} {
        for (std::size_t f = 0; f < layout.header.size(); ++f)
            add(0, layout.header[f].path, static_cast<int>(f), false);
        record = child_or_new(0, layout.record, true);
        for (std::size_t f = 0; f < layout.fields.size(); ++f)
            add(record, layout.fields[f].path, static_cast<int>(f), true);
    }

    int child(int node, std::string_view name) const {
        for (const int c : nodes[static_cast<std::size_t>(node)].children)
            if (nodes[static_cast<std::size_t>(c)].name == name) return c;
        return -1;
    }

  private:
    int child_or_new(int node, std::string_view name, bool in_record) {
        if (const int known = child(node, name); known >= 0) return known;
        const int made = static_cast<int>(nodes.size());
        nodes.push_back({std::string(name), -1, in_record, {}});
        nodes[static_cast<std::size_t>(node)].children.push_back(made);
        return made;
    }

    void add(int node, std::string_view path, int field, bool in_record) {
        while (!path.empty()) {
            const std::size_t slash = path.find('/');
            node = child_or_new(node, path.substr(0, slash), in_record);
            path = slash == path.npos ? std::string_view{} : path.substr(slash + 1);
        }
        nodes[static_cast<std::size_t>(node)].field = field;
    }
};

// Reads some files, one after the other. A file that is not written in the usual way has no records and no header.
class XmlBlock {
  public:
    XmlBlock(const XmlLayout& layout, const XmlTree& tree) : layout_(layout), tree_(tree), met_(tree.nodes.size()) {
        header.columns.resize(layout.header.size());
        records.columns.resize(layout.fields.size());
    }

    XmlRows header, records;
    std::vector<std::size_t> ends;    // records up to each file
    std::vector<std::uint8_t> quick;  // of each file, whether it is written in the usual way

    void add(std::optional<std::string_view> text) {
        const std::size_t before = records.n, file = header.n;
        header.resize(layout_.header, file + 1);
        const bool usual = text && read(*text);
        if (!usual) {
            records.resize(layout_.fields, before);
            header.resize(layout_.header, file);
            header.resize(layout_.header, file + 1);
        }
        quick.push_back(usual);
        ends.push_back(records.n);
    }

  private:
    struct Open {
        std::string_view name;
        int node;  // -1: nothing in it is wanted
    };

    bool read(std::string_view text) {
        look_ = look_at(text);
        if (!look_.valid) return false;
        XmlCursor in(text);
        if (!in.skip_declaration(look_.ascii)) return false;
        open_.clear();
        header_turn_ = ++turn_;
        bool done = false;
        while (true) {
            std::string_view between;
            if (open_.empty()) {
                in.skip_space();
                if (in.at_end()) return done;
            } else if (!in.until('<', between) || !has_known_references(between)) {
                return false;
            }
            if (!in.accept("<")) return false;
            if (in.accept("!--")) {
                if (!in.skip_comment()) return false;
            } else if (in.accept("/")) {
                if (open_.empty() || !in.skip_closing_tag(open_.back().name)) return false;
                open_.pop_back();
                done = open_.empty();
            } else if (done || !element(in)) {
                return false;
            } else {
                done = open_.empty();
            }
        }
    }

    // Behind the < of an opening tag; a wanted field is read to its end.
    bool element(XmlCursor& in) {
        const std::string_view name = in.name();
        bool closed;
        if (name.empty() || !in.skip_rest_of_tag(closed)) return false;
        int node = -1;
        if (open_.empty()) {
            if (name != tree_.nodes[0].name) return false;
            node = 0;
        } else if (open_.back().node >= 0) {
            node = tree_.child(open_.back().node, name);
        }
        if (node > 0) {
            const XmlTree::Node& wanted = tree_.nodes[static_cast<std::size_t>(node)];
            if (node == tree_.record) {
                record_turn_ = ++turn_;
                records.resize(layout_.fields, records.n + 1);
            } else {
                std::uint64_t& met = met_[static_cast<std::size_t>(node)];
                const std::uint64_t turn = wanted.in_record ? record_turn_ : header_turn_;
                if (met == turn) return false;  // twice in a record or a header
                met = turn;
            }
            if (wanted.field >= 0) return value(in, name, closed, wanted);
        }
        if (!closed) open_.push_back({name, node});
        return true;
    }

    bool value(XmlCursor& in, std::string_view name, bool closed, const XmlTree::Node& wanted) {
        std::string_view text;
        if (!closed && (!in.until('<', text) || !in.accept("</") || !in.skip_closing_tag(name))) return false;
        const auto field = static_cast<std::size_t>(wanted.field);
        const XmlKind kind = (wanted.in_record ? layout_.fields : layout_.header)[field].kind;
        XmlRows& rows = wanted.in_record ? records : header;
        if (kind == XmlKind::number) {
            const std::optional<double> number = plain_number(text);
            if (!number) return false;
            rows.columns[field].numbers[rows.n - 1] = *number;
            return true;
        }
        if (text.find('\r') != text.npos) return false;  // XML makes another character of it
        if (look_.references) {
            resolved_.clear();
            if (!resolve_references(text, resolved_)) return false;
            text = resolved_;
        }
        rows.columns[field].codes[rows.n - 1] = rows.columns[field].texts.number(text);
        return true;
    }

    bool has_known_references(std::string_view text) {
        if (!look_.references) return true;
        resolved_.clear();
        return resolve_references(text, resolved_);
    }

    const XmlLayout& layout_;
    const XmlTree& tree_;
    std::vector<std::uint64_t> met_;  // of each node, the turn in which it was met last
    std::uint64_t turn_ = 0, header_turn_ = 0, record_turn_ = 0;
    XmlLook look_;
    std::vector<Open> open_;
    std::string resolved_;
};

// Puts the rows of a block behind those that are there; texts are numbered as they come.
inline void append_rows(const XmlRows& block, const std::vector<XmlField>& fields, XmlRows& all) {
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const XmlColumn& from = block.columns[f];
        XmlColumn& to = all.columns[f];
        if (fields[f].kind == XmlKind::number) {
            to.numbers.insert(to.numbers.end(), from.numbers.begin(), from.numbers.end());
            continue;
        }
        std::vector<std::int32_t> number(from.texts.all.size(), -1);
        for (const std::int32_t code : from.codes) {
            if (code >= 0 && number[static_cast<std::size_t>(code)] < 0)
                number[static_cast<std::size_t>(code)] =
                    to.texts.number(*from.texts.all[static_cast<std::size_t>(code)]);
            to.codes.push_back(code < 0 ? -1 : number[static_cast<std::size_t>(code)]);
        }
    }
    all.n += block.n;
}

struct XmlResult {
    AlignedVector<std::uint8_t> quick;
    AlignedVector<std::int64_t> first{0};  // records before each file, and all of them
    XmlRows header, records;
};

inline XmlResult xml_records(const ManyFiles& files, const XmlLayout& layout, int threads) {
    static constexpr std::size_t kBlock = 64;  // files that one thread reads at a time
    const XmlTree tree(layout);
    std::vector<XmlBlock> blocks((files.n + kBlock - 1) / kBlock, XmlBlock(layout, tree));
    parallel_for(blocks.size(), threads, [&](std::size_t b) {
        std::string memory;
        for (std::size_t i = b * kBlock; i < std::min(files.n, (b + 1) * kBlock); ++i)
            blocks[b].add(files.content(i, memory));
    });
    XmlResult result;
    result.header.columns.resize(layout.header.size());
    result.records.columns.resize(layout.fields.size());
    for (const XmlBlock& block : blocks) {
        const auto before = static_cast<std::int64_t>(result.records.n);
        for (const std::size_t end : block.ends) result.first.push_back(before + static_cast<std::int64_t>(end));
        result.quick.insert(result.quick.end(), block.quick.begin(), block.quick.end());
        append_rows(block.header, layout.header, result.header);
        append_rows(block.records, layout.fields, result.records);
    }
    return result;
}

}  // namespace boxscore
