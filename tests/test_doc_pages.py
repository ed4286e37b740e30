"""The pages stand as they are in the repository: no placeholder, no dead link, no table that is out of date."""

import re
from pathlib import Path

import pytest

from tests.test_docs import load

ROOT = Path(__file__).parent.parent
PAGES = sorted([*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")])
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s#]+)(?:#[^)\s]*)?\)|(?:src|srcset)=\"([^\"]+)\"")
write_tables = load("write_tables")


def test_every_table_is_up_to_date() -> None:
    texts = write_tables.tables()
    stale = [
        path.name for path in PAGES if write_tables.updated(text := path.read_text(encoding="utf-8"), texts) != text
    ]
    assert not stale, "run `python docs/write_tables.py`"


def test_the_picture_of_the_readme_is_up_to_date() -> None:
    picture = load("draw_readme")
    for name, theme in picture.THEMES.items():
        drawn = (ROOT / "docs" / "images" / f"readme_{name}.svg").read_text(encoding="utf-8")
        assert picture.draw(theme) == drawn, "run `python docs/draw_readme.py`"


def test_a_stale_table_is_noticed() -> None:
    page = "<!-- table: share -->0.5<!-- end of table -->"
    assert write_tables.updated(page, {"share": "0.7"}) != page


def test_a_table_of_an_unknown_name_is_refused() -> None:
    with pytest.raises(SystemExit, match="no table is called 'shares'; there are: share"):
        write_tables.updated("<!-- table: shares --><!-- end of table -->", {"share": "0.7"})


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_has_no_placeholder(path: Path) -> None:
    """A comment marks where a text begins or ends; none waits to be replaced when the site is built."""
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<!-- table: [^>]+ -->\s*<!-- end of table -->", text)
    comments = re.findall(r"<!-- (.*?) -->", re.sub(r"```.*?```|`[^`\n]+`", "", text, flags=re.S))
    allowed = re.compile(r"table: .+|end of .+|(?:map|layers): written by .+|file: \S+|output: .+")
    assert [comment for comment in comments if not allowed.fullmatch(comment)] == []
    assert not re.search(r"\{\w+\}\}|TODO|TBD", text)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_of_a_page_leads_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)
    targets = {first or second for first, second in LINK.findall(text)}
    local = {target for target in targets if not re.match(r"https?:|mailto:", target)}
    assert sorted(target for target in local if not (path.parent / target).exists()) == []
