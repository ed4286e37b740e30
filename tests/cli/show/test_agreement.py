import pytest

from quorate import Votes
from quorate.cli.show.agreement import show_agreement

SCORES = {"consistency": 0.5, "fleiss_kappa": 0.25, "fleiss_kappa_low": -0.1, "fleiss_kappa_high": 0.5}


def test_an_interval_is_a_shaded_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    show_agreement(SCORES, Votes.from_matrix([[0, 1]]))
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["consistency", "0.500", "·", "█" * 12] in lines
    assert ["fleiss", "kappa", "0.250", "-0.100", "to", "0.500", "▒" * 12] in lines
