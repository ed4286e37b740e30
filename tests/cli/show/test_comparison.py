from typing import Any

import pytest

from quorate import Votes
from quorate.cli.show.comparison import show_by_gold, show_by_votes

METHODS: dict[str, list[Any]] = {
    "method": ["clustered_dawid_skene", "kos"],
    "seconds": [0.25, None],
    "rounds": [7, None],
}
NOTES: dict[str, list[Any]] = {"note": ["", "kos takes two classes"]}


def score(name: str, value: float, margin: float, p_value: float) -> dict[str, list[Any]]:
    low, high = value - margin, value + margin
    columns = {name: value, f"{name}_low": low, f"{name}_high": high, f"{name}_p_value": p_value}
    return {column: [number, None] for column, number in columns.items()}


SCORES = score("accuracy", 0.9, 0.02, 1.0) | score("ece", 0.05, 0.01, 0.04)
SCORES |= score("log_loss", 0.3, 0.03, 0.05) | score("brier", 0.2, 0.04, 0.3)


@pytest.mark.parametrize(
    ("width", "cells"),
    [
        (60, "clustered_dawid_skene   *0.900 ±0.020   0.050     *0.300"),
        (80, "*0.900 ±0.020   0.050 ±0.010   *0.300 ±0.030   *0.200"),
        (100, "*0.900 ±0.020   0.050 ±0.010   *0.300 ±0.030   *0.200 ±0.040     0.250"),
    ],
)
def test_the_intervals_that_there_is_room_for(
    width: int, cells: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    show_by_gold(METHODS | SCORES | NOTES, n_tasks=12)
    shown = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    row = next(line for line in shown if line.startswith(" clustered_dawid"))
    assert row.endswith(cells)
    assert len(row) <= width
    assert "kos: kos takes two classes" in shown


def test_what_held_out_votes_do_not_tell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    scores = score("votes_log_likelihood", -0.5, 0.1, 1.0)
    show_by_votes(METHODS | scores | NOTES, Votes.from_matrix([[0, 1, 0, 1, 0]] * 2))
    shown = capsys.readouterr().out
    assert shown.startswith("2 methods on 2 held-out votes")
    assert "*-0.500 ±0.100" in shown
    assert "not how often its labels are true" in shown
    assert max(map(len, shown.splitlines())) <= 80
