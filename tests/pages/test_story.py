"""The whole story in real browsers: a file becomes a project, three people label at once, the machine takes over."""

import csv
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.pages.places import OWNER, PASSWORD, Place, Visitor, until

WORDS = {"plant": "fresh green leaf root", "tool": "old rusty iron nail"}
N_ITEMS = 150
LOOK = 200.0  # milliseconds between looks for work
MOST_BEHIND = 60  # votes that the learner may not know yet: people in life are slow beside a machine that learns


def test_from_a_file_to_labels_that_the_machine_gave(place: Place, visitor: Visitor, tmp_path: Path) -> None:
    page = visitor(accept_downloads=True).new_page()
    sign_in(page, place)
    design(page, pool(tmp_path / "things.csv"))
    workers = [visitor().new_page() for _ in range(3)]
    for worker in workers:
        begin(worker, link_from(page))
    page.get_by_role("button", name="Go to overview").click()
    decided = page.get_by_role("region", name="Progress")
    expect(decided).to_contain_text(f"0 of {N_ITEMS} items decided")
    project = int(page.url.rsplit("/", 1)[1])
    label_until_the_machine_decides(workers, place, project)
    expect(decided).not_to_contain_text(re.compile(rf"\b0 of {N_ITEMS} items"))  # it moved by itself: nobody loaded it
    votes = place.votes(project)
    for worker in workers:
        expect(worker.get_by_text("not sent yet")).to_have_count(0)
    page.get_by_role("button", name="End").click()
    page.get_by_role("dialog").get_by_role("button", name="End").click()
    rows = downloaded(page, tmp_path)
    assert len(rows) == N_ITEMS
    decided_rows = [row for row in rows if row["status"] == "machine"]
    assert decided_rows
    assert sum(row["label"] == truth(row["key"]) for row in decided_rows) / len(decided_rows) > 0.9
    assert votes < 3 * N_ITEMS  # fewer than three on everything


def sign_in(page: Page, place: Place) -> None:
    page.goto(place.url)
    page.get_by_label("Username or e-mail").fill(OWNER)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.locator("a[href='/new']").first.click()


def pool(path: Path) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text"])
        for number in range(N_ITEMS):
            writer.writerow([f"thing-{number}", f"{WORDS[truth(f'thing-{number}')]}, number {number}"])
    return path


def truth(key: str) -> str:
    return ("plant", "tool")[int(key.split("-")[1]) % 2]


def design(page: Page, file: Path) -> None:
    page.get_by_label("Choose file").set_input_files(file)
    expect(page.get_by_role("button", name="Choose another file")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("textbox", name="Question").fill("What is it?")
    for number, name in enumerate(WORDS, start=1):
        page.get_by_role("textbox", name=f"Answer {number}", exact=True).fill(name)
    for _ in range(3):
        page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Create project").click()
    expect(page.get_by_text(f"{N_ITEMS} items imported.")).to_be_visible()
    page.get_by_role("button", name="Start without pilot").click()


def link_from(page: Page) -> str:
    links: Locator = page.get_by_label("Link for")
    before = links.count()
    page.get_by_role("button", name="Create link").click()
    expect(links).to_have_count(before + 1)
    return links.first.input_value()


def begin(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".item")).to_be_visible()


def label_until_the_machine_decides(workers: list[Page], place: Place, project: int) -> None:
    """All three answer what they see, one item each in turn; where all wait, or the learner is behind, they wait."""

    def enough() -> bool:
        seen = place.client.projects.overview(project)
        is_behind = seen.votes - seen.learnt_votes > MOST_BEHIND
        busy = [] if is_behind else [worker for worker in workers if answered(worker)]
        if not busy:
            workers[0].wait_for_timeout(LOOK)
        return seen.by_status.get("machine", 0) > 20

    until(enough, "the machine decides", workers[0])


def answered(worker: Page) -> bool:
    """Whether there was something to answer."""
    shown = worker.locator(".item").all_inner_texts()  # at once: it may be gone a moment later
    if shown:
        worker.keyboard.press("1" if "green" in shown[0] else "2")
    return bool(shown)


def downloaded(page: Page, folder: Path) -> list[dict[str, str]]:
    page.get_by_role("button", name="Download results").click()
    with page.expect_download() as started:
        page.get_by_role("link", name="CSV of Items with labels").click()
    path = folder / "labels.csv"
    started.value.save_as(path)
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
