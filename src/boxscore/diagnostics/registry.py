"""All kinds of diagnostics by their codes: those of files, of an evaluation and of the doctor alike."""

from __future__ import annotations

from boxscore.diagnostics.boxes import BOXES
from boxscore.diagnostics.classes import CLASSES
from boxscore.diagnostics.files import FILES
from boxscore.diagnostics.images import IMAGES
from boxscore.diagnostics.keypoints import KEYPOINTS
from boxscore.diagnostics.kind import Kind
from boxscore.diagnostics.objects import OBJECTS
from boxscore.diagnostics.rules import RULES
from boxscore.diagnostics.scores import SCORES
from boxscore.diagnostics.shapes import SHAPES
from boxscore.diagnostics.videos import VIDEOS

ALL: tuple[Kind, ...] = (*BOXES, *SHAPES, *KEYPOINTS, *IMAGES, *CLASSES, *OBJECTS, *SCORES, *FILES, *VIDEOS, *RULES)
_BY_CODE = {code: kind for kind in ALL for code in (kind.code, *kind.aliases)}


def lookup(code: str) -> Kind:
    """The kind that has a code, or had it before; a KeyError for any other.

    >>> lookup("ID101").code
    'ID001'
    """
    return _BY_CODE[code]
