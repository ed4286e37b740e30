"""Forecast of what a pool will cost, from a first run on a part of it, with bands calibrated on replays."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.audit.error_rate import Stated, state_error
from quorate.data.costs import CROWD
from quorate.data.html_tables import html_table
from quorate.data.option_checks import require_number
from quorate.data.votes import Votes
from quorate.decision.base import Policy, PoolState
from quorate.errors import MethodError
from quorate.forecasts.projection import Simulated, Teach, simulate_rest
from quorate.forecasts.tuning import TUNING, Correction, MachineKind
from quorate.typing import Array

LEVEL = 0.8  # of the bands


@dataclass(frozen=True, kw_only=True)
class Band:
    """An expected value, and the ends of the interval that is to contain the truth in four of five projects."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> "Band":
        """Return the band multiplied by a factor, such as in another unit."""
        return Band(value=self.value * factor, low=self.low * factor, high=self.high * factor)

    def plus(self, more: float) -> "Band":
        """Return the band shifted by a certain amount."""
        return Band(value=self.value + more, low=self.low + more, high=self.high + more)

    def __str__(self) -> str:
        return f"{_rounded(self.value)} ({_rounded(self.low)} to {_rounded(self.high)})"


@dataclass(frozen=True, kw_only=True, repr=False)
class Forecast:
    """What a pool will have cost when its policy asks for no more votes.

    Attributes:
        n_tasks: number of tasks.
        n_votes: number of votes so far.
        n_asking: number of tasks that ask for a vote now.
        spent: what the votes so far have cost.
        to_come: votes still to be asked for, by annotator kind.
        votes: all votes, including those so far.
        spend: price of all votes, including those so far.
        days: from now until the last vote; None if the rate of votes is not known.
        errors: number of wrong labels; None without an audit.
        cost: spend and cost of errors; None without an audit.
        level: share of projects in which a band is to contain the truth.
    """

    n_tasks: int
    n_votes: int
    n_asking: int
    spent: float
    to_come: Mapping[str, Band]
    votes: Band
    spend: Band
    days: Band | None = None
    errors: Band | None = None
    cost: Band | None = None
    level: float = LEVEL

    def __repr__(self) -> str:
        bands = ", ".join(f"{name} {band}" for name, band in self._bands().items())
        return f"Forecast({self._summary()}: {bands})"

    def _repr_html_(self) -> str:
        bands = self._bands()
        columns: dict[str, NDArray[Any]] = {"in all": np.array(list(bands))}
        columns |= {end: np.array([getattr(band, end) for band in bands.values()]) for end in ("value", "low", "high")}
        return html_table("Forecast", self._summary(), columns, f"bands of {100 * self.level:g}%")

    def _summary(self) -> str:
        return f"{self.n_tasks:,} tasks, {self.n_votes:,} votes so far"

    def _bands(self) -> dict[str, Band]:
        """Return what is forecast, by name."""
        names = ("votes", "spend", "days", "errors", "cost")
        return {name: band for name in names if (band := getattr(self, name)) is not None}


def forecast(
    policy: Policy,
    state: PoolState,
    *,
    machine: MachineKind = "none",
    teach: Teach | None = None,
    audit: Stated | None = None,
    votes_per_day: float | None = None,
    runs: int = 10,
    left: NDArray[np.int64] | None = None,
    available: Collection[str] | None = None,
    seed: int = 0,
) -> Forecast:
    """Forecast what the pool will have cost when the policy asks for no more votes.

    Args:
        policy: decides on the tasks.
        state: the pool so far.
        machine: whether there is a classifier, and whether it goes on learning from the votes to come.
        teach: how it learns; see `simulate_rest`.
        audit: the error rate of accepted labels, from expert labels of random tasks.
        votes_per_day: number of votes that come in; None = the days are not forecast.
        runs: number of simulations.
        left: see `simulate_rest`.
        available: the annotator kinds that can be asked; None = all that have a price.
        seed: draws the simulations.

    >>> from quorate.data.costs import Costs
    >>> from quorate.decision.policies.fixed_votes import FixedVotes
    >>> votes = Votes.from_matrix([[0, 0, 0], [1, 1, 1], *[[-1, -1, -1]] * 18])
    >>> policy = FixedVotes(costs=Costs.of_error(10, 2), n=3)
    >>> model = policy.fit(votes, {})
    >>> state = PoolState(votes=votes, machines={}, model=model, gold=np.full(20, -1), open=np.ones((20, 1), bool))
    >>> result = forecast(policy, state, votes_per_day=9)
    >>> result.n_votes, round(result.days.value) in range(5, 8), result.errors
    (6, True, None)
    """
    if available is not None:
        _require_kinds(available, policy.prices.kinds)
        state = replace(state, open=state.open & np.isin(policy.prices.kinds, list(available)))
    simulated = simulate_rest(policy, state, teach=teach, runs=runs, left=left, seed=seed)
    to_come = calibrated_band(simulated, machine)
    return build_forecast(policy, state, simulated, to_come, audit=audit, votes_per_day=votes_per_day)


def _require_kinds(available: Collection[str], kinds: Sequence[str]) -> None:
    unknown = [available] if isinstance(available, str) else [kind for kind in available if kind not in kinds]
    if unknown:
        raise MethodError(f"available is a list of annotator kinds that have a price, {list(kinds)}, got {available!r}")


def build_forecast(
    policy: Policy,
    state: PoolState,
    simulated: Simulated,
    to_come: Band,
    *,
    audit: Stated | None = None,
    votes_per_day: float | None = None,
) -> Forecast:
    """Build the forecast from the votes to come.

    Args:
        policy: decides on the tasks.
        state: the pool so far.
        simulated: gives the shares of the annotator kinds in the votes to come.
        to_come: votes to come, of all kinds.
        audit: the error rate of accepted labels, from expert labels of random tasks.
        votes_per_day: number of votes that come in; None = the days are not forecast.
    """
    if votes_per_day is not None:
        require_number("votes_per_day", votes_per_day, above=0)
    prices, votes = policy.prices, simulated.runs.votes  # (n_runs, n_kinds)
    mean = float(votes.sum(axis=1).mean())
    shares = votes.mean(axis=0) / max(mean, 1e-300)
    by_kind = {kind: to_come.times(share) for kind, share in zip(prices.kinds, shares, strict=True)}
    price = sum(prices.of(kind) * by_kind[kind].value for kind in prices.kinds) / max(to_come.value, 1e-300)
    spent = spent_on(policy, state.votes)
    spend = to_come.times(price).plus(spent)
    errors = None if audit is None or not audit.known else _errors(audit, int((state.gold < 0).sum()))
    even = policy.costs.even
    return Forecast(
        n_tasks=state.votes.n_tasks,
        n_votes=len(state.votes),
        n_asking=simulated.n_asking,
        spent=spent,
        to_come=by_kind,
        votes=to_come.plus(len(state.votes)),
        spend=spend,
        days=None if votes_per_day is None else to_come.times(1 / votes_per_day),
        errors=errors,
        cost=None if errors is None or even is None else _sum(spend, errors.times(even)),
    )


def calibrated_band(
    simulated: Simulated, machine: MachineKind = "none", correction: Correction = TUNING.correction
) -> Band:
    """Return the votes to come, of all kinds, corrected for the errors of simulations in replays.

    >>> from quorate.forecasts.rollout import Rehearsed
    >>> runs = Rehearsed(votes=np.array([[95], [95]]), error_cost=np.zeros(2))
    >>> simulated = Simulated(n_asking=50, runs=runs, halves=np.array([95.0, 95.0]))
    >>> band = calibrated_band(simulated, "none", Correction(shift={"none": 0.0}, width=3.0))
    >>> round(band.low, 1), round(band.value, 1), round(band.high, 1)  # 100 times exp(-.3), 1, exp(.3), less 5
    (69.1, 95.0, 130.0)
    """
    if not simulated.n_asking:
        return Band(value=0.0, low=0.0, high=0.0)
    middle, spread = middle_and_spread(simulated)
    off = correction.width * spread
    ends = middle + correction.shift[machine] + np.array([-off, 0.0, off])
    low, value, high = np.maximum(np.exp(ends) - TUNING.pseudo_votes, 0.0).tolist()
    return Band(value=value, low=low, high=high)


def middle_and_spread(simulated: Simulated) -> tuple[float, float]:
    """Return the logarithm of the votes to come, before it is shifted, and its spread, up to a factor.

    The model of the whole and those of the halves have equal weight: one alone is overconfident in what it saw.
    """
    runs = simulated.runs.votes.sum(axis=1)
    middle = np.log(runs.mean() + TUNING.pseudo_votes) + simulated.moved / 2
    chance = runs.std() / (runs.mean() + TUNING.pseudo_votes)
    doubt = min(simulated.doubt, TUNING.most_doubt)
    return float(middle), float(np.sqrt(TUNING.least_doubt**2 + doubt**2 + chance**2))


def spent_on(policy: Policy, votes: Votes) -> float:
    """Return the price of the votes so far, each at that of its worker or the crowd, and of the classifier."""
    prices = policy.prices
    names = [str(name) for name in votes.workers.tolist()]
    price: Array = np.array([prices.votes.get(name, prices.votes.get(CROWD, 0.0)) for name in [*names, CROWD]])
    return float(price[votes.voter].sum() + prices.machine * votes.n_tasks)


def _errors(audit: Stated, n_tasks: int) -> Band:
    """Return the number of wrong labels if all are wrong as often as those that were audited."""
    n_wrong = round(audit.value * audit.n_audited)
    share = state_error(n_wrong, audit.n_audited, max(n_tasks, audit.n_audited), level=LEVEL)
    return Band(value=share.value, low=share.low, high=share.high).times(n_tasks)


def _sum(left: Band, right: Band) -> Band:
    """Return the sum of two bands with independent errors."""
    value = left.value + right.value
    low = value - np.hypot(left.value - left.low, right.value - right.low)
    high = value + np.hypot(left.high - left.value, right.high - right.value)
    return Band(value=value, low=float(low), high=float(high))


def _rounded(value: float) -> str:
    """Return a number in three digits, or whole where it has more.

    >>> _rounded(1234.5), _rounded(0.12345)
    ('1,234', '0.123')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
