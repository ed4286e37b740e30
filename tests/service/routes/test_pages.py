import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from quorate.service.app import create_app
from quorate.service.config import Settings
from quorate.service.routes import pages
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate
from tests.service.pools import make_project
from tests.service.serving import SECRET, served
from tests.service.waiting import PATIENCE

PAGE = "<!doctype html><title>Quorate</title>"


@pytest.fixture
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with built pages."""
    (tmp_path / "assets").mkdir()
    for name in ("index.html", "work.html", "assets/app-1a2b.js"):
        (tmp_path / name).write_text(PAGE + name)
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((PAGE + name).encode()))
    (tmp_path / "secret.txt").write_text("not for the web")
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    monkeypatch.setattr(pages, "ASSETS", tmp_path / "assets")
    return tmp_path


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(f"sqlite:///{tmp_path / 'pages.db'}")
    migrate(store)
    return store


@pytest.fixture
def address(store: Store) -> Iterator[str]:
    with served(create_app(store, Settings(), SECRET)) as address:
        yield address


@pytest.mark.parametrize("path", ["/", "/join", "/new", "/account", "/projects/3/items"])
def test_every_address_of_the_requester_is_one_page(address: str, static: Path, path: str) -> None:
    answer = httpx.get(address + path, timeout=PATIENCE)
    assert answer.text == PAGE + "index.html"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize("project", ["7", "none", "9" * 30])
def test_voters_have_a_page_of_their_own_that_no_other_site_may_frame(address: str, static: Path, project: str) -> None:
    answer = httpx.get(f"{address}/work/{project}", headers={"Accept-Encoding": "identity"}, timeout=PATIENCE)
    assert answer.text == PAGE + "work.html"
    assert answer.headers["Content-Security-Policy"].endswith("form-action 'self'; frame-ancestors 'self'")
    assert "Content-Encoding" not in answer.headers


def test_a_site_that_the_door_names_may_frame_the_work_and_take_its_form(
    address: str, static: Path, store: Store
) -> None:
    project = make_project(store, door={"frames": ["https://www.mturk.com", "http://localhost:81"]})
    policy = httpx.get(f"{address}/work/{project}", timeout=PATIENCE).headers["Content-Security-Policy"]
    sites = "'self' https://www.mturk.com http://localhost:81"
    assert policy.endswith(f"form-action {sites}; frame-ancestors {sites}")


def test_assets_are_kept_for_ever_and_pages_are_not(address: str, static: Path) -> None:
    asset, page = httpx.get(f"{address}/assets/app-1a2b.js", timeout=PATIENCE), httpx.get(address, timeout=PATIENCE)
    assert asset.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in asset.headers["Cache-Control"]
    assert page.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "path", ["/assets/..%2fsecret.txt", "/assets/%2e%2e%2findex.html", "/assets/none.js", "/icon.svg"]
)
def test_nothing_else_of_the_machine_is_served(address: str, static: Path, path: str) -> None:
    assert httpx.get(address + path, timeout=PATIENCE).status_code == 404


def test_without_the_pages_one_says_how_to_build_them_and_the_api_serves(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "STATIC", tmp_path / "none")
    answer = httpx.get(f"{address}/work/1", timeout=PATIENCE)
    assert (answer.status_code, "make web" in answer.text) == (200, True)
    assert httpx.get(f"{address}/api", timeout=PATIENCE).status_code == 200
    assert httpx.get(f"{address}/healthz", timeout=PATIENCE).status_code == 200
