"""Replays: policies tried on recorded votes, with a budget or on tasks that arrive over time.

Policies themselves are in `quorate.decision.policies`. Forecasts of projects whose votes do not exist yet are in
`quorate.forecasts`. The function `quorate.try_policies` is in `quorate.api`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.learning.value_of_labels import LearningCurve
    from quorate.replay.budget import BudgetOutcome, replay_budget
    from quorate.replay.results import Trials
    from quorate.replay.session import Outcome
    from quorate.replay.stream import Arrivals, StreamOutcome, replay_stream

_EXPORTS: Exports = {
    "Arrivals": ("quorate.replay.stream", "Arrivals"),
    "BudgetOutcome": ("quorate.replay.budget", "BudgetOutcome"),
    "LearningCurve": ("quorate.learning.value_of_labels", "LearningCurve"),
    "Outcome": ("quorate.replay.session", "Outcome"),
    "StreamOutcome": ("quorate.replay.stream", "StreamOutcome"),
    "Trials": ("quorate.replay.results", "Trials"),
    "replay_budget": ("quorate.replay.budget", "replay_budget"),
    "replay_stream": ("quorate.replay.stream", "replay_stream"),
}

__all__ = [
    "Arrivals",
    "BudgetOutcome",
    "LearningCurve",
    "Outcome",
    "StreamOutcome",
    "Trials",
    "replay_budget",
    "replay_stream",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
