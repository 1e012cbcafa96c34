"""The page in a real browser: what it shows is what the library says, and nothing goes wrong or elsewhere."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import scene
from starlette.testclient import TestClient

import boxscore as bs
from boxscore.app.folders import Folders
from boxscore.app.server import application
from boxscore.app.serving import bound, served
from boxscore.app.workspace import Workspace

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("no chromium here (Debian, Ubuntu: apt install chromium)", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api")

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]  # fmt: skip
PAGES = ("overview", "classes", "gallery", "image?i=5", "data", "data?side=A", "open")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as p:
        made = p.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield made
        made.close()


@contextmanager
def serving(workspace: Workspace) -> Iterator[str]:
    with served(application(workspace, scene.TOKEN), bound("127.0.0.1", 0, 0)) as port:
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="module")
def place(workspace: Workspace) -> Iterator[str]:
    with serving(workspace) as made:
        yield made


@contextmanager
def visiting(browser: Any, place: str, **more: Any) -> Iterator[Any]:
    """A page; at the end nothing has been complained about and nobody else has been asked."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **more})
    page = context.new_page()
    page.set_default_timeout(20_000)
    wrong: list[str] = []
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda r: wrong.append(r.url) if not r.url.startswith((place, "blob:")) else None)
    page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
    page.goto(f"{place}?token={scene.TOKEN}")
    page.wait_for_selector("h1")
    yield page
    context.close()
    assert not wrong


def settle(page: Any) -> None:
    page.wait_for_load_state("networkidle")


def test_every_page_at_every_width_in_both_themes(browser: Any, place: str) -> None:
    for theme in ("light", "dark"):
        for width in (400, 1280, 2560):
            with visiting(browser, place, viewport={"width": width, "height": 900}, color_scheme=theme) as page:
                assert page.evaluate("document.documentElement.dataset.theme") == theme
                for name in PAGES:
                    page.evaluate("hash => { location.hash = hash }", f"#/{name}")
                    page.wait_for_selector(f"main.page-{name.split('?')[0]} h1")
                    settle(page)
                    wide = page.evaluate("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
                    assert wide <= width, f"{name} scrolls sideways at {width}"
                    assert not page.locator("main .failed:visible").count(), page.locator(
                        "main .failed"
                    ).all_inner_texts()


def test_the_numbers_are_those_of_the_library(browser: Any, place: str, folder: Path) -> None:
    with visiting(browser, place) as page:
        for protocol in ("coco", "voc2012"):
            page.select_option("select.protocol", label=protocol)
            page.wait_for_function(
                "name => document.querySelector('.facts code')?.textContent.startsWith(name + '#')", arg=protocol
            )
            settle(page)
            for row, name in enumerate("ab"):
                result = bs.evaluate(folder / "truth.json", folder / f"{name}.json", protocol=protocol)
                shown = page.locator(f".headlines tbody tr:nth-child({row + 1}) td").all_inner_texts()
                expected = ["n/a" if v != v else f"{v:.3f}" for v in result.metrics.values()]
                assert shown[: len(expected)] == expected
                score = float(page.locator(".typed").get_attribute("title"))
                at = result.at(score)
                assert shown[len(expected) :] == [f"{v:.3f}" for v in (at.precision, at.recall, at.f1)]


def test_the_score_line_moves_every_panel(browser: Any, place: str, folder: Path) -> None:
    result = bs.evaluate(folder / "truth.json", folder / "a.json")
    with visiting(browser, place) as page:
        page.wait_for_selector(".headlines")
        box = page.locator(".track").bounding_box()
        for part in (0.3, 0.55, 0.8):
            page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 10)
            page.mouse.down()
            page.mouse.move(box["x"] + box["width"] * part, box["y"] + 10, steps=4)
            page.mouse.up()
            settle(page)
            at = result.at(float(page.locator(".typed").get_attribute("title")))
            shown = page.locator(".headlines tbody tr:first-child td.obeys").all_inner_texts()
            assert shown == [f"{v:.3f}" for v in (at.precision, at.recall, at.f1)]
            assert f"{at.false_negatives} missed" in page.locator(".account").nth(1).inner_text()
            assert f"s={at.score}" in page.url
        page.fill(".typed", "0.5")
        page.press(".typed", "Enter")
        page.click("nav >> text=Classes")
        page.wait_for_selector("tr[data-id=dog]")
        settle(page)
        _, fp, fn, p, r, f1 = result.at(0.5).per_class["dog"]
        assert page.locator("tr[data-id=dog] td.obeys").all_inner_texts() == [f"{v:.3f}" for v in (p, r, f1)]
        page.click("tr[data-id=dog]")
        page.wait_for_selector(f"text=See what is missed ({fn})")
        page.click(f"text=See what is false ({fp})")
        page.wait_for_selector(".tile")
        settle(page)
        assert page.locator(".tile").count() == sum(
            bool(len(result.at(0.5).rows("FP", "dog", image=i + 1))) for i in range(12)
        )


def test_links_back_and_reload(browser: Any, place: str) -> None:
    with visiting(browser, place) as page:
        page.goto(f"{place}#/gallery?s=0.3&class=dog&verdict=fp")
        page.wait_for_selector(".tile")
        assert page.locator("select[aria-label=Class]").input_value() == "dog"
        count = page.locator(".tile").count()
        page.locator(".tile").first.click()
        page.wait_for_selector("main.page-image .boxes")
        name = page.locator("h1").inner_text()
        page.reload()
        page.wait_for_selector("main.page-image .boxes")
        assert page.locator("h1").inner_text() == name
        page.go_back()
        page.wait_for_selector(".tile")
        assert page.locator(".tile").count() == count
        page.keyboard.press("j")
        page.keyboard.press("k")
        page.keyboard.press("Space")
        page.wait_for_selector("main.page-image .boxes")
        assert page.locator("h1").inner_text() == name
        settle(page)
        page.keyboard.press("ArrowRight")
        page.wait_for_function("name => document.querySelector('h1').textContent !== name", arg=name)
        page.go_back()
        page.wait_for_function("name => document.querySelector('h1').textContent === name", arg=name)


def test_an_image_says_why(browser: Any, place: str, folder: Path) -> None:
    with visiting(browser, place) as page:
        page.goto(f"{place}#/image?i=5&s=0.3&m=B")
        page.wait_for_selector(".boxes tbody tr")
        settle(page)
        at = bs.evaluate(folder / "truth.json", folder / "a.json").at(0.3)
        expected = [len(at.rows(v, image="scene 06.png")) for v in ("TP", "FP", "FN")]
        assert [int(n) for n in re.findall(r"\d+", page.locator(".panel .about").first.inner_text())] == expected
        page.locator(".boxes tbody tr").first.click()
        page.wait_for_selector(".why:has-text('background')")
        assert (
            page.evaluate("document.querySelector('canvas').getContext('2d').getImageData(300, 300, 1, 1).data[3]")
            == 255
        )
        with page.expect_download() as saved:
            page.click("text=Save PNG")
        assert saved.value.suggested_filename == "scene_06_boxes.png"
        for key in ("1", "+", "-", "0", "t", "a", "Escape"):
            page.keyboard.press(key)
        assert page.locator("text=ground truth (t)").get_attribute("aria-pressed") == "true"


def test_names_never_become_markup(browser: Any, place: str) -> None:
    with visiting(browser, place) as page:
        for name in PAGES:
            page.evaluate("hash => { location.hash = hash }", f"#/{name}")
            page.wait_for_selector(f"main.page-{name.split('?')[0]} h1")
            settle(page)
            assert not page.locator("img[src=x]").count()
        page.goto(f"{place}#/classes?class=" + scene.MARKUP.replace("<", "%3C").replace(">", "%3E").replace(" ", "%20"))
        page.wait_for_selector("h2:has-text('onerror')")
        assert not page.locator("img[src=x]").count()


def test_files_are_opened_evaluated_and_saved(browser: Any, folder: Path) -> None:
    """The way through the window of 2021: choose, look at what was recognised, tick, run, look, save."""
    workspace = Workspace(Folders.of([folder]))
    with serving(workspace) as place, visiting(browser, place) as page:
        assert page.locator("h1").inner_text() == "Open"
        for button, path in (
            ("Browse for Ground truth", "truth.json"),
            ("Browse for Images", "pictures"),
            ("Add detections", "a.json"),
        ):
            page.get_by_role("button", name=button).click()
            page.wait_for_selector("dialog .entries button")
            page.fill("dialog input.path", str(folder / path))
            page.click("dialog button.main")
        page.wait_for_selector("text=24 objects", timeout=60_000)
        page.wait_for_selector("text=36 detections", timeout=60_000)
        page.check("label:has-text('voc2012') input")
        page.uncheck("label:has-text('coco') input >> nth=0")
        page.fill("input[placeholder='as the protocol']", "0.6")
        page.press("input[placeholder='as the protocol']", "Tab")
        page.click("button:has-text('Evaluate')")
        page.wait_for_selector(".headlines", timeout=60_000)
        result = bs.evaluate(folder / "truth.json", folder / "a.json", protocol="voc2012[iou=0.6]")
        assert page.locator(".headlines td.headline").inner_text() == f"{result['mAP']:.3f}"
        assert page.locator(".facts code").inner_text() == result.protocol.signature()
        page.reload()
        page.wait_for_selector(".headlines")
        page.click("nav >> text=Open")
        page.fill("input[aria-label='Output folder']", str(folder / "saved"))
        page.uncheck("label:has-text('with plots') input")
        page.click("button:has-text('Save')")
        page.wait_for_selector("text=2 files written")
        assert (
            json.loads((folder / "saved" / "results.json").read_text())["results"][0]["metrics"]["mAP"] == result["mAP"]
        )


def test_what_is_dropped_is_opened(browser: Any, folder: Path) -> None:
    with serving(Workspace(Folders.of([folder / "pictures"]))) as place, visiting(browser, place) as page:
        drop = """text => { const data = new DataTransfer(); data.items.add(new File([text], "truth.json"));
            const event = new DragEvent("drop", {dataTransfer: data, bubbles: true});
            document.querySelector(".card").dispatchEvent(event); }"""
        page.evaluate(drop, (folder / "truth.json").read_text())
        page.wait_for_selector("text=12 images, 24 objects, 3 classes", timeout=60_000)


def test_a_run_can_be_cancelled(browser: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import boxscore.app.jobs as jobs

    workspace = Workspace(Folders.of([folder]), scene.form(folder))
    workspace.checked = {"truth": None, "models": [], "diagnoses": []}
    monkeypatch.setattr(jobs.Job.__init__, "__defaults__", (scene.endless,))
    with serving(workspace) as place, visiting(browser, place) as page:
        page.click("button:has-text('Evaluate')")
        page.wait_for_selector("text=at it, 1 of 3")
        page.reload()
        page.wait_for_selector("text=at it, 1 of 3")
        assert workspace.job is not None
        process = workspace.job.process
        page.click("button:has-text('Cancel')")
        page.wait_for_selector("text=Cancelled.")
        assert not process.is_alive()
        assert page.locator("button:has-text('Evaluate')").is_enabled()


def test_messages_stand_in_the_page(browser: Any, folder: Path) -> None:
    (folder / "broken.json").write_text("[{]")
    form = scene.form(folder)
    workspace = Workspace(Folders.of([folder]), type(form)(str(folder / "broken.json"), form.models))
    with serving(workspace) as place, visiting(browser, place) as page:
        page.wait_for_selector(".card .failed:has-text('broken.json')", timeout=60_000)
        page.click("button:has-text('Evaluate')")
        page.wait_for_selector(".work .failed:has-text('broken.json')", timeout=60_000)


def test_without_images_boxes_are_on_paper(browser: Any, folder: Path) -> None:
    form = scene.form(folder, ("coco",))
    workspace = Workspace(Folders.of([folder]), type(form)(form.truth, form.models[:1]))
    workspace.start("evaluate").listener.join(60)
    with serving(workspace) as place, visiting(browser, place) as page:
        page.goto(f"{place}#/gallery")
        page.wait_for_selector(".tile canvas.paper")
        page.locator(".tile").first.click()
        page.wait_for_selector("text=no image file")
        time.sleep(0.1)
        assert page.locator(".boxes tbody tr").count() > 0


def test_without_the_token_the_page_says_what_to_do(workspace: Workspace) -> None:
    answer = TestClient(application(workspace, scene.TOKEN), "http://127.0.0.1:1").get("/")
    assert "Open that link once in this browser" in answer.text
