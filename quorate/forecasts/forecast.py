"""What the rest of a pool will cost, from a first run on a part of it, with a band measured on replays."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.audit.error_rate import Stated, state_error
from quorate.data.costs import CROWD
from quorate.data.option_checks import require_number
from quorate.data.votes import Votes
from quorate.decision.base import Policy, PoolState
from quorate.forecasts.projection import Simulated, Teach, simulate_rest
from quorate.forecasts.tuning import TUNING, MachineKind, Usual
from quorate.typing import Array

LEVEL = 0.8  # of the bands


@dataclass(frozen=True, kw_only=True)
class Band:
    """A number to expect, and the ends between which it is to lie in four of five projects."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> "Band":
        """The same in another unit."""
        return Band(value=self.value * factor, low=self.low * factor, high=self.high * factor)

    def plus(self, more: float) -> "Band":
        """The same and what is certain."""
        return Band(value=self.value + more, low=self.low + more, high=self.high + more)


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """What a pool will have cost when its policy asks for no more.

    n_votes, spent: votes so far and what they cost. n_asking: tasks that ask for a vote now.
    to_come: votes still to be asked for, by kind of voter. votes, spend: in all, those so far included.
    days: from now until the last vote; None where the rate of votes is not known.
    errors, cost: how many labels will be wrong, and spend and errors together; None without an audit.
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
    seed: int = 0,
) -> Forecast:
    """What the pool will have cost when the policy asks for no more.

    machine: whether there is one, and whether it goes on learning from the votes to come; teach: how it learns.
    audit: the error of accepted labels, as experts found it on tasks drawn at random.
    votes_per_day: how many votes come in, to tell the days. left: see simulate_rest.

    >>> from quorate.data.costs import Costs
    >>> from quorate.decision.policies.fixed_votes import FixedVotes
    >>> votes = Votes.from_matrix([[0, 0, 0], [1, 1, 1], *[[-1, -1, -1]] * 18])
    >>> policy = FixedVotes(costs=Costs.of_error(10, 2), n=3)
    >>> model = policy.fit(votes, {})
    >>> state = PoolState(votes=votes, machines={}, model=model, gold=np.full(20, -1), open=np.ones((20, 1), bool))
    >>> found = forecast(policy, state, votes_per_day=9)
    >>> found.n_votes, round(found.days.value) in range(5, 8), found.errors
    (6, True, None)
    """
    simulated = simulate_rest(policy, state, teach=teach, runs=runs, left=left, seed=seed)
    return told(policy, state, simulated, banded(simulated, machine), audit=audit, votes_per_day=votes_per_day)


def told(
    policy: Policy,
    state: PoolState,
    simulated: Simulated,
    to_come: Band,
    *,
    audit: Stated | None = None,
    votes_per_day: float | None = None,
) -> Forecast:
    """The forecast in full, from the votes to come. simulated: tells how they are shared by kinds of voters."""
    if votes_per_day is not None:
        require_number("votes_per_day", votes_per_day, above=0)
    prices, votes = policy.prices, simulated.runs.votes  # (n_runs, n_kinds)
    mean = float(votes.sum(axis=1).mean())
    each = {kind: to_come.times(votes[:, place].mean() / max(mean, 1e-300)) for place, kind in enumerate(prices.kinds)}
    price = sum(prices.of(kind) * each[kind].value for kind in prices.kinds) / max(to_come.value, 1e-300)
    spent = spent_on(policy, state.votes)
    spend = to_come.times(price).plus(spent)
    errors = None if audit is None or not audit.known else _errors(audit, int((state.gold < 0).sum()))
    even = policy.costs.even
    return Forecast(
        n_tasks=state.votes.n_tasks,
        n_votes=len(state.votes),
        n_asking=simulated.n_asking,
        spent=spent,
        to_come=each,
        votes=to_come.plus(len(state.votes)),
        spend=spend,
        days=None if votes_per_day is None else to_come.times(1 / votes_per_day),
        errors=errors,
        cost=None if errors is None or even is None else _together(spend, errors.times(even)),
    )


def banded(simulated: Simulated, machine: MachineKind = "none", usual: Usual = TUNING.usual) -> Band:
    """Votes to come, of all kinds, when it is known how such simulations are off.

    >>> from quorate.forecasts.rollout import Rehearsed
    >>> runs = Rehearsed(votes=np.array([[95], [95]]), error_cost=np.zeros(2))
    >>> simulated = Simulated(n_asking=50, runs=runs, halves=np.array([95.0, 95.0]))
    >>> band = banded(simulated, "none", Usual(shift={"none": 0.0}, width=3.0))
    >>> round(band.low, 1), round(band.value, 1), round(band.high, 1)  # 100 times exp(-.3), 1, exp(.3), less 5
    (69.1, 95.0, 130.0)
    """
    if not simulated.n_asking:
        return Band(value=0.0, low=0.0, high=0.0)
    middle, spread = middle_and_spread(simulated)
    off = usual.width * spread
    ends = middle + usual.shift[machine] + np.array([-off, 0.0, off])
    low, value, high = np.maximum(np.exp(ends) - TUNING.few_votes, 0.0).tolist()
    return Band(value=value, low=low, high=high)


def middle_and_spread(simulated: Simulated) -> tuple[float, float]:
    """Logarithm of the votes to come (and a few more) before it is shifted, and how far off it may be, up to a factor.

    The model of the whole and those of the halves count alike: one alone is too sure of what it saw.
    """
    runs = simulated.runs.votes.sum(axis=1)
    middle = np.log(runs.mean() + TUNING.few_votes) + simulated.moved / 2
    chance = runs.std() / (runs.mean() + TUNING.few_votes)
    doubt = min(simulated.doubt, TUNING.most_doubt)
    return float(middle), float(np.sqrt(TUNING.least_doubt**2 + doubt**2 + chance**2))


def spent_on(policy: Policy, votes: Votes) -> float:
    """What the votes so far cost, each at the price of its worker, or else of the crowd; and the machine, for all."""
    prices = policy.prices
    names = [str(name) for name in votes.workers.tolist()]
    each: Array = np.array([prices.votes.get(name, prices.votes.get(CROWD, 0.0)) for name in [*names, CROWD]])
    return float(each[votes.voter].sum() + prices.machine * votes.n_tasks)


def _errors(audit: Stated, n_tasks: int) -> Band:
    """Wrong labels in the end, if those still to be given are wrong as often as those that were audited."""
    n_wrong = round(audit.value * audit.n_audited)
    share = state_error(n_wrong, audit.n_audited, max(n_tasks, audit.n_audited), level=LEVEL)
    return Band(value=share.value, low=share.low, high=share.high).times(n_tasks)


def _together(one: Band, other: Band) -> Band:
    """The sum of two numbers that are off each for its own reason."""
    value = one.value + other.value
    low = value - np.hypot(one.value - one.low, other.value - other.low)
    high = value + np.hypot(one.high - one.value, other.high - other.value)
    return Band(value=value, low=float(low), high=float(high))
