"""Every state of the voter's page, as axe-core sees it, by day and by night; and what is read out."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.axe import faults
from tests.pages.places import Place, Visitor, until
from tests.pages.test_work_experts import AUDITED, let_the_crowd_vote
from tests.pages.working import PHONE, begin, press, shown

WIDE: dict[str, Any] = {}
CLASSES = [{"name": "cat", "definition": "It purrs.", "examples": ["A tabby"]}, "dog"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_is_in_the_way_of_anybody(place: Place, visitor: Visitor, scheme: str, size: dict[str, Any]) -> None:
    items = [{"key": f"pet-{n}", "text": f"Pet {n}. " * 200, "gold": {"pet": "dog"} if n < 2 else {}} for n in range(8)]
    project = place.project(
        items,
        questions=[{"name": "pet", "text": "Which pet is it?", "classes": CLASSES}],
        consent={"version": "1", "text": "Agree?", "url": "https://example.org/consent"},
        workers={"practice": 1, "maximum_votes": 3},
        door={"completion_url": "https://panel.example.org/?code={code}"},
    )
    context = visitor(color_scheme=scheme, **size)
    page = context.new_page()
    page.goto(place.worker(project))
    page.get_by_role("button", name="I agree").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("button", name="Start").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Start").click()
    page.locator(".item").wait_for()
    assert faults(page) == []
    page.keyboard.press("1")
    page.get_by_role("button", name="Next").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Start working").click()
    press(page, "1")
    page.keyboard.press("Backspace")
    expect(page.get_by_text("Previous item reopened", exact=False)).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("?")
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    context.set_offline(True)
    press(page, "2")
    page.get_by_text("You are offline.").wait_for()
    assert faults(page) == []
    context.set_offline(False)
    page.get_by_role("button", name="Finish").click()
    page.get_by_text("Your completion code").wait_for()
    assert faults(page) == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nor_of_experts(place: Place, visitor: Visitor, tmp_path: Path, scheme: str) -> None:
    project = place.images(tmp_path, 6, workers={"batch": 3}, endless=True, **AUDITED)
    page = begin(visitor(color_scheme=scheme), let_the_crowd_vote(place, project, "cat", 6))
    page.keyboard.press("1")
    page.get_by_role("heading", name="Previous item").wait_for()
    assert faults(page) == []
    page.keyboard.press("g")
    page.locator(".tile").first.click()
    assert faults(page) == []
    page.keyboard.press("g")
    until(lambda: place.votes(project) == 7, "the vote")
    for _ in range(5):
        address = page.locator(".item img").get_attribute("src")
        page.keyboard.press("1")
        page.wait_for_function("old => document.querySelector('.item img')?.getAttribute('src') !== old", arg=address)
    page.get_by_role("heading", name="No items").wait_for()
    assert faults(page) == []


def test_the_next_item_is_read_out(place: Place, visitor: Visitor) -> None:
    page = begin(visitor(), place.worker(place.project(4)))
    read = page.locator("[aria-live=polite]").last
    expect(read).to_have_text(f"Which pet is it? {shown(page)}")
    press(page, "1")
    expect(read).to_have_text(f"Which pet is it? {shown(page)}")
