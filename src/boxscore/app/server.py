"""The routes: parse, call, encode. Nothing is computed here."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from boxscore.app.answers import ACTIONS, ANSWERS
from boxscore.app.asked import Asked
from boxscore.app.guard import LOOPBACK, Guard
from boxscore.app.uploads import Uploads
from boxscore.app.wire import plain
from boxscore.app.workspace import Workspace
from boxscore.errors import BoxscoreError

PAGE = Path(__file__).parent / "page"
Handler = Callable[[Request], Awaitable[Response]]


def application(workspace: Workspace, token: str, hosts: Sequence[str] = LOOPBACK) -> Starlette:
    """The server of a workspace."""
    uploads = Uploads()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> Any:
        yield
        workspace.cancel()
        uploads.close()

    async def upload(request: Request) -> Response:
        path = await uploads.take(request.path_params["name"], request.stream())
        if uploads.folder not in workspace.folders.roots:
            workspace.folders = workspace.folders._replace(roots=(*workspace.folders.roots, uploads.folder))
        return JSONResponse({"path": str(path), "folder": str(uploads.folder)})

    routes = [
        *(Route(f"/api/{name}", _answering(handler, workspace)) for name, handler in ANSWERS.items()),
        *(Route(f"/api/{name}", _acting(handler, workspace), methods=["POST"]) for name, handler in ACTIONS.items()),
        Route("/api/upload/{name:path}", upload, methods=["PUT"]),
        Mount("/", StaticFiles(directory=PAGE, html=True)),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, token=token, hosts=tuple(hosts))],
        exception_handlers={HTTPException: _refused, BoxscoreError: _wrong},
        lifespan=lifespan,
    )


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code)


async def _wrong(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": plain(str(error))}, 400)


def _answering(handler: Callable[[Asked], Any], workspace: Workspace) -> Handler:
    async def answer(request: Request) -> Response:
        made = await run_in_threadpool(handler, Asked(request, workspace))
        if isinstance(made, Response):
            return made
        if isinstance(made, bytes):
            return Response(made, media_type="application/octet-stream")
        return Response(json.dumps(plain(made), ensure_ascii=False, allow_nan=False), media_type="application/json")

    return answer


def _acting(handler: Callable[[Workspace, Any], Any], workspace: Workspace) -> Handler:
    async def answer(request: Request) -> Response:
        try:
            data = json.loads(await request.body() or b"{}")
        except ValueError:
            raise HTTPException(400, "expected JSON") from None
        return JSONResponse(plain(await run_in_threadpool(handler, workspace, data)))

    return answer
