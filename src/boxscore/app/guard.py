"""Who may ask: token, Host and Origin of every request, the size of what is sent; and the headers of answers."""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE = "boxscore-token"
LARGEST = 1 << 20  # bytes of a request that is not an upload
LARGEST_UPLOAD = 2 << 30
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "SAMEORIGIN",
}
ASK = (
    "This page needs the link that `boxscore app` has printed: it holds a token. Open that link once in this browser.\n"
)


class TooLarge(Exception):
    """More was sent than is taken."""


class Guard:
    """Lets requests through to an application only if they are the user's own."""

    def __init__(self, app: ASGIApp, token: str, hosts: tuple[str, ...] = LOOPBACK) -> None:
        self.app, self.token, self.hosts = app, token, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers refused requests itself; adds the headers to every answer."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})  # nothing here uses websockets
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, sending)
            return
        largest = LARGEST_UPLOAD if "/api/upload/" in scope["path"] else LARGEST
        await self._limited(scope, receive, sending, largest, headers.get("content-length", "0"))

    def _refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | RedirectResponse | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_own(hosts[0]):
            return PlainTextResponse("unknown Host\n", 421)
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != hosts[0].lower():
            return PlainTextResponse("a request of another site\n", 403)
        navigates = headers.get("sec-fetch-mode") == "navigate"
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not navigates:
            return PlainTextResponse("a request of another site\n", 403)
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if self._fits(query.get("token", [""])[0]) and scope["method"] == "GET":
            return self._welcome(scope, query)
        if not (self._fits(_cookie(headers)) or self._fits(headers.get("x-boxscore-token", ""))):
            return PlainTextResponse(ASK, 403)
        return None

    def _is_own(self, host: str) -> bool:
        """Whether the name in a Host header is ours, whatever the port: ssh may forward another one."""
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        return "*" in self.hosts or name in self.hosts

    def _welcome(self, scope: Scope, query: dict[str, list[str]]) -> RedirectResponse:
        """The same page without the token in its address, which a cookie holds from now on."""
        root = scope.get("root_path", "")
        rest = urlencode({key: values for key, values in query.items() if key != "token"}, doseq=True)
        path = scope["path"] if scope["path"].startswith("/") and not scope["path"].startswith("//") else "/"
        if root and not path.startswith(root):
            path = root + path
        answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
        answer.set_cookie(COOKIE, self.token, httponly=True, samesite="lax", path=f"{root}/")
        return answer

    def _fits(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    async def _limited(self, scope: Scope, receive: Receive, send: Send, largest: int, stated: str) -> None:
        if not stated.isdigit() or int(stated[:20]) > largest:
            await PlainTextResponse(f"too large; expected at most {largest:,} bytes\n", 413)(scope, receive, send)
            return
        taken, begun = 0, False

        async def counting() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > largest:
                raise TooLarge
            return message

        async def noting(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, counting, noting)
        except TooLarge:
            if not begun:
                answer = PlainTextResponse(f"too large; expected at most {largest:,} bytes\n", 413)
                await answer(scope, receive, send)


def _cookie(headers: Headers) -> str:
    try:
        return SimpleCookie(headers.get("cookie", ""))[COOKIE].value
    except (KeyError, CookieError):
        return ""
