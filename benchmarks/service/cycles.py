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
    """What one worker's cycles took; a cycle serves and takes one item, or a batch of them."""

    per_second: float  # items, not cycles
    cpu_ms: float  # of the server, per item
    next_ms: list[float]
    submit_ms: list[float]

    def p95(self) -> float:
        """Milliseconds of next + submit that 95 % of the cycles keep within."""
        return float(np.quantile(np.add(self.next_ms, self.submit_ms), 0.95))

    def show(self, figures: Figures, name: str) -> None:
        """The waiting times, as rows without targets."""
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
    """Run cycles, one after the other, until there are enough or the time is up; the first ones do not count."""
    for _ in range(warm_up):
        submit(serve())
    next_ms: list[float] = []
    submit_ms: list[float] = []
    cpu, begin = server.cpu(), time.perf_counter()
    while len(next_ms) < most and time.perf_counter() - begin < seconds:
        asked = time.perf_counter()
        served = serve()
        answered = time.perf_counter()
        submit(served)
        submit_ms.append(1000 * (time.perf_counter() - answered))
        next_ms.append(1000 * (answered - asked))
    took, spent = time.perf_counter() - begin, server.cpu() - cpu
    n_items = batch * len(next_ms)
    return Cycles(n_items / took, 1000 * spent / n_items, next_ms, submit_ms)
