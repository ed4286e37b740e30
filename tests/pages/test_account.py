"""Coming in by a link, signing in, one's own account, and those of others."""

import pytest
from playwright.sync_api import Page, expect

from tests.pages.axe import faults
from tests.pages.places import Open, Place, Visitor

FIRST, SECOND = "many short words", "some other words"


def sign_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Username or e-mail").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


@pytest.mark.long
def test_a_link_makes_a_requester_at_home(place: Place, visitor: Visitor) -> None:
    link = place.invite("rita", "requester")
    page = visitor(viewport={"width": 360, "height": 740}).new_page()
    page.goto(link)
    expect(page.get_by_role("heading", name="Welcome, rita")).to_be_visible()
    assert faults(page) == []
    page.get_by_label("Password").fill(FIRST)
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_role("heading", name="Create your first project")).to_be_visible()
    assert faults(page) == []

    page.get_by_role("link", name="rita").click()
    page.get_by_label("Current password").fill(FIRST)
    page.get_by_label("New password").fill(SECOND)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Password changed.")).to_be_visible()
    assert page.get_by_role("heading", name="Accounts").count() == 0  # not hers to see

    page.get_by_role("button", name="Sign out").click()
    sign_in(page, "rita", FIRST)
    expect(page.get_by_role("alert")).to_contain_text("Name or password is wrong")
    assert faults(page) == []
    sign_in(page, "rita", SECOND)
    expect(page.get_by_role("heading", name="rita")).to_be_visible()  # where she was


def test_a_link_that_was_used_says_so(place: Place, visitor: Visitor) -> None:
    page = visitor().new_page()
    page.goto(f"{place.url}/join#ql_nothing")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_role("link", name="Sign in").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.long
def test_an_owner_invites_and_closes_accounts(owner: Open) -> None:
    page = owner("/account")
    page.get_by_label("Username or e-mail").fill("ed")
    page.get_by_label("Role").select_option("expert")
    page.get_by_role("button", name="Create account").click()
    assert "/join#" in page.get_by_label("Link for ed").input_value()
    row = page.get_by_role("row", name="ed Expert Invited")
    expect(row).to_be_visible()
    row.get_by_role("button", name="Close ed").click()
    page.get_by_role("button", name="Close account").click()
    expect(page.get_by_role("row", name="ed Expert Closed")).to_be_visible()
    assert faults(page) == []


def test_a_token_is_shown_once_and_revoked(owner: Open) -> None:
    page = owner("/account")
    page.get_by_label("Name", exact=True).fill("nightly")
    page.get_by_role("button", name="Create token").click()
    assert page.get_by_label("Your new token").input_value().startswith("qt_")
    page.reload()
    expect(page.get_by_role("row", name="nightly View projects and results")).to_be_visible()
    assert page.get_by_label("Your new token").count() == 0
    page.get_by_role("button", name="Revoke nightly").click()
    expect(page.get_by_role("row", name="nightly")).to_have_count(0)


@pytest.mark.long
def test_the_list_shows_the_progress_of_projects(place: Place, owner: Open) -> None:
    project = place.project(3, name="A long way to go")
    page = owner("/", viewport={"width": 360, "height": 740})
    listed = page.get_by_role("listitem").filter(has_text="A long way to go")
    expect(listed).to_contain_text("3 open")
    assert faults(page) == []
    listed.get_by_role("link").click()
    page.wait_for_url(f"**/projects/{project}")
