"""All evidence about files, put together: which formats they fit, which not, and what they leave open."""

from __future__ import annotations

from collections.abc import Sequence

from boxscore.errors import InputError
from boxscore.formats.content import EMPTY, Candidate, File, Question, Sheet
from boxscore.formats.io.ends import START, end
from boxscore.formats.io.files import Files
from boxscore.formats.io.json_keys import Outline, outline, without_long_texts
from boxscore.formats.recognise import csv_signs, json_signs, text_signs, xml_signs
from boxscore.formats.recognise.answer import LEVELS, Answer, Refused, ranked
from boxscore.formats.recognise.layout import narrowed
from boxscore.formats.recognise.look import SAMPLE, Look, Piece, look
from boxscore.formats.recognise.text_forms import Forms
from boxscore.formats.record import CSV, JSON, LIKELY, PICTURE, RECORD, SURE, TEXT, TRUTH, XML, Format, Seen
from boxscore.formats.registry import asked, described, foreign, formats, of_others

_SHORT = 1 << 12  # characters of JSON that are looked at first
_PICTURES = "images"  # what a file of such content, or a folder of nothing else, is called
_LINES = ("text", "empty")  # kinds of files that are looked at by line
_KINDS = {JSON: "JSON", XML: "XML", CSV: "CSV", RECORD: "TFRecord", PICTURE: "pictures", TEXT: "text"}
_ORDER = (*_KINDS,)


def recognised(files: Files, most: int = SAMPLE, everything: bool = True) -> Answer:
    """Everything that the content of files says about their format; of a folder so many are looked into.

    Formats of other packages, which take time to find, are asked where no other is sure, or with `everything`.
    """
    answer = _recognised(files, most, everything)
    if not everything and not any(candidate.level == SURE for candidate in answer.candidates) and of_others():
        return _recognised(files, most, everything=True)
    return answer


def _recognised(files: Files, most: int, everything: bool) -> Answer:
    if (told := _packed(files) or _sheet(files)) is not None:
        return told
    seen = look(files, most)
    per_file: list[tuple[Piece, Seen]] = []
    refused: dict[str, str] = {}
    sheets: list[Sheet] = []
    texts: list[File] = []
    forms = Forms(everything if any(piece.kind in _LINES for piece in seen.pieces) else None)
    for piece in seen.pieces:
        if piece.kind == "json":
            found = _json(files, piece, refused, everything)
        elif piece.kind == "xml":
            elements = xml_signs.xml(piece.text, files.source(piece.path).bytes)
            found = xml_signs.signs(elements, everything)
            for form in asked(XML, everything):
                refused.setdefault(form.name, xml_signs.why_not(form, elements))
        elif piece.kind == "text" or (piece.kind == "empty" and _may_be_text(piece.path)):
            sheet = csv_signs.sheet(piece.text, everything)
            found = csv_signs.signs(sheet, everything) if sheet is not None else []
            if sheet is not None and (sheet.header or found):
                sheets.append(sheet)
            else:
                texts.append(forms.file(piece.path, piece.text, len(piece.text) < START))
        elif piece.kind == "record":
            found = _of_kind(RECORD, everything)
        else:
            other = foreign().get(piece.kind) if piece.kind != _PICTURES else None
            found = [Seen(piece.kind, SURE, "its first bytes say so", TRUTH)] if other is not None else []
        per_file += [(piece, one) for one in found]
    candidates = _together(per_file)
    if any(file.form != EMPTY for file in texts) or not candidates:
        candidates += text_signs.signs(texts, forms, files.paths, not files.is_file)
    if not {candidate.name for candidate in candidates} & {form.name for form in formats(everything)}:
        candidates = _pictures(files, everything) or candidates
    if seen.images and not candidates:
        candidates = [Candidate(_PICTURES, SURE, ("there is nothing else",), ())]
    if not candidates and files.is_file and seen.pieces[0].kind == _PICTURES:
        candidates = [Candidate(_PICTURES, SURE, ("its first bytes say so",), ("",))]
    best = ranked(candidates)
    named = {candidate.name for candidate in best}
    if sheets:
        refused |= {one.name: csv_signs.why_not(one, sheets[0]) for one in asked(CSV, everything) if one.columns}
    if texts:
        refused |= {
            one.record.name: text_signs.why_not(one, texts, forms, not files.is_file)
            for one in forms.formats
            if one.look.why_not
        }
    others = [
        Refused(form.name, refused.get(form.name, _no(form)))
        for form in sorted(formats(everything), key=lambda form: _ORDER.index(form.kind))
        if form.name not in named
    ]
    unclear = [*_which(files, best[0]), *text_signs.questions(best[0].name, texts, forms)] if best else []
    words = _found(files, seen, sheets)
    return Answer(files.name, words, files.is_file, best, tuple(others), tuple(unclear))


def _found(files: Files, seen: Look, sheets: Sequence[Sheet]) -> str:
    if files.is_file and seen.pieces[0].kind == "json":
        return f"JSON with {json_signs.keys(outlined(files, seen.pieces[0]).value)}"
    if files.is_file and sheets:
        return "a table of " + (f"columns {', '.join(sheets[0].header)}" if sheets[0].header else "unnamed columns")
    return seen.found


def _which(files: Files, best: Candidate) -> list[Question]:
    """Whether several files or folders could be meant."""
    try:
        narrowed(files, best, None)
    except InputError as error:
        parts = error.actual.partition(": ")[2].split(", ") if "--split" in error.hint else []
        options = tuple(f"--split {part.rpartition('/')[2]}" for part in parts)
        return [Question("which of them", (error.actual,), options or ("the path of one",))]
    return []


def _may_be_text(path: str) -> bool:
    """Whether an empty file may be the text file of an image without objects."""
    name = path.rpartition("/")[2]
    return name.lower().endswith(".txt") or (bool(name) and "." not in name)


def _of_kind(kind: str, everything: bool) -> list[Seen]:
    """The formats that files of a kind have, whatever is in them."""
    return [
        Seen(record.name, sign.level, sign.reason, sign.sides)
        for record in asked(kind, everything)
        for sign in record.signs
        if sign.reason
    ]


def _pictures(files: Files, everything: bool) -> list[Candidate]:
    """The formats that are pictures in a folder of a certain name."""
    found = []
    for record in asked(PICTURE, everything):
        for sign in record.signs:
            paths = [path for path in files.ending(".png") if f"{sign.folder}/".lower() in path.lower()]
            if sign.folder and paths:
                reason = f"it has a folder {sign.folder}"
                found.append(Candidate(record.name, sign.level, (reason,), tuple(paths), sign.sides))
    return found


def _no(form: Format) -> str:
    words = {CSV: "no table with such a header", TEXT: "no lines of numbers"}
    return words.get(form.kind) or f"no {form.lacks if form.kind == PICTURE else _KINDS[form.kind]}"


def _json(files: Files, piece: Piece, refused: dict[str, str], everything: bool) -> list[Seen]:
    for form in formats(everything):
        if form.kind == JSON:
            refused.setdefault(form.name, f"it lacks {form.lacks}")
    found = json_signs.signs(outline(piece.text[:_SHORT]), everything=everything)  # enough for most
    if found and found[0].level == SURE:
        return found
    seen = outlined(files, piece)
    closing = end(files, piece.path) if not seen.complete else ""
    for far, word in json_signs.far_words():
        if far in closing and word.encode() in files.source(piece.path).bytes():
            closing += word
    return json_signs.signs(seen, closing, everything)


def outlined(files: Files, piece: Piece) -> Outline:
    """The outline of a JSON file; where an embedded image takes all of the beginning, without it."""
    seen = outline(piece.text)
    if not seen.complete and len(piece.text) >= START and piece.text.count('"') < START // 100:
        seen = outline(without_long_texts(files.source(piece.path).bytes())[:START])
    return seen


def _together(found: Sequence[tuple[Piece, Seen]]) -> list[Candidate]:
    """Candidates out of what was seen of each file: a format, its files, and the surest of the reasons."""
    groups: dict[tuple[str, tuple[str, ...]], list[tuple[Piece, Seen]]] = {}
    for piece, seen in found:
        groups.setdefault((seen.name, seen.sides), []).append((piece, seen))
    candidates = []
    for (name, sides), members in groups.items():
        best = min((seen for _, seen in members), key=lambda seen: LEVELS.index(seen.level))
        reasons = [best.reason]
        if len(members) > 1 or members[0][0].path:
            reasons.append(f"{len(members):,} such file{'s' * (len(members) != 1)}, {members[0][0].path} first")
        candidates.append(Candidate(name, best.level, tuple(reasons), tuple(p.path for p, _ in members), sides))
    return candidates


def _sheet(files: Files) -> Answer | None:
    """What describes a folder of some format and may be given instead of it."""
    if not (name := described(files.name, files.is_file)):
        return None
    refused = tuple(Refused(form.name, "it is YAML") for form in formats() if form.name != name)
    reasons = ("it is YAML, and is read as the description of a data set",)
    return Answer(files.name, "a YAML file", True, (Candidate(name, LIKELY, reasons, ("",), TRUTH),), refused)


def _packed(files: Files) -> Answer | None:
    """What is an archive by its bytes and something else by its use."""
    if files.root is not None:
        return None
    paths = set(files.paths)
    for record in foreign().values():
        for packed in record.packed:
            if paths.intersection(packed.holds):
                refused = tuple(Refused(form.name, f"it is {packed.title}") for form in formats())
                candidate = Candidate(record.name, SURE, (f"it holds {packed.holds[0]}",), ("",))
                return Answer(files.name, packed.title, True, (candidate,), refused)
    return None
