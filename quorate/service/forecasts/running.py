"""Forecast of a running project: the remaining votes are simulated with the models of the last round."""

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
from quorate.service.forecasts.proportional import remaining_votes
from quorate.service.forecasts.remaining import RUNS, Remaining, band_to_json, sample_tasks
from quorate.service.forecasts.remaining_engine import TrainingData, forecast_engine
from quorate.service.money import from_money
from quorate.service.projects.timeline import ProjectCounts
from quorate.service.refit.decide_pool import PoolView
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.round import Outcome
from quorate.service.reports.audit import Audit

LEVEL = 0.8  # of the bands
MIN_VOTES = 20  # for a forecast
_DECIDED = [STATUSES.index(status) for status in DECIDED]
_OPEN = [STATUSES.index(WAITING), STATUSES.index(ASKING)]


def forecast_running(
    data: TrainingData, outcome: Outcome, stand: ProjectCounts, audit: Audit, votes_per_day: float | None, now: float
) -> dict[str, Any] | None:
    """Return total votes, spend and errors at the end and the days until then, with bands; None if it is too early.

    Args:
        data: source of the items, to train a classifier.
        outcome: outcome of the last round.
        stand: counts of the project after the round.
        audit: audit of all questions together.
        votes_per_day: rate of the votes; None if it is unknown.
        now: present time. The number of votes is stored too (`made_at`): a forecast gets old with new votes.
    """
    results, before = outcome.learnt, outcome.before
    views = [result.view for result in results]
    is_early = any(result.waits or not result.view.snapshot.in_play.all() for result in results)
    if stand.votes < MIN_VOTES or is_early:
        return None
    if views[0].plan.is_screening:
        remaining = _remaining_screening(views)
    else:
        remaining = sum((_remaining(data, result) for result in results), Remaining())
    if remaining is None:
        return None
    to_charge = from_money(_charges_to_come(views))
    charged = stand.machine_spent - before.machine_spent  # during the round: all of it was needed
    spend = _total(remaining.spend, from_money(before.spent + charged), from_money(stand.spent))
    return {
        "at": now,
        "made_at": stand.votes,
        "spend": band_to_json(spend.plus(to_charge)),
        "votes": band_to_json(_total(remaining.votes, before.votes, stand.votes)),
        "days": band_to_json(remaining.votes.times(1 / votes_per_day)) if votes_per_day else None,
        "errors": _errors(audit, views),
    }


def _total(remaining: Band, before: float, now: float) -> Band:
    """Add what there was to what remains: half of what came during the round is taken as not needed any more."""
    return Band(value=remaining.value + (before + now) / 2, low=remaining.low + before, high=remaining.high + now)


def _charges_to_come(views: Sequence[PoolView]) -> int:
    """Return what the classifier will still cost, in millionths: once for each item without gold label."""
    uncharged = [
        view.snapshot.items[(view.snapshot.gold < 0) & ~view.snapshot.charged & ~view.due]
        for view in views
        if view.machine is not None
    ]
    return len(np.unique(np.concatenate(uncharged))) * views[0].plan.machine_cost if uncharged else 0


def _remaining(data: TrainingData, result: RoundResult) -> Remaining:
    """Forecast the remaining votes and spend of one question, audits included."""
    view = result.view
    is_open = np.isin(view.snapshot.stored.status, _OPEN) & (view.snapshot.gold < 0)
    audits = _remaining_audits(view, is_open)
    if view.no_money:
        return audits
    is_engine = isinstance(view.asked.policy, ExpectedLoss)
    return audits + (forecast_engine(data, result, is_open) if is_engine else _forecast_policy(view, is_open))


def _forecast_policy(view: PoolView, is_open: NDArray[np.bool_]) -> Remaining:
    """Forecast the rest under another policy, which depends less on the models; bands are calibrated on replays."""
    if not is_open.any():
        return Remaining()
    sample, policy = sample_tasks(view, is_open), view.asked.policy
    simulated = simulate_rest(policy, sample.state, runs=RUNS, left=sample.votes_left)
    to_come = calibrated_band(
        simulated, "none" if view.machine is None else "learning" if view.machine == TAUGHT else "given"
    )
    forecast = build_forecast(policy, sample.state, simulated, to_come)
    return Remaining(to_come.times(sample.scale), forecast.spend.plus(-forecast.spent).times(sample.scale))


def _remaining_audits(view: PoolView, is_open: NDArray[np.bool_]) -> Remaining:
    """Count the audits to come: tasks that are drawn already, and a share of the open tasks."""
    prices, settings = view.asked.policy.prices, view.plan.settings
    if EXPERT not in prices.kinds or not view.experts or view.no_money:
        return Remaining()
    drawn = ~is_open & (view.snapshot.stored.ask == prices.kinds.index(EXPERT)) & (view.snapshot.gold < 0)
    n = float(drawn.sum() + settings.audit_share * is_open.sum())
    band = Band(value=n, low=n, high=n)
    return Remaining(band, band.times(prices.of(EXPERT)))


def _remaining_screening(views: Sequence[PoolView]) -> Remaining | None:
    """Forecast a screening project, whose criteria interact: in proportion to the items that are decided."""
    decided = np.isin(np.concatenate([view.snapshot.stored.status for view in views]), _DECIDED)
    items = np.concatenate([view.snapshot.items for view in views])
    n_votes = np.concatenate([view.snapshot.votes.votes_per_task for view in views])
    votes = remaining_votes(items, n_votes, decided)
    price = views[0].plan.settings.prices.prices.votes.get(CROWD, 0.0)
    return None if votes is None else Remaining(votes, votes.times(price))


def _errors(audit: Audit, views: Sequence[PoolView]) -> dict[str, float] | None:
    """Return the wrong labels at the end, if labels to come are wrong as often as audited ones."""
    if not audit.audited:
        return None
    n_tasks = sum(int((view.snapshot.gold < 0).sum()) for view in views)
    share = state_error(audit.wrong, audit.audited, max(n_tasks, audit.audited), level=LEVEL)
    return band_to_json(Band(value=share.value, low=share.low, high=share.high).times(n_tasks))
