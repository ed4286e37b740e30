"""Design a task: from a file to a worker's first vote, as somebody does who never saw it."""

import csv
from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.pages.axe import faults
from tests.pages.places import Place, Visitor, zip_of_images

REVIEWS = [
    ("r1", "The parcel came two weeks late.", "delivery"),
    ("r2", "Lovely colour, and it fits well.", ""),
    ("r3", "It broke after three days of use.", "quality"),
    ("r4", "The courier left it in the rain.", ""),
    ("r5", "Stitching came loose at once.", ""),
    ("r6", "Arrived the next morning.", "delivery"),
    ("r7", "The cloth is thin.", "quality"),
    ("r8", "<script>alert('no')</script> Nobody answered the phone.", ""),
]


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    return table(tmp_path / "shop_reviews.csv", [("id", "review", "label"), *REVIEWS])


def table(path: Path, rows: Iterable[Iterable[str]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def begun(place: Place, browsers: Visitor, file: Path | None = None, **options: object) -> Page:
    page = browsers(**options).new_page()
    page.goto(f"{place.url}/new")
    if file is not None:
        page.get_by_label("Choose file").set_input_files(file)
        expect(page.get_by_role("button", name="Choose another file")).to_be_visible()
    return page


def go_on(page: Page, title: str) -> None:
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()


def to_the_check(page: Page) -> None:
    go_on(page, "Workers")
    go_on(page, "Costs and budget")
    go_on(page, "Review")


def made(page: Page) -> int:
    """Make the project; its number."""
    with page.expect_response(lambda one: one.url.endswith("/api/projects") and one.request.method == "POST") as told:
        page.get_by_role("button", name="Create project").click()
    expect(page.get_by_text("items imported.")).to_be_visible()
    return int(told.value.json()["id"])


def test_a_newcomer_gets_from_a_file_to_a_workers_first_vote(
    place: Place, requester: Visitor, visitor: Visitor, reviews: Path
) -> None:
    page = begun(place, requester, reviews)
    expect(page.get_by_label("Text column")).to_have_value("review")
    expect(page.get_by_label("Label column")).to_have_value("label")
    expect(page.get_by_label("As gold labels")).to_be_checked()  # some rows have none
    go_on(page, "Question")
    expect(page.get_by_label("Project name")).to_have_value("Shop reviews")
    names = [page.get_by_role("textbox", name=f"Answer {n}", exact=True).input_value() for n in (1, 2)]
    assert sorted(names) == ["delivery", "quality"]
    page.get_by_role("textbox", name="Question").fill("What is this review about?")
    expect(page.get_by_label("Worker view")).to_contain_text("What is this review about?")
    expect(page.get_by_label("Worker view")).to_contain_text("The parcel came two weeks late.")
    to_the_check(page)
    expect(page.get_by_text("no pilot (fewer than 100 items)")).to_be_visible()
    expect(page.get_by_role("row", name="Quorate")).to_be_visible()
    project = made(page)
    page.get_by_role("button", name="Start without pilot").click()
    expect(page.get_by_text("Workers can now vote.")).to_be_visible()
    page.get_by_label("Name (optional)").fill("Mia")
    page.get_by_role("button", name="Create link").click()
    vote(visitor().new_page(), page.get_by_label("Link for Mia").input_value())
    assert place.votes(project) == 1
    page.get_by_role("button", name="Go to overview").click()
    page.wait_for_url(f"**/projects/{project}")
    settings = place.client.projects.get(project).settings
    assert settings["workers"]["practice"] == 2


def vote(page: Page, link: str) -> None:
    """Open a worker's link, practise, and answer the first item that counts."""
    page.goto(link)
    page.get_by_role("button", name="Start practice").click()
    for _ in range(2):
        page.get_by_role("button", name="delivery").click()
        page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Start working").click()
    with page.expect_response(lambda one: one.url.endswith("/votes") and one.ok):
        page.get_by_role("button", name="delivery").click()


def test_texts_can_be_pasted(place: Place, requester: Visitor) -> None:
    page = begun(place, requester)
    page.get_by_label("Texts", exact=True).fill("It purrs.\n\nIt barks.\nIt meows.")
    page.get_by_role("button", name="Use these 3 texts").click()
    go_on(page, "Question")
    page.get_by_label("Project name").fill("Pets by ear")
    page.get_by_role("textbox", name="Question").fill("Cat or dog?")
    page.get_by_role("textbox", name="Answer 1", exact=True).fill("cat")
    page.get_by_role("textbox", name="Answer 2", exact=True).fill("dog")
    go_on(page, "Workers")
    page.get_by_label("Price per worker vote").fill("0,1")
    go_on(page, "Costs and budget")
    expect(page.get_by_label("Wrong label: cost in votes")).to_have_value("50")
    page.get_by_label("Different cost per answer").check()
    page.get_by_label("Wrong “dog”: cost").fill("200")
    go_on(page, "Review")
    settings = place.client.projects.get(made(page)).settings
    assert settings["costs"]["matrix"] == [[0, 20], [5, 0]]  # a wrong dog: the truth is cat
    assert settings["prices"]["votes"]["crowd"] == 0.1


def test_screening_by_criteria(place: Place, requester: Visitor, reviews: Path) -> None:
    page = begun(place, requester, reviews)
    go_on(page, "Question")
    page.get_by_label("Screening").check()
    page.get_by_role("textbox", name="Criterion 1").fill("delivery")
    page.get_by_role("textbox", name="Question").fill("Is it about delivery?")
    page.get_by_role("button", name="Add criterion").click()
    page.get_by_role("textbox", name="Criterion 2").fill("angry")
    page.get_by_role("textbox", name="Question").nth(1).fill("Is the writer angry?")
    page.get_by_label("Include the item if").nth(1).select_option(label="No (criterion not met)")
    go_on(page, "Workers")
    go_on(page, "Costs and budget")
    page.get_by_label("Different costs for the two errors").check()
    page.get_by_label("Wrongly excluded item").fill("100")
    go_on(page, "Review")
    settings = place.client.projects.get(made(page)).settings
    assert settings["kind"] == "screening"
    assert [one["holds"] for one in settings["questions"]] == ["Yes", "No"]
    assert settings["costs"]["matrix"] == [[0, 2.5], [5, 0]]
    assert settings["workers"]["practice"] == 0  # labels of another question check nobody


def test_bad_rows_are_listed_and_the_rest_is_imported(place: Place, requester: Visitor, tmp_path: Path) -> None:
    rows = [("id", "text"), ("a", "One."), ("b", ""), ("c", "Three."), ("d", "Four.", "too many cells")]
    page = begun(place, requester, table(tmp_path / "bad.csv", rows))
    go_on(page, "Question")
    page.get_by_role("textbox", name="Question").fill("Is it?")
    page.get_by_role("textbox", name="Answer 1", exact=True).fill("yes")
    page.get_by_role("textbox", name="Answer 2", exact=True).fill("no")
    to_the_check(page)
    made(page)
    expect(page.get_by_text("2 items imported.")).to_be_visible()
    left_out = page.get_by_role("region", name="2 rows not imported")
    expect(left_out).to_contain_text("Row 2")
    expect(left_out).to_contain_text("the row has 3 cells, but the header has 2 columns")


def test_an_unsupported_file_is_refused(place: Place, requester: Visitor, tmp_path: Path) -> None:
    page = begun(place, requester)
    for name, told in (("letter.docx", "is not supported"), ("empty.csv", "file is empty")):
        (tmp_path / name).write_text("")
        page.get_by_label("Choose file").set_input_files(tmp_path / name)
        expect(page.get_by_role("alert")).to_contain_text(told)
    page.get_by_role("button", name="Next").click()
    asked = page.get_by_text("Choose a file or paste texts.")
    expect(asked).to_be_visible()
    page.get_by_label("Choose file").set_input_files(table(tmp_path / "good.csv", [("id", "text"), ("a", "Fine.")]))
    expect(page.get_by_role("button", name="Choose another file")).to_be_visible()
    expect(asked).to_have_count(0)


def test_a_reload_in_the_middle_keeps_all(place: Place, requester: Visitor, reviews: Path) -> None:
    page = begun(place, requester, reviews)
    go_on(page, "Question")
    page.get_by_role("textbox", name="Question").fill("What is this")
    page.get_by_role("button", name="Next").click()
    page.get_by_label("Price per worker vote").fill("0.07")
    page.reload()
    expect(page.get_by_label("Price per worker vote")).to_have_value("0.07")
    page.go_back()
    expect(page.get_by_role("textbox", name="Question")).to_have_value("What is this")
    page.get_by_role("link", name="Review").click()
    expect(page.get_by_role("button", name="Create project")).to_be_enabled()  # the file is there, too
    made(page)
    page.reload()
    expect(page.get_by_role("button", name="Start without pilot")).to_be_visible()


def test_what_is_missing_is_shown_where_it_is(place: Place, requester: Visitor, reviews: Path) -> None:
    page = begun(place, requester, reviews)
    page.get_by_role("link", name="Review").click()
    expect(page.get_by_text("Not complete: Enter the question.")).to_be_visible()
    expect(page.get_by_role("button", name="Create project")).to_be_disabled()
    page.get_by_role("button", name="Go to question").click()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("textbox", name="Question")).to_be_focused()
    expect(page.get_by_text("Enter the question.")).to_be_visible()


def test_a_price_typed_key_by_key_leaves_errors_worth_as_many_labels(
    place: Place, requester: Visitor, reviews: Path
) -> None:
    page = begun(place, requester, reviews)
    go_on(page, "Question")
    page.get_by_role("textbox", name="Question").fill("What is it about?")
    go_on(page, "Workers")
    price = page.get_by_label("Price per worker vote")
    for typed in ("0.12", "-1", "0.08"):
        price.press("Control+a")
        price.press_sequentially(typed)
    go_on(page, "Costs and budget")
    expect(page.get_by_label("Wrong label: cost in votes")).to_have_value("50")
    expect(page.get_by_text("4 EUR per error")).to_be_visible()


def test_images_of_a_zip_are_shown_before_they_are_sent(place: Place, requester: Visitor, tmp_path: Path) -> None:
    page = begun(place, requester, zip_of_images(tmp_path, 3))
    expect(page.get_by_text("about 3 items")).to_be_visible()
    go_on(page, "Question")
    image = page.get_by_label("Worker view").locator("img")
    expect(image).to_be_visible()
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 60


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (360, "dark")])
def test_no_step_has_a_serious_fault(place: Place, requester: Visitor, reviews: Path, width: int, scheme: str) -> None:
    page = begun(place, requester, viewport={"width": width, "height": 740}, color_scheme=scheme)
    sound(page, width)
    page.get_by_label("Choose file").set_input_files(reviews)
    expect(page.get_by_role("button", name="Choose another file")).to_be_visible()
    sound(page, width)
    go_on(page, "Question")
    page.get_by_role("button", name="Next").click()  # with what is wrong in sight
    sound(page, width)
    page.get_by_role("textbox", name="Question").fill("What is this review about?")
    go_on(page, "Workers")
    page.get_by_role("radio", name="Panel").check()
    sound(page, width)
    go_on(page, "Costs and budget")
    sound(page, width)
    go_on(page, "Review")
    expect(page.get_by_role("row", name="Quorate")).to_be_visible()
    sound(page, width)
    made(page)
    page.get_by_role("button", name="Create link").click()
    expect(page.get_by_label("Link for")).to_be_visible()
    sound(page, width)


def sound(page: Page, width: int) -> None:
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
