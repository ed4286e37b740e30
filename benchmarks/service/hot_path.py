"""Time of a vote: next + submit with authentication and live decision, on a small and a large pool.

python -m benchmarks.service.hot_path [--quick] [--json FILE]

The two pools are served by two servers, and take turns: what else the machine does then slows both alike. CPU time is
that of the best round. Its targets grow with what a fixed Python loop, or the least that a server can do, takes beside
it on a busy machine. --quick: three shorter rounds of each way instead of eight.
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
from benchmarks.service.our_server import Worker, opened, serving
from benchmarks.service.pools import make_pool, settings_of
from benchmarks.service.server_process import Server, Talk, free_port, running

SMALL, LARGE = 10_000, 1_000_000
WORKERS = 50
REFERENCE_BARE = 0.75  # ms of CPU that a cycle of bare_server takes where the targets were set
TIMES_LABEL_STUDIO = 40

Leases = list[dict[str, Any]]


@dataclass(frozen=True)
class Way:
    """How items are voted on. together: votes go in with the request for what is next, as the page does it."""

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
        """Cycles of next + submit; where both are one request, all of its time is that of submitting."""
        turns = cycle(self.workers)
        held: dict[int, Leases] = {}  # by worker, what came with the last answer

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
    """The rows of our service alone."""
    hot(figures, quick, label_studio=None)


def hot(figures: Figures, quick: bool, label_studio: Cycles | None) -> None:
    """The rows, with the cycles of Label Studio to beat where it was measured."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        pools = [_served(Path(folder) / str(n_items), n_items, stack) for n_items in (SMALL, LARGE)]
        bare = _bare(Path(folder), stack)
        for way in WAYS:
            found = [[pool.run(way, 50 if quick else 100) for pool in pools] for _ in range(3 if quick else 8)]
            small, large = (_joined(list(one)) for one in zip(*found, strict=True))
            _show(figures, way, pools, (small, large), _slow(figures, bare, rounds=len(found)))
            if label_studio is not None:
                name = f"{way.name}: voted items per second, in Label Studio's"
                least = TIMES_LABEL_STUDIO if way.most_cpu else None
                figures.add(name, small.per_second / label_studio.per_second, "x", least=least)


def _slow(figures: Figures, bare: Callable[[], Cycles], rounds: int) -> float:
    """How much slower than usual the machine is now."""
    loop, least = slowness(), min(bare().cpu_ms for _ in range(rounds))
    figures.add("yardstick: a fixed Python loop, in its time on the reference machine", loop, "x")
    figures.add("yardstick: CPU of a bare http.server with SQLite, lease + vote", least, "ms")
    return max(loop, least / REFERENCE_BARE)


def _show(figures: Figures, way: Way, pools: list[Served], found: tuple[Cycles, Cycles], slow: float) -> None:
    for pool, took in zip(pools, found, strict=True):
        name = f"{way.name}, {pool.n_items:,} items"
        most = None if way.most_cpu is None else way.most_cpu * slow
        figures.add(f"{name}: server CPU per voted item", took.cpu_ms, "ms", most=most)
        figures.add(f"{name}: voted items per second, one worker", took.per_second, "/s")
        took.show(figures, name)
    name = f"{way.name}: p95 at {pools[1].n_items:,} items, in that at {pools[0].n_items:,}"
    figures.add(name, found[1].p95() / found[0].p95(), "x", most=1.5)


def _served(folder: Path, n_items: int, stack: ExitStack) -> Served:
    with opened(folder) as store:
        pool = make_pool(store, settings_of("hot"), n_items=n_items, n_workers=WORKERS)
    server = stack.enter_context(serving(folder, learner=False))
    workers = [Worker.at(server.port, pool.project, one, seed) for seed, one in enumerate(pool.sessions)]
    return Served(n_items, server, workers)


def _bare(folder: Path, stack: ExitStack) -> Callable[[], Cycles]:
    """A bare server, and a round of cycles at it."""
    database, port = folder / "bare.db", free_port()
    fill(database, SMALL)
    serve = "benchmarks.service.bare_server:serve"
    command = [sys.executable, "-m", "benchmarks.child", serve, str(database), str(port)]
    log, environment = folder / "bare.log", {"PYTHONPATH": str(ROOT)}
    server = stack.enter_context(running(command, port, log, health="/health", environment=environment, seconds=30.0))
    talk = stack.enter_context(Talk(port))

    def submit(lease: Any) -> None:
        talk.must("POST", "/vote", {"lease": lease["lease"], "label": 1, "key": uuid.uuid4().hex})

    return lambda: cycles(
        server, lambda: talk.must("POST", "/next", {"worker": 1}), submit, most=200, seconds=30.0, warm_up=20
    )


def _joined(rounds: list[Cycles]) -> Cycles:
    """Several rounds as one: all waiting times, and the least CPU."""
    sizes = [len(one.next_ms) for one in rounds]
    return Cycles(
        per_second=sum(sizes) / sum(n / one.per_second for n, one in zip(sizes, rounds, strict=True)),
        cpu_ms=min(one.cpu_ms for one in rounds),
        next_ms=[value for one in rounds for value in one.next_ms],
        submit_ms=[value for one in rounds for value in one.submit_ms],
    )


if __name__ == "__main__":
    run(measure, __doc__ or "")
