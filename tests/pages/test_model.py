"""The page of the model: before and after training."""

import re

import pytest
from playwright.sync_api import expect

from tests.pages.axe import faults
from tests.pages.places import Open, Place


@pytest.fixture(scope="module")
def trained(place: Place) -> int:
    """A project with three people's votes on texts, from which a machine learns."""
    items = [{"key": f"pet-{n}", "text": f"It {('purrs', 'barks')[n % 2]} and has number {n}."} for n in range(30)]
    settings = {"policy": {"name": "fixed_votes", "options": {"n": 3}}, "learner": {"name": "linear"}}
    number = place.project(items, **settings)
    for _ in range(3):
        place.vote(number, place.worker(number), ["cat", "dog"] * 8)
    return number


def test_there_is_no_model_before_the_first_vote(place: Place, owner: Open) -> None:
    page = owner(f"/projects/{place.project(2)}/model")
    expect(page.get_by_text("No model yet.")).to_be_visible()
    assert faults(page) == []


def test_a_trained_model_is_shown(trained: int, owner: Open) -> None:
    page = owner(f"/projects/{trained}/model")
    expect(page.get_by_text(re.compile(r"trained .* on 48 votes"))).to_be_visible()
    expect(page.get_by_text("agreement with people on held-out items")).to_be_visible()
    expect(page.get_by_role("region", name="Model versions", exact=True).get_by_role("row")).not_to_have_count(1)
    expect(page.get_by_role("region", name="Audit")).to_contain_text("No items have been audited yet")
    expect(page.get_by_role("region", name="Most ambiguous items")).to_be_visible()
    expect(page.get_by_role("region", name="Unclear class definitions")).to_be_visible()


@pytest.mark.parametrize("look", [{"viewport": {"width": 360, "height": 740}}, {"color_scheme": "dark"}])
def test_the_model_page_is_accessible(trained: int, owner: Open, look: dict[str, object]) -> None:
    page = owner(f"/projects/{trained}/model", **look)
    expect(page.get_by_role("heading", name="Model versions")).to_be_visible()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
