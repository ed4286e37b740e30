"""What the rest of a screening project will cost: as much for each item as the pilot took, since criteria interact."""

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

LEVEL = 1.2816  # standard errors on each side of a band of 80 %


def in_proportion(connection: Connection, plan: Plan, reach: float) -> dict[str, Any]:
    """Votes and spend on the items to come, by strategy. reach: tasks with a draw up to this were in the pilot."""
    per_item = select(func.sum(tasks.c.n_votes)).where(tasks.c.project_id == plan.id).group_by(tasks.c.item_id)
    seen = np.array([int(n) for n in connection.execute(per_item.where(tasks.c.draw <= reach)).scalars()], dtype=float)
    left = select(func.count(func.distinct(tasks.c.item_id))).where(tasks.c.project_id == plan.id)
    n_left = connection.execute(left.where(tasks.c.draw > reach)).scalar_one()
    price = plan.settings.prices.prices.votes.get(CROWD, 0.0)
    models = [current_model(connection, number) for number in plan.questions]
    is_charged = any(model is not None and model.machine is not None for model in models)
    n_uncharged = count_uncharged(connection, plan)
    charged = from_money(plan.machine_cost) * n_uncharged if is_charged else 0.0
    strategies = {"engine": _told(_band(seen, n_left), price, charged)}
    for n in BASELINES:
        strategies[f"fixed_{n}"] = _told((float(n * len(plan.questions) * n_left),) * 3, price)
    strategies["machine_only"] = _told((0.0, 0.0, 0.0), price, plan.settings.prices.machine * n_uncharged)
    return {"items_left": n_left, "strategies": strategies}


def by_decided_items(items: NDArray[np.int64], n_votes: NDArray[np.int64], decided: NDArray[np.bool_]) -> Band | None:
    """Votes that are still to come on the items that are not decided, if they take as many as those that are.

    One row per item and criterion goes in. None where fewer than two items are decided, and some are not.

    >>> items = np.array([1, 2, 3, 4, 1, 2, 3, 4])
    >>> found = by_decided_items(items, np.array([2, 4, 0, 1, 2, 2, 0, 0]), np.array([1, 1, 0, 0, 1, 1, 0, 1], bool))
    >>> found.value, by_decided_items(items, np.ones(8), np.zeros(8, bool)) is None
    (9.0, True)
    """
    _, place = np.unique(items, return_inverse=True)
    given, open_criteria = np.bincount(place, n_votes), np.bincount(place, ~decided)
    seen, n_left = given[open_criteria == 0], int((open_criteria > 0).sum())
    if n_left and len(seen) < 2:
        return None
    low, value, high = (max(end - given[open_criteria > 0].sum(), 0.0) for end in _band(seen, n_left))
    return Band(value=float(value), low=float(low), high=float(high))


def _band(seen: np.ndarray[Any, np.dtype[np.float64]], n_left: int) -> tuple[float, float, float]:
    """How many votes so many more items take, if they are like those seen.

    >>> low, value, high = _band(np.array([2.0, 4.0, 3.0, 3.0]), 100)
    >>> value, round(high - value)
    (300.0, 53)
    """
    if len(seen) < 2:
        return 0.0, 0.0, 0.0
    value = float(seen.mean()) * n_left
    error = LEVEL * float(seen.std(ddof=1)) * np.sqrt(n_left + n_left**2 / len(seen))
    return max(0.0, value - error), value, value + error


def _told(votes: tuple[float, float, float], price: float, machine: float = 0.0) -> dict[str, Any]:
    """Return votes as a strategy. price: of one vote. machine: what the classifier costs on the items that are left."""
    low, value, high = votes
    spend = {"low": low * price + machine, "value": value * price + machine, "high": high * price + machine}
    return {"votes": {"low": low, "value": value, "high": high}, "spend": spend, "days": None, "errors": None}
