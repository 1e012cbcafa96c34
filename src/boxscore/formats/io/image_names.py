"""Which names of two sources mean the same image: rule by rule, the strictest first, and never in doubt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from boxscore.tables.model import Ints

EXTENSIONS = (
    ".jpg", ".jpeg", ".png", ".bmp", ".gif", ".tif", ".tiff", ".webp", ".ppm", ".heic", ".avif", ".txt", ".xml",
    ".json",
)  # fmt: skip
_ROBOFLOW = re.compile(r"(.+)_(?:jpe?g|png|bmp|gif|tiff?|webp)\.rf\.\w{8,}", re.IGNORECASE)
_SPLITS = {"train": "train", "training": "train", "val": "val", "valid": "val", "validation": "val", "test": "test",
           "testing": "test"}  # fmt: skip


def without_extension(key: str) -> str:
    """A name without the extension of an image.

    >>> without_extension("val/frame.001.jpg"), without_extension("frame.001")
    ('val/frame.001', 'frame.001')
    """
    head, dot, extension = key.rpartition(".")
    return head if head and dot + extension.lower() in EXTENSIONS else key


def written(key: str) -> str:
    r"""A path as it would be written here: forward slashes, no escapes of addresses, composed letters.

    >>> written("a\\b%20(1).jpg")
    'a/b (1).jpg'
    """
    if "\\" in key:
        key = key.replace("\\", "/")
    if "%" in key:
        from urllib.parse import unquote  # takes milliseconds, and few names need it

        key = unquote(key)
    while key.startswith("./"):
        key = key[2:]
    if key.isascii():
        return key
    import unicodedata  # takes milliseconds, too

    return unicodedata.normalize("NFC", key)


def name(path: str) -> str:
    """A path without its folders."""
    return path.rpartition("/")[2]


def within_folder(path: str) -> str | None:
    """The end of a path from its last folder on, None where it has no folder.

    >>> within_folder("a/b/c.jpg"), within_folder("c.jpg")
    ('b/c.jpg', None)
    """
    return "/".join(path.rsplit("/", 2)[-2:]) if "/" in path else None


def stem(key: str) -> str:
    r"""A name without folders and without the extension of an image.

    >>> stem("val/frame.001.jpg"), stem("C:\\images\\a.PNG"), stem("frame.001")
    ('frame.001', 'a', 'frame.001')
    """
    return without_extension(name(written(key)))


def original(path: str) -> str:
    """The stem of an image before Roboflow gave it a longer name.

    >>> original("cat_jpg.rf.0a1b2c3d4e5f.jpg"), original("cat.jpg")
    ('cat', 'cat')
    """
    whole = without_extension(name(path))
    found = _ROBOFLOW.fullmatch(whole) if ".rf." in whole else None
    return found[1] if found else whole


def number(path: str) -> str | None:
    """The number that a stem is, without leading zeros.

    >>> number("000000000139.jpg"), number("frame139.jpg")
    ('139', None)
    """
    word = original(path)
    return (word.lstrip("0") or "0") if word.isdigit() and word.isascii() else None


Candidates = Iterator[tuple[int, list[int], int]]  # a name, the known ones that it may be, how many names may be them


def alike(form: Callable[[str], str | None]) -> Callable[[list[int], list[str], list[str]], Candidates]:
    """Names that have the same form; one whose form is None is like no other."""

    def candidates(waiting: list[int], keys: list[str], known: list[str]) -> Candidates:
        forms = [form(key) for key in keys]
        ours, theirs = Counter(forms), dict[str | None, list[int]]()
        wanted = {forms[i] for i in waiting} - {None}
        for place, other in enumerate(map(form, known)):
            if other in wanted:
                theirs.setdefault(other, []).append(place)
        yield from ((i, theirs[forms[i]], ours[forms[i]]) for i in waiting if forms[i] in theirs)

    return candidates


def ending(waiting: list[int], keys: list[str], known: list[str]) -> Candidates:
    """Paths of which one is the end of the other: `val/a.jpg` of `images/val/a.jpg`."""
    if not any("/" in keys[i] for i in waiting):
        return
    wanted, whole = {*keys}, dict[str, list[int]]()
    for place, path in enumerate(known):
        for end in (path, *_ends(path)):
            if end is path or end in wanted:
                whole.setdefault(end, []).append(place)
    found = [[p for end in (key, *_ends(key)) if "/" in end for p in whole.get(end, ())] for key in keys]
    rivals = Counter(place for places in found for place in places)
    yield from ((i, found[i], max(map(rivals.__getitem__, found[i]))) for i in waiting if found[i])


def _ending_plainly(waiting: list[int], keys: list[str], known: list[str]) -> Candidates:
    return ending(waiting, [*map(without_extension, keys)], [*map(without_extension, known)])


def _ends(path: str) -> Iterator[str]:
    """The ends of a path that still have a folder."""
    while (path := path.partition("/")[2]) and "/" in path:
        yield path


class Rule(NamedTuple):
    """A way to see two names as one, for names as they are `written` here, and how findings say it."""

    text: str
    candidates: Callable[[list[int], list[str], list[str]], Candidates]
    of_folders: bool = False  # says nothing new of names without folders


PLAIN = Rule("in plain spelling", alike(lambda path: path))
RULES = (
    Rule("by the ends of paths", ending, of_folders=True),
    Rule("with their last folder alone", alike(within_folder), of_folders=True),
    Rule("without folders", alike(name), of_folders=True),
    Rule("without extensions", alike(without_extension)),
    Rule("by the ends of paths without extensions", _ending_plainly, of_folders=True),
    Rule("without folders and extensions", alike(lambda path: without_extension(name(path))), of_folders=True),
    Rule("without what Roboflow adds to names", alike(original)),
    Rule("as numbers", alike(number)),
)
BY_ID = Rule("by the numbers of the truth's images", alike(number))


class Found(NamedTuple):
    """So many names were joined by a rule, and which was the first."""

    rule: str
    how_many: int
    first: int


@dataclass
class Matched:
    """For each name its place among the known ones, -1 where it has none, and how that was found."""

    place: list[int]
    rules: list[Found] = field(default_factory=list)
    refused: dict[int, list[int]] = field(default_factory=dict)  # a name: the known ones that it might be
    elsewhere: dict[int, list[int]] = field(default_factory=dict)  # a name: those of other splits that are like it

    def count(self) -> int:
        """How many are joined."""
        return sum(place >= 0 for place in self.place)

    def join(self, rule: Rule, keys: list[str], known: list[str]) -> None:
        """Joins what is still waiting by a rule; what is in doubt by it is so by all later ones, which ask for less."""
        waiting = [i for i, place in enumerate(self.place) if place < 0 and i not in self.refused]
        # Names that share a form share the list of what it may be: thousands of frames may be called alike.
        doubtful = {p for places in {id(p): p for p in self.refused.values()}.values() for p in places} | {*self.place}
        made = []
        for i, places, rivals in rule.candidates(waiting, keys, known):
            if rivals == 1:
                fitting = [place for place in places if _one_split(keys[i], known[place])]
                if not fitting:
                    self.elsewhere.setdefault(i, places)
                    continue
                if len(fitting) == 1 and fitting[0] not in doubtful:
                    made.append(i)
                    self.place[i] = fitting[0]
                    self.elsewhere.pop(i, None)
                    continue
            self.refused[i] = places
        if made:
            self.rules.append(Found(rule.text, len(made), made[0]))


def _one_split(one: str, other: str) -> bool:
    """Whether folders do not say that the one is of another split: val and test often have the same names."""
    if "/" not in one or "/" not in other:
        return True
    ours, theirs = ({_SPLITS[p] for p in key.lower().split("/")[:-1] if p in _SPLITS} for key in (one, other))
    return not ours or not theirs or bool(ours & theirs)


def match_names(keys: Sequence[str], known: Sequence[str], ids: Ints | None = None) -> Matched:
    """The known name that each key means; `ids` are the numbers of the known ones, tried where no name fits at all.

    A rule joins two names if they are alike by it and no third one, on either side, is like them.

    >>> match_names(["a", "b.png", "c"], ["x/a.jpg", "b.jpg", "d.jpg"]).place
    [0, 1, -1]
    """
    keys, known = list(keys), list(known)
    if keys == known:
        return Matched(list(range(len(keys))))
    places = dict(zip(reversed(known), range(len(known) - 1, -1, -1), strict=True))  # the first of equal ones
    matched = Matched([places.get(key, -1) for key in keys])
    if min(matched.place, default=0) >= 0:
        return matched
    plain = [written(key) for key in keys], [written(key) for key in known]
    if plain != (keys, known):
        keys, known = plain
        matched.join(PLAIN, keys, known)
    folders = any("/" in key for key in keys) or any("/" in key for key in known)
    for rule in RULES:
        if min(matched.place) < 0 and (folders or not rule.of_folders):
            matched.join(rule, keys, known)
    if ids is not None and max(matched.place) < 0:
        matched.join(BY_ID, keys, [str(key) for key in ids.tolist()])
    return matched
