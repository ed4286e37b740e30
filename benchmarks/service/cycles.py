"""Cycles of next + submit by one worker: how many per second, how long, and how much CPU they cost the server."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.harness import Figures
from benchmarks.service.server_process import Server


@dataclass(frozen=True)
class Cycles:
    """Times of the cycles of one worker; a cycle serves and submits one item, or a batch of them."""

    per_second: float  # items, not cycles
    cpu_ms: float  # of the server, per item
    next_ms: list[float]
    submit_ms: list[float]

    def p95(self) -> float:
        """Return the 95th percentile of next + submit in milliseconds."""
        return float(np.quantile(np.add(self.next_ms, self.submit_ms), 0.95))

    def show(self, figures: Figures, name: str) -> None:
        """Add the response times, without targets."""
        figures.add(f"{name}: next, p50", float(np.median(self.next_ms)), "ms")
        figures.add(f"{name}: submit, p50", float(np.median(self.submit_ms)), "ms")
        figures.add(f"{name}: next + submit, p95", self.p95(), "ms")


def cycles(
    server: Server,
    serve: Callable[[], Any],
    submit: Callable[[Any], None],
    *,
    most: int,
    seconds: float,
    batch: int = 1,
    warm_up: int = 5,
) -> Cycles:
    """Run cycles in sequence until there are enough or the time is up, and return their times.

    Args:
        server: the server, whose CPU time is measured.
        serve: requests the next item or batch.
        submit: sends the votes on it.
        most: maximum number of cycles.
        seconds: maximum time.
        batch: items per cycle.
        warm_up: cycles before the measurement.
    """
    for _ in range(warm_up):
        submit(serve())
    next_ms: list[float] = []
    submit_ms: list[float] = []
    cpu, begin = server.cpu(), time.perf_counter()
    while len(next_ms) < most and time.perf_counter() - begin < seconds:
        started = time.perf_counter()
        served = serve()
        served_at = time.perf_counter()
        submit(served)
        submit_ms.append(1000 * (time.perf_counter() - served_at))
        next_ms.append(1000 * (served_at - started))
    elapsed, cpu_spent = time.perf_counter() - begin, server.cpu() - cpu
    n_items = batch * len(next_ms)
    return Cycles(n_items / elapsed, 1000 * cpu_spent / n_items, next_ms, submit_ms)
