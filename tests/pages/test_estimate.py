"""After a pilot: what the rest will cost, and the way on."""

from playwright.sync_api import expect

from tests.pages.axe import faults
from tests.pages.places import Open, Place


def test_a_pilot_leads_to_an_estimate_and_on(place: Place, owner: Open) -> None:
    prices = {"votes": {"crowd": 1.0, "expert": 5.0}}
    project = place.project(20, "pilot", pilot={"items": 4}, currency="EUR", prices=prices)
    page = owner(f"/projects/{project}/estimate", viewport={"width": 360, "height": 740})
    expect(page.get_by_text("The estimate is made when the pilot is over.")).to_be_visible()
    page.get_by_role("link", name="Back to the overview").click()
    expect(page.get_by_role("heading", name="The pilot waits for people")).to_be_visible()
    place.vote(project, place.worker(project), ["cat"] * 4)
    page.get_by_role("button", name="See the estimate").click()

    expect(page.get_by_role("heading", name="What the rest will cost")).to_be_visible()
    expect(page.get_by_text("more for the 16 items that are left")).to_be_visible()
    expect(page.get_by_text("Experts have a price, but this project has no expert")).to_be_visible()
    row = page.get_by_role("row", name="5 votes on each")
    expect(row.get_by_role("img", name="5 votes on each: 80 EUR")).to_be_visible()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.get_by_role("button", name="Go on with all items").click()
    expect(page.get_by_role("heading", name="Running", exact=True)).to_be_visible()
    assert place.client.projects.get(project).state == "running"
