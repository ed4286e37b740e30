"""The pages of workers: who does how well, who is blocked, and who is due what."""

import csv
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.axe import faults
from tests.pages.places import Open, Place

CHECKED: dict[str, Any] = {"prices": {"votes": {"crowd": 0.25}}, "workers": {"gold_share": 0.5, "checks": 100}}


@pytest.fixture
def project(place: Place) -> int:
    """A project with known answers, on which one worker voted four times and another twice."""
    items = [{"key": f"pet-{n}", "text": f"Pet number {n}."} for n in range(20)]
    known = [{"key": f"known-{n}", "text": f"A known cat, {n}.", "gold": {"pet": "cat"}} for n in range(6)]
    number = place.project([*items, *known], **CHECKED)
    place.vote(number, place.worker(number), ["cat"] * 4, seconds=3.0)
    place.vote(number, place.worker(number), ["dog"] * 2, seconds=1.0)
    return number


def test_workers_are_sorted_and_searched(place: Place, project: int, owner: Open) -> None:
    busy, other = place.client.workers.list_page(project)
    page = owner(f"/projects/{project}/workers")
    codes = page.get_by_role("table").get_by_role("link")
    expect(codes).to_have_text([busy.code, other.code])
    page.get_by_role("button", name="Votes").click()
    expect(codes).to_have_text([other.code, busy.code])
    expect(page.get_by_role("columnheader", name="Votes")).to_have_attribute("aria-sort", "ascending")
    page.get_by_label("Search").fill(busy.code[:8])
    expect(codes).to_have_text([busy.code])


@pytest.mark.long
def test_the_list_follows_the_votes(place: Place, project: int, owner: Open) -> None:
    page = owner(f"/projects/{project}/workers")
    pay = page.get_by_role("region", name="Pay")
    expect(pay).to_contain_text("1.50")
    place.vote(project, place.worker(project), ["cat"] * 2)
    expect(pay).to_contain_text("workers: 2.")
    expect(page.get_by_role("table").get_by_role("link")).to_have_count(3)


def test_a_worker_is_blocked_and_let_in_again(place: Place, project: int, owner: Open) -> None:
    worker = place.client.workers.list_page(project)[0]
    page = owner(f"/projects/{project}/workers")
    row = page.get_by_role("row").filter(has_text=worker.code)
    page.get_by_role("button", name=f"Block {worker.code}", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text("Their 4 votes no longer count")
    page.get_by_role("button", name="Block", exact=True).click()
    expect(row).to_contain_text("Blocked")
    assert place.client.workers.list_page(project)[0].state == "blocked"
    page.get_by_role("button", name=f"Unblock {worker.code}").click()
    expect(page.get_by_role("dialog")).to_contain_text("their 4 votes count again")
    page.get_by_role("button", name="Unblock", exact=True).click()
    expect(row).to_contain_text("Active")


def test_what_is_due_is_downloaded(place: Place, project: int, owner: Open) -> None:
    page = owner(f"/projects/{project}/workers")
    expect(page.get_by_role("region", name="Pay")).to_contain_text("1.50")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download with worker codes").click()
    with download.value.path().open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["votes"], row["due"]) for row in rows] == [("4", "1.000000"), ("2", "0.500000")]
    with page.expect_download():
        page.get_by_role("link", name="Download with panel IDs").click()


def test_a_worker_has_a_page(place: Place, project: int, owner: Open) -> None:
    worker = place.client.workers.list_page(project)[0]
    page = owner(f"/projects/{project}/workers")
    page.get_by_role("link", name=worker.code).click()
    expect(page.get_by_role("heading", name=f"Worker {worker.code}")).to_be_visible()
    expect(page.get_by_role("region", name="Performance")).to_contain_text("for 4 votes")
    page.get_by_role("button", name="Show link").click()
    expect(page.get_by_label(f"Link for {worker.code}")).to_have_value(
        place.client.workers.link(project, worker.id).link
    )
    assert faults(page) == []


def test_nobody_is_there_yet(place: Place, owner: Open) -> None:
    page = owner(f"/projects/{place.project(2)}/workers")
    page.get_by_role("button", name="Invite workers").click()
    page.get_by_role("button", name="Create link").click()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("table").get_by_role("link")).to_have_count(1)


@pytest.mark.parametrize("look", [{"viewport": {"width": 360, "height": 740}}, {"color_scheme": "dark"}])
def test_workers_can_be_seen_by_all(project: int, owner: Open, look: dict[str, object]) -> None:
    page = owner(f"/projects/{project}/workers", **look)
    expect(page.get_by_role("table")).to_be_visible()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
