"""Records of XML files as columns: equal to the definition, and to a general parser wherever the file is usual."""

from __future__ import annotations

import os
from typing import Any
from xml.etree.ElementTree import fromstring
from xml.sax.saxutils import escape

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxscore import _core, _reference
from boxscore.tables.strings import Names
from effort import examples

NUMBER, TEXT = range(2)
HEADER = [("file", TEXT), ("size/width", NUMBER), ("size/height", NUMBER)]
FIELDS = [("name", TEXT), ("box/x", NUMBER), ("box/y", NUMBER), ("flag", TEXT), ("deep/er/est", TEXT)]
ASKED = ("all", "one", HEADER, FIELDS)


def columns(kernel: Any, files: list[bytes], threads: int = 1) -> Any:
    return kernel.xml_columns(
        b"".join(files), np.cumsum([len(f) for f in files], dtype=np.int64), False, *ASKED, threads
    )


def same(a: Any, b: Any) -> None:
    """Equal to the last bit, types and order of texts included."""
    assert [c.tolist() for c in a[:2]] == [c.tolist() for c in b[:2]]
    assert [c.dtype for c in a[:2]] == [c.dtype for c in b[:2]]
    for one, other in zip(a[2] + a[3], b[2] + b[3], strict=True):
        if isinstance(one, tuple):
            assert (one[0].tolist(), one[1], one[2].tolist()) == (other[0].tolist(), other[1], other[2].tolist())
            assert (one[0].dtype, one[2].dtype) == (other[0].dtype, other[2].dtype)
        else:
            assert one.tobytes() == other.tobytes()
            assert one.dtype == other.dtype


def as_parsed(files: list[bytes], made: Any) -> None:
    """Of files that are usual, a general parser finds the same."""
    quick, first, header, fields = made

    def value(column: Any, i: int) -> Any:
        if isinstance(column, tuple):
            return None if column[0][i] < 0 else Names(column[1], column[2])[column[0][i]]
        return None if np.isnan(column[i]) else float(column[i])

    def found(element: Any, path: str, kind: int) -> Any:
        text = element.findtext(path)
        return text if kind == TEXT or text is None else float(text)

    for i in np.flatnonzero(quick).tolist():
        root = fromstring(files[i])
        assert root.tag == "all"
        records = root.findall("one")
        assert len(records) == first[i + 1] - first[i]
        rows = [(root, HEADER, header, i)]
        rows += [(record, FIELDS, fields, int(first[i]) + k) for k, record in enumerate(records)]
        for element, asked, given_columns, row in rows:
            for (path, kind), column in zip(asked, given_columns, strict=True):
                expected, got = found(element, path, kind), value(column, row)
                assert got == expected
                assert str(got) == str(expected)


gaps = st.sampled_from(["", "", " ", "\n\t", "\r\n", "<!-- a & b > c -->", "<!---->", "text", " &amp; ", "é"])
names = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=6)
texts = st.one_of(
    names.map(escape),
    st.sampled_from(["", "cat", "dog", "&apos;&quot;", " a\nb ", "a\rb", "&#65;", "&x;", "&", "<![CDATA[x]]>", "a>b",
                     "]]>", "a<!-- c -->b", "a<i/>b", "\x01", "\x7f", "\ufffe", "😀", "\u0085"]),
)  # fmt: skip
numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["1", " 2 ", "\n3\r\n", "007", "+1", "1.", ".5", "1e5", "1E-400", "1e999", "nan", "inf", "1_0", "",
                     "0x1", "-", "-0", "-0.0", "1e", "1 2", "4.9406564584124654e-324", "٣", "1<!---->", "&#49;"]),
)  # fmt: skip
attributes = st.sampled_from(
    ["", "", "", " ", ' a="b"', " a = 'b>\"' ", ' a="&lt;"', ' xmlns="u"', ' a="1" b="2"', ' a:b="1"', " a"]
)


def tag(name: str, inner: str, attribute: str = "") -> str:
    return f"<{name}{attribute}/>" if not inner and attribute != " a" else f"<{name}{attribute}>{inner}</{name}>"


@st.composite
def elements(draw: st.DrawFn, fields: dict[str, Any]) -> str:
    """Some of the given elements in any order, now and then one twice or of another name."""
    wanted = draw(st.lists(st.sampled_from([*fields, *fields, "other"]), max_size=5))
    if draw(st.integers(0, 5)):
        wanted = list(dict.fromkeys(wanted))
    attribute = draw(st.one_of(st.just(""), st.just(""), attributes))
    parts = [draw(gaps) + tag(name, draw(fields.get(name, texts)), attribute) for name in wanted]
    return "".join(parts) + draw(gaps)


box = elements({"x": numbers, "y": numbers, "one": st.just("<box><x>1</x></box>")})
plain_box = st.builds("<x>{}</x> <y>{}</y>".format, st.integers(-9, 999), st.floats(0, 99).map(repr))
record = elements({
    "name": texts, "box": st.one_of(plain_box, plain_box, box), "flag": st.sampled_from(["0", "1", ""]),
    "deep": elements({"er": elements({"est": texts})}), "part": st.just("<name>head</name><box><x>5</x></box>"),
})  # fmt: skip
plain_record = st.builds("<name>{}</name><box>{}</box>".format, names.map(escape), plain_box)
size = elements({"width": numbers, "height": numbers})
whole = elements({"file": texts, "size": size, "empty": st.just("")})
beginnings = st.sampled_from(
    ["", "", "\ufeff", "<?xml version='1.0'?>", '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n', "\n",
     '\ufeff<?xml version="1.0" encoding="UTF-8" ?>', '<?xml version="1.0" encoding="us-ascii"?>', "<!-- c -->",
     '<?xml version="1.0" encoding="latin-1"?>', '<?xml encoding="utf-8"?>', "<?pi x?>", "<!DOCTYPE all>",
     " <?xml version='1.0'?>", '<?xml version="1.1"?>', '<?xml version="1.0" standalone="no" encoding="utf-8"?>',
     '<?xml version="1.0" encoding=""?>']
)  # fmt: skip
endings = st.sampled_from(["", "", "\n", "<!-- end -->", "x", "<all/>", "</all>", "&amp;", "<!-- x", "\0"])


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    records = [tag("one", draw(st.one_of(plain_record, record))) for _ in range(draw(st.integers(0, 3)))]
    inner = draw(whole) + "".join(records) + draw(gaps)
    root = draw(st.sampled_from(["all", "all", "all", "all", "none"]))
    attribute = draw(st.one_of(st.just(""), attributes))
    text = draw(beginnings) + tag(root, inner or " ", attribute) + draw(endings)
    return text.encode("utf-8", "surrogatepass")


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A document that ends too early, or has a few other bytes."""
    text = bytearray(draw(documents()))
    if draw(st.booleans()):
        del text[draw(st.integers(0, len(text))) :]
    for _ in range(draw(st.integers(0, 3))):
        if text:
            text[draw(st.integers(0, len(text) - 1))] = draw(
                st.one_of(st.integers(0, 255), st.sampled_from(b"<>/&!-'\"="))
            )
    return bytes(text)


@settings(max_examples=examples(200))
@given(st.lists(documents(), max_size=4))
def test_equal_to_the_definition_and_to_a_general_parser(files: list[bytes]) -> None:
    made = columns(_core, files)
    same(made, columns(_reference, files))
    as_parsed(files, made)


@settings(max_examples=examples(200))
@given(st.lists(damaged(), min_size=1, max_size=3))
def test_damaged_files(files: list[bytes]) -> None:
    made = columns(_core, files)
    same(made, columns(_reference, files))
    as_parsed(files, made)


@settings(max_examples=10)
@given(st.lists(documents(), min_size=1, max_size=5))
def test_threads_and_files_on_a_disk_change_nothing(tmp_path_factory: Any, files: list[bytes]) -> None:
    files = files * (200 // len(files))  # several blocks
    folder = tmp_path_factory.mktemp("files")
    for i, content in enumerate(files):
        (folder / f"{i}.xml").write_bytes(content)
    paths = [os.fsencode(folder / f"{i}.xml") for i in range(len(files))]
    ends = np.cumsum([len(path) for path in paths], dtype=np.int64)
    alone = columns(_core, files)
    same(alone, columns(_core, files, 4))
    same(alone, _core.xml_columns(b"".join(paths), ends, True, *ASKED, 4))
    same(alone, _reference.xml_columns(b"".join(paths), ends, True, *ASKED))


def test_what_is_usual() -> None:
    usual = b"<all v='1'><file>a&amp;b</file><one><name>cat</name><box><x>1</x><y>-2.5e1</y></box></one><one/></all>"
    quick, first, header, fields = columns(_core, [usual, b"", usual[:-1]])
    assert (quick.tolist(), first.tolist()) == ([1, 0, 0], [0, 2, 2, 2])
    assert (header[0][0].tolist(), header[0][1]) == ([0, -1, -1], b"a&b")
    assert np.array_equal(fields[1], [1, np.nan], equal_nan=True)
    assert np.array_equal(fields[2], [-25, np.nan], equal_nan=True)


def test_files_that_cannot_be_read(tmp_path: Any) -> None:
    paths = [os.fsencode(tmp_path), os.fsencode(tmp_path / "nowhere.xml")]
    ends = np.cumsum([len(path) for path in paths], dtype=np.int64)
    for kernel in (_core, _reference):
        assert kernel.xml_columns(b"".join(paths), ends, True, *ASKED, 1)[0].tolist() == [0, 0]


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 200])
def test_any_number_of_files(n: int) -> None:
    files = [f"<all><file>{i % 7}</file>{'<one><name>x</name></one>' * (i % 3)}</all>".encode() for i in range(n)]
    same(columns(_core, files, 2), columns(_reference, files))


def test_a_large_file(tmp_path: Any) -> None:
    content = b"<all>" + b"<one><name>x</name></one>" * 20_000 + b"</all>"
    (tmp_path / "a.xml").write_bytes(content)
    path = os.fsencode(tmp_path / "a.xml")
    made = _core.xml_columns(path, np.array([len(path)]), True, *ASKED, 1)
    assert (made[0].tolist(), made[1].tolist()) == ([1], [0, 20_000])
