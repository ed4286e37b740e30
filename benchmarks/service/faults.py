"""The server or the learner killed at random (kill -9) while people vote: no acknowledged vote is lost.

python -m benchmarks.service.faults [--quick] [--json FILE]

Workers do not know what became of a request that broke: they send the same votes again once the service is back, by the
same keys. --quick: five kills instead of fifty.
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
from benchmarks.service.our_server import READY, START_SECONDS, Worker, launch, opened
from benchmarks.service.pools import Pool, make_pool, settings_of
from benchmarks.service.server_process import Server, Talk, children
from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from quorate.service.store.tables import leases, votes

ITEMS, WORKERS = 100_000, 8
LEASE_SECONDS = 5.0
MOST_START = 3.0  # seconds
LATE = 1.0  # seconds past its limit after which a lease counts as stuck


@dataclass
class Site:
    """The service as workers know it: where it is now, whether it is over, and what it acknowledged."""

    server: Server
    over: threading.Event = field(default_factory=threading.Event)
    acknowledged: list[str] = field(default_factory=list)
    broken_off: int = 0

    def work(self, worker: Worker) -> None:
        """Vote until it is over, through whatever happens to the server."""
        while not self.over.is_set():
            given = self._patiently(worker, lambda: worker.answers(worker.next(5)))
            if given:
                self._patiently(worker, partial(worker.submit, given))
            time.sleep(0.02)
        self.acknowledged += worker.acknowledged

    def _patiently(self, worker: Worker, do: Callable[[], Any]) -> Any:
        while not self.over.is_set():
            try:
                return do()
            except (OSError, http.client.HTTPException):
                self.broken_off += 1
                time.sleep(0.05)
                worker.talk.close()
                worker.talk = Talk(self.server.port, worker.talk.headers)
        return None


def measure(figures: Figures, quick: bool) -> None:
    """The rows."""
    kills = 5 if quick else 50
    with tempfile.TemporaryDirectory() as name, opened(Path(name)) as store:
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
    """Seconds of every restart, and how often it was the learner that was killed."""
    rng, starts, learners = np.random.default_rng(0), [], 0
    workers = [Worker.at(site.server.port, pool.project, one, seed) for seed, one in enumerate(pool.sessions)]
    threads = [threading.Thread(target=site.work, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for _ in range(kills):
        time.sleep(0.5 + 2 * rng.random())
        if rng.random() < 0.3 and (found := children(site.server.process.pid)):
            os.kill(found[0], signal.SIGKILL)  # it is started again by the server
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
    print(f"killed: the server {len(starts)} times, the learner {learners}; requests that broke: {site.broken_off}")
    figures.add(f"restart at {ITEMS:,} items after kill -9, median", float(np.median(starts)), "s", most=MOST_START)
    figures.add(f"restart at {ITEMS:,} items after kill -9, longest", max(starts), "s")
    figures.add("votes acknowledged meanwhile", len(site.acknowledged), "")


def _check(figures: Figures, store: Store, site: Site, pool: Pool) -> None:
    """Once all leases are past their limit and somebody asks for work, none of them may be left."""
    time.sleep(LEASE_SECONDS + LATE)
    Worker.at(site.server.port, pool.project, pool.sessions[0], 0).next(5)
    with store.read() as connection:
        there = set(connection.execute(select(votes.c.client_key)).scalars())
        faults = [rule for rule, n in broken_rules(connection).items() if n]
    figures.add("acknowledged votes that are not there", len(set(site.acknowledged) - there), "", most=0)
    for fault in faults:
        print(fault)
    figures.add("rules broken, counted again", len(faults), "", most=0)
    figures.add(f"leases stuck {LATE:g} s past their limit", _stuck(store), "", most=0)


def _stuck(store: Store) -> int:
    """Leases past their limit, which keep others from the task, although somebody has asked for work since."""
    with store.read() as connection:
        past = leases.c.expires_at <= store.clock() - LATE
        return int(connection.execute(select(func.count()).where(past)).scalar_one())


if __name__ == "__main__":
    run(measure, __doc__ or "")
