"""64 simultaneous workers for a minute, with the learner running: response times, and whether every rule held.

python -m benchmarks.service.load [--quick] [--json FILE]

A worker looks at five items for half a second each, sends the votes, and gets the next five in the response; most real
people are slower. Then the same without pauses, to measure the capacity of the service. SQLite, and PostgreSQL with two
server processes. --quick: a quarter of a minute instead of a minute.
"""

import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from sqlalchemy import func, select

from benchmarks.harness import Figures, run
from benchmarks.service.our_server import Worker, open_store, run_service
from benchmarks.service.pools import Pool, make_pool, settings_of
from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.tables import projects, tasks, votes

ITEMS = 10_000  # of each project
CROWDS = (28, 28, 8)  # workers of the engine, of fixed votes, and of a small budget: 64
FIXED, BUDGET = 3, 300.0  # votes on a task, and what the last project may spend
THINK = 0.5  # seconds per item
BATCH = 5
MAX_WAIT = 150.0  # ms


@dataclass
class Load:
    """Response times, errors and acknowledged votes of all workers."""

    waits: list[float] = field(default_factory=list)  # ms of every request
    errors: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def work(self, worker: Worker, think: float, until: float) -> None:
        """Run the session of one worker, in its own thread."""
        waits: list[float] = []
        try:
            time.sleep(worker.rng.random() * think * BATCH)  # people do not all start in the same second
            while time.monotonic() < until:
                _work_once(worker, think, until, waits)
        except (Exception, SystemExit) as error:
            self.errors.append(f"{type(error).__name__}: {error}")
        with self._lock:
            self.waits += waits
            self.acknowledged += worker.acknowledged
        worker.connection.close()


def measure(figures: Figures, quick: bool) -> None:
    """Add the figures of both databases."""
    seconds = 15.0 if quick else 60.0
    with tempfile.TemporaryDirectory() as folder:
        _measure(figures, "SQLite", Path(folder), None, 1, seconds)
    with tempfile.TemporaryDirectory() as folder, postgres(Path(folder)) as url:
        _measure(figures, "PostgreSQL, 2 processes", Path(folder) / "data", url, 2, seconds)


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL server, and yield its URL."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    from pgserver.postgres_server import get_server  # looks at the environment when it is imported

    server = get_server(folder / "postgres")
    yield server.get_uri()
    server.cleanup()


def _measure(figures: Figures, name: str, folder: Path, url: str | None, processes: int, seconds: float) -> None:
    with open_store(folder, url) as store:
        pools = _pools(store)
        with run_service(folder, url=url, processes=processes) as server:
            people = _load(pools, server.port, THINK, seconds)
            flat_out = _load(pools, server.port, 0.0, seconds / 4)
        _show(figures, name, people, flat_out, seconds)
        _check(figures, name, store, pools[1].project, [*people.acknowledged, *flat_out.acknowledged])


def _pools(store: Store) -> list[Pool]:
    settings = (
        settings_of("engine"),
        settings_of("fixed votes", votes=FIXED),
        settings_of("small budget", votes=FIXED, budget=BUDGET),
    )
    return [
        make_pool(store, part, n_items=ITEMS, n_workers=n_workers)
        for part, n_workers in zip(settings, CROWDS, strict=True)
    ]


def _load(pools: list[Pool], port: int, think: float, seconds: float) -> Load:
    load, until = Load(), time.monotonic() + seconds
    workers = [
        Worker.at(port, pool.project, session, seed) for pool in pools for seed, session in enumerate(pool.sessions)
    ]
    threads = [threading.Thread(target=load.work, args=(worker, think, until)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return load


def _work_once(worker: Worker, think: float, until: float, waits: list[float]) -> None:
    """Get work, and continue as long as responses contain more."""
    begin = time.perf_counter()
    leases = worker.next(BATCH)
    waits.append(1000 * (time.perf_counter() - begin))
    while leases:
        time.sleep(think * len(leases))
        begin = time.perf_counter()
        leases = worker.submit(worker.answers(leases), BATCH if time.monotonic() < until else 0)
        waits.append(1000 * (time.perf_counter() - begin))
    time.sleep(0.5)  # no work now: ask again a little later


def _show(figures: Figures, name: str, people: Load, flat_out: Load, seconds: float) -> None:
    for error in [*people.errors, *flat_out.errors][:5]:
        print(f"{name}: {error}")
    who = f"{name}: {sum(CROWDS)} workers, {THINK:g} s an item"
    p50, p99 = np.quantile(people.waits, [0.5, 0.99])
    figures.add(f"{who}: votes per second", len(people.acknowledged) / seconds, "/s")
    figures.add(f"{who}: p50 of all requests", float(p50), "ms")
    figures.add(f"{who}: p99 of all requests", float(p99), "ms", most=MAX_WAIT)
    figures.add(f"{name}: flat out: votes per second", len(flat_out.acknowledged) / (seconds / 4), "/s")
    figures.add(f"{name}: flat out: p99 of all requests", float(np.quantile(flat_out.waits, 0.99)), "ms")
    figures.add(f"{name}: errors", len(people.errors) + len(flat_out.errors), "", most=0)


def _check(figures: Figures, name: str, store: Store, fixed: int, acknowledged: list[str]) -> None:
    with store.read() as connection:
        stored = set(connection.execute(select(votes.c.client_key)).scalars())
        over = tasks.c.project_id == fixed, tasks.c.n_votes + tasks.c.leased > FIXED
        over_asked = connection.execute(select(func.count()).where(*over)).scalar_one()
        asked_twice = tasks.c.status == "asking", tasks.c.leased > tasks.c.wanted
        over_leased = connection.execute(select(func.count()).where(*asked_twice)).scalar_one()
        over_budget = projects.c.spent + projects.c.committed > projects.c.money_limit
        overrun = connection.execute(select(func.count()).where(over_budget)).scalar_one()
        faults = [rule for rule, n in broken_rules(connection).items() if n]
    for fault in faults:
        print(f"{name}: {fault}")
    figures.add(f"{name}: acknowledged votes that are not there", len(set(acknowledged) - stored), "", most=0)
    figures.add(f"{name}: tasks with more votes and leases than {FIXED}", over_asked, "", most=0)
    figures.add(f"{name}: tasks with more leases than are asked for", over_leased, "", most=0)
    figures.add(f"{name}: budgets overrun", overrun, "", most=0)
    figures.add(f"{name}: rules broken, counted again", len(faults), "", most=0)


if __name__ == "__main__":
    run(measure, __doc__ or "")
