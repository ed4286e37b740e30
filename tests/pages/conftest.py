"""A real browser and a real service, started once for all tests of the pages.

Of the package, not of the session: while Playwright runs, nothing else in this process can run an event loop.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect, sync_playwright

from quorate.client import Client
from quorate.service.routes.pages import STATIC
from tests.pages.chromium import find_chromium
from tests.pages.places import OWNER, PASSWORD, Open, Place, Visitor
from tests.service.running import running
from tests.service.waiting import PATIENCE

NO_BROWSER = "no browser: run `make chromium`, or let QUORATE_CHROMIUM name one"
NOT_BUILT = "the pages are not built: run `make web`"
LONG = {
    "test_estimate.py",
    "test_items.py",
    "test_model.py",
    "test_story.py",
    "test_work_framed.py",
    "test_work_lines.py",
    "test_work_still.py",
    "test_workers.py",
}


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks at groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one process run all tests of the pages, as a browser and a service are started once; mark the long ones."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.xdist_group("pages"))
            if item.path.name in LONG or _is_dark(item):
                item.add_marker(pytest.mark.long)


def _is_dark(item: pytest.Item) -> bool:
    """Return whether a test looks at dark colours: each such test has a twin that looks at light ones."""
    parameters = getattr(item, "callspec", None)
    return parameters is not None and "dark" in str(parameters.params)


def _skip(reason: str) -> None:
    """Skip; in CI, what is not tested is a failure."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="package")
def chromium() -> str:
    """Where the browser is."""
    found = find_chromium()
    if found is None:
        _skip(NO_BROWSER)
    if not (STATIC / "work.html").is_file():
        _skip(NOT_BUILT)
    return str(found)


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def place(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A service with its learner, its owner, and a client with all rights."""
    with running(tmp_path_factory.mktemp("service") / "data") as server:
        link = re.search(r"/join#(\S+)", "".join(server.lines))
        assert link
        with Client(server.url) as first:
            first.session.join(link[1], PASSWORD, name=OWNER)
            token = first.tokens.create("tests", ["read", "manage"])
        with Client(server.url, token=token) as client:
            yield Place(server.url, client)


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    """Makes browsers of people who do not know each other: visitor(viewport=..., color_scheme=...)."""
    made: list[BrowserContext] = []

    def new(**options: Any) -> BrowserContext:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        context.set_default_timeout(1000 * PATIENCE)
        made.append(context)
        return context

    yield new
    for context in made:
        context.close()


@pytest.fixture(scope="package")
def owner_state(browser: Browser, place: Place) -> StorageState:
    """What the owner's browser keeps of signing in: done once, since passwords may be tried only so often."""
    context = browser.new_context()
    answer = context.request.post(f"{place.url}/api/session", data={"name": OWNER, "password": PASSWORD})
    assert answer.ok, answer.text()
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def requester(visitor: Visitor, owner_state: StorageState) -> Visitor:
    """Makes browsers in which the owner is signed in: requester(viewport=..., color_scheme=...)."""
    return lambda **options: visitor(storage_state=owner_state, **options)


@pytest.fixture
def owner(place: Place, requester: Visitor) -> Open:
    """Opens pages of the owner: owner("/projects/1", viewport=...)."""

    def new(path: str, **options: Any) -> Page:
        page = requester(**options).new_page()
        page.goto(place.url + path)
        return page

    return new
