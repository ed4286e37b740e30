"""Screenshots of the pages `dashboard` and `labelling`: `python docs/draw_pages.py` takes them, in a few minutes.

It starts a service on localhost, lets a simulated crowd work, and opens a browser (run `make web chromium` first).
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from examples.service_demo.pools import digits, screening
from examples.service_demo.server import OWNER, DemoService, running_service
from examples.service_demo.yourself import yourself
from quorate.client import Client, Truth, Watch, enter, people
from tests.pages.chromium import find_chromium

IMAGES = Path(__file__).parent / "images"
WIDE, PHONE = ViewportSize(width=1200, height=800), ViewportSize(width=360, height=720)
SPEED = 12.0  # times faster than real people
DRAWING_MS = 1500  # until curves are drawn
DIGITS = {"budget": 3000, "currency": "EUR", "audit_share": 0.08}
REVIEWS = "id,text\n" + "\n".join(
    f"{number},{text}"
    for number, text in enumerate(
        ("A lovely evening and a kind waiter.", "The soup was cold.", "We will come back soon.", "Never again.") * 10
    )
)


@dataclass(frozen=True)
class Camera:
    """Screenshots of a running service."""

    browser: Browser
    service: DemoService

    def page(self, *, phone: bool = False, dark: bool = False) -> Page:
        """Open a page in a new browser context."""
        context = self.browser.new_context(
            viewport=PHONE if phone else WIDE,
            color_scheme="dark" if dark else "light",
            has_touch=phone,
        )
        return context.new_page()

    def signed_in(self) -> Page:
        """Open a page and sign in as the owner."""
        page = self.page()
        page.goto(self.service.url)
        page.get_by_label("Username or e-mail").fill(OWNER)
        page.get_by_label("Password").fill(self.service.password)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("heading", name="Projects").wait_for()
        return page

    def take(self, page: Page, name: str, *, whole: bool = False) -> None:
        """Save a screenshot; `whole` includes what lies below the visible part."""
        page.wait_for_timeout(DRAWING_MS)
        page.screenshot(path=IMAGES / f"pages_{name}.png", full_page=whole)

    def take_top(self, page: Page, name: str, *, height: int) -> None:
        """Save the top of a page, over its whole width."""
        page.screenshot(path=IMAGES / f"{name}.png", clip={"x": 0, "y": 0, "width": WIDE["width"], "height": height})


def crowd_at(client: Client, project: int, truth: Truth, *, until: Callable[[], bool]) -> None:
    """Let forty simulated workers and an expert work until a condition holds."""
    crowd = enter(client, project, people(40, n_experts=1, seed=0), truth, speed=SPEED)
    watch = Watch(client=client, project=project, told=lambda _: None, most_behind=250)
    crowd.work(seconds=300, watch=lambda votes: "go home" if until() else watch(votes))


def draw_digits(camera: Camera, client: Client, folder: Path) -> None:
    """Draw a running project: overview, items, an item, workers, the model."""
    pool = digits(folder, items=900)
    project = client.projects.create(pool.settings | DIGITS).id
    client.imports.upload(project, pool.file)
    client.projects.set_state(project, "running")
    crowd_at(client, project, pool.truth, until=lambda: _share_decided(client, project) > 0.8)
    page = camera.signed_in()
    for name, path in (("overview", ""), ("items", "/items"), ("workers", "/workers"), ("model", "/model")):
        page.goto(f"{camera.service.url}/projects/{project}{path}")
        camera.take(page, name, whole=name == "overview")
        if name == "overview":
            camera.take_top(page, "readme_dashboard", height=560)
    page.goto(f"{camera.service.url}/projects/{project}/items?filter=disputed")
    page.locator("[role=row] a").first.click()
    camera.take(page, "item")


def draw_estimate(camera: Camera, client: Client, folder: Path) -> None:
    """Draw the estimate after a pilot."""
    pool = screening(folder)
    project = client.projects.create(pool.settings | {"currency": "EUR"}).id
    client.imports.upload(project, pool.file)
    client.projects.set_state(project, "pilot")
    crowd_at(client, project, pool.truth, until=lambda: client.projects.get(project).state == "estimate")
    page = camera.signed_in()
    page.goto(f"{camera.service.url}/projects/{project}/estimate")
    page.get_by_role("row", name="Quorate").wait_for(timeout=120_000)
    camera.take(page, "estimate")


def draw_design(camera: Camera, folder: Path) -> None:
    """Draw the second step of a new project."""
    path = folder / "restaurant_reviews.csv"
    path.write_text(REVIEWS, encoding="utf-8")
    page = camera.signed_in()
    page.goto(f"{camera.service.url}/new")
    page.get_by_label("Choose file").set_input_files(path)
    page.get_by_role("button", name="Choose another file").wait_for()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("textbox", name="Question").fill("Does the guest like the place?")
    for number, name in enumerate(("good", "bad"), start=1):
        page.get_by_role("textbox", name=f"Answer {number}", exact=True).fill(name)
    camera.take(page, "design")


def draw_work(camera: Camera, client: Client, folder: Path) -> None:
    """Draw labelling on a desktop, and on a phone in dark mode."""
    yours = yourself(client, folder)
    links = {"work": client.workers.create(yours.project).link, "work_phone": yours.worker, "expert": yours.expert}
    for name, link in links.items():
        page = camera.page(phone=name == "work_phone", dark=name == "work_phone")
        page.goto(link)
        if name != "expert":  # experts are not asked for their consent
            page.get_by_role("button", name="I agree").click()
        page.get_by_role("button", name="Start").click()
        page.locator(".item").wait_for()
        camera.take(page, name)


def _share_decided(client: Client, project: int) -> float:
    seen = client.projects.overview(project)
    return 1 - seen.n_open / max(1, seen.n_tasks)


def main() -> None:
    """Take all screenshots."""
    chromium = find_chromium()
    if chromium is None:
        sys.exit("draw_pages: there is no Chromium here: run `make chromium`")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with running_service(folder) as service, Client(service.url, token=service.token) as client:
            camera = Camera(browser, service)
            draw_work(camera, client, folder)
            draw_design(camera, folder)
            draw_estimate(camera, client, folder)
            draw_digits(camera, client, folder)
        browser.close()


if __name__ == "__main__":
    main()
