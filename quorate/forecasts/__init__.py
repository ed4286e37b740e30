"""Forecasts: what the rest of a project will cost, and how many votes it will need.

They start from a pilot and simulate the rest. Replays of votes that are already recorded are in `quorate.replay`. The
function `quorate.forecast` is in `quorate.api`; simulated votes for examples are in `quorate.simulation`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.forecasts.forecast import Band, Forecast
    from quorate.forecasts.projection import Simulated, simulate_rest
    from quorate.forecasts.rollout import Rehearsed, rehearse

_EXPORTS: Exports = {
    "Band": ("quorate.forecasts.forecast", "Band"),
    "Forecast": ("quorate.forecasts.forecast", "Forecast"),
    "Rehearsed": ("quorate.forecasts.rollout", "Rehearsed"),
    "Simulated": ("quorate.forecasts.projection", "Simulated"),
    "rehearse": ("quorate.forecasts.rollout", "rehearse"),
    "simulate_rest": ("quorate.forecasts.projection", "simulate_rest"),
}

__all__ = [
    "Band",
    "Forecast",
    "Rehearsed",
    "Simulated",
    "rehearse",
    "simulate_rest",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
