"""After a pilot: what the rest will cost, and the way on."""

from playwright.sync_api import expect

from tests.pages.axe import faults
from tests.pages.places import Open, Place


def test_a_pilot_leads_to_an_estimate_and_on(place: Place, owner: Open) -> None:
    prices = {"votes": {"crowd": 1.0, "expert": 5.0}}
    project = place.project(20, "pilot", pilot={"items": 4}, currency="EUR", prices=prices)
    page = owner(f"/projects/{project}/estimate", viewport={"width": 360, "height": 740})
    expect(page.get_by_text("The estimate is available when the pilot is complete.")).to_be_visible()
    page.get_by_role("link", name="Back to overview").click()
    expect(page.get_by_role("heading", name="Pilot waiting for workers")).to_be_visible()
    place.vote(project, place.worker(project), ["cat"] * 4)
    page.get_by_role("button", name="View estimate").click()

    expect(page.get_by_role("heading", name="Cost of the remaining items")).to_be_visible()
    expect(page.get_by_text("more for the 16 remaining items")).to_be_visible()
    expect(page.get_by_text("Experts have a price, but this project has no expert")).to_be_visible()
    row = page.get_by_role("row", name="5 votes per item")
    expect(row.get_by_role("img", name="5 votes per item: 80 EUR")).to_be_visible()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.get_by_role("button", name="Continue with all items").click()
    expect(page.get_by_role("heading", name="Running", exact=True)).to_be_visible()
    assert place.client.projects.get(project).state == "running"
