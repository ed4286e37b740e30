"""Nothing on the voter's page moves by itself: who answers fast would hit the wrong button."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.pages.places import Place, Visitor, until
from tests.pages.test_work_experts import AUDITED, let_the_crowd_vote
from tests.pages.working import PHONE, begin, press

ITEMS: list[dict[str, Any]] = [
    {"key": "known", "text": "A known one.", "gold": {"pet": "dog"}},
    *({"key": f"pet-{n}", "text": f"Pet number {n}."} for n in range(6)),
]


def places(page: Page) -> list[tuple[float, float]]:
    """Where the item, the answers, and what is below them begin."""
    boxes = [page.locator(name).first.bounding_box() for name in (".shown:visible", ".answer-bar", ".quiet")]
    return [(box["x"], box["y"]) for box in boxes if box]


@pytest.mark.parametrize("size", [{}, PHONE], ids=["wide", "phone"])
def test_neither_practice_nor_undo_moves_the_item(place: Place, visitor: Visitor, size: dict[str, Any]) -> None:
    project = place.project(ITEMS, workers={"practice": 1, "gold_share": 0.0})
    page = begin(visitor(**size), place.worker(project))
    before = places(page)
    page.keyboard.press("2")
    page.get_by_role("alert").wait_for()
    assert places(page) == before
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Start working").click()
    page.locator(".item").wait_for()
    assert places(page) == before
    press(page, "1")
    until(lambda: place.votes(project) == 1, "a vote", page)
    page.keyboard.press("Backspace")
    expect(page.get_by_text("Previous item reopened. You answered: cat.")).to_be_visible()
    assert places(page) == before


def test_help_moves_nothing(place: Place, visitor: Visitor) -> None:
    classes = [{"name": "cat", "definition": "It purrs."}, "dog"]
    page = begin(visitor(), place.worker(place.project(6, questions=[{"name": "pet", "classes": classes}])))
    before = places(page)
    expect(page.get_by_text("It purrs.")).to_be_visible()
    page.keyboard.press("i")
    expect(page.get_by_text("It purrs.")).to_have_count(0)
    assert places(page) == before


def test_other_votes_move_nothing(place: Place, visitor: Visitor) -> None:
    project = place.project(6, **AUDITED)
    page = begin(visitor(), let_the_crowd_vote(place, project, "cat", 6))
    before = places(page)
    press(page, "2")
    expect(page.get_by_text("1 other vote:")).to_be_visible()
    assert places(page) == before


def test_many_long_answers_leave_room_for_what_is_below_them(place: Place, visitor: Visitor) -> None:
    classes = [f"An answer that takes several lines on its button, whatever it is, number {n}" for n in range(12)]
    items = [{"key": f"pet-{n}", "text": f"Pet number {n}. " * 200} for n in range(3)]
    project = place.project(items, questions=[{"name": "pet", "classes": classes}])
    page = begin(visitor(viewport={"width": 1440, "height": 700}), place.worker(project))
    for name in ("Unsure", "Skip", "Undo"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
