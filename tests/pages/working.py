"""What a voter does on the page."""

from playwright.sync_api import BrowserContext, Page

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def begin(context: BrowserContext, link: str) -> Page:
    """Open a link, and get past the instructions to the first item."""
    page = context.new_page()
    page.goto(link)
    page.get_by_role("button", name="Start").click()
    page.locator(".item").first.wait_for()
    return page


def patient(context: BrowserContext) -> BrowserContext:
    """Let pages wait for the next criterion of an item as long as it takes, where two seconds are their patience."""
    context.add_init_script(
        "const real = setTimeout; window.setTimeout = (run, ms, ...more) => real(run, ms === 2000 ? 1e6 : ms, ...more)"
    )
    return context


def shown(page: Page) -> str:
    """The text of the item in view."""
    return page.locator(".shown:visible .item").inner_text()


def press(page: Page, key: str) -> str:
    """Answer by a key, and wait for another item; the text of the one that was answered."""
    before = shown(page)
    page.keyboard.press(key)
    page.wait_for_function("before => document.querySelector('.item')?.innerText !== before", arg=before)
    return before
