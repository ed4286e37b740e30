"""Lost connections, lost replies, and two tabs: every answer counts, and counts once."""

from playwright.sync_api import Route, expect

from tests.pages.places import Place, Visitor, until
from tests.pages.working import begin, press, shown


def test_offline_and_back(place: Place, visitor: Visitor) -> None:
    project = place.project(20)
    context = visitor()
    page = begin(context, place.worker(project))
    press(page, "1")
    until(lambda: place.votes(project) == 1, "a vote")
    context.set_offline(True)
    for key in "121":
        press(page, key)
    expect(page.get_by_text("You are offline.")).to_be_visible()
    assert place.votes(project) == 1
    context.set_offline(False)
    until(lambda: place.votes(project) == 4, "all votes")
    expect(page.get_by_text("You are offline.")).to_have_count(0)
    assert sorted(place.labels(project).values()) == ["cat", "cat", "cat", "dog"]


def test_answers_outlive_the_page(place: Place, visitor: Visitor) -> None:
    project = place.project(20)
    context = visitor()
    page = begin(context, place.worker(project))
    press(page, "1")
    until(lambda: place.votes(project) == 1, "a vote")
    context.set_offline(True)
    answered = {press(page, "2"), press(page, "2")}
    page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(f"{place.url}/work/{project}")
    page.locator(".item").wait_for()
    assert shown(page) not in answered
    until(lambda: place.votes(project) == 3, "all votes")
    page.wait_for_function("localStorage.length === 0")


def test_a_vote_whose_reply_is_lost_counts_once(place: Place, visitor: Visitor) -> None:
    project = place.project(20)
    page = begin(visitor(), place.worker(project))
    lost: list[str] = []

    def lose_the_first(route: Route) -> None:
        reply = route.fetch()
        if lost:
            route.fulfill(response=reply)
        else:
            lost.append(route.request.url)
            route.abort()

    page.route("**/votes", lose_the_first)
    press(page, "1")
    until(lambda: place.votes(project) == 1, "the vote", page)
    press(page, "2")
    until(lambda: place.votes(project) == 2, "the next vote", page)
    expect(page.get_by_text("2 answers")).to_be_visible()
    assert len(lost) == 1


def test_two_tabs_of_one_worker_share_the_work(place: Place, visitor: Visitor) -> None:
    project = place.project(20, workers={"batch": 4})
    context, link = visitor(), place.worker(project)
    one = begin(context, link)
    two = begin(context, link)  # a new session, by which the first tab goes on
    assert shown(one) == shown(two)
    answered = press(one, "1")
    expect(two.locator(".item")).not_to_have_text(answered)
    until(lambda: place.votes(project) == 1, "a vote of the first tab")
    other = press(two, "2")
    assert other != answered
    until(lambda: place.votes(project) == 2, "a vote of the second tab")
    expect(one.locator(".item")).not_to_have_text(other)
    two.goto("about:blank")
    last = press(one, "1")
    assert last not in (answered, other)
    until(lambda: place.votes(project) == 3, "what the closed tab had in hand too")
    expect(one.get_by_text("3 answers")).to_be_visible()


def test_somebody_else_in_the_same_browser_does_not_vote_for_another(place: Place, visitor: Visitor) -> None:
    project = place.project(20)
    context = visitor()
    page = begin(context, place.worker(project))
    begin(context, place.worker(project))
    page.keyboard.press("1")
    expect(page.get_by_role("alert")).to_contain_text("Open your own link again")
    assert place.votes(project) == 0


def test_who_cannot_keep_an_item_is_warned(place: Place, visitor: Visitor) -> None:
    project = place.project(20, workers={"lease_seconds": 60})
    context = visitor()
    context.clock.install()
    page = begin(context, place.worker(project))
    warning = page.get_by_text("item will be reassigned in")
    with page.expect_response("**/heartbeat"):
        page.clock.fast_forward(45_000)  # the page says that somebody is there
    expect(warning).to_have_count(0)
    context.set_offline(True)
    page.clock.fast_forward(42_000)
    expect(warning).to_contain_text("You are offline")
    context.set_offline(False)
    expect(warning).to_have_count(0)
