import pytest

from quorate.cli.options.output import Format
from quorate.cli.show.scores import show_scores

GROUPS = {"taught": {"items": 1200.0, "accuracy": 0.5}, "held out": {"votes": 3.0}}


def test_counts_are_whole_and_what_is_missing_is_a_dot(capsys: pytest.CaptureFixture[str]) -> None:
    show_scores("Title", GROUPS, Format.table)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["items", "with", "gold", "1,200", "·"] in lines
    assert ["accuracy", "0.500", "·"] in lines
    assert ["votes", "·", "3"] in lines


def test_groups_and_scores_of_votes_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    show_scores("Title", {"taught": {"votes_through_workers": 0.5}, "not taught": {"accuracy": 1.0}}, Format.table)
    out = capsys.readouterr().out
    assert "in training   not in training" in out
    assert "vote cross-entropy (low is good): by the predictions alone, and with the confusions" in out


def test_programs_get_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    show_scores("Title", GROUPS, Format.csv)
    assert capsys.readouterr().out == "score,taught,held out\nitems,1200.0,\naccuracy,0.5,\nvotes,,3.0\n"
