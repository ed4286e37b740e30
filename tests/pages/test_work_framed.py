"""The voter's page in a frame of another site, as MTurk shows it: browsers send none of our cookies there."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from quorate.service.workers.panel_entry import PREVIEW
from tests.pages.places import Place, Visitor, until

HTML = "<p style='color: teal'>A pet in a page of its own.</p>"


@dataclass
class Panel:
    """A site that shows work in frames. It is at localhost, which is another site than the service's 127.0.0.1."""

    url: str = ""
    submitted: list[tuple[str, dict[str, list[str]]]] = field(default_factory=list)

    def door(self) -> dict[str, object]:
        names = {"worker_parameter": "workerId", "session_parameter": "assignmentId"}
        return {"platform": "mturk", "signed": False, "frames": [self.url], **names}

    def show(self, page: Page, address: str, **given: str) -> FrameLocator:
        """Open a page of the panel with the work in its frame."""
        page.goto(f"{self.url}/?{urlencode({'frame': f'{address}?{urlencode(given)}'})}")
        return page.frame_locator("iframe")

    def accept(self, page: Page, address: str) -> FrameLocator:
        given = {"assignmentId": "A&1", "hitId": "H1", "workerId": "W1", "turkSubmitTo": self.url}
        return self.show(page, address, **given)


@pytest.fixture
def panel() -> Iterator[Panel]:
    made = Panel()

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            frame = parse_qs(self.path.partition("?")[2]).get("frame", [""])[0]
            self._say(f'<iframe src="{frame.replace("&", "&amp;")}" width="1200" height="700"></iframe>')

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
            made.submitted.append((self.path, parse_qs(sent)))
            self._say("Thank you.")

        def _say(self, html: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    made.url = f"http://localhost:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


def test_work_in_a_frame_of_another_site_is_done_and_submitted(
    place: Place, visitor: Visitor, panel: Panel, tmp_path: Path
) -> None:
    project = place.images(tmp_path, 2, door=panel.door() | {"code_done": "C0FFEE"}, workers={"batch": 1})
    place.client.items.add(project, [{"key": "page", "html": HTML}])
    context = visitor()
    page = context.new_page()
    frame = panel.accept(page, f"{place.url}/enter/{project}")
    frame.get_by_role("button", name="Start").click()
    for turn in range(3):
        until(lambda: place.votes(project) == turn, "the vote before", page)  # noqa: B023
        item = frame.locator(".shown:visible .item")
        item.wait_for()
        if "html" in (item.get_attribute("class") or ""):
            expect(item.content_frame.get_by_text("A pet in a page of its own.")).to_have_css(
                "color", "rgb(0, 128, 128)"
            )
        else:
            expect(item.locator("img")).to_have_js_property("complete", True)
            assert item.locator("img").evaluate("image => image.naturalWidth") > 50
        frame.get_by_role("button", name="cat", exact=True).click()
    assert context.cookies() == []
    expect(frame.get_by_role("heading", name="Thank you")).to_be_visible()
    frame.get_by_role("button", name="Submit").click()
    expect(frame.get_by_text("Thank you.")).to_be_visible()
    assert panel.submitted == [("/mturk/externalSubmit", {"assignmentId": ["A&1"], "code": ["C0FFEE"]})]
    assert place.votes(project) == 3


def test_a_frame_that_is_loaded_again_goes_on_and_a_preview_has_no_session(
    place: Place, visitor: Visitor, panel: Panel
) -> None:
    project = place.project(door=panel.door())
    entry = f"{place.url}/enter/{project}"
    page = visitor().new_page()
    frame = panel.show(page, entry, assignmentId=PREVIEW, hitId="H1", turkSubmitTo=panel.url)
    expect(frame.get_by_text("Accept the task on the panel to start")).to_be_visible()
    assert place.client.workers.list_page(project) == []
    frame = panel.accept(page, entry)
    frame.get_by_role("button", name="Start").click()
    frame.get_by_role("button", name="cat", exact=True).click()
    until(lambda: place.votes(project) == 1, "the vote")
    page.frames[1].evaluate("location.reload()")
    expect(frame.get_by_text("1 answer", exact=True)).to_be_visible()


def test_a_site_that_the_door_does_not_name_may_not_show_the_work(place: Place, visitor: Visitor, panel: Panel) -> None:
    project = place.project(door=panel.door() | {"frames": ["https://www.mturk.com"]})
    page = visitor().new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    panel.accept(page, f"{place.url}/enter/{project}")
    until(lambda: any("frame-ancestors" in one for one in told), "a refusal", page)
