"""Tables for notebooks: escaped, short, rounded."""

from html.parser import HTMLParser
from typing import Any

import numpy as np
import polars as pl
import pytest

from quorate import Votes, aggregate, decide, identify
from quorate.data.html_tables import html_table, note_hidden

ODD_CLASS = "<script>alert('x')</script> & \"co\""


class Reader(HTMLParser):
    """Collects the tags and the text of a page, and checks that every tag is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def make_votes(n_tasks: int = 12) -> Votes:
    rows = [(f"task {t}", f"w{w}", ODD_CLASS if (t + w) % 3 else "cat") for t in range(n_tasks) for w in range(3)]
    table: dict[str, Any] = dict(zip(("task", "worker", "label"), zip(*rows, strict=True), strict=True))
    return Votes.from_frame(pl.DataFrame(table | {"seconds": [1.23456] * len(rows), "time": [0.0] * len(rows)}))


def shown(value: Any) -> Reader:
    return Reader(value._repr_html_())


VOTES = make_votes()
VALUES: dict[str, Any] = {
    "Votes": VOTES,
    "Posterior": aggregate(VOTES),
    "Decisions": decide(VOTES, cost_error=5),
    "ItemScores": identify(VOTES, "margin"),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_shows_ten_rows_and_how_many_more_there_are(name: str) -> None:
    page = shown(VALUES[name])
    assert page.texts[0] == name
    assert page.tags.count("tr") == 11
    assert page.texts[-1] == ("... 26 more votes" if name == "Votes" else "... 2 more tasks")


@pytest.mark.parametrize("name", ["Votes", "Posterior", "Decisions"])
def test_names_are_escaped(name: str) -> None:
    page = shown(VALUES[name])
    assert set(page.tags) == {"div", "b", "table", "thead", "tbody", "tr", "th", "td"}
    assert ODD_CLASS in page.texts


def test_columns_are_those_of_the_frame() -> None:
    for value in VALUES.values():
        page = shown(value)
        assert set(value.to_frame().columns) <= set(page.texts)


def test_numbers_are_rounded_and_times_are_dates() -> None:
    page = shown(VOTES)
    assert "1.235" in page.texts
    assert "1970-01-01T00:00:00" in page.texts


def test_a_short_value_has_no_note() -> None:
    assert "..." not in make_votes(2)._repr_html_()


def test_many_classes_are_cut() -> None:
    votes = Votes.from_arrays([0], [0], [19], n_classes=20)
    page = shown(aggregate(votes))
    assert page.texts[-1] == "... 12 more classes"
    assert page.tags.count("td") == 3 + 8


def test_long_text_is_cut_and_missing_values_are_dashes() -> None:
    columns = {"a": np.array(["x" * 100, None]), "b": np.array([np.nan, 12345.6])}
    page = Reader(html_table("T", "", columns))
    assert page.texts[-4:] == ["x" * 59 + "…", "-", "-", "12,346"]


def test_nothing_hidden_is_no_note() -> None:
    assert note_hidden(tasks=-3) == ""
    assert note_hidden(tasks=1, classes=2) == "... 1 more tasks, 2 more classes"


def test_a_value_without_rows() -> None:
    empty = make_votes().subset(rows=[])
    assert shown(empty).tags.count("tr") == 1
