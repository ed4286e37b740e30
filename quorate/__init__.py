"""Quorate: people and machines classify items together, at the least expected cost.

>>> import quorate
>>> votes = quorate.Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
>>> quorate.aggregate(votes, "majority").labels.tolist()
[0, 1]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from quorate.calibrating import calibrate
    from quorate.certifying import certify
    from quorate.client import Client
    from quorate.costs import Costs, Prices
    from quorate.deciding import decide
    from quorate.decisions import Decisions
    from quorate.errors import QuorateError
    from quorate.forecasting import forecast
    from quorate.identifying import identify
    from quorate.io import datasets
    from quorate.io.gold import read_gold
    from quorate.io.items import read_items
    from quorate.io.reading import read_votes
    from quorate.io.writing import write_posterior, write_votes
    from quorate.pruning import prune
    from quorate.results import Posterior
    from quorate.scores import ItemScores
    from quorate.simulation.crowd import simulate_votes
    from quorate.trying import try_policies
    from quorate.verbs import aggregate, agreement, compare, copies, items, join, workers
    from quorate.votes import Votes

# What is exported and where it lives. Names are imported when they are first used: `import quorate` stays light.
_HOMES = {
    "Client": "quorate.client",
    "Costs": "quorate.costs",
    "Decisions": "quorate.decisions",
    "ItemScores": "quorate.scores",
    "Posterior": "quorate.results",
    "Prices": "quorate.costs",
    "QuorateError": "quorate.errors",
    "Votes": "quorate.votes",
    "aggregate": "quorate.verbs",
    "agreement": "quorate.verbs",
    "calibrate": "quorate.calibrating",
    "certify": "quorate.certifying",
    "compare": "quorate.verbs",
    "copies": "quorate.verbs",
    "datasets": "quorate.io.datasets",  # a module, exported whole
    "decide": "quorate.deciding",
    "forecast": "quorate.forecasting",
    "identify": "quorate.identifying",
    "items": "quorate.verbs",
    "join": "quorate.verbs",
    "prune": "quorate.pruning",
    "read_gold": "quorate.io.gold",
    "read_items": "quorate.io.items",
    "read_votes": "quorate.io.reading",
    "simulate_votes": "quorate.simulation.crowd",
    "try_policies": "quorate.trying",
    "workers": "quorate.verbs",
    "write_posterior": "quorate.io.writing",
    "write_votes": "quorate.io.writing",
}

__all__ = [
    "Client",
    "Costs",
    "Decisions",
    "ItemScores",
    "Posterior",
    "Prices",
    "QuorateError",
    "Votes",
    "aggregate",
    "agreement",
    "calibrate",
    "certify",
    "compare",
    "copies",
    "datasets",
    "decide",
    "forecast",
    "identify",
    "items",
    "join",
    "prune",
    "read_gold",
    "read_items",
    "read_votes",
    "simulate_votes",
    "try_policies",
    "workers",
    "write_posterior",
    "write_votes",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'quorate' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    value = home if home.__name__.endswith(f".{name}") else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
