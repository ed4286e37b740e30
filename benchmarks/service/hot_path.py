"""Time of a vote: next + submit with authentication and live decision, on a small and a large pool.

python -m benchmarks.service.hot_path [--quick] [--json FILE]

The two pools are served by two servers, which take turns, so that other work on the machine slows both down alike. CPU
time is that of the best round. Its targets grow with the time that a fixed Python loop or a minimal server takes on a
busy machine. --quick: three shorter rounds of each mode instead of eight.
"""

import sys
import tempfile
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.harness import ROOT, Figures, run, slowness
from benchmarks.service.bare_server import fill
from benchmarks.service.cycles import Cycles, cycles
from benchmarks.service.our_server import Worker, open_store, run_service
from benchmarks.service.pools import make_pool, settings_of
from benchmarks.service.server_process import JsonConnection, Server, free_port, run_server

SMALL, LARGE = 10_000, 1_000_000
WORKERS = 50
REFERENCE_BARE = 0.75  # ms of CPU that a cycle of bare_server takes where the targets were set
TIMES_LABEL_STUDIO = 40

Leases = list[dict[str, Any]]


@dataclass(frozen=True)
class Way:
    """How votes are sent. together: with the request for the next items, as the page does."""

    name: str
    batch: int
    together: bool
    most_cpu: float | None = None  # ms per voted item


WAYS = (
    Way("one at a time", 1, together=False, most_cpu=6.0),
    Way("one at a time, with what is next", 1, together=True),
    Way("in batches of five, with what is next", 5, together=True, most_cpu=2.0),
)


@dataclass
class Served:
    """A pool, its server and its workers, who take turns."""

    n_items: int
    server: Server
    workers: list[Worker]

    def run(self, way: Way, n_cycles: int) -> Cycles:
        """Run cycles of next + submit; where both are one request, its time counts as submit."""
        turns = cycle(self.workers)
        held: dict[int, Leases] = {}  # by worker: leases in the last response

        def serve() -> tuple[Worker, Leases]:
            worker = next(turns)
            leases = held.pop(id(worker), None) or worker.next(way.batch)
            if len(leases) != way.batch:
                raise SystemExit(f"{len(leases)} leases in place of {way.batch}: the pool is too small")
            return worker, leases

        def submit(served: tuple[Worker, Leases]) -> None:
            worker, leases = served
            held[id(worker)] = worker.submit(worker.answers(leases), way.batch if way.together else 0)

        warm_up = len(self.workers) if way.together else 20
        return cycles(self.server, serve, submit, most=n_cycles, seconds=60.0, batch=way.batch, warm_up=warm_up)


def measure(figures: Figures, quick: bool) -> None:
    """Add the figures of the service alone."""
    measure_hot_path(figures, quick, label_studio=None)


def measure_hot_path(figures: Figures, quick: bool, label_studio: Cycles | None) -> None:
    """Add the figures, compared with Label Studio where it was measured."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        pools = [_served(Path(folder) / str(n_items), n_items, stack) for n_items in (SMALL, LARGE)]
        bare = _bare(Path(folder), stack)
        for way in WAYS:
            rounds = [[pool.run(way, 50 if quick else 100) for pool in pools] for _ in range(3 if quick else 8)]
            small, large = (_merge_rounds(list(column)) for column in zip(*rounds, strict=True))
            _show(figures, way, pools, (small, large), _slowdown(figures, bare, rounds=len(rounds)))
            if label_studio is not None:
                name = f"{way.name}: voted items per second, in Label Studio's"
                least = TIMES_LABEL_STUDIO if way.most_cpu else None
                figures.add(name, small.per_second / label_studio.per_second, "x", least=least)


def _slowdown(figures: Figures, bare: Callable[[], Cycles], rounds: int) -> float:
    """Return the factor by which the machine is slower than usual."""
    loop, bare_ms = slowness(), min(bare().cpu_ms for _ in range(rounds))
    figures.add("yardstick: a fixed Python loop, in its time on the reference machine", loop, "x")
    figures.add("yardstick: CPU of a bare http.server with SQLite, lease + vote", bare_ms, "ms")
    return max(loop, bare_ms / REFERENCE_BARE)


def _show(figures: Figures, way: Way, pools: list[Served], results: tuple[Cycles, Cycles], slow: float) -> None:
    for pool, result in zip(pools, results, strict=True):
        name = f"{way.name}, {pool.n_items:,} items"
        most = None if way.most_cpu is None else way.most_cpu * slow
        figures.add(f"{name}: server CPU per voted item", result.cpu_ms, "ms", most=most)
        figures.add(f"{name}: voted items per second, one worker", result.per_second, "/s")
        result.show(figures, name)
    name = f"{way.name}: p95 at {pools[1].n_items:,} items, in that at {pools[0].n_items:,}"
    figures.add(name, results[1].p95() / results[0].p95(), "x", most=1.5)


def _served(folder: Path, n_items: int, stack: ExitStack) -> Served:
    with open_store(folder) as store:
        pool = make_pool(store, settings_of("hot"), n_items=n_items, n_workers=WORKERS)
    server = stack.enter_context(run_service(folder, learner=False))
    workers = [Worker.at(server.port, pool.project, session, seed) for seed, session in enumerate(pool.sessions)]
    return Served(n_items, server, workers)


def _bare(folder: Path, stack: ExitStack) -> Callable[[], Cycles]:
    """Start a minimal server, and return a function that runs a round of cycles on it."""
    database, port = folder / "bare.db", free_port()
    fill(database, SMALL)
    serve = "benchmarks.service.bare_server:serve"
    command = [sys.executable, "-m", "benchmarks.child", serve, str(database), str(port)]
    log, environment = folder / "bare.log", {"PYTHONPATH": str(ROOT)}
    server = stack.enter_context(
        run_server(command, port, log, health="/health", environment=environment, seconds=30.0)
    )
    connection = stack.enter_context(JsonConnection(port))

    def submit(lease: Any) -> None:
        connection.request_ok("POST", "/vote", {"lease": lease["lease"], "label": 1, "key": uuid.uuid4().hex})

    return lambda: cycles(
        server,
        lambda: connection.request_ok("POST", "/next", {"worker": 1}),
        submit,
        most=200,
        seconds=30.0,
        warm_up=20,
    )


def _merge_rounds(rounds: list[Cycles]) -> Cycles:
    """Return several rounds as one: all response times, and the lowest CPU time."""
    sizes = [len(part.next_ms) for part in rounds]
    return Cycles(
        per_second=sum(sizes) / sum(n / part.per_second for n, part in zip(sizes, rounds, strict=True)),
        cpu_ms=min(part.cpu_ms for part in rounds),
        next_ms=[value for part in rounds for value in part.next_ms],
        submit_ms=[value for part in rounds for value in part.submit_ms],
    )


if __name__ == "__main__":
    run(measure, __doc__ or "")
