"""The list of items and the page of one: found, opened, acted on, by mouse and by keys."""

import re

import pytest
from playwright.sync_api import expect

from quorate.client import Client
from tests.pages.axe import faults
from tests.pages.places import Open, Place

MANY = 3000
NASTY = "<script>window.hacked = true</script><img src=x onerror='window.hacked = true'> Pet number 0."


@pytest.fixture(scope="module")
def many(place: Place) -> int:
    """A project with some thousand items; the first is nasty."""
    number = place.project(0, None)
    texts = [{"key": f"pet-{row}", "text": f"Pet number {row}." if row else NASTY} for row in range(MANY)]
    for first in range(0, MANY, 1000):
        assert not place.client.items.add(number, texts[first : first + 1000]).bad
    return number


def test_items_are_searched_opened_and_left_again(many: int, owner: Open) -> None:
    page = owner(f"/projects/{many}/items")
    expect(page.get_by_role("status")).to_contain_text("3,000 items")
    page.get_by_label("Search").fill("number 77")
    expect(page.get_by_role("row").filter(has_text="pet-")).to_have_count(11)  # 77 and 770 to 779
    page.get_by_role("link", name="Open").click()
    expect(page.get_by_role("link", name="Open")).to_have_attribute("aria-current", "true")
    row = page.get_by_role("row").filter(has_text="pet-775")
    row.click()
    expect(page.get_by_role("heading", name="Item pet-775")).to_be_visible()
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("heading", name="Item pet-776")).to_be_visible()
    page.go_back()
    page.go_back()
    expect(row).to_be_visible()
    expect(page.get_by_label("Search")).to_have_value("number 77")
    assert "filter=open" in page.url


def test_a_search_typed_with_a_rest_after_a_word_keeps_its_space(many: int, owner: Open) -> None:
    page = owner(f"/projects/{many}/items")
    search = page.get_by_label("Search")
    search.press_sequentially("number ")
    page.wait_for_url("**search=number*")
    expect(page.get_by_role("status")).to_contain_text("with “number”")
    search.press_sequentially("77")
    expect(search).to_have_value("number 77")


def test_rows_and_an_item_follow_the_votes_by_themselves(place: Place, owner: Open) -> None:
    project = place.project(1)
    page, item = owner(f"/projects/{project}/items"), owner(f"/projects/{project}/items")
    item.get_by_role("row").filter(has_text="pet-0").click()
    expect(item.get_by_role("heading", name="Item pet-0")).to_be_visible()
    grid = page.get_by_role("grid", name="Items")
    grid.focus()
    place.vote(project, place.worker(project), ["dog"])
    expect(page.get_by_role("row").filter(has_text="pet-0")).to_contain_text("dog")
    expect(grid).to_be_focused()
    expect(item.get_by_text("Crowd", exact=True).first).to_be_visible()


def test_a_long_list_is_walked_by_keys(many: int, owner: Open) -> None:
    page = owner(f"/projects/{many}/items")
    page.get_by_role("grid", name="Items").focus()
    page.keyboard.press("End")
    expect(page.get_by_text("Pet number 2999.")).to_be_visible()
    assert page.get_by_role("row").count() < 60
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowDown")
    marked = page.get_by_role("row", selected=True)
    expect(marked).to_be_in_viewport()
    key = marked.get_by_role("link").inner_text()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=f"Item {key}", exact=True)).to_be_visible()


def test_a_long_list_is_scrolled_by_wheel(many: int, owner: Open) -> None:
    page = owner(f"/projects/{many}/items")
    page.get_by_text("Pet number 3.").hover()
    for turns, row in ((15, re.compile(r"Pet number 1\d\d\d\.")), (40, "Pet number 2999.")):
        for _ in range(turns):
            page.mouse.wheel(0, 5000)
        expect(page.get_by_text(row).first).to_be_visible()
        assert page.get_by_role("row").count() < 60


def test_what_an_item_says_is_shown_and_never_run(many: int, owner: Open) -> None:
    page = owner(f"/projects/{many}/items")
    page.get_by_role("row").filter(has_text="<script>").click()
    expect(page.get_by_text(NASTY)).to_be_visible()
    assert page.evaluate("window.hacked") is None


@pytest.mark.parametrize("look", [{"viewport": {"width": 360, "height": 740}}, {"color_scheme": "dark"}])
def test_lists_and_items_can_be_used_by_all(many: int, owner: Open, look: dict[str, object]) -> None:
    page = owner(f"/projects/{many}/items", **look)
    expect(page.get_by_text("Pet number 2.")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("row").filter(has_text="pet-2").first.click()
    expect(page.get_by_role("heading", name="Item pet-2")).to_be_visible()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_item_is_relabelled_asked_again_and_sent_to_an_expert(place: Place, owner: Open) -> None:
    number = place.project(1, prices={"votes": {"crowd": 0.1, "expert": 1.0}}, endless=True)
    place.worker(number, "expert")
    place.vote(number, place.worker(number), ["cat"], seconds=4.0)
    item = next(place.client.items.list_all(number))["id"]
    page = owner(f"/projects/{number}/items/{item}")
    card = page.get_by_role("region", name="Which pet is it?")
    expect(card.get_by_role("cell", name="cat", exact=True)).to_be_visible()

    page.get_by_role("button", name="Relabel…").click()
    page.get_by_role("radio", name="dog").check()
    page.get_by_role("button", name="Relabel as dog").click()
    expect(card.locator(".verdict")).to_contain_text("dog")
    expect(card.locator(".badge")).to_have_text("Expert")

    page.get_by_role("button", name="Reopen…").click()
    page.get_by_role("button", name="Reopen this item").click()
    expect(page.get_by_role("status")).to_contain_text("Item reopened")
    expect(card.locator(".badge")).to_have_text("In progress")

    page.get_by_role("button", name="Send to expert…").click()
    page.get_by_role("button", name="Send this item to an expert").click()
    expect(page.get_by_role("status")).to_contain_text("Item sent to an expert")


def test_a_vote_that_was_changed_is_struck_through(place: Place, owner: Open) -> None:
    number = place.project(1, endless=True)
    worker = place.client.workers.create(number)
    with Client(place.url) as stranger, Client(place.url, token=stranger.workers.open_link(worker.link).token) as voter:
        lease = voter.work.next(number, 1).leases[0].lease
        voter.work.amend(number, voter.work.vote(number, lease, "cat").vote or 0, "dog")
    page = owner(f"/projects/{number}/items/{next(place.client.items.list_all(number))['id']}")
    rows = page.get_by_role("region", name="Votes on pet").get_by_role("row")
    struck = rows.filter(has_text="Changed later").get_by_role("cell", name="cat")
    expect(struck).to_have_css("text-decoration-line", "line-through")
    page.get_by_role("link", name=worker.code).first.click()
    expect(page.get_by_role("heading", name=f"Worker {worker.code}")).to_be_visible()


def test_a_project_without_items_says_what_to_do(place: Place, owner: Open) -> None:
    page = owner(f"/projects/{place.project(0, None)}/items")
    page.get_by_role("button", name="Add items").click()
    expect(page.get_by_role("dialog")).to_contain_text("Add items")
