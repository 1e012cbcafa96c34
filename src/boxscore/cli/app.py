"""`boxscore app [TRUTH DETECTIONS…]`: the page on the user's own machine."""

from __future__ import annotations

import importlib.util
import secrets
import sys
from pathlib import Path
from typing import Annotated

from boxscore import protocols
from boxscore.cli import options, output
from boxscore.cli.codes import OK
from boxscore.cli.common import MetricNames, ProtocolNames, Quiet
from boxscore.cli.declared import Argument, Option
from boxscore.cli.reading_options import Said, inputs, reading, with_reading
from boxscore.errors import UsageError

PORT = 8765
LOCAL = ("127.0.0.1", "localhost", "::1")


@with_reading
def command(
    paths: Annotated[
        list[str] | None,
        Argument(metavar="[TRUTH DETECTIONS…]", help="Files to open; without them the page asks for them."),
    ] = None,
    protocol: ProtocolNames = None,
    metric: MetricNames = None,
    iou: Annotated[str | None, Option(metavar="T", help="IoU threshold. [default: those of the protocol]")] = None,
    root: Annotated[
        list[str] | None,
        Option(metavar="DIR", help="A folder that the page may read, beside this one and your own; repeatable."),
    ] = None,
    port: Annotated[str | None, Option(metavar="N", help=f"Port. [default: the first free one from {PORT} on]")] = None,
    host: Annotated[str, Option(metavar="ADDRESS", help="Address to listen on.")] = LOCAL[0],
    remote: Annotated[
        bool, Option("--allow-remote", help="Let other machines in, which need the link with its token.")
    ] = False,
    prefix: Annotated[str, Option("--root-path", metavar="PATH", help="Path under which a proxy serves it.")] = "",
    no_browser: Annotated[bool, Option("--no-browser", help="Only print the link.")] = False,
    quiet: Quiet = False,
    *,
    said: Said,
) -> int:
    """Look at evaluations in a browser: numbers, classes, images with their boxes, and what is in the data.

    The page is served on this machine only, to whoever has the link. Nothing is sent anywhere, and nothing is written
    unless you ask for it.
    """
    if host not in LOCAL and not remote:
        raise UsageError(f"--host {host}: other machines could reach the page; expected --allow-remote with it")
    if prefix and not prefix.startswith("/"):
        raise UsageError(f"--root-path {prefix}; expected a path that begins with /")
    number = None if port is None else options.count("--port", port)
    if number is not None and number > 65535:
        raise UsageError(f"--port {port}; expected a number from 0 to 65535")
    given = paths or []
    if len(given) == 1:
        raise UsageError("app needs DETECTIONS beside TRUTH, or neither of them")
    for path in [*given, *(root or []), *inputs(said)]:
        if not Path(path).exists():
            raise UsageError(f"{path}: there is no such file or folder")
    reading(said)
    chosen = options.chosen_protocols(protocol or ["coco"], [], iou, None)
    options.chosen_metrics(metric or [], None, chosen)
    if importlib.util.find_spec("starlette") is None or importlib.util.find_spec("uvicorn") is None:
        raise UsageError("the app needs starlette and uvicorn; install them with: pip install starlette uvicorn")
    _run(given, said, protocol, iou, metric, root, number, host, remote, prefix.rstrip("/"), no_browser, quiet)
    return OK


def _run(
    given: list[str], said: Said, protocol: list[str] | None, iou: str | None, metric: list[str] | None,
    root: list[str] | None, port: int | None, host: str, remote: bool, prefix: str, no_browser: bool, quiet: bool,
) -> None:  # fmt: skip
    from boxscore.app.folders import Folders
    from boxscore.app.form import Form, Model
    from boxscore.app.server import application
    from boxscore.app.serving import bound, serve
    from boxscore.app.workspace import Workspace

    values = {**said, **({"image_size": options.size(said["image_size"])} if "image_size" in said else {})}
    form = Form(
        str(Path(given[0]).resolve()) if given else "",
        tuple(Model(str(Path(path).resolve())) for path in given[1:]),
        {name: str(Path(value).resolve()) if value in inputs(said) else value for name, value in values.items()},
        tuple(name for text in protocol or ["coco"] for name in protocols.listed(text)),
        iou or "",
        tuple(metric or []),
    )
    own = [] if remote else [Path.home()]
    folders = Folders.of([Path.cwd(), *own, *given, *(root or []), *inputs(said)])
    workspace, token = Workspace(folders, form), secrets.token_urlsafe(24)
    sock = bound(host, port, PORT)
    at = sock.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    link = f"http://{shown}:{at}{prefix}/?token={token}"

    def ready() -> None:
        print(link, flush=True)
        output.status(
            f"page        Ctrl-C ends it; from another machine: ssh -L {at}:127.0.0.1:{at} THIS_MACHINE", quiet
        )
        if remote:
            output.status("warning     other machines can reach this page; whoever has the link can read your files")
        if given:
            workspace.start("evaluate")
        if not no_browser and sys.stdout.isatty():
            import webbrowser

            webbrowser.open(link)

    serve(application(workspace, token, ("*",) if remote else LOCAL), sock, prefix, ready)
