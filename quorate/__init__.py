"""Quorate: people and classifiers label items together, at the lowest expected cost.

>>> import quorate
>>> votes = quorate.Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
>>> quorate.aggregate(votes, "majority").labels.tolist()
[0, 1]
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

__version__ = "0.1.0"

if TYPE_CHECKING:
    from quorate.ambiguity.prune import prune
    from quorate.api.aggregate import aggregate, join
    from quorate.api.agreement import agreement
    from quorate.api.calibrate import calibrate
    from quorate.api.certify import certify
    from quorate.api.compare import compare
    from quorate.api.decide import decide
    from quorate.api.forecast import forecast
    from quorate.api.identify import identify
    from quorate.api.method_table import methods
    from quorate.api.quality import copies, items, workers
    from quorate.api.train import predict, train
    from quorate.api.try_policies import try_policies
    from quorate.client import Client
    from quorate.data.costs import Costs, Prices
    from quorate.data.decisions import Decisions
    from quorate.data.item_scores import ItemScores
    from quorate.data.posterior import Posterior
    from quorate.data.votes import Votes
    from quorate.errors import QuorateError
    from quorate.io import datasets
    from quorate.io.gold import read_gold
    from quorate.io.items import read_items
    from quorate.io.votes import read_votes, write_posterior, write_votes
    from quorate.simulation.crowd import simulate_votes

_EXPORTS: Exports = {
    "Client": ("quorate.client", "Client"),
    "Costs": ("quorate.data.costs", "Costs"),
    "Decisions": ("quorate.data.decisions", "Decisions"),
    "ItemScores": ("quorate.data.item_scores", "ItemScores"),
    "Posterior": ("quorate.data.posterior", "Posterior"),
    "Prices": ("quorate.data.costs", "Prices"),
    "QuorateError": ("quorate.errors", "QuorateError"),
    "Votes": ("quorate.data.votes", "Votes"),
    "aggregate": ("quorate.api.aggregate", "aggregate"),
    "agreement": ("quorate.api.agreement", "agreement"),
    "calibrate": ("quorate.api.calibrate", "calibrate"),
    "certify": ("quorate.api.certify", "certify"),
    "compare": ("quorate.api.compare", "compare"),
    "copies": ("quorate.api.quality", "copies"),
    "datasets": ("quorate.io.datasets", None),
    "decide": ("quorate.api.decide", "decide"),
    "forecast": ("quorate.api.forecast", "forecast"),
    "identify": ("quorate.api.identify", "identify"),
    "items": ("quorate.api.quality", "items"),
    "join": ("quorate.api.aggregate", "join"),
    "methods": ("quorate.api.method_table", "methods"),
    "predict": ("quorate.api.train", "predict"),
    "prune": ("quorate.ambiguity.prune", "prune"),
    "read_gold": ("quorate.io.gold", "read_gold"),
    "read_items": ("quorate.io.items", "read_items"),
    "read_votes": ("quorate.io.votes", "read_votes"),
    "simulate_votes": ("quorate.simulation.crowd", "simulate_votes"),
    "train": ("quorate.api.train", "train"),
    "try_policies": ("quorate.api.try_policies", "try_policies"),
    "workers": ("quorate.api.quality", "workers"),
    "write_posterior": ("quorate.io.votes", "write_posterior"),
    "write_votes": ("quorate.io.votes", "write_votes"),
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
    "methods",
    "predict",
    "prune",
    "read_gold",
    "read_items",
    "read_votes",
    "simulate_votes",
    "train",
    "try_policies",
    "workers",
    "write_posterior",
    "write_votes",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
