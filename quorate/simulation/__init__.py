"""Simulated workers, votes and items with known true labels, drawn in memory.

Simulated workers that use the HTTP API of a service are in `quorate.client.simulated_crowd`. Simulations of the rest of
a real project are in `quorate.forecasts`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.simulation.circles import three_circles
    from quorate.simulation.crowd import SimulatedVotes, simulate_votes
    from quorate.simulation.drawn_abstracts import Abstracts, abstracts
    from quorate.simulation.moons import two_moons
    from quorate.simulation.ratings import SimulatedRatings, simulate_ratings
    from quorate.simulation.trained_workers import SimulatedItems
    from quorate.simulation.worker_pool import many_workers

_EXPORTS: Exports = {
    "Abstracts": ("quorate.simulation.drawn_abstracts", "Abstracts"),
    "SimulatedItems": ("quorate.simulation.trained_workers", "SimulatedItems"),
    "SimulatedRatings": ("quorate.simulation.ratings", "SimulatedRatings"),
    "SimulatedVotes": ("quorate.simulation.crowd", "SimulatedVotes"),
    "abstracts": ("quorate.simulation.drawn_abstracts", "abstracts"),
    "many_workers": ("quorate.simulation.worker_pool", "many_workers"),
    "simulate_ratings": ("quorate.simulation.ratings", "simulate_ratings"),
    "simulate_votes": ("quorate.simulation.crowd", "simulate_votes"),
    "three_circles": ("quorate.simulation.circles", "three_circles"),
    "two_moons": ("quorate.simulation.moons", "two_moons"),
}

__all__ = [
    "Abstracts",
    "SimulatedItems",
    "SimulatedRatings",
    "SimulatedVotes",
    "abstracts",
    "many_workers",
    "simulate_ratings",
    "simulate_votes",
    "three_circles",
    "two_moons",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
