"""Who may ask: requests without the token, of other sites and to other hosts are refused, and say nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import scene
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from boxscore.app import guard
from boxscore.app.folders import Folders
from boxscore.app.server import application
from boxscore.app.workspace import Workspace

OWN = {"x-boxscore-token": scene.TOKEN}
PLACES = ("/", "/main.js", "/api/state", "/api/folder?path=/", "/api/picture?i=0")


def bare(workspace: Workspace, **more: object) -> TestClient:
    return TestClient(application(workspace, scene.TOKEN, **more), "http://127.0.0.1:8765", follow_redirects=False)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("headers", [{}, {"x-boxscore-token": "wrong"}, {"x-boxscore-token": ""},
                                     {"cookie": f"{guard.COOKIE}=wrong"}, {"cookie": "a=;;\x7f"}])  # fmt: skip
def test_without_the_token_nothing_is_told(workspace: Workspace, place: str, headers: dict[str, str]) -> None:
    answer = bare(workspace).get(place, headers=headers)
    assert (answer.status_code, answer.text) == (403, guard.ASK)


def test_a_wrong_token_in_the_address_opens_nothing(workspace: Workspace) -> None:
    answer = bare(workspace).get("/?token=wrong")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_the_link_gives_a_cookie_and_leaves_the_address(workspace: Workspace) -> None:
    client = bare(workspace)
    answer = client.get(f"/?token={scene.TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert client.get("/").status_code == 200
    assert client.get("/api/state").json()["opened"]["number"] == 1


def test_the_link_leads_nowhere_else(workspace: Workspace) -> None:
    answer = bare(workspace).get(f"//elsewhere.example/?token={scene.TOKEN}")
    assert answer.status_code != 303 or answer.headers["location"].startswith("/")
    assert not answer.headers.get("location", "").startswith("//")


@pytest.mark.parametrize("host", ["elsewhere.example", "elsewhere.example:8765", "127.0.0.1.elsewhere.example", "",
                                  "localhost.elsewhere.example", "[::1", "10.0.0.5:8765",
                                  "localhost@elsewhere.example"])  # fmt: skip
def test_a_name_that_was_bound_to_this_address_is_refused(workspace: Workspace, host: str) -> None:
    """DNS rebinding: the request reaches the server, but under the name of the attacker's site."""
    answer = bare(workspace).get("/api/state", headers={**OWN, "host": host})
    assert (answer.status_code, answer.text) == (421, "unknown Host\n")


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:9000", "[::1]:1", "LOCALHOST:8765"])
def test_the_port_may_be_forwarded(workspace: Workspace, host: str) -> None:
    assert bare(workspace).get("/api/state", headers={**OWN, "host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "https://elsewhere.example", "null", "file://",
                                    "http://127.0.0.1:9999", "http://localhost:8765"])  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_requests_of_other_sites_are_refused(workspace: Workspace, method: str, origin: str) -> None:
    place = "/api/state" if method == "GET" else "/api/cancel"
    answer = bare(workspace).request(method, place, headers={**OWN, "origin": origin})
    assert (answer.status_code, answer.text) == (403, "a request of another site\n")
    assert "access-control-allow-origin" not in answer.headers


def test_what_a_browser_says_of_other_sites_counts(workspace: Workspace) -> None:
    client = bare(workspace)
    for headers, code in (
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 200),
        ({"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}, 200),
    ):
        assert client.get("/api/state", headers={**OWN, **headers}).status_code == code


def test_its_own_origin_may_act(workspace: Workspace) -> None:
    answer = bare(workspace).post("/api/cancel", headers={**OWN, "origin": "http://127.0.0.1:8765"})
    assert answer.status_code == 200


@pytest.mark.parametrize("place", [*PLACES, "/nothing", "/api/nothing"])
def test_every_answer_has_the_headers(workspace: Workspace, place: str) -> None:
    for headers in (OWN, {}):
        answer = bare(workspace).get(place, headers=headers)
        for name, value in guard.HEADERS.items():
            assert answer.headers[name] == value
        assert "unsafe" not in answer.headers["content-security-policy"]


def test_large_requests_are_refused(workspace: Workspace) -> None:
    client = bare(workspace)
    stated = client.post("/api/form", content=b"{}", headers={**OWN, "content-length": str(guard.LARGEST + 1)})
    assert stated.status_code == 413
    blocks = (b" " * 65536 for _ in range(32))  # without a stated length
    streamed = client.post("/api/form", content=blocks, headers=OWN)
    assert (streamed.status_code, streamed.text) == (413, f"too large; expected at most {guard.LARGEST:,} bytes\n")
    for odd in ("-1", "1e3", "9" * 40):
        assert client.post("/api/form", content=b"{}", headers={**OWN, "content-length": odd}).status_code == 413


def test_there_are_no_websockets(workspace: Workspace) -> None:
    with pytest.raises(WebSocketDisconnect), bare(workspace).websocket_connect("/", headers=OWN):
        pass


@pytest.mark.parametrize("place", ["/../server.py", "/..%2fserver.py", "/%2e%2e/server.py", "/pages/../../server.py",
                                   "/..\\server.py", "//etc/passwd", "/%00", "/page/../../../setup"])  # fmt: skip
def test_only_the_page_is_served(client: TestClient, place: str) -> None:
    answer = client.get(place)
    assert answer.status_code in (400, 404)
    assert "import" not in answer.text


def test_other_machines_need_the_token_too(folder: Path) -> None:
    client = bare(Workspace(Folders.of([folder])), hosts=("*",))
    assert client.get("/api/state", headers={"host": "box.example"}).status_code == 403
    assert client.get("/api/state", headers={**OWN, "host": "box.example"}).status_code == 200
