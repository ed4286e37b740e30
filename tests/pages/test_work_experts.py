"""Experts: they see what others said after their own answer, and may answer many images at once."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from quorate.client import Client
from tests.pages.places import Place, Visitor, until
from tests.pages.working import PHONE, begin, press, shown

AUDITED = {"prices": {"votes": {"crowd": 1, "expert": 5}}, "audit_share": 1.0}


def let_the_crowd_vote(place: Place, project: int, label: str, n: int) -> str:
    """One worker votes on all; the link of an expert who is then asked."""
    expert = place.worker(project, "expert")
    with Client(place.url, token=place.client.workers.open_link(place.worker(project)).token) as crowd:
        while leases := crowd.work.next(project, n).leases:
            for one in leases:
                crowd.work.vote(project, one.lease, label)
    return expert


def test_what_others_said_is_told_after_the_own_answer(place: Place, visitor: Visitor) -> None:
    project = place.project(6, **AUDITED)
    context = visitor()
    told: list[str] = []
    context.on("request", lambda request: told.append(request.url) if request.url.endswith("/told") else None)
    page = begin(context, let_the_crowd_vote(place, project, "cat", 6))
    before = page.get_by_role("region", name="Other votes on the previous item")
    expect(before).to_have_count(0)
    assert not told
    answered = press(page, "2")
    expect(before).to_contain_text(answered)
    expect(before).to_contain_text("You answered dog. 1 other vote:")
    expect(before.get_by_role("row", name="cat")).to_contain_text("1")
    page.keyboard.press("o")
    expect(before).to_have_count(0)


def test_an_audit_answer_stays_once_what_others_said_was_shown(place: Place, visitor: Visitor) -> None:
    project = place.project(6, **AUDITED)
    page = begin(visitor(), let_the_crowd_vote(place, project, "cat", 6))
    press(page, "2")
    expect(page.get_by_role("region", name="Other votes on the previous item")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    now = shown(page)
    page.keyboard.press("Backspace")
    expect(page.get_by_text("The other votes were shown, so this answer can no longer be changed.")).to_be_visible()
    assert shown(page) == now
    assert list(place.labels(project).values()).count("dog") == 1


def test_on_a_phone_it_is_read_in_front_of_the_item(place: Place, visitor: Visitor) -> None:
    project = place.project(6, **AUDITED)
    page = begin(visitor(**PHONE), let_the_crowd_vote(place, project, "cat", 6))
    button = page.get_by_role("button", name="Other votes on the previous item")
    expect(button).to_be_disabled()
    press(page, "2")
    button.tap()
    told = page.get_by_role("dialog", name="Previous item")
    expect(told).to_contain_text("You answered dog. 1 other vote:")
    told.get_by_role("button", name="Close").tap()
    expect(told).to_have_count(0)
    press(page, "2")
    expect(button).to_be_enabled()
    expect(told).to_have_count(0)


def test_the_crowd_is_never_told(place: Place, visitor: Visitor) -> None:
    project = place.project(6, policy={"name": "fixed_votes", "options": {"n": 2}})
    context = visitor()
    told: list[str] = []
    context.on("request", lambda request: told.append(request.url) if "told" in request.url else None)
    page = begin(context, place.worker(project))
    for _ in range(2):
        press(page, "1")
    page.keyboard.press("o")
    until(lambda: place.votes(project) == 2, "two votes")
    assert not told
    expect(page.get_by_text("Other votes")).to_have_count(0)


@pytest.mark.long
def test_many_images_at_once(place: Place, visitor: Visitor, tmp_path: Path) -> None:
    project = place.images(tmp_path, 8, workers={"batch": 8}, endless=True, **AUDITED)
    page = begin(visitor(), let_the_crowd_vote(place, project, "cat", 8))
    page.keyboard.press("g")
    tiles = page.locator(".tile")
    expect(tiles).to_have_count(8)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Move between images")
    expect(page.get_by_role("dialog")).not_to_contain_text("Skip")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    tiles.nth(0).click()  # no answer is chosen yet, so that it gets none
    expect(page.get_by_role("button", name="Submit")).to_be_disabled()
    expect(page.get_by_role("button", name="Label the rest")).to_have_count(0)
    for place_of, key in ((0, "2"), (1, "1")):
        page.keyboard.press(key)  # for the next clicks, whatever was clicked before
        tiles.nth(place_of).click()
    expect(page.get_by_role("button", name="Submit 2 answers")).to_be_enabled()
    expect(tiles.nth(0)).to_have_text("dog")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("2")  # for the image that one went to by keys
    expect(tiles.nth(1)).to_have_text("dog")
    expect(page.get_by_role("button", name="Submit 2 answers")).to_be_enabled()
    page.get_by_role("button", name="cat", exact=True).click()
    page.get_by_role("button", name="Label the rest “cat”").click()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="No items right now")).to_be_visible()
    labels = list(place.labels(project).values())
    assert (labels.count("dog"), labels.count("cat")) == (2, 6)
