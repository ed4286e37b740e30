"""Projects run to their end in process, with the forecasts that the dashboard showed meanwhile."""

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.service.forecast_pools import ERROR_COSTS, N_VOTERS, POOLS, Pool
from quorate.service.dashboard.progress import progress
from quorate.service.decisions.activation import start
from quorate.service.forecasts.remaining_engine import LOG_ERROR
from quorate.service.items.insert import BulkItems
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import create, get
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Store
from quorate.service.work.leases import Lease
from quorate.service.work.submit import Answer
from tests.service.conftest import Clock
from tests.service.crowds import World
from tests.service.pools import make_voters

MOMENTS = (0.1, 0.2, 0.4, 0.6, 0.8)  # shares of the total votes
MAX_DISTANCE = 0.1  # of a forecast from such a moment
ACTIVE_SHARE = 0.25  # of the voters, at any time
STEP = 9.0  # seconds, so that a forecast is due in each round
MAX_STEPS = 600


@dataclass(frozen=True)
class Comparison:
    """A forecast and the outcome.

    Attributes:
        pool: name of the pool.
        seed: its seed.
        moment: share of the total votes at which the forecast was shown.
        shown: the forecast as it was shown, cut off below the counts of that moment.
        stored: the forecast as it was stored.
        truth: votes and spend of the whole project.
    """

    pool: str
    seed: int
    moment: float
    shown: dict[str, Any]
    stored: dict[str, Any]
    truth: dict[str, float]

    def holds(self, name: str = "votes") -> bool:
        """Return whether the band that was shown contains the truth."""
        return bool(self.shown[name]["low"] <= self.truth[name] <= self.shown[name]["high"])

    @property
    def ratio(self) -> float:
        """Total votes, divided by the forecast."""
        return self.truth["votes"] / float(self.shown["votes"]["value"])

    @property
    def needed(self) -> float:
        """Smallest LOG_ERROR with which the band would have contained the truth."""
        rest, (least, most) = self.truth["votes"] - self.stored["made_at"], self._rest
        above, below = np.log(max(rest, 1.0) / max(most, 1.0)), np.log(max(least, 1.0) / max(rest, 1.0))
        return float(max(above, below, 0.0))

    def width(self, log_error: float) -> float:
        """Return the width of the band with another LOG_ERROR, divided by the value."""
        least, most = self._rest
        return float((most * np.exp(log_error) - least * np.exp(-log_error)) / self.stored["votes"]["value"])

    @property
    def _rest(self) -> tuple[float, float]:
        """Votes to come, without and with those on reopened tasks, before LOG_ERROR widens the band."""
        votes, so_far = self.stored["votes"], self.stored["made_at"]
        return (votes["low"] - so_far) * np.exp(LOG_ERROR), votes["value"] - so_far


@dataclass
class Crowd(World):
    """A running project on a pool."""

    pool: Pool | None = None

    def answer(self, lease: Lease) -> Answer:
        """Return the answer of a voter."""
        assert self.pool is not None
        label = self.pool.answer(self.voters.index(self.voter), int(self.keys[lease.item_id]), self.rng)
        return Answer(lease.id, f"k{lease.id}", self.pool.classes[label])

    def vote_batch(self, voter: int, batch: int) -> list[Answer]:
        """See World."""
        self.voter = voter
        return super().vote_batch(voter, batch)


def compare_forecasts(name: str, seed: int) -> list[Comparison]:
    """Return the forecasts of one project at the MOMENTS; those without a forecast nearby are left out."""
    with run_project(POOLS[name](seed), seed) as crowd:
        steps = list(_run_to_the_end(crowd))
        with crowd.store.read() as connection:
            final = progress(connection, get(connection, crowd.project), crowd.clock.now)["forecast"]
    truth = {what: float(final[what]["value"]) for what in ("votes", "spend")}
    comparisons = []
    for moment in MOMENTS:
        votes, shown, stored = min(steps, key=lambda step: abs(step[0] / truth["votes"] - moment))
        if shown is not None and abs(votes / truth["votes"] - moment) <= MAX_DISTANCE:
            comparisons.append(Comparison(name, seed, moment, shown, stored, truth))
    return comparisons


def _run_to_the_end(crowd: Crowd) -> Iterator[tuple[int, dict[str, Any] | None, dict[str, Any]]]:
    """Yield votes so far, the forecast that is shown, and the one that is stored, step by step."""
    for _ in range(MAX_STEPS):
        crowd.people_vote(share=ACTIVE_SHARE)
        crowd.clock.now += STEP
        crowd.learner.run_due_rounds()
        with crowd.store.read() as connection:
            row = get(connection, crowd.project)
            if row.state == "done":
                return
            yield crowd.bought, progress(connection, row, crowd.clock.now)["forecast"], row.forecast
    raise AssertionError("the project never ends")


@contextmanager
def run_project(pool: Pool, seed: int) -> Iterator[Crowd]:
    """Start a project on a database of its own."""
    random.seed(seed)  # tasks are served in random order
    rng, clock = np.random.default_rng(1000 + seed), Clock()
    settings = {
        "name": "Forecast",
        "questions": [{"name": "label", "classes": pool.classes}],
        "costs": {"error": ERROR_COSTS[seed % len(ERROR_COSTS)]},
    }
    with tempfile.TemporaryDirectory(prefix="quorate-forecast-") as folder:
        store = Store.open(f"sqlite:///{Path(folder) / 'quorate.db'}", clock=clock)
        store.create_tables()
        with store.write() as connection:
            validated = ProjectSettings.model_validate(settings | pool.settings)
            project = create(connection, validated, "benchmark", clock.now)
            BulkItems(pool.items).add(connection, plan_of(connection, project, 1), rng, clock.now)
        start(store, project, "running", "benchmark")
        voters = make_voters(store, project, N_VOTERS)
        voters += make_voters(store, project, pool.experts, kind="expert") if pool.experts else []
        truth: NDArray[np.int64] = pool.truth[:, None]
        yield Crowd(store, clock, project, truth, voters, rng, pool=pool)
        store.close()
