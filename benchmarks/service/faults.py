"""The server or the learner killed at random (kill -9) while people vote: no acknowledged vote is lost.

python -m benchmarks.service.faults [--quick] [--json FILE]

Workers do not know the outcome of a request that failed: they send the same votes with the same keys again once the
service is back. --quick: five kills instead of fifty.
"""

import http.client
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import func, select

from benchmarks.harness import Figures, run
from benchmarks.service.our_server import READY, START_SECONDS, Worker, launch, open_store
from benchmarks.service.pools import Pool, make_pool, settings_of
from benchmarks.service.server_process import JsonConnection, Server, children
from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.tables import leases, votes

ITEMS, WORKERS = 100_000, 8
LEASE_SECONDS = 5.0
MAX_START = 3.0  # seconds
LATE = 1.0  # seconds past its limit after which a lease counts as stuck


@dataclass
class Site:
    """The running service, whether the benchmark is over, and the votes that were acknowledged."""

    server: Server
    over: threading.Event = field(default_factory=threading.Event)
    acknowledged: list[str] = field(default_factory=list)
    n_failed: int = 0

    def work(self, worker: Worker) -> None:
        """Vote until the benchmark is over, whatever happens to the server."""
        while not self.over.is_set():
            answers = self._retry(worker, lambda: worker.answers(worker.next(5)))
            if answers:
                self._retry(worker, partial(worker.submit, answers))
            time.sleep(0.02)
        self.acknowledged += worker.acknowledged

    def _retry(self, worker: Worker, call: Callable[[], Any]) -> Any:
        while not self.over.is_set():
            try:
                return call()
            except (OSError, http.client.HTTPException):
                self.n_failed += 1
                time.sleep(0.05)
                worker.connection.close()
                worker.connection = JsonConnection(self.server.port, worker.connection.headers)
        return None


def measure(figures: Figures, quick: bool) -> None:
    """Kill the server and the learner at random, and add the figures."""
    kills = 5 if quick else 50
    with tempfile.TemporaryDirectory() as name, open_store(Path(name)) as store:
        folder = Path(name)
        settings = settings_of("faults", lease_seconds=LEASE_SECONDS)
        pool = make_pool(store, settings, n_items=ITEMS, n_workers=WORKERS)
        site = Site(launch(folder))
        try:
            site.server.wait(READY, seconds=START_SECONDS)
            starts, learners = _kill_often(site, folder, pool, kills)
            _show(figures, site, starts, learners)
            _check(figures, store, site, pool)
        finally:
            site.server.stop()


def _kill_often(site: Site, folder: Path, pool: Pool, kills: int) -> tuple[list[float], int]:
    """Return the seconds of each restart of the server, and how often the learner was killed instead."""
    rng, starts, learners = np.random.default_rng(0), [], 0
    workers = [Worker.at(site.server.port, pool.project, session, seed) for seed, session in enumerate(pool.sessions)]
    threads = [threading.Thread(target=site.work, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for _ in range(kills):
        time.sleep(0.5 + 2 * rng.random())
        if rng.random() < 0.3 and (pids := children(site.server.process.pid)):
            os.kill(pids[0], signal.SIGKILL)  # the learner, which the server starts again
            learners += 1
            continue
        os.kill(site.server.process.pid, signal.SIGKILL)
        site.server.process.wait()
        begin = time.perf_counter()
        site.server = launch(folder)
        site.server.wait(READY, seconds=START_SECONDS)
        starts.append(time.perf_counter() - begin)
    time.sleep(1.0)
    site.over.set()
    for thread in threads:
        thread.join()
    return starts, learners


def _show(figures: Figures, site: Site, starts: list[float], learners: int) -> None:
    print(f"killed: the server {len(starts)} times, the learner {learners}; failed requests: {site.n_failed}")
    figures.add(f"restart at {ITEMS:,} items after kill -9, median", float(np.median(starts)), "s", most=MAX_START)
    figures.add(f"restart at {ITEMS:,} items after kill -9, longest", max(starts), "s")
    figures.add("votes acknowledged meanwhile", len(site.acknowledged), "")


def _check(figures: Figures, store: Store, site: Site, pool: Pool) -> None:
    """Check votes, invariants and leases: once all have expired and somebody asks for work, none may be left."""
    time.sleep(LEASE_SECONDS + LATE)
    Worker.at(site.server.port, pool.project, pool.sessions[0], 0).next(5)
    n_stuck = _count_stuck_leases(store)  # now: the leases of this request expire while the rules are checked
    with store.read() as connection:
        stored = set(connection.execute(select(votes.c.client_key)).scalars())
        faults = [rule for rule, n in broken_rules(connection).items() if n]
    figures.add("acknowledged votes that are not there", len(set(site.acknowledged) - stored), "", most=0)
    for fault in faults:
        print(fault)
    figures.add("rules broken, counted again", len(faults), "", most=0)
    figures.add(f"leases stuck {LATE:g} s past their limit", n_stuck, "", most=0)


def _count_stuck_leases(store: Store) -> int:
    """Count expired leases that still block a task, although somebody has asked for work since."""
    with store.read() as connection:
        is_expired = leases.c.expires_at <= store.clock() - LATE
        return int(connection.execute(select(func.count()).where(is_expired)).scalar_one())


if __name__ == "__main__":
    run(measure, __doc__ or "")
