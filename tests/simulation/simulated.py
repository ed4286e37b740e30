"""Simulated sets, each made once for all tests."""

from collections.abc import Callable
from functools import cache

from quorate.simulation.trained_workers import SimulatedItems


@cache
def made(make: Callable[..., SimulatedItems], seed: int) -> SimulatedItems:
    return make(seed=seed)
