"""Runs the server: on the next free port, until it is interrupted."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

import uvicorn
from starlette.applications import Starlette

from boxscore.errors import UsageError

TRIED = 20  # ports


def bound(host: str, port: int | None, usual: int) -> socket.socket:
    """A socket on the port that was asked for, else on the first free one from the usual one on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in [port] if port is not None else [*range(usual, usual + TRIED), 0]:
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, candidate))
            made.listen(128)
        except OSError as error:
            made.close()
            problem = error.strerror or str(error)
        else:
            return made
    where = host if port is None else f"{host}, port {port}"
    raise UsageError(f"cannot listen on {where} ({problem}); expected a free port of this machine (--port)")


def serve(app: Starlette, sock: socket.socket, root_path: str = "", ready: Callable[[], None] | None = None) -> None:
    """Serves until Ctrl-C; calls `ready` once requests are answered."""
    server = uvicorn.Server(_config(app, root_path))
    if ready is not None:
        threading.Thread(target=_when_started, args=(server, ready), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[sock])


@contextlib.contextmanager
def served(app: Starlette, sock: socket.socket) -> Iterator[int]:
    """Serves in a thread for as long as the context lasts; gives the port."""
    server = uvicorn.Server(_config(app, ""))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    try:
        yield sock.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
        sock.close()


def _config(app: Starlette, root_path: str) -> uvicorn.Config:
    return uvicorn.Config(
        app, log_level="error", access_log=False, server_header=False, root_path=root_path, ws="none",
        timeout_graceful_shutdown=2, timeout_keep_alive=30, h11_max_incomplete_event_size=64 << 10,
    )  # fmt: skip


def _when_started(server: uvicorn.Server, ready: Callable[[], None]) -> None:
    while not server.started:
        if server.should_exit:
            return
        time.sleep(0.02)
    ready()
