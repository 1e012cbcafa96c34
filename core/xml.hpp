// What XML is made of, for a reader of one kind of text: small files of plain elements in UTF-8. At anything else it
// gives up (false, or nothing), and the caller reads the file with a general parser that can also say what is wrong.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace boxscore {

inline bool is_xml_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

inline bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool goes_on_name(char c) { return begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

// What a whole text has that needs a closer look.
struct XmlLook {
    bool valid = false;  // UTF-8 with characters that XML allows
    bool ascii = true;
    bool references = false;  // an & somewhere
};

// Whether the bytes from p on begin with a character beyond ASCII that XML allows; its length in `length`.
inline bool valid_beyond_ascii(const unsigned char* p, std::size_t left, std::size_t& length) {
    length = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4 || left < length) return false;
    std::uint32_t code = p[0] & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((p[i] & 0xC0) != 0x80) return false;
        code = code << 6 | (p[i] & 0x3Fu);
    }
    if (length == 3) return code >= 0x800 && (code < 0xD800 || code > 0xDFFF) && code < 0xFFFE;
    return length == 2 || (code >= 0x10000 && code <= 0x10FFFF);
}

inline XmlLook look_at(std::string_view text) {
    XmlLook look;
    std::uint8_t high = 0, odd = 0, references = 0;
    for (const char c : text) {  // without branches and in bytes, so that many are looked at at once
        const auto byte = static_cast<std::uint8_t>(c);
        high = static_cast<std::uint8_t>(high | byte);
        odd = static_cast<std::uint8_t>(odd | ((byte < 0x20) & (byte != '\n') & (byte != '\t') & (byte != '\r')));
        references = static_cast<std::uint8_t>(references | (byte == '&'));
    }
    look.ascii = high < 0x80;
    look.references = references != 0;
    if (odd || text.find("]]>") != text.npos) return look;
    if (!look.ascii) {
        const auto* p = reinterpret_cast<const unsigned char*>(text.data());
        for (std::size_t i = 0, length = 1; i < text.size(); i += length) {
            length = 1;
            if (p[i] >= 0x80 && !valid_beyond_ascii(p + i, text.size() - i, length)) return look;
        }
    }
    look.valid = true;
    return look;
}

// Adds a text to `out`, with the five named characters in place of their references; false at any other reference.
inline bool resolve_references(std::string_view text, std::string& out) {
    static constexpr std::pair<std::string_view, char> kNamed[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (;;) {
        const std::size_t at = text.find('&');
        out.append(text.substr(0, at));
        if (at == text.npos) return true;
        text.remove_prefix(at);
        bool known = false;
        for (const auto& [name, character] : kNamed) {
            if (!text.starts_with(name)) continue;
            out.push_back(character);
            text.remove_prefix(name.size());
            known = true;
            break;
        }
        if (!known) return false;
    }
}

// A decimal number with white space around it; nothing if it is written in another way, too large or too small.
inline std::optional<double> plain_number(std::string_view text) {
    while (!text.empty() && is_xml_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_xml_space(text.back())) text.remove_suffix(1);
    const char *p = text.data(), *const end = p + text.size();
    const auto digits = [&] {
        const char* begin = p;
        while (p != end && *p >= '0' && *p <= '9') ++p;
        return p != begin;
    };
    if (p != end && *p == '-') ++p;
    if (!digits()) return std::nullopt;
    if (p != end && *p == '.') {
        ++p;
        if (!digits()) return std::nullopt;
    }
    if (p != end && (*p == 'e' || *p == 'E')) {
        ++p;
        if (p != end && (*p == '+' || *p == '-')) ++p;
        if (!digits()) return std::nullopt;
    }
    if (p != end) return std::nullopt;
    double value;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

// Goes through a text that `look_at` found valid. Functions return false where it is not written in the usual way.
class XmlCursor {
  public:
    explicit XmlCursor(std::string_view text) : p(text.data()), end(p + text.size()) {}

    const char* p;
    const char* end;

    bool at_end() const { return p == end; }

    void skip_space() {
        while (p != end && is_xml_space(*p)) ++p;
    }

    bool accept(std::string_view wanted) {
        if (static_cast<std::size_t>(end - p) < wanted.size() || std::string_view(p, wanted.size()) != wanted)
            return false;
        p += wanted.size();
        return true;
    }

    // A name of ASCII letters; empty if there is none.
    std::string_view name() {
        const char* begin = p;
        if (p != end && begins_name(*p))
            while (p != end && goes_on_name(*p)) ++p;
        return {begin, static_cast<std::size_t>(p - begin)};
    }

    // Everything before the next character of a kind, which must come.
    bool until(char stop, std::string_view& text) {
        const char* begin = p;
        const void* found = p == end ? nullptr : std::memchr(p, stop, static_cast<std::size_t>(end - p));
        if (!found) return false;
        p = static_cast<const char*>(found);
        text = {begin, static_cast<std::size_t>(p - begin)};
        return true;
    }

    // name="value" without references in it.
    bool attribute(std::string_view& key, std::string_view& value) {
        key = name();
        skip_space();
        if (key.empty() || !accept("=")) return false;
        skip_space();
        if (p == end || (*p != '"' && *p != '\'')) return false;
        const char quote = *p++;
        if (!until(quote, value)) return false;
        ++p;
        return value.find_first_of("<&") == value.npos;
    }

    // Behind the "<!--" of a comment: goes on behind its end.
    bool skip_comment() {
        const std::string_view rest(p, static_cast<std::size_t>(end - p));
        const std::size_t at = rest.find("--");
        if (at == rest.npos) return false;
        p += at + 2;
        return accept(">");
    }

    // Behind the name of an opening tag: goes on behind the tag; at most one attribute, which nobody asks for.
    bool skip_rest_of_tag(bool& closed) {
        const char* before = p;
        skip_space();
        if (p != end && p != before && begins_name(*p)) {
            std::string_view key, value;
            if (!attribute(key, value) || key.starts_with("xmlns")) return false;
            skip_space();
        }
        closed = accept("/");
        return accept(">");
    }

    // Behind "</": whether this is the end of the given element.
    bool skip_closing_tag(std::string_view wanted) {
        if (name() != wanted) return false;
        skip_space();
        return accept(">");
    }

    // The declaration at the beginning, if there is one; false if it says anything but UTF-8 (or ASCII that it is).
    bool skip_declaration(bool ascii) {
        const bool marked = accept("\xEF\xBB\xBF");
        if (!accept("<?xml")) return true;
        static constexpr std::string_view kOrder[] = {"version", "encoding", "standalone"};
        std::size_t place = 0;
        for (;;) {
            const char* before = p;
            skip_space();
            if (accept("?>")) return place > 0;
            std::string_view key, value;
            if (p == before || !attribute(key, value)) return false;
            while (place < 3 && kOrder[place] != key) {
                if (place == 0) return false;  // the version must come
                ++place;
            }
            if (place == 3) return false;
            if (place == 0 && value != "1.0") return false;
            if (place == 1 && !is_usual_encoding(value, ascii && !marked)) return false;
            if (place == 2 && value != "yes" && value != "no") return false;
            ++place;
        }
    }

  private:
    static bool is_usual_encoding(std::string_view value, bool ascii) {
        std::string lower;
        for (const char c : value) lower.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
        return lower == "utf-8" || (lower == "us-ascii" && ascii);
    }
};

}  // namespace boxscore
