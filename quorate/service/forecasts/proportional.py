"""Forecast of a screening project: remaining items take as many votes as finished ones, since criteria interact."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select

from quorate.data.costs import CROWD
from quorate.forecasts.forecast import Band
from quorate.service.decisions.classifier_charges import count_uncharged
from quorate.service.decisions.model_versions import current_model
from quorate.service.money import from_money
from quorate.service.projects.plan import Plan
from quorate.service.projects.settings import BASELINES
from quorate.service.store.tables import tasks
from quorate.typing import Array

N_ERRORS = 1.2816  # standard errors on each side of a band of 80%


def estimate_screening(connection: Connection, plan: Plan, pilot_draw: float) -> dict[str, Any]:
    """Return votes and spend on the remaining items, by strategy; tasks with a draw up to pilot_draw were the pilot."""
    per_item = select(func.sum(tasks.c.n_votes)).where(tasks.c.project_id == plan.id).group_by(tasks.c.item_id)
    in_pilot = connection.execute(per_item.where(tasks.c.draw <= pilot_draw)).scalars()
    pilot_votes = np.array([int(n) for n in in_pilot], dtype=float)
    count = select(func.count(func.distinct(tasks.c.item_id))).where(tasks.c.project_id == plan.id)
    n_left = connection.execute(count.where(tasks.c.draw > pilot_draw)).scalar_one()
    price = plan.settings.prices.prices.votes.get(CROWD, 0.0)
    models = [current_model(connection, question_id) for question_id in plan.questions]
    is_charged = any(model is not None and model.machine is not None for model in models)
    n_uncharged = count_uncharged(connection, plan)
    charge = from_money(plan.machine_cost) * n_uncharged if is_charged else 0.0
    strategies = {"engine": _strategy(_votes_band(pilot_votes, n_left), price, charge)}
    for n in BASELINES:
        strategies[f"fixed_{n}"] = _strategy((float(n * len(plan.questions) * n_left),) * 3, price)
    strategies["machine_only"] = _strategy((0.0, 0.0, 0.0), price, plan.settings.prices.machine * n_uncharged)
    return {"items_left": n_left, "strategies": strategies}


def remaining_votes(items: NDArray[np.int64], n_votes: NDArray[np.int64], decided: NDArray[np.bool_]) -> Band | None:
    """Return the votes to come on undecided items, if they take as many as decided ones do.

    None if fewer than two items are decided while others are not. All arrays have one element per item and criterion.

    Args:
        items: ids of the items.
        n_votes: votes so far.
        decided: whether the criterion is decided.

    >>> items = np.array([1, 2, 3, 4, 1, 2, 3, 4])
    >>> band = remaining_votes(items, np.array([2, 4, 0, 1, 2, 2, 0, 0]), np.array([1, 1, 0, 0, 1, 1, 0, 1], bool))
    >>> band.value, remaining_votes(items, np.ones(8), np.zeros(8, bool)) is None
    (9.0, True)
    """
    _, index = np.unique(items, return_inverse=True)
    votes, n_open = np.bincount(index, n_votes), np.bincount(index, ~decided)
    finished, n_left = votes[n_open == 0], int((n_open > 0).sum())
    if n_left and len(finished) < 2:
        return None
    low, value, high = (max(end - votes[n_open > 0].sum(), 0.0) for end in _votes_band(finished, n_left))
    return Band(value=float(value), low=float(low), high=float(high))


def _votes_band(finished: Array, n_left: int) -> tuple[float, float, float]:
    """Return low end, expected value and high end of the votes on n_left items, given the votes on finished ones.

    >>> low, value, high = _votes_band(np.array([2.0, 4.0, 3.0, 3.0]), 100)
    >>> value, round(high - value)
    (300.0, 53)
    """
    if len(finished) < 2:
        return 0.0, 0.0, 0.0
    value = float(finished.mean()) * n_left
    error = N_ERRORS * float(finished.std(ddof=1)) * np.sqrt(n_left + n_left**2 / len(finished))
    return max(0.0, value - error), value, value + error


def _strategy(votes: tuple[float, float, float], price: float, charge: float = 0.0) -> dict[str, Any]:
    """Return a strategy as JSON. price: of a vote. charge: price of the classifier on the remaining items."""
    low, value, high = votes
    spend = {"low": low * price + charge, "value": value * price + charge, "high": high * price + charge}
    return {"votes": {"low": low, "value": value, "high": high}, "spend": spend, "days": None, "errors": None}
