"""Simulated sets, drawn once for all tests."""

from collections.abc import Callable
from functools import cache

from quorate.simulation.trained_workers import SimulatedItems


@cache
def simulate_once(make: Callable[..., SimulatedItems], seed: int) -> SimulatedItems:
    return make(seed=seed)
