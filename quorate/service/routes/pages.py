"""The pages: files that `make web` builds from `web/`. Where they are not built, one page says so; the API serves."""

import re
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from quorate.service.errors import NotFound
from quorate.service.projects.settings import PanelEntry
from quorate.service.routes.index_page import framed
from quorate.service.work.visit import settings_of

router = APIRouter(include_in_schema=False)

STATIC = Path(__file__).parent.parent / "static"
ASSETS = STATIC / "assets"
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
FOR_EVER = "public, max-age=31536000, immutable"  # the name of an asset holds a hash of what is in it
ASK_AGAIN = "no-cache"
NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)
POLICY = (
    "default-src 'self'; img-src 'self' https: http: data: blob:; media-src 'self' https: http: blob:; "
    "object-src 'none'; base-uri 'none'; form-action {forms}; frame-ancestors {around}"
)
SAFE = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
NOT_BUILT = (
    "<p>The service runs, but its pages are not built here. Build them with <code>make web</code> in the project's "
    "folder, or install a released package, which brings them along.</p>"
    "<p><a href='/api'>What its API offers</a></p>"
)


@router.get("/")
@router.get("/join")
@router.get("/new")
@router.get("/account")
@router.get("/projects/{rest:path}")
def requester_page(request: Request) -> Response:
    """The requester's pages are one file; it looks at the address itself."""
    return _page(request, "index.html", "'none'")


@router.get("/work/{project}")
def voter_page(project: str, request: Request) -> Response:
    """The voter's page; panels that the project's door names show it in a frame of theirs, and get it submitted."""
    around = _door(request, project).frame_ancestors
    return _page(request, "work.html", around, around)


@router.get("/icon.svg")
def icon(request: Request) -> Response:
    """The sign of the service."""
    return _file(request, STATIC / "icon.svg", ASK_AGAIN)


@router.get("/assets/{name}")
def asset(name: str, request: Request) -> Response:
    """A script or style of the pages."""
    return _file(request, ASSETS / Path(name).name, FOR_EVER)


def _door(request: Request, project: str) -> PanelEntry:
    """The door of a project; of one that is not there, one that leads nowhere."""
    try:
        with request.app.state.store.read() as connection:
            return settings_of(connection, int(project) if NUMBER.fullmatch(project) else 0).door
    except NotFound:
        return PanelEntry()


def _page(request: Request, name: str, around: str, forms: str = "'self'") -> Response:
    if not (STATIC / name).is_file():
        return HTMLResponse(framed("Quorate", NOT_BUILT))
    answer = _file(request, STATIC / name, ASK_AGAIN)
    answer.headers["Content-Security-Policy"] = POLICY.format(around=around, forms=forms)
    return answer


def _file(request: Request, path: Path, keep: str) -> Response:
    """A file as it is, or the packed copy that lies beside it."""
    if path.suffix not in TYPES or not path.is_file():
        raise NotFound(f"there is no file {path.name}")
    headers = {"Cache-Control": keep, "Vary": "Accept-Encoding", **SAFE}
    packed = path.with_name(f"{path.name}.gz")
    if "gzip" in request.headers.get("Accept-Encoding", "") and packed.is_file():
        return FileResponse(packed, media_type=TYPES[path.suffix], headers={"Content-Encoding": "gzip", **headers})
    return FileResponse(path, media_type=TYPES[path.suffix], headers=headers)
