"""What axe-core finds wrong with a page."""

from pathlib import Path

from playwright.sync_api import Page

SCRIPT = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")
CHANGED = (
    "Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))"
)


def faults(page: Page) -> list[str]:
    """The serious and critical ones, with where they are."""
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(SCRIPT.read_text())  # not as a script of the page, which its own rules forbid
    page.evaluate(f"{CHANGED}.catch(() => null)")  # a colour on its way to another one is of neither's contrast
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes']]}"
        for one in found
        if one["impact"] in GRAVE
    ]
