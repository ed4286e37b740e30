"""Settings: each change shows its effect first, is saved, and logged; members, the panel, tokens and webhooks."""

import re

import pytest
from playwright.sync_api import Page, expect

from quorate.client import Client
from tests.pages.axe import faults
from tests.pages.places import Place, Visitor, until

PARTS = ("", "/members", "/door", "/tokens", "/webhooks", "/log")


def opened(place: Place, requester: Visitor, project: int, part: str = "") -> Page:
    page = requester().new_page()
    page.goto(f"{place.url}/projects/{project}/settings{part}")
    return page


def test_a_price_shows_its_effect_first_is_saved_and_logged(place: Place, requester: Visitor) -> None:
    project = place.project(budget=10, currency="EUR")
    page = opened(place, requester, project)
    page.get_by_label("Price per worker vote").fill("0,5")
    page.get_by_role("button", name="Review changes").click()
    dialog = page.get_by_role("dialog", name="Review changes")
    expect(dialog).to_contain_text("Price per worker vote")
    expect(dialog.locator("del")).to_contain_text("1 EUR")
    expect(dialog.locator("ins")).to_contain_text("0.50 EUR")
    expect(dialog).to_contain_text("No items are affected.")
    assert place.client.projects.get(project).settings["prices"]["votes"]["crowd"] == 1  # nothing before it is seen
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Settings saved.")).to_be_visible()
    assert place.client.projects.get(project).settings["prices"]["votes"]["crowd"] == 0.5
    page.get_by_role("link", name="View log").click()
    expect(page.locator(".log li").first).to_contain_text("ann changed the settings")
    expect(page.locator(".log li").first).to_contain_text("0.50 EUR")


def test_a_vote_that_costs_as_much_as_an_error_is_warned_of(place: Place, requester: Visitor) -> None:
    project = place.project(budget=10, costs={"error": 20})
    page = opened(place, requester, project)
    page.get_by_label("Price per worker vote").fill("25")
    page.get_by_role("button", name="Review changes").click()
    dialog = page.get_by_role("dialog", name="Review changes")
    expect(dialog).to_contain_text("A vote (25) costs as much as an error (20) or more: none will be asked for.")
    dialog.get_by_role("button", name="Save").click()  # a warning refuses nothing
    expect(page.get_by_text("Settings saved.")).to_be_visible()


def test_a_change_tells_how_many_items_it_opens_again(place: Place, requester: Visitor) -> None:
    project = place.project(3)
    with Client(place.url, token=place.client.workers.open_link(place.worker(project)).token) as voter:
        for one in voter.work.next(project, 2).leases:
            voter.work.vote(project, one.lease, "cat")
    page = opened(place, requester, project)
    page.get_by_label("Votes per item", exact=True).fill("3")
    page.get_by_role("button", name="Review changes").click()
    expect(page.get_by_role("dialog")).to_contain_text("2 reopened")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("1 unsaved change")).to_be_visible()


def test_a_budget_that_will_not_do_is_told(place: Place, requester: Visitor) -> None:
    project = place.project(40, budget=100, currency="EUR")
    place.vote(project, place.worker(project), ["cat"] * 30)
    until(lambda: place.client.projects.progress(project).forecast is not None, "a forecast")
    page = opened(place, requester, project)
    for budget, words in (("33", "The budget of 33 EUR will likely be used up"), ("60", None)):
        page.get_by_role("textbox", name="Budget", exact=True).fill(budget)
        page.get_by_role("button", name="Review changes").click()
        dialog = page.get_by_role("dialog", name="Review changes")
        expect(dialog).to_contain_text("No items are affected.")
        if words:
            expect(dialog).to_contain_text(words)
        else:
            expect(dialog).not_to_contain_text("likely be used up")
        page.get_by_role("button", name="Cancel").click()


def test_what_is_wrong_stands_beside_its_field_and_nothing_typed_is_lost(place: Place, requester: Visitor) -> None:
    page = opened(place, requester, place.project())
    page.get_by_label("Items per batch").fill("900")
    expect(page.get_by_text("Enter a number from 1 to 50.")).to_be_visible()
    expect(page.get_by_role("button", name="Review changes")).to_be_disabled()
    page.get_by_role("link", name="Members").click()
    page.get_by_role("link", name="General").click()
    expect(page.get_by_label("Items per batch")).to_have_value("900")
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_label("Items per batch")).to_have_value("5")


def test_what_is_not_saved_waits_while_one_looks_elsewhere(place: Place, requester: Visitor) -> None:
    page = opened(place, requester, place.project())
    page.get_by_label("Items per batch").fill("7")
    pages = page.get_by_label("Project pages")
    for name in ("Overview", "Items"):
        pages.get_by_role("link", name=name).click()
        pages.get_by_role("link", name="Settings").click()
        expect(page.get_by_text("1 unsaved change")).to_be_visible()
        expect(page.get_by_label("Items per batch")).to_have_value("7")
    pages.get_by_role("link", name="Overview").click()
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.accept()


def test_what_votes_rest_on_cannot_change(place: Place, requester: Visitor) -> None:
    page = opened(place, requester, place.project())
    expect(page.get_by_text("The question cannot be changed")).to_be_visible()
    empty = opened(place, requester, place.project(0, None))
    expect(empty.get_by_label("Answer 1")).to_have_value("cat")


def test_a_webhook_is_added_tried_and_turned_off(place: Place, requester: Visitor) -> None:
    page = opened(place, requester, place.project(), "/webhooks")
    page.get_by_label("URL").fill("https://hook.invalid/quorate")
    page.get_by_role("button", name="Add webhook").click()
    expect(page.get_by_label("Signing secret")).to_have_value(re.compile("^whsec_"))
    page.get_by_role("button", name="Send test event").click()
    expect(page.get_by_label("Deliveries")).to_contain_text("Test event")
    page.get_by_role("button", name="Turn off").click()
    expect(page.get_by_role("button", name="Turn on")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No webhooks.")).to_be_visible()


def test_a_webhook_that_leads_inside_is_refused_beside_its_address(place: Place, requester: Visitor) -> None:
    page = opened(place, requester, place.project(), "/webhooks")
    page.get_by_label("URL").fill("http://127.0.0.1/hook")
    page.get_by_role("button", name="Add webhook").click()
    expect(page.locator("[aria-invalid=true]")).to_have_value("http://127.0.0.1/hook")


def test_a_token_is_shown_once_and_revoked(place: Place, requester: Visitor) -> None:
    page = opened(place, requester, place.project(), "/tokens")
    page.get_by_label("Name", exact=True).fill("nightly import")
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_label("Your new token")).to_have_value(re.compile("^qt_"))
    page.get_by_role("button", name="Revoke nightly import").click()
    expect(page.get_by_text("No tokens yet.")).to_be_visible()


def test_members_come_and_go(place: Place, requester: Visitor) -> None:
    project = place.project()
    place.invite(f"ben-{project}", "expert")
    page = opened(place, requester, project, "/members")
    page.get_by_role("textbox", name="Account").fill("nobody")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("there is no account 'nobody'")).to_be_visible()
    page.get_by_role("textbox", name="Account").fill(f"ben-{project}")
    page.get_by_label("Role").select_option("expert")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("row", name=f"ben-{project}")).to_contain_text("Expert")
    page.get_by_role("button", name=f"Remove ben-{project}").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("row", name=f"ben-{project}")).to_have_count(0)


def test_the_panel_gets_its_address(place: Place, requester: Visitor) -> None:
    page = opened(place, requester, place.project(), "/door")
    page.get_by_role("button", name="Fill in for Prolific").click()
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("button", name="Save").click()
    address = page.get_by_label("Study URL")
    expect(address).to_have_value(re.compile(re.escape("?PROLIFIC_PID={{%PROLIFIC_PID%}}")))


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_part_has_a_serious_fault(place: Place, requester: Visitor, scheme: str) -> None:
    project = place.project(consent={"text": "I agree."})
    page = requester(viewport={"width": 360, "height": 740}, color_scheme=scheme).new_page()
    for part in PARTS:
        page.goto(f"{place.url}/projects/{project}/settings{part}")
        expect(page.locator(".settings")).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert faults(page) == [], part
        assert page.evaluate("document.documentElement.scrollWidth") == 360, part
