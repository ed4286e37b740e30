"""A voter at work, from the first page to the last."""

from typing import Any

from playwright.sync_api import expect

from tests.pages.places import Place, Visitor, until
from tests.pages.working import PHONE, begin, patient, press, shown

GOLD = [{"key": f"known-{n}", "text": f"Known number {n}.", "gold": {"pet": "dog"}} for n in range(2)]


def test_by_keys_alone_from_consent_to_the_code(place: Place, visitor: Visitor) -> None:
    project = place.project(
        [*GOLD, *({"key": f"pet-{n}", "text": f"Pet number {n}."} for n in range(6))],
        consent={"version": "1", "text": "Your answers are used for research."},
        workers={"practice": 2, "maximum_votes": 3},
        door={"completion_url": "https://panel.example.org/back?code={code}", "code_done": "C0FFEE"},
    )
    page = visitor().new_page()
    page.goto(place.worker(project))
    expect(page.get_by_role("heading", name="Informed consent")).to_be_focused()
    assert "#" not in page.url  # the link is not left in the history
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Start practice")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(".item").wait_for()
    page.keyboard.press("1")
    expect(page.get_by_role("alert")).to_contain_text("Incorrect: you answered cat. It is dog.")
    page.keyboard.press("Enter")
    page.locator(".answers").wait_for()
    page.keyboard.press("2")
    expect(page.get_by_role("alert")).to_contain_text("Correct. It is dog.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 2 correct.")).to_be_visible()
    page.keyboard.press("Enter")
    for key in "121":
        press(page, key)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    expect(page.get_by_text("C0FFEE")).to_be_visible()
    back = page.get_by_role("link", name="Return and complete")
    assert back.get_attribute("href") == "https://panel.example.org/back?code=C0FFEE"
    page.get_by_role("button", name="Stay here").press("Enter")
    expect(page.get_by_text("You will be redirected")).to_have_count(0)
    answers = [label for key, label in place.labels(project).items() if key.startswith("pet")]
    assert sorted(answers) == ["cat", "cat", "dog"]


def test_practice_that_is_skipped_shows_the_answer_and_never_looks_like_work(place: Place, visitor: Visitor) -> None:
    items: list[dict[str, Any]] = [*GOLD, *({"key": f"pet-{n}", "text": f"Pet number {n}."} for n in range(6))]
    project = place.project(items, workers={"practice": 2, "gold_share": 0.0})
    page = begin(visitor(), place.worker(project))
    told = page.get_by_text("the correct answer is shown")
    for turn, key in enumerate("su", 1):
        expect(page.get_by_text(f"Practice {turn} of 2")).to_be_visible()
        expect(told).to_be_visible()
        assert shown(page).startswith("Known")
        page.keyboard.press(key)
        expect(page.get_by_role("alert")).to_contain_text("Correct answer: It is dog.")
        expect(page.get_by_text(f"Practice {turn} of 2")).to_be_visible()
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Start working").click()
    expect(page.locator(".item")).to_contain_text("Pet number")
    expect(told).to_have_count(0)
    expect(page.get_by_text("Practice")).to_have_count(0)


def test_with_a_thumb_on_a_phone(place: Place, visitor: Visitor) -> None:
    project = place.project(8)
    page = begin(visitor(**PHONE), place.worker(project))
    for label in ("cat", "dog"):
        button = page.get_by_role("button", name=label, exact=True)
        box = button.bounding_box()
        assert box
        assert box["height"] >= 44
        assert 740 / 2 < box["y"] < 740 - box["height"]
        before = shown(page)
        button.tap()
        expect(page.locator(".item")).not_to_have_text(before)
        page.wait_for_timeout(200)  # a second tap at once would be taken for a slip
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    until(lambda: place.votes(project) == 2, "two votes")


def test_a_double_click_answers_once_and_two_clicks_answer_two(place: Place, visitor: Visitor) -> None:
    project = place.project(8)
    page = begin(visitor(), place.worker(project))
    cat = page.get_by_role("button", name="cat", exact=True)
    cat.dblclick()
    until(lambda: place.votes(project) == 1, "one vote")
    box = cat.bounding_box()
    assert box
    for _ in range(2):
        page.mouse.click(box["x"] + 9, box["y"] + 9)  # one at once after the other, as no person could
    until(lambda: place.votes(project) == 3, "two more")
    expect(page.get_by_text("3 answers", exact=True)).to_be_visible()


def test_what_was_clicked_keeps_no_ring_and_what_was_reached_by_tab_does(place: Place, visitor: Visitor) -> None:
    page = begin(visitor(), place.worker(place.project(8)))
    cat, dog = (page.get_by_role("button", name=name, exact=True) for name in ("cat", "dog"))
    before = shown(page)
    cat.click()
    expect(page.locator(".item")).not_to_have_text(before)
    expect(cat).not_to_be_focused()
    page.keyboard.press("Tab")
    expect(dog).to_be_focused()
    page.wait_for_timeout(200)  # a second press at once would be taken for a slip
    press(page, "Enter")
    expect(dog).to_be_focused()


def test_the_last_answers_are_undone_and_changed(place: Place, visitor: Visitor) -> None:
    project = place.project(8)
    page = begin(visitor(), place.worker(project))
    first, second = press(page, "1"), press(page, "1")
    until(lambda: place.votes(project) == 2, "two votes")
    expect(page.get_by_text("2 answers", exact=True)).to_be_visible()
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    expect(page.locator(".item")).to_have_text(first)
    expect(page.get_by_text("0 answers", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="cat", exact=True)).to_have_attribute("aria-pressed", "true")
    assert press(page, "2") == first
    assert press(page, "1") == second
    until(lambda: "dog" in place.labels(project).values(), "the change")
    dogs = [key for key, label in place.labels(project).items() if label == "dog"]
    assert [f"Pet number {key.removeprefix('pet-')}." for key in dogs] == [first]


def test_skipped_and_unsure_are_no_answers(place: Place, visitor: Visitor) -> None:
    project = place.project(8)
    page = begin(visitor(), place.worker(project))
    for key in "su1":
        press(page, key)
    expect(page.get_by_text("1 answer", exact=True)).to_be_visible()
    assert list(place.labels(project).values()) == ["cat"]


def test_own_keys_of_classes_and_a_list_of_them(place: Place, visitor: Visitor) -> None:
    classes = [{"name": "yes", "key": "y", "definition": "It has fur."}, {"name": "no", "key": "s"}]
    project = place.project(8, questions=[{"name": "pet", "classes": classes}])
    page = begin(visitor(), place.worker(project))
    expect(page.get_by_role("complementary")).to_contain_text("It has fur.")
    page.keyboard.press("i")
    expect(page.get_by_role("complementary")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Skip this item")
    page.keyboard.press("y")  # meant for the list, which is open
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for key in "ysx":  # s is a class here, so that x skips
        press(page, key)
    until(lambda: sorted(place.labels(project).values()) == ["no", "yes"], "two votes")


def test_help_without_definitions_is_the_instructions_and_escape_closes_it(place: Place, visitor: Visitor) -> None:
    project = place.project(8, questions=[{"name": "digit", "classes": ["0", "1"]}], instructions="Read the digit.")
    page = begin(visitor(), place.worker(project))
    page.keyboard.press("i")
    shown_help = page.get_by_role("dialog", name="Instructions")
    expect(shown_help.get_by_text("Read the digit.")).to_be_visible()
    expect(shown_help.get_by_role("term")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(shown_help).to_have_count(0)


def test_long_help_on_a_phone_is_read_from_its_beginning(place: Place, visitor: Visitor) -> None:
    classes = [{"name": name, "definition": "What it is. " * 200} for name in ("cat", "dog")]
    page = begin(visitor(**PHONE), place.worker(place.project(8, questions=[{"name": "pet", "classes": classes}])))
    page.get_by_role("button", name="Help").tap()
    expect(page.get_by_role("heading", name="Answer guide")).to_be_in_viewport()


def test_criteria_of_an_item_come_in_turn_until_one_excludes_it(place: Place, visitor: Visitor) -> None:
    criteria = [
        {"name": name, "text": f"Is it {name}?", "classes": ["no", "yes"], "holds": "yes"}
        for name in ("adult", "trial")
    ]
    project = place.project(6, kind="screening", questions=criteria, costs={"error": 200})
    page = begin(patient(visitor()), place.worker(project))
    question = page.get_by_role("heading", name="Is it")
    first, asked = shown(page), question.inner_text()
    page.keyboard.press("2")
    expect(question).not_to_have_text(asked)
    assert shown(page) == first
    second = press(page, "1")
    assert second == first
    third = press(page, "1")
    assert len({first, third, shown(page)}) == 3


def test_what_is_in_hand_is_given_back_on_leaving(place: Place, visitor: Visitor) -> None:
    project = place.project(8)
    page = begin(visitor(), place.worker(project))
    press(page, "1")
    expect(page.get_by_text("1 answer", exact=True)).to_be_visible()
    assert place.client.projects.overview(project).leases == 5
    page.goto("about:blank")
    until(lambda: place.client.projects.overview(project).leases == 0, "an empty hand")
    assert place.votes(project) == 1


def test_work_that_comes_later_is_found_by_itself(place: Place, visitor: Visitor) -> None:
    project = place.project(1, endless=True)
    page = begin(visitor(), place.worker(project))
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="No items right now")).to_be_visible()
    expect(page.get_by_text("You have answered everything available right now.")).to_be_visible()
    place.client.items.add(project, [{"key": "late", "text": "A late pet."}])
    expect(page.locator(".item")).to_have_text("A late pet.")


def test_what_was_skipped_last_can_be_answered_while_there_is_nothing_else(place: Place, visitor: Visitor) -> None:
    project = place.project(1)
    page = begin(visitor(), place.worker(project))
    page.keyboard.press("s")
    expect(page.get_by_text("Others will answer what you skipped (1 item).")).to_be_visible()
    page.get_by_role("button", name="Answer the skipped item").click()
    page.locator(".item").wait_for()
    page.keyboard.press("2")
    expect(page.get_by_text("You have answered everything")).to_be_visible()
    until(lambda: place.labels(project) == {"pet-0": "dog"}, "the answer")


def test_a_pause_is_called_so_and_ends_by_itself(place: Place, visitor: Visitor) -> None:
    project = place.project(8)
    page = begin(visitor(), place.worker(project))
    place.client.projects.set_state(project, "paused")
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="The project is paused")).to_be_visible()
    expect(page.get_by_text("New items may arrive")).to_have_count(0)
    place.client.projects.set_state(project, "running")
    page.evaluate("window.dispatchEvent(new Event('online'))")  # the page looks at once
    expect(page.locator(".item")).to_be_visible()
    expect(page.get_by_text("reassigned")).to_have_count(0)


def test_a_worker_who_fails_the_checks_is_informed(place: Place, visitor: Visitor) -> None:
    items = [{"key": f"k{n}", "text": f"Known {n}.", "gold": {"pet": "dog"}} for n in range(8)]
    project = place.project(
        [*items, *({"key": f"u{n}", "text": f"Unknown {n}."} for n in range(8))],
        workers={"gold_share": 1.0, "minimum_accuracy": 0.9, "checks": 1, "batch": 2},
    )
    page = begin(visitor(), place.worker(project))
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="You cannot continue in this project")).to_be_visible()


def test_without_a_link_the_page_says_what_to_do(place: Place, visitor: Visitor) -> None:
    page = visitor().new_page()
    page.goto(f"{place.url}/work/{place.project(1)}")
    expect(page.get_by_role("alert")).to_contain_text("Open the full link that you were sent")


def test_a_link_that_was_changed_is_not_valid_and_the_right_one_opens_in_the_same_tab(
    place: Place, visitor: Visitor
) -> None:
    page = visitor().new_page()
    link = place.worker(place.project(3))
    page.goto(link[:-3])
    expect(page.get_by_role("heading", name="This link is not valid")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("incomplete or was changed")
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    page.goto(link)
    expect(page.get_by_role("button", name="Start")).to_be_visible()
