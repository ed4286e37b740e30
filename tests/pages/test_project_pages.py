"""The pages of a project share what they load: one stream and one overview for all of them."""

from playwright.sync_api import Request, expect

from tests.pages.places import Open, Place

PAGES = ("Items", "Workers", "Model", "Settings", "Overview")


def test_a_visit_of_all_pages_opens_one_stream(place: Place, owner: Open) -> None:
    project = place.project(3)
    place.vote(project, place.worker(project), ["cat"])
    page = owner("/")
    paths: list[str] = []

    def record(request: Request) -> None:
        paths.append(request.url.removeprefix(place.url))

    page.on("request", record)
    page.locator(f"a[href='/projects/{project}']").click()
    expect(page.get_by_text("1 of 3 items decided")).to_be_visible()
    tabs = page.get_by_label("Project pages")
    for name in PAGES:
        tabs.get_by_role("link", name=name).click()
        expect(page).to_have_title(f"{name}: Pets · Quorate")
        page.wait_for_load_state("load")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    place.vote(project, place.worker(project), ["cat"])
    expect(page.get_by_text("2 of 3 items decided")).to_be_visible()  # the stream is still open
    api = f"/api/projects/{project}"
    assert [paths.count(path) for path in (f"{api}/stream", f"{api}/overview", api)] == [1, 1, 1]
