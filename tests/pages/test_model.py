"""The page of the model: before the first lesson, and after some."""

import re

import pytest
from playwright.sync_api import expect

from tests.pages.axe import faults
from tests.pages.places import Open, Place


@pytest.fixture(scope="module")
def taught(place: Place) -> int:
    """A project with three people's votes on texts, from which a machine learns."""
    items = [{"key": f"pet-{n}", "text": f"It {('purrs', 'barks')[n % 2]} and has number {n}."} for n in range(30)]
    settings = {"policy": {"name": "fixed_votes", "options": {"n": 3}}, "learner": {"name": "linear"}}
    number = place.project(items, **settings)
    for _ in range(3):
        place.vote(number, place.worker(number), ["cat", "dog"] * 8)
    return number


def test_nothing_is_learnt_before_the_first_vote(place: Place, owner: Open) -> None:
    page = owner(f"/projects/{place.project(2)}/model")
    expect(page.get_by_text("Nothing learnt yet.")).to_be_visible()
    assert faults(page) == []


def test_a_lesson_is_shown(taught: int, owner: Open) -> None:
    page = owner(f"/projects/{taught}/model")
    expect(page.get_by_text(re.compile(r"learnt .* from 48 votes"))).to_be_visible()
    expect(page.get_by_text("of the time, on items it had not seen")).to_be_visible()
    expect(page.get_by_role("region", name="Versions", exact=True).get_by_role("row")).not_to_have_count(1)
    expect(page.get_by_role("region", name="What experts found")).to_contain_text("No audit yet")
    expect(page.get_by_role("region", name="Most ambiguous items")).to_be_visible()
    expect(page.get_by_role("region", name="Likely mistakes in the instructions")).to_be_visible()


@pytest.mark.parametrize("look", [{"viewport": {"width": 360, "height": 740}}, {"color_scheme": "dark"}])
def test_what_was_learnt_can_be_seen_by_all(taught: int, owner: Open, look: dict[str, object]) -> None:
    page = owner(f"/projects/{taught}/model", **look)
    expect(page.get_by_role("heading", name="Versions")).to_be_visible()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
