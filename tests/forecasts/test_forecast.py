from dataclasses import replace

import numpy as np
import pytest

from quorate.audit.error_rate import state_error
from quorate.data.costs import Costs, Prices
from quorate.data.votes import Votes
from quorate.decision.policies.fixed_votes import FixedVotes
from quorate.errors import MethodError
from quorate.forecasts.forecast import Band, calibrated_band, forecast, spent_on
from quorate.forecasts.projection import Simulated
from quorate.forecasts.rollout import Rehearsed
from quorate.forecasts.tuning import Correction, MachineKind
from quorate.replay.pool import replay
from tests.forecasts.pools import CROWD, POLICY, after


def simulated(runs: list[int], halves: list[float]) -> Simulated:
    votes = np.array(runs)[:, None]
    return Simulated(n_asking=9, runs=Rehearsed(votes=votes, error_cost=np.zeros(len(runs))), halves=np.array(halves))


def test_bands_by_hand() -> None:
    correction = Correction(shift={"none": 0.0, "given": np.log(1.1)}, width=2.0)
    band = calibrated_band(simulated([95], [395.0, 395.0]), "given", correction)  # halves: four times as many
    assert band.value == pytest.approx(100 * 2 * 1.1 - 5)
    assert band.low == pytest.approx(220 * np.exp(-0.2) - 5)
    assert band.high == pytest.approx(220 * np.exp(0.2) - 5)
    differ = calibrated_band(simulated([95], [100 * np.exp(0.3) - 5, 100 * np.exp(-0.3) - 5]), "none", correction)
    assert differ.value == pytest.approx(95)
    assert differ.high == pytest.approx(100 * np.exp(2 * np.hypot(0.1, 0.3)) - 5)


def test_nothing_to_come() -> None:
    nothing = replace(simulated([0, 0], [0.0]), n_asking=0)
    assert calibrated_band(nothing) == Band(value=0.0, low=0.0, high=0.0)


@pytest.mark.parametrize("machine", ["none", "given", "learning"])
def test_a_band_holds_its_value_and_narrows_where_halves_agree(machine: MachineKind) -> None:
    agree, differ = (
        calibrated_band(simulated([100, 110], halves), machine) for halves in ([105.0] * 4, [60.0, 105.0, 180.0])
    )
    for band in (agree, differ):
        assert 0 < band.low < band.value < band.high
    assert agree.high / agree.low < differ.high / differ.low


@pytest.mark.slow
def test_more_votes_seen_give_a_narrower_band() -> None:
    widths = []
    for n_tasks in (40, 150, 350):
        result = forecast(POLICY, after(n_tasks))
        assert result.n_votes + result.to_come["crowd"].value == pytest.approx(result.votes.value)
        widths.append((result.votes.high - result.votes.low) / result.votes.value)
    assert widths[0] > widths[1] > widths[2]


@pytest.mark.slow
def test_it_is_near_what_the_policy_then_asks_for() -> None:
    """Compare with a replay on a simulated crowd; how often the band contains the truth is measured by a benchmark."""
    state = after(60)
    truth = replay(POLICY, CROWD.votes, CROWD.gold, seed=0).votes.sum()
    result = forecast(POLICY, state, left=CROWD.votes.votes_per_task - state.votes.votes_per_task)
    assert truth / 1.5 < result.votes.value < truth * 1.5


@pytest.mark.slow
def test_days_errors_and_cost() -> None:
    state = after(40)
    audit = state_error(2, 50, 400)
    result = forecast(POLICY, state, audit=audit, votes_per_day=50)
    to_come = result.to_come["crowd"]
    assert result.days == to_come.times(1 / 50)
    assert result.errors is not None
    assert result.errors.value == pytest.approx(400 * 2 / 50)
    assert result.cost is not None
    assert result.cost.value == pytest.approx(result.spend.value + 20 * 16)
    assert result.spend.low + 20 * result.errors.low < result.cost.low < result.cost.high
    silent = forecast(POLICY, state, audit=state_error(0, 0, 400))
    assert (silent.errors, silent.cost, silent.days) == (None, None, None)
    with pytest.raises(MethodError, match="votes_per_day must be above zero, got 0"):
        forecast(POLICY, state, votes_per_day=0)


def test_prices_of_workers_and_of_the_classifier() -> None:
    votes = Votes.from_matrix([[0, 1, 0], [1, 1, -1]])  # workers 0, 1, 2
    prices = Prices(votes={"crowd": 2, "1": 5}, machine=0.25)
    policy = FixedVotes(costs=Costs.of_error(10, 2), prices=prices, n=3)
    assert spent_on(policy, votes) == 3 * 2 + 2 * 5 + 2 * 0.25
