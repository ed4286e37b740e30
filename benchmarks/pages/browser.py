"""The pages in a real browser: time from a key press to the next item, bytes loaded, time until usable.

python -m benchmarks.pages.browser [--quick] [--json FILE]      (or: make pages)

Browser and server share this machine, and each time that is asked for grows with a yardstick (a fixed Python loop).
--quick: 40 key presses instead of 200.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.harness import Figures, run, slowness
from benchmarks.pages.watch_scripts import FRAMES, LOADED, PAINTS, READY
from benchmarks.service.our_server import open_store, run_service
from benchmarks.service.pools import Pool, make_pool, settings_of
from quorate.service.accounts.credentials import new_session
from quorate.service.routes.http.authentication import COOKIE
from quorate.service.store.database import Store
from quorate.service.store.tables import accounts
from tests.pages.chromium import find_chromium

N_ITEMS = 1_000_000  # of the large project
LATENCY = 100  # milliseconds, each way of the network together
PAUSE = 400  # milliseconds that a quick person looks at an item
OVERVIEW, ITEMS = "main .bar", "main [role=row] a"


def measure(figures: Figures, quick: bool) -> None:
    """Add the rows of the voter's page, then those of a large project's pages."""
    slow = slowness()
    figures.add("yardstick: a fixed Python loop, times the reference", slow, "x")
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        measure_voting(figures, browser, Path(folder) / "small", presses=40 if quick else 200, slow=slow)
        measure_dashboard(figures, browser, Path(folder) / "large", n_items=N_ITEMS, slow=slow)


def measure_voting(figures: Figures, browser: Browser, folder: Path, *, presses: int, slow: float) -> None:
    """Measure a worker who labels by keys over a slow network: response time, bytes loaded, and time until usable."""
    with open_store(folder) as store:
        pool = make_pool(store, settings_of("Labelling"), n_items=2_000, n_workers=20)
    with run_service(folder, learner=False) as server:
        url = f"http://127.0.0.1:{server.port}"
        loads = [first_load(browser, url, pool, worker) for worker in range(1, 8)]
        figures.add("voter's page: first load until it can be used (median)", loads_of(loads), "s", most=1.0 * slow)
        figures.add("voter's page: all that it loads, gzipped", loads[0][1] / 1000, "kB", most=60)
        times = press_keys(browser, url, pool, presses)
    figures.add(f"key press to next item painted, network {LATENCY} ms, p50", percentile(times, 50), "ms")
    figures.add(
        f"key press to next item painted, network {LATENCY} ms, p95", percentile(times, 95), "ms", most=50 * slow
    )


def measure_dashboard(figures: Figures, browser: Browser, folder: Path, *, n_items: int, slow: float) -> None:
    """Measure the pages of a large project: its overview, its list of items, and scrolling through it."""
    with open_store(folder) as store:
        pool = make_pool(store, settings_of("Large"), n_items=n_items, n_workers=1)
        owner = owner_session(store)
    with run_service(folder, learner=False) as server:
        address = f"http://127.0.0.1:{server.port}/projects/{pool.project}"
        for name, path, shown in (("overview", "", OVERVIEW), ("list", "/items", ITEMS)):
            times = [ready(browser, address + path, owner, shown) for _ in range(3)]
            title = f"project of {n_items:,} items: {name} can be used (median of 3)"
            figures.add(title, statistics.median(times), "s", most=2.0 * slow)
        gaps = scroll(browser, f"{address}/items", owner)
    figures.add(f"list of {n_items:,} items: time between frames while scrolling, p95", percentile(gaps, 95), "ms")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Return the path of Chromium on this machine."""
    path = find_chromium()
    if path is None:
        raise SystemExit("Chromium was not found: run `make chromium`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def page_of(browser: Browser, url: str, session: str, *scripts: str) -> Iterator[Page]:
    """Open a page of a signed-in user in a browser with an empty cache."""
    context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 800})
    origin = "/".join(url.split("/")[:3])
    context.add_cookies([{"name": COOKIE, "value": session, "url": origin}])
    page = context.new_page()
    for script in scripts:
        page.add_init_script(script)
    yield page
    context.close()


def first_load(browser: Browser, url: str, pool: Pool, worker: int) -> tuple[float, float]:
    """Seconds until a new worker can begin, and bytes of pages, scripts and styles as they were sent."""
    with page_of(browser, url, pool.sessions[worker], READY.replace("SELECTOR", ".item, .begin")) as page:
        page.goto(f"{url}/work/{pool.project}")
        return page.evaluate("window.ready") / 1000, page.evaluate(LOADED)


def begin(page: Page) -> None:
    """Get past what stands before the first item."""
    item, button = page.locator(".item"), page.get_by_role("button", name="Start")
    item.or_(button).first.wait_for()
    if button.count():
        button.click()


def press_keys(browser: Browser, url: str, pool: Pool, presses: int) -> list[float]:
    """Milliseconds from each key press until the next item was painted."""
    with page_of(browser, url, pool.sessions[0], PAINTS) as page:
        page.goto(f"{url}/work/{pool.project}")
        begin(page)
        page.locator(".item").wait_for()
        network = page.context.new_cdp_session(page)
        network.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1},
        )
        for number in range(presses):
            page.wait_for_timeout(PAUSE)
            page.keyboard.press(str(number % 2 + 1))
        page.wait_for_timeout(PAUSE)
        times: list[float] = page.evaluate("window.paintedAfter")
    if len(times) < presses:
        raise SystemExit(f"of {presses} key presses only {len(times)} showed another item")
    return times


def ready(browser: Browser, address: str, session: str, shown: str) -> float:
    """Seconds until something is shown and the page answers without pauses."""
    with page_of(browser, address, session, READY.replace("SELECTOR", shown)) as page:
        page.goto(address)
        return float(page.evaluate("window.ready")) / 1000


def scroll(browser: Browser, address: str, session: str) -> list[float]:
    """Milliseconds between frames while the wheel turns."""
    with page_of(browser, address, session) as page:
        page.goto(address)
        page.locator(ITEMS).first.hover()
        page.evaluate(FRAMES)
        for _ in range(60):
            page.mouse.wheel(0, 900)
            page.wait_for_timeout(30)
        gaps: list[float] = page.evaluate("window.frameGaps")
        return gaps


def owner_session(store: Store) -> str:
    """Return the session of an owner."""
    with store.write() as connection:
        connection.execute(accounts.insert().values(id=1, name="ann", role="owner", created_at=0.0))
        return new_session(connection, 1, store.clock())


def loads_of(loads: list[tuple[float, float]]) -> float:
    return statistics.median(seconds for seconds, _ in loads)


def percentile(values: list[float], rank: float) -> float:
    return float(np.percentile(values, rank))


if __name__ == "__main__":
    run(measure, __doc__ or "")
