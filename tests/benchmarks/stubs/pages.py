"""The benchmark of the pages without a browser."""

from types import SimpleNamespace

import pytest

from benchmarks.pages import browser
from tests.benchmarks.stubs import Measure, Stub, always, replace_all
from tests.benchmarks.stubs.service import nothing


def browser_measure(monkeypatch: pytest.MonkeyPatch) -> Measure:
    replace_all(monkeypatch, browser, slowness=always(1.0), chromium=nothing, open_store=nothing, run_service=nothing)
    replace_all(monkeypatch, browser, make_pool=always(SimpleNamespace(project=1)), owner_session=always("session"))
    replace_all(monkeypatch, browser, first_load=always((0.1, 1000.0)), press_keys=always([1.0]))
    replace_all(monkeypatch, browser, ready=always(0.1), scroll=always([16.0]))
    return browser.measure


STUBS: dict[str, Stub] = {"pages/browser": browser_measure}
