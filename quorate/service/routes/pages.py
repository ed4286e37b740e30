"""Web pages: files that `make web` builds from `web/`. If they are not built, a page says so; the API works without."""

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
CACHED = "public, max-age=31536000, immutable"  # the name of an asset contains a hash of its content
REVALIDATED = "no-cache"
NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)
POLICY = (
    "default-src 'self'; img-src 'self' https: http: data: blob:; media-src 'self' https: http: blob:; "
    "object-src 'none'; base-uri 'none'; form-action {forms}; frame-ancestors {ancestors}"
)
SAFE = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
NOT_BUILT = (
    "<p>The service runs, but its pages are not built here. Build them with <code>make web</code> in the project's "
    "folder, or install a released package, which contains them.</p>"
    "<p><a href='/api'>Operations of the API</a></p>"
)


@router.get("/")
@router.get("/join")
@router.get("/new")
@router.get("/account")
@router.get("/projects/{rest:path}")
def requester_page(request: Request) -> Response:
    """Return the requester's pages: one file, which reads the URL itself."""
    return _page(request, "index.html", "'none'")


@router.get("/work/{project}")
def voter_page(project: str, request: Request) -> Response:
    """Return the voter's page, which the panels of the project may frame, and which may submit forms to them."""
    panels = _panel_entry(request, project).frame_ancestors
    return _page(request, "work.html", panels, panels)


@router.get("/icon.svg")
def icon(request: Request) -> Response:
    """Return the icon of the service."""
    return _file(request, STATIC / "icon.svg", REVALIDATED)


@router.get("/assets/{name}")
def asset(name: str, request: Request) -> Response:
    """Return a script or style sheet of the pages."""
    return _file(request, ASSETS / Path(name).name, CACHED)


def _panel_entry(request: Request, project: str) -> PanelEntry:
    """Return the panel settings of a project; the default ones if it does not exist."""
    try:
        with request.app.state.store.read() as connection:
            return settings_of(connection, int(project) if NUMBER.fullmatch(project) else 0).door
    except NotFound:
        return PanelEntry()


def _page(request: Request, name: str, ancestors: str, forms: str = "'self'") -> Response:
    if not (STATIC / name).is_file():
        return HTMLResponse(framed("Quorate", NOT_BUILT))
    response = _file(request, STATIC / name, REVALIDATED)
    response.headers["Content-Security-Policy"] = POLICY.format(ancestors=ancestors, forms=forms)
    return response


def _file(request: Request, path: Path, cache: str) -> Response:
    """Return a file, or its gzipped copy if there is one."""
    if path.suffix not in TYPES or not path.is_file():
        raise NotFound(f"there is no file {path.name}")
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding", **SAFE}
    gzipped = path.with_name(f"{path.name}.gz")
    if "gzip" in request.headers.get("Accept-Encoding", "") and gzipped.is_file():
        return FileResponse(gzipped, media_type=TYPES[path.suffix], headers={"Content-Encoding": "gzip", **headers})
    return FileResponse(path, media_type=TYPES[path.suffix], headers=headers)
