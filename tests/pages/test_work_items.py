"""Items of all kinds, as a voter sees them; what they hold is shown and never run."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.places import Place, Visitor, until, zip_of_images
from tests.pages.working import PHONE, begin, press, shown

EVIL = "<script>window.evil = 1</script><img src=x onerror='window.evil = 1'>"


def test_a_text_with_tags_is_a_text(place: Place, visitor: Visitor) -> None:
    project = place.project(
        [{"key": EVIL, "text": EVIL}],
        name=EVIL,
        instructions=EVIL,
        questions=[{"name": "pet", "text": EVIL, "classes": [{"name": EVIL, "definition": EVIL}, "dog"]}],
    )
    page = begin(visitor(), place.worker(project))
    expect(page.locator(".item")).to_have_text(EVIL)
    assert page.evaluate("window.evil") is None


def test_html_is_shown_in_a_frame_and_does_not_run(place: Place, visitor: Visitor) -> None:
    html = "<h1>A pet</h1><script>document.body.textContent = 'evil'; parent.evil = 1</script>"
    project = place.project([{"key": f"h{n}", "html": html} for n in range(3)])
    page = begin(visitor(), place.worker(project))
    frame = page.locator(".shown:visible iframe")
    expect(frame.content_frame.get_by_role("heading", name="A pet")).to_be_visible()
    assert frame.get_attribute("sandbox") == ""
    assert page.evaluate("window.evil") is None
    first = frame.get_attribute("src")
    page.keyboard.press("1")
    expect(frame).not_to_have_attribute("src", str(first))
    expect(frame.content_frame.get_by_role("heading", name="A pet")).to_be_visible()


@pytest.mark.long
def test_the_part_that_is_asked_about_is_marked(place: Place, visitor: Visitor) -> None:
    items = [{"key": "frog", "text": "The frog sings.", "span": [4, 8]}]
    page = begin(visitor(), place.worker(place.project(items)))
    expect(page.locator(".item mark")).to_have_text("frog")


@pytest.mark.long
def test_pairs_and_numbers(place: Place, visitor: Visitor) -> None:
    items: list[dict[str, Any]] = [
        {"key": "pair", "text_a": "A cat sat.", "text_b": "A pet sat."},
        {"key": "n", "features": [1.5, 2.25]},
    ]
    project = place.project(items)
    page = begin(visitor(), place.worker(project))
    seen = {press(page, "1"), shown(page)}
    assert any("Second text" in one and "A pet sat." in one for one in seen)
    assert any("2.25" in one for one in seen)


@pytest.mark.long
def test_images_come_ahead_and_are_enlarged(place: Place, visitor: Visitor, tmp_path: Path) -> None:
    project = place.images(tmp_path, 6)
    context = visitor()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url) if request.url.endswith("/media") else None)
    page = begin(context, place.worker(project))
    image = page.locator(".item img")
    page.wait_for_function("() => document.querySelector('.item img').naturalWidth > 0")
    until(lambda: len(set(asked)) == 5, "all that is in hand is asked for", page)
    page.keyboard.press("+")
    expect(image).to_have_attribute("style", "transform: translate(0px, 0px) scale(1.5);")
    page.get_by_role("button", name="Zoom out").click()
    expect(page.get_by_role("button", name="Zoom out")).to_be_disabled()
    image.dblclick()
    expect(page.get_by_role("button", name="Zoom out")).to_be_enabled()
    first = image.get_attribute("src")
    page.keyboard.press("1")
    expect(image).not_to_have_attribute("src", str(first))
    expect(image).to_have_attribute("style", "transform: translate(0px, 0px) scale(1);")  # the next is whole again


KEEP_HTML = """
    window.kept = [];
    const keep = () => window.kept.push(document.documentElement.outerHTML);
    new MutationObserver(keep).observe(document, {subtree: true, childList: true, attributes: true});
"""  # of the page after every change


def test_the_key_of_an_item_is_nowhere_on_the_page(place: Place, visitor: Visitor, tmp_path: Path) -> None:
    """A key may hold the known label, as that of an image in a folder of its class does."""
    names = ["cat/img1.png", "dog/img2.png", "img3.png", "img4.png", "img5.png"]
    prices = {"votes": {"crowd": 1, "expert": 2}}
    project = place.project(0, None, workers={"gold_share": 0.9}, prices=prices, audit_share=1.0, endless=True)
    packed = zip_of_images(tmp_path, names)
    place.client.imports.upload(project, packed, columns={"gold": {"pet": "folder"}})
    expert = place.worker(project, "expert")
    place.client.projects.set_state(project, "running")
    for link in (place.worker(project), expert):
        context = visitor()
        context.add_init_script(KEEP_HTML)
        page = begin(context, link)
        image = page.locator(".item img")
        expect(image).to_have_attribute("alt", re.compile(r"^Image \d+$"))
        while image.count():
            source = image.get_attribute("src")
            page.keyboard.press("1")
            page.wait_for_function(
                "last => document.querySelector('.item img')?.getAttribute('src') !== last", arg=source
            )
        kept = "".join(page.evaluate("window.kept"))
        assert "/media" in kept
        assert not [name for name in ("img1", "img2", "img3", "img4", "img5", "cat/", "dog/") if name in kept]


@pytest.mark.long
def test_on_a_phone_nothing_covers_the_image(place: Place, visitor: Visitor, tmp_path: Path) -> None:
    page = begin(visitor(**PHONE), place.worker(place.images(tmp_path, 6)))
    image = page.locator(".item .frame").bounding_box()
    buttons = page.locator(".zoom-buttons").bounding_box()
    answers = page.locator(".answer-bar").bounding_box()
    assert image
    assert buttons
    assert answers
    assert image["y"] + image["height"] <= buttons["y"]
    assert buttons["y"] + buttons["height"] <= answers["y"]


@pytest.mark.long
def test_long_texts_are_scrolled_by_keys(place: Place, visitor: Visitor) -> None:
    items = [{"key": f"{n}", "text": f"Text {n}. " + "A long story about a pet. " * 300} for n in range(3)]
    page = begin(visitor(), place.worker(place.project(items)))
    top = "document.querySelector('.item-pane').scrollTop"
    page.keyboard.press("PageDown")
    page.wait_for_function(f"() => {top} > 100")
    press(page, "1")
    assert page.evaluate(top) == 0
