"""The overview: what to do next, and how it moves while votes come in."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.pages.axe import faults
from tests.pages.places import Open, Place

PAINTED = """colour => {
    const canvas = document.querySelector("canvas");
    const place = [0.85 * canvas.width, 0.5 * canvas.height].map(Math.round);
    return String(canvas.getContext("2d").getImageData(...place, 1, 1).data.slice(0, 3)) === colour;
}"""


def test_it_moves_while_votes_come_in(place: Place, owner: Open) -> None:
    project = place.project(4)
    page = owner(f"/projects/{project}")
    expect(page.get_by_text("0 of 4 items decided")).to_be_visible()
    expect(page).to_have_title("Overview: Pets · Quorate")
    expect(page.get_by_role("heading", name="Waiting for workers")).to_be_visible()
    place.vote(project, place.worker(project), ["cat"])
    expect(page.get_by_text("1 of 4 items decided")).to_be_visible()
    place.vote(project, place.worker(project), ["cat"] * 3)
    expect(page.get_by_text("4 of 4 items decided")).to_be_visible()
    expect(page.get_by_role("heading", name="Latest decisions")).to_be_visible()
    expect(page.get_by_role("heading", name="Done", exact=True)).to_be_visible()


def test_it_says_so_where_only_an_expert_can_go_on(place: Place, owner: Open) -> None:
    project = place.project(3, prices={"votes": {"crowd": 1, "expert": 5}}, audit_share=1.0)
    expert = place.worker(project, "expert")
    place.vote(project, place.worker(project), ["cat"] * 3)
    page = owner(f"/projects/{project}")
    expect(page.get_by_role("heading", name="Waiting for an expert")).to_be_visible()
    expect(page.get_by_text("3 items wait for an expert").first).to_be_visible()
    place.vote(project, expert, ["cat"] * 2)
    expect(page.get_by_text("1 item waits for an expert").first).to_be_visible()


def test_curves_are_drawn_by_light_and_dark_and_shown_as_a_table(place: Place, owner: Open) -> None:
    project = place.project(3)
    place.vote(project, place.worker(project), ["cat"] * 1)
    page = owner(f"/projects/{project}", color_scheme="light")
    place.vote(project, place.worker(project), ["cat"] * 2)
    curve = page.get_by_role("region", name="Decisions", exact=True)
    expect(curve.get_by_role("img", name="Decisions by votes")).to_be_visible()
    page.wait_for_function(PAINTED, arg="18,128,92")  # --crowd by light
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(PAINTED, arg="76,199,154")
    curve.get_by_text("Show as table").click()
    expect(curve.get_by_role("table")).to_contain_text("Crowd")
    assert faults(page) == []


def test_a_draft_is_led_to_its_end(place: Place, owner: Open, tmp_path: Path) -> None:
    project = place.project(0, None, name="Led")
    page = owner(f"/projects/{project}")
    expect(page.get_by_role("heading", name="Add items")).to_be_visible()
    file = tmp_path / "pets.csv"
    file.write_text("key,text\na,It purrs.\nb,It barks.\n")
    page.get_by_role("button", name="Add items").first.click()
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("dialog").get_by_role("button", name="Add items").click()
    expect(page.get_by_text("2 items added")).to_be_visible()
    page.get_by_role("button", name="Close").click()

    expect(page.get_by_role("heading", name="Invite workers")).to_be_visible()
    page.get_by_role("button", name="Invite workers").first.click()
    page.get_by_role("button", name="Create link").click()
    assert f"/work/{project}#" in page.get_by_label("Link for").input_value()
    page.get_by_role("button", name="Close").click()

    expect(page.get_by_role("heading", name="Ready to start")).to_be_visible()
    page.get_by_role("button", name="Start without pilot").click()
    expect(page.get_by_role("heading", name="Running", exact=True)).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("heading", name="Paused", exact=True)).to_be_visible()
    page.get_by_role("button", name="End project", exact=True).click()
    expect(page.get_by_text("2 open answers stay without a label.")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="End project").click()
    expect(page.get_by_role("heading", name="Done", exact=True)).to_be_visible()

    page.get_by_role("button", name="Download results").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV of Items with labels").click()
    assert "It purrs." in download.value.path().read_text()


def test_a_refusal_is_shown(place: Place, owner: Open) -> None:
    project = place.project(2, "running", budget=5)
    page = owner(f"/projects/{project}")
    expect(page.get_by_text("0 spent of 5")).to_be_visible()
    place.client.projects.set_state(project, "paused")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.route("**/state", lambda route: route.fulfill(status=409, json={"error": "it cannot be"}))
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("alert")).to_have_text("It cannot be")


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (360, "dark")])
def test_everybody_can_read_it(place: Place, owner: Open, width: int, scheme: str) -> None:
    project = place.project(6, audit_share=0.1, budget=50)
    place.vote(project, place.worker(project), ["cat"] * 3)
    page = owner(f"/projects/{project}", viewport={"width": width, "height": 800}, color_scheme=scheme)
    expect(page.get_by_text("3 of 6 items decided")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Invite workers").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
