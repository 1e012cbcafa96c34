"""What the server reads and keeps: only what lies in its folders, only pictures as pictures, nothing without end."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import pytest
import scene
from PIL import Image
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from boxscore.app import pictures, uploads
from boxscore.app.folders import Folders
from boxscore.app.pictures import Pictures
from boxscore.app.workspace import Workspace


@pytest.mark.parametrize("path", ["/", "/etc", "/etc/passwd", "..", "../..", "~root", "/proc/self/environ", "a\0b"])
def test_folders_outside_are_refused(empty: TestClient, folder: Path, path: str) -> None:
    joined = str(folder / path) if path.startswith("..") else path
    answer = empty.get("/api/folder", params={"path": joined})
    assert answer.status_code in (400, 403)
    assert "entries" not in answer.text


def test_what_does_not_exist_outside_is_refused_alike(empty: TestClient) -> None:
    """Nobody learns from the answer which files there are."""
    there, nowhere = (empty.get("/api/folder", params={"path": path}) for path in ("/etc/passwd", "/etc/nothing-here"))
    assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text)


def test_a_folder_is_listed(tmp_path: Path) -> None:
    folder = scene.make(tmp_path / "data")  # its own: other tests write into the common one
    with scene.asking(Workspace(Folders.of([folder]))) as client:
        answer = client.get("/api/folder", params={"path": str(folder)}).json()
    assert [entry["name"] for entry in answer["entries"]] == ["pictures", "a.json", "b.json", "truth.json"]
    assert answer["above"] is None


def test_links_that_lead_out_are_not_listed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret").write_text("")
    (tmp_path / "in" / "out").symlink_to(tmp_path / "secret")
    (tmp_path / "in" / "up").symlink_to(tmp_path)
    (tmp_path / "in" / "file").write_text("")
    (tmp_path / "in" / "own").symlink_to(tmp_path / "in" / "file")
    folders = Folders.of([tmp_path / "in"])
    assert [entry["name"] for entry in folders.listed(str(tmp_path / "in"))["entries"]] == ["file", "own"]
    for name in ("out", "up", "up/secret"):
        with pytest.raises(HTTPException) as refused:
            folders.within(str(tmp_path / "in" / name))
        assert refused.value.status_code == 403


@pytest.mark.parametrize("key", ["truth", "images", "model"])
def test_the_form_takes_no_path_outside(empty: TestClient, folder: Path, key: str) -> None:
    own = str(folder / "truth.json")
    form = {
        "truth": {"truth": "/etc/passwd"},
        "images": {"truth": own, "options": {"images": "/etc"}},
        "model": {"truth": own, "models": [{"path": str(folder / ".." / ".." / "x")}]},
    }[key]
    assert empty.post("/api/form", json=form).status_code == 403
    assert empty.get("/api/state").json()["form"]["truth"] == ""


@pytest.mark.parametrize(
    "form",
    [[], 7, {"truth": 7}, {"models": {}}, {"models": [7]}, {"models": [{"path": 1}]}, {"options": []},
     {"options": {"__class__": "x"}}, {"options": {"box": 7}}, {"protocols": "coco"}, {"protocols": [7]},
     {"models": [{"path": "x"}] * 27}, {"models": [{"path": "", "options": {"images": "/"}}]}],
)  # fmt: skip
def test_a_form_of_another_shape_is_refused(empty: TestClient, form: object) -> None:
    assert empty.post("/api/form", json=form).status_code == 400
    assert empty.post("/api/form", content=b"{", headers={"content-type": "application/json"}).status_code == 400


def test_pictures_are_served_as_pictures(client: TestClient) -> None:
    whole, small = client.get("/api/picture?i=0"), client.get("/api/picture?i=0&size=100")
    assert (whole.headers["content-type"], small.headers["content-type"]) == ("image/png", "image/jpeg")
    assert Image.open(io.BytesIO(whole.content)).size == (160, 120)
    assert Image.open(io.BytesIO(small.content)).size == (160, 120)


@pytest.mark.parametrize("i", ["-1", "99", "x", "0x1", "1e1", "٣", "", "0" * 30])
def test_pictures_that_do_not_exist(client: TestClient, i: str) -> None:
    assert client.get("/api/picture", params={"i": i}).status_code == 404


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it has very many pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (bomb(50_000, 50_000), "more than 89,478,485 pixels"),
        (bomb(11_000, 10_000), "more than 89,478,485 pixels"),
        (bomb(2**31 - 1, 2**31 - 1), ""),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "cannot be read as an image"),
        (b"<html><script>alert(1)</script></html>", "cannot be read as an image"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n", "cannot be read as an image"),
        (b"", "cannot be read as an image"),
        (b"\x89PNG\r\n\x1a\n", "cannot be read as an image"),
    ],
    ids=["bomb", "just too large", "largest", "svg", "html", "postscript", "empty", "cut"],
)
@pytest.mark.parametrize("small", [True, False], ids=["small", "whole"])
def test_files_that_are_no_pictures_are_refused(tmp_path: Path, content: bytes, said: str, small: bool) -> None:
    (tmp_path / "a.png").write_bytes(content)
    made = Pictures(str(tmp_path), ["a.png"])
    with pytest.raises(HTTPException) as refused:
        made.thumbnail(0, 320) if small else made.whole(0)
    assert refused.value.status_code == 415
    assert said in refused.value.detail


def test_a_picture_that_is_a_link_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    Image.new("L", (8, 8)).save(tmp_path / "secret.png")
    (tmp_path / "in" / "a.png").symlink_to(tmp_path / "secret.png")
    made = Pictures(str(tmp_path / "in"), ["a.png"])
    with pytest.raises(HTTPException) as refused:
        made.whole(0)
    assert refused.value.status_code == 403


def test_large_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.new("L", (8, 8)).save(tmp_path / "a.png")
    monkeypatch.setattr(pictures, "BYTES", 10)
    with pytest.raises(HTTPException) as refused:
        Pictures(str(tmp_path), ["a.png"]).whole(0)
    assert refused.value.status_code == 415


def test_thumbnails_are_kept_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for k in range(9):
        Image.effect_noise((320, 320), 80).save(tmp_path / f"{k}.png")
    made = Pictures(str(tmp_path), [f"{k}.png" for k in range(9)])
    one = len(made.thumbnail(0, 320).content)
    monkeypatch.setattr(pictures, "CACHE", 3 * one + 1000)
    for k in range(9):
        made.thumbnail(k, 320)
    assert 1 <= len(made._kept) <= 4
    assert made.thumbnail(8, 300) is made.thumbnail(8, 320)


def test_rotated_pictures_stand_upright(tmp_path: Path) -> None:
    picture = Image.new("RGB", (40, 20))
    tags = picture.getexif()
    tags[0x0112] = 6  # to be turned by a quarter
    picture.save(tmp_path / "a.jpg", exif=tags)
    content = Pictures(str(tmp_path), ["a.jpg"]).thumbnail(0, 160).content
    assert Image.open(io.BytesIO(content)).size == (20, 40)


def test_without_a_folder_there_are_no_pictures() -> None:
    made = Pictures(None, ["a.png"])
    assert not made.has(0)
    with pytest.raises(HTTPException):
        made.whole(0)


def test_what_is_dropped_can_be_opened(empty: TestClient, folder: Path) -> None:
    answer = empty.put("/api/upload/drop-1/truth.json", content=(folder / "truth.json").read_bytes())
    path = answer.json()["path"]
    assert path.endswith("/drop-1/truth.json")
    assert empty.post("/api/form", json={"truth": path}).status_code == 200
    assert empty.put("/api/upload/drop-1/truth.json", content=b"").status_code == 409


@pytest.mark.parametrize("name", ["%2e%2e/x", "a/%2e%2e/%2e%2e/x", "a/%2e%2e", ".hidden", "a//b", "a/.b", "a\\b",
                                  "a%00b", "a%0ab", "a%1b[31mb", "/".join("a" * 20), "a" * 300])  # fmt: skip
def test_unusable_names_are_refused(empty: TestClient, name: str) -> None:
    assert empty.put(f"/api/upload/{name}", content=b"x").status_code in (400, 404)


def test_uploads_have_an_end(empty: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "LARGEST", 1000)
    assert empty.put("/api/upload/d/a", content=b"x" * 900).status_code == 200
    answer = empty.put("/api/upload/d/b", content=b"x" * 900)
    assert (answer.status_code, answer.json()["error"]) == (413, "too large; expected at most 1,000 bytes in all")
    monkeypatch.setattr(uploads, "LARGEST", 1 << 30)
    monkeypatch.setattr(uploads, "MOST", 2)
    assert empty.put("/api/upload/d/c", content=b"x").status_code == 413


def test_dropped_files_are_gone_with_the_server(folder: Path) -> None:
    with scene.asking(Workspace(Folders.of([folder]))) as client:
        path = Path(client.put("/api/upload/d/a", content=b"x").json()["path"])
        assert path.read_bytes() == b"x"
    assert not path.exists()
