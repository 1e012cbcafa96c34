"""Errors that a user can act on: where it is, what was found, what is expected, what helps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SIZES_UNKNOWN = "image sizes unknown: give --images, --sizes or --image-size"
LONGEST = 120  # characters of a name in a table or message; JSON and CSV have all of them
FEW = 12  # names of which there may be many that a message lists
LISTS = {  # what there may be many of, and the command that lists them all
    "class": "",
    "protocol": "boxscore protocols", "metric": "boxscore rule", "protocol field": "boxscore rule",
    "truth_format": "boxscore formats", "detections_format": "boxscore formats",
    "ground-truth format": "boxscore formats", "detections format": "boxscore formats",
}  # fmt: skip
_COMPARED = 100  # characters of a name that are compared: likeness takes the square of their number
_MESSAGE = 2000  # characters of what a message says was found


def printable(text: str) -> str:
    r"""Text without line breaks and control characters, which could break a table or command a terminal.

    >>> printable("a\nb")
    'a\\nb'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def readable(text: str) -> str:
    r"""Lines for a terminal: what could command it is written as codes.

    >>> readable("a\x1b[31mb\nc")
    'a\\x1b[31mb\nc'
    """
    return text if text.isprintable() else "\n".join(map(printable, text.split("\n")))


def elided(text: str, limit: int = 32) -> str:
    """At most so many characters; what is missing is missing in the middle."""
    if len(text) <= limit:
        return text
    half = (limit - 3) // 2
    return f"{text[: limit - 3 - half]}...{text[-half:]}"


class BoxscoreError(Exception):
    """Any error that is the input's or the caller's, not ours."""


class InputError(BoxscoreError):
    """Input that cannot be used.

    >>> print(InputError("a.txt:2", "4 values", "class x y width height"))
    a.txt:2: 4 values; expected class x y width height
    """

    def __init__(self, where: str, actual: str, expected: str = "", hint: str = "") -> None:
        self.where, self.actual, self.expected, self.hint = where, actual, expected, hint
        self.of_record = False  # whether a single record is wrong, which could be left out
        text = printable(elided(f"{where}: {actual}" if where else actual, _MESSAGE))
        if expected:
            text += f"; expected {printable(expected)}"
        if hint:
            text += f"\n  {hint}"
        super().__init__(text)

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str, str, str]]:
        return type(self), (self.where, self.actual, self.expected, self.hint)

    @property
    def found(self) -> str:
        """The older name of `actual`."""
        return self.actual


class SizesUnknown(InputError):
    """A number that counts in pixels, of boxes that are shares of images whose sizes are not known."""

    def __init__(self) -> None:
        super().__init__("", SIZES_UNKNOWN)

    def __reduce__(self) -> tuple[type[SizesUnknown], tuple[()]]:  # type: ignore[override]
        return type(self), ()


class UsageError(BoxscoreError):
    """A name, an option or an argument that does not exist or does not fit."""


class UnknownName(UsageError):
    """A name that is in no registry, with the nearest one that is; `where` is the option or function that got it.

    Of more than a few names, the nearest three stand for all.

    >>> print(UnknownName("protocol", "coc", ["coco", "voc2007"]))
    unknown protocol 'coc'; did you mean 'coco'? (known: coco, voc2007)
    >>> print(UnknownName("metric", "AP5", [f"AP{k}" for k in range(50, 70)]))
    unknown metric 'AP5'; did you mean 'AP50', 'AP51' or 'AP52'? (20 known; `boxscore rule` lists them)
    """

    def __init__(self, what: str, name: str, known: Iterable[str], where: str = "") -> None:
        names = list(known)
        few = len(names) <= FEW or what not in LISTS
        near = nearest_few(name, names, 1 if few else 3)
        guess = f"; did you mean {either(near)}?" if near else ""
        lists = f"; `{LISTS[what]}` lists them" if LISTS.get(what) else ""
        listed = f"known: {', '.join(names)}" if few else f"{len(names):,} known{lists}"
        super().__init__(f"{where and where + ': '}unknown {what} '{name}'{guess} ({listed})")


def either(names: Sequence[str]) -> str:
    """Names in quotes, one of which it may be.

    >>> either(["a", "b", "c"])
    "'a', 'b' or 'c'"
    """
    quoted = [f"'{name}'" for name in names]
    return " or ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like a given one, whatever its case; None if none is.

    >>> nearest("ap5O", ["AP", "AP50", "AR100"])
    'AP50'
    """
    return next(iter(nearest_few(name, known, 1)), None)


def nearest_few(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known names that are most like a given one, the nearest first; of equally near ones the first known.

    >>> nearest_few("voc20", ["voc2007", "coco", "voc2012"])
    ['voc2007', 'voc2012']
    """
    name = name[:_COMPARED]
    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(candidate[:_COMPARED].casefold(), candidate)
    import difflib  # takes milliseconds, and only mistakes need it

    close = {*difflib.get_close_matches(name.casefold(), folded, n=max(len(folded), 1))}
    near = [candidate for candidate in folded if candidate in close]

    def likeness(candidate: str) -> tuple[float, int]:
        same = next((i for i, (a, b) in enumerate(zip(name.casefold(), candidate, strict=False)) if a != b), 99)
        return difflib.SequenceMatcher(None, name.casefold(), candidate).ratio(), same

    return [folded[one] for one in sorted(near, key=likeness, reverse=True)[:count]]


def first_few(places: Iterable[object], count: int, limit: int = 3) -> str:
    """The first places and how many there are in all.

    >>> first_few(["a", "b", "c", "d"], 4)
    'a, b, c and 1 more'
    """
    shown = [elided(str(place), LONGEST) for place, _ in zip(places, range(limit), strict=False)]
    rest = count - len(shown)
    return ", ".join(shown) + (f" and {rest:,} more" if rest > 0 else "")
