from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from quorate import Posterior, forecast, simulate_votes
from quorate.api.forecast import rate_of
from quorate.data.ids import numbered
from quorate.errors import MethodError, VotesError

CROWD = simulate_votes(n_tasks=300, votes_per_task=6, classes=("no", "yes"), seed=3)
SEEN = CROWD.votes.subset(rows=CROWD.votes.task < 40)  # the other tasks are known by name
ALONE = {"crowd": 1.0}


def test_tasks_without_votes_cost_most() -> None:
    few = forecast(SEEN.subset(tasks=np.arange(40)), cost_error=20, prices=ALONE)
    named = forecast(SEEN, cost_error=20, prices=ALONE)
    counted = forecast(SEEN.subset(tasks=np.arange(40)), n_tasks=300, cost_error=20, prices=ALONE)
    assert few.votes.value < named.votes.value
    assert (counted.n_tasks, counted.n_asking) == (named.n_tasks, named.n_asking) == (300, named.n_asking)
    assert counted.votes.value == pytest.approx(named.votes.value, rel=0.1)


def test_a_good_classifier_saves_votes_and_names_the_tasks() -> None:
    probs = np.where(np.eye(2, dtype=bool)[CROWD.gold], 0.97, 0.03)
    posterior = Posterior.of(CROWD.votes, probs, class_prior=np.array([0.5, 0.5]))
    with_machine = forecast(SEEN.subset(tasks=np.arange(40)), machines=posterior, cost_error=20, prices=ALONE)
    assert with_machine.n_tasks == 300
    assert with_machine.votes.value < forecast(SEEN, cost_error=20, prices=ALONE).votes.low


def test_a_classifier_that_learns() -> None:
    x = np.stack([2.0 * CROWD.gold - 1, np.random.default_rng(0).normal(size=300)], axis=1)
    learnt = forecast(SEEN, x=x, cost_error=20, prices=ALONE)
    assert learnt.votes.value < forecast(SEEN, cost_error=20, prices=ALONE).votes.low
    with pytest.raises(
        VotesError, match=r"x must have a row of features for each of the 300 tasks, got shape \(3, 1\)"
    ):
        forecast(SEEN, x=np.zeros((3, 1)))
    with pytest.raises(MethodError, match="either machines, or x"):
        forecast(SEEN, x=x, machines=np.full((300, 2), 0.5))


def test_errors_are_forecast_from_an_audit_only() -> None:
    audit = np.where(np.arange(300) < 20, CROWD.gold, -1)
    result = forecast(SEEN, audit=audit, cost_error=20, prices=ALONE)
    assert result.errors is not None
    assert result.errors.low <= result.errors.value < result.errors.high <= 280
    assert forecast(SEEN, cost_error=20, prices=ALONE).errors is None


def test_the_rate_of_votes() -> None:
    hours = replace(SEEN, time=1e9 + 3600.0 * np.arange(len(SEEN), dtype=np.float64))
    assert rate_of(hours) == pytest.approx(24)
    result = forecast(hours, cost_error=20, prices=ALONE)
    assert result.days == result.to_come["crowd"].times(1 / 24)
    assert rate_of(replace(SEEN, time=np.full(len(SEEN), np.nan))) is None
    assert rate_of(replace(SEEN, time=np.ones(len(SEEN)))) is None


def test_a_task_has_at_most_a_number_of_votes() -> None:
    result = forecast(SEEN, cost_error=1000, prices=ALONE, most_votes=6)
    assert result.to_come["crowd"].value > 0
    assert forecast(SEEN, cost_error=1000, prices=ALONE).votes.value > result.votes.value


def test_sizes_that_do_not_match_are_refused() -> None:
    with pytest.raises(MethodError, match="n_tasks must be at least the 300 tasks of the votes, got 5"):
        forecast(SEEN, n_tasks=5)
    with pytest.raises(MethodError, match="n_tasks is for votes alone"):
        forecast(SEEN, n_tasks=500, machines=np.full((300, 2), 0.5))
    assert forecast(replace(SEEN, tasks=numbered(300)), n_tasks=310, cost_error=20).n_tasks == 310


@pytest.mark.parametrize("available", ["crowd", ["experts"]])
def test_only_kinds_with_a_price_can_be_available(available: object) -> None:
    with pytest.raises(
        MethodError, match=r"available is a list of annotator kinds that have a price, \['crowd'\], got"
    ):
        forecast(SEEN, cost_error=20, prices=ALONE, available=available)  # type: ignore[arg-type]


def test_only_available_voters_are_counted_on() -> None:
    crowd = simulate_votes(n_tasks=60, votes_per_task=3, seed=0)
    prices = {"crowd": 1, "expert": 1}
    everybody = forecast(crowd.votes, n_tasks=200, cost_error=40, prices=prices, runs=2)
    only_crowd = forecast(crowd.votes, n_tasks=200, cost_error=40, prices=prices, available=["crowd"], runs=2)
    nobody = forecast(crowd.votes, n_tasks=200, cost_error=40, prices=prices, available=[], runs=2)
    assert everybody.to_come["expert"].value > 0
    assert only_crowd.to_come["expert"].value == 0 < only_crowd.to_come["crowd"].value
    assert nobody.votes.value == nobody.n_votes


def test_items_are_matched_by_name_and_give_the_tasks_without_votes() -> None:
    x = CROWD.gold + 0.3 * np.random.default_rng(0).normal(size=300)
    x = (x - x.mean()) / x.std()  # the scale that named items are brought to
    expected = forecast(SEEN, x=x[:, None], cost_error=20, prices=ALONE, runs=2)
    items = pl.DataFrame({"task": SEEN.tasks, "size": x})
    named = forecast(SEEN.subset(tasks=np.arange(40)), x=items, cost_error=20, prices=ALONE, runs=2)
    assert named.n_tasks == 300
    assert named.votes.value == pytest.approx(expected.votes.value, rel=0.01)


def test_texts_are_read_by_an_encoder_or_as_words() -> None:
    words = np.array(["bad film", "good book"])[CROWD.gold].tolist()
    items = pl.DataFrame({"task": SEEN.tasks, "text": words})
    without = forecast(SEEN, cost_error=20, prices=ALONE, runs=2)
    with_texts = [forecast(SEEN, x=x, encoder="none", cost_error=20, prices=ALONE, runs=2) for x in (items, words)]
    assert with_texts[0].votes.value == with_texts[1].votes.value < without.votes.value
    with pytest.raises(MethodError, match="there is no encoder 'better'"):
        forecast(SEEN, x=items, encoder="better")


def test_a_forecast_is_shown_in_one_line_and_as_a_table() -> None:
    result = forecast(SEEN, cost_error=20, prices=ALONE, votes_per_day=100, runs=2)
    assert repr(result).startswith(f"Forecast(300 tasks, 240 votes so far: votes {result.votes.value:,.0f} (")
    assert len(repr(result)) < 150
    page = result._repr_html_()
    assert page.count("<tr>") == 4  # the head, votes, spend and days
    assert "bands of 80%" in page
