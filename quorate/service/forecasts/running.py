"""What a project at work will have cost at its finish: the rest played through by the models of the last round."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.audit.error_rate import state_error
from quorate.data.costs import CROWD, EXPERT
from quorate.decision.base import TAUGHT
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.forecasts.forecast import Band, build_forecast, calibrated_band
from quorate.forecasts.projection import simulate_rest
from quorate.service.decisions.task_state import ASKING, DECIDED, STATUSES, WAITING
from quorate.service.forecasts.bands import shown
from quorate.service.forecasts.proportional import by_decided_items
from quorate.service.forecasts.remaining import RUNS, Rest, stage_of
from quorate.service.forecasts.remaining_engine import School, rest_of_learning
from quorate.service.money import from_money
from quorate.service.projects.timeline import Stand
from quorate.service.refit.decide_pool import PoolView
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.round import Outcome
from quorate.service.reports.audit import Audit

LEVEL = 0.8  # of the bands
LEAST_VOTES = 20  # fewer foretell nothing
_DECIDED = [STATUSES.index(status) for status in DECIDED]
_OPEN = [STATUSES.index(WAITING), STATUSES.index(ASKING)]


def reforecast(
    school: School, outcome: Outcome, stand: Stand, audit: Audit, votes_per_day: float | None, now: float
) -> dict[str, Any] | None:
    """Votes, money, days and errors in all at the finish, with bands of 80 %; None while there is too little to tell.

    stand: now, after the round. audit: of all questions together. made_at: at how many votes it was made, as it gets
    old when more come in.
    """
    found, before = outcome.learnt, outcome.before
    views = [one.view for one in found]
    if stand.votes < LEAST_VOTES or any(one.waits or not one.view.snapshot.in_play.all() for one in found):
        return None
    rest = _of_items(views) if views[0].plan.is_screening else sum((_rest(school, one) for one in found), Rest())
    if rest is None:
        return None
    to_charge = from_money(_still_to_charge(views))
    charged = stand.machine_spent - before.machine_spent  # during the round: all of it was needed
    spend = _in_all(rest.spend, from_money(before.spent + charged), from_money(stand.spent))
    return {
        "at": now,
        "made_at": stand.votes,
        "spend": shown(spend.plus(to_charge)),
        "votes": shown(_in_all(rest.votes, before.votes, stand.votes)),
        "days": shown(rest.votes.times(1 / votes_per_day)) if votes_per_day else None,
        "errors": _errors(audit, views),
    }


def _in_all(rest: Band, before: float, now: float) -> Band:
    """The rest and what there was: of what came during a round, half was not needed any more."""
    return Band(value=rest.value + (before + now) / 2, low=rest.low + before, high=rest.high + now)


def _still_to_charge(views: Sequence[PoolView]) -> int:
    """Return what the classifier in use will still cost, in millionths: once for each item that is not known."""
    lacking = [
        view.snapshot.items[(view.snapshot.gold < 0) & ~view.snapshot.charged & ~view.due]
        for view in views
        if view.machine is not None
    ]
    return len(np.unique(np.concatenate(lacking))) * views[0].plan.machine_cost if lacking else 0


def _rest(school: School, one: RoundResult) -> Rest:
    """What is still to come of one question: some of its open tasks played through, and scaled up."""
    view = one.view
    is_open = np.isin(view.snapshot.stored.status, _OPEN) & (view.snapshot.gold < 0)
    audits = _audits(view, is_open)
    if view.no_money:
        return audits
    by_engine = isinstance(view.asked.policy, ExpectedLoss)
    return audits + (rest_of_learning(school, one, is_open) if by_engine else _simulated(view, is_open))


def _simulated(view: PoolView, is_open: NDArray[np.bool_]) -> Rest:
    """The same by a policy to which the models matter less, as replays of real votes told."""
    if not is_open.any():
        return Rest()
    stage, policy = stage_of(view, is_open), view.asked.policy
    simulated = simulate_rest(policy, stage.state, runs=RUNS, left=stage.left)
    to_come = calibrated_band(
        simulated, "none" if view.machine is None else "learning" if view.machine == TAUGHT else "given"
    )
    forecast = build_forecast(policy, stage.state, simulated, to_come)
    return Rest(to_come.times(stage.scale), forecast.spend.plus(-forecast.spent).times(stage.scale))


def _audits(view: PoolView, is_open: NDArray[np.bool_]) -> Rest:
    """Accepted labels that an expert is still to look at: those drawn already, and a share of those to come."""
    prices, settings = view.asked.policy.prices, view.plan.settings
    if EXPERT not in prices.kinds or not view.experts or view.no_money:
        return Rest()
    drawn = ~is_open & (view.snapshot.stored.ask == prices.kinds.index(EXPERT)) & (view.snapshot.gold < 0)
    n = float(drawn.sum() + settings.audit_share * is_open.sum())
    band = Band(value=n, low=n, high=n)
    return Rest(band, band.times(prices.of(EXPERT)))


def _of_items(views: Sequence[PoolView]) -> Rest | None:
    """The same of a screening project, whose criteria interact: in proportion to the items that are decided."""
    decided = np.isin(np.concatenate([view.snapshot.stored.status for view in views]), _DECIDED)
    items = np.concatenate([view.snapshot.items for view in views])
    n_votes = np.concatenate([view.snapshot.votes.votes_per_task for view in views])
    votes = by_decided_items(items, n_votes, decided)
    price = views[0].plan.settings.prices.prices.votes.get(CROWD, 0.0)
    return None if votes is None else Rest(votes, votes.times(price))


def _errors(audit: Audit, views: Sequence[PoolView]) -> dict[str, float] | None:
    """Wrong labels in the end, if those still to be given are wrong as often as those that were audited."""
    if not audit.audited:
        return None
    n_tasks = sum(int((view.snapshot.gold < 0).sum()) for view in views)
    share = state_error(audit.wrong, audit.audited, max(n_tasks, audit.audited), level=LEVEL)
    return shown(Band(value=share.value, low=share.low, high=share.high).times(n_tasks))
