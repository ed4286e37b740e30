from dataclasses import replace

import numpy as np
import pytest

from quorate import forecast, simulate_votes
from quorate.cli.show.forecast import columns_of, show_forecast

VOTES = simulate_votes(n_tasks=40, votes_per_task=3, seed=0).votes
FORECAST = forecast(VOTES, n_tasks=100, cost_error=5, prices={"crowd": 1}, runs=2)


def test_figures_that_are_unknown_have_no_value() -> None:
    columns = columns_of(FORECAST)
    values = dict(zip(columns["figure"], columns["value"], strict=True))
    assert list(values) == ["crowd_votes_to_come", "votes", "spend", "days_to_go", "wrong_labels", "cost"]
    assert values["days_to_go"] is None
    assert values["votes"] == FORECAST.votes.value


def test_a_rate_of_votes_gives_a_date(capsys: pytest.CaptureFixture[str]) -> None:
    show_forecast(FORECAST, VOTES)
    assert "Days are unknown: say how many votes come in with --votes-per-day" in capsys.readouterr().out
    timed = replace(VOTES, time=np.linspace(0, 86_400, len(VOTES)))
    show_forecast(forecast(timed, n_tasks=100, cost_error=5, prices={"crowd": 1}, runs=2), timed)
    assert "The last vote is expected on 1970-01-0" in capsys.readouterr().out
