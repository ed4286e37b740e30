"""Values that users hold: votes, posteriors, decisions, costs, item scores and models of workers.

Also here: the checks, ids and conversions of columns and data frames that these values need. Nothing here reads files
(`quorate.io`), computes a consensus (`quorate.aggregation`) or decides (`quorate.decision`). Items are in `quorate.io`,
protocols that methods implement in `quorate.protocols`.
"""

from quorate.data.costs import Costs, CostsWarning, Prices
from quorate.data.decisions import ACCEPT, ASK, Decisions, TaskDecision, label_sources
from quorate.data.ids import as_names, numbered
from quorate.data.item_scores import ItemScores
from quorate.data.posterior import Posterior, TaskPosterior
from quorate.data.votes import Votes
from quorate.data.worker_models import Coin, Confusion, WorkerModel

__all__ = [
    "ACCEPT",
    "ASK",
    "Coin",
    "Confusion",
    "Costs",
    "CostsWarning",
    "Decisions",
    "ItemScores",
    "Posterior",
    "Prices",
    "TaskDecision",
    "TaskPosterior",
    "Votes",
    "WorkerModel",
    "as_names",
    "label_sources",
    "numbered",
]


def __dir__() -> list[str]:
    return sorted(__all__)
