"""Large XML files, an element at a time; document type declarations are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from boxscore.errors import InputError
from boxscore.formats.io.source import Source

_BLOCK = 1 << 16


class _Children(TreeBuilder):
    """Collects the elements below the root; what a file says in a type declaration could expand without end."""

    def __init__(self) -> None:
        super().__init__()
        self.depth, self.root, self.ready = 0, Element(""), list[Element]()

    def doctype(self, *_: object) -> NoReturn:
        """Refuses it: annotations have no use for one."""
        raise ParseError("a document type declaration is not accepted")

    def start(self, tag: Any, attrs: dict[Any, Any], /) -> Element:
        """An element begins."""
        element = super().start(tag, attrs)
        if not self.depth:
            self.root = element
        self.depth += 1
        return element

    def end(self, tag: str, /) -> Element:
        """An element ends."""
        element = super().end(tag)
        self.depth -= 1
        if self.depth == 1:
            self.ready.append(element)
            self.root.clear()
        return element


def children(source: Source, root: str, expected: str) -> Iterator[Element]:
    """The elements directly below the root, one after the other; nobody keeps those that are done."""
    target = _Children()
    parser = XMLParser(target=target)
    try:
        for block in _blocks(source):
            parser.feed(block)
            if target.root.tag not in ("", root):
                break
            yield from target.ready
            target.ready.clear()
        else:
            parser.close()
    except (ParseError, ValueError, LookupError) as error:  # the latter two: encodings that there are not
        raise InputError(source.name, f"invalid XML ({error})", expected) from None
    if target.root.tag != root:
        raise InputError(source.name, f"the element <{target.root.tag}>", expected)


def _blocks(source: Source) -> Iterator[bytes]:
    if source.path is None:
        yield from (source.content[at : at + _BLOCK] for at in range(0, len(source.content), _BLOCK))
        return
    with source.path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block
