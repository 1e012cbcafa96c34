"""Fonts: of those installed one that has the glyphs; codes where none has them."""

from __future__ import annotations

import pytest
from matplotlib import font_manager

from boxscore.report.figures import fonts
from boxscore.report.figures.making import made
from boxscore.report.views import pr
from figures import scenes


@pytest.fixture
def _only_matplotlibs_own(monkeypatch):
    """As on a machine without any font: those that come with matplotlib."""
    own = [font for font in font_manager.fontManager.ttflist if "mpl-data" in font.fname]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", own)
    for cached in (fonts._base, fonts._others):
        cached.cache_clear()
    yield
    for cached in (fonts._base, fonts._others):
        cached.cache_clear()


@pytest.mark.usefixtures("_only_matplotlibs_own")
def test_what_no_font_has_is_written_as_codes():
    chosen = fonts.fonts_for(["a 猫 \U0001f6f8"])
    assert chosen.missing >= {"猫"}
    assert chosen.written("a 猫") == "a \\u732b"
    figure = made("pr", pr.view([scenes.results(("猫", "dog"))[0]], "猫")).figure
    assert any(text.get_text().startswith("\\u732b, AP") for text in figure.axes[0].texts)


@pytest.mark.usefixtures("_only_matplotlibs_own")
def test_the_font_of_matplotlib_does_for_many_scripts():
    chosen = fonts.fonts_for(["Straße σκύλος собака →…"])
    assert chosen == fonts.Fonts(("DejaVu Sans",), frozenset())


def test_a_font_is_chosen_that_has_the_glyphs():
    for text in ("猫", "แมว", "कुत्ता"):
        chosen = fonts.fonts_for([text])
        paths = [font.fname for font in font_manager.fontManager.ttflist if font.name in chosen.families]
        glyphs = frozenset().union(*map(fonts._glyphs, paths))
        assert set(text) - chosen.missing <= glyphs


def test_texts_of_a_view_are_all_of_them():
    view = pr.view([scenes.results(scenes.words(3))[0]])
    assert {"person", "car", "mean", view.title, view.number} <= set(fonts.texts_of(view))


def test_a_font_that_cannot_be_read_has_no_glyphs(tmp_path):
    (tmp_path / "broken.ttf").write_bytes(b"nothing")
    assert fonts._glyphs(str(tmp_path / "broken.ttf")) == frozenset()
