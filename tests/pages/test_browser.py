"""The ground that tests of the pages stand on."""

from tests.pages.axe import faults
from tests.pages.places import Place, Visitor


def test_a_page_is_served_with_what_keeps_it_safe(place: Place, visitor: Visitor) -> None:
    page = visitor().new_page()
    answer = page.goto(f"{place.url}/work/{place.project()}")
    assert answer is not None
    assert "script" not in answer.headers["content-security-policy"]  # default-src 'self': no inline scripts
    assert page.title() == "Quorate"


def test_axe_sees_a_fault(place: Place, visitor: Visitor) -> None:
    page = visitor().new_page()
    page.goto(place.url)
    page.set_content("<html lang='en'><title>Bad</title><main><button></button></main></html>")
    assert any(fault.startswith("button-name") for fault in faults(page))
